package canon

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// middleOf gives the digits d and the exponent e of the middle between a double
// and the next greater one, d[0].d[1]... × 10^e, by exact arithmetic.
func middleOf(low uint64) (digits string, exponent int) {
	f, e := low&(1<<52-1), -1074
	if low >= 1<<52 {
		f, e = f|1<<52, int(low>>52)-1075
	}
	middle := new(big.Float).SetPrec(64).SetUint64(2*f + 1)
	middle.SetMantExp(middle, e-1)
	text := middle.Text('e', 800)
	mark := strings.IndexByte(text, 'e')
	exponent, err := strconv.Atoi(text[mark+1:])
	if err != nil {
		panic(err)
	}
	return strings.TrimRight(text[:1]+text[2:mark], "0"), exponent
}

// spellings writes d[0].d[1]... × 10^e in some of the ways there are.
func spellings(digits string, e int) []string {
	zeros := func(n int) string { return strings.Repeat("0", n) }
	n := len(digits)
	texts := []string{
		fmt.Sprintf("%s.%se%d", digits[:1], digits[1:], e),
		fmt.Sprintf("-%sE%d", digits, e-n+1),
		fmt.Sprintf("0.%se%+d", digits, e+1),
		fmt.Sprintf("%s.%se%d", digits[:n/2], digits[n/2:], e-n/2+1),
		fmt.Sprintf("0.%s%se%d", zeros(n%40+1), digits, e+n%40+2),
		fmt.Sprintf("-%s%s.000e%d", digits, zeros(25), e-n-24),
	}
	switch {
	case e < 0:
		texts = append(texts, "0."+zeros(-e-1)+digits)
	case e+1 < n:
		texts = append(texts, digits[:e+1]+"."+digits[e+1:])
	default:
		texts = append(texts, digits+zeros(e+1-n))
	}
	return texts
}

// checkMiddle tries the middle above a double, and numbers that differ from it
// at one place alone, in several spellings.
func checkMiddle(low uint64) error {
	digits, e := middleOf(low)
	even := low + low&1
	type number struct {
		digits string
		want   uint64
	}
	numbers := []number{{digits, even}}
	for _, place := range []int{19, 20, 21, 38, 39, 40, 767, 768, 769, 784, 785, 5000} {
		if place > len(digits) {
			zeros := strings.Repeat("0", place-len(digits)-1)
			nines := strings.Repeat("9", place-len(digits))
			last := digits[len(digits)-1] - 1 // it is no zero
			numbers = append(numbers, number{digits + zeros + "1", low + 1}, number{digits + zeros + "0", even},
				number{digits[:len(digits)-1] + string(last) + nines, low})
		} else if place > 18 { // beyond 18 digits neighbours are farther away
			numbers = append(numbers, number{digits[:place] + "0", low})
			if place == len(digits) {
				numbers[len(numbers)-1].want = even
			}
			if c := digits[place-1]; c < '9' {
				numbers = append(numbers, number{digits[:place-1] + string(c+1), low + 1})
			}
			if c := digits[place-1]; c > '0' {
				numbers = append(numbers, number{digits[:place-1] + string(c-1) + digits[place:], low})
			}
		}
	}
	for _, n := range numbers {
		want := "0"
		if n.want-1 < infinity-1 {
			want = string(appendSlowly(nil, math.Float64frombits(n.want)))
		}
		for _, text := range spellings(n.digits, e) {
			got, err := Canonicalize([]byte(text))
			if n.want == infinity {
				if err == nil {
					return fmt.Errorf("%.60s of %d bytes: %s, but it is beyond the range", text, len(text), got)
				}
				continue
			}
			if err != nil || strings.TrimPrefix(string(got), "-") != want {
				return fmt.Errorf("%.60s of %d bytes: %s, %v, want %s", text, len(text), got, err, want)
			}
		}
	}
	return nil
}

// TestMiddles: a number on, or next to, the middle between two doubles is
// rounded as exact arithmetic says, wherever the digit stands that decides.
func TestMiddles(t *testing.T) {
	t.Parallel()
	try := func(low uint64) {
		if err := checkMiddle(low); err != nil {
			t.Fatalf("above %016x: %v", low, err)
		}
	}
	for _, low := range []uint64{0, 1, 2, 3, 1<<52 - 2, 1<<52 - 1, 1 << 52, 1<<52 + 1, infinity - 2, infinity - 1} {
		try(low)
	}
	step := uint64(160 * 20 / rounds(20))
	if thorough() {
		step = 40
	}
	for e := uint64(0); e < 2046; e += step { // powers of two and their neighbours
		try(e<<52 + 1<<52 - 1)
		try(e<<52 + 1<<52)
	}
	for p := -320; p <= 300; p += int(step) / 4 {
		f, err := strconv.ParseFloat(fmt.Sprintf("1e%d", p), 64)
		if err != nil {
			t.Fatal(err)
		}
		try(math.Float64bits(f))
		try(math.Float64bits(f) - 1)
	}
	r := rand.New(rand.NewPCG(4, 53))
	for range 4000 / step {
		try(r.Uint64N(infinity))
		try(r.Uint64N(1<<52) >> r.UintN(52))
	}
}

