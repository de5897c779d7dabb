package check

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Departure names what is wrong with an answer: the clause that it breaks and
// what the fault looks like, in words of ours that every answer of the kind
// shares.
type Departure struct {
	Requirement string // id of a catalogue entry; empty where no clause speaks of it
	Signature   string
}

// divergence finds the clause that an output breaks by where it first departs
// from the canonical form. expected is canonical; actual may be anything but
// expected.
func divergence(expected, actual []byte) Departure {
	switch {
	case len(actual) == 0:
		return Departure{"rfc8259/2/one-value", "the output is empty"}
	case bytes.HasPrefix(actual, []byte("\xEF\xBB\xBF")):
		return Departure{"rfc8785/3.2.4/utf-8", "the output begins with a byte order mark"}
	}
	const behind = 4096 // enough to see what goes on behind the value
	want, have := tokens(expected), tokens(actual[:min(len(actual), len(expected)+behind)])
	for i := range have {
		if have[i].kind == space {
			return Departure{"rfc8785/3.2.1/no-white-space", "white space between tokens"}
		}
		if i >= len(want) {
			return Departure{"rfc8259/2/trailing-data", "the output goes on behind the value"}
		}
		if !bytes.Equal(want[i].bytes, have[i].bytes) {
			return differing(want, have, i)
		}
	}
	return Departure{containerClause(want, len(have)), "the output is cut short"}
}

// differing explains the first pair of tokens that differ.
func differing(want, have []token, i int) Departure {
	w, h := want[i], have[i]
	if d, ok := differingContainer(want, have, i); ok {
		return d
	}
	switch {
	case w.kind == text && bytes.HasPrefix(w.bytes, h.bytes):
		return Departure{containerClause(want, i), "the output is cut short"}
	case w.kind == text && h.kind == text:
		return differingString(w.bytes, h.bytes)
	case w.kind == word && h.kind == word:
		return differingWord(string(w.bytes), string(h.bytes))
	case w.kind == punctuation:
		return Departure{containerClause(want, i), "the structure is changed"}
	case w.kind == text:
		return Departure{"rfc8785/3.1/as-is", "a string became something else"}
	case isNumber(string(w.bytes)):
		return Departure{"rfc8785/3.2.2.3/number-to-string", "a number became something else"}
	}
	return Departure{"rfc8785/3.2.2.1/literals", "a literal became something else"}
}

// differingContainer explains the difference by what became of the container as
// a whole: another order, something lost or added.
func differingContainer(want, have []token, i int) (Departure, bool) {
	w, h := want[i], have[i]
	switch {
	case w.open < 0:
		return Departure{}, false
	case want[w.open].bytes[0] == '{':
		if w.name || w.kind == punctuation {
			return differingMembers(want, have, w.open)
		}
	case sameElements(want, have, w.open):
		return Departure{"rfc8785/3.2.3/array-order", "array elements in another order"}, true
	case h.bytes[0] == ']':
		return Departure{"rfc8259/5/array", "an element is lost"}, true
	case w.bytes[0] == ']' && h.bytes[0] != '}':
		return Departure{"rfc8259/5/array", "an element that the input has not"}, true
	}
	return Departure{}, false
}

// differingMembers compares the member names of the object that opens at open.
func differingMembers(want, have []token, open int) (Departure, bool) {
	w, _ := names(want, open)
	h, spelled := names(have, open)
	switch {
	case len(h) < len(w) && among(h, w):
		return Departure{"rfc8259/4/object", lostMember}, true
	case len(h) > len(w) && among(w, h):
		return Departure{"rfc8259/4/object", "a member that the input has not"}, true
	case among(h, w):
		return misordered(h, spelled, want[open].open >= 0)
	}
	return Departure{}, false
}

const lostMember = "a member is lost"

// among reports whether every name of a stands in b, as often at least.
func among(a, b [][]uint16) bool {
	left := map[string]int{}
	for _, name := range b {
		left[unitKey(name)]++
	}
	for _, name := range a {
		key := unitKey(name)
		if left[key]--; left[key] < 0 {
			return false
		}
	}
	return true
}

