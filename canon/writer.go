package canon

import (
	"slices"
	"sync"
)

const (
	blockSize = 64
	// textSlack is how far the copy of a text can be read behind its end,
	// padding to a whole block included.
	textSlack = 3 * blockSize
	// outputSlack is how far stores go beyond what is written.
	outputSlack = 128
	// maxRecursion bounds the descent; deeper texts are written by plain.go.
	maxRecursion = 10_000
	// maxFastInput keeps positions below 2^31, with the longest output.
	maxFastInput = 1 << 28
	// largeText is a text for which dst is grown by as much if it has no room.
	largeText = 64 << 10
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
	in      text   // its copy, as far as it has been read, and padding; an index leaves white space out
	size    int    // the bytes of src
	full    bool   // the output has no room for a longer number: try again with more

	out    text   // where tokens are written that do not stay as they stand
	space  int    // how long that is
	staged []byte // the same, if the whole output is staged there

	body  text   // where the members of objects stand, to be put in order: in or out
	bytes []byte // the same

	copied []byte // the buffer of in
	number []byte // a buffer for one number
	pooled []byte // a buffer for the output, if there is no room in dst

	members []member
	top     int // members in use
	orders  [rememberedOrders]order

	gatherer
	index
}

// A member is a member of an open object that has been staged.
type member struct {
	// prefix is the first eight bytes of its name, the first one highest; 0 if
	// the name must be compared by its code units, or is empty.
	prefix uint64
	start  uint32 // where its name's opening quotation mark stands in out
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
	if need := len(src) + textSlack; len(w.copied) < need {
		w.copied = make([]byte, need)
		w.in = textOf(w.copied)
	}
	if w.members == nil {
		w.members = make([]member, memberRoom)
	}
	w.reset()
}

// reset begins again with the same text.
func (w *writer) reset() {
	w.top, w.full = 0, false
	w.kept, w.pending, w.edited, w.lastEdit = w.kept[:0], w.pending[:0], 0, -1
}

// free gives the writer back, unless it has grown large, as it does not for a
// text of moderate size.
func (w *writer) free() {
	w.src, w.staged, w.out, w.body, w.bytes = nil, nil, nil, nil, nil
	if w.size <= moderateText || w.held() <= maxPooled {
		writers.Put(w)
	}
}

// held gives the bytes of all buffers.
func (w *writer) held() int {
	return len(w.copied) + len(w.pooled) + w.index.held() + 16*len(w.members) + w.gatherer.held()
}

// moreMembers makes room for at least as many more members.
func (w *writer) moreMembers(count int) {
	grown := make([]member, len(w.members)+max(count, len(w.members)/4))
	copy(grown, w.members)
	w.members = grown
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

// appendStaged is appendTo where there is no index: the text is written token by
// token, in dst or, if that has too little room, elsewhere.
func (w *writer) appendStaged(dst []byte) ([]byte, bool) {
	given, need := dst, w.size+outputSlack
	if w.size > largeText && cap(dst) == len(dst) {
		dst = slices.Grow(dst, need) // better than to stage and grow dst then
	}
	staged := cap(dst)-len(dst) < need
	if staged {
		w.stage(need)
	} else {
		w.setOutput(dst[len(dst):cap(dst)])
	}
	n := bare{w}.walk()
	if w.full {
		staged = true
		w.reset()
		w.stage(maxGrowth*w.size + outputSlack)
		n = bare{w}.walk()
	}
	if n < 0 {
		return given, false
	}
	w.gather()
	if staged {
		return append(dst, w.staged[:n]...), true
	}
	return dst[:len(dst)+n], true
}

// acceptsStaged reports whether appendStaged would write a canonical text.
func (w *writer) acceptsStaged() bool {
	w.stage(w.size + outputSlack)
	return bare{w}.walk() >= 0
}

// withinFast reports whether the fast path accepts a canonical src. What it
// refuses may still be within the limits.
func withinFast(r *rules, src []byte) bool {
	w := newWriter(r, src)
	ok := w.accepts()
	w.free()
	return ok
}

// maxGrowth bounds the bytes of output for each byte of text: [1e20] has six
// for 23.
const maxGrowth = 6

// stage makes w.out a buffer of at least size bytes.
func (w *writer) stage(size int) {
	if len(w.pooled) < size {
		w.pooled = make([]byte, size)
	}
	w.setOutput(w.pooled)
}

func (w *writer) setOutput(b []byte) {
	w.staged, w.out, w.space = b, textOf(b), len(b)
	w.body, w.bytes = w.out, b
}
