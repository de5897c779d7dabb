//go:build !purego

package canon

const (
	kernelNone   kernel = iota // bare.go
	kernelAVX2                 // and BMI1, PCLMULQDQ, POPCNT
	kernelAVX512               // and BMI2 and F, BW, VL and VBMI2 of AVX-512
)

// bestKernel is what the processor has, and what the system keeps the registers
// of.
var bestKernel = func() kernel {
	const pclmul, popcnt, osxsave = 1 << 1, 1 << 23, 1 << 27
	const bmi1, avx2, avx512 = 1 << 3, 1 << 5, 1<<8 | 1<<16 | 1<<30 | 1<<31
	const vbmi2 = 1 << 6
	const ymm, zmm = 0x06, 0xE6
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return kernelNone
	}
	if _, _, c, _ := cpuid(1, 0); c&(pclmul|popcnt|osxsave) != pclmul|popcnt|osxsave {
		return kernelNone
	}
	_, b, c, _ := cpuid(7, 0)
	switch kept := xgetbv(); {
	case b&(bmi1|avx2) != bmi1|avx2 || kept&ymm != ymm:
		return kernelNone
	case b&avx512 != avx512 || c&vbmi2 == 0 || kept&zmm != zmm:
		return kernelAVX2
	}
	return kernelAVX512
}()

//go:noescape
func indexAVX2(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)

//go:noescape
func indexAVX512(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)

//go:noescape
func utf8AVX2(in *byte, blocks int) bool

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

func xgetbv() (low uint32)

// indexText reads src, copies it without white space outside strings to in[at:],
// in whole blocks, and lists its entries; it gives their number and the length of
// the copy.
func indexText(src, in []byte, at int, entries []uint32, s *scan) (count, packed int) {
	in, entries = in[at:], entries[:len(src)/2+entrySlack]
	_ = in[len(src)+blockSize-1]
	if useKernel == kernelAVX512 {
		return indexAVX512(&src[0], &in[0], len(src), &entries[0], uint32(at), s)
	}
	return indexAVX2(&src[0], &in[0], len(src), &entries[0], uint32(at), s)
}

// validUTF8 is utf8.Valid for a text that is padded to whole blocks.
func validUTF8(padded []byte) bool {
	return len(padded) == 0 || utf8AVX2(&padded[0], len(padded)/blockSize)
}
