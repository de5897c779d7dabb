package canon

import "math/bits"

// object writes an object whose opening brace was entry k-1.
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
	base, first := w.top, o
	last, hash, disorder, odd := uint64(0), uint64(0), false, false
	for {
		// The name: prefix, text, colon.
		p, q := entryAt(w.entries, k), entryAt(w.entries, k+1)
		if byteAt(in, p) != '"' {
			return -1, 0
		}
		if w.top == len(w.members) {
			w.growMembers()
		}
		m := memberAt(w.members, w.top)
		w.top++
		m.start = uint32(o)
		size := q - p - 1
		if byteAt(in, q) == '"' && (w.scan.high == 0 || isASCII(in, p+1, size)) {
			prefix := bits.ReverseBytes64(load64(in, p+1)) &^ (^uint64(0) >> (8 * min(uint(size), 8)))
			m.prefix = prefix
			m.end = 0
			disorder = disorder || prefix <= last
			last = prefix
			hash = (bits.RotateLeft64(hash, 5) ^ prefix) * hashFactor
			copy32(out, o, in, p)
			if size > 30 {
				copyRest(out, o+32, in, p+32, size-30)
			}
			o += size + 2
			k += 2
		} else {
			if k, o = w.oddName(k, o, m); k < 0 {
				return -1, 0
			}
			odd = true
		}
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
				if size > 32 {
					copyRest(out, o+32, in, p+32, size-32)
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
			if o = w.scalar(p, o); o < 0 {
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
		if c != '}' {
			return -1, 0
		}
		break
	}
	if odd && !w.arrange(base, first, o-1) || disorder && !odd && !w.arrangeAgain(base, first, o-1, hash) {
		return -1, 0
	}
	w.top = base
	return k, o
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
				if size > 32 {
					copyRest(out, o+32, in, p+32, size-32)
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
			if o = w.scalar(p, o); o < 0 {
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

// isASCII looks at size bytes, and up to 7 more.
func isASCII(in []byte, p, size int) bool {
	const tops = 0x8080808080808080
	seen := uint64(0)
	for ; size > 8; p, size = p+8, size-8 {
		seen |= load64(in, p)
	}
	return (seen|load64(in, p)<<uint(64-8*size))&tops == 0
}

// copyRest copies size bytes, and up to 31 more.
func copyRest(out []byte, o int, in []byte, p, size int) {
	if size > 256 {
		copy(out[o:], in[p:p+size])
		return
	}
	for size > 0 {
		copy32(out, o, in, p)
		o, p, size = o+32, p+32, size-32
	}
}

func (w *writer) growMembers() {
	w.members = append(w.members, make([]member, len(w.members))...)
}

// oddName writes a member name that has an escape or a character beyond ASCII.
func (w *writer) oddName(k, o int, m *member) (int, int) {
	m.prefix, m.end = 0, oddName
	return w.string(k, o)
}
