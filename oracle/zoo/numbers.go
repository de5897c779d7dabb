package zoo

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// reads makes a reading of number text.
func reads(read func(word string) (float64, bool)) func(*behavior) {
	return func(b *behavior) { b.double = func(_ *machine, word string) (float64, bool) { return read(word) } }
}

// takes makes more words numbers.
func takes(is func(word string) bool, read func(word string) float64) func(*behavior) {
	return func(b *behavior) {
		b.numeral = func(_ *machine, word string) bool { return isNumeral(word) || is(word) }
		b.double = func(_ *machine, word string) (float64, bool) {
			if isNumeral(word) {
				return double(word), true
			}
			return read(word), true
		}
	}
}

func parsed(word string) float64 {
	f, _ := strconv.ParseFloat(word, 64)
	return f
}

// isInteger reports whether a number has neither point nor exponent.
func isInteger(word string) bool { return !strings.ContainsAny(word, ".eE") }

// mantissa gives the digits of a number that count, and the power of ten that
// goes with them as an integer.
func mantissa(word string) (digits string, exp int) {
	s := scientific(strings.TrimPrefix(word, "-"))
	m, e, _ := strings.Cut(s, "e")
	exp, _ = strconv.Atoi(e)
	digits = strings.Replace(m, ".", "", 1)
	return digits, exp - len(digits) + 1
}

