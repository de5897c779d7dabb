//go:build purego || !(amd64 || arm64 || 386)

package canon

import "encoding/binary"

// The twins of mem_unsafe.go. A slice of constant length is checked once.

// inlineCopy is the most bytes that are not copied by a call.
const inlineCopy = 32

type text = []byte

func textOf(b []byte) text { return b }

func piece(t text, from, to int) []byte { return t[from:to:to] }

func byteAt(t text, i int) byte { return t[i] }

func putByte(t text, i int, c byte) { t[i] = c }

func load32(t text, i int) uint32 { return binary.LittleEndian.Uint32(t[i : i+4]) }

func load64(t text, i int) uint64 { return binary.LittleEndian.Uint64(t[i : i+8]) }

// load128 loads the words at i and behind it.
func load128(t text, i int) (x, y uint64) {
	b := (*[16]byte)(t[i : i+16])
	return binary.LittleEndian.Uint64(b[0:8]), binary.LittleEndian.Uint64(b[8:16])
}

// either256 gives the bits that are set in any of the four words at i.
func either256(t text, i int) uint64 {
	b := (*[32]byte)(t[i : i+32])
	return binary.LittleEndian.Uint64(b[0:8]) | binary.LittleEndian.Uint64(b[8:16]) |
		binary.LittleEndian.Uint64(b[16:24]) | binary.LittleEndian.Uint64(b[24:32])
}

// twoBytes gives the bytes at i and behind it.
func twoBytes(t text, i int) (byte, byte) {
	b := (*[2]byte)(t[i : i+2])
	return b[0], b[1]
}

func store32(t text, i int, x uint32) { binary.LittleEndian.PutUint32(t[i:i+4], x) }

func store64(t text, i int, x uint64) { binary.LittleEndian.PutUint64(t[i:i+8], x) }

// copy32 copies two halves, since an array of 32 bytes is copied by a call.
func copy32(dst text, o int, src text, i int) {
	d, s := (*[32]byte)(dst[o:o+32]), (*[32]byte)(src[i:i+32])
	*(*[16]byte)(d[0:16]) = *(*[16]byte)(s[0:16])
	*(*[16]byte)(d[16:32]) = *(*[16]byte)(s[16:32])
}

func memberAt(members []member, k int) *member { return &members[k] }
