package check_test

import (
	"bytes"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// The smoke set is forty vectors of canonical forms, which find two planted
// faults in three and accuse nobody without a fault.
func TestSmoke(t *testing.T) {
	chosen := check.Smoke()
	if len(chosen) != 40 {
		t.Errorf("%d vectors", len(chosen))
	}
	verdicts := make([]verdict.Verdict, len(chosen))
	for i, v := range chosen {
		if _, ok := v.Expect[reject.RFC8785]; !ok || v.Op != vectors.OpCanon || v.Status == vectors.Retired {
			t.Errorf("%s is not judged", v.ID)
		}
		verdicts[i] = verdict.Of(reject.RFC8785, v.Input)
	}
	found, faults := 0, 0
	for _, c := range zoo.All() {
		accused := ""
		individual := c.New()
		for i, v := range chosen {
			a := asked(individual, v.Input)
			o := check.Judge(verdicts[i], a, false)
			if o != result.Pass && (o != result.Refused || verdicts[i].Depth < 1000) { // else it may be a limit
				accused = v.ID
				break
			}
		}
		if c.Faulty() {
			faults++
		}
		switch {
		case !c.Faulty() && accused != "":
			t.Errorf("%s is accused by %s", c.Name, accused)
		case accused != "":
			found++
		}
	}
	if found*10 < faults*6 {
		t.Errorf("%d of %d faults are found", found, faults)
	}
}

func asked(individual zoo.Individual, input []byte) (a result.Answer) {
	defer func() {
		if recover() != nil {
			a = result.Answer{Kind: result.Crashed}
		}
	}()
	out, err := individual.Canonicalize(bytes.Clone(input))
	if err != nil {
		return result.Answer{Kind: result.Rejected}
	}
	return result.Answer{Kind: result.OK, Bytes: out}
}
