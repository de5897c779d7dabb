//go:build !purego

package canon

import "math"

// A text is read in windows. Reading copies it, so that the walk may look
// beyond its end, and lists its entries: the positions of structural
// characters and beginnings of numbers and literals outside strings, of
// quotation marks, and of what follows the backslash of an escape that the
// canonical form may not have: all but \" \\ \b \f \n \r \t. Whatever else stands
// between two entries is white space, the rest of a scalar or characters of a
// string that need no change.

const (
	// windowSize is how many bytes are read at a time.
	windowSize = 64 * blockSize
	// entrySlack is how far a kernel may write beyond its last entry.
	entrySlack = 32
	// lookahead is how many entries are at hand wherever w.entries[k] is
	// looked at after k <= w.mark: enough for one member without escapes.
	lookahead = 16
	// windowMembers is how many members there can be in the entries of a
	// window: each has five at least. So many are at hand after a refill.
	windowMembers = windowSize/5 + 2*lookahead
	// memberRoom is how many members there is room for at first.
	memberRoom = 2 * windowMembers
)

// An index is what has been read of a text.
type index struct {
	scan
	read    int // how many bytes
	ended   bool
	entries []uint32
	filled  int // entries that there are
	mark    int // the greatest k after which lookahead entries follow
}

func (x *index) held() int { return 4 * len(x.entries) }

// A scan is what one block leaves to the next.
type scan struct {
	escaped uint64 // 1 if the next byte is escaped
	quoted  uint64 // all ones inside a string
	scalar  uint64 // 1 if the last byte belongs to a scalar outside strings
	control uint64 // not zero once a control character stood in a string
	wide    uint64 // not zero once a byte from 0x80 on was read
	// backslash is not zero once a backslash was read.
	backslash uint64
}

// A kernel reads blocks. The tests set kernels in turn.
type kernel uint8

const (
	kernelNone   kernel = iota // bare.go
	kernelAVX2                 // and BMI1, PCLMULQDQ, POPCNT
	kernelAVX512               // and F, BW, VL and VBMI2 of AVX-512
)

// bestKernel is what the processor has, and what the system keeps the registers
// of.
var bestKernel = func() kernel {
	const pclmul, popcnt, osxsave = 1 << 1, 1 << 23, 1 << 27
	const bmi1, avx2, avx512 = 1 << 3, 1 << 5, 1<<16 | 1<<30 | 1<<31
	const vbmi2 = 1 << 6
	const ymm, zmm = 0x06, 0xE6
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return kernelNone
	}
	if _, _, c, _ := cpuid(1, 0); c&(pclmul|popcnt|osxsave) != pclmul|popcnt|osxsave {
		return kernelNone
	}
	_, b, c, _ := cpuid(7, 0)
	switch kept := xgetbv(); {
	case b&(bmi1|avx2) != bmi1|avx2 || kept&ymm != ymm:
		return kernelNone
	case b&avx512 != avx512 || c&vbmi2 == 0 || kept&zmm != zmm:
		return kernelAVX2
	}
	return kernelAVX512
}()

var useKernel = bestKernel

//go:noescape
func indexAVX2(src, in *byte, size int, entries *uint32, at uint32, s *scan) int

//go:noescape
func indexAVX512(src, in *byte, size int, entries *uint32, at uint32, s *scan) int

//go:noescape
func utf8AVX2(in *byte, blocks int) bool

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

func xgetbv() (low uint32)

// indexText reads src[from:to], copies it to the same place in in, filled up
// with spaces to whole blocks, and lists its entries; it gives their number.
func indexText(src, in []byte, from, to int, entries []uint32, s *scan) int {
	_, _, _ = src[to-1], in[(to-1)|(blockSize-1)], entries[to-from+entrySlack-1]
	if useKernel == kernelAVX512 {
		return indexAVX512(&src[from], &in[from], to-from, &entries[0], uint32(from), s)
	}
	return indexAVX2(&src[from], &in[from], to-from, &entries[0], uint32(from), s)
}

// begin reads the first window.
func (w *writer) begin() {
	if w.entries == nil {
		w.entries = make([]uint32, windowSize+2*lookahead+2*entrySlack)
	}
	w.scan = scan{}
	w.read, w.filled, w.ended, w.mark = 0, 0, false, -1
	if w.size > windowSize {
		w.refill(0)
		return
	}
	if w.size > 0 {
		w.filled = indexText(w.src, w.copied, 0, w.size, w.entries, &w.scan)
	}
	w.finish()
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
		to := min(w.read+windowSize, w.size)
		w.filled += indexText(w.src, w.copied, w.read, to, w.entries[w.filled:], &w.scan)
		w.read = to
	}
	w.mark = w.filled - lookahead
	if len(w.members)-w.top < windowMembers {
		w.moreMembers(windowMembers)
	}
	return 0
}

// padded is where the padding to whole blocks ends.
func (w *writer) padded() int { return (w.size + blockSize - 1) &^ (blockSize - 1) }

// finish lists entries behind the end of the text, at a byte that nothing
// allows there. Whoever meets the first of them stops, having looked at most at
// the next.
func (w *writer) finish() {
	end := w.padded()
	putByte(w.in, end, 0)
	last := (*[4]uint32)(w.entries[w.filled:])
	last[0], last[1], last[2], last[3] = uint32(end), uint32(end), uint32(end), uint32(end)
	w.filled += 4
	w.mark = math.MaxInt
	w.ended = true
}

// wellFormed reports what the index knows of strings: none is open, none holds
// a control character, and all bytes are UTF-8.
func (w *writer) wellFormed() bool {
	return w.scan.quoted|w.scan.control == 0 && (w.scan.wide == 0 || validUTF8(w.copied[:w.padded()]))
}

// validUTF8 is utf8.Valid for a text that is padded to whole blocks.
func validUTF8(padded []byte) bool {
	return len(padded) == 0 || utf8AVX2(&padded[0], len(padded)/blockSize)
}

// walk writes the text and gives the length of what it wrote, -1 if the text
// must be refused.
func (w *writer) walk() int {
	if useKernel == kernelNone {
		return bare{w}.walk()
	}
	w.begin()
	k, o := w.value(0, 0, 1)
	if k < 0 || entryAt(w.entries, k) != w.padded() || !w.ended || !w.wellFormed() {
		return -1
	}
	return o
}

// verify reports whether the text is canonical. It is false too of one that is
// deeper than the fast path goes.
func (w *writer) verify() bool {
	if useKernel == kernelNone {
		return bare{w}.verify()
	}
	w.begin()
	k, p := w.verifyValue(0, 0, 1)
	return p == w.size && entryAt(w.entries, k) == w.padded() && w.ended && w.wellFormed()
}
