//go:build !purego && (amd64 || arm64)

package canon

import (
	"bytes"
	"math"
	"math/bits"
)

// A text is read in windows. Reading copies it without the white space outside
// strings, so that each token begins where the one before ends and the walk goes
// from place to place; the walk may look beyond the copy's end. And it lists
// entries: the places in the copy of closing quotation marks, and of what
// follows the backslash of an escape that the canonical form may not have: all
// but \" \\ \b \f \n \r \t.

const (
	// windowSize is how many bytes are read at a time.
	windowSize = 64 * blockSize
	// lookahead is how many bytes are at hand behind a place up to w.stop: more
	// than is looked at of a token that is no string, unless it is a long number.
	lookahead = 256
	// entrySlack is how far a kernel may write beyond its last entry.
	entrySlack = 64
	// windowMembers is more members than can begin in what is at hand after a
	// refill and in what the last one may add: each has four bytes at least, a
	// name of none, its colon and what its value begins with. move uses one more.
	windowMembers = (2*windowSize+lookahead)/4 + 1
	// memberRoom is how many members there is room for at first.
	memberRoom = 2 * windowMembers
)

// An index is what has been read of a text.
type index struct {
	scan
	read    int // how many bytes of the text
	length  int // how many of its copy they have become
	stop    int // the last place from which lookahead bytes are at hand
	ended   bool
	entries []uint32
	filled  int  // entries that there are
	checked int  // how far the copy is known to be UTF-8, if it is read in parts
	odd     bool // a byte from 0x80 on or a backslash was read
}

func (x *index) held() int { return 4 * len(x.entries) }

// A scan is what one block leaves to the next.
type scan struct {
	escaped uint64 // 1 if the next byte is escaped
	quoted  uint64 // all ones inside a string
	blank   uint64 // 1 if the last byte was white space outside strings
	// fault is not zero once a control character stood in a string, or white
	// space between two bytes that would be one number or literal without it.
	fault uint64
	wide  uint64 // not zero once a byte from 0x80 on was read
	// backslash is not zero once a backslash was read.
	backslash uint64
}

// A kernel reads blocks. The tests set kernels in turn; the first is none, for
// bare.go.
type kernel uint8

var useKernel = bestKernel

// packs are the orders of eight bytes that leave some out: bit i of the index
// keeps byte i. The kernel reads eight bytes behind the last one.
//
//lint:ignore U1000 the kernels read it
var packs = func() (t [257][8]byte) {
	for kept := range 256 {
		n := 0
		for i := range 8 {
			if kept>>i&1 != 0 {
				t[kept][n] = byte(i)
				n++
			}
		}
	}
	return t
}()

// scalars is 1 for the bytes that may be part of a number or literal, if they
// stand in no string.
//
//lint:ignore U1000 the kernels read it
var scalars = func() (t [256]byte) {
	for b := range t {
		if bytes.IndexByte([]byte(`{}[]:,"`), byte(b)) < 0 {
			t[b] = 1
		}
	}
	return t
}()

// begin reads the first window.
func (w *writer) begin() {
	if w.entries == nil {
		w.entries = make([]uint32, windowSize+lookahead+entrySlack)
	}
	w.scan = scan{}
	w.read, w.length, w.filled, w.checked, w.ended = 0, 0, 0, 0, false
	if w.size > windowSize {
		w.refill(0)
		return
	}
	if w.size > 0 {
		w.filled, w.length = indexText(w.src, w.copied, 0, w.entries, &w.scan)
	}
	w.finish()
}

// refill reads on until half a window more is at hand or the text ends; there
// must be no more than lookahead entries from k on. It gives the number that
// entry k has now.
func (w *writer) refill(k int) int {
	w.filled = copy(w.entries, w.entries[k:w.filled])
	for from := w.length; w.length < from+windowSize/2; {
		if w.read == w.size {
			w.finish()
			return 0
		}
		to := min(w.read+windowSize, w.size)
		wide := w.scan.wide
		w.scan.wide = 0
		count, packed := indexText(w.src[w.read:to], w.copied, w.length, w.entries[w.filled:], &w.scan)
		ascii := w.scan.wide == 0 && w.checked == w.length
		w.filled += count
		w.length += packed
		w.read = to
		w.scan.wide |= wide
		if ascii {
			w.checked = w.length
		} else {
			w.checkUTF8()
		}
	}
	// An entry that none is: whoever meets it reads on.
	putByte(w.in, w.length, 0)
	w.entries[w.filled] = uint32(w.length)
	w.stop = w.length - lookahead
	w.odd = w.scan.wide|w.scan.backslash != 0
	if len(w.members)-w.top < windowMembers {
		w.spill()
	}
	return 0
}

