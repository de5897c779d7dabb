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

// fourDigitsOf gives the value of the four digits in x, first digit lowest; a byte
// that is 0 counts as one.
func fourDigitsOf(x uint32) int {
	x &= 0x0F0F0F0F
	x = (x*10 + x>>8) & 0x00FF00FF
	return int(x*100+x>>16) & 0xFFFF
}

// tens has room for an index that is cut to five bits.
var tens = [32]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// asItStands gives the place behind the number or literal at p if it can be
// seen to be canonical. If not, end is negative; and if it is a decimal or an
// integer of 16 digits or some more, it ends at ^end and double is the nearest
// one's bits without their sign, else double is 0.
func asItStands(in text, p int) (end int, double uint64) {
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
		return -1, 0
	case first != '0':
		return literalEnd(in, p, x), 0
	case ends[byte(x>>8)]:
		return p + 1, 0
	default:
		return -1, 0
	}
	n := digitRun(x)
	if n == 8 {
		n += digitRun(load64(in, i+8))
	}
	if n == 16 {
		return longInteger(in, i)
	}
	c := byteAt(in, i+n)
	if ends[c] {
		return i + n, 0
	}
	if c != '.' || n >= 8 {
		return -1, 0
	}
	f := i + n + 1
	m := digitRun(load64(in, f))
	if m == 8 {
		if m += digitRun(load64(in, f+8)); m == 16 {
			m += digitRun(load64(in, f+16))
		}
	}
	switch {
	case n+m > 15:
		return longDecimal(in, i, n, m)
	case !ends[byteAt(in, f+m)]:
		return -1, 0
	// A last zero is dropped; so is the point if no digit follows, which is a
	// fault besides. Six zeros ask for an exponent.
	case byteAt(in, f+m-1) <= '0', first == '0' && (load64(in, f)^'0'*ones)&0xFFFFFFFFFFFF == 0:
		return -1, 0
	}
	return f + m, 0
}

// longDecimal is asItStands for the decimal whose first digit is at i, with n
// digits, at most 7, before its point and m behind it, 16 or more in all. It may
// have an exponent.
func longDecimal(in text, i, n, m int) (end int, double uint64) {
	end = i + 1 + n + m
	exponent, plain := 0, ends[byteAt(in, end)]
	if !plain {
		if exponent, end = exponentAt(in, end); end < 0 {
			return -1, 0
		}
	}
	x := load64(in, i)
	digits := n + m
	if byte(x) == '0' {
		digits -= 1 + bits.TrailingZeros64(load64(in, i+2)^'0'*ones)>>3
	}
	if digits > 19 {
		m -= digits - 19 // the first 19 alone
	}
	if m > 22 {
		return -1, 0
	}
	before := uint64(1)<<(8*n&63) - 1
	value := eightDigitsOf(x&before|load64(in, i+1)&^before)*1e8 + eightDigitsOf(load64(in, i+9))
	rest := (n + m) & 15 // behind the first 16
	last := load64(in, i+17) << 8 << ((56 - 8*rest) & 63)
	value = value*tens[rest] + eightDigitsOf(last)
	sure := true
	switch {
	case value == 0:
		return -1, 0
	case digits > 19:
		double, sure = nearestCut(value, exponent-m)
	case !plain:
		double = nearest(value, exponent-m)
	case isShortest(value, m):
		return end, 0
	default:
		double = nearestPlain(value, m)
	}
	if !sure || double == infinity {
		return -1, 0 // the digits left out decide, or the number is refused
	}
	return ^end, double
}

// exponentAt reads an exponent of at most 4 digits, from its mark at p on, and
// gives the place behind the number, -1 if that is not what there is.
func exponentAt(in text, p int) (e, end int) {
	x := load64(in, p)
	if byte(x)|0x20 != 'e' {
		return 0, -1
	}
	x >>= 8
	p++
	sign := byte(x)
	if (sign-'+')&^2 == 0 { // or -
		x >>= 8
		p++
	}
	k := digitRun(x)
	e = fourDigitsOf(uint32(x) << ((32 - 8*k) & 31))
	if sign == '-' {
		e = -e
	}
	if p += k; uint(k-1) > 3 || !ends[byteAt(in, p)] {
		return 0, -1
	}
	return e, p
}

// longInteger is asItStands for a number that begins with 16 digits at i, the
// first of them not zero.
func longInteger(in text, i int) (end int, double uint64) {
	value := eightDigitsOf(load64(in, i))*1e8 + eightDigitsOf(load64(in, i+8))
	x := load64(in, i+16)
	rest := digitRun(x)
	if end = i + 16 + rest; rest > 3 || !ends[byteAt(in, end)] {
		return -1, 0
	}
	value = value*tens[rest&31] + eightDigitsOf(x<<8<<((56-8*rest)&63))
	if value <= 1<<53 {
		return end, 0 // every integer up to there is a double
	}
	return ^end, math.Float64bits(float64(value))
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

// changedScalar writes the number or literal at p that may not stay as it stands
// to w.out at o; end and double are those of asItStands. It gives the places
// behind it in both; a negative one in the output alone is enough to refuse.
func (w *writer) changedScalar(p, o, end int, double uint64) (int, int) {
	if double != 0 && !w.inexact {
		digits, exponent := shortest(double)
		return ^end, w.layOut(p, ^end, o, digits, exponent)
	}
	if end, behind := w.shortNumber(p, o); end >= 0 {
		return end, behind
	}
	return w.rareScalar(p, o)
}
