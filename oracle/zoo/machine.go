package zoo

import (
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// A value is a node of the tree.
type value struct {
	kind  byte // n, t, f for the literals, 0 a number, " a string, [ and {
	num   float64
	word  string   // a number as it was written
	units []uint16 // of a string
	items []item   // of an array, names empty, or of an object in its order
}

// An item is an element or a member.
type item struct {
	name    []uint16
	raw     string // the name as it was written, without quotes
	value   value
	ordinal int
}

// machine is one canonicalizer with its state.
type machine struct {
	behavior
	src      []byte
	i        int
	depth    int
	steps    int64 // work done for all requests
	budget   int64 // steps after which a request counts as hung
	requests int   // begun so far
	failed   bool  // the last request was refused
	out      []byte
	last     []byte // the answer to the last request
	memory   map[uint64]string
	chance   uint64
}

// refused carries a reason out of the reader.
type refused struct{ reason reject.Reason }

func (m *machine) fail(r reject.Reason) { panic(refused{r}) }

// Hung is what Canonicalize panics with where it would take too long.
const Hung = "zoo: a request takes too long"

// step counts work.
func (m *machine) step(n int) {
	m.steps += int64(n)
	if m.steps > m.budget {
		panic(Hung)
	}
}

// mostSteps is the work of one request after which it counts as hung.
const mostSteps = 40_000_000

// Canonicalize serves one request. The error is a reject.Reason.
func (m *machine) Canonicalize(src []byte) (out []byte, err error) {
	m.budget = m.steps + mostSteps
	m.requests++
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(refused)
			if !ok {
				panic(r)
			}
			m.failed = true
			out, err = nil, f.reason
		}
	}()
	if early, ok := m.begin(m, src); ok {
		return early, nil
	}
	m.src, m.i, m.depth = m.prepare(m, src), 0, 0
	v := m.text()
	m.out = m.write(m.clean(m), v)
	out = m.finish(m, m.out)
	m.failed, m.last = false, out
	return out, nil
}

// Work is the number of steps so far.
func (m *machine) Work() int64 { return m.steps }

func (m *machine) text() value {
	m.blanks()
	if m.i == len(m.src) {
		return m.empty(m)
	}
	v := m.value()
	m.blanks()
	if m.i < len(m.src) && !m.rest(m, m.src[m.i:]) {
		m.fail(reject.Syntax)
	}
	return m.top(m, v)
}

func (m *machine) peek() byte {
	if m.i < len(m.src) {
		return m.src[m.i]
	}
	return 0
}

func (m *machine) blanks() {
	for m.i < len(m.src) {
		n := m.blank(m, m.src[m.i:])
		if n == 0 {
			return
		}
		m.step(1)
		m.i += n
	}
}

func (m *machine) value() value {
	m.step(1)
	switch c := m.peek(); {
	case c == '{' || c == '[':
		return m.container(c)
	case m.quote(c):
		return value{kind: '"', units: m.textOf(m, m.string(c, m.text8))}
	}
	return m.word()
}

// word reads a literal or a number.
func (m *machine) word() value {
	from := m.i
	for m.i < len(m.src) && !strings.ContainsRune(" \t\n\r,:[]{}\"", rune(m.src[m.i])) && m.blank(m, m.src[m.i:]) == 0 {
		m.i++
	}
	word := string(m.src[from:m.i])
	m.step(len(word))
	if kind := m.literal(m, word); kind != 0 {
		return value{kind: kind}
	}
	if !m.numeral(m, word) {
		m.fail(reject.Syntax)
	}
	f, ok := m.double(m, word)
	if !ok || math.IsInf(f, 0) {
		m.fail(reject.NumberOverflow)
	}
	return value{num: f, word: word}
}

func (m *machine) container(opening byte) value {
	m.depth++
	if m.depth > m.limit {
		m.fail(reject.LimitDepth)
	}
	m.nested(m)
	m.i++
	m.blanks()
	v := value{kind: opening}
	m.items(&v, opening+2)
	m.closed(m, &v)
	m.depth--
	return v
}

// items reads what is in a container, and its closing bracket.
func (m *machine) items(v *value, closing byte) {
	for first := true; ; first = false {
		m.step(1)
		if m.i == len(m.src) {
			if m.unclosed(m) {
				return
			}
			m.fail(reject.Syntax)
		}
		if (first || m.trailing(m, closing)) && m.closes(closing) {
			return
		}
		v.items = append(v.items, m.item(v))
		m.blanks()
		switch {
		case m.peek() == ',':
			m.i++
			m.blanks()
		case m.closes(closing):
			return
		case m.i < len(m.src) && !m.comma(m):
			m.fail(reject.Syntax)
		}
	}
}

// closes takes a closing bracket.
func (m *machine) closes(closing byte) bool {
	c := m.peek()
	if c != '}' && c != ']' || c != closing && !m.mismatch(m, c) {
		return false
	}
	m.i++
	return true
}

