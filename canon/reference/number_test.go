package reference

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// appendixB holds the finite numbers of RFC 8785 appendix B.
var appendixB = []struct {
	bits uint64
	text string
}{
	{0x0000000000000000, "0"},
	{0x8000000000000000, "0"},
	{0x0000000000000001, "5e-324"},
	{0x8000000000000001, "-5e-324"},
	{0x7fefffffffffffff, "1.7976931348623157e+308"},
	{0xffefffffffffffff, "-1.7976931348623157e+308"},
	{0x4340000000000000, "9007199254740992"},
	{0xc340000000000000, "-9007199254740992"},
	{0x4430000000000000, "295147905179352830000"},
	{0x44b52d02c7e14af5, "9.999999999999997e+22"},
	{0x44b52d02c7e14af6, "1e+23"},
	{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
	{0x444b1ae4d6e2ef4e, "999999999999999700000"},
	{0x444b1ae4d6e2ef4f, "999999999999999900000"},
	{0x444b1ae4d6e2ef50, "1e+21"},
	{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
	{0x3eb0c6f7a0b5ed8d, "0.000001"},
	{0x41b3de4355555553, "333333333.3333332"},
	{0x41b3de4355555554, "333333333.33333325"},
	{0x41b3de4355555555, "333333333.3333333"},
	{0x41b3de4355555556, "333333333.3333334"},
	{0x41b3de4355555557, "333333333.33333343"},
	{0xbecbf647612f3696, "-0.0000033333333333333333"},
	{0x43143ff3c1cb0959, "1424953923781206.2"},
}

func TestNumberToStringGivesAppendixB(t *testing.T) {
	for _, c := range appendixB {
		if got, ok := NumberToString(c.bits); !ok || got != c.text {
			t.Errorf("%016x: got %q, %v, want %q", c.bits, got, ok, c.text)
		}
	}
	for _, bits := range []uint64{0x7ff0000000000000, 0xfff0000000000000, 0x7fffffffffffffff, 0x7ff8000000000000} {
		if got, ok := NumberToString(bits); ok {
			t.Errorf("%016x is not finite, got %q", bits, got)
		}
	}
}

// hardBits yields doubles where rounding and layout change.
func hardBits(each func(uint64)) {
	around := func(b uint64) {
		for d := range uint64(5) {
			each(b + d - 2)
		}
	}
	for e := range uint64(2047) {
		around(e << 52)
	}
	for e := -330; e <= 310; e++ {
		f, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
		around(math.Float64bits(f))
	}
	r := rand.New(rand.NewPCG(8785, 1))
	for range 4000 {
		each(r.Uint64())
		each(math.Float64bits(float64(r.Int64N(1e7)) / 100))
	}
}

// layoutByStrconv is another way to the same text: strconv's shortest digits,
// laid out by its own exponent form. Only tests may use strconv's conversions.
func layoutByStrconv(f float64) string {
	if f == 0 {
		return "0"
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	i := strings.IndexByte(s, 'e')
	return s[:i+2] + strings.TrimLeft(s[i+2:], "0")
}

func TestNumberToStringAgreesWithStrconv(t *testing.T) {
	hardBits(func(b uint64) {
		f := math.Float64frombits(b)
		got, ok := NumberToString(b)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			if ok {
				t.Errorf("%016x is not finite, got %q", b, got)
			}
			return
		}
		if want := layoutByStrconv(f); got != want {
			t.Errorf("%016x: got %q, strconv gives %q", b, got, want)
		}
	})
}

func TestParseNumberAgreesWithStrconv(t *testing.T) {
	check := func(text string) {
		t.Helper()
		f, err := strconv.ParseFloat(text, 64)
		n := ParseNumber(text)
		if n.Bits != math.Float64bits(f) || n.Overflow != (err != nil) {
			t.Errorf("%.60s: got %016x %v, strconv gives %016x %v", text, n.Bits, n.Overflow, math.Float64bits(f), err)
		}
	}
	hardBits(func(b uint64) {
		f := math.Float64frombits(b)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		check(strconv.FormatFloat(f, 'e', -1, 64))
		check(strconv.FormatFloat(f, 'e', 15, 64))
		check(strconv.FormatFloat(f, 'e', 19, 64))
	})
	for _, text := range []string{
		"0", "-0", "0.0", "-0e9", "1e400", "-1e400", "1e-400", "0e999999999999999999999", "1e-999999999999999999999",
		"2.4703282292062327208e-324", "2.4703282292062328e-324", "1.7976931348623158079e308", "1.7976931348623158081e308",
		"9007199254740993", "9007199254740992.99999999", "0." + strings.Repeat("0", 400) + "1e400", "1" + strings.Repeat("0", 400) + "e-400",
		strings.Repeat("9", 700) + "e-600", "0." + strings.Repeat("9", 900),
		"9007199254740993." + strings.Repeat("0", 900) + "1", "9007199254740992." + strings.Repeat("9", 900),
		"0." + strings.Repeat("0", 5000) + "25e5000",
	} {
		check(text)
	}
}

func TestEveryHalfwayCaseGoesToEven(t *testing.T) {
	for _, c := range []struct{ text, canonical string }{
		{"9007199254740993", "9007199254740992"},
		{"9007199254740995", "9007199254740996"},
		{"9007199254740993.0000000000000000001", "9007199254740994"},
		{"4503599627370496.5", "4503599627370496"},
		{"4503599627370497.5", "4503599627370498"},
		{"1.00000000000000011102230246251565404236316680908203125", "1"},
		{"1.00000000000000011102230246251565404236316680908203126", "1.0000000000000002"},
		// More than 800 digits before the point, which strconv misplaces.
		{"9007199254740993" + strings.Repeat("0", 900) + "1e-901", "9007199254740994"},
		{"9007199254740993" + strings.Repeat("0", 900) + "e-900", "9007199254740992"},
		{strings.Repeat("9", 900) + "e-600", "1e+300"},
	} {
		n := ParseNumber(c.text)
		if got := mustText(n.Bits); got != c.canonical {
			t.Errorf("%s gives %s, want %s", c.text, got, c.canonical)
		}
	}
}

func TestExactTellsWhetherTheDecimalValueIsKept(t *testing.T) {
	for text, exact := range map[string]bool{
		"0": true, "-0": true, "0.00e5": true, "1": true, "1.50": true, "1e20": true, "100e-2": true,
		"295147905179352830000": true, "9007199254740992": true, "1e23": true, "0.1": true, "5e-324": true,
		"9007199254740993": false, "295147905179352825856": false, "1152921504606846976": false,
		"0.1000000000000000055511151231257827": false, "1e-400": false, "1e400": false,
		"4.9406564584124654e-324": false,
	} {
		if got := ParseNumber(text).Exact; got != exact {
			t.Errorf("%s: Exact is %v", text, got)
		}
	}
}

func TestUnsafeIntegerIsAnInexactIntegerBeyond2To53(t *testing.T) {
	for text, unsafe := range map[string]bool{
		"9007199254740991": false, "9007199254740992": false, "9007199254740993": true, "-9007199254740993": true,
		"9007199254740993.0": true, "9007199254740993e0": true, "900719925474099300e-2": true,
		"9007199254740992.5": false, "1e20": false, "123456789012345678901234567890": true, "0.1": false, "1152921504606846976": true,
	} {
		if got := ParseNumber(text).UnsafeInteger; got != unsafe {
			t.Errorf("%s: UnsafeInteger is %v", text, got)
		}
	}
}

func TestNeighboursBeyondTwentyDigits(t *testing.T) {
	for _, c := range []struct {
		text       string
		neighbours int
	}{
		{"9007199254740993", 0},
		{"9007199254740993.0001", 0},                                   // 20 digits
		{"9007199254740994.9999", 0},                                   // 20 digits, counted up the tie
		{"9007199254740993.00001", 1},                                  // cut, it is the tie
		{"1.00000000000000011102230246251565404236316680908203126", 1}, // cut, below the tie
		{"123456789012345678901", 0},                                   // both neighbours round alike
		{"1.79769313486231580794e308", 1},                              // cut, it is finite
		{"1." + strings.Repeat("0", 60) + "1", 0},
	} {
		if got := len(ParseNumber(c.text).Neighbours); got != c.neighbours {
			t.Errorf("%s: %d neighbours, want %d", c.text, got, c.neighbours)
		}
	}
}

func BenchmarkNumberToString17Digits(b *testing.B) {
	for b.Loop() {
		NumberToString(0x43143ff3c1cb0959)
	}
}

func BenchmarkParse17Digits(b *testing.B) {
	for b.Loop() {
		ParseNumber("-0.0000033333333333333333")
	}
}
