package ladder

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// answering answers by a function of the text and of how often it was asked
// before; nil is no answer.
type answering struct {
	asked  int
	answer func(text []byte, before int) *result.Answer
}

func (a *answering) Ask(_ context.Context, questions []result.Question) []result.Answer {
	if a.asked++; a.asked > 500 {
		panic("asked without end")
	}
	if one := a.answer(questions[0].Input, a.asked-1); one != nil {
		return []result.Answer{*one}
	}
	return nil
}

// turns gives the answers in turn; the last again and again.
func turns(all ...*result.Answer) *answering {
	return &answering{answer: func(_ []byte, before int) *result.Answer { return all[min(before, len(all)-1)] }}
}

func after(took time.Duration) *result.Answer { return &result.Answer{Kind: result.OK, Elapsed: took} }
func of(kind result.AnswerKind) *result.Answer {
	return &result.Answer{Kind: kind, Message: string(kind), Elapsed: 1}
}

// exactly is a shape whose texts have as many bytes as their size, but for the
// largest, which are cut.
func exactly(t *testing.T, sizes *[]int) Shape {
	return Shape{Name: "exactly", Unit: "bytes", Write: func(n int) []byte {
		if n < firstSize || n > mostSize {
			t.Fatalf("a text of the size %d", n)
		}
		*sizes = append(*sizes, n)
		return make([]byte, min(n, 1<<19))
	}}
}

func climberOf(t *testing.T, s Subject, o Options) *climber {
	return &climber{ctx: t.Context(), s: s, shape: exactly(t, new([]int)), o: o.withDefaults(), began: time.Now()}
}

func TestDefaults(t *testing.T) {
	o := Options{}.withDefaults()
	if o.MaxBytes != 1<<20-1024 || o.Enough != 100*time.Millisecond || o.Budget != 5*time.Second || o.Repeats != 5 {
		t.Errorf("%+v", o)
	}
}

// TestClimbTakesEachSize from the first to the most, until a text is too long or
// takes long enough.
func TestClimbTakesEachSize(t *testing.T) {
	long := Options{Budget: time.Hour, slowdown: still}
	for _, c := range []struct {
		name     string
		maxBytes int
		took     time.Duration
		last     int
	}{
		{"all", 0, time.Microsecond, mostSize}, {"as long as may be", 256, time.Microsecond, 256}, {"too long", 255, time.Microsecond, 128},
		{"just not enough", 0, 100 * time.Millisecond, mostSize}, {"enough", 0, 100*time.Millisecond + 1, firstSize},
	} {
		var sizes, want []int
		for n := firstSize; n <= c.last; n *= 2 {
			want = append(want, n)
		}
		o := long
		o.MaxBytes = c.maxBytes
		l := Climb(t.Context(), turns(after(c.took)), exactly(t, &sizes), o)
		var climbed []int
		for _, r := range l.Rungs {
			climbed = append(climbed, r.Size)
		}
		if !slices.Equal(climbed, want) {
			t.Errorf("%s: %v, want %v", c.name, climbed, want)
		}
	}
}

