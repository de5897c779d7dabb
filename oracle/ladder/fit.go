package ladder

import (
	"cmp"
	"math"
	"slices"
)

// A Point is a size and the nanoseconds that it takes.
type Point struct{ Size, Time float64 }

const (
	// SlowExponent is the exponent from which on growth counts as faster than
	// n log n.
	SlowExponent = 1.5
	fitted       = 6 // the upper rungs that are fitted
	leastFitted  = 4
	leastTime    = 20_000 // nanoseconds; clocks do not tell less apart
	overFloor    = 3      // times the floor; less is the cost of asking
)

// slow says what growth with an exponent counts as.
func slow(exponent float64) bool { return exponent >= SlowExponent }

// Exponent fits time = c · size^k to the upper points and gives k. floor is the
// time of a question that costs nothing; points near it are left out, and those
// below 20 microseconds. It
// reports false if fewer than four points are left, or if they span less than
// an eightfold size.
func Exponent(points []Point, floor float64) (k float64, ok bool) {
	upper := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
		return p.Size <= 0 || p.Time < max(overFloor*floor, leastTime)
	})
	slices.SortFunc(upper, func(a, b Point) int { return cmp.Compare(a.Size, b.Size) })
	upper = upper[max(0, len(upper)-fitted):]
	if len(upper) < leastFitted || upper[len(upper)-1].Size < 8*upper[0].Size {
		return 0, false
	}
	var slopes []float64
	for i, p := range upper {
		for _, q := range upper[i+1:] {
			if q.Size > p.Size {
				slopes = append(slopes, math.Log(q.Time/p.Time)/math.Log(q.Size/p.Size))
			}
		}
	}
	return median(slopes), true
}

// median gives the middle of the numbers, the mean of the two middle ones; 0 of
// none.
func median(numbers []float64) float64 {
	n := len(numbers)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
