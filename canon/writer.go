package canon

import "sync"

const (
	blockSize = 64
	// textSlack is how far the copy of a text can be read behind its end,
	// padding to a whole block included.
	textSlack = 3 * blockSize
	// outputSlack is how far stores go beyond what is written.
	outputSlack = 128
	// draftRoom is enough for a number, and for the part of a string that is
	// written before it is put back.
	draftRoom = 2*editRoom + 2*outputSlack
	// maxRecursion bounds the descent; deeper texts are written by plain.go.
	maxRecursion = 10_000
	// maxFastInput keeps positions below 2^31.
	maxFastInput = 1 << 28
	// moderateText is a text for which buffers need not be looked at.
	moderateText = 4 << 10
	// maxPooled is how many bytes a writer may hold on to between calls.
	maxPooled = 8 << 20
)

// A writer writes the canonical form of one text in one pass. It stops at the
// first thing that is not as it must be, without saying what: check tells.
type writer struct {
	rules
	deepest int    // the depth that is allowed
	src     []byte // what is read; never kept
	source  []byte // its copy, as far as it has been read, and padding; an index leaves white space out
	in      text   // the same
	size    int    // the bytes of src

	copied []byte // the buffer of source, where the canonical form comes to be
	body   text   // the same
	draft  []byte // a buffer for one number, or a part of a string
	out    text   // where numbers are written: the draft, or the copy,
	// and inPlace if that is where they stand
	inPlace bool

	members []member
	top     int      // members in use
	starts  []uint32 // where the members begin that were spilled
	orders  [rememberedOrders]order

	edits
	gatherer
	index

	output []byte // what dst has room for, once that is written
	to     text   // where assemble writes: that, or scratch
	limit  int    // up to where emit may write with outputSlack
}

// A member is a member of an open object.
type member struct {
	// prefix is the first eight bytes of its name, the first one highest; 0 if
	// the name must be compared by its code units, or is empty.
	prefix uint64
	start  uint32 // where its name's opening quotation mark stands in the copy
	end    uint32 // where the member ends, once that matters
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// newWriter gives a writer that is ready to read src.
func newWriter(r *rules, src []byte) *writer {
	w := writers.Get().(*writer)
	w.start(r, src)
	return w
}

// start makes w ready to read src.
func (w *writer) start(r *rules, src []byte) {
	w.rules, w.src, w.size = *r, src, len(src)
	w.deepest = min(r.depth, maxRecursion)
	if need := len(src) + outputSlack + textSlack; len(w.copied) < need {
		w.copied = make([]byte, need)
		w.body = textOf(w.copied)
	}
	if w.members == nil {
		w.members = make([]member, memberRoom)
		w.draft = make([]byte, draftRoom)
	}
	w.source, w.in, w.out, w.inPlace = w.copied, w.body, textOf(w.draft), false
	w.top, w.starts = 0, w.starts[:0]
	w.kept, w.pending = w.kept[:0], w.pending[:0]
	w.edits = edits{}
}

// free gives the writer back, unless it has grown large, as it does not for a
// text of moderate size.
func (w *writer) free() {
	w.src, w.output, w.to = nil, nil, nil
	if w.size <= moderateText || w.held() <= maxPooled {
		writers.Put(w)
	}
}

// held gives the bytes of the writer and all its buffers.
func (w *writer) held() int {
	const itself = 13 << 10 // most of it are the orders
	return itself + len(w.copied) + len(w.draft) + w.index.held() + 16*len(w.members) + 4*cap(w.starts) + w.gatherer.held()
}

// appendFast appends the canonical form of src to dst. It is false if src must
// be refused, or is longer or deeper than the fast path goes.
func appendFast(r *rules, dst, src []byte) (out []byte, ok bool) {
	if len(src) > maxFastInput {
		return dst, false
	}
	w := newWriter(r, src)
	out, ok = w.appendTo(dst)
	w.free()
	return out, ok
}

// withinFast reports whether the fast path accepts a canonical src. What it
// refuses may still be within the limits.
func withinFast(r *rules, src []byte) bool {
	w := newWriter(r, src)
	ok := w.accepts()
	w.free()
	return ok
}
