package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestJudgeable: who is judged by what, and which vectors are wrong.
func TestJudgeable(t *testing.T) {
	expects := func(v, output string) map[reject.Profile]vectors.Expectation {
		e := vectors.Expectation{Verdict: v}
		if output != "" {
			e.Output = []byte(output)
		}
		return map[reject.Profile]vectors.Expectation{reject.RFC8785: e}
	}
	for _, c := range []struct {
		name   string
		vector vectors.Vector
		judged int
		wrong  bool
	}{
		{"right", vectors.Vector{Op: vectors.OpCanon, Input: []byte("[ ]"), Expect: expects("accept", "[]")}, 1, false},
		{"without its output", vectors.Vector{Op: vectors.OpCanon, Input: []byte("[ ]"), Expect: expects("accept", "")}, 1, false},
		{"refused", vectors.Vector{Op: vectors.OpCanon, Input: []byte("["), Expect: expects("reject", "")}, 1, false},
		{"of another profile", vectors.Vector{Op: vectors.OpCanon, Input: []byte("[]"), Expect: map[reject.Profile]vectors.Expectation{reject.IJSON: {}}}, 0, false},
		{"retired", vectors.Vector{Op: vectors.OpCanon, Status: vectors.Retired, Input: []byte("[]"), Expect: expects("reject", "")}, 0, false},
		{"other verdict", vectors.Vector{Op: vectors.OpCanon, Input: []byte("[]"), Expect: expects("reject", "")}, 0, true},
		{"other output", vectors.Vector{Op: vectors.OpCanon, Input: []byte("[]"), Expect: expects("accept", "{}")}, 0, true},
		{"of another operation", vectors.Vector{Op: string(result.OpGraph), Input: []byte("?"), Expect: expects("accept", "{}")}, 1, false},
	} {
		cases, err := judgeable(reject.RFC8785, []vectors.Vector{c.vector})
		if len(cases) != c.judged || (err != nil) != c.wrong {
			t.Errorf("%s: %d are judged, error %v", c.name, len(cases), err)
		}
		if c.judged == 1 && string(cases[0].verdict.Kind) != c.vector.Expect[reject.RFC8785].Verdict {
			t.Errorf("%s: the verdict is %+v", c.name, cases[0].verdict)
		}
	}
	if _, err := Run(t.Context(), Config{Vectors: []vectors.Vector{{ID: "odd", Op: vectors.OpCanon, Input: []byte("[]"), Expect: expects("reject", "")}}}); err == nil || !strings.Contains(err.Error(), "vector odd says reject under rfc8785, the reference accept") {
		t.Errorf("error %v", err)
	}
}

// TestNothingIsOneOfThree: a run needs vectors, inputs or cases.
func TestNothingIsOneOfThree(t *testing.T) {
	some := []Config{{Vectors: Smoke()[:1]}, {Inputs: [][]byte{[]byte("0")}}, {Cases: 1}}
	for _, c := range some {
		cfg := testConfig(entryOf("right", right))
		cfg.Vectors, cfg.Inputs, cfg.Cases = c.Vectors, c.Inputs, c.Cases
		if run := mustRun(t, cfg); run.Footer.Questions == 0 {
			t.Errorf("nothing is asked: %+v", run.Footer)
		}
	}
}

