package grammar

import (
	"math"
	"strconv"
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
	r := reader{t: &g.tree, src: src}
	r.blank()
	root := r.value(0)
	r.blank()
	if r.bad || r.i < len(src) || !utf8.Valid(src) {
		return false
	}
	g.tree.root = root
	return true
}

// reader reads a JSON text; bad is set at the first fault.
type reader struct {
	t   *tree
	src []byte
	i   int
	bad bool
}

func (r *reader) fail() int32 {
	r.bad = true
	return 0
}

func (r *reader) blank() {
	for r.i < len(r.src) && isBlank(r.src[r.i]) {
		r.i++
	}
}

// peek gives the next byte, 0 at the end.
func (r *reader) peek() byte {
	if r.i < len(r.src) {
		return r.src[r.i]
	}
	return 0
}

// take passes a byte if it is c.
func (r *reader) take(c byte) bool {
	if r.peek() != c || r.i >= len(r.src) {
		return false
	}
	r.i++
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
	if len(r.src)-r.i < len(text) || string(r.src[r.i:r.i+len(text)]) != text {
		return r.fail()
	}
	r.i += len(text)
	return r.t.add(k)
}

func (r *reader) container(k kind, closing byte, depth int) int32 {
	id := r.t.add(k)
	r.i++
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
			break
		}
		r.t.nodes[child].name = name
		r.t.adopt(id, child)
		r.blank()
		if r.take(closing) {
			return id
		}
		if !r.take(',') {
			break
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
			r.i++
			return span{from, int32(len(r.t.chars))}
		case c == '\\':
			r.escape()
		default:
			rn, n := utf8.DecodeRune(r.src[r.i:])
			r.t.chars = append(r.t.chars, char(rn))
			r.i += n
		}
	}
	return span{}
}

func (r *reader) escape() {
	if r.i+1 >= len(r.src) {
		r.fail()
		return
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := r.src[r.i+1]
	for k := range len(from) {
		if from[k] == c {
			r.t.chars = append(r.t.chars, char(to[k]))
			r.i += 2
			return
		}
	}
	u, ok := r.unit(r.i)
	if !ok {
		r.fail()
		return
	}
	r.i += 6
	if 0xD800 <= u && u < 0xDC00 {
		if v, ok := r.unit(r.i); ok && 0xDC00 <= v && v < 0xE000 {
			r.i += 6
			u = 0x10000 + (u-0xD800)<<10 + v - 0xDC00
		}
	}
	r.t.chars = append(r.t.chars, u)
}

func (r *reader) unit(at int) (char, bool) {
	if len(r.src) < at+6 || r.src[at] != '\\' || r.src[at+1] != 'u' {
		return 0, false
	}
	u := char(0)
	for _, c := range r.src[at+2 : at+6] {
		switch {
		case '0' <= c && c <= '9':
			u = u<<4 | char(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			u = u<<4 | char(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return u, true
}

func (r *reader) number() int32 {
	id := r.t.add(kindNumber)
	start := r.i
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
	if len(r.t.digits) == from { // 0 without more
		r.t.digits = append(r.t.digits, '0')
	}
	d := span{int32(from), int32(len(r.t.digits))}
	for d.len() > 1 && r.t.digits[d.from] == '0' {
		d.from++
	}
	f, _ := strconv.ParseFloat(string(r.src[start:r.i]), 64)
	if math.IsInf(f, 0) {
		f = 0
	}
	r.t.setNumber(id, neg, d, int32(exp), math.Float64bits(f))
	return id
}

// digits notes a run of digits and gives its length.
func (r *reader) digits() int {
	from := r.i
	for '0' <= r.peek() && r.peek() <= '9' {
		r.i++
	}
	r.t.digits = append(r.t.digits, r.src[from:r.i]...)
	return r.i - from
}

func (r *reader) exponent() (e int, ok bool) {
	neg := r.take('-')
	if !neg {
		r.take('+')
	}
	from := r.i
	for '0' <= r.peek() && r.peek() <= '9' {
		e = min(e*10+int(r.src[r.i]-'0'), 1e9)
		r.i++
	}
	if neg {
		e = -e
	}
	return e, r.i > from
}
