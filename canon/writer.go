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
	// maxPooled is how many bytes a writer may hold on to between calls.
	maxPooled = 8 << 20
)

// A writer writes the canonical form of one text in one pass. It stops at the
// first thing that is not as it must be, without saying what: check tells.
type writer struct {
	rules
	deepest int    // the depth that is allowed
	src     []byte // what is read; never kept
	in      text   // its copy, as far as it has been read, and padding
	size    int    // the bytes of src
	full    bool   // the output has no room for a longer number: try again with more

	out    text   // where the output is staged
	staged []byte // the same
	space  int    // how long that is

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
	w.kept, w.pending = w.kept[:0], w.pending[:0]
}

// free gives the writer back, unless it has grown large.
func (w *writer) free() {
	w.src, w.staged, w.out = nil, nil, nil
	if w.held() <= maxPooled {
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

// write stages the canonical form in w.out, which has room for size bytes and
// outputSlack more, and gives its length, -1 if the text must be refused.
func (w *writer) write() int {
	n := w.walk()
	if n >= 0 {
		w.gather()
	}
	return n
}

// appendFast appends the canonical form of src to dst. It is false if src must
// be refused, or is longer or deeper than the fast path goes.
func appendFast(r *rules, dst, src []byte) (out []byte, ok bool) {
	if len(src) > maxFastInput {
		return dst, false
	}
	w, given := newWriter(r, src), dst
	need := len(src) + outputSlack
	if len(src) > largeText && cap(dst) == len(dst) {
		dst = slices.Grow(dst, need) // better than to stage and grow dst then
	}
	staged := cap(dst)-len(dst) < need
	if staged {
		w.stage(need)
	} else {
		w.setOutput(dst[len(dst):cap(dst)])
	}
	n := w.write()
	if w.full {
		staged = true
		w.reset()
		w.stage(maxGrowth*len(src) + outputSlack)
		n = w.write()
	}
	switch {
	case n < 0:
		out = given
	case staged:
		out = append(dst, w.staged[:n]...)
	default:
		out = dst[:len(dst)+n]
	}
	w.free()
	return out, n >= 0
}

// withinFast reports whether the fast path accepts a canonical src. What it
// refuses may still be within the limits.
func withinFast(r *rules, src []byte) bool {
	w := newWriter(r, src)
	w.stage(len(src) + outputSlack)
	n := w.write()
	w.free()
	return n >= 0
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

func (w *writer) setOutput(b []byte) { w.staged, w.out, w.space = b, textOf(b), len(b) }
