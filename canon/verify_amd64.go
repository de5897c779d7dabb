//go:build !purego

package canon

// The walk of walk.go again, for a text that should be canonical already:
// nothing is written, and it ends at the first difference. In a canonical text
// each token begins where the one before ends, so every entry is known before
// it is looked at.

// verifyValue verifies the value that must begin at p and be entry k, and gives
// the entry and the place behind it, a negative entry if it is not canonical.
func (w *writer) verifyValue(k, p, depth int) (int, int) {
	if entryAt(w.entries, k) != p {
		return -1, 0
	}
	switch byteAt(w.in, p) {
	case '{':
		return w.verifyObject(k+1, p+1, depth)
	case '[':
		return w.verifyArray(k+1, p+1, depth)
	case '"':
		return w.verifyString(k, p)
	}
	return k + 1, w.verifyScalar(p)
}

func (w *writer) verifyObject(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, 0
	}
	in := w.in
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, p) == '}' && entryAt(w.entries, k) == p {
		return k + 1, p + 1
	}
	last, lastName := uint64(0), -1
	for {
		q := entryAt(w.entries, k+1)
		if byteAt(in, p) != '"' || entryAt(w.entries, k) != p {
			return -1, 0
		}
		prefix := uint64(0)
		if byteAt(in, q) == '"' {
			size := q - p - 1
			prefix = prefixOf(load64(in, p+1), size)
			k += 2
		} else if k, q = w.verifyString(k, p); k < 0 {
			return -1, 0
		} else {
			q--
		}
		if prefix <= last || last == 0 {
			if lastName >= 0 && !w.namesAscend(lastName, p, last, prefix) {
				return -1, 0
			}
		}
		last, lastName = prefix, p
		if byteAt(in, q+1) != ':' || entryAt(w.entries, k) != q+1 {
			return -1, 0
		}
		k++
		p = q + 2
		if byteAt(in, p) == '"' && entryAt(w.entries, k) == p && byteAt(in, entryAt(w.entries, k+1)) == '"' {
			p = entryAt(w.entries, k+1) + 1
			k += 2
		} else if k, p = w.verifyValue(k, p, depth+1); k < 0 || p < 0 {
			return -1, 0
		}
		c := byteAt(in, p)
		if entryAt(w.entries, k) != p {
			return -1, 0
		}
		k++
		p++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != '}' {
			return -1, 0
		}
		return k, p
	}
}

func (w *writer) verifyArray(k, p, depth int) (int, int) {
	if depth > w.deepest {
		return -1, 0
	}
	in := w.in
	if k > w.mark {
		k = w.refill(k)
	}
	if byteAt(in, p) == ']' && entryAt(w.entries, k) == p {
		return k + 1, p + 1
	}
	for {
		if k, p = w.verifyValue(k, p, depth+1); k < 0 || p < 0 {
			return -1, 0
		}
		c := byteAt(in, p)
		if entryAt(w.entries, k) != p {
			return -1, 0
		}
		k++
		p++
		if k > w.mark {
			k = w.refill(k)
		}
		if c == ',' {
			continue
		}
		if c != ']' {
			return -1, 0
		}
		return k, p
	}
}

// verifyString verifies the string at p, which is entry k.
func (w *writer) verifyString(k, p int) (int, int) {
	in := w.in
	for k++; ; k++ {
		if k > w.mark {
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		if byteAt(in, q) == '"' {
			return k + 1, q + 1
		}
		if byteAt(in, q) != '\\' || escapes[byteAt(in, q+1)] != escapeKept && !isCanonicalControl(in, q) {
			return -1, 0
		}
	}
}
