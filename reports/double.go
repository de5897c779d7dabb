package reports

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A double is a number of a document and the bits of the double that is nearest
// to it.
type double struct {
	From, Text               string
	Bits                     string // 16 hex digits, most significant first
	Sign, Exponent, Fraction string // the same bits, in binary digits
}

// Bounds of what is shown: numbers of one text, and how long and how far from 1
// a number may be, since its value is computed exactly.
const (
	shownDoubles   = 3
	doubleDigits   = 1000
	doubleExponent = 5000
)

// doubles lists the numbers of a finding that is about numbers.
func doubles(f *result.Finding) []double {
	if f.Op == result.OpNum && len(f.Input) == 8 {
		return []double{newDouble("input", "", math.Float64frombits(binary.BigEndian.Uint64(f.Input)))}
	}
	if f.Group != "numbers" || f.Ladder != "" {
		return nil
	}
	all := doublesIn("input", f.Input)
	if f.Expected != nil {
		all = append(all, doublesIn("right", f.Expected)...)
	}
	if f.Given == result.OK {
		all = append(all, doublesIn("given", f.Actual)...)
	}
	return all
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE]([+-]?[0-9]+))?$`)

// doublesIn finds the first different numbers of a text that stand outside of
// strings.
func doublesIn(from string, text []byte) []double {
	var all []double
	for i := 0; i < len(text) && len(all) < shownDoubles; {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case numeric(c):
			end := i
			for end < len(text) && numeric(text[end]) {
				end++
			}
			if x, ok := nearest(string(text[i:end])); ok {
				if d := newDouble(from, Escape(text[i:end], 60), x); !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
			i = end
		default:
			i++
		}
	}
	return all
}

// stringEnd gives the offset behind the string that starts at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func numeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// nearest gives the double nearest to a JSON number, ties to even, by exact
// arithmetic; infinity beyond the range.
func nearest(text string) (float64, bool) {
	m := number.FindStringSubmatch(text)
	if m == nil || len(text) > doubleDigits {
		return 0, false
	}
	if m[4] != "" {
		if e, err := strconv.Atoi(m[4]); err != nil || e > doubleExponent || e < -doubleExponent {
			return 0, false
		}
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	x, _ := exact.Float64()
	if strings.HasPrefix(text, "-") {
		x = math.Copysign(x, -1) // a rational zero has no sign
	}
	return x, true
}

func newDouble(from, text string, x float64) double {
	bits := math.Float64bits(x)
	binary := fmt.Sprintf("%064b", bits)
	switch {
	case math.IsInf(x, 0):
		text += " (beyond the range)"
	case text == "":
		text = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return double{from, text, fmt.Sprintf("%016x", bits), binary[:1], binary[1:12], binary[12:]}
}
