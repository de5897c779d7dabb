package ladder

import "time"

// A yardstick says how much longer work takes now than it takes when nothing
// disturbs it, 1 or more. A text that is done within a turn of the scheduler is
// not disturbed by a busy machine, a longer one is, so that a busy machine alone
// can make linear growth look like more. A suspicion is therefore measured with
// the yardstick at its side: work of ours that is known to be linear and takes
// about as long.
type yardstick func(expected time.Duration) float64

// newYardstick calibrates one on work that is too short to be disturbed.
func newYardstick() yardstick {
	const short = 20_000
	best := time.Duration(1 << 62)
	for range 50 {
		begin := time.Now()
		spin(short)
		best = min(best, max(time.Since(begin), 1))
	}
	perTurn := float64(best) / short
	return func(expected time.Duration) float64 {
		turns := max(int(float64(expected)/perTurn), 1)
		begin := time.Now()
		spin(turns)
		return max(float64(time.Since(begin))/float64(expected), 1)
	}
}

// spun keeps the compiler from leaving spin's work out.
var spun uint64

// spin works for a number of turns, in no memory.
func spin(turns int) {
	x := spun | 1
	for range turns {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	spun = x
}
