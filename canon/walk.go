package canon

import "math/bits"

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
		var prefix uint64
		if byteAt(in, q) == '"' && w.scan.high == 0 {
			size := q - p - 1
			prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(size), 8)]
			copy32(out, o, in, p)
			for at := 32; at < size+2; at += 64 {
				copy32(out, o+at, in, p+at)
				copy32(out, o+at+32, in, p+at+32)
			}
			o += size + 2
			k += 2
		} else if k, o, prefix = w.oddName(k, o); k < 0 {
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
		if c != '}' || inOrder == 0 && !w.arrange(base, o-1, hash) {
			return -1, 0
		}
		w.top = base
		return k, o
	}
}

// prefixMasks keep the first bytes of a name that has so many.
var prefixMasks = [9]uint64{
	0, 0xFF << 56, 0xFFFF << 48, 0xFFFFFF << 40, 0xFFFFFFFF << 32,
	0xFFFFFFFFFF << 24, 0xFFFFFFFFFFFF << 16, 0xFFFFFFFFFFFFFF << 8, 0xFFFFFFFFFFFFFFFF,
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

// isASCII looks at size bytes.
func isASCII(in text, p, size int) bool {
	seen := uint64(0)
	for ; size > 8; p, size = p+8, size-8 {
		seen |= load64(in, p)
	}
	return (seen|load64(in, p)<<uint(64-8*size))&tops == 0
}

// copyRest copies size bytes, and up to 31 more.
func copyRest(out text, o int, in text, p, size int) {
	if size > 256 {
		copy(piece(out, o, o+size), piece(in, p, p+size))
		return
	}
	for size > 0 {
		copy32(out, o, in, p)
		o, p, size = o+32, p+32, size-32
	}
}

// oddName writes a name that has an escape, or is in a text that has bytes from
// 0xEE on. It gives the name's prefix as member has it.
func (w *writer) oddName(k, o int) (int, int, uint64) {
	in, out := w.in, w.out
	p, q := entryAt(w.entries, k), entryAt(w.entries, k+1)
	size := q - p - 1
	if byteAt(in, q) != '"' || !isASCII(in, p+1, size) {
		k, o = w.string(k, o)
		return k, o, 0
	}
	for at := 0; at < size+2; at += 32 {
		copy32(out, o+at, in, p+at)
	}
	return k + 2, o + size + 2, bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(size), 8)]
}
