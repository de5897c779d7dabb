package check

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/relation"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func relatedConfig(p planted) Config {
	cfg := testConfig(entryOf("planted", p))
	cfg.Cases, cfg.Relations = 1, 40
	return cfg
}

// TestRelationsOfTheRight: who is right breaks none, and they are counted.
func TestRelationsOfTheRight(t *testing.T) {
	run := mustRun(t, relatedConfig(right))
	if len(run.Findings) > 0 {
		t.Errorf("found: %s", kinds(run))
	}
	s := run.Footer.Scores[0]
	for _, name := range []string{"member-order", relation.Repeated, relation.Values, "fixed-point"} {
		if s.Relations[name].Passed == 0 {
			t.Errorf("%s: %+v", name, s.Relations[name])
		}
	}
	if run.Header.Relations != 40 {
		t.Errorf("the header says %d", run.Header.Relations)
	}
}

// TestBreachesAreAttributed: a breach that a verdict explains joins the
// verdict's finding, whose collision it proves; asked for, it is shown too.
func TestBreachesAreAttributed(t *testing.T) {
	folded := onOutput(bytes.ToLower)
	cfg := relatedConfig(folded)
	run := mustRun(t, cfg)
	if len(run.Findings) == 0 {
		t.Fatal("nothing found")
	}
	for _, f := range run.Findings {
		if f.Relation != "" {
			t.Errorf("%s is explained and was reported", f.Relation)
		}
	}
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Effect == result.Collision })
	if i < 0 {
		t.Fatalf("no collision is proved: %s", kinds(run))
	}
	f := run.Findings[i]
	one := folded(f.Input).Bytes
	other := folded(f.Partner).Bytes
	if f.Partner == nil || !bytes.Equal(one, other) {
		t.Errorf("%q gives %q, its partner %q gives %q", f.Input, one, f.Partner, other)
	}
	a, errA := reference.Canonicalize(f.Input)
	b, errB := reference.Canonicalize(f.Partner)
	if errA == nil && errB == nil && bytes.Equal(a, b) {
		t.Error("the two have one canonical form")
	}

	cfg.EveryBreach = true
	run = mustRun(t, cfg)
	i = slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Relation == "value" && f.Effect == result.Collision })
	if i < 0 {
		t.Fatalf("the breach is not shown: %s", kinds(run))
	}
	f = run.Findings[i]
	if f.Effect != result.Collision || f.PartnerOp != result.OpCanon || !bytes.Equal(f.Actual, f.PartnerActual) || f.Verdict != "" || !strings.Contains(f.Replay, "--relations on") {
		t.Errorf("%+v", f)
	}
}

// TestStateIsFound: answers that change from one asking to the next are a
// finding although each may be right by itself; a verdict may see one of them
// too.
func TestStateIsFound(t *testing.T) {
	asked := 0
	cfg := relatedConfig(func(input []byte) result.Answer {
		if asked++; asked%97 == 0 {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	})
	cfg.Workers = 1
	run := mustRun(t, cfg)
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Relation == relation.Repeated })
	if i < 0 {
		t.Fatalf("not found: %s", kinds(run))
	}
	if f := run.Findings[i]; !bytes.Equal(f.Input, f.Partner) || f.Given == f.PartnerGiven || f.Requirement == "" {
		t.Errorf("%+v", f)
	}
}

// TestLadders: who is slow or dies is found, with a clock that is counted; who
// has a limit is not.
func TestLadders(t *testing.T) {
	timed := func(p planted, cost func(n int) time.Duration) planted {
		return func(input []byte) result.Answer {
			a := p(input)
			a.Elapsed = cost(len(input))
			return a
		}
	}
	linear := func(n int) time.Duration { return time.Microsecond + time.Duration(100*n) }
	echo := planted(func(input []byte) result.Answer { return result.Answer{Kind: result.OK, Bytes: input} })
	upTo := func(most int, kind result.AnswerKind) planted {
		return func(input []byte) result.Answer {
			if len(input) > most {
				return result.Answer{Kind: kind, Message: "boom"}
			}
			return result.Answer{Kind: result.OK, Bytes: input}
		}
	}
	for _, c := range []struct {
		name    string
		subject planted
		outcome result.Outcome // "" for no finding
	}{
		{"linear", timed(echo, linear), ""},
		{"refuses", timed(upTo(5000, result.Rejected), linear), ""},
		{"dies", timed(upTo(5000, result.Crashed), linear), result.Crash},
		{"hangs", timed(upTo(5000, result.Hung), linear), result.Hang},
	} {
		cfg := Config{Entries: []Entry{entryOf("planted", c.subject)}, Inputs: [][]byte{[]byte("0")}, Ladders: []string{"string", "members"}}
		run := mustRun(t, cfg)
		s := run.Footer.Scores[0]
		if len(s.Ladders) != 2 || s.Ladders[0].Name != "string" || len(s.Ladders[0].Rungs) < 4 {
			t.Errorf("%s: %+v", c.name, s.Ladders)
			continue
		}
		found := slices.DeleteFunc(slices.Clone(run.Findings), func(f result.Finding) bool { return f.Ladder == "" })
		if c.outcome == "" {
			if len(found) > 0 {
				t.Errorf("%s: %s", c.name, kinds(run))
			}
			continue
		}
		if len(found) != 2 || found[0].Outcome != c.outcome || found[0].Effect != result.DenialOfService || !json.Valid(found[0].Input) && found[0].InputSize == len(found[0].Input) {
			t.Errorf("%s: %s", c.name, kinds(run))
		}
	}
}
