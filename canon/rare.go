package canon

import "math/bits"

// rareScalar is scalar for all other numbers: those that have an exponent,
// zeros to drop or many digits; and it stops at what is none.
func (w *writer) rareScalar(p, o int) (int, int) {
	in := w.in
	var n decimalText
	end := n.read(in, p)
	if end < 0 {
		return -1, -1
	}
	if 0 < n.digits && n.digits < 1e15 && !n.cut() && leastKept <= n.exponent && n.exponent <= greatestKept {
		return end, w.layOut(p, end, o, n.digits, n.exponent)
	}
	double := n.double(in, p)
	switch {
	case double == infinity,
		double == 0 && n.negative && w.negativeZero,
		double == 0 && n.digits != 0 && (w.underflow || w.inexact):
		return -1, -1
	case double == 0:
		return end, w.layZero(end, o)
	}
	digits, exponent := shortest(double)
	if w.inexact && (n.cut() || n.digits != digits || n.exponent != exponent) {
		return -1, -1
	}
	return end, w.layOut(p, end, o, digits, exponent)
}

// Decimals of at most 15 digits whose last one is worth from 10^leastKept to
// 10^greatestKept lie farther apart than doubles do there: the nearest double
// has the same digits again, and no fewer.
const leastKept, greatestKept = -323, 290

// shortNumber writes the number at p if it has at most 7 digits before its
// point and behind it, 4 in its exponent, and lies where the nearest double has
// them again. Its digits are moved as they are. end is -1 if it is none such.
func (w *writer) shortNumber(p, o int) (end, behind int) {
	in, start := w.in, p
	x := load64(in, p)
	if byte(x) == '-' {
		p++
		x = load64(in, p)
	}
	k := digitRun(x)
	if k&7 == 0 || byte(x) == '0' && k > 1 {
		return -1, 0
	}
	p += k
	// From here on digits are bytes of 0 to 9.
	d0 := (x ^ '0'*ones) << ((64 - 8*k) & 63) >> ((64 - 8*k) & 63)
	d1, point := uint64(0), k
	c := byteAt(in, p)
	if c == '.' {
		x = load64(in, p+1)
		j := digitRun(x)
		if j&7 == 0 {
			return -1, 0
		}
		p += j + 1
		x = (x ^ '0'*ones) << ((64 - 8*j) & 63) >> ((64 - 8*j) & 63)
		if d0 != 0 {
			d0, d1 = d0|x<<(8*k&63), x>>((64-8*k)&63)
		} else {
			zeros := bits.TrailingZeros64(x) >> 3
			d0, point = x>>(8*zeros&63), -zeros
		}
		c = byteAt(in, p)
	}
	if byte(d0) == 0 {
		return -1, 0 // zero
	}
	power := !ends[c]
	if power {
		e := 0
		if e, p = exponentAt(in, p); p < 0 {
			return -1, 0
		}
		point += e
	}
	n := 8 - bits.LeadingZeros64(d0)>>3
	if d1 != 0 {
		n = 16 - bits.LeadingZeros64(d1)>>3
	}
	if uint(point-n-leastKept) > greatestKept-leastKept {
		return -1, 0
	}
	if power {
		return p, w.layPower(start, p, o, d0|'0'*ones, d1|'0'*ones, '0', n, point)
	}
	return p, w.layText(start, p, o, d0|'0'*ones, d1|'0'*ones, '0'*ones, n, point)
}

// A decimalText is what a number's text says: (-) digits × 10^exponent, the
// digits without a zero at their end; zero has none.
type decimalText struct {
	digits    uint64 // the first 19
	next      uint64 // the next 16 at most,
	nextCount int    // so many, if there are any
	exponent  int
	negative  bool
	more      bool // there are further digits that are not zero
}

