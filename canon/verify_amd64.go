//go:build !purego

package canon

import "math/bits"

// The walk of walk_amd64.go again, for a text that should be canonical already:
// nothing is written, and it ends at the first difference. In a canonical text
// each token begins where the one before ends, and is an entry; so the place p
// and the entry k are those of the same token as long as the text goes on as
// it must, and entries are looked at for the ends of strings alone.

// verifyValue verifies the value that must begin at p and is entry k, and gives
// the entry and the place behind it, negative ones if it is not canonical.
func (w *writer) verifyValue(k, p, depth int) (int, int) {
	switch byteAt(w.in, p) {
	case '{':
		return w.verifyObject(k+1, p+1, depth)
	case '[':
		return w.verifyArray(k+1, p+1, depth)
	case '"':
		return w.verifyString(k)
	}
	return k + 1, w.verifyScalar(p)
}

func (w *writer) verifyObject(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in := w.in
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, p) == '}' {
		return k + 1, p + 1
	}
	last, lastName := uint64(0), -1
	for {
		if byteAt(in, p) != '"' {
			return -1, -1
		}
		name, prefix := p, uint64(0)
		if q := entryAt(w.entries, k+1); byteAt(in, q) == '"' {
			prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(q-p-1), 8)]
			if w.scan.wide|w.scan.backslash != 0 {
				prefix = oddPrefix(prefix)
			}
			k += 2
			p = q + 1
		} else if k, p = w.verifyString(k); k < 0 {
			return -1, -1
		}
		if (prefix <= last || last == 0) && lastName >= 0 && !w.namesAscend(lastName, name, last, prefix) {
			return -1, -1
		}
		last, lastName = prefix, name
		if byteAt(in, p) != ':' {
			return -1, -1
		}
		k++
		p++
		if q := entryAt(w.entries, k+1); byteAt(in, p) == '"' && byteAt(in, q) == '"' {
			k += 2
			p = q + 1
		} else if k, p = w.verifyValue(k, p, depth+1); p < 0 {
			return -1, -1
		}
		c := byteAt(in, p)
		k++
		p++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != '}' {
			return -1, -1
		}
		return k, p
	}
}

func (w *writer) verifyArray(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, -1
	}
	in := w.in
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, p) == ']' {
		return k + 1, p + 1
	}
	for {
		switch byteAt(in, p) {
		case '{':
			k, p = w.verifyObject(k+1, p+1, depth+1)
		case '[':
			k, p = w.verifyArray(k+1, p+1, depth+1)
		case '"':
			k, p = w.verifyString(k)
		default:
			k, p = k+1, w.verifyScalar(p)
		}
		if p < 0 {
			return -1, -1
		}
		c := byteAt(in, p)
		k++
		p++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != ']' {
			return -1, -1
		}
		return k, p
	}
}

// verifyString verifies the string at entry k.
func (w *writer) verifyString(k int) (int, int) {
	in := w.in
	for k++; ; k++ {
		if k > w.mark {
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		if byteAt(in, q) == '"' {
			return k + 1, q + 1
		}
		if !isCanonicalControl(in, q-1) {
			return -1, -1
		}
	}
}
