package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// planted is the reference with a fault: it may change the input, the output or
// the answer.
type planted func(input []byte) result.Answer

func (p planted) Info() result.Info {
	return result.Info{Name: "planted", Ops: []result.Op{result.OpCanon}}
}
func (planted) Close() error { return nil }
func (p planted) Ask(_ context.Context, questions []result.Question) []result.Answer {
	answers := make([]result.Answer, len(questions))
	for i, q := range questions {
		answers[i] = p(q.Input)
	}
	return answers
}

var answered sync.Map // what right has found out, by input

func right(input []byte) result.Answer {
	known, ok := answered.Load(string(input))
	if !ok {
		a := result.Answer{Kind: result.OK}
		var err error
		if a.Bytes, err = reference.Canonicalize(input); err != nil {
			a = result.Answer{Kind: result.Rejected, Message: err.Error()}
		}
		known, _ = answered.LoadOrStore(string(input), a)
	}
	a := known.(result.Answer)
	a.Bytes = bytes.Clone(a.Bytes)
	return a
}

// onInput plants a fault in the reading, onOutput in the writing.
func onInput(change func([]byte) []byte) planted {
	return func(input []byte) result.Answer { return right(change(bytes.Clone(input))) }
}

func onOutput(change func([]byte) []byte) planted {
	return func(input []byte) result.Answer {
		a := right(input)
		if a.Kind == result.OK {
			a.Bytes = change(a.Bytes)
		}
		return a
	}
}

func replaceAll(old, new string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(new)) }
}

func entryOf(name string, p planted) Entry { return Entry{Name: name, Open: opened(p)} }

func opened(s Subject) func(context.Context) (Subject, error) {
	return func(context.Context) (Subject, error) { return s, nil }
}

// info is a planted that says something else of itself.
type info struct {
	planted
	says result.Info
}

func (i info) Info() result.Info { return i.says }

// ended gives a context that has ended.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func testConfig(entries ...Entry) Config {
	return Config{
		Entries: entries, Cases: 300, Seed: 1, Workers: 2, Minimize: shrink.Minimize,
		Generator: func(seed uint64) func(uint64) []byte {
			var g grammar.Generator
			source := grammar.NewSeeded(seed, 0)
			return func(number uint64) []byte { source.Reset(seed, number); return g.Document(source) }
		},
	}
}

func mustRun(t *testing.T, cfg Config) *result.Run {
	t.Helper()
	run, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestPlantedFaults: each fault is found with the right clause and effect, and
// its input is minimized to the exact bytes.
func TestPlantedFaults(t *testing.T) {
	crash := func(when func([]byte) bool, kind result.AnswerKind) planted {
		return func(input []byte) result.Answer {
			if when(input) {
				return result.Answer{Kind: kind, Message: "boom"}
			}
			return right(input)
		}
	}
	faults := []struct {
		name    string
		fault   planted
		outcome result.Outcome
		clause  string
		effect  result.Effect
		input   string // the minimized one; "" for any
		partner string
	}{
		{"line feed behind", onOutput(func(b []byte) []byte { return append(b, '\n') }), result.Diverged, "rfc8785/3.2.1/no-white-space", result.Split, "0", ""},
		{"solidus escaped", onOutput(replaceAll("/", `\/`)), result.Diverged, "rfc8785/3.2.2.2/as-is", result.Split, `"/"`, ""},
		{"upper-case escape", onOutput(replaceAll(`\u001f`, `\u001F`)), result.Diverged, "rfc8785/3.2.2.2/control-escape", result.Split, "", ""},
		{"true is false", onOutput(replaceAll("true", "false")), result.Diverged, "rfc8785/3.2.2.1/literals", result.Collision, "true", "false"},
		{"plus sign read", onInput(replaceAll("+", "")), result.Accepted, "rfc8259/6/number", result.Collision, "", ""},
		{"comment read", onInput(replaceAll("/**/", "")), result.Accepted, "rfc8259/2/white-space", result.Collision, "", ""},
		{"scalar refused", func(b []byte) result.Answer {
			if t := bytes.TrimLeft(b, " \t\r\n"); len(t) > 0 && t[0] != '{' && t[0] != '[' {
				return result.Answer{Kind: result.Rejected, Message: "not an object"}
			}
			return right(b)
		}, result.Refused, "rfc8259/2/one-value", result.Refusal, "0", ""},
		{"exponent refused", func(b []byte) result.Answer {
			for _, t := range tokens(b) {
				if t.kind == word && isNumber(string(t.bytes)) && bytes.ContainsAny(t.bytes, "eE") {
					return result.Answer{Kind: result.Rejected}
				}
			}
			return right(b)
		}, result.Refused, "rfc8259/6/number", result.Refusal, "0e0", ""},
		{"dies on an empty name", crash(func(b []byte) bool { return bytes.Contains(b, []byte(`"":`)) }, result.Crashed), result.Crash, "rfc8259/9/limits", result.DenialOfService, "", ""},
		{"hangs on exponents", crash(func(b []byte) bool { return bytes.Contains(b, []byte("e-")) }, result.Hung), result.Hang, "rfc8259/9/limits", result.DenialOfService, "", ""},
		{"talks nonsense", crash(func(b []byte) bool { return bytes.Contains(b, []byte("null")) }, result.ProtocolError), result.Protocol, "", result.DenialOfService, "", ""},
	}
	var entries []Entry
	for _, c := range faults {
		entries = append(entries, entryOf(c.name, c.fault))
	}
	cfg := testConfig(entries...)
	cfg.Inputs = [][]byte{[]byte("[+1]")}
	run := mustRun(t, cfg)
	if run.New() != len(run.Findings) {
		t.Errorf("%d of %d findings are new", run.New(), len(run.Findings))
	}
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			i := slices.IndexFunc(run.Findings, func(f result.Finding) bool {
				return f.Subject == c.name && f.Outcome == c.outcome && f.Requirement == c.clause && f.Effect == c.effect
			})
			if i < 0 {
				t.Fatalf("not found; found are %s", kinds(run))
			}
			f := run.Findings[i]
			if c.input != "" && string(f.Input) != c.input {
				t.Errorf("minimized to %q, want %q", f.Input, c.input)
			}
			if c.partner != "" && string(f.Partner) != c.partner {
				t.Errorf("collides with %q, want %q", f.Partner, c.partner)
			}
			if f.Count == 0 || f.Replay == "" || f.Signature == "" {
				t.Errorf("incomplete: %+v", f)
			}
		})
	}
}

