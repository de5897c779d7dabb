//go:build !purego

package canon

import "math/bits"

// value writes the value at entry k; depth is that of a container there. It
// gives the entry and the place behind it, a negative entry if it stopped.
func (w *writer) value(k, o, depth int) (int, int) {
	p := entryAt(w.entries, k)
	switch byteAt(w.in, p) {
	case '{':
		return w.object(k+1, o, depth)
	case '[':
		return w.array(k+1, o, depth)
	case '"':
		return w.string(k, o)
	}
	if _, o = w.scalar(p, o); o < 0 {
		return -1, 0
	}
	return k + 1, o
}

// object writes an object whose opening brace was entry k-1. It gives the entry
// and the place behind it, a negative entry if the text must be refused; so do
// the others.
func (w *writer) object(k, o, depth int) (int, int) {
	if depth > w.deepest {
		return -1, 0
	}
	in, out := w.in, w.out
	putByte(out, o, '{')
	o++
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, entryAt(w.entries, k)) == '}' {
		putByte(out, o, '}')
		return k + 1, o + 1
	}
	base := w.top
	last, inOrder := uint64(0), uint64(1)
	for {
		// The name: prefix, text, colon.
		p, q := entryAt(w.entries, k), entryAt(w.entries, k+1)
		if byteAt(in, p) != '"' {
			return -1, 0
		}
		start, prefix := o, uint64(0)
		if byteAt(in, q) == '"' {
			size := q - p + 1
			prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(size-2), 8)]
			if w.scan.wide|w.scan.backslash != 0 {
				prefix = oddPrefix(prefix)
			}
			copy32(out, o, in, p)
			if size > 32 && !w.copyLong(o, p, size) {
				return -1, 0
			}
			o += size
			k += 2
		} else if k, o = w.string(k, o); k < 0 {
			return -1, 0
		}
		m := memberAt(w.members, w.top)
		m.prefix, m.start = prefix, uint32(start)
		w.top++
		_, more := bits.Sub64(last, prefix, 0)
		inOrder &= more
		last = prefix
		if byteAt(in, entryAt(w.entries, k)) != ':' {
			return -1, 0
		}
		putByte(out, o, ':')
		o++
		k++

		// The value.
		p = entryAt(w.entries, k)
		switch c := byteAt(in, p); c {
		case '"':
			q = entryAt(w.entries, k+1)
			if byteAt(in, q) == '"' {
				size := q - p + 1
				copy32(out, o, in, p)
				if size > 32 && !w.copyLong(o, p, size) {
					return -1, 0
				}
				o += size
				k += 2
			} else if k, o = w.string(k, o); k < 0 {
				return -1, 0
			}
		case '{':
			if k, o = w.object(k+1, o, depth+1); k < 0 {
				return -1, 0
			}
		case '[':
			if k, o = w.array(k+1, o, depth+1); k < 0 {
				return -1, 0
			}
		default:
			if _, o = w.scalar(p, o); o < 0 {
				return -1, 0
			}
			k++
		}

		// What follows it.
		c := byteAt(in, entryAt(w.entries, k))
		k++
		putByte(out, o, c)
		o++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != '}' || w.top-base > w.rules.members || inOrder == 0 && !w.arrange(base, o-1) {
			return -1, 0
		}
		w.top = base
		return k, o
	}
}

// array writes an array whose opening bracket was entry k-1.
func (w *writer) array(k, o, depth int) (int, int) {
	if depth > w.deepest {
		return -1, 0
	}
	in, out := w.in, w.out
	putByte(out, o, '[')
	o++
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, entryAt(w.entries, k)) == ']' {
		putByte(out, o, ']')
		return k + 1, o + 1
	}
	for count := 1; ; count++ {
		p := entryAt(w.entries, k)
		switch c := byteAt(in, p); c {
		case '"':
			q := entryAt(w.entries, k+1)
			if byteAt(in, q) == '"' {
				size := q - p + 1
				copy32(out, o, in, p)
				if size > 32 && !w.copyLong(o, p, size) {
					return -1, 0
				}
				o += size
				k += 2
			} else if k, o = w.string(k, o); k < 0 {
				return -1, 0
			}
		case '{':
			if k, o = w.object(k+1, o, depth+1); k < 0 {
				return -1, 0
			}
		case '[':
			if k, o = w.array(k+1, o, depth+1); k < 0 {
				return -1, 0
			}
		default:
			if _, o = w.scalar(p, o); o < 0 {
				return -1, 0
			}
			k++
		}
		c := byteAt(in, entryAt(w.entries, k))
		k++
		putByte(out, o, c)
		o++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != ']' || count > w.elements {
			return -1, 0
		}
		return k, o
	}
}

// string writes the string at entry k: runs of characters that need no change
// are copied, escapes that are not canonical are written anew.
func (w *writer) string(k, o int) (int, int) {
	in, out := w.in, w.out
	start := entryAt(w.entries, k)
	from := start // where the run begins that is not yet copied
	k++
	for {
		if k > w.mark {
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		k++
		c := byteAt(in, q)
		if c == '"' {
			if q-start-1 > w.stringBytes {
				return -1, 0
			}
			size := q + 1 - from
			copyRest(out, o, in, from, size)
			return k, o + size
		}
		q-- // the backslash
		size := q - from
		switch escapes[c] {
		default: // no escape, or the text has ended
			return -1, 0
		case escapePlain: // \/ is written /
			copyRest(out, o, in, from, size)
			o += size
			from = q + 1
		case escapeUnicode:
			copyRest(out, o, in, from, size)
			o += size
			for { // for each escape of a run of them
				if from, o = w.unicode(q, o); from < 0 {
					return -1, 0
				}
				if k > w.mark {
					k = w.refill(k)
				}
				if from == q+12 { // a pair is two entries
					k++
				}
				if byteAt(in, from) != '\\' || byteAt(in, from+1) != 'u' {
					break
				}
				q = from
				k++
			}
		}
	}
}

// oddPrefix makes the first bytes of a name a prefix: 0 if a backslash is among
// them.
func oddPrefix(prefix uint64) uint64 {
	x := prefix ^ '\\'*ones
	switch found := (x - ones) &^ x; {
	case (found|prefix)&tops == 0:
		return prefix
	case found&tops != 0:
		return 0
	}
	return unitOrder(prefix)
}
