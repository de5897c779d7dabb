package check

import (
	"bytes"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func lookups(t *testing.T, ids ...string) (all []vectors.Vector) {
	t.Helper()
	for _, id := range ids {
		v, ok := vectors.Lookup(id)
		if !ok {
			t.Fatalf("there is no vector %s", id)
		}
		all = append(all, v)
	}
	return all
}

// TestFound: each kind is told once, when it is first seen, unless a baseline
// knows what was seen.
func TestFound(t *testing.T) {
	cfg := testConfig(entryOf("planted", onInput(replaceAll("[+", "["))))
	cfg.Vectors = lookups(t, "number-plus")
	cfg.Cases, cfg.Inputs = 0, [][]byte{[]byte("[+2]"), []byte("[+3]")}
	count := func() (told []result.Finding) {
		cfg.Found = func(f result.Finding) { told = append(told, f) }
		mustRun(t, cfg)
		return told
	}
	told := count()
	if len(told) != 1 || told[0].Requirement != "rfc8259/6/number" || told[0].Outcome != result.Accepted || len(told[0].Vectors) != 1 {
		t.Fatalf("told %+v", told)
	}
	known, err := baseline.Parse("", []byte("vector number-plus accepted | reads it | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Entries[0].Baseline = known
	if told := count(); len(told) != 1 || len(told[0].Cases) != 1 {
		t.Errorf("where the vector is known, the inputs tell %+v", told)
	}
	known, err = baseline.Parse("", []byte("vector number-plus accepted | reads it | unreported\ngenerated rfc8259/6/number accepted collision | the same | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Entries[0].Baseline = known
	if told := count(); len(told) != 0 {
		t.Errorf("known, and told: %+v", told)
	}
}

// TestPatience: when the time for minimizing is over, findings stay as they were
// found, and nothing is blamed that was not asked for.
func TestPatience(t *testing.T) {
	refuses := planted(func(input []byte) result.Answer {
		if bytes.ContainsAny(input, "eE") {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	})
	cfg := testConfig(entryOf("planted", refuses))
	cfg.Cases, cfg.Inputs = 0, [][]byte{[]byte(`[1,2,3,{"a":true}]`)}
	cfg.Entries[0].Patience = 1
	run := mustRun(t, cfg)
	if len(run.Findings) != 1 || run.Findings[0].InputSize != 18 || run.Findings[0].Requirement != "rfc8259/2/one-value" {
		t.Errorf("without time: %s", kinds(run))
	}
	cfg.Entries[0].Patience = time.Hour
	run = mustRun(t, cfg)
	if len(run.Findings) != 1 || run.Findings[0].InputSize != 4 || run.Findings[0].Requirement != "rfc8259/3/literals" {
		t.Errorf("with time: %s", kinds(run))
	}
}

// TestMute: who never answers is not asked for its limits again and again, and
// what was left out is told.
func TestMute(t *testing.T) {
	var asked atomic.Int64
	mute := planted(func([]byte) result.Answer {
		if asked.Add(1) > 3 {
			return result.Answer{Kind: result.Skipped, Message: "not asked: it has never answered", Unasked: true}
		}
		return result.Answer{Kind: result.Hung}
	})
	cfg := testConfig(entryOf("mute", mute))
	cfg.Vectors, cfg.Cases = lookups(t, "number-plus", "name-0", "bom-twice"), 100
	cfg.Entries[0].Mode = result.ModeWire
	score := mustRun(t, cfg).Score("mute")
	if score.Unasked < 100 || score.Why != "not asked: it has never answered" || score.Limits.Probed != 0 {
		t.Errorf("%d left out, %q, limits %+v", score.Unasked, score.Why, score.Limits)
	}
}

// TestProbesEnd: after two probes without an answer no other is asked.
func TestProbesEnd(t *testing.T) {
	asked, failed := 0, 0
	p := depthProbe{
		ask: func(q result.Question) result.Answer {
			if asked++; len(q.Input) > 20 {
				return result.Answer{Kind: result.Hung}
			}
			return result.Answer{Kind: result.OK}
		},
		fail: func(result.Question, result.Answer) { failed++ },
	}
	limits := p.measure()
	if failed != maxFailedProbes || asked > 10 || limits.Arrays < 4 || limits.Arrays > 10 {
		t.Errorf("%d asked, %d failed: %+v", asked, failed, limits)
	}
}

// TestFewDocuments: where a few are asked, nothing else is, unless a right one is
// refused; then only what could explain it.
func TestFewDocuments(t *testing.T) {
	var asked [][]byte
	shallow := planted(func(input []byte) result.Answer {
		asked = append(asked, bytes.Clone(input))
		if bytes.Contains(input, []byte("[[[")) {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	})
	cfg := testConfig(entryOf("shallow", shallow))
	cfg.Cases, cfg.Workers = 0, 1
	cfg.Inputs = [][]byte{[]byte("[1]"), []byte(`{"a":1,"a":2}`)}
	if mustRun(t, cfg); len(asked) != 2 {
		t.Errorf("asked %q", asked)
	}
	asked, cfg.Inputs = nil, [][]byte{[]byte(`[[[0]]]`)}
	run := mustRun(t, cfg)
	if len(run.Findings) != 0 || len(asked) != 2 || !slices.EqualFunc(asked, []string{`[[[0]]]`, `[[[]]]`}, func(a []byte, b string) bool { return string(a) == b }) {
		t.Errorf("asked %q; %s", asked, kinds(run))
	}
}
