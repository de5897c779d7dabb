package canon

import "math/bits"

// A bare writes a text without an index of it, for machines that have no
// kernel to make one: it reads the text once, eight bytes at a time in strings
// and white space.
type bare struct{ *writer }

// begin copies the text to where what is written does not reach it, and puts
// behind it a space and bytes that nothing allows there: whoever meets them stops.
func (w bare) begin() {
	w.source = w.copied[outputSlack:]
	w.in = textOf(w.source)
	copy(w.source, w.src)
	clear(w.source[w.size : w.size+blockSize])
	w.source[w.size] = ' '
}

// appendTo is walk, and appends what it has written to dst.
func (w bare) appendTo(dst []byte) ([]byte, bool) {
	n := w.walk()
	if n < 0 {
		return dst, false
	}
	return w.appendBody(dst, n), true
}

// wellFormed is utf8.Valid for the text. It may look at the zeros behind it,
// which end any sequence.
func (w bare) wellFormed() bool {
	in := w.in
	for p := 0; p < w.size; {
		if either256(in, p)&tops == 0 {
			p += 32
			continue
		}
		x := load64(in, p)
		for x&tops == 0 {
			p += 8
			x = load64(in, p)
		}
		p += bits.TrailingZeros64(x&tops) / 8
		if p = wideEnd(in, p); p < 0 {
			return false
		}
	}
	return true
}

// wideEnd passes characters beyond ASCII, of which there is one at p; it gives
// -1 if one is ill-formed.
func wideEnd(in text, p int) int {
	for {
		x := load32(in, p)
		switch {
		case x&0xC0C0F0 == 0x8080E0 && x&0x200F != 0 && x&0x200F != 0x200D: // neither overlong nor a surrogate
			p += 3
		case x&0x80 == 0:
			return p
		case x&0xC0E0 == 0x80C0 && x&0x1E != 0:
			p += 2
		case x&0xC0C0C0F8 == 0x808080F0 && x&0x3007 != 0 && (x&7 < 4 || x&0x3007 == 4):
			p += 4
		default:
			return -1
		}
	}
}

// walk writes the text and gives the length of what it wrote, -1 if the text
// must be refused.
func (w bare) walk() int {
	w.begin()
	if !w.wellFormed() {
		return -1
	}
	w.out = w.body
	p, o := w.value(blankEnd(w.in, 0), 0, 1)
	if p < 0 || blankEnd(w.in, p) != w.size+1 {
		return -1
	}
	return o
}

// blankEnd passes white space.
func blankEnd(in text, p int) int {
	for isBlank[byteAt(in, p)] {
		p++
		x := load64(in, p) ^ ' '*ones
		for x == 0 {
			p += 8
			x = load64(in, p) ^ ' '*ones
		}
		p += bits.TrailingZeros64(x) >> 3
	}
	return p
}

var isBlank = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

// specials marks the bytes of x that are a quotation mark, a backslash or a
// control character: the lowest mark is right, those above may be wrong. With
// bit 1 flipped a quotation mark is the byte behind the control characters.
func specials(x uint64) uint64 {
	return ((x ^ 2*ones - '!'*ones) | (x ^ '\\'*ones - ones)) &^ x & tops
}

// marked gathers the marks of specials, one bit a byte.
func marked(found uint64) uint64 { return found * 0x0002040810204081 >> 56 }

// keptEnd passes what the canonical form of a string has too: it gives the
// first place from p on of a quotation mark, of a control character, or of a
// backslash that does not begin an escape of two characters to be kept.
func keptEnd(in text, p int) int {
	for {
		x, y := load128(in, p)
		found := specials(x)
		if next := specials(y); found|next == 0 {
			p += 16
			continue
		} else {
			found = marked(found) | marked(next)<<8
		}
		width := 16
		for found != 0 {
			n := bits.TrailingZeros64(found)
			switch c, e := twoBytes(in, p+n); {
			case c == '\\' && escapes[e] == escapeKept:
				found &^= 3 << (n & 15)
				width = max(width, n+2)
			case c == '"', c == '\\', c < ' ':
				return p + n
			default:
				found &= found - 1
			}
		}
		p += width
	}
}

// value writes the value at p; depth is that of a container there. It gives
// the places behind it in the text and in the output, negative ones if the text
// must be refused; so do the others.
func (w bare) value(p, o, depth int) (int, int) {
	switch byteAt(w.in, p) {
	case '"':
		return w.string(p, o)
	case '{':
		return w.object(p, o, depth)
	case '[':
		return w.array(p, o, depth)
	}
	return w.scalar(p, o)
}

