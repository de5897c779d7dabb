package relation

import (
	"context"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// captive is a creature of the zoo as a subject.
type captive struct{ zoo.Individual }

func (captive) Info() result.Info { return result.Info{Ops: []result.Op{result.OpCanon}} }

func (c captive) Ask(_ context.Context, questions []result.Question) []result.Answer {
	answers := make([]result.Answer, len(questions))
	for i, q := range questions {
		answers[i] = c.ask(q.Input)
	}
	return answers
}

func (c captive) ask(input []byte) (a result.Answer) {
	defer func() {
		if recover() != nil {
			a = result.Answer{Kind: result.Crashed}
		}
	}()
	out, err := c.Canonicalize(append([]byte(nil), input...))
	if err != nil {
		return result.Answer{Kind: result.Rejected}
	}
	return result.Answer{Kind: result.OK, Bytes: append([]byte(nil), out...)}
}

// TestZoo: the control and whoever only chooses otherwise are never accused;
// many of the faulty, one in eight of which is asked here, are found although
// no verdict is.
func TestZoo(t *testing.T) {
	all := documents(60)
	faulty, found := 0, 0
	for i, creature := range zoo.All() {
		if creature.Faulty() && i%8 != 0 {
			continue
		}
		report := Run(t.Context(), captive{creature.New()}, all, Options{Seed: 1, Pairs: true})
		if !creature.Faulty() {
			if len(report.Breaches) > 0 {
				t.Errorf("%s is accused: %s", creature.Name, report.Breaches[0].String())
			}
			continue
		}
		faulty++
		if len(report.Breaches) > 0 {
			found++
		}
	}
	if found < faulty/4 {
		t.Errorf("%d of %d faulty creatures found", found, faulty)
	}
	t.Logf("%d of %d faulty creatures found by %d documents", found, faulty, len(all))
}
