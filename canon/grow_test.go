package canon

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestManyNumbersThatGrow: more than are written elsewhere, of one length and of
// many, also in objects of which some spill.
func TestManyNumbersThatGrow(t *testing.T) {
	for _, x := range []string{"1e20", "-1e20", "7e-5", "12e99", "-123e-300", "1234567e14"} {
		for _, count := range []int{10, 1000, 5000} {
			mixed := strings.Repeat(x+",1.0,", count) + strings.Repeat("5e7,"+x+`,"\/",`, count)
			wantAppend(t, "["+mixed+"0]")
			wantAppend(t, `{"z":[`+mixed+`0],"y":0}`)
			wantAppend(t, "["+strings.Repeat(`{"b":`+x+`,"a":[-2.50,`+x+`]},`, count)+"0]")
		}
		wantAppend(t, `{"z":[`+strings.Repeat(x+",", 3000)+`0],`+objectOf(spilledNames(rand.New(rand.NewPCG(4, 30)), 2*memberRoom), x)[1:])
	}
}
