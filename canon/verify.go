package canon

import "math/bits"

// The walk of walk.go again, for a text that should be canonical already:
// nothing is written, and it ends at the first difference. In a canonical text
// each token begins where the one before ends, so every entry is known before
// it is looked at.

// verify reports whether the text is canonical. It is false too of one that is
// deeper than the fast path goes.
func (w *writer) verify() bool {
	w.begin()
	k, p := w.verifyValue(0, 0, 1)
	return k >= 0 && p == w.size && entryAt(w.entries, k) == w.padded() && w.ended && w.wellFormed()
}

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
			if w.scan.high == 0 || isASCII(in, p+1, size) {
				prefix = bits.ReverseBytes64(load64(in, p+1)) & prefixMasks[min(uint(size), 8)]
			}
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

// namesAscend compares the names at two places, whose prefixes do not tell.
func (w *writer) namesAscend(a, b int, first, second uint64) bool {
	switch {
	case first == 0 || second == 0:
		return compareNamesAt(w.copied, a, b) < 0
	case first > second || first&0xFF == 0:
		return false
	}
	return compareTails(w.in, a+9, b+9) < 0
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
		if byteAt(in, q) != '\\' {
			return -1, 0
		}
		e := byteAt(in, q+1)
		if escapes[e] == escapeKept {
			continue
		}
		if e != 'u' {
			return -1, 0
		}
		if r := hex4(in, q+2); r < 0 || r >= ' ' || !isCanonicalControl(in, q, r) {
			return -1, 0
		}
	}
}

// verifyScalar verifies the number or literal at p by writing it elsewhere, and
// gives the place behind it, -1 if it is not canonical.
func (w *writer) verifyScalar(p int) int {
	n := w.scalar(p, 0)
	if n < 0 || !ends[byteAt(w.in, p+n)] {
		return -1
	}
	for at := 0; at < n; at += 8 {
		differ := load64(w.in, p+at) ^ load64(w.out, at)
		if n-at < 8 {
			differ <<= uint(8*(8-n+at)) & 63
		}
		if differ != 0 {
			return -1
		}
	}
	return p + n
}

// validFast is Valid; ok is false if src is longer or deeper than the fast path
// goes.
func validFast(r *rules, src []byte) (valid, ok bool) {
	if len(src) > maxFastInput {
		return false, false
	}
	w := newWriter(r, src)
	if w.number == nil {
		w.number = make([]byte, 128)
	}
	w.setOutput(w.number)
	w.space = maxFastInput + outputSlack // one number at a time has room
	valid = w.verify()
	w.free()
	return valid, valid || r.depth <= maxRecursion
}
