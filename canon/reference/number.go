package reference

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// A Number is what a number text means.
type Number struct {
	// Bits is the IEEE 754 double nearest to the text's value, ties to even.
	// With Overflow it is an infinity.
	Bits uint64
	// Text is the double's canonical text; empty with Overflow.
	Text string
	// Overflow: the value rounds to an infinity. Underflow: it is not zero
	// and rounds to zero.
	Overflow, Underflow bool
	// NegativeZero: the double is -0.
	NegativeZero bool
	// Exact: the double's canonical text denotes the same decimal value as
	// the text, whatever the double itself is.
	Exact bool
	// UnsafeInteger: the value is an integer beyond 2^53-1 in magnitude that
	// is not Exact.
	UnsafeInteger bool
	// Neighbours are the doubles that ECMA-262 section 7.1.4.1 allows instead
	// of Bits: the text cut after 20 significant digits, and that with its
	// 20th digit counted up. Empty unless there are more digits than 20 and
	// the choice matters.
	Neighbours []uint64
}

// decimal is sign, digits and exponent: digits × 10^exponent. Digits have no
// zeros at either end; none at all is zero.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

const (
	infinity     = 0x7FF << 52
	signBit      = 1 << 63
	mostDigits   = 800     // beyond these only "is there more" can matter
	mostExponent = 1 << 40 // exponents are cut off here, beyond what the digits of any text can make up for
	log2         = math.Ln2 / math.Ln10
	esDigits     = 20 // ECMA-262's limit of obligatory precision
)

// ParseNumber reads a number text by RFC 8259 section 6, which the caller has
// checked, and rounds it by exact arithmetic. Time is linear in the text.
func ParseNumber(text string) Number {
	d := readDecimal(text)
	n := Number{Bits: d.double()}
	magnitude := n.Bits &^ signBit
	n.Overflow = magnitude == infinity
	n.Underflow = magnitude == 0 && d.digits != ""
	n.NegativeZero = n.Bits == signBit
	if !n.Overflow {
		n.Text = mustText(n.Bits)
		n.Exact = sameValue(d, readDecimal(n.Text))
	}
	n.UnsafeInteger = d.exponent >= 0 && !n.Exact // up to 2^53-1 every integer is exact
	if len(d.digits) > esDigits {
		for _, b := range d.cutNeighbours() {
			if b != n.Bits {
				n.Neighbours = append(n.Neighbours, b)
			}
		}
	}
	return n
}

// readDecimal takes a number text apart.
func readDecimal(text string) decimal {
	var d decimal
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		d.negative, text = true, rest
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	d.exponent = readExponent(exponent)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.digits = whole + fraction
	d.exponent -= int64(len(fraction))
	short := strings.TrimRight(d.digits, "0")
	d.exponent += int64(len(d.digits) - len(short))
	d.digits = strings.TrimLeft(short, "0")
	if d.digits == "" {
		d.exponent = 0
	}
	return d
}

// readExponent reads the digits of an exponent, cut off at mostExponent.
func readExponent(text string) int64 {
	negative := strings.HasPrefix(text, "-")
	e := int64(0)
	for _, c := range strings.TrimLeft(text, "+-") {
		e = min(10*e+int64(c-'0'), mostExponent)
	}
	if negative {
		return -e
	}
	return e
}

// sameValue compares two decimals by value, so that -0 is 0.
func sameValue(a, b decimal) bool {
	return a == b || a.digits == "" && b.digits == ""
}

// cutNeighbours gives the doubles of the decimal cut after 20 digits, and of
// that with the 20th digit counted up.
func (d decimal) cutNeighbours() [2]uint64 {
	cut := decimal{d.negative, d.digits[:esDigits], d.exponent + int64(len(d.digits)-esDigits)}
	up := cut
	up.digits = new(big.Int).Add(integer(cut.digits), one).String()
	return [2]uint64{cut.double(), up.double()}
}

// double rounds to the nearest double, ties to even; beyond the largest one
// the result is an infinity.
func (d decimal) double() uint64 {
	var sign uint64
	if d.negative {
		sign = signBit
	}
	// The value lies from 10^(order-1) to below 10^order.
	order := d.exponent + int64(len(d.digits))
	switch {
	case d.digits == "" || order < -323: // below 10^-324, half the least double being 2.47e-324
		return sign
	case order > 309: // at least 10^309
		return sign | infinity
	}
	digits, exponent := d.digits, int(d.exponent)
	if len(digits) > mostDigits {
		exponent += len(digits) - mostDigits - 1
		digits = digits[:mostDigits] + "1" // sticky: there is more, since the last digit is not 0
	}
	numerator := integer(digits)
	numerator.Mul(numerator, powers[max(exponent, 0)])
	return sign | roundRatio(numerator, powers[max(-exponent, 0)])
}

// roundRatio rounds a positive ratio to the bits of the nearest double, ties
// to even.
func roundRatio(numerator, denominator *big.Int) uint64 {
	// Find q with 2^52 <= ratio / 2^q < 2^53, but q at least -1074.
	q := max(numerator.BitLen()-denominator.BitLen()-53, -1074)
	quotient, rest, scaled := divide(numerator, denominator, q)
	if quotient.BitLen() > 53 {
		q++
		quotient, rest, scaled = divide(numerator, denominator, q)
	}
	mantissa := quotient.Uint64()
	switch rest.Lsh(rest, 1).Cmp(scaled) {
	case 1:
		mantissa++
	case 0:
		mantissa += mantissa & 1
	}
	// A mantissa of 2^53 carries into the exponent, one below 2^52 is
	// subnormal: both come out right by this sum.
	sum := uint64(q+1074)<<52 + mantissa
	return min(sum, infinity)
}

