package canon

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// TestNoncharactersAreThose: the 66 of the Unicode Standard, section 23.7, and no
// others are refused, wherever they stand and however they are written.
func TestNoncharactersAreThose(t *testing.T) {
	strict := Options{RefuseNoncharacters: true}
	count := 0
	for r := range rune(unicode.MaxRune + 1) {
		want := unicode.Is(unicode.Noncharacter_Code_Point, r)
		if isNoncharacter(r) != want {
			t.Fatalf("%U: %v", r, !want)
		}
		if !want && r&0xFFFF < 0xFDC0 && r&0x3FF != 0 || !utf8.ValidRune(r) {
			continue
		}
		if want {
			count++
		}
		escaped := fmt.Sprintf(`\u%04x`, r)
		if r > 0xFFFF {
			escaped = fmt.Sprintf(`\u%04x\u%04X`, 0xD800+(r-0x10000)>>10, 0xDC00+r&0x3FF)
		}
		for _, form := range []string{string(appendUnit(nil, r)), escaped} {
			src := strings.Repeat("x", int(r)%11) + form + strings.Repeat("x", int(r)%7)
			_, err := strict.Canonicalize([]byte(`"` + src + `"`))
			if (err != nil) != want {
				t.Fatalf("%q: %v", src, err)
			}
			if f := ruleOf(strict).check([]byte(`"` + src + `"`)); (f != nil) != want || want && (f.reason != reject.Noncharacter || f.offset != 1+int(r)%11) {
				t.Fatalf("%q: the slow pass finds %+v", src, f)
			}
			if form != escaped && hasNoncharacter([]byte(src)) != want {
				t.Fatalf("hasNoncharacter(%q) is %v", src, !want)
			}
		}
	}
	if count != 66 {
		t.Errorf("%d were tried", count)
	}
}

func ruleOf(o Options) *rules {
	r := o.rules()
	return &r
}

func TestHexadecimalDigitsHaveTheirValues(t *testing.T) {
	for b := range 256 {
		want := -1
		if v, err := strconv.ParseUint(string([]byte{byte(b)}), 16, 8); err == nil {
			want = int(v)
		}
		if got := hexValue(byte(b)); got != want {
			t.Errorf("%q: %d, want %d", byte(b), got, want)
		}
	}
}

// TestStringBytesAreThoseOfUTF8: a limit of string bytes counts what a string
// is, not how it is written.
func TestStringBytesAreThoseOfUTF8(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r += 1 + r/97 {
		if !utf8.ValidRune(r) {
			continue
		}
		escaped := fmt.Sprintf(`\u%04x`, r)
		if r > 0xFFFF {
			escaped = fmt.Sprintf(`\u%04x\u%04X`, 0xD800+(r-0x10000)>>10, 0xDC00+r&0x3FF)
		}
		for _, form := range []string{string(appendUnit(nil, r)), escaped} {
			src := []byte(`["ab` + form + `"]`)
			size := 2 + utf8.RuneLen(r)
			if f := ruleOf(Options{MaxStringBytes: size}).check(src); f != nil {
				t.Fatalf("%s in %d bytes: %+v", src, size, f)
			}
			if f := ruleOf(Options{MaxStringBytes: size - 1}).check(src); f == nil || f.reason != reject.LimitSize || f.offset != 1 {
				t.Fatalf("%s in %d bytes: %+v", src, size-1, f)
			}
		}
	}
}

// TestDigitsAreCounted: all of a number's text, and no other byte of it.
func TestDigitsAreCounted(t *testing.T) {
	for s, digits := range map[string]int{
		"0": 1, "-0": 1, "7": 1, "-12": 2, "1.5": 2, "-0.25": 3, "1e5": 2, "1E+05": 3, "-12.345e-67": 7, "0e0": 2, "100": 3, "0.001": 4,
		strings.Repeat("7", 40) + "." + strings.Repeat("3", 50) + "e-12": 92,
	} {
		if f := ruleOf(Options{MaxDigits: digits}).check([]byte("[" + s + "]")); f != nil {
			t.Errorf("%s: %+v", s, f)
		}
		if f := ruleOf(Options{MaxDigits: digits - 1}).check([]byte("[" + s + "]")); digits > 1 && (f == nil || f.reason != reject.LimitCount || f.offset != 1) {
			t.Errorf("%s with fewer digits: %+v", s, f)
		}
	}
}

