//go:build purego || !(amd64 || arm64 || 386)

package canon

import "encoding/binary"

// The twins of mem_unsafe.go. A slice of constant length is checked once.

type text = []byte

func textOf(b []byte) text { return b }

func piece(t text, from, to int) []byte { return t[from:to:to] }

func byteAt(t text, i int) byte { return t[i] }

func putByte(t text, i int, c byte) { t[i] = c }

func load32(t text, i int) uint32 { return binary.LittleEndian.Uint32(t[i : i+4]) }

func load64(t text, i int) uint64 { return binary.LittleEndian.Uint64(t[i : i+8]) }

func store32(t text, i int, x uint32) { binary.LittleEndian.PutUint32(t[i:i+4], x) }

func store64(t text, i int, x uint64) { binary.LittleEndian.PutUint64(t[i:i+8], x) }

// copy32 copies words, since an array of 32 bytes is copied by a call.
func copy32(dst text, o int, src text, i int) {
	d, s := (*[32]byte)(dst[o:o+32]), (*[32]byte)(src[i:i+32])
	binary.LittleEndian.PutUint64(d[0:], binary.LittleEndian.Uint64(s[0:]))
	binary.LittleEndian.PutUint64(d[8:], binary.LittleEndian.Uint64(s[8:]))
	binary.LittleEndian.PutUint64(d[16:], binary.LittleEndian.Uint64(s[16:]))
	binary.LittleEndian.PutUint64(d[24:], binary.LittleEndian.Uint64(s[24:]))
}

func memberAt(members []member, k int) *member { return &members[k] }
