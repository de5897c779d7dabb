//go:build !purego && (amd64 || arm64)

package canon

import "math/bits"

// The walk reads the copy of a text from place to place. Each token begins
// where the one before ends; where a string ends is the next entry. So the place
// p and the entry k go on together, and nothing is written as long as the text
// is canonical. What a value is stands in the loops of objects and arrays once
// more, here and in verify_index.go: a call for each value is what they avoid.

// value reads the value at p; k is the next entry, depth that of a container
// there. It gives the entry and the place behind it, a negative place if the text
// must be refused; so do the others.
func (w *writer) value(k, p, depth int) (int, int) {
	switch byteAt(w.in, p) {
	case '{':
		return w.object(k, p+1, depth)
	case '[':
		return w.array(k, p+1, depth)
	case '"':
		if q := entryAt(w.entries, k); byteAt(w.in, q) == '"' && q-p-1 <= w.stringBytes {
			return k + 1, q + 1
		}
		return w.string(k, p)
	}
	if end, double := asItStands(w.in, p); end < 0 {
		return w.oddToken(k, p, end, double)
	} else {
		return k, end
	}
}

// object reads an object whose opening brace stands before p.
func (w *writer) object(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in := w.in
	if p > w.stop {
		k = w.refill(k)
	}
	if byteAt(in, p) == '}' {
		return k, p + 1
	}
	base := len(w.starts) + w.top
	last, inOrder := uint64(0), uint64(1)
	for {
		// The name and its prefix.
		if byteAt(in, p) != '"' {
			return -1, -1
		}
		start, prefix := p, uint64(0)
		if q := entryAt(w.entries, k); byteAt(in, q) == '"' {
			size := q - p - 1
			prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(size), 8)]
			if w.odd {
				prefix = oddPrefix(prefix)
			}
			if size > w.stringBytes {
				return -1, -1
			}
			k++
			p = q + 1
		} else if k, p = w.string(k, p); p < 0 {
			return -1, -1
		} else {
			prefix = w.memberFrom(uint32(start)).prefix
		}
		m := memberAt(w.members, w.top)
		m.prefix, m.start = prefix, uint32(start)
		w.top++
		_, more := bits.Sub64(last, prefix, 0)
		inOrder &= more
		last = prefix
		if p > w.stop {
			k = w.refill(k)
		}
		if byteAt(in, p) != ':' {
			return -1, -1
		}

		// The value.
		p++
		switch byteAt(in, p) {
		case '"':
			if q := entryAt(w.entries, k); byteAt(in, q) == '"' && q-p-1 <= w.stringBytes {
				k++
				p = q + 1
			} else {
				k, p = w.string(k, p)
			}
		case '{':
			k, p = w.object(k, p+1, depth+1)
		case '[':
			k, p = w.array(k, p+1, depth+1)
		default:
			if n := plainLength(in, p); n > 0 {
				p += n
			} else if end, double := asItStands(in, p); end >= 0 {
				p = end
			} else {
				k, p = w.oddToken(k, p, end, double)
			}
		}
		if p < 0 {
			return -1, -1
		}

		// What follows it.
		if p > w.stop {
			k = w.refill(k)
		}
		c := byteAt(in, p)
		p++
		if c == ',' {
			continue
		}
		base -= len(w.starts)
		if c != '}' || w.top-base > w.rules.members || (inOrder == 0 || base < 0) && !w.closeObject(base, p-1, inOrder != 0) {
			return -1, -1
		}
		w.top = max(base, 0)
		return k, p
	}
}

// array reads an array whose opening bracket stands before p.
func (w *writer) array(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in := w.in
	if p > w.stop {
		k = w.refill(k)
	}
	if byteAt(in, p) == ']' {
		return k, p + 1
	}
	for count := 1; ; count++ {
		switch byteAt(in, p) {
		case '"':
			if q := entryAt(w.entries, k); byteAt(in, q) == '"' && q-p-1 <= w.stringBytes {
				k++
				p = q + 1
			} else {
				k, p = w.string(k, p)
			}
		case '{':
			k, p = w.object(k, p+1, depth+1)
		case '[':
			k, p = w.array(k, p+1, depth+1)
		default:
			if end, double := asItStands(in, p); end >= 0 {
				p = end
			} else {
				k, p = w.oddToken(k, p, end, double)
			}
		}
		if p < 0 {
			return -1, -1
		}
		if p > w.stop {
			k = w.refill(k)
		}
		c := byteAt(in, p)
		p++
		if c == ',' {
			continue
		}
		if c != ']' || count > w.elements {
			return -1, -1
		}
		return k, p
	}
}