// divide gives quotient and rest of numerator / (denominator × 2^q), and the
// divisor by which the rest is counted.
func divide(numerator, denominator *big.Int, q int) (quotient, rest, divisor *big.Int) {
	dividend := new(big.Int).Lsh(numerator, uint(max(-q, 0)))
	divisor = new(big.Int).Lsh(denominator, uint(max(q, 0)))
	quotient, rest = new(big.Int).QuoRem(dividend, divisor, new(big.Int))
	return quotient, rest, divisor
}

// NumberToString is ECMAScript's Number::toString with radix 10 (ECMA-262
// section 6.1.6.1.20) for the double of the given bits, Note 2 included; -0
// gives "0". It is false for NaN and infinities, which have no JSON text.
func NumberToString(b uint64) (string, bool) {
	magnitude := b &^ signBit
	switch {
	case magnitude >= infinity:
		return "", false
	case magnitude == 0:
		return "0", true
	}
	digits, n := shortestDigits(magnitude)
	text := layout(digits, n)
	if b&signBit != 0 {
		text = "-" + text
	}
	return text, true
}

// mustText is NumberToString for a double that is known to be finite.
func mustText(b uint64) string {
	text, ok := NumberToString(b)
	if !ok {
		panic("reference: a number that is not finite has no text")
	}
	return text
}

// shortestDigits finds the digits s and n of the definition: k digits, as few
// as possible, so that s × 10^(n-k) rounds to the double; of several the
// closest to it, of two equally close ones the even one.
//
// The digits of the exact value are taken one by one, a zero perhaps before the
// first. After k of them the value is s units and a rest, a unit being 10^(n-k).
// The only candidates of k digits are s and s+1, since others lie farther off.
func shortestDigits(magnitude uint64) (digits string, n int) {
	mantissa, q := magnitude&(1<<52-1), int(magnitude>>52)
	narrow := mantissa == 0 && q > 1 // the gap below a power of two is half as wide
	if q > 0 {
		mantissa |= 1 << 52
		q--
	}
	q -= 1074
	halfway := 0
	if mantissa%2 == 0 {
		halfway = 1 // a number halfway to the neighbour rounds to the even one
	}
	// All is counted in quarters of the last place over one denominator. Above
	// and below are the distances to the halfway points.
	i := scratch.Get().(*integers)
	defer scratch.Put(i)
	rest, above, below, unit := i.rest.SetUint64(4*mantissa), i.above.SetUint64(2), i.below.SetUint64(2), i.unit.SetUint64(4)
	if narrow {
		below.SetUint64(1)
	}
	shift(uint(max(q, 0)), rest, above, below)
	shift(uint(max(-q, 0)), unit)
	n = int(math.Floor(float64(bits.Len64(mantissa)+q)*log2)) + 1 // the value is below 10^n, but not below 10^(n-2)
	scale(powers[max(n, 0)], unit)
	scale(powers[max(-n, 0)], rest, above, below)
	var s uint64
	k := 0
	digit, gap := &i.digit, &i.gap
	downFits, upFits := false, false
	for !downFits && !upFits {
		k++
		scale(ten, rest, above, below)
		digit.QuoRem(rest, unit, rest)
		s = 10*s + digit.Uint64()
		gap.Sub(unit, rest)
		downFits = rest.Cmp(below) < halfway
		upFits = gap.Cmp(above) < halfway
	}
	closer := rest.Cmp(gap) // > 0: s+1 is closer
	if upFits && (!downFits || closer > 0 || closer == 0 && s%2 == 1) {
		s++
	}
	digits = strconv.FormatUint(s, 10)
	n += len(digits) - k // what comes after 99 is 100, one place higher
	return strings.TrimRight(digits, "0"), n
}

func shift(by uint, values ...*big.Int) {
	for _, v := range values {
		v.Lsh(v, by)
	}
}

func scale(by *big.Int, values ...*big.Int) {
	for _, v := range values {
		v.Mul(v, by)
	}
}

// integers are the integers of one conversion, kept for the next so that the
// memory is.
type integers struct{ rest, above, below, unit, digit, gap big.Int }

var scratch = sync.Pool{New: func() any { return new(integers) }}

// layout writes digits with the decimal point after n of them, by steps 6 to
// 12 of the definition.
func layout(digits string, n int) string {
	k := len(digits)
	switch {
	case k <= n && n <= 21:
		return digits + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return "0." + strings.Repeat("0", -n) + digits
	}
	exponent := strconv.Itoa(n - 1)
	if !strings.HasPrefix(exponent, "-") {
		exponent = "+" + exponent
	}
	tail := "e" + exponent
	if k == 1 {
		return digits + tail
	}
	return digits[:1] + "." + digits[1:] + tail
}

var (
	one    = big.NewInt(1)
	ten    = big.NewInt(10)
	powers = buildPowers()
)

// buildPowers gives the powers of ten, which must not be changed. The greatest
// that is asked for is 10^1124: 801 digits behind 323 zeros.
func buildPowers() (table [1125]*big.Int) {
	power := one
	for e := range table {
		table[e] = power
		power = new(big.Int).Mul(power, ten)
	}
	return table
}

// integer reads decimal digits.
func integer(digits string) *big.Int {
	i, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic("reference: not decimal digits")
	}
	return i
}