// finish puts behind the copy what numbers may end at and nothing else allows,
// and an entry that none is: whoever meets it stops.
func (w *writer) finish() {
	store64(w.in, w.length, ' '*ones)
	w.entries[w.filled] = uint32(w.length)
	w.stop = math.MaxInt
	w.odd = w.scan.wide|w.scan.backslash != 0
	w.ended = true
}

// readNumber reads on until the end of the number at p is at hand.
func (w *writer) readNumber(k, p int) int {
	for !w.ended {
		for c := byteAt(w.in, p); isDigit(c) || c == '+' || c == '-' || c == '.' || c|0x20 == 'e'; c = byteAt(w.in, p) {
			p++
		}
		if p < w.length {
			break
		}
		k = w.refill(k)
	}
	return k
}

// wellFormed reports what the index knows of strings: none is open, none holds
// a control character, and all bytes are UTF-8.
func (w *writer) wellFormed() bool {
	return w.scan.quoted|w.scan.fault == 0 && (w.scan.wide == 0 || w.checked == w.length || w.validUTF8(w.length))
}

// checkUTF8 checks what is new of the copy, while it is at hand and before
// anything is moved in it. A last character that has only begun is left for later:
// its string goes on then, so that it is not moved before.
func (w *writer) checkUTF8() {
	end := w.length
	for i := end - 1; i >= max(w.checked, end-3); i-- {
		if c := w.copied[i]; !isTail(c) {
			if size := bits.LeadingZeros8(^c); size > end-i {
				end = i
			}
			break
		}
	}
	begun := load32(w.in, end)
	if !w.validUTF8(end) {
		w.scan.fault = 1
	}
	store32(w.in, end, begun)
	w.checked = end
}

// validUTF8 reports whether the copy is UTF-8 up to a place, behind which a block
// is overwritten.
func (w *writer) validUTF8(end int) bool {
	for i := 0; i < blockSize; i += 8 {
		store64(w.in, end+i, ' '*ones)
	}
	return validUTF8(w.copied[w.checked : w.checked+(end-w.checked+blockSize-1)&^(blockSize-1)])
}

// isEnd reports whether the text ends at p and is well-formed, which is seen at
// once of most.
func (w *writer) isEnd(p int) bool {
	if w.ended && w.scan.quoted|w.scan.fault|w.scan.wide == 0 {
		return p == w.length
	}
	return w.readToEnd(p)
}

// readToEnd reads what a walk has left and reports whether that is nothing, and
// what was read is well-formed.
func (w *writer) readToEnd(p int) bool {
	for !w.ended {
		w.refill(w.filled)
	}
	return p == w.length && w.wellFormed()
}

// appendTo appends the canonical form of the text to dst. It is false if the
// text must be refused, or is deeper than the fast path goes.
func (w *writer) appendTo(dst []byte) ([]byte, bool) {
	if useKernel == kernelNone {
		return bare{w}.appendTo(dst)
	}
	if !w.walk() {
		return dst, false
	}
	return w.appendBody(dst, w.length), true
}

// accepts reports whether appendTo would write the text.
func (w *writer) accepts() bool {
	if useKernel == kernelNone {
		return bare{w}.walk() >= 0
	}
	return w.walk()
}

// walk reads the text, and reports whether it may be written.
func (w *writer) walk() bool {
	w.out, w.inPlace = w.in, true
	w.begin()
	_, p := w.value(0, 0, 1)
	return p >= 0 && w.isEnd(p)
}

// verify reports whether the text is canonical. It is false too of one that is
// deeper than the fast path goes.
func (w *writer) verify() bool {
	if useKernel == kernelNone {
		return bare{w}.verify()
	}
	w.begin()
	_, p := w.verifyValue(0, 0, 1)
	return p == w.size && w.isEnd(p)
}
