//go:build purego || !(amd64 || arm64 || 386)

package canon

import "encoding/binary"

// The twins of mem_unsafe.go.

type text = []byte

func textOf(b []byte) text { return b }

func piece(t text, from, to int) []byte { return t[from:to:to] }

func byteAt(t text, i int) byte { return t[i] }

func putByte(t text, i int, c byte) { t[i] = c }

func load32(t text, i int) uint32 { return binary.LittleEndian.Uint32(t[i:]) }

func load64(t text, i int) uint64 { return binary.LittleEndian.Uint64(t[i:]) }

func store32(t text, i int, x uint32) { binary.LittleEndian.PutUint32(t[i:], x) }

func store64(t text, i int, x uint64) { binary.LittleEndian.PutUint64(t[i:], x) }

func copy16(dst text, o int, src text, i int) { *(*[16]byte)(dst[o:]) = *(*[16]byte)(src[i:]) }

func copy32(dst text, o int, src text, i int) { *(*[32]byte)(dst[o:]) = *(*[32]byte)(src[i:]) }

func entryAt(entries []uint32, k int) int { return int(entries[k]) }

func memberAt(members []member, k int) *member { return &members[k] }
