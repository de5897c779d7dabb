package canon

import (
	"math/bits"
	"unicode/utf8"
)

// A bare writes a text without an index of it, for machines that have no
// kernel to make one: it reads the text once, eight bytes at a time in strings
// and white space.
type bare struct{ *writer }

// begin copies the text, and puts behind it a space and a byte that nothing
// allows there: whoever meets it stops.
func (w bare) begin() {
	copy(w.copied, w.src)
	putByte(w.in, w.size, ' ')
	putByte(w.in, w.size+1, 0)
}

// walk writes the text and gives the length of what it wrote, -1 if the text
// must be refused.
func (w bare) walk() int {
	w.begin()
	p, o := w.value(blankEnd(w.in, 0), 0, 1)
	if p < 0 || blankEnd(w.in, p) != w.size+1 || !utf8.Valid(w.copied[:w.size]) {
		return -1
	}
	return o
}

// blankEnd passes white space.
func blankEnd(in text, p int) int {
	for {
		n := bits.TrailingZeros64(load64(in, p)^' '*ones) / 8
		if p += n; n == 8 {
			continue
		}
		if c := byteAt(in, p); c != '\n' && c != '\r' && c != '\t' {
			return p
		}
		p++
	}
}

// specials marks the bytes of x that are a quotation mark, a backslash or a
// control character: the lowest mark is right, those above may be wrong. With
// bit 1 flipped a quotation mark is the byte behind the control characters.
func specials(x uint64) uint64 {
	low, backslash := x^2*ones, x^'\\'*ones
	return ((low-'!'*ones)&^low | (backslash-ones)&^backslash) & tops
}

// keptPassed clears the marks of specials on escapes that the canonical form
// has too, up to the first mark on anything else, and wrong ones among them.
func keptPassed(x, found uint64) uint64 {
	for found != 0 {
		n := uint(bits.TrailingZeros64(found)) &^ 7
		switch c := byte(x >> n); {
		case c == '\\' && n < 56 && escapes[byte(x>>(n+8))] == escapeKept:
			found &^= 0xFFFF << n
		case c == '\\' || c == '"' || c < ' ':
			return found
		default:
			found &^= 0xFF << n
		}
	}
	return 0
}

// value writes the value at p; depth is that of a container there. It gives
// the places behind it in the text and in the output, negative ones if the text
// must be refused; so do the others.
func (w bare) value(p, o, depth int) (int, int) {
	switch byteAt(w.in, p) {
	case '"':
		p, o, _ = w.string(p, o)
		return p, o
	case '{':
		return w.object(p, o, depth)
	case '[':
		return w.array(p, o, depth)
	}
	return w.scalar(p, o)
}

// string writes a string. plain is false if it has an escape.
func (w bare) string(p, o int) (int, int, bool) {
	in, out := w.in, w.out
	start, plain := p, true
	putByte(out, o, '"')
	p, o = p+1, o+1
	for {
		x := load64(in, p)
		store64(out, o, x)
		found := specials(x)
		if found == 0 {
			p, o = p+8, o+8
			continue
		}
		n := bits.TrailingZeros64(found) / 8
		c := byte(x >> (8 * n))
		if c == '\\' {
			plain = false
			if found = keptPassed(x, found); found == 0 {
				p, o = p+8, o+8
				continue
			}
			n = bits.TrailingZeros64(found) / 8
			c = byte(x >> (8 * n))
		}
		p, o = p+n, o+n
		if c == '"' && p-start-1 <= w.stringBytes {
			return p + 1, o + 1, plain
		} else if c != '\\' {
			return -1, -1, false
		}
		switch e := byteAt(in, p+1); escapes[e] {
		case escapeKept:
			putByte(out, o+1, e)
			p, o = p+2, o+2
		case escapePlain:
			putByte(out, o, e)
			p, o = p+2, o+1
		case escapeUnicode:
			if p, o = w.unicode(p, o); p < 0 {
				return -1, -1, false
			}
		default:
			return -1, -1, false
		}
	}
}

