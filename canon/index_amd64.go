//go:build !purego

package canon

// A kernel reads blocks as indexGeneric does. The tests set kernels in turn.
type kernel uint8

const (
	kernelGeneric kernel = iota
	kernelAVX2           // and BMI1, PCLMULQDQ, POPCNT
	kernelAVX512         // and F, BW, VL and VBMI2 of AVX-512
)

// bestKernel is what the processor has, and what the system keeps the registers
// of.
var bestKernel = func() kernel {
	const pclmul, popcnt, osxsave = 1 << 1, 1 << 23, 1 << 27
	const bmi1, avx2, avx512 = 1 << 3, 1 << 5, 1<<16 | 1<<30 | 1<<31
	const vbmi2 = 1 << 6
	const ymm, zmm = 0x06, 0xE6
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return kernelGeneric
	}
	if _, _, c, _ := cpuid(1, 0); c&(pclmul|popcnt|osxsave) != pclmul|popcnt|osxsave {
		return kernelGeneric
	}
	_, b, c, _ := cpuid(7, 0)
	switch kept := xgetbv(); {
	case b&(bmi1|avx2) != bmi1|avx2 || kept&ymm != ymm:
		return kernelGeneric
	case b&avx512 != avx512 || c&vbmi2 == 0 || kept&zmm != zmm:
		return kernelAVX2
	}
	return kernelAVX512
}()

var useKernel = bestKernel

//go:noescape
func indexAVX2(src, in *byte, blocks int, entries *uint32, at uint32, s *scan) int

//go:noescape
func indexAVX512(src, in *byte, blocks int, entries *uint32, at uint32, s *scan) int

//go:noescape
func utf8AVX2(in *byte, blocks int) bool

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

func xgetbv() (low uint32)

// indexBlocks is indexGeneric for whole blocks, by the fastest means at hand.
func indexBlocks(src, in []byte, from, to int, entries []uint32, s *scan) int {
	_, _, _ = src[to-1], in[to-1], entries[to-from+entrySlack-1]
	switch useKernel {
	case kernelAVX512:
		return indexAVX512(&src[from], &in[from], (to-from)/blockSize, &entries[0], uint32(from), s)
	case kernelAVX2:
		return indexAVX2(&src[from], &in[from], (to-from)/blockSize, &entries[0], uint32(from), s)
	}
	return indexGeneric(src, in, from, to, entries, s)
}

// validUTF8 is utf8.Valid for a text that is padded to whole blocks.
func validUTF8(padded []byte) bool {
	if useKernel == kernelGeneric {
		return validGeneric(padded)
	}
	return len(padded) == 0 || utf8AVX2(&padded[0], len(padded)/blockSize)
}
