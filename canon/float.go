package canon

import "math/bits"

// Doubles and decimals are turned into each other by one multiplication with a
// power of ten of 128 bits, after Russ Cox, "Floating-Point Printing and
// Parsing Can Be Simple And Fast" (2026). The tests compare both directions
// with exact arithmetic.

// A power is 10^p as (hi × 2^64 - lo) × 2^(floorLog2(p) - 127), rounded up.
type power struct{ hi, lo uint64 }

// floorLog2 gives the whole part of log2(10^p), floorLog10 that of log10(2^e),
// and floorLog10Short that of log10(3/4 × 2^e), for all that doubles need.
func floorLog2(p int) int       { return p * 108853 >> 15 }
func floorLog10(e int) int      { return e * 78913 >> 18 }
func floorLog10Short(e int) int { return (e*631305 - 261663) >> 21 }

// An unrounded is four times a value, cut to an integer, with the lowest bit
// set if anything was cut off: enough to round it any way.
type unrounded uint64

func (u unrounded) floor() uint64 { return uint64(u >> 2) }
func (u unrounded) ceil() uint64  { return uint64((u + 3) >> 2) }

// even rounds to the nearest integer, of two equally near ones to the even one.
func (u unrounded) even() uint64 { return uint64((u + 1 + u>>2&1) >> 2) }

// A scaler multiplies by 2^e × 10^p.
type scaler struct {
	power
	shift int
}

func newScaler(e, p int) scaler {
	return scaler{powers[p-leastPower], -(e + floorLog2(p) + 3)}
}

// scale gives x × 2^e × 10^p for an x with its highest bit set. Unless the
// bits that are cut off are all zero in the product with the power's upper
// half, its lower half changes nothing.
func (s *scaler) scale(x uint64) unrounded {
	hi, mid := bits.Mul64(x, s.hi)
	shift := uint(s.shift) & 63
	if hi&(1<<shift-1) != 0 {
		return unrounded(hi>>shift | 1)
	}
	return s.scaleSlowly(x, hi, mid)
}

func (s *scaler) scaleSlowly(x, hi, mid uint64) unrounded {
	shift := uint(s.shift) & 63
	mid2, _ := bits.Mul64(x, s.lo)
	rest, borrow := bits.Sub64(mid, mid2, 0)
	hi -= borrow
	sticky := uint64(0)
	if rest > 1 || hi&(1<<shift-1) != 0 {
		sticky = 1
	}
	return unrounded(hi>>shift | sticky)
}

// shortest gives the decimal digits × 10^exponent that Number::toString writes
// for a positive finite double: the fewest digits that still give it, of those
// the closest, of equally close ones the even one. The digits end with no zero.
func shortest(double uint64) (digits uint64, exponent int) {
	m, e := double<<11, int(double>>52)-1086
	zeros := 11 // below the double's own last bit
	if e >= -1085 {
		m |= 1 << 63
	} else {
		n := bits.LeadingZeros64(m)
		m, e, zeros = m<<n, -1085-n, 11+n
	}
	p, down := -floorLog10(e+zeros), zeros-1
	if m == 1<<63 && e > -1085 { // the next lower double is half as far
		p, down = -floorLog10Short(e+zeros), zeros-2
	}
	odd := unrounded(m >> (zeros & 63) & 1) // an odd double does not own the halfway points

	s := newScaler(e, p)
	lower, exact, upper := s.scaleAround(m, down, zeros-1)
	least, most := (lower + odd).ceil(), (upper - odd).floor()
	// Which digits are taken is as good as random: no branch tells.
	digits, exponent = exact.even(), -p
	if least >= most {
		digits = least
	}
	d, up := most/10, 0
	if d*10 >= least {
		digits = d
	}
	if d*10 >= least {
		up = 1
	}
	return trimZeros(digits, exponent+up)
}

// scaleAround is scale for x - 2^down, x and x + 2^up: the other two products
// are sums of the first one and shifted powers.
func (s *scaler) scaleAround(x uint64, down, up int) (lower, exact, upper unrounded) {
	shift := uint(s.shift) & 63
	mask := uint64(1)<<shift - 1
	hi, mid := bits.Mul64(x, s.hi)
	d, u := uint(down)&63, uint(up)&63
	lowerMid, borrow := bits.Sub64(mid, s.hi<<d, 0)
	lowerHi, _ := bits.Sub64(hi, s.hi>>((64-d)&63), borrow)
	upperMid, carry := bits.Add64(mid, s.hi<<u, 0)
	upperHi, _ := bits.Add64(hi, s.hi>>((64-u)&63), carry)
	if hi&mask == 0 || lowerHi&mask == 0 || upperHi&mask == 0 {
		return s.scaleSlowly(x-1<<d, lowerHi, lowerMid), s.scaleSlowly(x, hi, mid), s.scaleSlowly(x+1<<u, upperHi, upperMid)
	}
	return unrounded(lowerHi>>shift | 1), unrounded(hi>>shift | 1), unrounded(upperHi>>shift | 1)
}

