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
// of room behind every byte that can be written, and entries are looked at no
// farther than lookahead.

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

func byteAt(b []byte, i int) byte { return *(*byte)(at(b, i)) }

func putByte(b []byte, i int, c byte) { *(*byte)(at(b, i)) = c }

func load32(b []byte, i int) uint32 { return *(*uint32)(at(b, i)) }

func load64(b []byte, i int) uint64 { return *(*uint64)(at(b, i)) }

func store32(b []byte, i int, x uint32) { *(*uint32)(at(b, i)) = x }

func store64(b []byte, i int, x uint64) { *(*uint64)(at(b, i)) = x }

// copy16 and copy32 copy that many bytes.
func copy16(dst []byte, o int, src []byte, i int) {
	*(*[16]byte)(at(dst, o)) = *(*[16]byte)(at(src, i))
}

func copy32(dst []byte, o int, src []byte, i int) {
	first, second := *(*[16]byte)(at(src, i)), *(*[16]byte)(at(src, i+16))
	*(*[16]byte)(at(dst, o)), *(*[16]byte)(at(dst, o+16)) = first, second
}

// entryAt gives a position.
func entryAt(entries []uint32, k int) int {
	return int(*(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(entries)), k*4)))
}

// memberAt gives a member to read or fill.
func memberAt(members []member, k int) *member {
	return (*member)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(members)), k*int(unsafe.Sizeof(member{}))))
}
