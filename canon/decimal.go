package canon

import (
	"math"
	"math/bits"
)

// Most numbers are canonical as they stand: plain decimals of at most 15
// digits, which every double keeps (C's DBL_DIG), without a zero to drop and
// not so small that they are written with an exponent.

// ends are the bytes that may follow a number or literal.
var ends = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ',': true, ']': true, '}': true}

// digitRun counts the decimal digits in x before the first other byte.
func digitRun(x uint64) int {
	x ^= 0x3030303030303030
	return bits.TrailingZeros64((x|(x+0x7676767676767676))&0x8080808080808080) >> 3
}

// eightDigitsOf gives the value of the eight digits in x, first digit lowest:
// by pairs, then fours, then all.
func eightDigitsOf(x uint64) uint64 {
	x &= 0x0F0F0F0F0F0F0F0F
	x = x*10 + x>>8
	return ((x&0x000000FF000000FF)*0x000F424000000064 + (x>>16&0x000000FF000000FF)*0x0000271000000001) >> 32
}

// tens has room for an index that is cut to five bits.
var tens = [32]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// asItStands gives the place behind the number or literal at p if it can be
// seen to be canonical. If not, end is negative; and if it is a plain decimal
// of more than 15 digits and at most 19, it is value × 10^-m and ends at ^end,
// else m is 0.
func asItStands(in text, p int) (end, m int, value uint64) {
	i := p
	x := load64(in, p)
	if byte(x) == '-' {
		i++
		x = load64(in, i)
	}
	first := byte(x)
	switch {
	case first-'1' <= 8:
	case first == '0' && byte(x>>8) == '.':
	case i > p: // -0 among them
		return -1, 0, 0
	case first != '0':
		return literalEnd(in, p, x), 0, 0
	case ends[byte(x>>8)]:
		return p + 1, 0, 0
	default:
		return -1, 0, 0
	}
	n := digitRun(x)
	if n == 8 {
		n += digitRun(load64(in, i+8))
	}
	c := byteAt(in, i+n)
	if ends[c] && n <= 15 {
		return i + n, 0, 0
	}
	if c != '.' || n >= 8 {
		return -1, 0, 0
	}
	f := i + n + 1
	if m = digitRun(load64(in, f)); m == 8 {
		if m += digitRun(load64(in, f+8)); m == 16 {
			m += digitRun(load64(in, f+16))
		}
	}
	switch {
	case !ends[byteAt(in, f+m)]:
		return -1, 0, 0
	case n+m > 15:
		return longDecimal(in, i, n, m)
	// A last zero is dropped; so is the point if no digit follows, which is a
	// fault besides. Six zeros ask for an exponent.
	case byteAt(in, f+m-1) <= '0', first == '0' && (load64(in, f)^'0'*ones)&0xFFFFFFFFFFFF == 0:
		return -1, 0, 0
	}
	return f + m, 0, 0
}

// longDecimal is asItStands for the plain decimal whose first digit is at i,
// with n digits, at most 7, before its point and m behind it, 16 or more in all.
func longDecimal(in text, i, n, m int) (end, places int, value uint64) {
	x := load64(in, i)
	digits := n + m
	if byte(x) == '0' {
		digits -= 1 + bits.TrailingZeros64(load64(in, i+2)^'0'*ones)>>3
	}
	if digits > 19 || m > 22 {
		return -1, 0, 0
	}
	before := uint64(1)<<(8*n&63) - 1
	value = eightDigitsOf(x&before|load64(in, i+1)&^before)*1e8 + eightDigitsOf(load64(in, i+9))
	rest := n + m - 16 // up to 7
	last := load64(in, i+17) << 8 << ((56 - 8*rest) & 63)
	value = value*tens[rest&31] + eightDigitsOf(last)
	end = i + 1 + n + m
	switch {
	case value == 0:
		return -1, 0, 0
	case isShortest(value, m):
		return end, 0, 0
	}
	return ^end, m, value
}

// literalEnd is asItStands for a literal, from the word at p.
func literalEnd(in text, p int, x uint64) int {
	const null, tru, fals = 0x6c6c756e, 0x65757274, 0x65736c6166
	size := 4
	switch {
	case uint32(x) == null, uint32(x) == tru:
	case x&0xFFFFFFFFFF == fals:
		size = 5
	default:
		return -1
	}
	if !ends[byteAt(in, p+size)] {
		return -1
	}
	return p + size
}

// scalar writes the number or literal that begins at p and gives the places
// behind it in the text and in the output, negative ones if it must be refused.
func (w *writer) scalar(p, o int) (int, int) {
	end, m, value := asItStands(w.in, p)
	if end >= 0 {
		copy32(w.out, o, w.in, p)
		return end, o + end - p
	}
	if end, o = w.changedScalar(p, o, end, m, value); end-p > w.digits {
		return -1, -1
	}
	return end, o
}

