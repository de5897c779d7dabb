package canon

import (
	"math"
	"slices"
	"sync"
)

const (
	// textSlack is how far the copy of a text can be read behind its end,
	// padding to a whole block included.
	textSlack = 3 * blockSize
	// outputSlack is how far stores go beyond what is written.
	outputSlack = 128
	// lookahead is how many entries are at hand wherever w.entries[k] is
	// looked at after k <= w.mark: enough for one member without escapes.
	lookahead = 16
	// windowMembers is how many members there can be in the entries of a
	// window: each has five at least. So many are at hand after a refill.
	windowMembers = windowSize/5 + 2*lookahead
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
	in      text   // its copy, as far as it has been indexed, and padding
	size    int    // the bytes of src
	read    int    // how many of them have been indexed
	ended   bool   // all has been indexed
	full    bool   // the output has no room for a longer number: try again with more

	scan    scan
	entries []uint32
	filled  int // entries that there are
	mark    int // the greatest k after which lookahead entries follow

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
	if w.entries == nil {
		w.entries = make([]uint32, windowSize+2*lookahead+2*entrySlack)
		w.members = make([]member, 2*windowMembers)
	}
	w.reset()
}

// reset begins again with the same text.
func (w *writer) reset() {
	w.read, w.filled, w.top, w.ended, w.full = 0, 0, 0, false, false
	w.scan = scan{}
	w.kept, w.pending = w.kept[:0], w.pending[:0]
	w.mark = -1
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
	return len(w.copied) + len(w.pooled) + 4*len(w.entries) + 16*len(w.members) + w.gatherer.held()
}

// refill reads on until lookahead entries follow entry k, or the text ends. It
// gives the number that entry k has now.
func (w *writer) refill(k int) int {
	w.filled = copy(w.entries, w.entries[k:w.filled])
	for w.filled < lookahead {
		if w.read >= w.size {
			w.finish()
			return 0
		}
		w.window()
	}
	w.mark = w.filled - lookahead
	if len(w.members)-w.top < windowMembers {
		grown := make([]member, len(w.members)+max(windowMembers, len(w.members)/4))
		copy(grown, w.members)
		w.members = grown
	}
	return 0
}

// begin reads the first window.
func (w *writer) begin() {
	if w.size > windowSize {
		w.refill(0)
		return
	}
	if w.size > 0 {
		w.window()
	}
	w.finish()
}

// window reads the next window.
func (w *writer) window() {
	from := w.read
	to := from + windowSize
	src := w.src
	if to >= w.size { // the last one is padded with blanks to whole blocks
		to = w.padded()
		copy32(w.in, to-64, blanks, 0)
		copy32(w.in, to-32, blanks, 0)
		copy(w.copied[from:to], src[from:])
		src = w.copied
	}
	w.filled += indexBlocks(src, w.copied, from, to, w.entries[w.filled:], &w.scan)
	w.read = to
}

var blanks = textOf([]byte("                                "))

// padded is where the padding to whole blocks ends.
func (w *writer) padded() int { return (w.size + blockSize - 1) &^ (blockSize - 1) }

// finish lists entries behind the end of the text, at a byte that nothing
// allows there. Whoever meets the first of them stops, having looked at most at
// the next.
func (w *writer) finish() {
	end := w.padded()
	putByte(w.in, end, 0)
	for i := range 4 {
		w.entries[w.filled+i] = uint32(end)
	}
	w.filled += 4
	w.mark = math.MaxInt
	w.ended = true
}

// write stages the canonical form in w.out, which has room for size bytes and
// outputSlack more, and gives its length, -1 if the text must be refused.
func (w *writer) write() int {
	w.begin()
	k, o := w.value(0, 0, 1)
	if k < 0 || entryAt(w.entries, k) != w.padded() || !w.ended || !w.wellFormed() {
		return -1
	}
	w.gather()
	return o
}

// wellFormed reports what the index knows of strings: none is open, none holds
// a control character, and all bytes are UTF-8.
func (w *writer) wellFormed() bool {
	return w.scan.quoted == 0 && w.scan.control == 0 && (w.scan.wide == 0 || validUTF8(w.copied[:w.padded()]))
}

// value writes the value at entry k; depth is that of a container there. It
// gives the entry and the place behind it, a negative entry if it stopped.
func (w *writer) value(k, o, depth int) (int, int) {
	p := entryAt(w.entries, k)
	switch byteAt(w.in, p) {
	case '{':
		return w.object(k+1, o, depth)
	case '[':
		return w.array(k+1, o, depth)
	case '"':
		return w.string(k, o)
	}
	o = w.scalar(p, o)
	if o < 0 {
		return -1, 0
	}
	return k + 1, o
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