var readFaults = []Creature{
	{Name: "read-float32", Part: NumbersIn, Text: "reads numbers in single precision", plant: reads(func(word string) (float64, bool) {
		f, _ := strconv.ParseFloat(word, 32)
		return f, true
	})},
	{Name: "read-integer-64", Part: NumbersIn, Text: "reads integers as 64-bit ones and refuses greater", plant: reads(func(word string) (float64, bool) {
		if isInteger(word) {
			_, err := strconv.ParseInt(word, 10, 64)
			return double(word), err == nil
		}
		return double(word), true
	})},
	{Name: "read-integer-32-wraps", Part: NumbersIn, Text: "reads ten-digit integers into 32 bits", plant: reads(func(word string) (float64, bool) {
		if isInteger(word) && len(word) == 10 {
			n, _ := strconv.ParseInt(word, 10, 64)
			return float64(int32(n)), true
		}
		return double(word), true
	})},
	{Name: "read-17-digits", Part: NumbersIn, Text: "reads the first seventeen digits alone", plant: reads(digitsOnly(17))},
	{Name: "read-19-digits", Part: NumbersIn, Text: "reads the first nineteen digits alone, as many as fit a machine word", plant: reads(digitsOnly(19))},
	{Name: "read-long-integer", Part: NumbersIn, Text: "counts no more than 800 digits before the point, as Go's strconv does", plant: reads(func(word string) (float64, bool) {
		return parsed(word), true
	})},
	{Name: "read-ties-away", Part: NumbersIn, Text: "rounds a tie away from zero", plant: reads(func(word string) (float64, bool) {
		return tied(word, func(even, odd float64) float64 { return far(even, odd) }), true
	})},
	{Name: "read-ties-down", Part: NumbersIn, Text: "rounds a tie towards zero", plant: reads(func(word string) (float64, bool) {
		return tied(word, func(even, odd float64) float64 { return even + odd - far(even, odd) }), true
	})},
	{Name: "read-two-steps", Part: NumbersIn, Text: "multiplies by a power of ten, rounding twice", plant: reads(func(word string) (float64, bool) {
		d, exp := mantissa(word)
		if exp < -22 || exp > 22 || len(d) > 17 {
			return double(word), true
		}
		f := parsed(d) / math.Pow10(max(-exp, 0)) * math.Pow10(max(exp, 0))
		return math.Copysign(f, double(word)), true
	})},
	{Name: "read-truncates", Part: NumbersIn, Text: "rounds towards zero", plant: reads(func(word string) (float64, bool) {
		f := double(word)
		if len(word) > 40 || f == 0 || math.IsInf(f, 0) {
			return f, true
		}
		exact, ok := new(big.Rat).SetString(word)
		if ok && exact.Abs(exact).Cmp(new(big.Rat).SetFloat64(math.Abs(f))) < 0 {
			return math.Nextafter(f, 0), true
		}
		return f, true
	})},
	{Name: "read-denormals-as-zero", Part: NumbersIn, Text: "flushes denormal numbers to zero", plant: reads(func(word string) (float64, bool) {
		if f := double(word); math.Abs(f) >= 0x1p-1022 {
			return f, true
		}
		return 0, true
	})},
	{Name: "read-overflow-clamped", Part: NumbersIn, Text: "reads numbers beyond the range as the greatest one", plant: reads(func(word string) (float64, bool) {
		f := double(word)
		return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, f)), true
	})},
	{Name: "read-overflow-zero", Part: NumbersIn, Text: "reads numbers beyond the range as 0", plant: reads(func(word string) (float64, bool) {
		if f := double(word); !math.IsInf(f, 0) {
			return f, true
		}
		return 0, true
	})},
	{Name: "read-overflow-early", Part: NumbersIn, Text: "refuses exponents above 307", plant: reads(func(word string) (float64, bool) { f := double(word); return f, math.Abs(f) < 1e308 })},
	{Name: "read-overflow-greatest", Part: NumbersIn, Text: "refuses the greatest double", plant: reads(func(word string) (float64, bool) {
		f := double(word)
		return f, math.Abs(f) != math.MaxFloat64
	})},
	{Name: "read-underflow-kept", Part: NumbersIn, Text: "rounds up to the least double what underflows", plant: reads(func(word string) (float64, bool) {
		if f := double(word); f != 0 || strings.Trim(strings.SplitN(strings.ToLower(word), "e", 2)[0], "-0.") == "" {
			return f, true
		}
		return 5e-324, true
	})},
	{Name: "read-exponent-cut", Part: NumbersIn, Text: "reads three digits of an exponent", plant: reads(func(word string) (float64, bool) {
		if e := strings.IndexAny(word, "eE"); e != -1 {
			e++
			if word[e] == '+' || word[e] == '-' {
				e++
			}
			word = word[:min(len(word), e+3)]
		}
		return double(word), true
	})},
	{Name: "read-exponent-capital", Part: NumbersIn, Text: "does not see a capital E", plant: func(b *behavior) {
		b.double = func(_ *machine, word string) (float64, bool) {
			word, _, _ = strings.Cut(word, "E")
			return double(word), true
		}
	}},
	{Name: "read-exponent-plus", Part: NumbersIn, Text: "refuses a plus in an exponent", plant: func(b *behavior) {
		b.numeral = func(_ *machine, word string) bool { return isNumeral(word) && !strings.Contains(word, "+") }
	}},
	{Name: "read-zero-exponent", Part: NumbersIn, Text: "refuses zero with a large exponent for its size", plant: reads(func(word string) (float64, bool) {
		_, exp, _ := strings.Cut(strings.ToLower(word), "e")
		n, _ := strconv.Atoi(strings.TrimPrefix(exp, "+"))
		return double(word), n <= 308
	})},
	{Name: "read-minus-lost", Part: NumbersIn, Text: "loses the minus before 0.", plant: reads(func(word string) (float64, bool) {
		if strings.HasPrefix(word, "-0.") {
			word = word[1:]
		}
		return double(word), true
	})},
	{Name: "read-last-digit-block", Part: NumbersIn, Text: "reads digits by eight and the sixteenth one wrongly", plant: reads(func(word string) (float64, bool) {
		if d := digits(word); d >= 16 && word[15] == '9' {
			return double(word[:15] + "8" + word[16:]), true
		}
		return double(word), true
	})},
	{Name: "takes-leading-zero", Part: NumbersIn, Text: "takes 01", plant: takes(func(w string) bool { return isNumeral(strings.TrimLeft(w, "0")) }, parsed)},
	{Name: "takes-leading-zero-negative", Part: NumbersIn, Text: "takes -01 and not 01", plant: takes(func(w string) bool {
		return strings.HasPrefix(w, "-0") && isNumeral("-"+strings.TrimLeft(w[1:], "0"))
	}, parsed)},
	{Name: "takes-plus", Part: NumbersIn, Text: "takes +1", plant: takes(func(w string) bool { return strings.HasPrefix(w, "+") && isNumeral(w[1:]) }, parsed)},
	{Name: "takes-point-last", Part: NumbersIn, Text: "takes 1.", plant: takes(func(w string) bool { return strings.HasSuffix(w, ".") && isNumeral(w[:len(w)-1]) }, parsed)},
	{Name: "takes-point-exponent", Part: NumbersIn, Text: "takes 1.e1", plant: takes(func(w string) bool { return strings.Contains(w, ".e") && isNumeral(strings.Replace(w, ".e", "e", 1)) }, parsed)},
	{Name: "takes-point-first", Part: NumbersIn, Text: "takes .5", plant: takes(func(w string) bool {
		return strings.HasPrefix(strings.TrimPrefix(w, "-"), ".") && isNumeral(strings.Replace(w, ".", "0.", 1))
	}, parsed)},
	{Name: "takes-hex", Part: NumbersIn, Text: "takes 0x1F", plant: takes(func(w string) bool {
		_, err := strconv.ParseInt(w, 0, 64)
		return strings.HasPrefix(w, "0x") && err == nil
	}, func(w string) float64 {
		n, _ := strconv.ParseInt(w, 0, 64)
		return float64(n)
	})},
	{Name: "takes-underscores", Part: NumbersIn, Text: "takes 1_000", plant: takes(func(w string) bool { return strings.Contains(w, "_") && isNumeral(strings.ReplaceAll(w, "_", "")) }, func(w string) float64 {
		return parsed(strings.ReplaceAll(w, "_", ""))
	})},
	{Name: "takes-nan", Part: NumbersIn, Text: "takes NaN and writes null", plant: special("NaN", 'n')},
	{Name: "takes-infinity", Part: NumbersIn, Text: "takes Infinity and -Infinity and writes null", plant: special("Infinity -Infinity", 'n')},
	{Name: "takes-exponent-empty", Part: NumbersIn, Text: "takes 1e", plant: takes(func(w string) bool {
		return isNumeral(strings.TrimRight(w, "eE+-")) && strings.ContainsAny(w, "eE")
	}, func(w string) float64 { return parsed(strings.TrimRight(w, "eE+-")) })},
	{Name: "takes-minus", Part: NumbersIn, Text: "takes a minus alone for 0", plant: takes(func(w string) bool { return w == "-" }, func(string) float64 { return 0 })},
	{Name: "takes-rest", Part: NumbersIn, Text: "reads a number as far as it goes and skips the rest of the word", plant: takes(func(w string) bool { return numberPrefix(w) > 0 }, func(w string) float64 {
		return parsed(w[:numberPrefix(w)])
	})},
	{Name: "takes-digits-of-other-scripts", Part: NumbersIn, Text: "takes full-width digits", plant: takes(func(w string) bool { return isNumeral(narrow.Replace(w)) }, func(w string) float64 {
		return parsed(narrow.Replace(w))
	})},
}

