package grammar

import (
	"math"
	"strconv"
)

// Numbers are drawn as decimals, sign · digits · 10^exp, so that every spelling
// of one denotes exactly the same value.

var numberTable = newTable(
	way{"small integer", 22, "0 to 999, what most numbers are"},
	way{"decimal", 12, "money and measures: up to 12 digits and a point"},
	way{"zero", 5, "0 with any exponent"},
	way{"negative zero", 3, "-0 however spelled: left open by RFC 8785, refused by RFC-0016"},
	way{"layout boundary", 8, "around 1e21 and 1e-6, where ECMAScript changes the layout"},
	way{"safe integer", 7, "around 2^53, where integers stop being exact"},
	way{"word integer", 5, "around 2^31, 2^32, 2^63 and 2^64: parsing by machine words"},
	way{"power of two", 6, "the gap to the neighbours differs on both sides: shortest digits go wrong here"},
	way{"random bits", 10, "any double, seventeen digits in most"},
	way{"short digits", 6, "1 to 3 digits and any exponent: the shortest form is not the nearest one"},
	way{"tie", 6, "integers halfway between two doubles, and one beside: to even"},
	way{"half", 3, "decimals at the half between two doubles of any exponent, 20 to 850 digits; up to 30 µs each to judge exactly"},
	way{"many digits", 3, "21 to 40 digits: longer than a machine word and than ECMA-262 asks"},
	way{"denormal", 4, "below 2.2250738585072014e-308 fewer digits tell doubles apart"},
	way{"near overflow", 3, "the greatest double and what still rounds to it"},
	way{"underflow", 2, "what rounds to zero and is not"},
	way{"exponent", 2, "exponents beyond every integer type, digits zero or the value small"},
)

// perVeryMany: one number in so many has 700 to 1,200 digits.
const perVeryMany = 4096

// decimal adds a number given as text.
func (g *Generator) decimal(digits string, exp int32) (span, int32) {
	t := &g.tree
	from := int32(len(t.digits))
	t.digits = append(t.digits, digits...)
	return span{from, int32(len(t.digits))}, exp
}

func (g *Generator) integer(u uint64) (span, int32) {
	t := &g.tree
	from := int32(len(t.digits))
	t.digits = strconv.AppendUint(t.digits, u, 10)
	return span{from, int32(len(t.digits))}, 0
}

// double gives the shortest digits of a finite double's magnitude.
func (g *Generator) double(f float64) (span, int32) {
	t := &g.tree
	from := len(t.digits)
	t.digits = strconv.AppendFloat(t.digits, math.Abs(f), 'e', -1, 64)
	return t.fromScientific(from)
}

func (g *Generator) doubleBits(b uint64) (span, int32) { return g.double(math.Float64frombits(b)) }

// fromScientific turns d.ddde±dd, which stands at the end of the digits, into
// digits and an exponent.
func (t *tree) fromScientific(from int) (span, int32) {
	text := t.digits[from:]
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	exp, i := int32(0), e+2
	for ; i < len(text); i++ {
		exp = exp*10 + int32(text[i]-'0')
	}
	if text[e+1] == '-' {
		exp = -exp
	}
	if e > 1 { // a point stands behind the first digit
		exp -= int32(e - 2)
		copy(text[1:], text[2:e])
		e--
	}
	t.digits = t.digits[:from+e]
	return span{int32(from), int32(from + e)}, exp
}

// number draws a number.
func (g *Generator) number(s Source) int32 {
	t := &g.tree
	id := t.add(kindNumber)
	neg := s.Choose(5) == 4
	var d span
	var exp int32
	var f float64 // the double it is made from, 0 if none
	if s.Choose(perVeryMany) == perVeryMany-1 {
		g.mark(NumberVeryManyDigits)
		d, exp = g.manyDigits(s, 700+s.Choose(500))
		t.setNumber(id, neg, d, exp, 0)
		return id
	}
	switch numberTable.draw(s) {
	case 0:
		g.mark(NumberSmallInteger)
		u := s.Choose([...]int{10, 100, 1000}[s.Choose(3)])
		f = float64(u)
		d, exp = g.integer(uint64(u))
		neg = neg && u != 0
	case 1:
		g.mark(NumberDecimal)
		d, _ = g.integer(1 + uint64(s.Choose([...]int{1e3, 1e5, 1e9}[s.Choose(3)])))
		exp = -int32(s.Choose(10))
	case 2:
		g.mark(NumberZero)
		neg = false
		d, exp = g.decimal("0", int32(s.Choose(3)))
	case 3:
		g.mark(NumberNegativeZero)
		neg = true
		d, exp = g.decimal("0", int32(s.Choose(3)))
	case 4:
		g.mark(NumberLayoutBoundary)
		f = step([...]float64{1e21, 1e20, 1e22, 1e-6, 1e-7, 1e-5, 1e15, 1e16, 1e17, 123456789012345680000, 999999999999999900000}[s.Choose(11)], s)
		d, exp = g.double(f)
	case 5:
		g.mark(NumberSafeInteger)
		d, exp = g.integer(uint64(1)<<53 - 4 + uint64(s.Choose(9)))
	case 6:
		g.mark(NumberWordInteger)
		b := [...]uint64{1 << 31, 1 << 32, 1 << 63, math.MaxUint64 - 2, 1e19, 1e18, 99999999, 1e8, 1e16}[s.Choose(9)]
		d, exp = g.integer(b - 2 + uint64(s.Choose(5)))
	case 7:
		g.mark(NumberPowerOfTwo)
		f = step(math.Ldexp(1, s.Choose(2098)-1074), s)
		d, exp = g.double(f)
	case 8:
		g.mark(NumberRandomBits)
		f = randomDouble(s)
		d, exp = g.double(f)
		if d.len() == 17 {
			g.mark(NumberSeventeenDigits)
		}
	case 9:
		g.mark(NumberShortDigits)
		d, _ = g.integer(1 + uint64(s.Choose(999)))
		exp = int32(s.Choose(620)) - 320
	case 10:
		g.mark(NumberTie)
		d, exp = g.tie(s)
	case 11:
		d, exp = g.atHalf(s)
	case 12:
		g.mark(NumberManyDigits)
		d, exp = g.manyDigits(s, 21+s.Choose(20))
	case 13:
		g.mark(NumberDenormal)
		f = denormal(s)
		d, exp = g.double(f)
	case 14:
		d, exp, f = g.nearOverflow(s)
	case 15:
		g.mark(NumberUnderflow)
		u := [...]struct {
			digits string
			exp    int32
		}{{"24703282292062327", -340}, {"1", -324}, {"1", -400}, {"2", -324}, {"24703282292062328", -340}, {"3", -324}, {"1", -999999}}[s.Choose(7)]
		d, exp = g.decimal(u.digits, u.exp)
	case 16:
		g.mark(NumberExponentHuge)
		d, exp = g.decimal("0", [...]int32{400, -400, 1 << 30, -(1 << 30), 99999, -99999}[s.Choose(6)])
		neg = false
	}
	t.setNumber(id, neg, d, exp, math.Float64bits(f))
	return id
}

