//go:build !purego && (amd64 || arm64)

package canon

import "math/bits"

// The walk of walk_index.go again, for a text that should be canonical already:
// it notes nothing, and ends at the first difference.

// verifyValue verifies the value at p; k is the next entry. It gives the entry
// and the place behind it, a negative place if the value is not canonical; so do
// the others.
func (w *writer) verifyValue(k, p, depth int) (int, int) {
	switch byteAt(w.in, p) {
	case '{':
		return w.verifyObject(k, p+1, depth)
	case '[':
		return w.verifyArray(k, p+1, depth)
	case '"':
		return w.verifyString(k)
	}
	return k, w.verifyScalar(p) // no canonical one is as long as what is at hand
}

func (w *writer) verifyObject(k, p, depth int) (int, int) {
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
	last, lastName := uint64(1), -1 // before any prefix but 0
	for {
		if byteAt(in, p) != '"' {
			return -1, -1
		}
		name, prefix := p, uint64(0)
		if q := entryAt(w.entries, k); byteAt(in, q) == '"' {
			prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(q-p-1), 8)]
			if w.odd {
				prefix = oddPrefix(prefix)
			}
			k++
			p = q + 1
		} else if k, p = w.verifyString(k); p < 0 {
			return -1, -1
		}
		if (prefix <= last || last == 0) && lastName >= 0 && !w.namesAscend(lastName, name, last, prefix) {
			return -1, -1
		}
		last, lastName = prefix, name
		if p > w.stop {
			k = w.refill(k)
		}
		if byteAt(in, p) != ':' {
			return -1, -1
		}
		p++
		switch byteAt(in, p) {
		case '"':
			if q := entryAt(w.entries, k); byteAt(in, q) == '"' {
				k++
				p = q + 1
			} else {
				k, p = w.verifyString(k)
			}
		case '{':
			k, p = w.verifyObject(k, p+1, depth+1)
		case '[':
			k, p = w.verifyArray(k, p+1, depth+1)
		default:
			if n := plainLength(in, p); n > 0 {
				p += n
			} else {
				p = w.verifyScalar(p)
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
	if p > w.stop {
		k = w.refill(k)
	}
	if byteAt(in, p) == ']' {
		return k, p + 1
	}
	for {
		switch byteAt(in, p) {
		case '{':
			k, p = w.verifyObject(k, p+1, depth+1)
		case '[':
			k, p = w.verifyArray(k, p+1, depth+1)
		case '"':
			if q := entryAt(w.entries, k); byteAt(in, q) == '"' {
				k++
				p = q + 1
			} else {
				k, p = w.verifyString(k)
			}
		default:
			if end, _ := asItStands(in, p); end >= 0 {
				p = end
			} else {
				p = w.verifyScalar(p)
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
		if c != ']' {
			return -1, -1
		}
		return k, p
	}
}

// verifyString verifies the string that the next entries are of.
func (w *writer) verifyString(k int) (int, int) {
	for {
		q := entryAt(w.entries, k)
		if byteAt(w.in, q) == '"' {
			return k + 1, q + 1
		}
		switch {
		case k < w.filled && q+5 > w.length && !w.ended:
			k = w.refill(k)
		case k < w.filled && isCanonicalControl(w.in, q-1):
			k++
		case k < w.filled || w.ended:
			return -1, -1
		default:
			k = w.refill(k)
		}
	}
}
