//go:build !purego

package canon

const (
	kernelNone kernel = iota // bare.go
	kernelNEON               // which every arm64 has
)

const bestKernel = kernelNEON

//go:noescape
func indexNEON(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)

//go:noescape
func utf8NEON(in *byte, blocks int) bool

// indexText reads src, copies it without white space outside strings to in[at:],
// in whole blocks, and lists its entries; it gives their number and the length of
// the copy.
func indexText(src, in []byte, at int, entries []uint32, s *scan) (count, packed int) {
	in, entries = in[at:], entries[:len(src)/2+entrySlack]
	_ = in[len(src)+blockSize-1]
	return indexNEON(&src[0], &in[0], len(src), &entries[0], uint32(at), s)
}

// validUTF8 is utf8.Valid for a text that is padded to whole blocks.
func validUTF8(padded []byte) bool {
	return len(padded) == 0 || utf8NEON(&padded[0], len(padded)/blockSize)
}
