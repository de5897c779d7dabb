package ladder

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestExponent: the power of synthetic growth is found within a tenth, with a
// linear part beside it, with noise, and with one rung disturbed.
func TestExponent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		time func(n float64) float64
		want float64
	}{
		{"linear", func(n float64) float64 { return 100 * n }, 1},
		{"n log n", func(n float64) float64 { return 20 * n * math.Log(n) }, 1.1},
		{"n to the 1.5", func(n float64) float64 { return 10 * math.Pow(n, 1.5) }, 1.5},
		{"square", func(n float64) float64 { return n * n }, 2},
		{"square under a linear part", func(n float64) float64 { return 1000*n + n*n }, 2},
		{"cube", func(n float64) float64 { return n * n * n }, 3},
		{"noise of a fifth", func(n float64) float64 { return 100 * n * (1 + 0.2*random.Float64()) }, 1},
		{"square with noise", func(n float64) float64 { return n * n * (1 + 0.2*random.Float64()) }, 2},
		{"one rung disturbed", func(n float64) float64 {
			if n == 1<<17 {
				return 100 * n * 20
			}
			return 100 * n
		}, 1},
		{"the last rung disturbed", func(n float64) float64 {
			if n == 1<<20 {
				return 100 * n * 5
			}
			return 100 * n
		}, 1},
		{"constant", func(n float64) float64 { return 1e6 }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var points []Point
			for n := float64(64); n <= 1<<20; n *= 2 {
				points = append(points, Point{n, c.time(n)})
			}
			got, ok := Exponent(points, 10)
			if !ok || math.Abs(got-c.want) > 0.15 {
				t.Errorf("exponent %.3f, %v; want %.1f", got, ok, c.want)
			}
		})
	}
}

// TestExponentNeedsEnough: too few points, too small a span, or times near the
// cost of asking say nothing.
func TestExponentNeedsEnough(t *testing.T) {
	at := func(sizes ...float64) (all []Point) {
		for _, n := range sizes {
			all = append(all, Point{n, 1e5 * n * n})
		}
		return all
	}
	for name, points := range map[string][]Point{
		"none": nil, "three": at(1, 8, 64), "a span of less than eight": at(10, 11, 12, 13, 14), "no sizes": at(0, 0, 0, 0),
	} {
		if k, ok := Exponent(points, 1); ok {
			t.Errorf("%s: exponent %.2f", name, k)
		}
	}
	if k, ok := Exponent(at(1, 2, 4, 8, 16), 1e9); ok {
		t.Errorf("near the floor: exponent %.2f", k)
	}
	for name, points := range map[string][]Point{
		"four of eight times the size": at(1, 2, 4, 8), "in no order": at(4, 1, 8, 2, 16), "one size again and again": at(1, 8, 8, 8, 8, 8),
		"nothing of size 0": append(at(1, 2, 4, 8), Point{0, 1e6}, Point{0, 1e6}, Point{-1, 1e6}),
	} {
		if k, ok := Exponent(points, 1); !ok || !(math.Abs(k-2) < 1e-9) {
			t.Errorf("%s: exponent %v, %v", name, k, ok)
		}
	}
	least := []Point{{1, leastTime}, {2, 4 * leastTime}, {4, 16 * leastTime}, {8, 64 * leastTime}}
	for floor, want := range map[float64]bool{0: true, leastTime / overFloor: true, leastTime/overFloor + 1: false} {
		if _, ok := Exponent(least, floor); ok != want {
			t.Errorf("a floor of %v: %v", floor, ok)
		}
	}
}

// clocked is a subject whose time is counted, not measured.
type clocked struct {
	cost  func(text []byte) time.Duration
	limit int // bytes
	ends  result.AnswerKind
	asked int
}

func (c *clocked) Ask(_ context.Context, questions []result.Question) []result.Answer {
	var answers []result.Answer
	for _, q := range questions {
		c.asked++
		if c.limit > 0 && len(q.Input) > c.limit {
			answers = append(answers, result.Answer{Kind: c.ends, Message: "boom"})
			continue
		}
		answers = append(answers, result.Answer{Kind: result.OK, Bytes: q.Input, Elapsed: max(c.cost(q.Input), 1)})
	}
	return answers
}

