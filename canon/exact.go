package canon

import "math/bits"

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

// mulFives multiplies by 5^e.
func (a *whole) mulFives(e int) {
	const five27 = 7450580596923828125
	for ; e >= 27; e -= 27 {
		a.mulAdd(five27, 0)
	}
	if e >= 19 {
		a.mulAdd(tens[19]>>19, 0)
		e -= 19
	}
	a.mulAdd(tens[e&31]>>(e&31), 0)
}

// size counts the bits.
func (a *whole) size() int { return 64*a.n - bits.LeadingZeros64(a.words[a.n-1]) }

// compareShifted compares a × 2^shift with b, neither of them zero.
func compareShifted(a, b *whole, shift int) int {
	if difference := a.size() + shift - b.size(); difference != 0 {
		return difference
	}
	skip, up := shift/64, uint(shift)%64
	below := func(i int) uint64 { // word i of a
		if i < 0 || i >= a.n {
			return 0
		}
		return a.words[i]
	}
	for i := b.n - 1; i >= 0; i-- {
		word := below(i-skip)<<up | below(i-skip-1)>>(64-up)
		if word != b.words[i] {
			if word < b.words[i] {
				return -1
			}
			return 1
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

// nearestExactly decides which double is nearest to the number at p, behind its
// sign, whose first 19 digits are worth 10^exponent each unit: low or the next
// greater one.
func nearestExactly(in text, p, exponent int, low uint64) uint64 {
	var digits, middle whole
	end, taken := digits.readDigits(in, p)
	exponent -= taken - 19
	f, e := low&(1<<52-1), -1074
	if low >= 1<<52 {
		f, e = f|1<<52, int(low>>52)-1075
	}
	middle.mulAdd(0, 2*f+1)
	if exponent >= 0 {
		digits.mulFives(exponent)
	} else {
		middle.mulFives(-exponent)
	}
	side := 0
	if shift := exponent - e + 1; shift >= 0 {
		side = compareShifted(&digits, &middle, shift)
	} else {
		side = -compareShifted(&middle, &digits, -shift)
	}
	switch {
	case side > 0, side == 0 && (low&1 != 0 || !onlyZeros(in, end)):
		return low + 1
	}
	return low
}
