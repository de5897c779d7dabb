//go:build !purego && (amd64 || arm64)

package canon

import "slices"

// The copy of a text is its canonical form already but for the order of members
// and for what must be written otherwise: strings with escapes that the canonical
// form may not have, and numbers. Members of small objects are moved in the copy;
// all else is noted as pending, and done while the copy is copied to the output.

// joinedEdits is how many bytes may be between two edits that become one.
const joinedEdits = 32

// beginEdit begins to write anew what is at p, and gives the place for it in
// w.out. An edit close before it, in the same member from from on, is joined.
func (w *writer) beginEdit(from, p int) int {
	o := w.edited
	w.moreEdits(o + joinedEdits)
	w.joined = false
	if last := len(w.pending) - 1; last >= 0 && last == w.lastEdit {
		before := &w.pending[last]
		if gap := p - int(before.end); int(before.start) >= from && gap <= joinedEdits {
			w.joined = true
			copy32(w.out, o, w.in, p-gap)
			o += gap
		}
	}
	return o
}

// moreEdits makes room in w.out for edits up to a place, and outputSlack.
func (w *writer) moreEdits(end int) {
	if end+outputSlack > len(w.edits) {
		w.growEdits(end)
	}
	w.out = textOf(w.edits)
}

// endEdit notes that what is at in[p:end] becomes what was written up to o.
func (w *writer) endEdit(p, end, o int) {
	if w.joined {
		last := &w.pending[w.lastEdit]
		last.end = uint32(end)
		last.count += uint32(o - w.edited)
		w.edited = o
	} else {
		w.addEdit(span{uint32(p), uint32(end)}, o)
	}
}

// appendBody appends the copy to dst as it must be.
func (w *writer) appendBody(dst []byte) []byte {
	if len(w.pending) == 0 {
		return append(dst, w.copied[:w.length]...)
	}
	n := w.length
	for i := range w.pending {
		if p := &w.pending[i]; p.at&isEdit != 0 {
			n += int(p.count) - int(p.end-p.start)
		}
	}
	from, child := w.putOff(1, 0, w.length)
	w.kept[from] = piecePutOff{span{0, uint32(w.length)}, child}
	all := len(w.pending) - 1
	switch room := cap(dst) - len(dst); {
	case room < n:
		dst = slices.Grow(dst, n+outputSlack)
	case room < n+outputSlack:
		to := w.room(n)
		w.assemble(textOf(to), 0, w.in, all)
		return append(dst, to[:n]...)
	}
	w.assemble(textOf(dst[len(dst):cap(dst)]), 0, w.in, all)
	return dst[:len(dst)+n]
}
