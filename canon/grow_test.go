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

// TestNumbersGrowWhereTheyStand: near the beginning of a text and behind it, of
// every length that is stored at once and of more, and nothing beside them changes.
func TestNumbersGrowWhereTheyStand(t *testing.T) {
	for _, x := range []string{
		"1e5", "1e20", "7e-5", "1e22", "12e9", "1.5e5", "123e5", "1234e5", "12345e5", "123456e7", "1234567e14", "123e-300", "12345e-300",
		"1234567e-30", "1.234567e-25", "1234567.1e7", "1234567.1234567e5", "1234567.1234567e0010", "1e00000016", "12e0000000003",
		"123456789012345e5", "1234567890123456e-30", "12345678901234567e25", "0.12345678901234567e-25", "1.2345678901234567e-300",
	} {
		want := string(writePlain(nil, []byte(x)))
		for _, sign := range []string{"", "-"} {
			for before := range 18 {
				text := strings.Repeat("#", before) + "[" + sign + x + ",2345678901234567890123456789012345]"
				w := new(writer)
				w.start(&defaultRules, []byte(text))
				copy(w.copied, text)
				w.out, w.inPlace = w.in, true
				stop := before + 1 + len(sign+x)
				end, double := asItStands(w.in, before+1)
				if end, to := w.changedScalar(before+1, before+1, end, double); end != stop || to < 0 || to > end {
					t.Fatalf("%s: up to %d in the text, %d in the copy", text, end, to)
				}
				if left := string(w.copied[:before]) + string(w.copied[stop:len(text)]); left != text[:before]+text[stop:] {
					t.Errorf("%s: %q is left", text, left)
				}
				w.output = make([]byte, 200)
				w.to, w.limit = textOf(w.output), len(w.output)-outputSlack
				got := string(w.output[:w.emit(0, 0, len(text))])
				if got != text[:before]+"["+sign+want+text[stop:] || len(got) != len(text)+w.delta {
					t.Errorf("%s: %s, %d longer", text, got, w.delta)
				}
			}
		}
	}
}