// changedScalar is scalar for what may not stay as it stands; end, m and value
// are those of asItStands.
func (w *writer) changedScalar(p, o, end, m int, value uint64) (int, int) {
	switch {
	case w.inexact:
	case m > 0:
		return w.roundedDecimal(p, o, ^end, m, value)
	case byteAt(w.in, p)-'1' <= 8 && digitRun(load64(w.in, p)) == 8:
		return w.longInteger(p, o)
	}
	return w.rareScalar(p, o)
}

// roundedDecimal writes the number at p, which is value × 10^-m and ends at end.
func (w *writer) roundedDecimal(p, o, end, m int, value uint64) (int, int) {
	copy32(w.out, o, w.in, p)
	if byteAt(w.in, p) == '-' {
		p, o = p+1, o+1
	}
	short, exponent := shortest(nearestPlain(value, m))
	if short == value && value >= tens[(m-6)&31] {
		return end, o + end - p // as it stands, from 0.000001 on
	}
	return end, putDigits(w.out, o, short, exponent)
}

// longInteger writes the number at p, which begins with eight digits and no
// zero, if it is an integer of 16 to 19.
func (w *writer) longInteger(p, o int) (int, int) {
	in, n := w.in, 16
	if digitRun(load64(in, p+8)) < 8 {
		return w.rareScalar(p, o)
	}
	value := eightDigitsOf(load64(in, p))*1e8 + eightDigitsOf(load64(in, p+8))
	for ; n < 20 && isDigit(byteAt(in, p+n)); n++ {
		value = value*10 + uint64(byteAt(in, p+n)-'0')
	}
	if n == 20 || !ends[byteAt(in, p+n)] {
		return w.rareScalar(p, o)
	}
	digits, exponent := shortest(nearestPlain(value, 0))
	if countDigits(digits)+exponent != n {
		return w.rareScalar(p, o) // it has grown, and room must be looked for
	}
	return p + n, putDigits(w.out, o, digits, exponent)
}

// putDigits writes digits × 10^exponent as Number::toString does; the digits
// are 1 to 17 and do not end with a zero. It may store up to 32 bytes.
func putDigits(out text, o int, digits uint64, exponent int) int {
	n := countDigits(digits)
	point := n + exponent // digits before the decimal point
	// The digits as text, filled up with zeros: d0, d1 and d2.
	digits *= tens[(17-n)&31]
	head, tail := digits/1e16, digits%1e16
	a, b := eightDigits(tail/1e8), eightDigits(tail%1e8)
	d0, d1, d2 := '0'+head|a<<8, a>>56|b<<8, b>>56
	switch {
	case 0 < point && point <= 21:
		if n <= point {
			store64(out, o, d0)
			store64(out, o+8, d1)
			store64(out, o+16, d2|0x3030303030303000)
			return o + point
		}
		store64(out, o, d0)
		store64(out, o+8, d1)
		k := uint(8 * point)
		if point >= 8 {
			d0, d1, d2 = d1, d2, 0
			k -= 64
		}
		putByte(out, o+point, '.')
		store64(out, o+point+1, d0>>k|d1<<(64-k))
		store64(out, o+point+9, d1>>k|d2<<(64-k))
		return o + n + 1
	case -6 < point && point <= 0:
		store64(out, o, 0x3030303030302E30) // 0.000000
		o += 2 - point
		store64(out, o, d0)
		store64(out, o+8, d1)
		putByte(out, o+16, byte(d2))
		return o + n
	}
	putByte(out, o, byte(d0))
	o++
	if n > 1 {
		putByte(out, o, '.')
		store64(out, o+1, d0>>8|d1<<56)
		store64(out, o+9, d1>>8|d2<<56)
		o += n
	}
	return putExponent(out, o, point-1)
}

func putExponent(out text, o, e int) int {
	putByte(out, o, 'e')
	putByte(out, o+1, '+')
	if e < 0 {
		putByte(out, o+1, '-')
		e = -e
	}
	o += 2
	if e >= 100 {
		putByte(out, o, byte('0'+e/100))
		o++
	}
	if e >= 10 {
		putByte(out, o, byte('0'+e/10%10))
		o++
	}
	putByte(out, o, byte('0'+e%10))
	return o + 1
}

// countDigits counts the decimal digits of x; 0 has none.
func countDigits(x uint64) int {
	n := bits.Len64(x) * 1233 >> 12
	if x >= tens[n&31] && n < 20 {
		n++
	}
	return n
}

