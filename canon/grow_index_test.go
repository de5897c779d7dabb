//go:build !purego && (amd64 || arm64)

package canon

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

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
			for turn := range 2 * 18 {
				before := turn / 2
				text := strings.Repeat("#", before) + "[" + sign + x + ",2345678901234567890123456789012345]"
				w := new(writer)
				w.start(&defaultRules, []byte(text))
				copy(w.copied, text)
				w.out, w.inPlace, w.ended = w.in, true, true
				stop := before + 1 + len(sign+x)
				end, double := asItStands(w.in, before+1)
				to := 0
				if turn%2 == 0 {
					_, end = w.oddToken(0, before+1, end, double)
				} else {
					end, to = w.changedScalar(before+1, before+1, end, double)
				}
				if end != stop || to < 0 || to > end {
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

// TestShortNumbersThatGrow: growShort writes the numbers that it says, and no others.
func TestShortNumbersThatGrow(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(8, 15))}
	taken := 0
	try := func(s string, behind byte) {
		text := "[\"abc\"," + s + string(rune(behind)) + "123456789]"
		w := new(writer)
		w.start(&defaultRules, []byte(text))
		copy(w.copied, text)
		w.out, w.inPlace = w.in, true
		end := w.growShort(7)
		parts := number.FindStringSubmatch(s)
		want := parts != nil && ends[behind] && len(parts[2]) <= 8 && parts[2] != "0" && parts[3] == "" && parts[4] != "" && len(strings.TrimLeft(parts[4], "+-")) <= 4
		if want {
			d := decimalOf([]byte(s))
			last := d.point - len(d.digits)
			want = len(canonicalNumber(s)) > len(s) && leastKept <= last && last <= greatestKept && strings.Contains(canonicalNumber(s), "e")
		}
		if !want {
			if end >= 0 || string(w.copied[:len(text)]) != text {
				t.Fatalf("%q before %q is taken: %q", s, behind, w.copied[:len(text)])
			}
			return
		}
		taken++
		w.output = make([]byte, 200)
		w.to, w.limit = textOf(w.output), len(w.output)-outputSlack
		if got := string(w.output[:w.emit(0, 0, len(text))]); end != 7+len(s) || got != text[:7]+canonicalNumber(s)+text[end:] || len(got) != len(text)+w.delta {
			t.Fatalf("%q before %q: up to %d, %q, %d longer; want %s", s, behind, end, got, w.delta, canonicalNumber(s))
		}
	}
	const behinds = ",,,,,,]} \t\n\rx0.e-+\x00"
	for range rounds(60_000) {
		s := r.number(9)
		if r.IntN(2) == 0 {
			s = fmt.Sprintf("%s%de%s%d", []string{"", "-"}[r.IntN(2)], r.Uint64N(tens[1+r.IntN(9)]), []string{"", "+", "-"}[r.IntN(3)], r.IntN(330)>>r.IntN(9))
		}
		try(s, behinds[r.IntN(len(behinds))])
	}
	if taken < rounds(5_000) {
		t.Errorf("only %d are taken", taken)
	}
	for _, s := range []string{"1e290", "1e291", "10e290", "12e289", "12e290", "12e291", "1e-323", "1e-324", "10e-324", "12e-323", "12e-324", "12345678e99", "123456789e99", "12e099", "12e0099", "12e00099", "-12e-0099", "-12e+00099", "1e21", "1e20", "12e20", "120e-7", "120e-8", "7e-7"} {
		try(s, ',')
	}
}