// containerClause is the clause on the container that holds the i-th token.
func containerClause(all []token, i int) string {
	switch open := all[i].open; {
	case open < 0:
		return "rfc8259/2/one-value"
	case all[open].bytes[0] == '{':
		return "rfc8259/4/object"
	}
	return "rfc8259/5/array"
}

// children gives the tokens directly within the container that opens at open,
// nested containers as one piece each.
func children(all []token, open int) []string {
	var parts []string
	var part strings.Builder
	for _, t := range all[open+1:] {
		if t.kind == punctuation && t.open == open {
			switch t.bytes[0] {
			case '}', ']':
				return append(parts, part.String())
			case ',':
				parts = append(parts, part.String())
				part.Reset()
				continue
			}
		}
		part.Write(t.bytes)
	}
	return append(parts, part.String())
}

// sameElements reports whether two arrays hold the same elements in different
// orders.
func sameElements(want, have []token, open int) bool {
	w, h := children(want, open), children(have, open)
	if slices.Equal(w, h) {
		return false
	}
	slices.Sort(w)
	slices.Sort(h)
	return slices.Equal(w, h)
}

// names gives the member names directly within the object that opens at open.
func names(all []token, open int) (units [][]uint16, spelled []string) {
	for _, t := range all {
		if t.name && t.open == open {
			units = append(units, decode(t.bytes))
			spelled = append(spelled, string(t.bytes))
		}
	}
	return units, spelled
}

