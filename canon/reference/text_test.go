package reference

import "testing"

func TestPairsAreTheCodePointsBeyondFourDigits(t *testing.T) {
	for _, c := range []struct {
		high, low uint16
		want      rune
	}{
		{0xD800, 0xDC00, 0x10000}, {0xD800, 0xDFFF, 0x103FF}, {0xD801, 0xDC00, 0x10400}, {0xD83D, 0xDE00, 0x1F600}, {0xDBFF, 0xDFFF, 0x10FFFF},
	} {
		if got := pair(c.high, c.low); got != c.want {
			t.Errorf("%04x %04x: got %x, want %x", c.high, c.low, got, c.want)
		}
	}
}
