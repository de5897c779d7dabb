package canon

import (
	"bytes"
	"math"
	"strconv"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// AppendNumber appends the canonical form of f (RFC 8785 section 3.2.2.3,
// ECMA-262 Number::toString): the fewest digits that still give f, of those the
// closest, of equally close ones the even one. -0 gives 0 (appendix B).
//
// NaN and the infinities have no canonical form: dst is then returned as it was
// given, with an error for non_finite_number whose Offset is -1.
func AppendNumber(dst []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, &reject.Error{
			Package: "canon", Reason: reject.NonFiniteNumber, Offset: -1,
			Requirement: reject.NonFiniteNumber.Clause(reject.RFC8785),
		}
	}
	return appendFloat(dst, f), nil
}

// appendFloat writes a finite double.
func appendFloat(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0')
	}
	if math.Signbit(f) {
		dst, f = append(dst, '-'), -f
	}
	var buffer [64]byte
	digits, exponent := shortest(math.Float64bits(f))
	n := putDigits(textOf(buffer[:]), 0, digits, exponent)
	return append(dst, buffer[:n]...)
}

// judgeNumber says why a number's text is refused, None if it is not.
func (r *rules) judgeNumber(text []byte) reject.Reason {
	f, err := parseFloat(text)
	if err != nil {
		return reject.NumberOverflow
	}
	given := decimal{}
	if r.underflow || r.inexact {
		given = decimalOf(text)
	}
	if f == 0 && len(given.digits) > 0 && r.underflow {
		return reject.NumberUnderflow
	}
	if f == 0 && text[0] == '-' && r.negativeZero {
		return reject.NegativeZero
	}
	if r.inexact && !given.equal(decimalOf(appendFloat(nil, f))) {
		return reject.InexactNumber
	}
	return reject.None
}

// parseFloat rounds a number's text to the nearest double. strconv.ParseFloat
// miscounts texts of more than 800 digits before the point, and exponents from
// 100,000 on, which zeros behind the point can make good; so a long text is
// written anew for it, with as many digits as can matter and one for the rest.
func parseFloat(text []byte) (float64, error) {
	const plain, most = 400, 780 // a double and a half needs 768 digits
	if len(text) > plain {
		d, written := decimalOf(text), []byte("0.")
		if text[0] == '-' {
			written = []byte("-0.")
		}
		if len(d.digits) > most {
			d.digits = append(d.digits[:most], '1')
		}
		text = append(append(written, d.digits...), "0e"...)
		text = strconv.AppendInt(text, int64(d.point), 10)
	}
	return strconv.ParseFloat(string(text), 64)
}

// A decimal is 0.digits × 10^point, the digits without zeros at either end;
// zero has none.
type decimal struct {
	digits []byte
	point  int
}

// decimalOf reads a number's text without its sign. An exponent that no double
// and no text in memory can make good is cut.
func decimalOf(text []byte) decimal {
	text = bytes.TrimPrefix(text, []byte{'-'})
	var d decimal
	if mark := bytes.IndexAny(text, "eE"); mark >= 0 {
		d.point = cutExponent(text[mark+1:])
		text = text[:mark]
	}
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	d.digits = append(append(d.digits, whole...), fraction...)
	d.point += len(whole)
	trimmed := bytes.TrimLeft(d.digits, "0")
	d.point -= len(d.digits) - len(trimmed)
	if d.digits = bytes.TrimRight(trimmed, "0"); len(d.digits) == 0 {
		d.point = 0
	}
	return d
}

func cutExponent(text []byte) int {
	const most = math.MaxInt / 4
	text, negative := bytes.CutPrefix(bytes.TrimPrefix(text, []byte{'+'}), []byte{'-'})
	e := 0
	for _, b := range text {
		if e < most/10 {
			e = e*10 + int(b-'0')
		} else {
			e = most
		}
	}
	if negative {
		return -e
	}
	return e
}

func (d decimal) equal(e decimal) bool {
	return d.point == e.point && bytes.Equal(d.digits, e.digits)
}