func linear(text []byte) time.Duration { return time.Microsecond + time.Duration(10*len(text)) }
func square(text []byte) time.Duration {
	return time.Microsecond + time.Duration(10*len(text)) + time.Duration(len(text)*len(text)/10)
}

func still(time.Duration) float64 { return 1 }

// TestClimbNamesTheSlow: quadratic growth is named, linear growth is not, on
// every shape.
func TestClimbNamesTheSlow(t *testing.T) {
	for _, shape := range Shapes() {
		o := Options{slowdown: still, MaxBytes: 200_000, Budget: time.Hour, Enough: time.Hour}
		if l := Climb(t.Context(), &clocked{cost: linear}, shape, o); l.Slow || l.Ends != "" || len(l.Rungs) < 4 {
			t.Errorf("%s, linear: %+v", shape.Name, l)
		}
		if shape.Name == "prefixes" {
			continue // its smallest texts do not grow
		}
		l := Climb(t.Context(), &clocked{cost: square}, shape, o)
		if !l.Slow || l.Exponent < 1.8 || l.Exponent > 2.1 {
			t.Errorf("%s, square: slow %v, exponent %.2f", shape.Name, l.Slow, l.Exponent)
		}
	}
}

// TestClimbDoesNotAccuseABusyMachine: a slow-down of whatever takes longer than
// a turn bends the first measurement and is taken out of the second.
func TestClimbDoesNotAccuseABusyMachine(t *testing.T) {
	busy := func(d time.Duration) time.Duration {
		if d > 200*time.Microsecond {
			return time.Duration(float64(d) * math.Pow(float64(d)/2e5, 0.8))
		}
		return d
	}
	shape, _ := Lookup("string")
	subject := &clocked{cost: func(text []byte) time.Duration { return busy(linear(text)) }}
	o := Options{Budget: time.Hour, Enough: time.Hour}
	o.slowdown = func(d time.Duration) float64 { return math.Pow(max(float64(d)/2e5, 1), 0.8/1.8) }
	if l := Climb(t.Context(), subject, shape, o); l.Slow || l.Exponent > 1.2 {
		t.Errorf("accused: exponent %.2f", l.Exponent)
	}
	o.slowdown = still
	if l := Climb(t.Context(), subject, shape, o); !l.Slow {
		t.Errorf("the first measurement alone: exponent %.2f; the test says nothing", l.Exponent)
	}
}

// TestClimbAccusesOnlyWhatComesBack: growth that the second measurement does
// not show is no finding.
func TestClimbAccusesOnlyWhatComesBack(t *testing.T) {
	shape, _ := Lookup("string")
	largest := 0
	subject := &clocked{}
	subject.cost = func(text []byte) time.Duration {
		if len(text) < largest/4 {
			largest = 1 << 30 // it began again
		}
		largest = max(largest, len(text))
		if largest == 1<<30 {
			return linear(text)
		}
		return square(text)
	}
	if l := Climb(t.Context(), subject, shape, Options{slowdown: still, Budget: time.Hour, Enough: time.Hour}); l.Slow || l.Exponent > 1.2 {
		t.Errorf("accused: exponent %.2f", l.Exponent)
	}
}

// TestClimbFindsTheEnd: where a text is refused or kills, the climb ends, and
// the end is found exactly where a try costs nothing.
func TestClimbFindsTheEnd(t *testing.T) {
	shape, _ := Lookup("string")
	for _, c := range []struct {
		kind        result.AnswerKind
		least, most int
	}{
		{result.Rejected, 96, 96}, {result.Crashed, 94, 96}, {result.Hung, 64, 64}, {result.ProtocolError, 94, 96},
	} {
		subject := &clocked{cost: linear, limit: 100, ends: c.kind} // 96 characters and four bytes around them
		l := Climb(t.Context(), subject, shape, Options{slowdown: still})
		if l.Ends != c.kind || l.Last < c.least || l.Last > c.most || l.Slow || l.Message != "boom" {
			t.Errorf("%s: %+v", c.kind, l)
		}
		if c.kind == result.Hung && subject.asked > 20 {
			t.Errorf("a hang was asked for %d times", subject.asked)
		}
	}
}

// quadratic compares every name with every other, for real.
type quadratic struct{ found int }