// object writes an object.
func (w bare) object(p, o, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in, out := w.in, w.out
	putByte(out, o, '{')
	o++
	p = blankEnd(in, p+1)
	if byteAt(in, p) == '}' {
		putByte(out, o, '}')
		return p + 1, o + 1
	}
	base := w.top
	last, inOrder := uint64(0), uint64(1)
	for {
		if byteAt(in, p) != '"' {
			return -1, -1
		}
		if w.top == len(w.members) {
			w.moreMembers(memberRoom)
		}
		start := o
		x := load64(in, p+1)
		prefix := uint64(0)
		if n := bits.TrailingZeros64(specials(x)) / 8; n < 8 && byte(x>>(8*n)) == '"' {
			prefix = prefixOf(x, n)
			putByte(out, o, '"')
			store64(out, o+1, x)
			p, o = p+n+2, o+n+2
		} else {
			from, plain := p, false
			if p, o, plain = w.string(p, o); p < 0 {
				return -1, -1
			}
			if plain {
				prefix = prefixOf(x, p-from-2)
			}
		}
		m := memberAt(w.members, w.top)
		m.start, m.prefix = uint32(start), prefix
		w.top++
		_, more := bits.Sub64(last, prefix, 0)
		inOrder &= more
		last = prefix
		if byteAt(in, p) <= ' ' {
			p = blankEnd(in, p)
		}
		if byteAt(in, p) != ':' {
			return -1, -1
		}
		putByte(out, o, ':')
		o++
		if p++; byteAt(in, p) <= ' ' {
			p = blankEnd(in, p)
		}
		if p, o = w.value(p, o, depth+1); p < 0 {
			return -1, -1
		}
		if byteAt(in, p) <= ' ' {
			p = blankEnd(in, p)
		}
		c := byteAt(in, p)
		putByte(out, o, c)
		p, o = p+1, o+1
		if c == ',' {
			if byteAt(in, p) <= ' ' {
				p = blankEnd(in, p)
			}
			continue
		}
		if c != '}' || w.top-base > w.rules.members || inOrder == 0 && !w.arrange(base, o-1) {
			return -1, -1
		}
		w.top = base
		return p, o
	}
}

// array writes an array.
func (w bare) array(p, o, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in, out := w.in, w.out
	putByte(out, o, '[')
	o++
	p = blankEnd(in, p+1)
	if byteAt(in, p) == ']' {
		putByte(out, o, ']')
		return p + 1, o + 1
	}
	for count := 1; ; count++ {
		if p, o = w.value(p, o, depth+1); p < 0 {
			return -1, -1
		}
		if byteAt(in, p) <= ' ' {
			p = blankEnd(in, p)
		}
		c := byteAt(in, p)
		putByte(out, o, c)
		p, o = p+1, o+1
		if c == ',' {
			if byteAt(in, p) <= ' ' {
				p = blankEnd(in, p)
			}
			continue
		}
		if c != ']' || count > w.elements {
			return -1, -1
		}
		return p, o
	}
}

// verify reports whether the text is canonical.
func (w bare) verify() bool {
	w.begin()
	return w.verifyValue(0, 1) == w.size && utf8.Valid(w.copied[:w.size])
}

// verifyValue verifies the value at p and gives the place behind it, -1 if it
// is not canonical; so do the others.
func (w bare) verifyValue(p, depth int) int {
	switch byteAt(w.in, p) {
	case '"':
		p, _ = w.verifyString(p)
		return p
	case '{':
		return w.verifyObject(p, depth)
	case '[':
		return w.verifyArray(p, depth)
	}
	return w.verifyScalar(p)
}

// verifyString tells of a string too whether it has no escape.
func (w bare) verifyString(p int) (int, bool) {
	in, plain := w.in, true
	p++
	for {
		x := load64(in, p)
		found := specials(x)
		if found == 0 {
			p += 8
			continue
		}
		n := bits.TrailingZeros64(found) / 8
		c := byte(x >> (8 * n))
		if c == '\\' {
			plain = false
			if found = keptPassed(x, found); found == 0 {
				p += 8
				continue
			}
			n = bits.TrailingZeros64(found) / 8
			c = byte(x >> (8 * n))
		}
		p += n
		switch {
		case c == '"':
			return p + 1, plain
		case c != '\\':
			return -1, false
		case escapes[byteAt(in, p+1)] == escapeKept:
			p += 2
		case isCanonicalControl(in, p):
			p += 6
		default:
			return -1, false
		}
	}
}

func (w bare) verifyObject(p, depth int) int {
	if depth > w.deepest {
		return -1
	}
	in := w.in
	if p++; byteAt(in, p) == '}' {
		return p + 1
	}
	last, lastName := uint64(0), -1
	for {
		if byteAt(in, p) != '"' {
			return -1
		}
		x, name, prefix := load64(in, p+1), p, uint64(0)
		if n := bits.TrailingZeros64(specials(x)) / 8; n < 8 && byte(x>>(8*n)) == '"' {
			prefix = prefixOf(x, n)
			p += n + 2
		} else {
			plain := false
			if p, plain = w.verifyString(p); p < 0 {
				return -1
			}
			if plain {
				prefix = prefixOf(x, p-name-2)
			}
		}
		if (prefix <= last || last == 0) && lastName >= 0 && !w.namesAscend(lastName, name, last, prefix) {
			return -1
		}
		last, lastName = prefix, name
		if byteAt(in, p) != ':' {
			return -1
		}
		if p = w.verifyValue(p+1, depth+1); p < 0 {
			return -1
		}
		c := byteAt(in, p)
		p++
		if c == ',' {
			continue
		}
		if c != '}' {
			return -1
		}
		return p
	}
}

func (w bare) verifyArray(p, depth int) int {
	if depth > w.deepest {
		return -1
	}
	in := w.in
	if p++; byteAt(in, p) == ']' {
		return p + 1
	}
	for {
		if p = w.verifyValue(p, depth+1); p < 0 {
			return -1
		}
		c := byteAt(in, p)
		p++
		if c == ',' {
			continue
		}
		if c != ']' {
			return -1
		}
		return p
	}
}
