//go:build !purego

package canon

// The kernels need AVX2, BMI1, PCLMULQDQ and POPCNT, and a system that keeps
// the wide registers.
var hasAVX2 = func() bool {
	const pclmul, popcnt, osxsave = 1 << 1, 1 << 23, 1 << 27
	const bmi1, avx2 = 1 << 3, 1 << 5
	const registers = 1<<1 | 1<<2
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&(pclmul|popcnt|osxsave) != pclmul|popcnt|osxsave {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&(bmi1|avx2) == bmi1|avx2 && xgetbv()&registers == registers
}()

//go:noescape
func indexAVX2(src, in *byte, blocks int, entries *uint32, at uint32, s *scan) int

//go:noescape
func utf8AVX2(in *byte, blocks int) bool

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

func xgetbv() (low uint32)

// indexBlocks is indexGeneric for whole blocks, by the fastest means at hand.
func indexBlocks(src, in []byte, from, to int, entries []uint32, s *scan) int {
	if !hasAVX2 {
		return indexGeneric(src, in, from, to, entries, s)
	}
	_, _, _ = src[to-1], in[to-1], entries[to-from+entrySlack-1]
	return indexAVX2(&src[from], &in[from], (to-from)/blockSize, &entries[0], uint32(from), s)
}

// validUTF8 is utf8.Valid for a text that is padded to whole blocks.
func validUTF8(padded []byte) bool {
	if !hasAVX2 {
		return validGeneric(padded)
	}
	return len(padded) == 0 || utf8AVX2(&padded[0], len(padded)/blockSize)
}