// unitKey gives a string that only equal names share.
func unitKey(name []uint16) string {
	b := make([]byte, 0, 2*len(name))
	for _, u := range name {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return string(b)
}

// misordered explains names that are the right ones in another order; nested
// says that their object stands in another container.
func misordered(have [][]uint16, spelled []string, nested bool) (Departure, bool) {
	switch {
	case slices.IsSortedFunc(have, slices.Compare[[]uint16]):
		return Departure{}, false
	case slices.IsSortedFunc(have, compareCodePoints):
		return Departure{"rfc8785/3.2.3/code-units", "members sorted by code points instead of code units"}, true
	case slices.IsSortedFunc(have, compareIntegerLike):
		return Departure{"rfc8785/3.2.3/code-units", "integer-like names come first"}, true
	case slices.IsSorted(spelled):
		return Departure{"rfc8785/3.2.3/unescaped", "members sorted by their escaped spelling"}, true
	case nested:
		return Departure{"rfc8785/3.2.3/recursive", "members of a nested object not sorted by code units"}, true
	}
	return Departure{"rfc8785/3.2.3/code-units", "members not sorted by code units"}, true
}

// compareCodePoints orders as UTF-8 does: surrogates come last.
func compareCodePoints(a, b []uint16) int {
	place := func(u uint16) int {
		if utf16.IsSurrogate(rune(u)) {
			return math.MaxUint16 + int(u)
		}
		return int(u)
	}
	return slices.CompareFunc(a, b, func(x, y uint16) int { return cmp.Compare(place(x), place(y)) })
}

// compareIntegerLike orders as JavaScript's own properties are, where the rest
// is sorted by code units.
func compareIntegerLike(a, b []uint16) int {
	m, isM := arrayIndex(a)
	n, isN := arrayIndex(b)
	switch {
	case isM && isN:
		return cmp.Compare(m, n)
	case isM:
		return -1
	case isN:
		return 1
	}
	return slices.Compare(a, b)
}

func arrayIndex(name []uint16) (uint64, bool) {
	digits := string(utf16.Decode(name))
	n, err := strconv.ParseUint(digits, 10, 32)
	return n, err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == digits
}

// differingString explains two strings that differ, quotes included.
func differingString(want, have []byte) Departure {
	if !utf8.Valid(have) {
		return Departure{"rfc8785/3.2.4/utf-8", "the output is not UTF-8"}
	}
	w, h := decode(want), decode(have)
	if !slices.Equal(w, h) {
		if slices.Contains(h, 0xFFFD) && !slices.Contains(w, 0xFFFD) {
			return Departure{"rfc8785/3.1/as-is", "characters replaced by U+FFFD"}
		}
		return Departure{"rfc8785/3.1/as-is", "a string is altered"}
	}
	switch unit := unitAt(want, result.FirstDifference(want, have)); {
	case unit[0] != '\\':
		return Departure{"rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"}
	case unit[1] == 'u':
		return Departure{"rfc8785/3.2.2.2/control-escape", `a control character that is not written as \u and four lower-case digits`}
	case unit[1] == '"' || unit[1] == '\\':
		return Departure{"rfc8785/3.2.2.2/quote-and-backslash", "a quotation mark or backslash in another spelling"}
	}
	return Departure{"rfc8785/3.2.2.2/short-escape", "a control character that is not written by its short escape"}
}

// unitAt gives the rest of a canonical string from where the character or escape
// begins in which offset at stands.
func unitAt(quoted []byte, at int) []byte {
	rest := quoted[1:]
	at--
	for {
		width := 1
		if rest[0] == '\\' {
			width = 2
			if rest[1] == 'u' {
				width = 6
			}
		}
		if at < width {
			return rest
		}
		rest, at = rest[width:], at-width
	}
}

// differingWord explains two numbers or literals that differ.
func differingWord(want, have string) Departure {
	if !isNumber(want) {
		return Departure{"rfc8785/3.2.2.1/literals", "a literal in another spelling"}
	}
	f, err := strconv.ParseFloat(want, 64)
	g, err2 := strconv.ParseFloat(have, 64)
	switch {
	case err != nil || err2 != nil || math.IsNaN(g) || math.IsInf(g, 0):
		return Departure{"rfc8785/3.2.2.3/number-to-string", "a number became something else"}
	case f == 0 && g == 0 && strings.HasPrefix(have, "-"):
		return Departure{"rfc8785/B/negative-zero", "negative zero keeps its sign"}
	}
	w, h := significant(want), significant(have)
	if f != g {
		return otherNumber(f, g, w, h)
	}
	switch {
	case w == h:
		return Departure{"ecma262/6.1.6.1.20/layout", "the right digits in another layout"}
	case len(h) > len(w):
		return Departure{"ecma262/6.1.6.1.20/shortest", "more digits than needed"}
	}
	return Departure{"rfc8785/3.2.2.3/note-2", "as few digits as possible, but not the closest ones"}
}

// otherNumber explains a number g, of digits h, in the place of f, of digits w.
// Whether it was read or written wrongly does not show in an output, so that a
// clause about the whole way is named where neither is sure.
func otherNumber(f, g float64, w, h string) Departure {
	switch {
	case g == 0:
		return Departure{"ecma262/7.1.4.1/rounding", "a number that is not zero became 0"}
	case closeTo(f, g) && len(h) < len(w):
		return Departure{"ecma262/6.1.6.1.20/shortest", "so few digits that they are another number's"}
	case closeTo(f, g):
		return Departure{"ecma262/7.1.4.1/rounding", "the digits of a neighbouring double"}
	case w == h && math.Signbit(f) == math.Signbit(g):
		return Departure{"rfc8785/3.2.2.3/number-to-string", "the right digits at another power of ten"}
	}
	return Departure{"rfc8785/3.2.2.3/number-to-string", "another number"}
}

func closeTo(f, g float64) bool {
	return math.Signbit(f) == math.Signbit(g) && math.Abs(f-g) <= 1e-9*math.Max(math.Abs(f), math.Abs(g))
}

// significant gives a number's digits without leading and trailing zeros, point
// and exponent.
func significant(number string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, mantissa)
	return strings.Trim(digits, "0")
}

func isNumber(word string) bool {
	return word != "" && (word[0] == '-' || '0' <= word[0] && word[0] <= '9')
}

// clauseGroup gives the group of a requirement, "protocol" for none.
func clauseGroup(id string) string {
	if r, ok := reject.LookupRequirement(id); ok {
		return string(r.Group)
	}
	return "protocol"
}