func kinds(run *result.Run) string {
	var b strings.Builder
	for _, f := range run.Findings {
		fmt.Fprintf(&b, "\n%s: %s %s %s %q (%s)", f.Subject, f.Effect, f.Outcome, f.Requirement, f.Input, f.Signature)
	}
	return b.String()
}

// short gives the vectors that are judged fast.
func short() []vectors.Vector {
	return slices.DeleteFunc(vectors.All(), func(v vectors.Vector) bool { return len(v.Input) > 128 })
}

// TestNobodyIsAccused: neither who is right nor who refuses whatever may be
// refused departs from the verdicts.
func TestNobodyIsAccused(t *testing.T) {
	cfg := testConfig(entryOf("right", right), entryOf("strict", func(input []byte) result.Answer {
		if verdict.Of(reject.RFC8785, input).Kind != verdict.Accept {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	}))
	cfg.Vectors, cfg.Complete = short(), true
	run := mustRun(t, cfg)
	if len(run.Findings) > 0 {
		t.Errorf("accused: %s", kinds(run))
	}
	for _, s := range run.Footer.Scores {
		if s.Vectors.Failed > 0 || s.Vectors.Passed < 1000 || s.Generated.Passed != 300 {
			t.Errorf("%s: vectors %+v, generated %+v", s.Subject, s.Vectors, s.Generated)
		}
	}
}

// TestDepthLimitIsNoFinding (RFC 8259 section 9).
func TestDepthLimitIsNoFinding(t *testing.T) {
	cfg := testConfig(entryOf("shallow", func(input []byte) result.Answer {
		if bytes.Count(input, []byte{'['})+bytes.Count(input, []byte{'{'}) > 5 {
			return result.Answer{Kind: result.Rejected, Message: "too deep"}
		}
		return right(input)
	}))
	cfg.Vectors, cfg.Cases = lookups(t, "depth-arrays-64", "depth-objects-128", "depth-unclosed-arrays-1000", "duplicate-plain"), 0
	cfg.Complete = true
	cfg.Inputs = [][]byte{[]byte("[[[[[0]]]]]"), []byte("[[[[[[0]]]]]]"), []byte(`{"a":{"a":{"a":{"a":{"a":[]}}}}}`), []byte("[[[[[[")}
	run := mustRun(t, cfg)
	if len(run.Findings) > 0 {
		t.Errorf("accused: %s", kinds(run))
	}
	score := run.Score("shallow")
	if want := (result.Limits{Probed: ProbeDepth, Arrays: 5, Objects: 5}); score.Limits != want {
		t.Errorf("limits %+v, want %+v", score.Limits, want)
	}
	if want := (result.Tally{Asked: 4, Passed: 2, Limited: 2}); score.Vectors != want || score.Generated != want {
		t.Errorf("vectors %+v, inputs %+v, want %+v", score.Vectors, score.Generated, want)
	}
}

// TestSizeLimitIsNoFinding: whoever refuses a plain document as large has a
// limit.
func TestSizeLimitIsNoFinding(t *testing.T) {
	long := []byte(`["` + strings.Repeat("é", 40_000) + `"]`)
	cfg := testConfig(entryOf("small", func(input []byte) result.Answer {
		if len(input) > 64<<10 {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	}))
	cfg.Cases, cfg.Inputs = 0, [][]byte{long}
	if run := mustRun(t, cfg); len(run.Findings) > 0 || run.Score("small").Generated.Limited != 1 {
		t.Errorf("accused: %s", kinds(run))
	}
}

// TestWorkersDoNotMatter: the same seed gives the same findings, however many
// workers share the cases.
func TestWorkersDoNotMatter(t *testing.T) {
	faults := []Entry{
		entryOf("one", onOutput(replaceAll("/", `\/`))),
		entryOf("two", onInput(replaceAll("+", ""))),
	}
	var first []result.Finding
	for _, workers := range []int{1, 2, 5} {
		cfg := testConfig(faults...)
		cfg.Workers = workers
		run := mustRun(t, cfg)
		if first == nil {
			first = run.Findings
		} else if !reflect.DeepEqual(first, run.Findings) {
			t.Errorf("%d workers find something else", workers)
		}
	}
}

// TestRecords: the stream begins with the header, ends with the footer, and
// holds a record for each vector and finding.
func TestRecords(t *testing.T) {
	cfg := testConfig(entryOf("one", onInput(replaceAll("+", ""))))
	cfg.Vectors, cfg.Cases = Smoke(), 100
	var records []result.Record
	cfg.Emit = func(r result.Record) error { records = append(records, r); return nil }
	run := mustRun(t, cfg)
	if records[0].Header == nil || records[len(records)-1].Footer == nil {
		t.Fatal("no header at the start or no footer at the end")
	}
	n, found := 0, 0
	for _, r := range records {
		if r.Vector != nil {
			n++
		}
		if r.Finding != nil {
			found++
		}
	}
	if n != len(run.Vectors) || n != run.Header.Vectors || found != len(run.Findings) {
		t.Errorf("%d vectors, %d findings in the stream", n, found)
	}
	if _, err := json.Marshal(records); err != nil {
		t.Error(err)
	}
}

// TestEmitFails: a full disk ends the run with an error, not in silence.
func TestEmitFails(t *testing.T) {
	full := errors.New("no space left")
	cfg := testConfig(entryOf("right", right))
	cfg.Cases = 10
	cfg.Emit = func(result.Record) error { return full }
	if _, err := Run(t.Context(), cfg); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

func TestNothingToAsk(t *testing.T) {
	if _, err := Run(t.Context(), Config{Entries: []Entry{entryOf("right", right)}}); !errors.Is(err, ErrNothing) {
		t.Errorf("error %v", err)
	}
}

// TestWouldNotStart: one implementation that does not start costs the others
// nothing.
func TestWouldNotStart(t *testing.T) {
	cfg := testConfig(
		Entry{Name: "absent", Open: func(context.Context) (Subject, error) { return nil, errors.New("no such file") }},
		entryOf("gone", func([]byte) result.Answer { return result.Answer{Kind: result.NoStart, Message: "exec failed"} }),
		entryOf("right", right),
	)
	cfg.Cases = 200
	run := mustRun(t, cfg)
	if run.Score("absent").NoStart != "no such file" || run.Score("gone").NoStart != "exec failed" {
		t.Errorf("scores %+v", run.Footer.Scores)
	}
	if run.Score("right").Generated.Passed != 200 {
		t.Errorf("right: %+v", run.Score("right"))
	}
}

// TestInterrupted: what was found is kept when the user gives up.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	cfg := testConfig(entryOf("planted", func(input []byte) result.Answer {
		if asked++; asked == 1000 {
			cancel()
		}
		return result.Answer{Kind: result.OK, Bytes: input}
	}))
	cfg.Workers = 1
	run, err := Run(ctx, cfg)
	if err != nil || !run.Footer.Interrupted || len(run.Findings) == 0 {
		t.Errorf("error %v, %+v", err, run)
	}
}