// scalar writes the number or literal at p.
func (w bare) scalar(p, o int) (int, int) {
	end, double := asItStands(w.in, p)
	if end >= 0 {
		copy32(w.out, o, w.in, p)
		return end, o + end - p
	}
	end, to := w.changedScalar(p, o, end, double)
	if to < 0 || end-p > w.digits {
		return -1, -1
	}
	return end, to
}

// string writes a string.
func (w bare) string(p, o int) (int, int) {
	x := load64(w.in, p+1)
	n := bits.TrailingZeros64(specials(x)) / 8
	if n < 8 && byte(x>>(8*n)) == '"' {
		putByte(w.out, o, '"')
		store64(w.out, o+1, x)
		return p + n + 2, o + n + 2
	}
	return w.longString(p, p+1+n, o)
}

// longString writes a string that needs no change before q.
func (w bare) longString(p, q, o int) (int, int) {
	q = keptEnd(w.in, q)
	if byteAt(w.in, q) != '"' {
		return w.changedString(p, q, o)
	}
	size := q - p + 1
	copy32(w.out, o, w.in, p)
	if size > 32 && !w.copyLong(o, p, size) {
		return -1, -1
	}
	return q + 1, o + size
}

// changedString writes the string at p, where something must be changed at q.
func (w bare) changedString(p, q, o int) (int, int) {
	in, out := w.in, w.out
	from := p // where the run begins that is not yet copied
	for {
		copyRest(out, o, in, from, q-from)
		o += q - from
		if byteAt(in, q) == '"' {
			if q-p-1 > w.stringBytes {
				return -1, -1
			}
			putByte(out, o, '"')
			return q + 1, o + 1
		}
		n := 0
		if from, o, n = w.changes(out, q, o, w.size); n == 0 {
			return -1, -1
		}
		q = keptEnd(in, from)
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
	base := len(w.starts) + w.top
	last, inOrder := uint64(0), uint64(1)
	for {
		if byteAt(in, p) != '"' {
			return -1, -1
		}
		if w.top == len(w.members) {
			w.spill()
		}
		start, prefix := o, uint64(0)
		x := load64(in, p+1)
		found := specials(x)
		n := bits.TrailingZeros64(found) / 8
		if n < 8 && byte(x>>(8*n)) == '"' {
			prefix = prefixOf(x, n)
			putByte(out, o, '"')
			store64(out, o+1, x)
			p, o = p+n+2, o+n+2
		} else {
			if found == 0 {
				prefix = prefixOf(x, 8)
			}
			if p, o = w.longString(p, p+1+n, o); p < 0 {
				return -1, -1
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
		switch byteAt(in, p) {
		case '"':
			p, o = w.string(p, o)
		case '{':
			p, o = w.object(p, o, depth+1)
		case '[':
			p, o = w.array(p, o, depth+1)
		default:
			p, o = w.scalar(p, o)
		}
		if p < 0 {
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
		base -= len(w.starts)
		if c != '}' || w.top-base > w.rules.members || (inOrder == 0 || base < 0) && !w.closeObject(base, o-1, inOrder != 0) {
			return -1, -1
		}
		w.top = max(base, 0)
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
		switch byteAt(in, p) {
		case '"':
			p, o = w.string(p, o)
		case '{':
			p, o = w.object(p, o, depth+1)
		case '[':
			p, o = w.array(p, o, depth+1)
		default:
			p, o = w.scalar(p, o)
		}
		if p < 0 {
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
	return w.verifyValue(0, 1) == w.size && w.wellFormed()
}

// verifyValue verifies the value at p and gives the place behind it, -1 if it
// is not canonical; so do the others.
func (w bare) verifyValue(p, depth int) int {
	switch byteAt(w.in, p) {
	case '"':
		return w.verifyString(p)
	case '{':
		return w.verifyObject(p, depth)
	case '[':
		return w.verifyArray(p, depth)
	}
	return w.verifyScalar(p)
}

func (w bare) verifyString(p int) int {
	in := w.in
	for p++; ; p += 6 {
		p = keptEnd(in, p)
		if byteAt(in, p) == '"' {
			return p + 1
		}
		if byteAt(in, p) != '\\' || !isCanonicalControl(in, p) {
			return -1
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
		name, prefix := p, uint64(0)
		x := load64(in, p+1)
		found := specials(x)
		n := bits.TrailingZeros64(found) / 8
		if n < 8 && byte(x>>(8*n)) == '"' {
			prefix = prefixOf(x, n)
			p += n + 2
		} else {
			if found == 0 {
				prefix = prefixOf(x, 8)
			}
			if p = w.verifyString(p); p < 0 {
				return -1
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
