package law

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// checkLexical reads the canonical form with a reader that knows no other
// spelling.
func checkLexical(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if err != nil {
		return nil
	}
	r := strictReader{text: out}
	r.value()
	if r.fault == "" && r.i < len(out) {
		r.fault = "something follows the value"
	}
	if r.fault != "" {
		return fmt.Errorf("%s gives %s: %s at offset %d", show(input), show(out), r.fault, r.i)
	}
	return nil
}

// strictReader reads canonical forms and nothing else.
type strictReader struct {
	text  []byte
	i     int
	fault string
}

// fail notes what is wrong first.
func (r *strictReader) fail(what string) { r.fault = cmp.Or(r.fault, what) }

func (r *strictReader) take(text string) bool {
	if r.fault == "" && len(r.text)-r.i >= len(text) && string(r.text[r.i:r.i+len(text)]) == text {
		r.i = r.i + len(text)
		return true
	}
	return false
}

func (r *strictReader) value() {
	switch {
	case r.fault != "":
	case r.take("null"), r.take("true"), r.take("false"):
	case r.take("["):
		r.items("]", r.value)
	case r.take("{"):
		last, first := "", true
		r.items("}", func() {
			name := r.string()
			if !first && !unitLess(last, name) {
				r.fail("names out of order")
			}
			last, first = name, false
			if !r.take(":") {
				r.fail("no colon")
			}
			r.value()
		})
	case r.i < len(r.text) && r.text[r.i] == '"':
		r.string()
	default:
		r.number()
	}
}

func (r *strictReader) items(closing string, item func()) {
	if r.take(closing) {
		return
	}
	for r.fault == "" {
		item()
		if r.take(closing) {
			return
		}
		if !r.take(",") {
			r.fail("no comma")
		}
	}
}

// unitLess is RFC 8785 section 3.2.3, by the letter.
func unitLess(a, b string) bool {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) < 0
}

func (r *strictReader) string() string {
	if !r.take(`"`) {
		r.fail("no string")
	}
	var text []byte
	for r.fault == "" {
		if r.i >= len(r.text) {
			r.fail("a string without end")
			return ""
		}
		c := r.text[r.i]
		switch {
		case c == '"':
			r.i++
			return string(text)
		case c == '\\':
			text = append(text, r.escape())
		case c < 0x20:
			r.fail("a control that is not escaped")
		default:
			rn, n := utf8.DecodeRune(r.text[r.i:])
			if rn == utf8.RuneError && n == 1 {
				r.fail("not UTF-8")
			}
			text = append(text, r.text[r.i:r.i+n]...)
			r.i = r.i + n
		}
	}
	return ""
}

// An escape is one that a canonical form has.
type escape struct {
	spelled string
	means   byte
}

var escapes = canonicalEscapes()

func canonicalEscapes() (all []escape) {
	const names, means = `"\bfnrt`, "\"\\\b\f\n\r\t"
	for k := range len(names) {
		all = append(all, escape{`\` + names[k:k+1], means[k]})
	}
	for c := range byte(0x20) {
		if !strings.ContainsRune(means, rune(c)) {
			all = append(all, escape{fmt.Sprintf(`\u%04x`, c), c})
		}
	}
	return all
}

func (r *strictReader) escape() byte {
	for _, e := range escapes {
		if r.take(e.spelled) {
			return e.means
		}
	}
	r.fail("an escape that is none of the canonical form")
	return 0
}

// number reads what looks like a number and checks that it is the text of its
// double: layout by magnitude, digits that read back and are as few as can be.
func (r *strictReader) number() {
	from := r.i
	for r.i < len(r.text) && (r.text[r.i] >= '0' && r.text[r.i] <= '9' || r.text[r.i] == '-' || r.text[r.i] == '+' || r.text[r.i] == '.' || r.text[r.i] == 'e') {
		r.i++
	}
	text := string(r.text[from:r.i])
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || text != numberText(f) {
		r.i = from
		r.fail("not the text of a number")
	}
}

// numberText writes a finite double by ECMA-262 section 6.1.6.1.20, with
// strconv's shortest digits: the closest ones of the fewest.
func numberText(f float64) string {
	if f == 0 {
		return "0"
	}
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	exponent, _ := strconv.Atoi(power)
	k, n := len(digits), exponent+1
	sign := ""
	if math.Signbit(f) {
		sign = "-"
	}
	switch {
	case k <= n && n <= 21:
		return sign + digits + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return sign + digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return sign + "0." + strings.Repeat("0", -n) + digits
	}
	return fmt.Sprintf("%s%se%+d", sign, mantissa, exponent)
}
