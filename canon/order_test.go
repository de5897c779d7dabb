package canon

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestNamesCompareAsTheirUnits holds compareNamesAt to its slow twin.
func TestNamesCompareAsTheirUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(8785, 323))
	pieces := []string{
		"a", "b", "aaaaaaaa", "abcdefg", "\\u0061", "\\n", "\\\"", "\\\\", "\\/", "/", "\u0080", "\u00e9", "\u20ac", "\ud7ff", "\ue000",
		"\uffff", "\U00010000", "\U0001F600", "\\ud83d\\ude00", "\\uD83D\\uDE01", "\\ue000", "\\uFFFF", "\\u0000", "\U0010ffff", "",
		"j", "\\u006a", "\\u006A", "\\u006b", " ", "!", "#",
	}
	name := func(common string) []byte {
		text := []byte(`"` + common)
		for range r.IntN(6) {
			text = append(text, pieces[r.IntN(len(pieces))]...)
		}
		return append(text, '"')
	}
	for range 200_000 {
		common := ""
		for range r.IntN(5) {
			common += pieces[r.IntN(len(pieces))]
		}
		x, y := name(common), name(common)
		text := append(bytes.Clone(x), y...)
		got, want := compareNamesAt(text, 0, len(x)), compareUnits(x[1:], y[1:])
		if got != want {
			t.Fatalf("%s and %s: %d, unit by unit %d", x, y, got, want)
		}
	}
}

// TestNamesThatAreNotUTF8Compare: names are compared before anybody has seen that
// they are not UTF-8. All names of three pieces, each with each.
func TestNamesThatAreNotUTF8Compare(t *testing.T) {
	pieces := []string{"", "0", `\\`, `\"`, `\u0030`, "\x80", "\xbf", "\xc3", "\xf0", "\u00e9"}
	var names []string
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				names = append(names, `"`+a+b+c+`"`)
			}
		}
	}
	for i, x := range names {
		for _, y := range names[:i] {
			got, back := compareNamesAt([]byte(x+y), 0, len(x)), compareNamesAt([]byte(y+x), 0, len(y))
			if got != -back {
				t.Fatalf("%q and %q: %d, and %d the other way round", x, y, got, back)
			}
		}
	}
}

// TestComparingStopsAtTheFirstDifference: the texts end there, so that reading
// on would be out of range. A sort is n log n only if this holds.
func TestComparingStopsAtTheFirstDifference(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want int
	}{
		{`"ax"`, `"b`, -1},
		{`"b"`, `"a`, 1},
		{`"a"`, `"aa`, -1},
		{`"aaaaaaaaaaaaaaaa0"`, `"aaaaaaaaaaaaaaaa1`, -1},
		{`"\u0061b"`, `"\u0061c`, -1},
		{`"\u006a"`, `"\u006A"`, 0},
		{"\"\u00e9\"", "\"\u00ea", -1},
		{"\"\ue000\"", "\"\U00010000", 1},
	} {
		if got := compareNamesAt([]byte(c.x+c.y), 0, len(c.x)); got != c.want {
			t.Errorf("%s and %s: %d", c.x, c.y, got)
		}
	}
}

// TestMembersCompareAsTheirUnits holds prefixes and compareTails to the slow
// twin, with characters on both sides of the surrogates at every place.
func TestMembersCompareAsTheirUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(8785, 323))
	pieces := []string{
		"a", "b", "abcdefg", "!", "#", "\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uefff", "\uf000", "\ufdd0",
		"\uffff", "\U00010000", "\U0003ffff", "\U00040000", "\U0010ffff", "\ue000\ue000\ue000", "\U00010000\U00010000", "",
	}
	rounds := 60_000
	if testing.Short() {
		rounds /= 10
	}
	for range rounds {
		common := ""
		for range r.IntN(6) {
			common += pieces[r.IntN(len(pieces))]
		}
		x, y := common, common
		for range r.IntN(3) {
			x += pieces[r.IntN(len(pieces))]
			y += pieces[r.IntN(len(pieces))]
		}
		staged := []byte(`"` + x + `""` + y + `"`)
		second := len(x) + 2
		staged = append(staged, make([]byte, outputSlack)...)
		w := &writer{bytes: staged, body: textOf(staged)}
		prefix := func(start, size int) uint64 { return prefixOf(load64(w.body, start+1), size) }
		a, b := member{prefix: prefix(0, len(x))}, member{prefix: prefix(second, len(y)), start: uint32(second)}
		want := compareUnits([]byte(x), []byte(y))
		if got := w.compareMembers(a, b); got != want {
			t.Fatalf("%q and %q: %d, unit by unit %d", x, y, got, want)
		}
		if a.prefix < b.prefix && want >= 0 && a.prefix != 0 {
			t.Fatalf("%q and %q: the prefixes ascend, the units do not", x, y)
		}
	}
}
