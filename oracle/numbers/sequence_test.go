package numbers

import (
	"math"
	"testing"
)

func TestZerosAndWhatIsNotFiniteAreLeftOut(t *testing.T) {
	for f, want := range map[float64]bool{
		0: false, math.Inf(1): false, math.NaN(): false, 5e-324: true, 1: true, math.MaxFloat64: true,
	} {
		for _, bits := range []uint64{math.Float64bits(f), math.Float64bits(f) | 1<<63} {
			if usable(bits) != want {
				t.Errorf("%v, %#x: usable is %v", f, bits, !want)
			}
		}
	}
}
