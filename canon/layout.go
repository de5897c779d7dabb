package canon

import (
	"math/bits"
	"strconv"
)

// putDigits writes digits × 10^exponent as Number::toString does; the digits
// are 1 to 17 and do not end with a zero. It may store up to 32 bytes.
func putDigits(out text, o int, digits uint64, exponent int) int {
	d0, d1, d2, n := textOfDigits(digits)
	return putText(out, o, d0, d1, d2, n, n+exponent)
}

// textOfDigits gives the text of the n digits, 1 to 17, first digit lowest and
// filled up with zeros.
func textOfDigits(digits uint64) (d0, d1, d2 uint64, n int) {
	n = countDigits(digits)
	digits *= tens[(17-n)&31]
	head, tail := digits/1e16, digits%1e16
	a, b := eightDigits(tail/1e8), eightDigits(tail%1e8)
	return '0' + head | a<<8, a>>56 | b<<8, b >> 56, n
}

// putText is putDigits for the n digits that d0, d1 and d2 have as text, filled
// up with zeros, point of them before the decimal point.
func putText(out text, o int, d0, d1, d2 uint64, n, point int) int {
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
	return putPower(out, o, d0, d1, d2, n, point)
}

// decimalLength gives the length of what putText writes without an exponent.
func decimalLength(n, point int) int {
	switch {
	case point <= 0:
		return n + 2 - point
	case n <= point:
		return point
	}
	return n + 1
}

// putPower is putText for a number that is written with an exponent. It does not
// matter what is behind its digits.
func putPower(out text, o int, d0, d1, d2 uint64, n, point int) int {
	putByte(out, o, byte(d0))
	o++
	if n > 1 {
		putByte(out, o, '.')
		store64(out, o+1, d0>>8|d1<<56)
		store64(out, o+9, d1>>8|d2<<56)
		o += n
	}
	power := powerTexts[point+farPoint]
	store64(out, o, power)
	return o + int(power>>56)
}

// farPoint is farther than the decimal point of a double is from its first digit.
const farPoint = 340

// powerTexts are the exponents of numbers by their decimal point, from the letter
// on, first byte lowest, and their lengths in the highest byte; 0 for numbers that
// are written without one.
var powerTexts = func() (t [2 * farPoint]uint64) {
	for at := range t {
		point := at - farPoint
		if -6 < point && point <= 21 {
			continue
		}
		text := "e" + strconv.Itoa(point-1)
		if point > 0 {
			text = "e+" + text[1:]
		}
		t[at] = uint64(len(text)) << 56
		for i := range len(text) {
			t[at] |= uint64(text[i]) << (8 * i)
		}
	}
	return t
}()

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