// TestRandomAnswers: an implementation that answers at random makes us keep
// and ask only so much.
func TestRandomAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []result.AnswerKind{result.OK, result.Rejected, result.Crashed, result.Hung, result.ProtocolError, result.Skipped}
	asked := 0
	cfg := testConfig(entryOf("random", func(input []byte) result.Answer {
		asked++
		message := make([]byte, 200)
		for i := range message {
			message[i] = byte(random.IntN(256))
		}
		return result.Answer{Kind: kinds[random.IntN(len(kinds))], Bytes: message[:random.IntN(20)], Message: string(message), Stderr: string(message)}
	}))
	cfg.Workers, cfg.Entries[0].Tries = 1, 5000
	run := mustRun(t, cfg)
	if asked > cfg.Cases+5000+maxBuckets*50 {
		t.Errorf("asked %d times", asked)
	}
	if len(run.Findings) == 0 || len(run.Findings) > maxBuckets {
		t.Errorf("%d findings", len(run.Findings))
	}
}

// TestVectorCollision: two vectors that must not share a form are shown as
// each other's partner.
func TestVectorCollision(t *testing.T) {
	cfg := testConfig(entryOf("last wins", func(input []byte) result.Answer {
		var value any
		if err := json.Unmarshal(input, &value); err != nil {
			return result.Answer{Kind: result.Rejected}
		}
		text, _ := json.Marshal(value)
		return right(text)
	}))
	cfg.Vectors, cfg.Cases = lookups(t, "duplicate-escaped-first", "duplicate-keeps-last", "duplicate-keeps-first"), 0
	run := mustRun(t, cfg)
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool {
		return f.Requirement == "rfc8785/3.1/unique-names" && f.Effect == result.Collision && f.Partner != nil
	})
	if i < 0 {
		t.Fatalf("no collision by duplicate names: %s", kinds(run))
	}
}

