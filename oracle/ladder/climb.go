package ladder

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Subject is asked. It is what oracle/check calls a Subject, without its end.
type Subject interface {
	// Ask puts a batch and gives the answers in the questions' order. An answer
	// without Elapsed is timed from outside.
	Ask(ctx context.Context, questions []result.Question) []result.Answer
}

// Options say how far to climb. The zero value of a field stands for its
// default.
type Options struct {
	MaxBytes int           // of a text; 1 MiB less a little, what implementations in process are asked without a guard
	Enough   time.Duration // a rung that takes so long is the last one; 100 ms
	Budget   time.Duration // for one ladder, and four times as much for measuring a suspicion again; 5 s
	Repeats  int           // of each rung; 5

	// InProcess says that the subject works in this process, and that nothing
	// else does meanwhile: its processor time is measured, which a busy machine
	// does not change.
	InProcess bool

	slowdown yardstick // for tests; a new one
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<20-1024)
	o.Enough = cmp.Or(o.Enough, 100*time.Millisecond)
	o.Budget = cmp.Or(o.Budget, 5*time.Second)
	o.Repeats = cmp.Or(o.Repeats, 5)
	return o
}

const (
	firstSize = 64
	mostSize  = 1 << 20
)

// Climb climbs one ladder. Where ctx ends or the subject gives nil for a batch
// the climb ends, with what was measured.
func Climb(ctx context.Context, s Subject, shape Shape, o Options) result.Ladder {
	c := &climber{ctx: ctx, s: s, shape: shape, o: o.withDefaults(), began: time.Now()}
	c.ladder = result.Ladder{Name: shape.Name, Unit: shape.Unit}
	if floor, ok := c.measure([]byte("[]"), c.o.Repeats, undisturbed); ok {
		c.floor = float64(floor.Nanos)
	}
	c.climb()
	c.fit()
	return c.ladder
}

type climber struct {
	ctx    context.Context
	s      Subject
	shape  Shape
	o      Options
	began  time.Time
	floor  float64 // nanoseconds of a question that costs nothing
	ladder result.Ladder
}

// over reports whether there is no more time.
func (c *climber) over() bool { return c.ctx.Err() != nil || time.Since(c.began) > c.o.Budget }

func (c *climber) climb() {
	last := 0
	for n := firstSize; n <= mostSize && !c.over(); n *= 2 {
		text := c.shape.Write(n)
		if len(text) > c.o.MaxBytes {
			return
		}
		rung, ok := c.measure(text, c.o.Repeats, undisturbed)
		if !ok {
			return
		}
		rung.Size = n
		if c.elsewhere(rung) {
			rung.Nanos, rung.Spread = 0, 0
		}
		c.ladder.Rungs = append(c.ladder.Rungs, rung)
		if rung.Given != result.OK {
			c.end(last, n)
			return
		}
		last = n
		if time.Duration(rung.Nanos) > c.o.Enough {
			return
		}
	}
}

// elsewhere reports whether a rung's time says nothing, because the text went
// to another process, which guards this one from it: then the time of this one
// falls, and so it stays.
func (c *climber) elsewhere(rung result.Rung) bool {
	if !c.o.InProcess || len(c.ladder.Rungs) == 0 {
		return false
	}
	last := time.Duration(c.ladder.Rungs[len(c.ladder.Rungs)-1].Nanos)
	return last == 0 || last > time.Millisecond && time.Duration(rung.Nanos) < last/2
}

