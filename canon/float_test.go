package canon

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// thorough reports whether the tests of numbers are to try all they can, which
// takes a minute.
func thorough() bool { return os.Getenv("TOUCHSTONE_DOUBLES") != "" }

// rounds gives how often a test tries, a twentieth of n if it is to be short.
func rounds(n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

// doubleRounds gives how many random patterns a test tries: 10^5, or
// TOUCHSTONE_DOUBLES, such as 1000000000 for a night.
func doubleRounds(t *testing.T) int {
	if !thorough() {
		return rounds(100_000)
	}
	n, err := strconv.Atoi(os.Getenv("TOUCHSTONE_DOUBLES"))
	if err != nil {
		t.Fatalf("TOUCHSTONE_DOUBLES: %v", err)
	}
	return n
}

// slowShortest is the twin of shortest: strconv's digits.
func slowShortest(double uint64) (uint64, int) {
	text := strconv.FormatFloat(math.Float64frombits(double), 'e', -1, 64)
	d := decimalOf([]byte(text))
	digits, err := strconv.ParseUint(string(d.digits), 10, 64)
	if err != nil {
		panic(err)
	}
	return digits, d.point - len(d.digits)
}

// checkDouble compares everything that is computed from one double with its
// slow twins.
func checkDouble(double uint64) error {
	digits, exponent := shortest(double)
	if d, e := slowShortest(double); d != digits || e != exponent {
		return fmt.Errorf("%016x: shortest gives %de%d, want %de%d", double, digits, exponent, d, e)
	}
	if got := nearest(digits, exponent); got != double {
		return fmt.Errorf("%de%d: nearest gives %016x, want %016x", digits, exponent, got, double)
	}
	if -31 <= exponent && exponent < 0 {
		for d := uint64(0); d < 3; d++ { // the double's digits, and those next to them
			if err := checkShortest(digits-1+d, -exponent); err != nil {
				return err
			}
		}
	}
	out := make([]byte, 64)
	got := string(out[:putDigits(textOf(out), 0, digits, exponent)])
	if want := string(appendSlowly(nil, math.Float64frombits(double))); got != want {
		return fmt.Errorf("%016x: written as %s, want %s", double, got, want)
	}
	return nil
}

// checkShortest compares what isShortest sees with a conversion there and back.
func checkShortest(digits uint64, m int) error {
	if digits == 0 || !isShortest(digits, m) {
		return nil
	}
	if d, e := shortest(nearest(digits, -m)); d != digits || e != -m {
		return fmt.Errorf("%de%d is not the shortest: %de%d", digits, -m, d, e)
	}
	return nil
}

// TestShortestIsSeen: of the doubles with 16 or 17 digits nearly all are seen to
// have just those, which is what isShortest is for, and none that has others.
func TestShortestIsSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 53))
	tried, seen := 0, 0
	for range rounds(200_000) {
		f := math.Ldexp(1+r.Float64(), r.IntN(54)-11)
		digits, exponent := shortest(math.Float64bits(f))
		if -31 <= exponent && exponent < 0 {
			if err := checkShortest(digits-1+r.Uint64N(3), -exponent); err != nil {
				t.Fatal(err)
			}
		}
		if f < 1.0/256 || f >= 1<<43 {
			continue
		}
		if digits < 1e15 || exponent >= 0 {
			continue
		}
		tried++
		if isShortest(digits, -exponent) {
			seen++
		}
	}
	if tried < rounds(100_000) || seen < tried*995/1000 {
		t.Errorf("%d of %d are seen", seen, tried)
	}
}

