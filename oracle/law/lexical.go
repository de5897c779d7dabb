package law

import (
	"fmt"
	"math"
	"strconv"
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

func (r *strictReader) fail(what string) {
	if r.fault == "" {
		r.fault = what
	}
}

func (r *strictReader) take(text string) bool {
	if r.fault == "" && len(r.text)-r.i >= len(text) && string(r.text[r.i:r.i+len(text)]) == text {
		r.i += len(text)
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
			if !first && r.fault == "" && !unitLess(last, name) {
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
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

func (r *strictReader) string() string {
	if !r.take(`"`) {
		r.fail("no string")
	}
	var text []byte
	for r.fault == "" {
		if r.i >= len(r.text) {
			r.fail("a string without end")
			break
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
			r.i += n
		}
	}
	return ""
}

func (r *strictReader) escape() byte {
	const names, means = `"\bfnrt`, "\"\\\b\f\n\r\t"
	for k := range len(names) {
		if r.take(`\` + names[k:k+1]) {
			return means[k]
		}
	}
	for c := range byte(0x20) {
		short := false
		for k := range len(means) {
			short = short || means[k] == c
		}
		if !short && r.take(fmt.Sprintf(`\u%04x`, c)) {
			return c
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
	sci := strconv.FormatFloat(math.Abs(f), 'e', -1, 64)
	at := len(sci) - 1
	for sci[at] != 'e' {
		at--
	}
	exp, _ := strconv.Atoi(sci[at+1:])
	digits := sci[:1]
	if at > 1 {
		digits += sci[2:at]
	}
	sign, k, n := "", len(digits), exp+1
	if f < 0 {
		sign = "-"
	}
	zeros := func(n int) string { return "000000000000000000000"[:n] }
	switch {
	case k <= n && n <= 21:
		return sign + digits + zeros(n-k)
	case 0 < n && n <= 21:
		return sign + digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return sign + "0." + zeros(-n) + digits
	}
	e := "e+"
	if n-1 < 0 {
		e, n = "e-", 2-n
	}
	text := sign + digits[:1]
	if k > 1 {
		text += "." + digits[1:]
	}
	return text + e + strconv.Itoa(n-1)
}