// read reads the number at p and gives the place behind it, -1 if it is none
// or goes on as no number may.
func (n *decimalText) read(in text, p int) int {
	if byteAt(in, p) == '-' {
		n.negative = true
		p++
	}
	start := p
	if p = n.run(in, p); p == start || byteAt(in, start) == '0' && p > start+1 {
		return -1
	}
	if byteAt(in, p) == '.' {
		start = p + 1
		if p = n.run(in, start); p == start {
			return -1
		}
		n.exponent -= p - start
	}
	if byteAt(in, p)|0x20 == 'e' {
		if p = n.power(in, p+1); p < 0 {
			return -1
		}
	}
	if !ends[byteAt(in, p)] {
		return -1
	}
	if n.digits != 0 {
		before := n.exponent
		if n.digits, n.exponent = trimZeros(n.digits, before); n.exponent == before+16 {
			n.digits, n.exponent = trimZeros(n.digits, n.exponent) // there may be 18
		}
	}
	return p
}

// run reads the digits at p, as if they were the end of an integer, and gives
// the place behind them.
func (n *decimalText) run(in text, p int) int {
	x := load64(in, p)
	k := digitRun(x)
	for ; k == 8 && n.digits < 1e11; k = digitRun(x) {
		n.digits = n.digits*1e8 + eightDigitsOf(x)
		p += 8
		x = load64(in, p)
	}
	room := 7
	if n.digits >= 1e11 {
		room = 19 - countDigits(n.digits)
	}
	j := min(k, room)
	n.digits = n.digits*tens[j&31] + eightDigitsOf(x<<8<<((56-8*j)&63))
	if p += j; j == k {
		return p
	}
	return n.beyond(in, p)
}

// beyond reads the digits at p that follow 19 others.
func (n *decimalText) beyond(in text, p int) int {
	start := p
	for n.nextCount == 0 || n.nextCount == 8 {
		x := load64(in, p)
		k := digitRun(x)
		if k == 0 {
			break
		}
		x <<= (64 - 8*k) & 63
		n.next = n.next*tens[k] + eightDigitsOf(x)
		n.nextCount += k
		p += k
	}
	for {
		x := load64(in, p)
		k := digitRun(x)
		if k < 8 {
			n.more = n.more || (x^'0'*ones)<<8<<((56-8*k)&63) != 0
			p += k
			n.exponent += p - start
			return p
		}
		n.more = n.more || x != '0'*ones
		p += 8
	}
}

// power reads the exponent at p, behind its mark, and gives the place behind
// it, -1 if it is none.
func (n *decimalText) power(in text, p int) int {
	sign := byteAt(in, p)
	if (sign-'+')&^2 == 0 { // or -
		p++
	}
	x := load64(in, p)
	k := digitRun(x)
	e := int(eightDigitsOf(x << 8 << ((56 - 8*k) & 63)))
	switch k {
	case 0:
		return -1
	case 8:
		e = 0
		for ; isDigit(byteAt(in, p)); p++ {
			if e < exponentCut/10 {
				e = e*10 + int(byteAt(in, p)-'0')
			} else {
				e = exponentCut
			}
		}
		k = 0
	}
	if sign == '-' {
		e = -e
	}
	n.exponent += e
	return p + k
}

// cut reports whether the number is greater than its first 19 digits say.
func (n *decimalText) cut() bool { return n.next != 0 || n.more }

// double gives the bits of the double nearest to the number at p, without its
// sign. Digits beyond 19 matter only if those leave two doubles open.
func (n *decimalText) double(in text, p int) uint64 {
	if n.digits == 0 {
		return 0
	}
	if !n.cut() {
		return nearest(n.digits, n.exponent)
	}
	zeros := 19 - countDigits(n.digits) // at the end of the 19
	digits, exponent := n.digits*tens[zeros&31], n.exponent-zeros
	low, sure := nearestCut(digits, exponent)
	if sure {
		return low
	}
	m := middleAbove(low)
	high, rest := bits.Mul64(digits, tens[n.nextCount])
	rest, carry := bits.Add64(rest, n.next, 0)
	switch side := m.sideOf(high+carry, rest, exponent-n.nextCount, n.more); {
	case side < 0:
		return low
	case side > 0:
		return low + 1
	}
	if n.negative {
		p++
	}
	return m.nearest(in, p, exponent, low)
}

// exponentCut is where reading an exponent ends: no text in memory has digits
// enough to make up for it.
const exponentCut = 1 << (bits.UintSize - 2)
