//go:build !purego && (amd64 || arm64 || 386)

package canon

import "unsafe"

// This is the package's only unsafe code: loads and stores of whole words
// without bounds checks, on machines that allow them at any address and store
// the least byte first. Their twins in mem_safe.go check every bound; the
// tests run with either.
//
// What keeps them in bounds: a text is read from a copy that goes on for
// textSlack bytes behind its end, written to a buffer with outputSlack bytes
// of room behind every byte that can be written, and whoever meets the entry
// behind the last one looks at no other before there are more. Whoever writes in
// the copy itself brings back what stood behind his place, or, without an index,
// is outputSlack bytes behind what is read.

// inlineCopy is the most bytes that are not copied by a call.
const inlineCopy = 256

// A text is a buffer of bytes.
type text = unsafe.Pointer

func textOf(b []byte) text { return unsafe.Pointer(unsafe.SliceData(b)) }

// piece gives the bytes from one place to another.
func piece(t text, from, to int) []byte { return unsafe.Slice((*byte)(unsafe.Add(t, from)), to-from) }

func byteAt(t text, i int) byte { return *(*byte)(unsafe.Add(t, i)) }

func putByte(t text, i int, c byte) { *(*byte)(unsafe.Add(t, i)) = c }

func load32(t text, i int) uint32 { return *(*uint32)(unsafe.Add(t, i)) }

func load64(t text, i int) uint64 { return *(*uint64)(unsafe.Add(t, i)) }

// load128 loads the words at i and behind it.
func load128(t text, i int) (x, y uint64) { return load64(t, i), load64(t, i+8) }

// either256 gives the bits that are set in any of the four words at i.
func either256(t text, i int) uint64 {
	return load64(t, i) | load64(t, i+8) | load64(t, i+16) | load64(t, i+24)
}

// twoBytes gives the bytes at i and behind it.
func twoBytes(t text, i int) (byte, byte) { return byteAt(t, i), byteAt(t, i+1) }

func store32(t text, i int, x uint32) { *(*uint32)(unsafe.Add(t, i)) = x }

func store64(t text, i int, x uint64) { *(*uint64)(unsafe.Add(t, i)) = x }

// copy32 copies 32 bytes.
func copy32(dst text, o int, src text, i int) {
	d, s := unsafe.Add(dst, o), unsafe.Add(src, i)
	*(*[16]byte)(d) = *(*[16]byte)(s)
	*(*[16]byte)(unsafe.Add(d, 16)) = *(*[16]byte)(unsafe.Add(s, 16))
}

// entryAt gives a position.
func entryAt(entries []uint32, k int) int {
	return int(*(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(entries)), k*4)))
}

// memberAt gives a member to read or fill.
func memberAt(members []member, k int) *member {
	return (*member)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(members)), k*int(unsafe.Sizeof(member{}))))
}