// TestScalingIsExact: where a power of ten is exact, so is what scale gives, cut
// to an integer with the lowest bit for what was cut off.
func TestScalingIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 2))
	for p := range 28 {
		for range rounds(2000) {
			x := r.Uint64() | 1<<63
			if r.IntN(4) > 0 {
				x &= ^uint64(0) << r.UintN(64) // exact more often
			}
			if r.IntN(4) == 0 { // the product ends with as many zeros as there can be
				x = 1<<63 + x>>1/fives[p]*fives[p]
			}
			shift := r.IntN(64)
			s := newScaler(-shift-floorLog2(p)-3, p)
			product := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p)), nil))
			// x × 2^e × 10^p, four times that
			cut := uint(shift + floorLog2(p) + 1)
			whole := new(big.Int).Rsh(product, cut)
			want := whole.Uint64()
			if new(big.Int).Lsh(whole, cut).Cmp(product) != 0 {
				want |= 1
			}
			if s.shift != shift {
				t.Fatalf("a shift of %d becomes %d", shift, s.shift)
			}
			if got := s.scale(x); uint64(got) != want {
				t.Fatalf("%d × 10^%d, shift %d: %d, want %d", x, p, shift, got, want)
			}
			down, up := 1+r.IntN(50), 1+r.IntN(50)
			if above := x + 1<<up; above > x {
				lower, exact, upper := s.scaleAround(x, down, up)
				if lower != s.scale(x-1<<down) || uint64(exact) != want || upper != s.scale(above) {
					t.Fatalf("%d - 2^%d and + 2^%d × 10^%d, shift %d: %d, %d, %d", x, down, up, p, shift, lower, exact, upper)
				}
			}
			hi, mid := bits.Mul64(x, s.hi)
			if got := s.scaleSlowly(x, hi, mid); uint64(got) != want {
				t.Fatalf("%d × 10^%d, shift %d, slowly: %d, want %d", x, p, shift, got, want)
			}
		}
	}
}

// TestZerosAreTrimmed: up to 16 zeros at the end, of the greatest digits too.
func TestZerosAreTrimmed(t *testing.T) {
	for _, digits := range []uint64{1, 2, 5, 7, 10, 12, 99, 101, 123, 1<<53 - 1, 999999999999999999, 1234567890123456789, 1844674407370955161, math.MaxUint64} {
		for zeros := range 17 {
			hi, x := bits.Mul64(digits, tens[zeros])
			if hi != 0 {
				break
			}
			want, e := digits, 7+zeros
			for want%10 == 0 {
				want, e = want/10, e+1
			}
			if got, exponent := trimZeros(x, 7); e <= 7+16 && (got != want || exponent != e) {
				t.Errorf("%d gives %d, %d, want %d, %d", x, got, exponent, want, e)
			}
		}
	}
}

// TestCutIsSure: what follows 19 digits is known to make no difference where
// those a little less and a little more round alike.
func TestCutIsSure(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 53))
	check := func(digits uint64, exponent int) {
		at := func(x uint64) uint64 { return doubleOf(fmt.Sprintf("%de%d", x, exponent)) }
		double, sure := nearestCut(digits, exponent)
		low, high := at(digits), at(digits+1)
		if double > low || high > double+1 || sure && (double != low || double != high) {
			t.Fatalf("%de%d: %#x, %v, want %#x to %#x", digits, exponent, double, sure, low, high)
		}
		if !sure && at(digits-5) == at(digits+5) {
			t.Fatalf("%de%d: it is not seen that %#x is sure", digits, exponent, low)
		}
	}
	for exponent := -370; exponent <= 320; exponent++ {
		for range rounds(40) {
			check(1e18+r.Uint64N(9e18-5), exponent)
		}
	}
	for d := uint64(0); d < 12; d++ {
		check(2470328229206232720-6+d, -342) // half the least double
		check(4940656458412465441-6+d, -342)
		check(7410984687618698162-6+d, -342)
		check(1797693134862315807-6+d, 290)
		check(1797693134862315708-6+d, 290)
		check(1797693134862316107-6+d, 290) // beyond the range, halfway to what would be next
		check(9007199254740993000-6+d, -3)
		check(4503599627370497500-6+d, -3)
		check(1152921504606846976-6+d, 0)
		check(9223372036854775808-6+d, 0)
	}
}