var narrow = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9")

// special makes words literals.
func special(words string, kind byte) func(*behavior) {
	return func(b *behavior) {
		b.literal = func(m *machine, word string) byte {
			for w := range strings.FieldsSeq(words) {
				if word == w {
					return kind
				}
			}
			return literal(m, word)
		}
	}
}

func numberPrefix(w string) int {
	for w != "" && !isNumeral(w) {
		w = w[:len(w)-1]
	}
	return len(w)
}

// digitsOnly reads so many digits that count.
func digitsOnly(n int) func(string) (float64, bool) {
	return func(word string) (float64, bool) {
		d, exp := mantissa(word)
		taken := d[:min(len(d), n)]
		exp += len(d) - len(taken)
		return math.Copysign(parsed(taken+"e"+strconv.Itoa(exp)), double(word)), true
	}
}

// tied reads a number and lets choose where it is halfway between two. The
// greatest double is odd: what is halfway between it and another is not read as it.
func tied(word string, choose func(even, odd float64) float64) float64 {
	f := double(word)
	if len(word) < 16 || f == 0 || math.Abs(f) >= math.MaxFloat64 {
		return f
	}
	exact, ok := new(big.Rat).SetString(word)
	if !ok {
		return f
	}
	for _, to := range []float64{math.Inf(1), math.Inf(-1)} {
		other := math.Nextafter(f, to)
		middle := new(big.Rat).Add(new(big.Rat).SetFloat64(f), new(big.Rat).SetFloat64(other))
		if middle.Cmp(new(big.Rat).Add(exact, exact)) == 0 {
			return choose(f, other)
		}
	}
	return f
}

