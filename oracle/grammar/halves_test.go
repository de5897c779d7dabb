package grammar

import (
	"fmt"
	"hash/fnv"
	"testing"
)

// What is drawn at halves stays, as in TestWhatIsDrawnStays: the rare ones too.
func TestHalvesStay(t *testing.T) {
	var g Generator
	s, sum := NewSeeded(23, 0), fnv.New64a()
	for i := range 20_000 {
		g.tree.reset()
		g.features, g.clean = Set{}, i%2 == 0
		d, exp := g.atHalf(s)
		fmt.Fprintln(sum, string(g.tree.digits[d.from:d.to]), exp, g.features.List())
	}
	if got := sum.Sum64(); got != 0xa060031a91a0a099 {
		t.Errorf("%#x", got)
	}
}

// A digit is counted up or down with a carry, where as many digits stay.
func TestDigitsAreCounted(t *testing.T) {
	for _, c := range []struct {
		digits string
		at     int
		up     bool
		want   string
	}{
		{"123", 2, true, "124"}, {"123", 1, true, "133"}, {"199", 2, true, "200"}, {"1996", 2, true, "2006"}, {"999", 2, true, "999"}, {"9", 0, true, "9"}, {"8", 0, true, "9"},
		{"123", 2, false, "122"}, {"120", 2, false, "119"}, {"200", 2, false, "199"}, {"2005", 2, false, "1995"}, {"100", 2, false, "100"}, {"1", 0, false, "1"}, {"110", 1, false, "100"},
	} {
		d := []byte(c.digits)
		if bump(d, c.at, c.up); string(d) != c.want {
			t.Errorf("%s becomes %s at %d, up %v, want %s", c.digits, d, c.at, c.up, c.want)
		}
	}
}