// checkDecimal compares the reading of digits × 10^exponent with strconv's.
func checkDecimal(digits uint64, exponent int) error {
	text := fmt.Sprintf("%de%d", digits, exponent)
	f, err := strconv.ParseFloat(text, 64)
	want := math.Float64bits(f)
	if err != nil && !math.IsInf(f, 0) {
		return err
	}
	if got := nearest(digits, exponent); got != want {
		return fmt.Errorf("%s: nearest gives %016x, want %016x", text, got, want)
	}
	cut, sure := nearestCut(digits, exponent)
	if next := nearest(digits+1, exponent); cut > want || digits >= 1e18 && cut+1 < next || sure && (cut != want || cut != next) {
		return fmt.Errorf("%s: nearestCut gives %016x, want %016x", text, cut, want)
	}
	if exponent <= 0 && exponent >= -23 {
		if got := nearestPlain(digits, -exponent); got != want {
			return fmt.Errorf("%s: nearestPlain gives %016x, want %016x", text, got, want)
		}
		return checkShortest(digits, -exponent)
	}
	return nil
}

// aroundDoubles calls each with a finite positive double and its neighbours.
func aroundDoubles(double uint64, each func(uint64)) {
	for d := int64(-3); d <= 3; d++ {
		if near := double + uint64(d); near-1 < infinity-1 {
			each(near)
		}
	}
}

func TestDoublesAtBoundaries(t *testing.T) {
	n := 0
	check := func(double uint64) {
		n++
		if err := checkDouble(double); err != nil {
			t.Fatal(err)
		}
	}
	for e := range uint64(2047) { // every power of two and the ends of its binade
		aroundDoubles(e<<52, check)
		aroundDoubles(e<<52|1<<51, check)
	}
	for e := range 52 { // subnormal powers
		aroundDoubles(1<<e, check)
	}
	for p := -323; p <= 308; p++ {
		for d := 1; d < 10; d++ {
			f, err := strconv.ParseFloat(fmt.Sprintf("%de%d", d, p), 64)
			if err == nil {
				aroundDoubles(math.Float64bits(f), check)
			}
		}
	}
	for p := range uint64(64) { // integers
		for d := -5; d <= 5; d++ {
			if x := int64(1)<<(p%63) + int64(d); x > 0 {
				aroundDoubles(math.Float64bits(float64(x)), check)
			}
		}
	}
	if n < 40_000 {
		t.Fatalf("only %d doubles were tried", n)
	}
}

func TestRandomDoubles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 53))
	for range doubleRounds(t) {
		double := r.Uint64() &^ (1 << 63)
		if double-1 >= infinity-1 {
			continue
		}
		if err := checkDouble(double); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRandomDecimals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 53))
	for range doubleRounds(t) {
		digits := r.Uint64N(1e19) >> r.UintN(64)
		if digits == 0 {
			continue
		}
		if err := checkDecimal(digits, r.IntN(700)-370); err != nil {
			t.Fatal(err)
		}
		if err := checkDecimal(digits, -r.IntN(24)); err != nil {
			t.Fatal(err)
		}
	}
}