// trimZeros drops zeros at the end of digits that are not all zero: dividing
// by 5^k is multiplying by its inverse modulo 2^64, by 2^k a rotation, and the
// result is small if there was no rest.
func trimZeros(digits uint64, exponent int) (uint64, int) {
	const (
		inverse5e8 = 0xc767074b22e90e21
		inverse5e4 = 0xd288ce703afb7e91
		inverse5e2 = 0x8f5c28f5c28f5c29
		inverse5e1 = 0xcccccccccccccccd
		most       = ^uint64(0)
	)
	// One zero at the end cannot be guessed; two are rare.
	q, one := bits.RotateLeft64(digits*inverse5e1, -1), 0
	if q <= most/10 {
		digits = q
	}
	if q <= most/10 {
		one = 1
	}
	exponent += one
	if bits.RotateLeft64(digits*inverse5e1, -1) > most/10 {
		return digits, exponent
	}
	if q := bits.RotateLeft64(digits*inverse5e8, -8); q <= most/1e8 {
		digits, exponent = q, exponent+8
	}
	if q := bits.RotateLeft64(digits*inverse5e4, -4); q <= most/1e4 {
		digits, exponent = q, exponent+4
	}
	if q := bits.RotateLeft64(digits*inverse5e2, -2); q <= most/100 {
		digits, exponent = q, exponent+2
	}
	if q := bits.RotateLeft64(digits*inverse5e1, -1); q <= most/10 {
		digits, exponent = q, exponent+1
	}
	return digits, exponent
}

// infinity is the bits of the least value that is no finite double.
const infinity = 0x7FF << 52

// nearest gives the double that is nearest to digits × 10^exponent, of two
// equally near ones the even one; infinity if it is beyond the range. The
// digits must be below 10^19 and not zero.
func nearest(digits uint64, exponent int) (double uint64) {
	if exponent < leastPower {
		return 0 // less than 10^19 × 10^-344
	}
	if exponent > 308 {
		return infinity
	}
	n := bits.Len64(digits)
	e := min(1074, 53-n-floorLog2(exponent))
	s := newScaler(e-(64-n), exponent)
	if s.shift > 63 {
		return 0 // less than a quarter of the least double
	}
	u := s.scale(digits << (64 - n))
	if u >= 1<<55 {
		u, e = u>>1|u&1, e-1
	}
	double = u.even() + uint64(1074-e)<<52
	return min(double, infinity)
}

// nearestCut is nearest for a number that has further digits, whatever they
// are; its digits are 19. If the upper half of the product does not tell, sure
// is false, and it is that double or the next greater one.
func nearestCut(digits uint64, exponent int) (double uint64, sure bool) {
	switch {
	case exponent < leastPower:
		return 0, true
	case exponent > 308:
		return infinity, true
	}
	n := bits.LeadingZeros64(digits)
	hi, _ := bits.Mul64(digits<<(n&63), powers[exponent-leastPower].hi)
	shift := 10 + int(hi>>63)
	e := floorLog2(exponent) + 1 - n + shift
	shift += max(0, -1074-e)
	e = max(e, -1074)
	if shift > 64 {
		return 0, true // less than half the least double: those next to it have 64
	}
	// The product may be one less for what is cut off, and one more since the
	// power is rounded up; the next greater digits add up to 2^n.
	most, carry := bits.Add64(hi, 1<<(n&63)+1, 0)
	f := ((hi-1)>>((shift-1)&63) + 1) >> 1
	g := (most>>((shift-1)&63) + 1) >> 1
	if double = f + uint64(e+1074)<<52; double >= infinity {
		return infinity, true
	}
	return double, f == g && carry == 0
}

// A tenth is 10^-m for an m that is small.
type tenth struct {
	power        // of 10^-m
	whole uint64 // 10^m, 0 from m = 20 on
	log2  int    // the whole part of log2(10^-m)
}

// tenths has room for an index that is cut to five bits.
var tenths = func() (t [32]tenth) {
	for m := range t {
		t[m] = tenth{powers[-leastPower-m], tens[m], floorLog2(-m)}
	}
	return t
}()

// nearestPlain is nearest for digits that are not zero and an exponent of -m
// from 0 to -23: the result is neither subnormal nor beyond the range.
func nearestPlain(digits uint64, m int) (double uint64) {
	const shift = 8 // for every normal double
	n := bits.Len64(digits)
	t := &tenths[m&31]
	e := 53 - n - t.log2
	s := scaler{t.power, shift}
	u := s.scale(digits << ((64 - n) & 63))
	if u >= 1<<55 {
		u, e = u>>1|u&1, e-1
	}
	return u.even() + uint64(1074-e)<<52
}

// isShortest reports whether it can be seen at once that value × 10^-m, m from
// 1 to 31, is what shortest gives for the double nearest to it, so that nothing
// need be converted. It is seen of nearly all from 2^-8 to 2^42, where ties
// become usual.
//
// With that double as f × 2^-s, all is exact in units of 10^-m × 2^-s, modulo
// 2^64: the double's neighbours are 10^m away, decimals of m digits lie 2^s
// apart, and value differs from the double by no more than 10^m. The neighbours
// of a power of two are not equally far; but it has 8 digits behind the point at
// most, so that it is value itself, or a decimal with a digit less.
func isShortest(value uint64, m int) bool {
	t := &tenths[m&31]
	n := bits.LeadingZeros64(value)
	hi, _ := bits.Mul64(value<<(n&63), t.hi)
	top := int(hi >> 63)
	f := (hi>>((9+top)&63) + 1) >> 1
	s := n - t.log2 - 11 - top
	if uint(s-1) >= 60 || t.whole == 0 {
		return false
	}
	unit, last := uint64(1)<<(s&63), value%10
	above, half := value<<(s&63)-f*t.whole, t.whole/2
	below, beyond := half+above, half-above // from the ends of what rounds to the double
	// The double is the nearest one, value the nearest of its digits, and
	// neither decimal with a digit less rounds to the double.
	return below-1 < last<<(s&63)-1 && beyond-1 < (10-last)<<(s&63)-1 && last != 0 &&
		above+unit/2-1 < unit-1
}
