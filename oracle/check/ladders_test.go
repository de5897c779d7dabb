package check

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/ladder"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestFallen: who is slow, dies or hangs breaks the clause on limits, with the
// text on which it shows; who refuses has a limit.
func TestFallen(t *testing.T) {
	shape, _ := ladder.Lookup("elements")
	r := newRunner(Config{Entries: []Entry{{Name: "other"}, {Name: "one"}}, Profile: reject.IJSON}, nil)
	rungs := []result.Rung{{Size: 2}, {Size: 3}}
	limits := result.Finding{
		Subject: "one", Effect: result.DenialOfService, Requirement: "rfc8259/9/limits", Group: "limits", Profile: "ijson", Op: result.OpCanon,
		Ladder: "elements", Differ: -1, Verdict: "accept", Count: 1, Replay: "touchstone check --peer one --ladders elements --cases 0 --relations off --profile ijson",
	}
	for _, c := range []struct {
		ladder result.Ladder
		want   func(f *result.Finding)
	}{
		{result.Ladder{Ends: result.Crashed, Last: 4, Message: "boom"}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given, f.Message = result.Crash, "dies as it grows: one long array of small integers", result.Crashed, "boom"
			f.Input, f.InputSize = []byte("[0,0,0,0,0]"), 11
		}},
		{result.Ladder{Ends: result.Hung, Last: 4}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given = result.Hang, "gives no answer as it grows: one long array of small integers", result.Hung
			f.Input, f.InputSize = []byte("[0,0,0]"), 7
		}},
		{result.Ladder{Ends: result.ProtocolError, Last: 4}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given = result.Protocol, "no answer by the protocol as it grows: one long array of small integers", result.ProtocolError
			f.Input, f.InputSize, f.Requirement, f.Group = []byte("[0,0,0,0,0]"), 11, "", "protocol"
		}},
		{result.Ladder{Slow: true, Exponent: 2, Last: 4}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given = result.Slow, "the time grows faster than n log n: one long array of small integers", result.OK
			f.Input, f.InputSize, f.Exponent = []byte("[0,0,0]"), 7, 2
		}},
		{result.Ladder{Slow: true, Exponent: 2, Ends: result.Rejected, Last: 4}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given = result.Slow, "the time grows faster than n log n: one long array of small integers", result.OK
			f.Input, f.InputSize, f.Exponent = []byte("[0,0,0]"), 7, 2
		}},
		{result.Ladder{Ends: result.Crashed, Last: 40_000}, func(f *result.Finding) {
			f.Outcome, f.Signature, f.Given = result.Crash, "dies as it grows: one long array of small integers", result.Crashed
			f.Input, f.InputSize = []byte("[" + strings.Repeat("0,", 40_000))[:keptInput], 80_003
		}},
		{result.Ladder{Ends: result.Rejected, Last: 4}, nil},
		{result.Ladder{}, nil},
	} {
		c.ladder.Name, c.ladder.Rungs = "elements", rungs
		f, ok := r.fallen(1, shape, c.ladder)
		if ok != (c.want != nil) {
			t.Errorf("%+v is a finding: %v", c.ladder, ok)
		}
		if want := limits; ok {
			if c.want(&want); !reflect.DeepEqual(f, want) {
				t.Errorf("%+v is\n%+v, want\n%+v", c.ladder, f, want)
			}
		}
	}
}

// TestClimb: the ladders that there are are climbed by all who live, with their
// own clock where they are asked in another process, and each is told.
func TestClimb(t *testing.T) {
	timed := planted(func(input []byte) result.Answer {
		return result.Answer{Kind: result.OK, Bytes: input, Elapsed: time.Duration(1000 + 100*len(input))}
	})
	dead := entryOf("dead", func([]byte) result.Answer { return result.Answer{Kind: result.NoStart} })
	cfg := Config{Entries: []Entry{dead, entryOf("within", timed), entryOf("beside", timed)}, Ladders: []string{"no-such", "elements"}, Inputs: [][]byte{[]byte("0")}}
	cfg.Entries[2].Open = opened(info{timed, result.Info{Command: "beside"}})
	var told []Progress
	cfg.Progress = func(p Progress) {
		if p.Phase == "ladders" {
			told = append(told, Progress{Done: p.Done, Total: p.Total})
		}
	}
	run := mustRun(t, cfg)
	if want := []Progress{{Done: 4, Total: 6}, {Done: 6, Total: 6}}; !reflect.DeepEqual(told, want) {
		t.Errorf("told is %+v, want %+v", told, want)
	}
	var byTheirClock [3]int
	for i, s := range run.Footer.Scores {
		for _, l := range s.Ladders {
			for _, rung := range l.Rungs {
				if rung.Nanos == int64(1000+100*rung.Bytes) {
					byTheirClock[i]++
				}
			}
		}
	}
	if rungs := len(run.Footer.Scores[2].Ladders[0].Rungs); byTheirClock != [3]int{0, 0, rungs} || rungs == 0 || len(run.Footer.Scores[1].Ladders) != 1 || len(run.Findings) != 0 {
		t.Errorf("%v of %d rungs; %s", byTheirClock, rungs, kinds(run))
	}
}

// TestNothingIsClimbedInTheEnd: who gives up waits for no ladder.
func TestNothingIsClimbedInTheEnd(t *testing.T) {
	r := newRunner(Config{Entries: []Entry{entryOf("one", right)}, Ladders: []string{"elements", "string"}}, nil)
	r.open(t.Context())
	r.climb(ended(t))
	if got := r.scores[0].Ladders; got != nil {
		t.Errorf("climbed are %+v", got)
	}
}
