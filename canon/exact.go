package canon

import (
	"cmp"
	"math/bits"
)

// Digits that leave two neighbouring doubles open are compared with the middle
// between the two, which is exact: both are scaled to whole numbers. That takes
// time in the square of the digits, but no more than mostDigits of them matter; nothing
// is allocated.

// mostDigits bounds the digits that are compared. The middle between two
// doubles has 768 at most; so further ones matter only as being zero or not.
const mostDigits = 784

// A whole is a whole number, its lowest word first. It has room for 784 digits
// and for 2^54 × 5^1108: the least double is above 10^-324.
type whole struct {
	words [42]uint64
	n     int // those in use
}

// mulAdd makes a × x + y of a.
func (a *whole) mulAdd(x, y uint64) {
	words := a.words[:a.n]
	for i, word := range words {
		hi, lo := bits.Mul64(word, x)
		lo, carry := bits.Add64(lo, y, 0)
		words[i], y = lo, hi+carry
	}
	if y != 0 {
		a.words[a.n] = y
		a.n++
	}
}

// fives are 5^0 to 5^27.
var fives = func() (t [28]uint64) {
	t[0] = 1
	for e := 1; e < len(t); e++ {
		t[e] = 5 * t[e-1]
	}
	return t
}()

// fiveSteps are 5^0, 5^28, 5^56 and so on.
var fiveSteps = func() (t [40]whole) {
	t[0].mulAdd(0, 1)
	for k := 1; k < len(t); k++ {
		t[k] = t[k-1]
		t[k].mulFives(28)
	}
	return t
}()

// mulFives multiplies by 5^e.
func (a *whole) mulFives(e int) {
	for ; e > 27; e -= 27 {
		a.mulAdd(fives[27], 0)
	}
	a.mulAdd(fives[e], 0)
}

// setFives makes x × 5^e of a.
func (a *whole) setFives(x uint64, e int) {
	step := &fiveSteps[e/28]
	a.n = copy(a.words[:], step.words[:step.n])
	a.mulAdd(x, 0)
	a.mulAdd(fives[e%28], 0)
}

// size counts the bits.
func (a *whole) size() int { return 64*a.n - bits.LeadingZeros64(a.words[a.n-1]) }

// compareShifted compares a × 2^shift with b, neither of them zero.
func compareShifted(a, b *whole, shift int) int {
	if difference := a.size() + shift - b.size(); difference != 0 {
		return difference
	}
	skip, up := shift/64, uint(shift)%64
	word := func(i int) uint64 { // of a; those not in use are zero
		if i < 0 {
			return 0
		}
		return a.words[i]
	}
	for i := b.n - 1; i >= 0; i-- {
		shifted := word(i-skip)<<up | word(i-skip-1)>>(64-up)
		if c := cmp.Compare(shifted, b.words[i]); c != 0 {
			return c
		}
	}
	return 0
}

// readDigits reads the number at p, behind its sign, from its first digit that
// is not zero on, as if it were whole. It gives the place behind the last digit
// that was taken, and how many were.
func (a *whole) readDigits(in text, p int) (end, taken int) {
	for c := byteAt(in, p); c == '0' || c == '.'; c = byteAt(in, p) {
		p++
	}
	for {
		x := load64(in, p)
		k := digitRun(x)
		if k == 8 && digitRun(load64(in, p+8)) == 8 && taken+16 <= mostDigits {
			a.mulAdd(1e16, eightDigitsOf(x)*1e8+eightDigitsOf(load64(in, p+8)))
			p, taken = p+16, taken+16
			continue
		}
		k = min(k, 7, mostDigits-taken)
		a.mulAdd(tens[k], eightDigitsOf(x<<8<<((56-8*k)&63)))
		p, taken = p+k, taken+k
		if byteAt(in, p) == '.' {
			p++
		} else if k < 7 {
			return p, taken
		}
	}
}

// onlyZeros reports whether nothing but zeros is left of the digits at p.
func onlyZeros(in text, p int) bool {
	for {
		x := load64(in, p)
		if k := digitRun(x); k < 8 {
			x = (x ^ '0'*ones) << 8 << ((56 - 8*k) & 63)
			if x != 0 || byteAt(in, p+k) != '.' {
				return x == 0
			}
			p += k + 1
		} else if p += 8; x != '0'*ones {
			return false
		}
	}
}

// A middle is half × 2^e, halfway between two doubles.
type middle struct {
	half uint64
	e    int
}

// middleAbove gives the middle between a double and the next greater one.
func middleAbove(low uint64) middle {
	f, e := low&(1<<52-1), -1075
	if low >= 1<<52 {
		f, e = f|1<<52, int(low>>52)-1076
	}
	return middle{2*f + 1, e}
}

// sideOf tells on which side of the middle a number close to it lies: 0 if 128
// bits do not tell. Its first digits are (high × 2^64 + low) × 10^exponent; more
// says that there are others.
func (m middle) sideOf(high, low uint64, exponent int, more bool) int {
	n := 0
	if high == 0 {
		if more {
			return 0 // they are too few to tell
		}
		high, low, n = low, 0, 64
	}
	zeros := bits.LeadingZeros64(high)
	high, low, n = high<<(zeros&63)|low>>1>>((63-zeros)&63), low<<(zeros&63), n+zeros
	if exponent < leastPower {
		return 0
	}
	up := n + m.e - floorLog2(exponent) - 65
	if uint(up) > uint(bits.LeadingZeros64(m.half)) {
		return 0
	}
	p := &powers[exponent-leastPower]
	_, borrow := bits.Sub64(0, p.lo, 0)
	powerHigh, powerLow := p.hi-borrow, -p.lo
	// The upper half of a product of 128 and 128 bits. It may be one too great
	// since the power is rounded up, three too small for what is cut off, and
	// 2^n too small for further digits.
	further := uint64(0)
	if more {
		further = 1 << (n & 63)
	}
	margin := 4 + further
	hi, lo := bits.Mul64(high, powerHigh)
	a, _ := bits.Mul64(high, powerLow)
	b, _ := bits.Mul64(low, powerHigh)
	lo, carry := bits.Add64(lo, a, 0)
	hi += carry
	lo, carry = bits.Add64(lo, b, 0)
	switch hi += carry - m.half<<(up&63); {
	case hi == 0 && lo > margin, 0 < int64(hi):
		return 1
	case hi == 1<<64-1 && lo < -margin, int64(hi) < -1:
		return -1
	}
	return 0
}

// nearest decides which double is nearest to the number at p, behind its sign,
// whose first 19 digits are worth 10^exponent each unit: low, above which the
// middle is, or the next greater one.
func (m middle) nearest(in text, p, exponent int, low uint64) uint64 {
	var digits, scaled whole
	end, taken := digits.readDigits(in, p)
	exponent += 19 - taken
	digits.mulFives(max(0, exponent))
	scaled.setFives(m.half, max(0, -exponent))
	side := 0
	if shift := exponent - m.e; shift >= 0 {
		side = compareShifted(&digits, &scaled, shift)
	} else {
		side = -compareShifted(&scaled, &digits, -shift)
	}
	if side > 0 || side == 0 && (low&1 != 0 || !onlyZeros(in, end)) {
		return low + 1
	}
	return low
}