// TestWorkersAndBatches: no more workers than there is work for, nor larger
// batches than the one takes that takes least; each worker has its own subject.
func TestWorkersAndBatches(t *testing.T) {
	for _, c := range []struct {
		workers, cases, batch int
		opened, asked         int
	}{
		{0, 1, 0, 1, 64}, {4, 1, 0, 1, 64}, {4, 64, 0, 1, 64}, {4, 65, 0, 2, 64}, {4, 128, 0, 2, 64}, {4, 1000, 0, 4, 64}, {4, 8, 4, 2, 4}, {4, 9, 4, 3, 4}, {2, 9, 100, 1, 64}, {-1, 1000, 0, 1, 64},
	} {
		opened := 0
		e := Entry{Batch: c.batch, Open: func(context.Context) (Subject, error) { opened++; return planted(right), nil }}
		r := newRunner(Config{Entries: []Entry{e}, Workers: c.workers, Cases: c.cases}, nil)
		r.open(t.Context())
		if opened != c.opened || r.workers != c.opened || r.batch != c.asked {
			t.Errorf("%+v: %d opened, %d workers, batches of %d", c, opened, r.workers, r.batch)
		}
	}
	opened := 0
	refuses := Entry{Open: func(context.Context) (Subject, error) { opened++; return nil, errors.New("no") }}
	newRunner(Config{Entries: []Entry{refuses}, Workers: 4, Cases: 1000}, nil).open(t.Context())
	if opened != 1 {
		t.Errorf("who would not start is started %d times", opened)
	}
	for _, r := range []*runner{
		newRunner(Config{Workers: 9}, make([]vectorCase, 129)), newRunner(Config{Workers: 9, Inputs: make([][]byte, 129)}, nil), newRunner(Config{Workers: 9, Relations: 129}, nil),
	} {
		if r.open(t.Context()); r.workers != 3 {
			t.Errorf("%d workers", r.workers)
		}
	}
}

// TestParallel: every number is handed out once, in ranges of the batch's size,
// and progress is what is done.
func TestParallel(t *testing.T) {
	var mu sync.Mutex
	var ranges []string
	var done []int
	r := newRunner(Config{Progress: func(p Progress) { done = append(done, p.Done) }}, nil)
	r.batch, r.workers = 3, 2
	hand := func(ctx context.Context, n int) string {
		ranges, done = nil, nil
		r.parallel(ctx, "phase", n, func(_ context.Context, _, from, to int) {
			mu.Lock()
			defer mu.Unlock()
			ranges = append(ranges, fmt.Sprint(from, "-", to))
		})
		slices.Sort(ranges)
		return strings.Join(ranges, " ")
	}
	for n, want := range map[int]string{0: "", 1: "0-1", 3: "0-3", 4: "0-3 3-4", 10: "0-3 3-6 6-9 9-10"} {
		if got := hand(t.Context(), n); got != want || n > 0 && slices.Max(done) != n {
			t.Errorf("%d are handed out as %s, done %v", n, got, done)
		}
	}
	if got := hand(ended(t), 10); got != "" {
		t.Errorf("in the end %s are handed out", got)
	}
}

