package ladder

import (
	"math"
	"time"
)

// A yardstick says how much longer work takes now than it takes when nothing
// disturbs it, 1 or more. A text that is done within a turn of the scheduler is
// not disturbed by a busy machine, a longer one is, so that a busy machine alone
// can make linear growth look like more. A suspicion is therefore measured with
// the yardstick at its side: work of ours that is known to be linear and takes
// about as long.
type yardstick func(expected time.Duration) float64

// newYardstick calibrates one on work that is too short to be disturbed. work
// takes a number of turns.
func newYardstick(work func(turns int), now func() time.Time) yardstick {
	const short = 20_000
	took := func(turns int) float64 {
		begin := now()
		work(turns)
		return float64(max(now().Sub(begin), 1))
	}
	best := math.Inf(1)
	for range 50 {
		best = min(best, took(short))
	}
	perTurn := best / short
	return func(expected time.Duration) float64 {
		turns := max(int(float64(expected)/perTurn), 1)
		return max(took(turns)/float64(expected), 1)
	}
}

// spun keeps the compiler from leaving spin's work out.
var spun uint64

// spin works for a number of turns, in no memory.
func spin(turns int) {
	x := spun
	for range turns {
		x = x*6364136223846793005 + 1442695040888963407
	}
	spun = x
}