func (t *tree) setNumber(id int32, neg bool, d span, exp int32, b uint64) {
	n := &t.nodes[id]
	n.neg, n.text, n.exp, n.bits = neg, d, exp, b
}

// step goes up to two doubles to either side.
func step(f float64, s Source) float64 {
	b := math.Float64bits(f) + uint64(s.Choose(5)) - 2
	switch s.Choose(3) {
	case 0:
		return f
	case 1:
		b = math.Float64bits(f) - 1
	}
	if int64(b) <= 0 { // below the least double
		return f
	}
	return math.Float64frombits(b)
}

func choose64(s Source) uint64 {
	return uint64(s.Choose(1<<32))<<32 | uint64(s.Choose(1<<32))
}

// randomDouble draws a finite double that is not zero, positive.
func randomDouble(s Source) float64 {
	b := choose64(s) &^ (1 << 63)
	if s.Choose(2) == 0 { // exponents of common numbers, from 2^-40 to 2^80
		b = b&(1<<52-1) | uint64(1023-40+s.Choose(120))<<52
	}
	if b>>52 == 0x7FF || b == 0 {
		b = 1023 << 52
	}
	return math.Float64frombits(b)
}

func denormal(s Source) float64 {
	switch s.Choose(4) {
	case 0:
		return math.Float64frombits(1 + uint64(s.Choose(16)))
	case 1:
		return math.Float64frombits(1<<52 - 3 + uint64(s.Choose(6)))
	case 2:
		return math.Float64frombits(1 << s.Choose(52))
	}
	return math.Float64frombits(1 + choose64(s)&(1<<52-1))
}

// tie draws an integer halfway between two doubles, or one beside it.
func (g *Generator) tie(s Source) (span, int32) {
	shift := 1 + s.Choose(10) // the unit of the last place is 2^shift
	m := uint64(1)<<52 | choose64(s)&(1<<52-1)
	half := (2*m + 1) << (shift - 1)
	if s.Choose(3) == 2 {
		half += uint64(s.Choose(3)) - 1
	}
	d, exp := g.integer(half)
	if s.Choose(4) == 3 { // just above or below, by a digit far behind
		t := &g.tree
		t.digits = append(t.digits, "0000000000000001"...)
		d.to = int32(len(t.digits))
		exp -= 16
	}
	return d, exp
}

func (g *Generator) manyDigits(s Source, n int) (span, int32) {
	t := &g.tree
	from := len(t.digits)
	fill := byte('0')
	mode := s.Choose(3)
	if mode == 1 {
		fill = '9'
	}
	for i := range n {
		d := fill
		if mode == 2 || i < 18 {
			d = '0' + byte(s.Choose(10))
		}
		if i == 0 && d == '0' {
			d = '1'
		}
		t.digits = append(t.digits, d)
	}
	if mode == 0 {
		t.digits[len(t.digits)-1] = '1'
	}
	return span{int32(from), int32(len(t.digits))}, int32(-s.Choose(n + 30))
}

func (g *Generator) nearOverflow(s Source) (span, int32, float64) {
	switch s.Choose(5) {
	case 0:
		g.mark(NumberNearOverflow)
		d, exp := g.double(math.MaxFloat64)
		return d, exp, math.MaxFloat64
	case 1:
		g.mark(NumberNearOverflow)
		f := math.Float64frombits(math.Float64bits(math.MaxFloat64) - uint64(s.Choose(100)))
		d, exp := g.double(f)
		return d, exp, f
	case 2: // rounds down to the greatest double
		g.mark(NumberNearOverflow)
		d, exp := g.decimal("17976931348623158079", 289)
		return d, exp, 0
	}
	if g.clean {
		d, exp := g.decimal("1", 308)
		return d, exp, 1e308
	}
	g.mark(NumberOverflow)
	o := [...]struct {
		digits string
		exp    int32
	}{{"1", 309}, {"1", 400}, {"1797693134862315808", 290}, {"17976931348623159", 292}, {"1", 1 << 30}, {"2", 308}}[s.Choose(6)]
	d, exp := g.decimal(o.digits, o.exp)
	return d, exp, 0
}