func TestWhyNot(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("no"), "no"},
		{&process.StartError{Cause: errors.New("no")}, "no"},
		{&process.StartError{Cause: errors.New("no"), Stderr: " \n"}, "no"},
		{fmt.Errorf("wrapped: %w", &process.StartError{Cause: errors.New("no"), Stderr: "\nlast words\n"}), "no; on standard error: last words"},
		{&process.StartError{Cause: errors.New("no"), Stderr: strings.Repeat("a", 10) + strings.Repeat("b", 600)}, "no; on standard error: " + strings.Repeat("b", 600)},
	} {
		if got := whyNot(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// TestSecondChances: eight hangs of one that runs here, which is told by the
// clock, are asked again alone; of a process none.
func TestSecondChances(t *testing.T) {
	for mode, want := range map[string]int{"": 20 + 8, result.ModeExec: 20} {
		asked := 0
		e := entryOf("hangs", func([]byte) result.Answer { asked++; return result.Answer{Kind: result.Hung} })
		e.Mode = mode
		r := newRunner(Config{Entries: []Entry{e}}, nil)
		r.open(t.Context())
		answers := r.put(t.Context(), 0, 0, make([]result.Question, 20))
		if asked != want || len(answers) != 20 || answers[0].Kind != result.Hung || r.asked.Load() != 20 {
			t.Errorf("%q: %d asked, %d counted, %d answers", mode, asked, r.asked.Load(), len(answers))
		}
	}
}

// answering gives so many answers, whatever it is asked.
type answering struct {
	planted
	answers func() []result.Answer
}

func (a answering) Ask(context.Context, []result.Question) []result.Answer { return a.answers() }

// TestPut: what is missing is a breach of the protocol, what is hostile is
// bounded, and nothing comes of nobody, of no question and of what has ended.
func TestPut(t *testing.T) {
	long := strings.Repeat("a", 5000)
	var answers []result.Answer
	var cancel context.CancelFunc
	r := newRunner(Config{Entries: []Entry{{Open: opened(answering{answers: func() []result.Answer {
		if cancel != nil {
			cancel()
		}
		return answers
	}})}}}, nil)
	r.open(t.Context())
	answers = []result.Answer{{Kind: result.Rejected, Message: long, Stderr: long, Reason: long}}
	got := r.put(t.Context(), 0, 0, make([]result.Question, 2))
	if len(got) != 2 || got[1].Kind != result.ProtocolError || got[1].Message != "no answer" {
		t.Fatalf("%+v", got)
	}
	if a := got[0]; a.Message != long[:keptMessage]+"…" || a.Stderr != long[:keptMessage]+"…" || a.Reason != long[:100]+"…" {
		t.Errorf("kept are %d, %d and %d bytes", len(a.Message), len(a.Stderr), len(a.Reason))
	}
	if r.put(t.Context(), 0, 0, nil) != nil || r.asked.Load() != 2 {
		t.Errorf("%d are asked", r.asked.Load())
	}
	answers = []result.Answer{{Kind: result.Skipped, Unasked: true, Message: long}, {Kind: result.OK}}
	if r.put(t.Context(), 0, 0, make([]result.Question, 2)); r.asked.Load() != 3 || r.scores[0].Unasked != 1 || r.scores[0].Why != long[:300]+"…" {
		t.Errorf("%d are asked, %d not, %q", r.asked.Load(), r.scores[0].Unasked, r.scores[0].Why)
	}
	ctx, stop := context.WithCancel(t.Context())
	cancel = stop
	if got := r.put(ctx, 0, 0, make([]result.Question, 2)); got != nil || r.asked.Load() != 3 {
		t.Errorf("in the end %+v", got)
	}
	cancel = nil
	answers = []result.Answer{{Kind: result.OK}, {Kind: result.NoStart, Message: long}}
	if got := r.put(t.Context(), 0, 0, make([]result.Question, 2)); got != nil || *r.dead[0].Load() != long[:keptMessage]+"…" {
		t.Errorf("of who would not start %+v", got)
	}
	asked := r.asked.Load()
	if r.put(t.Context(), 0, 0, make([]result.Question, 2)) != nil || r.asked.Load() != asked {
		t.Error("the dead is asked")
	}
}

// TestSecondChanceIsInterrupted: what hung and could not be asked again is none.
func TestSecondChanceIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	r := newRunner(Config{Entries: []Entry{entryOf("hangs", func([]byte) result.Answer {
		if asked++; asked == 2 {
			cancel()
		}
		return result.Answer{Kind: result.Hung}
	})}}, nil)
	r.open(ctx)
	if got := r.put(ctx, 0, 0, make([]result.Question, 1)); got != nil || asked != 2 {
		t.Errorf("%+v after %d", got, asked)
	}
}

func TestClip(t *testing.T) {
	for s, want := range map[string]string{"": "", "abc": "abc", "abcd": "abc…"} {
		if got := clip(s, 3); got != want {
			t.Errorf("%q becomes %q", s, got)
		}
	}
	var s result.Subject
	s.Version, s.Lineage, s.Language, s.Homepage, s.Command = strings.Repeat("a", 301), strings.Repeat("b", 301), strings.Repeat("c", 301), strings.Repeat("d", 301), strings.Repeat("e", 301)
	for _, field := range []string{clipSubject(s).Version, clipSubject(s).Lineage, clipSubject(s).Language, clipSubject(s).Homepage, clipSubject(s).Command} {
		if len(field) != 300+len("…") {
			t.Errorf("%d bytes of %.1s", len(field), field)
		}
	}
}

// TestShares: who sees one generated case in n sees those whose number n divides,
// and all inputs.
func TestShares(t *testing.T) {
	seen := func(first uint64, every int) string {
		var numbers []string
		cfg := testConfig(entryOf("one", func(input []byte) result.Answer {
			numbers = append(numbers, string(input))
			return right(input)
		}))
		cfg.Entries[0].Every, cfg.Entries[0].Batch, cfg.Cases, cfg.First, cfg.Workers = every, 3, 7, first, 1
		cfg.Inputs = [][]byte{[]byte(`"a"`), []byte(`"b"`)}
		buffer := []byte{}
		cfg.Generator = func(uint64) func(uint64) []byte {
			return func(number uint64) []byte { buffer = fmt.Append(buffer[:0], number); return buffer }
		}
		run := mustRun(t, cfg)
		all := slices.DeleteFunc(numbers, func(s string) bool { return strings.ContainsAny(s, "[{") }) // the depth limits
		if run.Footer.Scores[0].Generated.Passed != len(all) {
			t.Errorf("%d passed of %d", run.Footer.Scores[0].Generated.Passed, len(all))
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		first uint64
		every int
		want  string
	}{
		{0, 0, `"a" "b" 0 1 2 3 4 5 6`}, {5, 1, `"a" "b" 5 6 7 8 9 10 11`}, {5, 3, `"a" "b" 6 9`}, {0, 4, `"a" "b" 0 4`},
	} {
		if got := seen(c.first, c.every); got != c.want {
			t.Errorf("from %d one in %d: %s, want %s", c.first, c.every, got, c.want)
		}
	}
}

// TestRate: of a run to its end in which somebody was asked.
func TestRate(t *testing.T) {
	if got := perSecond(3, 2*time.Second); got != 1.5 {
		t.Errorf("3 in two seconds are %v a second", got)
	}
	if got := perSecond(3, 0); got != 3e9 {
		t.Errorf("3 in no time are %v a second", got)
	}
	dead := entryOf("dead", func([]byte) result.Answer { return result.Answer{Kind: result.NoStart} })
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx   context.Context
		entry Entry
		some  bool
	}{
		"right": {t.Context(), entryOf("one", right), true},
		"dead":  {t.Context(), dead, false},
		"interrupted": {ctx, entryOf("one", func(input []byte) result.Answer {
			if bytes.Equal(input, []byte("69")) {
				cancel()
			}
			return right(input)
		}), false},
	} {
		cfg := testConfig(c.entry)
		cfg.Cases, cfg.Inputs, cfg.Workers = 70, [][]byte{[]byte("0")}, 1
		cfg.Generator = func(uint64) func(uint64) []byte {
			return func(number uint64) []byte { return fmt.Append(nil, number) }
		}
		run, err := Run(c.ctx, cfg)
		if err != nil || (run.Footer.CasesPerSec > 0) != c.some || run.Footer.Seconds <= 0 || (run.Footer.Questions > 64) != (name != "dead") {
			t.Errorf("%s: error %v, %+v", name, err, run.Footer)
		}
	}
}

// TestDeadAfterAll: a finding of who is gone when it is to be minimized stays as
// it was found.
func TestDeadAfterAll(t *testing.T) {
	cfg := testConfig(entryOf("leaves", func(input []byte) result.Answer {
		if string(input) == "7" {
			return result.Answer{Kind: result.NoStart, Message: "gone"}
		}
		return result.Answer{Kind: result.Rejected}
	}))
	cfg.Cases, cfg.Inputs, cfg.Workers, cfg.Entries[0].Batch = 0, [][]byte{[]byte("123"), []byte("7")}, 1, 1
	run := mustRun(t, cfg)
	if len(run.Findings) != 1 || string(run.Findings[0].Input) != "123" || run.Findings[0].Requirement != "rfc8259/2/one-value" || run.Footer.Scores[0].NoStart != "gone" {
		t.Errorf("%+v%s", run.Footer.Scores, kinds(run))
	}
}

// TestMinimized: what is asked for a smaller input, and when nothing is.
func TestMinimized(t *testing.T) {
	b := func(size int, kind result.AnswerKind) *bucket {
		f := failure{op: result.OpCanon, input: bytes.Repeat([]byte("1"), size), answer: result.Answer{Kind: kind}}
		f.verdict = verdict.Verdict{Kind: verdict.Accept}
		return &bucket{key: keyOf(0, f, result.Crash), shortest: f}
	}
	for _, c := range []struct {
		name  string
		ctx   context.Context
		b     *bucket
		e     effort
		tries int // -1: it is not tried
	}{
		{"wrong", t.Context(), b(3, result.OK), effort{tries: 9000}, 2000},
		{"the rest", t.Context(), b(3, result.OK), effort{tries: 7}, 7},
		{"one", t.Context(), b(3, result.OK), effort{tries: 1}, 1},
		{"nothing left", t.Context(), b(3, result.OK), effort{tries: 0}, -1},
		{"less than nothing", t.Context(), b(3, result.OK), effort{tries: -1}, -1},
		{"ended", ended(t), b(3, result.OK), effort{tries: 7}, -1},
		{"large", t.Context(), b(1<<20, result.OK), effort{tries: 7}, 7},
		{"too large", t.Context(), b(1<<20+1, result.OK), effort{tries: 7}, -1},
		{"dies", t.Context(), b(3, result.Crashed), effort{tries: 9000}, 40},
		{"babbles", t.Context(), b(3, result.ProtocolError), effort{tries: 9000}, 40},
		{"hangs", t.Context(), b(3, result.Hung), effort{tries: 9000}, 10},
		{"hangs at the end", t.Context(), b(3, result.Hung), effort{tries: 3}, 3},
	} {
		got := -1
		r := newRunner(Config{Entries: []Entry{{}}, Minimize: func(input []byte, _ func([]byte) bool, tries int) []byte { got = tries; return input }}, nil)
		if r.minimized(c.ctx, planted(right), c.b, &c.e); got != c.tries {
			t.Errorf("%s: %d tries, want %d", c.name, got, c.tries)
		}
	}
}

// TestMinimizedKeeps: kept is what stays in the bucket, and every try is counted.
func TestMinimizedKeeps(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	subject := planted(func(input []byte) result.Answer {
		switch string(input) {
		case "[[[1]]]", "[[1]]", "[1]", "[[[[2]]]]":
			return result.Answer{Kind: result.Rejected, Message: "no 1", Stderr: strings.Repeat("x", 5000)}
		case "[[2]]":
			return result.Answer{Kind: result.Rejected, Message: "other"}
		case "[3]":
			return result.Answer{Kind: result.Crashed, Message: "no 1"}
		case "[[[]]]", "{\"a\":{\"a\":{}}}":
			return ok("[]")
		case "[[[[]]]]":
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	})
	input := []byte("[[[1]]]")
	f := failure{op: result.OpCanon, input: input, answer: subject(input), verdict: verdict.Of(0, input), number: 5}
	b := &bucket{key: keyOf(0, f, result.Refused), shortest: f}
	tried := 0
	r := newRunner(Config{Entries: []Entry{{Name: "one", Open: opened(subject)}}}, nil)
	r.cfg.Minimize = func(input []byte, keep func([]byte) bool, tries int) []byte {
		for text, want := range map[string]bool{"[[[[2]]]]": false, "[[2]]": false, "[3]": false, "[4]": false} {
			tried++
			if got := keep([]byte(text)); got != want {
				t.Errorf("%s is kept: %v", text, got)
			}
		}
		buffer := []byte("[[1]]")
		if tried++; !keep(buffer) {
			t.Error("it is not kept")
		}
		clear(buffer)
		cancel()
		if tried++; keep([]byte("[1]")) {
			t.Error("in the end it is kept")
		}
		return nil
	}
	r.open(t.Context())
	e := effort{tries: 100}
	got := r.minimized(ctx, subject, b, &e)
	if string(got.input) != "[[1]]" || got.number != 5 || got.verdict.Depth != 2 || len(got.answer.Stderr) != keptMessage+len("…") || got.answer.Message != "no 1" || e.tries != 100-tried {
		t.Errorf("%+v, %d tries are left", got, e.tries)
	}
}