// Decimals of up to 19 digits that lie as near as any to halfway between two
// doubles, after Vern Paxson, "A Program for Testing IEEE Decimal–Binary
// Conversion" (1991): for each power of ten and each size of double, the
// digits for which digits × 10^p / 2^q has a fraction nearest to one half are
// found by the continued fraction of 10^p / 2^q.
func TestDecimalsNearHalfway(t *testing.T) {
	found, tried, step := 0, 0, 29
	if thorough() {
		step = 1
	}
	for p := leastPower; p <= 308; p += 20 / rounds(20) {
		for _, q := range halfwayScales(p) {
			for _, digits := range hardDigits(p, q) {
				if found++; found%step != 0 {
					continue
				}
				for d := int64(-1); d <= 1; d++ {
					if x := digits + uint64(d); x > 0 && x < 1e19 {
						tried++
						if err := checkDecimal(x, p); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	if tried < rounds(50_000) {
		t.Fatalf("only %d decimals were tried", tried)
	}
}

// halfwayScales gives the exponents of two for which digits × 10^p × 2^-q has
// 53 bits for some digits below 10^19.
func halfwayScales(p int) (scales []int) {
	for bitsOfDigits := 40; bitsOfDigits <= 63; bitsOfDigits += 3 {
		q := bitsOfDigits + floorLog2(p) - 53
		if q < -1074 {
			q = -1074
		}
		if q <= 971 {
			scales = append(scales, q)
		}
	}
	return scales
}

// hardDigits gives digits x for which x × 10^p / 2^(q-1) is nearly an odd
// integer: the denominators of the continued fraction of that ratio, and sums
// of them.
func hardDigits(p, q int) (hard []uint64) {
	num, den := big.NewInt(1), big.NewInt(1)
	scale := func(base int64, e int) {
		x := new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(max(e, -e))), nil)
		if e < 0 {
			den.Mul(den, x)
		} else {
			num.Mul(num, x)
		}
	}
	scale(10, p)
	scale(2, 1-q)
	before, now := uint64(0), uint64(1)
	for den.Sign() > 0 {
		whole, rest := new(big.Int).QuoRem(num, den, new(big.Int))
		if len(hard) == 0 {
			before, now = 1, 0
		}
		next := new(big.Int).Add(new(big.Int).Mul(whole, new(big.Int).SetUint64(now)), new(big.Int).SetUint64(before))
		if !next.IsUint64() || next.Uint64() > 1e19 {
			break
		}
		if len(hard) == 0 {
			next.SetUint64(1)
			before, now = 0, 1
		} else {
			before, now = now, next.Uint64()
		}
		hard = append(hard, now, now+before, 2*now+before, 3*now)
		num, den = den, rest
	}
	return hard
}

// appendSlowly is the twin of appendFloat: strconv's digits, laid out as the
// steps of Number::toString have it.
func appendSlowly(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0')
	}
	if math.Signbit(f) {
		dst, f = append(dst, '-'), -f
	}
	var buffer [32]byte
	text := strconv.AppendFloat(buffer[:0], f, 'e', -1, 64) // d.ddde±dd
	mark := bytes.IndexByte(text, 'e')
	exponent, err := strconv.Atoi(string(text[mark+1:]))
	if err != nil {
		panic(err) // strconv's own exponent
	}
	digits := append(text[:1], text[min(2, mark):mark]...)
	return layOut(dst, digits, exponent+1)
}

// layOut writes 0.digits × 10^point as Number::toString does, steps 6 to 12.
func layOut(dst, digits []byte, point int) []byte {
	const zeros = "000000000000000000000"
	k, n := len(digits), point
	switch {
	case k <= n && n <= 21:
		return append(append(dst, digits...), zeros[:n-k]...)
	case 0 < n && n <= 21:
		return append(append(append(dst, digits[:n]...), '.'), digits[n:]...)
	case -6 < n && n <= 0:
		return append(append(append(dst, "0."...), zeros[:-n]...), digits...)
	}
	dst = append(dst, digits[0])
	if k > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	dst = append(dst, 'e')
	if n > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(n-1), 10)
}

// TestPowersAreTheLeastAbove derives the table again: each power is the least
// one of 128 bits that is not below 10^p.
func TestPowersAreTheLeastAbove(t *testing.T) {
	one := big.NewInt(1)
	for p := leastPower; p <= greatestPower; p++ {
		entry := powers[p-leastPower]
		g := new(big.Int).Lsh(new(big.Int).SetUint64(entry.hi), 64)
		g.Sub(g, new(big.Int).SetUint64(entry.lo))
		if g.BitLen() != 128 {
			t.Fatalf("1e%d has %d bits", p, g.BitLen())
		}
		// g × 2^e against 10^p, as integers.
		e := floorLog2(p) - 127
		left, right := new(big.Int).Set(g), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(p, -p))), nil)
		unit := new(big.Int).Set(one)
		if p < 0 {
			left.Mul(left, right)
			unit.Set(right)
			right.Set(one)
		}
		if e >= 0 {
			left.Lsh(left, uint(e))
			unit.Lsh(unit, uint(e))
		} else {
			right.Lsh(right, uint(-e))
		}
		if left.Cmp(right) < 0 || new(big.Int).Sub(left, unit).Cmp(right) >= 0 {
			t.Fatalf("1e%d is not the least above", p)
		}
	}
}
