package canon

// namesAscend compares the names at two places, whose prefixes are these.
func (w *writer) namesAscend(a, b int, first, second uint64) bool {
	if first != 0 && second != 0 {
		if first != second || first&0xFF == 0 {
			return first < second
		}
		if c, sure := compareTails(w.in, a+9, b+9); sure {
			return c < 0
		}
	}
	return compareNamesAt(w.source, a, b) < 0
}

// verifyScalar verifies the number or literal at p and gives the place behind
// it, -1 if it is not canonical: if that cannot be seen, by writing it elsewhere.
func (w *writer) verifyScalar(p int) int {
	end, double := asItStands(w.in, p)
	if end >= 0 {
		return end
	}
	end, n := w.changedScalar(p, 0, end, double)
	if n != end-p || w.grown || !w.writtenAt(p, 0, n) {
		return -1
	}
	return end
}

// writtenAt reports whether n bytes of the text from p on are those in w.out from o on.
func (w *writer) writtenAt(p, o, n int) bool {
	for at := 0; at < n; at += 8 {
		differ := load64(w.in, p+at) ^ load64(w.out, o+at)
		if n-at < 8 {
			differ <<= uint(-8*n) & 63
		}
		if differ != 0 {
			return false
		}
	}
	return true
}

// validFast is Valid; ok is false if src is longer or deeper than the fast path
// goes.
func validFast(r *rules, src []byte) (valid, ok bool) {
	if len(src) > maxFastInput {
		return false, false
	}
	w := newWriter(r, src)
	valid = w.verify()
	w.free()
	return valid, valid || r.depth <= maxRecursion
}
