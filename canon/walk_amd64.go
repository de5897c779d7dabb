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
	last, hash, inOrder := uint64(0), uint64(0), uint64(1)
	for {
		// The name: prefix, text, colon.
		p, q := entryAt(w.entries, k), entryAt(w.entries, k+1)
		if byteAt(in, p) != '"' {
			return -1, 0
		}
		memberAt(w.members, w.top).start = uint32(o)
		prefix := uint64(0)
		if byteAt(in, q) == '"' {
			size := q - p - 1
			prefix = prefixOf(load64(in, p+1), size)
			copy32(out, o, in, p)
			for at := 32; at < size+2; at += 64 {
				copy32(out, o+at, in, p+at)
				copy32(out, o+at+32, in, p+at+32)
			}
			o += size + 2
			k += 2
		} else if k, o = w.string(k, o); k < 0 {
			return -1, 0
		}
		memberAt(w.members, w.top).prefix = prefix
		w.top++
		_, more := bits.Sub64(last, prefix, 0)
		inOrder &= more
		last = prefix
		hash = (bits.RotateLeft64(hash, 5) ^ prefix) * hashFactor
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
				for at := 32; at < size; at += 64 {
					copy32(out, o+at, in, p+at)
					copy32(out, o+at+32, in, p+at+32)
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
		if c != '}' || inOrder == 0 && !w.arrange(base, o-1, hash) {
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
	for {
		p := entryAt(w.entries, k)
		switch c := byteAt(in, p); c {
		case '"':
			q := entryAt(w.entries, k+1)
			if byteAt(in, q) == '"' {
				size := q - p + 1
				copy32(out, o, in, p)
				for at := 32; at < size; at += 64 {
					copy32(out, o+at, in, p+at)
					copy32(out, o+at+32, in, p+at+32)
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
		if c != ']' {
			return -1, 0
		}
		return k, o
	}
}

// string writes the string at entry k: runs of characters that need no change
// are copied, escapes that are not canonical are written anew.
func (w *writer) string(k, o int) (int, int) {
	in, out := w.in, w.out
	from := entryAt(w.entries, k) // where the run begins that is not yet copied
	k++
	for {
		if k > w.mark {
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		k++
		c := byteAt(in, q)
		if c == '"' {
			size := q + 1 - from
			copyRest(out, o, in, from, size)
			return k, o + size
		}
		if c != '\\' {
			return -1, 0 // the text has ended
		}
		switch escapes[byteAt(in, q+1)] {
		case escapeNone:
			return -1, 0
		case escapePlain: // \/ is written /
			copyRest(out, o, in, from, q-from)
			o += q - from
			from = q + 1
		case escapeUnicode:
			copyRest(out, o, in, from, q-from)
			o += q - from
			if from, o = w.unicode(q, o); from < 0 {
				return -1, 0
			}
			if from == q+12 { // a pair is two entries
				if k > w.mark {
					k = w.refill(k)
				}
				k++
			}
		}
	}
}