// plainLength gives the length of the integer of at most 15 digits at p, before a
// comma or a closing bracket, or of a literal whatever follows; 0 if there is none
// of these.
func plainLength(in text, p int) int {
	x := load64(in, p)
	if byte(x) > '9' {
		const null, tru, fals = 0x6c6c756e, 0x65757274, 0x65736c6166
		switch {
		case uint32(x) == null, uint32(x) == tru:
			return 4
		case x&0xFFFFFFFFFF == fals:
			return 5
		}
		return 0
	}
	n := digitRun(x)
	if n == 8 {
		n += digitRun(load64(in, p+8))
	}
	if c := byteAt(in, p+n); (c == ',' || c|0x20 == '}') && (byte(x) > '0' || n == 1) && n <= 15 {
		return n
	}
	return 0
}

// oddToken reads the number or literal at p that may not stay as it stands; end
// and double are those of asItStands.
func (w *writer) oddToken(k, p, end int, double uint64) (int, int) {
	if double == 0 {
		if end := w.growShort(p); end >= 0 {
			return k, end
		}
	}
	end, to := w.changedScalar(p, p, end, double)
	if end < 0 && !w.ended {
		k = w.readNumber(k, p)
		end, to = w.changedScalar(p, p, -1, 0)
	}
	if end < 0 || to < 0 || end-p > w.digits {
		return -1, -1
	}
	return k, end
}

// growShort writes the number at p if it is an integer of at most eight digits with an
// exponent of at most four, and grows. It gives the place behind, -1 if there is no
// such number, or a longer one than is allowed.
func (w *writer) growShort(p int) int {
	in, at := w.in, p
	x := load64(in, at)
	if byte(x) == '-' {
		at++
		x = load64(in, at)
	}
	k := digitRun(x)
	if byte(x)-'1' > 8 {
		return -1
	}
	e, end := exponentAt(in, at+k)
	d := (x ^ '0'*ones) << ((64 - 8*k) & 63) >> ((64 - 8*k) & 63)
	n, point := 8-bits.LeadingZeros64(d)>>3, k+e
	if end < 8 || end-p > w.digits || uint(point-n-leastKept) > greatestKept-leastKept {
		return -1
	}
	power, room, size := powerTexts[point+farPoint], end-at, n
	if n > 1 {
		size++ // the decimal point
	}
	size += int(power >> 56)
	if power == 0 || size <= room {
		return -1
	}
	w.markBefore(p)
	w.growInPlace(end, room, size, d|'0'*ones, '0'*ones, n, point)
	return end
}

// putBack puts the first n bytes of the draft in the copy at p, and fills it up
// with zeros to a place.
func (w *writer) putBack(p, end, n int) {
	copy(w.copied[p:end], w.draft[:n])
	clear(w.copied[p+n : end])
	w.holes = w.holes || p+n < end
	w.delta -= end - p - n
}

// string reads the string at p whose next entry does not end it. It is written
// anew from its first escape on that is not canonical, a part at a time.
func (w *writer) string(k, p int) (int, int) {
	in, draft := w.in, textOf(w.draft)
	done := p     // what is read up to there,
	to, o := p, 0 // is written up to there, with o bytes of the draft
	for {
		for k >= w.filled {
			if w.ended {
				return -1, -1
			}
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		k++
		c := byteAt(in, q)
		if c == '"' {
			q++
			if q-p-2 > w.stringBytes {
				return -1, -1
			}
			if done > p {
				to, o = w.moveRun(to, o, done, q)
				w.putBack(to, q, o)
			}
			return k, q
		}
		q-- // the backslash
		if q+16 > w.length && !w.ended {
			k = w.refill(k)
		}
		if isCanonicalControl(in, q) {
			for q += unicodeSize; k < w.filled && q+16 <= w.length && isCanonicalControl(in, q); q += unicodeSize {
				k++
			}
			continue
		}
		stop := w.length
		if !w.ended {
			stop -= 16
		}
		to, o = w.moveRun(to, o, done, q)
		n := 0
		if done, o, n = w.changes(draft, q, o, min(stop, q+editRoom)); n == 0 {
			return -1, -1
		}
		k += n - 1 // each is an entry
	}
}

// moveRun adds the run of characters in[from:end] to what is written of a string:
// up to to in the copy, and then o bytes of the draft. It leaves room for editRoom
// bytes more in the draft.
func (w *writer) moveRun(to, o, from, end int) (int, int) {
	size := end - from
	if o+size <= editRoom {
		copyRest(textOf(w.draft), o, w.in, from, size)
		return to, o + size
	}
	to += copy(w.copied[to:], w.draft[:o])
	if to == from {
		return end, 0
	}
	return to + copy(w.copied[to:], w.copied[from:end]), 0
}