func (m *machine) item(v *value) item {
	for m.peek() == ',' && m.extraComma(m, len(v.items)) {
		m.step(1)
		m.i++
		m.blanks()
	}
	it := item{ordinal: len(v.items)}
	if v.kind == '{' {
		from := m.i + 1
		if m.quote(m.peek()) {
			it.name = m.string(m.peek(), m.name8)
			it.raw = string(m.src[from : m.i-1])
		} else {
			it.name = m.bareName(m)
		}
		it.name = m.nameOf(m, it.name)
		m.blanks()
		if m.peek() != ':' && !m.colon(m, m.peek()) {
			m.fail(reject.Syntax)
		}
		m.i++
		m.blanks()
	}
	it.value = m.value()
	return it
}

// string reads a string into units. sequence measures what is not ASCII.
func (m *machine) string(quote byte, sequence func(m *machine, at int, b []byte) int) []uint16 {
	m.i++
	start := m.i
	var units []uint16
	for {
		if m.i >= len(m.src) {
			m.fail(reject.Syntax)
		}
		m.step(1)
		switch c := m.src[m.i]; {
		case c == quote:
			m.i++
			return m.pairs(units)
		case c == '\\':
			units = m.escaped(units, m.i-start)
		case c < 0x20 && !m.control(m, m.i-start, c):
			m.fail(reject.Syntax)
		case c < 0x80:
			units = append(units, uint16(c))
			m.i++
		default:
			n := sequence(m, m.i-start, m.src[m.i:])
			if n == 0 {
				m.fail(reject.InvalidUTF8)
			}
			units = m.decode(m, units, m.src[m.i:m.i+n])
			m.i += n
		}
	}
}

func (m *machine) escaped(units []uint16, at int) []uint16 {
	if m.i+1 >= len(m.src) {
		m.fail(reject.Syntax)
	}
	c := m.src[m.i+1]
	if c == 'u' || m.escapeU(c) {
		four := m.src[m.i+2 : min(m.i+6, len(m.src))]
		u, n, ok := m.hex(m, four)
		if !ok {
			m.fail(reject.Syntax)
		}
		m.i += 2 + n
		return append(units, m.unitOf(m, at, u))
	}
	u, n, ok := m.escape(m, m.src[m.i+1:])
	if !ok {
		m.fail(reject.Syntax)
	}
	m.i += 1 + n
	return append(units, u...)
}

// pairs looks for surrogates that stand alone.
func (m *machine) pairs(units []uint16) []uint16 {
	if !slices.ContainsFunc(units, isSurrogate) {
		return units
	}
	var out []uint16
	for rest := units; len(rest) > 0; {
		n := 1
		switch u := rest[0]; {
		case !isSurrogate(u):
			out = append(out, u)
		case u < 0xDC00 && len(rest) > 1 && 0xDC00 <= rest[1] && rest[1] < 0xE000:
			n = 2
			out = append(out, rest[:2]...)
		default:
			instead, used, ok := m.lone(m, rest)
			if !ok {
				m.fail(reject.LoneSurrogate)
			}
			n = used
			out = append(out, instead...)
		}
		rest = rest[n:]
	}
	return out
}

func isSurrogate(u uint16) bool { return 0xD800 <= u && u < 0xE000 }

func (m *machine) write(dst []byte, v value) []byte {
	m.step(1)
	switch v.kind {
	case 'n':
		return append(dst, "null"...)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case 0:
		return append(dst, m.number(m, v)...)
	case '"':
		return m.writeString(dst, v.units)
	case '[':
		m.depth++
		dst = append(dst, '[')
		for i, it := range m.elements(m, v.items) {
			if i > 0 {
				dst = append(dst, m.separator...)
			}
			dst = m.write(dst, it.value)
		}
		m.depth--
		return append(dst, m.closer(m, ']'))
	}
	m.depth++
	dst = append(dst, '{')
	for i, it := range m.members(m, v.items) {
		if i > 0 {
			dst = append(dst, m.separator...)
		}
		dst = m.writeString(dst, it.name)
		dst = append(dst, ':')
		dst = m.write(dst, it.value)
	}
	m.depth--
	return append(dst, m.closer(m, '}'))
}

func (m *machine) writeString(dst []byte, units []uint16) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(units); {
		m.step(1)
		var n int
		dst, n = m.char(m, dst, units, i)
		i += n
	}
	return append(dst, '"')
}

// appendChar writes the character at i as UTF-8; a lone surrogate as U+FFFD.
func appendChar(dst []byte, units []uint16, i int) ([]byte, int) {
	u := units[i]
	if i+1 < len(units) {
		if r := utf16.DecodeRune(rune(u), rune(units[i+1])); r != utf8.RuneError {
			return utf8.AppendRune(dst, r), 2
		}
	}
	return utf8.AppendRune(dst, rune(u)), 1
}
