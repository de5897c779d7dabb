package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"
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
	for range rounds(50_000) {
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

// TestUnitsAreRead: names compare as the code units that their characters have by
// unicode/utf16, however they are written.
func TestUnitsAreRead(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 323))
	const characters = "\x00\b\t\n\f\r\x1f !\"#/09AZ\\\\az\x7f\u0080\u07ff\u0800\u2000\u2001\u2041\u3001\ud7ff\ue000\ufffd\uffff\U00010000\U000103ff\U00010400\U0001F600\U0010fc00\U0010ffff"
	all := []rune(characters)
	write := func(name []rune) []byte {
		text := []byte{'"'}
		for _, c := range name {
			switch k := r.IntN(4); {
			case k == 0 || k == 1 && c < ' ':
				for _, u := range utf16.AppendRune(nil, c) {
					text = fmt.Appendf(text, []string{`\u%04x`, `\u%04X`}[r.IntN(2)], u)
				}
			case c == '/' && k == 1:
				text = append(text, `\/`...)
			default:
				text = appendUnit(text, c)
			}
		}
		return append(text, '"')
	}
	for range rounds(30_000) {
		var x []rune
		for range r.IntN(12) {
			x = append(x, all[r.IntN(len(all))])
		}
		y := slices.Clone(x[:len(x)-r.IntN(len(x)+1)*r.IntN(2)])
		if len(y) > 0 && r.IntN(2) == 0 {
			y[r.IntN(len(y))] = all[r.IntN(len(all))]
		}
		want := slices.Compare(utf16.Encode(x), utf16.Encode(y))
		a, b := write(x), write(y)
		if got := compareUnits(a[1:], b[1:]); got != want {
			t.Fatalf("%s and %s: %d, want %d", a, b, got, want)
		}
		text := append(bytes.Clone(a), b...)
		if got := compareNamesAt(text, 0, len(a)); got != want {
			t.Fatalf("%s and %s: %d at their places, want %d", a, b, got, want)
		}
		if got := nameAt(text, len(a)); string(got) != string(b[1:len(b)-1]) {
			t.Fatalf("%s: the name %s", text, got)
		}
		if got, want := commonLength(text[1:], b[1:]), commonLengthOf(text[1:], b[1:]); got != want {
			t.Fatalf("%s and %s have %d bytes in common, not %d", text[1:], b[1:], want, got)
		}
		starts := []int{0, len(a)}
		duplicate := firstDuplicate(text, starts)
		if (duplicate == len(a)) != (want == 0) || want != 0 && duplicate != len(text) {
			t.Fatalf("%s: a duplicate at %d", text, duplicate)
		}
	}
}

// commonLengthOf is commonLength's slow twin.
func commonLengthOf(x, y []byte) int {
	for i := 0; ; {
		width := 1
		if x[i] == '\\' {
			width = 2
			if x[i+1] == 'u' {
				width = 6
			}
		}
		if x[i] == '"' || !bytes.HasPrefix(y[i:], x[i:i+width]) {
			return i
		}
		i += width
	}
}

// TestFirstDuplicateIsFound: of the names that stand behind an equal one, it is
// the one with the least offset.
func TestFirstDuplicateIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	for range rounds(5_000) {
		var text []byte
		var starts []int
		seen := map[string]bool{}
		want := -1
		for range r.IntN(12) {
			name := strconv.Itoa(r.IntN(40))
			if seen[name] && want < 0 {
				want = len(text)
			}
			seen[name] = true
			starts = append(starts, len(text))
			if r.IntN(3) == 0 {
				name = fmt.Sprintf(`\u%04x`, name[0]) + name[1:]
			}
			text = append(text, `"`+name+`",`...)
		}
		if want < 0 {
			want = len(text)
		}
		if got := firstDuplicate(text, starts); got != want {
			t.Fatalf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestBytesAreFoundInWords holds hasByte.
func TestBytesAreFoundInWords(t *testing.T) {
	for k := range 8 {
		for b := range 256 {
			for _, c := range []byte{0, 1, '!', '"', '#', '[', '\\', ']', 0x7F, 0x80, 0xA2, 0xDC, 0xFF} {
				for _, rest := range []uint64{0, ones, 0x7F * ones, 0x80 * ones, ^uint64(0), '!' * ones, '#' * ones} {
					word := rest&^(0xFF<<(8*k)) | uint64(b)<<(8*k)
					if got := hasByte(word, c); got != (byte(b) == c || byte(rest) == c) {
						t.Fatalf("%#x in %#x: %v", c, word, got)
					}
				}
			}
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
		rounds /= 20
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
		w := &writer{copied: staged, body: textOf(staged)}
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
