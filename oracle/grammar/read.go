package grammar

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Respell writes a JSON text again with the same value and another spelling:
// other white space, escapes, points and exponents, another order of members.
// It reports false for what is not a JSON text by the grammar of RFC 8259, or
// is nested beyond 1,100 levels. Lone surrogates and duplicate names stay. The
// bytes are the Generator's own and hold until its next call.
//
// An exponent beyond a thousand million is read as that: it means the same
// double.
func (g *Generator) Respell(s Source, src []byte) ([]byte, bool) {
	if !g.read(src) {
		return nil, false
	}
	w := g.speller(s)
	w.shuffle = true
	g.out = g.spellOnce(w, g.out)
	return g.out, true
}

// Alter writes a JSON text again with one thing of its value changed, as the
// second document of a Different pair. It reports false where Respell does.
func (g *Generator) Alter(s Source, src []byte) ([]byte, bool) {
	if !g.read(src) {
		return nil, false
	}
	g.changeValue(s, int32(s.Choose(len(g.tree.nodes))))
	w := g.speller(s)
	g.out = g.spellOnce(w, g.out)
	return g.out, true
}

// mostRead is the nesting that read follows.
const mostRead = 1100

// read makes the tree of a JSON text.
func (g *Generator) read(src []byte) bool {
	g.features = Set{}
	g.tree.reset()
	r := reader{t: &g.tree, rest: src}
	r.blank()
	root := r.value(0)
	r.blank()
	if r.bad || len(r.rest) > 0 || !utf8.Valid(src) {
		return false
	}
	g.tree.root = root
	return true
}

// reader reads a JSON text; bad is set at the first fault.
type reader struct {
	t    *tree
	rest []byte
	bad  bool
}

func (r *reader) fail() int32 {
	r.bad = true
	return 0
}

func (r *reader) blank() { r.rest = bytes.TrimLeft(r.rest, fourBlanks) }

// peek gives the next byte, 0 at the end.
func (r *reader) peek() byte {
	if len(r.rest) > 0 {
		return r.rest[0]
	}
	return 0
}

// take passes a byte if it is c, which is not 0.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reader) value(depth int) int32 {
	if depth > mostRead {
		return r.fail()
	}
	switch c := r.peek(); {
	case c == '{':
		return r.container(kindObject, '}', depth)
	case c == '[':
		return r.container(kindArray, ']', depth)
	case c == '"':
		id := r.t.add(kindString)
		text := r.string()
		r.t.nodes[id].text = text
		return id
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	case c == 'n':
		return r.literal("null", kindNull)
	case c == 't':
		return r.literal("true", kindTrue)
	case c == 'f':
		return r.literal("false", kindFalse)
	}
	return r.fail()
}

func (r *reader) literal(text string, k kind) int32 {
	rest, ok := bytes.CutPrefix(r.rest, []byte(text))
	if !ok {
		return r.fail()
	}
	r.rest = rest
	return r.t.add(k)
}

func (r *reader) container(k kind, closing byte, depth int) int32 {
	id := r.t.add(k)
	r.rest = r.rest[1:]
	r.blank()
	if r.take(closing) {
		return id
	}
	for !r.bad {
		var name span
		if k == kindObject {
			name = r.string()
			r.blank()
			if !r.take(':') {
				return r.fail()
			}
			r.blank()
		}
		child := r.value(depth + 1)
		if r.bad {
			return 0
		}
		r.t.nodes[child].name = name
		r.t.adopt(id, child)
		r.blank()
		if r.take(closing) {
			return id
		}
		if !r.take(',') {
			return r.fail()
		}
		r.blank()
	}
	return r.fail()
}

func (r *reader) string() span {
	from := int32(len(r.t.chars))
	if !r.take('"') {
		r.fail()
	}
	for !r.bad {
		c := r.peek()
		switch {
		case c < 0x20:
			r.fail()
		case c == '"':
			r.rest = r.rest[1:]
			return span{from, int32(len(r.t.chars))}
		case c == '\\':
			r.escape()
		default:
			rn, n := utf8.DecodeRune(r.rest)
			r.t.chars = append(r.t.chars, char(rn))
			r.rest = r.rest[n:]
		}
	}
	return span{}
}

func (r *reader) escape() {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(r.rest) > 1 {
		if k := strings.IndexByte(from, r.rest[1]); k >= 0 {
			r.t.chars = append(r.t.chars, char(to[k]))
			r.rest = r.rest[2:]
			return
		}
	}
	u, ok := unitOf(r.rest)
	if !ok {
		r.fail()
		return
	}
	r.rest = r.rest[6:]
	if v, ok := unitOf(r.rest); ok {
		if pair := utf16.DecodeRune(u, v); pair != unicode.ReplacementChar {
			u = pair
			r.rest = r.rest[6:]
		}
	}
	r.t.chars = append(r.t.chars, char(u))
}

// unitOf gives the code unit whose escape a text begins with.
func unitOf(text []byte) (rune, bool) {
	digits, ok := bytes.CutPrefix(text, []byte(`\u`))
	if !ok || len(digits) < 4 {
		return 0, false
	}
	u, err := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(u), err == nil
}

func (r *reader) number() int32 {
	id := r.t.add(kindNumber)
	text := r.rest
	neg := r.take('-')
	from := len(r.t.digits)
	if !r.take('0') && r.digits() == 0 {
		return r.fail()
	}
	exp := 0
	if r.take('.') {
		if exp = -r.digits(); exp == 0 {
			return r.fail()
		}
	}
	if r.take('e') || r.take('E') {
		e, ok := r.exponent()
		if !ok {
			return r.fail()
		}
		exp += e
	}
	text = text[:len(text)-len(r.rest)]
	// The digits without zeros before them, but with one at least.
	digits := bytes.TrimLeft(r.t.digits[from:], "0")
	r.t.digits = append(r.t.digits[:from], digits...)
	if len(digits) == 0 {
		r.t.digits = append(r.t.digits, '0')
	}
	f, _ := strconv.ParseFloat(string(text), 64) // infinite beyond the range
	r.t.setNumber(id, neg, span{int32(from), int32(len(r.t.digits))}, int32(exp), math.Float64bits(f))
	return id
}

// digits notes a run of digits and gives its length.
func (r *reader) digits() int {
	n := len(r.rest) - len(bytes.TrimLeft(r.rest, "0123456789"))
	r.t.digits = append(r.t.digits, r.rest[:n]...)
	r.rest = r.rest[n:]
	return n
}

func (r *reader) exponent() (e int, ok bool) {
	neg := r.take('-')
	if !neg {
		r.take('+')
	}
	behind := bytes.TrimLeft(r.rest, "0123456789")
	digits := r.rest[:len(r.rest)-len(behind)]
	r.rest = behind
	e, _ = strconv.Atoi(string(digits)) // as great as can be, if it is greater
	e = min(e, 1e9)
	if neg {
		e = -e
	}
	return e, len(digits) > 0
}