// eightDigits gives the text of x, below 10^8, first digit lowest: by halves,
// then pairs, then digits.
func eightDigits(x uint64) uint64 {
	x = x/10000 | x%10000<<32
	pairs := x * 10486 >> 20 & 0x0000007F0000007F
	x = pairs | (x-pairs*100)<<16
	units := x * 103 >> 10 & 0x000F000F000F000F
	return (units | (x-units*10)<<8) + 0x3030303030303030
}

// rareScalar is scalar for all other numbers: those that have an exponent,
// zeros to drop or many digits; and it stops at what is none.
func (w *writer) rareScalar(p, o int) (int, int) {
	in := w.in
	var n decimalText
	end := n.read(in, p)
	if end < 0 {
		return -1, -1
	}
	if n.digits-1 < 1e15-1 && !n.more && -290 <= n.exponent && n.exponent <= 290 {
		return w.laidOut(o, end, &n) // all doubles here keep 15 digits
	}
	double := n.double(piece(in, p, end))
	switch {
	case double == infinity,
		double == 0 && n.negative && w.negativeZero,
		double == 0 && n.digits != 0 && (w.underflow || w.inexact):
		return -1, -1
	case double == 0:
		putByte(w.out, o, '0')
		return end, o + 1
	}
	digits, exponent := shortest(double)
	if w.inexact && (n.more || n.digits != digits || n.exponent != exponent) {
		return -1, -1
	}
	n.digits, n.exponent = digits, exponent
	return w.laidOut(o, end, &n)
}

// laidOut writes the number n, of 17 digits at most, whose text ends at end.
func (w *writer) laidOut(o, end int, n *decimalText) (int, int) {
	if n.negative {
		putByte(w.out, o, '-')
		o++
	}
	o = putDigits(w.out, o, n.digits, n.exponent)
	if o+w.size-end > w.space-outputSlack {
		w.full = true
		return -1, -1
	}
	return end, o
}

// A decimalText is what a number's text says: (-) digits × 10^exponent, the
// digits without a zero at their end; zero has none.
type decimalText struct {
	digits   uint64 // the first 19
	exponent int
	negative bool
	more     bool // there are further digits that are not zero
}

// read reads the number at p and gives the place behind it, -1 if it is none
// or goes on as no number may.
func (n *decimalText) read(in text, p int) int {
	if byteAt(in, p) == '-' {
		n.negative = true
		p++
	}
	start := p
	if p = n.run(in, p, 0); p == start || byteAt(in, start) == '0' && p > start+1 {
		return -1
	}
	if byteAt(in, p) == '.' {
		start = p + 1
		if p = n.run(in, start, 1); p == start {
			return -1
		}
	}
	if byteAt(in, p)|0x20 == 'e' {
		p++
		negative := byteAt(in, p) == '-'
		if negative || byteAt(in, p) == '+' {
			p++
		}
		start = p
		e := 0
		for ; isDigit(byteAt(in, p)); p++ {
			if e < exponentCut {
				e = e*10 + int(byteAt(in, p)-'0')
			}
		}
		if p == start {
			return -1
		}
		if negative {
			e = -e
		}
		n.exponent += e
	}
	if !ends[byteAt(in, p)] {
		return -1
	}
	if n.digits != 0 {
		n.digits, n.exponent = trimZeros(n.digits, n.exponent) // 16 of them,
		n.digits, n.exponent = trimZeros(n.digits, n.exponent) // of 18
	}
	return p
}

// run reads digits; each is worth a tenth of the one before from the first
// place on for which fraction is 1.
func (n *decimalText) run(in text, p, fraction int) int {
	for ; isDigit(byteAt(in, p)); p++ {
		switch d := uint64(byteAt(in, p) - '0'); {
		case n.digits < 1e18:
			n.digits = n.digits*10 + d
			n.exponent -= fraction
		default:
			n.more = n.more || d != 0
			n.exponent += 1 - fraction
		}
	}
	return p
}

// double gives the bits of the double nearest to the number, without its sign.
// Digits beyond 19 matter only if the number with the 19 digits and the next
// greater one have different doubles; strconv decides these by exact
// arithmetic.
func (n *decimalText) double(text []byte) uint64 {
	if n.digits == 0 {
		return 0
	}
	double := nearest(n.digits, n.exponent)
	if !n.more {
		return double
	}
	// the digits may have lost zeros, but then they are fewer than 19 and exact
	digits, exponent := n.digits, n.exponent
	for digits < 1e18 {
		digits, exponent = digits*10, exponent-1
	}
	if nearest(digits+1, exponent) == double {
		return double
	}
	if text[0] == '-' {
		text = text[1:]
	}
	f, err := parseFloat(text)
	if err != nil {
		return infinity
	}
	return math.Float64bits(f)
}

// exponentCut is where reading an exponent ends: no text in memory has digits
// enough to make up for it.
const exponentCut = 1 << (bits.UintSize - 5)
