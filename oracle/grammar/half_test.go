package grammar_test

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

var numeral = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`)

// The features of halves mean what they say, judged by exact arithmetic: a
// number with such digits stands in the document.
func TestHalvesAreHalves(t *testing.T) {
	beyond := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1<<54-1), 970)) // 2^1024 - 2^970
	least := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1075))
	kinds := map[grammar.Feature]func(x, cut, up *big.Rat) bool{
		grammar.NumberHalfExact: func(x, _, _ *big.Rat) bool {
			f, _ := x.Float64()
			if math.IsInf(f, 0) {
				return x.Cmp(beyond) == 0
			}
			away := new(big.Rat).SetFloat64(f)
			away.Sub(x, away)
			for _, to := range []float64{math.Inf(1), math.Inf(-1)} {
				if next := new(big.Rat).SetFloat64(math.Nextafter(f, to)); next != nil && next.Sub(next, x).Cmp(away) == 0 {
					return true
				}
			}
			return x.Cmp(beyond) == 0
		},
		grammar.NumberHalfCut: func(_, cut, up *big.Rat) bool {
			low, _ := cut.Float64()
			high, _ := up.Float64()
			return low != high
		},
		grammar.NumberOverflowByCut: func(x, _, up *big.Rat) bool { return x.Cmp(beyond) < 0 && up.Cmp(beyond) >= 0 },
		grammar.NumberHalfOverflow:  func(x, _, _ *big.Rat) bool { return near(x, beyond) },
		grammar.NumberHalfLeast:     func(x, _, _ *big.Rat) bool { return near(x, least) },
	}
	seen := make(map[grammar.Feature]int)
	run(15, documents/4, func(doc []byte, f grammar.Set) {
		for feature, is := range kinds {
			if !f.Has(feature) || seen[feature] >= 40 {
				continue
			}
			seen[feature]++
			found := false
			for _, word := range numeral.FindAllString(string(doc), -1) {
				if x, cut, up, ok := around(word); ok && is(x, cut, up) {
					found = true
				}
			}
			if !found && !damaged(f) {
				t.Errorf("%s was drawn, and is not in %q", feature, doc)
			}
		}
	})
	for feature := range kinds {
		if seen[feature] < 10 {
			t.Errorf("%s was drawn %d times", feature, seen[feature])
		}
	}
}

// near reports whether x is of the size of y.
func near(x, y *big.Rat) bool {
	q := new(big.Rat).Quo(x, y)
	return q.Cmp(big.NewRat(1, 2)) > 0 && q.Cmp(big.NewRat(2, 1)) < 0
}

// damaged reports whether something was put into the text afterwards.
func damaged(f grammar.Set) bool {
	for _, feature := range f.List() {
		if feature >= grammar.BadLoneHigh {
			return true
		}
	}
	return false
}

// around gives a numeral's magnitude, its first 20 digits, and these counted up.
func around(word string) (x, cut, up *big.Rat, ok bool) {
	mantissa, e, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(word, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d := strings.TrimLeft(whole+fraction, "0")
	exp, _ := strconv.Atoi(e)
	exp -= len(fraction)
	if d == "" || exp < -3000 || exp > 400 {
		return nil, nil, nil, false
	}
	scaled := func(digits string, exp int) *big.Rat {
		n, _ := new(big.Int).SetString(digits, 10)
		p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exp, -exp))), nil))
		if exp < 0 {
			p.Inv(p)
		}
		return p.Mul(p, new(big.Rat).SetInt(n))
	}
	x = scaled(d, exp)
	first := d[:min(len(d), 20)]
	cut = scaled(first, exp+len(d)-len(first))
	up = new(big.Rat).Add(cut, scaled("1", exp+len(d)-len(first)))
	return x, cut, up, true
}
