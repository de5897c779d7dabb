package check

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
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

// TestEffort: the time of all findings is bounded, and a quarter of it is one's.
func TestEffort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := effort{time: 8 * time.Second, whole: 8 * time.Second}
		for _, left := range []time.Duration{2, 2, 2, 2, 1} {
			began := time.Now()
			own, done := e.begin(t.Context())
			deadline, _ := own.Deadline()
			if got := deadline.Sub(began); got != left*time.Second {
				t.Errorf("of %v one finding gets %v, want %v", e.time, got, left*time.Second)
			}
			time.Sleep(1750 * time.Millisecond)
			before := e.time
			if done(); before-e.time != 1750*time.Millisecond || own.Err() == nil {
				t.Errorf("%v of %v are left, and it has ended: %v", e.time, before, own.Err())
			}
		}
		e = effort{}
		own, done := e.begin(t.Context())
		if done(); own.Err() != nil || e.time != 0 {
			t.Errorf("without a bound %v is left, and it has ended: %v", e.time, own.Err())
		}
	})
	r := newRunner(Config{Entries: []Entry{{Tries: 7, Patience: time.Second}, {}}}, nil)
	if got, want := r.efforts(), []effort{{7, time.Second, time.Second}, {tries: 20_000}}; !slices.Equal(got, want) {
		t.Errorf("the efforts are %+v, want %+v", got, want)
	}
}

func TestPlanned(t *testing.T) {
	cfg := Config{Entries: []Entry{{}, {Every: 4}}, Inputs: make([][]byte, 3), Cases: 80, Relations: 8}
	r := newRunner(cfg, make([]vectorCase, 7))
	if got, want := r.planned(), 2*(7+3)+80+20+25*(8+2); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	r.cfg.RelateInputs = true
	if got, want := r.planned(), 2*(7+3)+80+20+25*(8+2)+2*25*3; got != want {
		t.Errorf("with the relations of inputs %d, want %d", got, want)
	}
}

// TestForeseen: a failure of generated documents is known by an entry for them, of
// the same clause, outcome and profile.
func TestForeseen(t *testing.T) {
	const a, b = "rfc8259/6/number", "rfc8785/3.1/unique-names"
	file, err := baseline.Parse("", []byte("vector x accepted | r | unreported\ngenerated "+a+" accepted collision | r | unreported\n"+
		"generated "+b+" crash denial-of-service | r | unreported\nprofile ijson\ngenerated "+b+" accepted split | r | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	var told []result.Finding
	r := newRunner(Config{Entries: []Entry{{Baseline: file}, {}}, Found: func(f result.Finding) { told = append(told, f) }}, nil)
	for _, c := range []struct {
		entry       int
		requirement string
		o           result.Outcome
		known       bool
	}{
		{0, a, result.Accepted, true}, {0, a, result.Diverged, false}, {0, b, result.Crash, true}, {0, b, result.Accepted, false},
		{0, "", result.Accepted, false}, {1, a, result.Accepted, false},
	} {
		told = nil
		r.fail(bucketKey{entry: c.entry, outcome: c.o, departure: Departure{Requirement: c.requirement}}, failure{answer: ok("x")}, nil)
		if (len(told) == 0) != c.known {
			t.Errorf("%s %s of %d is told: %+v", c.requirement, c.o, c.entry, told)
		}
	}
	// Of a vector its own entry speaks, not those for generated documents.
	told = nil
	r.fail(bucketKey{outcome: result.Accepted, departure: Departure{a, "words"}}, failure{vector: &vectors.Vector{ID: "v"}}, &result.VectorResult{})
	if len(told) != 1 {
		t.Errorf("of a vector is told %+v", told)
	}
}

// TestFoundIsBounded: who fails in ever new ways is not told of without end, but
// counted.
func TestFoundIsBounded(t *testing.T) {
	told := 0
	r := newRunner(Config{Entries: []Entry{{}, {}}, Found: func(result.Finding) { told++ }}, nil)
	for n := range 250 {
		for entry := range 2 {
			r.fail(bucketKey{entry: entry, message: strings.Repeat("a", n)}, failure{}, nil)
		}
	}
	if told != maxBuckets || r.failures.len() != 500 {
		t.Errorf("%d are told, %d kept", told, r.failures.len())
	}
}

// TestRaw: what is told at once is cut, and has bytes only of who gave some.
func TestRaw(t *testing.T) {
	var told result.Finding
	r := newRunner(Config{Entries: []Entry{{}}, Found: func(f result.Finding) { told = f }}, nil)
	long := bytes.Repeat([]byte("1"), keptInput+1)
	r.fail(bucketKey{message: "a"}, failure{input: long, answer: result.Answer{Kind: result.OK, Bytes: long}, verdict: verdict.Verdict{Canonical: long}}, nil)
	if len(told.Input) != keptInput || told.InputSize != keptInput+1 || len(told.Actual) != keptInput || len(told.Expected) != keptInput || told.Differ != -1 {
		t.Errorf("%d of %d, given %d, expected %d, differs at %d", len(told.Input), told.InputSize, len(told.Actual), len(told.Expected), told.Differ)
	}
	r.fail(bucketKey{message: "b"}, failure{input: []byte("1"), answer: result.Answer{Kind: result.Rejected, Bytes: long}}, nil)
	if told.Actual != nil || len(told.Input) != 1 {
		t.Errorf("%+v", told)
	}
}