// TestSurrogatesAreLone: those of an escape without its other half, but where the
// text ends before that can be told.
func TestSurrogatesAreLone(t *testing.T) {
	r := ruleOf(Options{})
	for u := range 0x10000 {
		surrogate := 0xD800 <= u && u < 0xE000
		if !surrogate && u&0xFF != 0 && u&0xFF != 0xFF {
			continue
		}
		f := r.check(fmt.Appendf(nil, `["\u%04x"]`, u))
		if (f != nil) != surrogate || f != nil && (f.reason != reject.LoneSurrogate || f.offset != 2) {
			t.Errorf("%#x alone: %+v", u, f)
		}
		if f := r.check(fmt.Appendf(nil, `["\ud83d\u%04X"]`, u)); (f == nil) != (0xDC00 <= u && u < 0xE000) || f != nil && (f.reason != reject.LoneSurrogate || f.offset != 2) {
			t.Errorf("%#x behind a high one: %+v", u, f)
		}
	}
	for _, pair := range []string{`"\ud83d\udE0f`, `"\uD800\uDcFf`} {
		for end := 1; end <= len(pair); end++ {
			if f := r.check([]byte(pair[:end])); f == nil || f.reason != reject.Syntax || f.offset != end {
				t.Errorf("%s: %+v", pair[:end], f)
			}
			if end < 7 || end == len(pair) {
				continue
			}
			src := []byte(pair)
			for _, b := range []byte("\"gGz/:@`8 ") { // no byte of an escape of a low surrogate from the second on
				if src[end] = b; end == 9 && b == '8' {
					src[end] = '7'
				} else if end > 9 && b == '8' {
					continue
				}
				if f := r.check(src); f == nil || f.reason != reject.LoneSurrogate || f.offset != 1 {
					t.Errorf("%s: %+v", src, f)
				}
			}
		}
	}
}

// TestElementsTooManyBegin: an element is too many where it begins; what begins
// none is another fault.
func TestElementsTooManyBegin(t *testing.T) {
	r := ruleOf(Options{MaxElements: 1})
	for b := range 256 {
		src := append([]byte("[1, "), byte(b))
		want := reject.Syntax
		switch {
		case b >= 0x80:
			want = reject.InvalidUTF8
		case strings.IndexByte(`{["-tfn0123456789`, byte(b)) >= 0:
			want = reject.LimitCount
		case strings.IndexByte(" \t\r\n", byte(b)) >= 0:
			continue // the text ends behind it
		}
		if f := r.check(src); f == nil || f.reason != want || f.offset != 4 {
			t.Errorf("%q: %+v", src, f)
		}
	}
}

// TestOptionsBecomeRules: each limit its default, none, or what is given; and
// which of them the fast path knows.
func TestOptionsBecomeRules(t *testing.T) {
	const none = int(^uint(0) >> 1)
	if r := (Options{}).rules(); r != (rules{depth: 1000, input: 16 << 20, output: none, members: none, elements: none, stringBytes: none, digits: none}) {
		t.Errorf("the zero value is %+v", r)
	}
	o := Options{MaxDepth: -1, MaxInput: -2, MaxOutput: -3, MaxMembers: -4, MaxElements: -5, MaxStringBytes: -6, MaxDigits: -7}
	if r := o.rules(); r != (rules{depth: none, input: none, output: none, members: none, elements: none, stringBytes: none, digits: none}) {
		t.Errorf("negative limits are %+v", r)
	}
	o = Options{MaxDepth: 1, MaxInput: 2, MaxOutput: 3, RefuseNegativeZero: true, RefuseUnderflow: true, RefuseNoncharacters: true, RefuseInexact: true}
	if r := o.rules(); r != (rules{
		depth: 1, input: 2, output: 3, members: none, elements: none, stringBytes: none, digits: none,
		negativeZero: true, underflow: true, noncharacters: true, inexact: true,
	}) {
		t.Errorf("%+v are %+v", o, r)
	}
	for _, c := range []struct {
		o               Options
		counted, strict bool
	}{
		{Options{MaxMembers: 1}, true, false}, {Options{MaxElements: 1}, true, false}, {Options{MaxStringBytes: 1}, true, true}, {Options{MaxDigits: 1}, true, true},
		{Options{MaxStringBytes: leastStringBytes - 1}, true, true}, {Options{MaxStringBytes: leastStringBytes}, true, false},
		{Options{MaxDigits: leastDigits - 1}, true, true}, {Options{MaxDigits: leastDigits}, true, false},
		{Options{MaxMembers: -1, MaxElements: -1, MaxStringBytes: -1, MaxDigits: -1}, false, false}, {Options{MaxDepth: 5, MaxInput: 5, MaxOutput: 5}, false, false},
	} {
		if r := c.o.rules(); r.counted != c.counted || r.strict != c.strict {
			t.Errorf("%+v: counted %v, strict %v", c.o, r.counted, r.strict)
		}
	}
}