func (s *quadratic) Ask(_ context.Context, questions []result.Question) []result.Answer {
	for _, q := range questions {
		names := bytes.Split(q.Input, []byte(","))
		for range 4 {
			for _, a := range names {
				for _, b := range names {
					if bytes.Equal(a, b) {
						s.found++
					}
				}
			}
		}
	}
	return []result.Answer{{Kind: result.OK}}
}

// TestRealSquare measures a subject that is quadratic by its nature, by the
// processor time of this process.
func TestRealSquare(t *testing.T) {
	if _, ok := processorTime(); !ok {
		t.Skip("no processor time on this system")
	}
	shape, _ := Lookup("members")
	l := Climb(t.Context(), &quadratic{}, shape, Options{InProcess: true, Budget: time.Hour, Enough: 20 * time.Millisecond, Repeats: 3})
	if l.Exponent < 1.3 { // it is 2 but for chance; a linear one is 1
		t.Errorf("a square has exponent %.2f: %+v", l.Exponent, l.Rungs)
	}
}

// TestShapes: every text is JSON, grows with its size, and comes out the same
// each time; names are unique.
func TestShapes(t *testing.T) {
	for _, s := range Shapes() {
		last := 0
		for _, n := range []int{1, 2, 63, 64, 65, 512, 4096} {
			text := s.Write(n)
			if !json.Valid(text) {
				t.Errorf("%s of %d is no JSON: %.60q", s.Name, n, text)
			}
			if len(text) < last {
				t.Errorf("%s of %d is shorter than the one before", s.Name, n)
			}
			last = len(text)
			var object map[string]any
			if json.Unmarshal(text, &object) == nil && s.Unit == "members" && len(object) != n {
				t.Errorf("%s of %d has %d names", s.Name, n, len(object))
			}
			if !bytes.Equal(text, s.Write(n)) {
				t.Errorf("%s of %d is not always the same", s.Name, n)
			}
		}
		n, text := 3, map[string]string{
			"depth": "[[[]]]", "object-depth": `{"a":{"a":{"a":0}}}`, "string": `["aaa"]`, "unicode": `["😀😀😀"]`,
			"escapes": `["\u0041\n\u0041\n"]`, "elements": "[0,0,0]", "numbers": "[1.7976931348623157e308,1.7976931348623157e308,0]",
			"members": `{"0000000":0,"0000001":0,"0000002":0}`, "members-reversed": `{"0000003":0,"0000002":0,"0000001":0}`,
			"objects": `[{"b":1,"a":2},{"b":1,"a":2},{}]`, "name": `{"aaa1":0,"aaa0":0}`, "digits": "[0.777]", "zeros": "[1000e-3]", "white-space": "[ \n \n0]",
		}[s.Name]
		switch s.Name {
		case "members-scattered":
			n, text = 27, `"0004502":0}` // 26 times 40,503, less 2^20
		case "prefixes":
			n, text = 320, `"aaa01":0,"aaa00":0}`
		}
		if got := string(s.Write(n)); text == "" || !strings.HasSuffix(got, text) || n == 3 && got != text {
			t.Errorf("%s of %d is %s, want %s", s.Name, n, got, text)
		}
		if one, ok := Lookup(s.Name); !ok || one.Text != s.Text {
			t.Errorf("%s is not found by its name", s.Name)
		}
	}
	names := Names()
	if slices.Sort(names); len(slices.Compact(names)) != len(shapes) {
		t.Error("two shapes have one name")
	}
	if _, ok := Lookup("no such shape"); ok {
		t.Error("a shape that is not")
	}
}

// TestClimbEnds when the context does, or when nobody answers.
func TestClimbEnds(t *testing.T) {
	shape, _ := Lookup("depth")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if l := Climb(ctx, &clocked{cost: linear}, shape, Options{}); len(l.Rungs) != 0 {
		t.Errorf("after the end: %+v", l)
	}
	if l := Climb(t.Context(), silent{}, shape, Options{}); len(l.Rungs) != 0 || l.Ends != "" {
		t.Errorf("without answers: %+v", l)
	}
}

type silent struct{}

func (silent) Ask(context.Context, []result.Question) []result.Answer { return nil }
