package canon

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// padded gives a text that can be read as far behind its end as a writer's copy.
func padded(s string) text { return textOf(append([]byte(s), make([]byte, textSlack)...)) }

// number parts a number's text: sign, digits before and behind the point,
// exponent.
var number = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// doubleOf gives the bits of the double next to a number's text, without its
// sign: infinity beyond the range. Such texts are too short for what strconv
// miscounts.
func doubleOf(s string) uint64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		panic(err)
	}
	return math.Float64bits(math.Abs(f))
}

// canonicalNumber gives a number's canonical form, "" beyond the range.
func canonicalNumber(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return ""
	}
	return string(appendSlowly(nil, f))
}

// checkSeen holds asItStands to what it promises of a number's text s before
// behind: what it says is right, and it says all that can be seen at once.
func checkSeen(s string, behind byte) error {
	end, double := asItStands(padded("["+s+string(rune(behind))), 1)
	fault := func(format string, args ...any) error {
		return fmt.Errorf("%q before %q is seen as %d, %#x: %s", s, behind, end, double, fmt.Sprintf(format, args...))
	}
	parts := number.FindStringSubmatch(s)
	if !ends[behind] || parts == nil {
		if end >= 0 || double != 0 {
			return fault("it is no number")
		}
		return nil
	}
	right, stands := doubleOf(s), canonicalNumber(s) == s
	if double != 0 && (end != ^(1+len(s)) || double != right || right == infinity) || double == 0 && end >= 0 && (end != 1+len(s) || !stands) {
		return fault("it is %#x, and %s", right, canonicalNumber(s))
	}
	n, m := len(parts[2]), len(parts[3])
	digits := strings.TrimLeft(parts[2]+parts[3], "0")
	zeros := min(8, len(parts[3])-len(strings.TrimLeft(parts[3], "0"))) // those that are counted
	want := ""                                                          // what must be seen
	switch {
	case len(digits) == 0:
		want = "nothing"
		if s == "0" {
			want = "form"
		}
	case parts[4] == "" && m == 0: // integers
		switch {
		case n <= 15, n == 16 && right <= math.Float64bits(1<<53) && s != "9007199254740993" && s != "-9007199254740993":
			want = "form"
		case n <= 19:
			want = "double"
		default:
			want = "nothing"
		}
	case m == 0 || n > 7 || m > 24:
		want = "nothing"
	case n+m <= 15:
		want = "nothing"
		if parts[4] == "" && stands {
			want = "form"
		}
	case len(strings.TrimLeft(parts[4], "+-")) > 4:
		want = "nothing"
	case parts[2] == "0" && m-max(0, m-zeros-19) > 22 || m-max(0, n+m-19) > 22:
		want = "nothing"
	case right == infinity || right == 0:
		want = "nothing"
	case len(digits) <= 19 && (parts[2] != "0" || m-zeros <= 19):
		want = "double"
		if parts[4] == "" && stands {
			want = "form or double"
		}
	default: // the digits left out may decide, unless their neighbours round alike
		want = "any"
		if first, err := strconv.ParseUint(digits[:min(19, len(digits))], 10, 64); err == nil && first >= 1e18 && zeros < 8 {
			at := func(x uint64) uint64 {
				e := 0
				if parts[4] != "" {
					e, _ = strconv.Atoi(parts[4])
				}
				return doubleOf(fmt.Sprintf("%de%d", x, e+len(digits)-19-m))
			}
			if at(first-5) == at(first+5) {
				want = "form or double"
			}
		}
	}
	got := "nothing"
	switch {
	case end >= 0:
		got = "form"
	case double != 0:
		got = "double"
	}
	if want != "any" && !strings.Contains(want, got) {
		return fault("want %s", want)
	}
	return nil
}

// TestWhatIsSeenAtOnce: of numbers of all shapes asItStands sees what it says,
// and no less.
func TestWhatIsSeenAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 17))
	randomDigits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('0' + r.IntN(10))
		}
		if n > 0 && r.IntN(3) == 0 {
			at := r.IntN(n)
			copy(b[at:], strings.Repeat("09"[r.IntN(2):][:1], r.IntN(n-at+1)))
		}
		return string(b)
	}
	powers := []string{"e5", "E-7", "e+12", "e300", "e-330", "E309", "e-300", "e1234", "e-1234", "e0", "e-12345", "e12345", "e-123456", "e1234567", "e12345678", "e", "e+", "f5", "e5x", "e-", "e++1"}
	const behinds = ",,,,,,,,]} \t\n\rx0.e-+\x00"
	seen := map[bool]int{}
	try := func(s string, behind byte) {
		if err := checkSeen(s, behind); err != nil {
			t.Fatal(err)
		}
		_, double := asItStands(padded(s+","), 0)
		seen[double != 0]++
	}
	for n := 0; n <= 21; n++ {
		for m := 0; m <= 27; m++ {
			for range rounds(40) {
				s := randomDigits(n)
				if n > 0 && s[0] == '0' {
					s = "1" + s[1:]
				}
				if r.IntN(3) == 0 {
					s = "0"
				}
				if m > 0 {
					zeros := r.IntN(m+1) * r.IntN(2)
					s += "." + strings.Repeat("0", zeros) + randomDigits(m-zeros)
				}
				if r.IntN(3) == 0 {
					s = "-" + s
				}
				if r.IntN(3) == 0 {
					s += powers[r.IntN(len(powers))]
				}
				try(s, behinds[r.IntN(len(behinds))])
			}
		}
	}
	if seen[true] < rounds(1000) {
		t.Errorf("of %v numbers only so many give their double", seen)
	}
	for _, s := range []string{
		"0", "-0", "00", "01", "0.", ".5", "-", "-.5", "1.", "0.0", "0.000001", "0.0000001", "0.00000012345678", "0.000000123456789012", "1.0", "1.50", "-1.5", "+1",
		"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740992", "-9007199254740993", "1000000000000000", "999999999999999",
		"9.007199254740993000e15", "9.007199254740993e15", "0.9007199254740993000e16", "9.007199254740993000e+0015", "9.007199254740993000e+00015", "0.0000000000000000", "0.00000000000000000000000e1",
		"9.9999999999999999e307", "9.9999999999999999e308", "1.7976931348623157e308", "1.797693134862315808e308", "4.940656458412465e-324", "2.4703282292062327e-324",
		"0.0001234567890123456789", "0.00012345678901234567890", "0.1234567890123456789", "0.12345678901234567890", "1234567.1234567890123456", "12345678.12345678901",
		"4503599.627370497500000", "0.3000000000000000166", "0.30000000000000004", "0.1000000000000000055511151231257827", "5.0000000000000000", "1:", "/1", "1/", ":1",
	} {
		for _, behind := range []byte(behinds) {
			try(s, behind)
		}
	}
}

// TestLiteralsAreSeenAtOnce: the three literals alone, before what may follow.
func TestLiteralsAreSeenAtOnce(t *testing.T) {
	for _, word := range []string{"null", "true", "false", "fals", "falsy", "nul", "nule", "trub", "True", "NULL", "-null", "t", "\"true", "tru e", "nullx", "falsex", "truefalse"} {
		for behind := range 256 {
			end, double := asItStands(padded("["+word+string([]byte{byte(behind)})), 1)
			want := -1
			if (word == "null" || word == "true" || word == "false") && strings.IndexByte(" \t\n\r,]}", byte(behind)) >= 0 {
				want = 1 + len(word)
			}
			if end != want || double != 0 {
				t.Errorf("%s before %q: %d, %d, want %d", word, byte(behind), end, double, want)
			}
		}
	}
}
