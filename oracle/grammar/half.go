package grammar

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"sync"
)

// Decimals at the halves between neighbouring doubles, and close to them on
// either side: where the last digits of a long text decide, and where what a
// reader may do behind the twentieth digit (ECMA-262 lets it cut there, or cut
// and count up) gives the other neighbour, or none at all.

var halfTable = newTable(
	way{"exact", 3, "the half itself, all its digits: to even"},
	way{"last digit", 3, "one more or one less in its last digit"},
	way{"cut", 3, "its first 17 and more digits, as they are or counted up"},
	way{"twentieth digit", 1, "one more or one less in the twentieth digit, the rest kept: both sides of what may be cut"},
	way{"dropped digit", 1, "one digit missing in the middle, the number as great"},
	way{"zeros behind", 2, "zeros and a one: above it by a digit far behind, in one of four behind 800"},
	way{"nines behind", 2, "below it by a digit far behind"},
)

// half is the exact decimal halfway between two doubles.
type half struct {
	digits string
	exp    int32
	of     Feature // what is special about it
}

// halves are those that any number is drawn from; overflowHalf is the least
// number that rounds beyond the range.
type halves struct {
	common, edge, any []half
	overflow          half
}

var allHalves = sync.OnceValue(func() *halves {
	h := &halves{overflow: halfAbove(math.MaxFloat64, NumberHalfOverflow)}
	seed := NewSeeded(0x7135, 0)
	mantissa := func() uint64 { return choose64(seed) & (1<<52 - 1) }
	// Exponents of common numbers: 20 to 80 digits.
	for e := uint64(1023 - 30); e < 1023+90; e++ {
		h.common = append(h.common, halfAbove(math.Float64frombits(e<<52|mantissa()), NumberHalf))
	}
	for _, f := range []float64{
		math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64,
		0x0.fffffffffffffp-1022, 0x1p-1022, // where the gap stays and where the denormal ones end
		1, 0x1.fffffffffffffp-1, 0x1.fffffffffffffp52, 0x1p53, 1e21, 1e-6, 1e23,
		math.Nextafter(math.MaxFloat64, 0),
	} {
		h.edge = append(h.edge, halfAbove(f, NumberHalf))
	}
	for range 2 { // half of the least double decides between it and none
		h.edge = append(h.edge, halfAbove(0, NumberHalfLeast))
	}
	for i := range uint64(56) { // exponents from the least to nearly the greatest
		h.any = append(h.any, halfAbove(math.Float64frombits(37*i<<52|mantissa()), NumberHalf))
	}
	return h
})

// halfAbove gives the half between a double and the next one, which may be
// 2^1024.
func halfAbove(f float64, of Feature) half {
	b := math.Float64bits(f)
	m, e := b&(1<<52-1), int(b>>52)
	if e > 0 {
		m |= 1 << 52
	} else {
		e = 1
	}
	// (2m+1)·2^k, where 2^k is 5^-k / 10^-k if k is negative
	k := e - 1076
	x := new(big.Int).SetUint64(2*m + 1)
	x.Lsh(x, uint(max(k, 0)))
	x.Mul(x, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(max(-k, 0))), nil))
	text := x.String()
	digits := strings.TrimRight(text, "0")
	return half{digits, int32(min(k, 0) + len(text) - len(digits)), of}
}

// atHalf draws a decimal at a half. In a clean document it rounds to a double.
func (g *Generator) atHalf(s Source) (span, int32) {
	all := allHalves()
	var h *half
	switch c := s.Choose(16); {
	case c < 11:
		h = &all.common[s.Choose(len(all.common))]
	case c < 13:
		h = &all.edge[s.Choose(len(all.edge))]
	case c < 15:
		h = &all.overflow
	default:
		h = &all.any[s.Choose(len(all.any))]
	}
	t := &g.tree
	from := len(t.digits)
	t.digits = append(t.digits, h.digits...)
	exp := h.exp + g.besideHalf(s, from)
	d := t.digits[from:]
	side := compareDigits(d, h.digits)
	if h.of == NumberHalfOverflow && side >= 0 {
		if g.clean { // as great, and below by its last digit
			t.digits = append(t.digits[:from], h.digits...)
			d, exp, side = t.digits[from:], h.exp, -1
			bump(d, len(d)-1, false)
		} else {
			g.mark(NumberOverflow)
		}
	}
	g.markHalf(h, d, side)
	return span{int32(from), int32(from + len(d))}, exp
}

// besideHalf changes the digits from an index on, which are those of a half, and
// gives what their power of ten changes by.
func (g *Generator) besideHalf(s Source, from int) (exp int32) {
	t := &g.tree
	d := t.digits[from:]
	n := len(d)
	switch halfTable.draw(s) {
	case 1:
		bump(d, n-1, s.Choose(2) == 0)
	case 2:
		if n > 18 {
			k := 17 + s.Choose(min(n-17, 8))
			if s.Choose(4) == 3 {
				k = 17 + s.Choose(n-17)
			}
			t.digits, exp = t.digits[:from+k], int32(n-k)
			if s.Choose(2) == 1 {
				bump(t.digits[from:], k-1, true)
			}
		}
	case 3:
		bump(d, min(n, 20)-1, s.Choose(2) == 0)
	case 4:
		if n > 1 {
			k := 1 + s.Choose(n-1)
			copy(d[k:], d[k+1:])
			t.digits, exp = t.digits[:from+n-1], 1
		}
	case 5:
		zeros := s.Choose(24)
		if s.Choose(4) == 3 {
			zeros += max(0, 800-n)
		}
		for range zeros {
			t.digits = append(t.digits, '0')
		}
		t.digits, exp = append(t.digits, '1'), int32(-zeros-1)
	case 6:
		bump(d, n-1, false)
		nines := 1 + s.Choose(24)
		for range nines {
			t.digits = append(t.digits, '9')
		}
		exp = int32(-nines)
	}
	return exp
}

// bump counts the digit at an index up or down, and carries. Where that would
// change how many digits there are it does nothing.
func bump(d []byte, i int, up bool) {
	last, first, step := byte('9'), byte('0'), byte(1)
	if !up {
		last, first, step = '0', '9', 255
	}
	j := i
	for j >= 0 && d[j] == last {
		j--
	}
	if j < 0 || !up && j == 0 && d[0] == '1' {
		return
	}
	d[j] += step
	for j++; j <= i; j++ {
		d[j] = first
	}
}

// compareDigits compares two runs of digits as those behind one point.
func compareDigits(d []byte, half string) int {
	n := min(len(d), len(half))
	for i := range n {
		if d[i] != half[i] {
			return int(d[i]) - int(half[i])
		}
	}
	for _, c := range d[n:] {
		if c != '0' {
			return 1
		}
	}
	return n - len(half) // a half ends in another digit than 0
}

// markHalf tells what was drawn.
func (g *Generator) markHalf(h *half, d []byte, side int) {
	g.mark(NumberHalf)
	g.mark(h.of)
	switch {
	case side < 0:
		g.mark(NumberHalfBelow)
	case side == 0:
		g.mark(NumberHalfExact)
	default:
		g.mark(NumberHalfAbove)
	}
	if len(d) <= 20 {
		return
	}
	g.mark(NumberManyDigits)
	if len(h.digits) > 20 && side != 0 && bytes.HasPrefix(d, []byte(h.digits[:20])) {
		// The half lies between the cut and the cut counted up.
		g.mark(NumberHalfCut)
		if h.of == NumberHalfOverflow && side < 0 {
			g.mark(NumberOverflowByCut)
		}
	}
}