// measure asks a text once to warm up and then several times, each time divided
// by what the yardstick says. A text that is
// not accepted is asked once more only: an answer that does not come back is
// none. It reports false if nobody answers any more, or if the text is
// sometimes accepted and sometimes not.
func (c *climber) measure(text []byte, repeats int, slowdown yardstick) (result.Rung, bool) {
	first, _, ok := c.ask(text)
	if !ok {
		return result.Rung{}, false
	}
	rung := result.Rung{Bytes: len(text), Given: first.Kind}
	if first.Kind != result.OK {
		again, _, ok := c.ask(text)
		c.ladder.Message = again.Message
		return rung, ok && again.Kind == first.Kind && first.Kind != result.Skipped && first.Kind != result.NoStart
	}
	var times []float64
	for range repeats {
		a, took, ok := c.ask(text)
		if !ok || a.Kind != result.OK {
			return rung, false
		}
		times = append(times, float64(took)/slowdown(took))
		if took > c.o.Enough && len(times) >= 3 {
			break
		}
	}
	rung.Nanos = int64(median(times))
	rung.Spread = int64(slices.Max(times) - slices.Min(times))
	return rung, true
}

// undisturbed is the yardstick of a first measurement: none.
func undisturbed(time.Duration) float64 { return 1 }

// ask puts one question and gives the time it took.
func (c *climber) ask(text []byte) (a result.Answer, took time.Duration, ok bool) {
	if c.ctx.Err() != nil {
		return a, 0, false
	}
	spent, known := processorTime()
	begin := time.Now()
	answers := c.s.Ask(c.ctx, []result.Question{{Op: result.OpCanon, Input: text}})
	took = time.Since(begin)
	if len(answers) != 1 || c.ctx.Err() != nil {
		return a, 0, false
	}
	now, _ := processorTime()
	switch {
	case c.o.InProcess && known:
		took = now - spent
	case answers[0].Elapsed > 0:
		took = answers[0].Elapsed
	}
	return answers[0], max(took, 1), true
}

// Looking for an end asks this many texts at most: many where a refusal costs
// nothing, few where each costs a process.
const (
	triesRefused = 20
	triesFailed  = 6
)

// end looks for the end between a size that is accepted and one that is not.
func (c *climber) end(low, high int) {
	l := &c.ladder
	l.Ends = l.Rungs[len(l.Rungs)-1].Given
	tries := triesFailed
	switch l.Ends {
	case result.Rejected:
		tries = triesRefused
	case result.Hung:
		tries = 0
	}
	for ; tries > 0 && high-low > 1 && !c.over(); tries-- {
		middle := low + (high-low)/2
		a, _, ok := c.ask(c.shape.Write(middle))
		if !ok {
			break
		}
		if a.Kind == result.OK {
			low = middle
		} else {
			high = middle
		}
	}
	l.Last = low
}

// fit finds the exponent, and measures again what looks slow.
func (c *climber) fit() {
	exponent, ok := Exponent(points(c.ladder.Rungs), c.floor)
	if !ok {
		return
	}
	c.ladder.Exponent = exponent
	if !slow(exponent) {
		return
	}
	c.began = time.Now().Add(3 * c.o.Budget) // four times as long
	slowdown := c.o.slowdown
	if c.o.InProcess {
		slowdown = undisturbed
	}
	if slowdown == nil {
		slowdown = newYardstick(spin, time.Now)
	}
	var again []result.Rung
	for _, r := range upper(c.ladder.Rungs) {
		rung, ok := c.measure(c.shape.Write(r.Size), c.o.Repeats, slowdown)
		if !ok || rung.Given != result.OK || c.over() {
			return
		}
		rung.Size = r.Size
		again = append(again, rung)
	}
	if second, ok := Exponent(points(again), c.floor); ok {
		c.ladder.Exponent = min(exponent, second)
		c.ladder.Slow = slow(c.ladder.Exponent)
	}
}

// upper gives the rungs that are fitted.
func upper(rungs []result.Rung) []result.Rung {
	n := len(points(rungs))
	return rungs[max(0, n-fitted):n]
}

// points gives what can be fitted.
func points(rungs []result.Rung) []Point {
	var all []Point
	for _, r := range rungs {
		if r.Given != result.OK || r.Nanos == 0 {
			break
		}
		all = append(all, Point{float64(r.Size), float64(r.Nanos)})
	}
	return all
}
