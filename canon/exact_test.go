package canon

import (
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
	step := uint64(40)
	if testing.Short() {
		step = 400
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
	rounds := 20_000
	if testing.Short() {
		rounds = 1000
	}
	for range rounds {
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