// TestBaseline: what a baseline knows is not new; what it does not is; what no
// longer happens is stale.
func TestBaseline(t *testing.T) {
	file, err := baseline.Parse("test", []byte(
		"generated rfc8259/6/number accepted collision | the sign is skipped | unreported\n"+
			"vector no-such-vector accepted | gone | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := entryOf("planted", onInput(replaceAll("[+", "[")))
	e.Baseline = file
	cfg := testConfig(e)
	cfg.Cases, cfg.Inputs = 0, [][]byte{[]byte("[+1]")}
	run := mustRun(t, cfg)
	if run.New() != 0 || len(run.Findings) == 0 || len(run.Footer.Stale) != 0 {
		t.Errorf("new %d, stale %v: %s", run.New(), run.Footer.Stale, kinds(run))
	}
	cfg.Vectors, cfg.Complete = lookups(t, "number-top-plus", "number-plus"), true
	run = mustRun(t, cfg)
	if run.New() == 0 || len(run.Footer.Stale) != 1 {
		t.Errorf("new %d, stale %v", run.New(), run.Footer.Stale)
	}
}

// TestProfilesDecide: what one profile accepts another refuses.
func TestProfilesDecide(t *testing.T) {
	for p, want := range map[reject.Profile]int{reject.RFC8785: 0, reject.IJSON: 0, reject.RFC0016: 1} {
		cfg := testConfig(entryOf("planted", right))
		cfg.Profile, cfg.Cases, cfg.Inputs = p, 0, [][]byte{[]byte("[-0]")}
		if run := mustRun(t, cfg); len(run.Findings) != want {
			t.Errorf("%s: %s", p, kinds(run))
		}
	}
}

// TestFlood: an endless output costs neither memory nor time, and is shown cut.
func TestFlood(t *testing.T) {
	flood := bytes.Repeat([]byte("[1,"), 1<<18)
	cfg := testConfig(entryOf("flood", func([]byte) result.Answer {
		return result.Answer{Kind: result.OK, Bytes: flood}
	}))
	cfg.Cases = 20
	run := mustRun(t, cfg)
	for _, f := range run.Findings {
		if len(f.Actual) > keptInput || f.Effect != result.InvalidOutput {
			t.Errorf("%d bytes, %s", len(f.Actual), f.Effect)
		}
	}
	if len(run.Findings) == 0 {
		t.Error("not found")
	}
}

// TestBusyMachine: an answer that once did not come in time, and did when it was
// asked for alone, accuses nobody.
func TestBusyMachine(t *testing.T) {
	late := map[string]bool{}
	cfg := testConfig(entryOf("slow", func(input []byte) result.Answer {
		if len(late) < 5 && !late[string(input)] {
			late[string(input)] = true
			return result.Answer{Kind: result.Hung}
		}
		return right(input)
	}))
	cfg.Workers, cfg.Cases = 1, 0
	cfg.Inputs = [][]byte{[]byte("[1]"), []byte("[2]"), []byte("[3]")}
	if run := mustRun(t, cfg); len(run.Findings) > 0 {
		t.Errorf("accused: %s", kinds(run))
	}
}
