//go:build purego || !amd64

package canon

func indexBlocks(src, in []byte, from, to int, entries []uint32, s *scan) int {
	return indexGeneric(src, in, from, to, entries, s)
}

func validUTF8(padded []byte) bool { return validGeneric(padded) }