// TestLongIsExact: random numbers of more digits than are read at once, and the
// middles cut there, give what strconv reads from them.
func TestLongIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 53))
	tries := rounds(3_000)
	if thorough() {
		tries = 100_000
	}
	for range tries {
		digits, e := middleOf(r.Uint64N(infinity - 1))
		digits = (digits + strings.Repeat("0", 60))[:20+r.IntN(40)]
		b := []byte(digits)
		b[18+r.IntN(len(b)-18)] = byte('0' + r.IntN(10))
		texts := spellings(string(b), e)
		text := texts[r.IntN(len(texts))]
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Canonicalize([]byte(text))
		want, _ := AppendNumber(nil, f)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
}

// bigOf is a whole as math/big has it.
func bigOf(a *whole) *big.Int {
	x := new(big.Int)
	for i := len(a.words) - 1; i >= 0; i-- {
		x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(a.words[i]))
	}
	return x
}

func big5(e int) *big.Int { return new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(e)), nil) }

// TestWholesCount holds the arithmetic of wholes to math/big.
func TestWholesCount(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 64))
	same := func(a *whole, want *big.Int, what string, args ...any) {
		if bigOf(a).Cmp(want) != 0 || a.n != (want.BitLen()+63)/64 || a.size() != want.BitLen() {
			t.Fatalf("%s: %v in %d words, want %v", fmt.Sprintf(what, args...), bigOf(a), a.n, want)
		}
	}
	for e := 0; e < 1109; e += 20 / rounds(20) {
		x := r.Uint64()>>r.IntN(64) | 1
		var a whole
		a.setFives(x, e)
		want := big5(e)
		want.Mul(want, new(big.Int).SetUint64(x))
		same(&a, want, "%d × 5^%d", x, e)
		var b whole
		b.mulAdd(0, x)
		b.mulFives(e)
		same(&b, want, "%d times five %d times", x, e)

		y := r.Uint64() >> r.IntN(64)
		b = a
		b.mulAdd(y|1, x)
		product := new(big.Int).Mul(want, new(big.Int).SetUint64(y|1))
		same(&b, product.Add(product, new(big.Int).SetUint64(x)), "times %d plus %d", y|1, x)

		// Next to a × 2^shift, and that itself.
		for shift := 0; shift <= min(2687-want.BitLen(), 700); shift += 1 + r.IntN(70) {
			for d := int64(-1); d <= 1; d++ {
				other := new(big.Int).Lsh(want, uint(shift))
				other.Add(other, big.NewInt(d))
				if other.Sign() == 0 {
					continue
				}
				var c whole
				c.n = (other.BitLen() + 63) / 64
				bytes := other.FillBytes(make([]byte, 8*c.n))
				for i := range c.n {
					c.words[i] = binary.BigEndian.Uint64(bytes[8*(c.n-1-i):])
				}
				if got := compareShifted(&a, &c, shift); (got < 0) != (d > 0) || (got > 0) != (d < 0) {
					t.Fatalf("%v × 2^%d compares with %v as %d", want, shift, other, got)
				}
			}
		}
	}
}

// TestDigitsAreTaken: readDigits takes the first 784 digits behind leading zeros,
// and onlyZeros looks at all the others.
func TestDigitsAreTaken(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(784, 7))}
	for range rounds(3000) {
		n := 1 + r.IntN(60)
		if r.IntN(3) == 0 {
			n = 730 + r.IntN(100)
		}
		digits := string(byte('1'+r.IntN(9))) + r.digits(n)
		zeros := r.IntN(4) * r.IntN(30)
		s := strings.Repeat("0", min(1, zeros)) + digits
		if at := r.IntN(len(digits) + 1); zeros > 0 {
			s = "0." + strings.Repeat("0", zeros-1) + digits
		} else if at > 0 && at < len(digits) {
			s = digits[:at] + "." + digits[at:]
		}
		s = "[" + s + []string{",", "e5", " ", "E-12345678"}[r.IntN(4)]

		want, end, taken := new(big.Int), 1, 0
		for end = 1; s[end] == '0' || s[end] == '.'; end++ {
		}
		for ; taken < mostDigits && (isDigit(s[end]) || s[end] == '.'); end++ {
			if s[end] != '.' {
				want.Add(want.Mul(want, big.NewInt(10)), big.NewInt(int64(s[end]-'0')))
				taken++
			}
		}
		if s[end] == '.' {
			end++
		}
		var a whole
		gotEnd, gotTaken := a.readDigits(padded(s), 1)
		if gotEnd != end || gotTaken != taken || bigOf(&a).Cmp(want) != 0 {
			t.Fatalf("%s: %d digits up to %d, %v, want %d up to %d", s, gotTaken, gotEnd, bigOf(&a), taken, end)
		}
		rest := s[end:]
		rest = rest[:strings.IndexAny(rest, ",eE ")]
		if got := onlyZeros(padded(s), end); got != (strings.Trim(rest, "0.") == "") {
			t.Fatalf("%s from %d on: only zeros is %v", s, end, got)
		}
	}
	for n := range 40 { // and a single other digit, or none, at every place
		for at := range n + 1 {
			for point := range n + 1 {
				s := []byte(strings.Repeat("0", n))
				if at < n {
					s[at] = '1'
				}
				text := string(s[:point]) + "." + string(s[point:]) + ","
				if got := onlyZeros(padded(text), 0); got != (at == n) {
					t.Fatalf("%s: only zeros is %v", text, got)
				}
			}
		}
	}
}