func far(a, b float64) float64 {
	return slices.MaxFunc([]float64{a, b}, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
}

// prints makes a writing of numbers.
func prints(print func(f float64) string) func(*behavior) {
	return func(b *behavior) { b.number = func(_ *machine, v value) string { return print(v.num) } }
}

// printsWhere prints some numbers otherwise.
func printsWhere(which func(f float64) bool, print func(f float64) string) func(*behavior) {
	return prints(func(f float64) string {
		if which(f) {
			return print(f)
		}
		return layOut(f)
	})
}

// withDigits prints a fixed count of digits, zeros behind cut.
func withDigits(n int) func(float64) string {
	return func(f float64) string {
		d, point := split(strconv.FormatFloat(math.Abs(f), 'e', n-1, 64))
		if d = strings.TrimRight(d, "0"); d == "" {
			return "0"
		}
		return place(math.Signbit(f), d, point)
	}
}

func whole(f float64) bool { return f == math.Trunc(f) }

func always(float64) bool { return true }

// respelled changes the text of numbers.
func respelled(pairs ...string) func(*behavior) {
	r := strings.NewReplacer(pairs...)
	return prints(func(f float64) string { return r.Replace(layOut(f)) })
}

var printFaults = []Creature{
	{Name: "print-negative-zero", Part: NumbersOut, Text: "writes -0", plant: printsWhere(func(f float64) bool { return f == 0 && math.Signbit(f) }, func(float64) string { return "-0" })},
	{Name: "print-17-digits", Part: NumbersOut, Text: "writes seventeen digits", plant: prints(withDigits(17))},
	{Name: "print-16-digits", Part: NumbersOut, Text: "writes sixteen digits", plant: prints(withDigits(16))},
	{Name: "print-15-digits", Part: NumbersOut, Text: "writes fifteen digits", plant: prints(withDigits(15))},
	{Name: "print-six-digits", Part: NumbersOut, Text: "writes six digits, as C's %g does", plant: prints(withDigits(6))},
	{Name: "print-point-zero", Part: NumbersOut, Text: "writes 1.0", plant: printsWhere(func(f float64) bool { return whole(f) && math.Abs(f) < 1e15 }, func(f float64) string { return layOut(f) + ".0" })},
	{Name: "print-exponent-at-1e20", Part: NumbersOut, Text: "writes an exponent from 1e20 on", plant: printsWhere(func(f float64) bool { return math.Abs(f) >= 1e20 }, scientificText)},
	{Name: "print-exponent-at-1e22", Part: NumbersOut, Text: "writes no exponent below 1e22", plant: printsWhere(func(f float64) bool { return math.Abs(f) >= 1e21 && math.Abs(f) < 1e22 }, fixedText)},
	{Name: "print-exponent-at-1e16", Part: NumbersOut, Text: "writes an exponent from 1e16 on, as Python's repr does", plant: printsWhere(func(f float64) bool { return math.Abs(f) >= 1e16 }, scientificText)},
	{Name: "print-small-at-1e-7", Part: NumbersOut, Text: "writes no exponent for 1e-7", plant: printsWhere(func(f float64) bool { return math.Abs(f) >= 1e-7 && math.Abs(f) < 1e21 }, fixedText)},
	{Name: "print-small-at-1e-5", Part: NumbersOut, Text: "writes an exponent below 1e-5, as encoding/json once did", plant: printsWhere(func(f float64) bool { return math.Abs(f) < 1e-5 && math.Abs(f) >= 1e-6 }, scientificText)},
	{Name: "print-never-exponent", Part: NumbersOut, Text: "writes great numbers without exponent", plant: printsWhere(func(f float64) bool { return math.Abs(f) >= 1e21 }, fixedText)},
	{Name: "print-exponent-plus", Part: NumbersOut, Text: "writes 1e21 without its plus", plant: respelled("e+", "e")},
	{Name: "print-exponent-capital", Part: NumbersOut, Text: "writes 1E+21", plant: respelled("e", "E")},
	{Name: "print-exponent-padded", Part: NumbersOut, Text: "writes 1e-07", plant: printsWhere(always, func(f float64) string {
		s := layOut(f)
		if e := strings.IndexByte(s, 'e'); e != -1 && len(s) == e+3 {
			return s[:e+2] + "0" + s[e+2:]
		}
		return s
	})},
	{Name: "print-comma", Part: NumbersOut, Text: "writes a decimal comma, as some locales have it", plant: respelled(".", ",")},
	{Name: "print-no-zero-before-point", Part: NumbersOut, Text: "writes .5", plant: printsWhere(func(f float64) bool { return 0 < f }, func(f float64) string { return strings.TrimPrefix(layOut(f), "0") })},
	{Name: "print-integers-exactly", Part: NumbersOut, Text: "writes all digits of integers beyond 2^53", plant: printsWhere(func(f float64) bool { return whole(f) && f != 0 && math.Abs(f) < 1e21 }, func(f float64) string {
		return strconv.FormatFloat(f, 'f', 0, 64)
	})},
	{Name: "print-integers-64", Part: NumbersOut, Text: "writes integers through 64 bits", plant: printsWhere(func(f float64) bool { return whole(f) && math.Abs(f) < 1e21 && math.Abs(f) >= 0x1p63 }, func(float64) string {
		return strconv.FormatInt(math.MinInt64, 10)
	})},
	{Name: "print-short-not-near", Part: NumbersOut, Text: "writes as few digits as needed and not the nearest of them", plant: prints(func(f float64) string {
		d, point := shortest(f)
		for _, by := range []int64{-1, 1} {
			n, _ := strconv.ParseInt(d, 10, 64)
			other := strconv.FormatInt(n+by, 10)
			if len(other) == len(d) && parsed(other+"e"+strconv.Itoa(point-len(d))) == math.Abs(f) {
				return place(math.Signbit(f), other, point)
			}
		}
		return place(math.Signbit(f), d, point)
	})},
	{Name: "print-powers-of-two", Part: NumbersOut, Text: "writes seventeen digits where the gap below is half the gap above", plant: printsWhere(func(f float64) bool {
		return math.Float64bits(f)<<12 == 0 && math.Abs(f) < 0x1p-996 && f != 0
	}, withDigits(17))},
	{Name: "print-denormals", Part: NumbersOut, Text: "writes seventeen digits of denormal numbers", plant: printsWhere(func(f float64) bool { return f != 0 && math.Abs(f) < 0x1p-1022 }, withDigits(17))},
	{Name: "print-greatest", Part: NumbersOut, Text: "writes sixteen digits of the greatest doubles", plant: printsWhere(func(f float64) bool { return math.Abs(f) > 1.797e308 }, withDigits(16))},
	{Name: "print-last-digit", Part: NumbersOut, Text: "rounds a seventeenth digit of 5 down (the fault of an early Grisu)", plant: printsWhere(always, func(f float64) string {
		d, point := shortest(f)
		if len(d) == 17 && d[16] == '5' {
			d = d[:16]
		}
		return place(math.Signbit(f), d, point)
	})},
	{Name: "print-as-written", Part: NumbersOut, Text: "copies numbers as they were written", plant: func(b *behavior) { b.number = func(_ *machine, v value) string { return v.word } }},
	{Name: "print-integers-as-written", Part: NumbersOut, Text: "copies integers as they were written", plant: func(b *behavior) {
		b.number = func(_ *machine, v value) string {
			if isInteger(v.word) && v.word != "-0" {
				return v.word
			}
			return layOut(v.num)
		}
	}},
	{Name: "print-short-as-written", Part: NumbersOut, Text: "copies numbers of up to fifteen digits and a point as they were written", plant: func(b *behavior) {
		b.number = func(_ *machine, v value) string {
			if len(v.word) < 16 && !strings.ContainsAny(v.word, "eE") && strings.Contains(v.word, ".") && v.num != 0 {
				return v.word
			}
			return layOut(v.num)
		}
	}},
	{Name: "print-null", Part: NumbersOut, Text: "writes null for numbers beyond the range", plant: func(b *behavior) {
		b.double = func(_ *machine, word string) (float64, bool) {
			if f := double(word); !math.IsInf(f, 0) {
				return f, true
			}
			return math.NaN(), true
		}
		b.number = func(_ *machine, v value) string {
			if math.IsNaN(v.num) {
				return "null"
			}
			return layOut(v.num)
		}
	}},
}

func scientificText(f float64) string {
	d, point := shortest(f)
	if len(d) > 1 {
		d = d[:1] + "." + d[1:]
	}
	sign := ""
	if math.Signbit(f) {
		sign = "-"
	}
	return fmt.Sprintf("%s%se%+d", sign, d, point-1)
}

func fixedText(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// openNumbers are readings that the standards leave open.
var openNumbers = []Creature{
	{Name: "refuses-negative-zero", Text: "refuses -0 (RFC 8785 erratum 7920)", plant: reads(func(word string) (float64, bool) { f := double(word); return f, f != 0 || !math.Signbit(f) })},
	{Name: "refuses-underflow", Text: "refuses numbers that round to zero", plant: reads(func(word string) (float64, bool) {
		f := double(word)
		return f, f != 0 || strings.Trim(strings.SplitN(strings.ToLower(word), "e", 2)[0], "-0.") == ""
	})},
	{Name: "refuses-unsafe-integers", Text: "refuses integers beyond 2^53-1 that rounding changes (RFC 7493 section 2.2)", plant: func(b *behavior) {
		b.double = func(m *machine, word string) (float64, bool) {
			f := double(word)
			if f == 0 || math.IsInf(f, 0) {
				return f, true
			}
			if d, exp := mantissa(word); strings.Trim(d[min(max(len(d)+exp, 0), len(d)):], "0") == "" {
				e, point := shortest(f)
				if strings.TrimRight(d, "0") != e || len(d)+exp != point {
					m.fail(reject.InexactNumber)
				}
			}
			return f, true
		}
	}},
	{Name: "reads-20-digits", Text: "reads twenty digits that count and puts zeros for the rest (ECMA-262 section 7.1.4.1)", plant: reads(digitsOnly(20))},
}