func TestClimbIsOverWithItsContextOrItsBudget(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		began time.Time
		want  bool
	}{
		{"neither", t.Context(), time.Now(), false}, {"the context", ended, time.Now(), true}, {"the budget", t.Context(), time.Now().Add(-2 * time.Hour), true},
	} {
		if got := (&climber{ctx: c.ctx, began: c.began, o: Options{Budget: time.Hour}}).over(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestTimesOfAnotherProcessSayNothing: in process, a time that falls to less than
// half, and every one behind it.
func TestTimesOfAnotherProcessSayNothing(t *testing.T) {
	const ms = int64(time.Millisecond)
	for _, c := range []struct {
		inProcess bool
		last, now int64
		want      bool
	}{
		{true, 4 * ms, 2*ms - 1, true}, {true, 4 * ms, 2 * ms, false}, {true, 4 * ms, 5 * ms, false}, {true, 0, 5 * ms, true},
		{true, ms, 1, false}, {true, ms + 2, 1, true}, {true, ms / 2, 1, false}, {false, 4 * ms, 1, false}, {false, 0, 1, false},
	} {
		cl := climberOf(t, nil, Options{InProcess: c.inProcess})
		cl.ladder.Rungs = []result.Rung{{Nanos: 9 * ms}, {Nanos: c.last}}
		if got := cl.elsewhere(result.Rung{Nanos: c.now}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if climberOf(t, nil, Options{InProcess: true}).elsewhere(result.Rung{Nanos: 1}) {
		t.Error("the first rung is elsewhere")
	}
}

// TestMeasure: how often a text is asked, and what is said of it.
func TestMeasure(t *testing.T) {
	const enough = 100
	ok, long := after(enough), after(enough+1)
	for _, c := range []struct {
		name   string
		s      *answering
		rung   result.Rung
		ok     bool
		asked  int
		anyway bool // the rung says nothing
	}{
		{"five times", turns(ok), result.Rung{Bytes: 3, Given: result.OK, Nanos: enough}, true, 6, false},
		{"long ones three times", turns(long), result.Rung{Bytes: 3, Given: result.OK, Nanos: enough + 1}, true, 4, false},
		{"long at last", turns(ok, ok, ok, long, long, long), result.Rung{Bytes: 3, Given: result.OK, Nanos: enough, Spread: 1}, true, 4, false},
		{"spread", turns(ok, after(10), after(40), after(20), after(30), after(25)), result.Rung{Bytes: 3, Given: result.OK, Nanos: 25, Spread: 30}, true, 6, false},
		{"refused", turns(of(result.Rejected)), result.Rung{Bytes: 3, Given: result.Rejected}, true, 2, false},
		{"refused and accepted", turns(of(result.Rejected), ok), result.Rung{}, false, 2, true},
		{"refused and silent", turns(of(result.Rejected), nil), result.Rung{}, false, 2, true},
		{"skipped", turns(of(result.Skipped)), result.Rung{}, false, 2, true},
		{"not started", turns(of(result.NoStart)), result.Rung{}, false, 2, true},
		{"accepted and refused", turns(ok, ok, of(result.Rejected), ok), result.Rung{}, false, 3, true},
		{"accepted and silent", turns(ok, ok, nil, ok), result.Rung{}, false, 3, true},
		{"silent", turns(nil, ok), result.Rung{}, false, 1, true},
	} {
		cl := climberOf(t, c.s, Options{Enough: enough})
		rung, good := cl.measure([]byte("[1]"), 5, undisturbed)
		if good != c.ok || c.s.asked != c.asked || !c.anyway && rung != c.rung {
			t.Errorf("%s: %+v, %v after %d, want %+v, %v after %d", c.name, rung, good, c.s.asked, c.rung, c.ok, c.asked)
		}
	}
	slowly := &answering{answer: func([]byte, int) *result.Answer {
		time.Sleep(time.Millisecond)
		return &result.Answer{Kind: result.OK}
	}}
	if _, took, good := climberOf(t, slowly, Options{}).ask(nil); !good || took < time.Millisecond {
		t.Errorf("what is not timed takes %v, %v", took, good)
	}
}

// TestEndIsLookedFor as often as a try is worth, and only while somebody answers.
func TestEndIsLookedFor(t *testing.T) {
	for _, c := range []struct {
		kind             result.AnswerKind
		low, high, limit int
		last, asked      int
	}{
		{result.Rejected, 512, 1024, 700, 700, 9}, {result.Rejected, 512, 1024, 512, 512, 9}, {result.Rejected, 512, 1024, 1023, 1023, 9},
		{result.Rejected, 700, 701, 700, 700, 0}, {result.Rejected, 700, 702, 701, 701, 1},
		{result.Crashed, 512, 1024, 700, 696, 6}, {result.Hung, 512, 1024, 700, 512, 0},
	} {
		s := &answering{answer: func(text []byte, _ int) *result.Answer {
			if len(text) > c.limit {
				return of(c.kind)
			}
			return after(1)
		}}
		cl := climberOf(t, s, Options{Budget: time.Hour})
		cl.ladder.Rungs = []result.Rung{{Given: c.kind}}
		cl.end(c.low, c.high)
		if l := cl.ladder; l.Ends != c.kind || l.Last != c.last || s.asked != c.asked {
			t.Errorf("%s from %d to %d: %d after %d tries, want %d after %d", c.kind, c.low, c.high, l.Last, s.asked, c.last, c.asked)
		}
	}
	s := turns(nil)
	cl := climberOf(t, s, Options{Budget: time.Hour})
	cl.ladder.Rungs = []result.Rung{{Given: result.Rejected}}
	if cl.end(512, 1024); cl.ladder.Last != 512 || s.asked != 1 {
		t.Errorf("of who is silent: %d after %d tries", cl.ladder.Last, s.asked)
	}
	s = turns(after(1))
	cl = climberOf(t, s, Options{Budget: time.Hour})
	cl.began = time.Now().Add(-2 * time.Hour)
	cl.ladder.Rungs = []result.Rung{{Given: result.Rejected}}
	if cl.end(512, 1024); s.asked != 0 {
		t.Errorf("without time: %d tries", s.asked)
	}
	// 2^19 sizes would need nineteen tries.
	s = turns(of(result.Crashed))
	cl = climberOf(t, s, Options{Budget: time.Hour})
	cl.ladder.Rungs = []result.Rung{{Given: result.Crashed}}
	if cl.end(firstSize, mostSize); s.asked != triesFailed {
		t.Errorf("of crashes: %d tries", s.asked)
	}
}

// TestSuspicionIsMeasuredAgain: whole, with the yardstick, and with more time.
func TestSuspicionIsMeasuredAgain(t *testing.T) {
	square := func(text []byte) *result.Answer { return after(time.Duration(len(text) * len(text))) }
	last := firstSize << 7
	for _, c := range []struct {
		name   string
		answer func(text []byte, before int) *result.Answer
		slow   bool
	}{
		{"a square", func(text []byte, _ int) *result.Answer { return square(text) }, true},
		{"refused at last", func(text []byte, _ int) *result.Answer {
			if len(text) == last {
				return of(result.Rejected)
			}
			return square(text)
		}, false},
		{"refused at last after it was accepted", func(text []byte, before int) *result.Answer {
			if len(text) == last && before > 5*6+1 {
				return of(result.Rejected)
			}
			return square(text)
		}, false},
		{"silent at last", func(text []byte, _ int) *result.Answer {
			if len(text) == last {
				return nil
			}
			return square(text)
		}, false},
	} {
		asked := 0
		yard := func(time.Duration) float64 { asked++; return 1 }
		cl := climberOf(t, &answering{answer: c.answer}, Options{Budget: time.Hour, Enough: time.Hour, slowdown: yard})
		for n := firstSize; n <= last; n *= 2 {
			cl.ladder.Rungs = append(cl.ladder.Rungs, result.Rung{Size: n, Given: result.OK, Nanos: int64(n * n)})
		}
		begin := time.Now()
		cl.fit()
		if cl.ladder.Slow != c.slow || cl.ladder.Exponent < 1.9 || asked < 5*5 {
			t.Errorf("%s: slow is %v, exponent %.2f, the yardstick was asked %d times", c.name, cl.ladder.Slow, cl.ladder.Exponent, asked)
		}
		if more := cl.began.Sub(begin); more < 3*time.Hour {
			t.Errorf("%s: %v more", c.name, more)
		}
	}
}

func TestSlowIsFromOneAndAHalf(t *testing.T) {
	if !slow(SlowExponent) || slow(1.4999) || !slow(2) {
		t.Error("what is slow")
	}
}

// TestPointsEndWhereNothingIsMeasured.
func TestPointsEndWhereNothingIsMeasured(t *testing.T) {
	good := result.Rung{Size: 1, Given: result.OK, Nanos: 2}
	for _, c := range []struct {
		bad  result.Rung
		want int
	}{
		{good, 3}, {result.Rung{Size: 1, Given: result.OK}, 1}, {result.Rung{Size: 1, Given: result.Rejected, Nanos: 2}, 1},
	} {
		if got := points([]result.Rung{good, c.bad, good}); len(got) != c.want || got[0] != (Point{1, 2}) {
			t.Errorf("%+v: %v", c.bad, got)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		numbers []float64
		want    float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}, {[]float64{8, 1, 2, 4}, 3}} {
		if got := median(c.numbers); got != c.want {
			t.Errorf("%v: %v, want %v", c.numbers, got, c.want)
		}
	}
}

// TestYardstick: work that takes as long as what is measured says how much
// longer it takes than when nothing disturbed it.
func TestYardstick(t *testing.T) {
	var now time.Time
	perTurn, worked := 10*time.Nanosecond, 0
	yard := newYardstick(func(turns int) {
		worked = turns
		now = now.Add(time.Duration(turns) * perTurn)
	}, func() time.Time { return now })
	for _, c := range []struct {
		perTurn, expected time.Duration
		want              float64
		worked            int
	}{
		{10, time.Millisecond, 1, 100_000}, {30, time.Millisecond, 3, 100_000}, {5, time.Millisecond, 1, 100_000}, {10, 1, 10, 1},
	} {
		perTurn = c.perTurn
		if got := yard(c.expected); fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", c.want) || worked != c.worked {
			t.Errorf("%v, %v a turn: %v after %d turns, want %v after %d", c.expected, c.perTurn, got, worked, c.want, c.worked)
		}
	}
}