// TestSidesAreTold: what sideOf tells is so, and it tells all that 128 bits can.
func TestSidesAreTold(t *testing.T) {
	r := rand.New(rand.NewPCG(128, 53))
	two, ten := big.NewInt(2), big.NewInt(10)
	power := func(base *big.Int, e int) *big.Rat {
		x := new(big.Rat).SetInt(new(big.Int).Exp(base, big.NewInt(int64(max(e, -e))), nil))
		if e < 0 {
			x.Inv(x)
		}
		return x
	}
	told := map[int]int{}
	for range rounds(2500) {
		low := r.Uint64N(infinity - 1)
		if r.IntN(4) == 0 {
			low >>= r.UintN(63)
		}
		if r.IntN(8) == 0 {
			low &= 1<<63 - 1<<52
		}
		m := middleAbove(low)
		exact := new(big.Rat).Mul(new(big.Rat).SetUint64(m.half), power(two, m.e))
		text, e := middleOf(low)
		size := 19 + r.IntN(17)
		text = (text + strings.Repeat("0", 40))[:size]
		number, ok := new(big.Int).SetString(text, 10)
		if !ok {
			t.Fatal(text)
		}
		if r.IntN(2) == 0 { // a little above, or below
			d := new(big.Int).Rsh(number, uint(50+r.IntN(80)))
			d.Mul(d, big.NewInt(int64(1-2*r.IntN(2))))
			number.Add(number, d)
		}
		if number.BitLen() > 128 || number.Sign() <= 0 {
			continue
		}
		exponent, more := e-size+1, r.IntN(2) == 0
		words := new(big.Int).Rsh(number, 64)
		high, lowWord := words.Uint64(), new(big.Int).Sub(number, new(big.Int).Lsh(words, 64)).Uint64()
		side := m.sideOf(high, lowWord, exponent, more)
		told[side]++

		unit := power(ten, exponent)
		least := new(big.Rat).Mul(new(big.Rat).SetInt(number), unit)
		most := new(big.Rat).Set(least)
		if more {
			most.Add(most, unit)
		}
		if side > 0 && least.Cmp(exact) <= 0 || side < 0 && most.Cmp(exact) >= 0 {
			t.Fatalf("%v × 10^%d, more %v, is on side %d of the middle above %#x", number, exponent, more, side, low)
		}
		// The number has 128 bits but for the last few.
		slack := new(big.Rat).Mul(least, new(big.Rat).SetFrac64(12, 1))
		slack.Quo(slack, power(two, 126))
		if more {
			slack.Add(slack, unit)
			slack.Add(slack, unit)
		}
		clear := new(big.Rat).Sub(least, exact).Cmp(slack) > 0 || new(big.Rat).Sub(exact, most).Cmp(slack) > 0
		if side == 0 && clear && exponent >= leastPower && !(more && high == 0) {
			t.Fatalf("%v × 10^%d, more %v: it is not told that it is beside the middle above %#x", number, exponent, more, low)
		}
	}
	if least := rounds(100); told[0] < least || told[1] < least || told[-1] < least {
		t.Errorf("%v", told)
	}
}

// TestExponentsAreCutFarBeyondAnyText: an exponent that is cut is still greater
// than a text has digits, with words of 32 bits too.
func TestExponentsAreCutFarBeyondAnyText(t *testing.T) {
	for _, text := range []string{"1e300000000", "1e1000000000", "1e1342177279", "1e2000000000", "1e4294967297", "1e99999999999999999999999"} {
		for _, sign := range []string{"", "-"} {
			text := strings.Replace(text, "e", "e"+sign, 1)
			var n decimalText
			padded := append([]byte(text), make([]byte, textSlack)...)
			padded[len(text)] = ' '
			if end := n.read(textOf(padded), 0); end != len(text) || max(n.exponent, -n.exponent) <= maxFastInput || (n.exponent < 0) != (sign != "") {
				t.Errorf("%s is read with an exponent of %d", text, n.exponent)
			}
			if p := decimalOf([]byte(text)).point; max(p, -p) <= maxFastInput || (p < 0) != (sign != "") {
				t.Errorf("%s has its point at %d", text, p)
			}
		}
	}
}
