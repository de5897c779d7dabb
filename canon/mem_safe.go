//go:build purego || !(amd64 || arm64 || 386)

package canon

import "encoding/binary"

// The twins of mem_unsafe.go.

func byteAt(b []byte, i int) byte { return b[i] }

func putByte(b []byte, i int, c byte) { b[i] = c }

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

func store32(b []byte, i int, x uint32) { binary.LittleEndian.PutUint32(b[i:], x) }

func store64(b []byte, i int, x uint64) { binary.LittleEndian.PutUint64(b[i:], x) }

func copy16(dst []byte, o int, src []byte, i int) {
	*(*[16]byte)(dst[o:]) = *(*[16]byte)(src[i:])
}

func copy32(dst []byte, o int, src []byte, i int) {
	copy16(dst, o, src, i)
	copy16(dst, o+16, src, i+16)
}

func entryAt(entries []uint32, k int) int { return int(entries[k]) }

func memberAt(members []member, k int) *member { return &members[k] }
