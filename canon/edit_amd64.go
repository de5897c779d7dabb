//go:build !purego

package canon

//go:noescape
func packAVX2(to, in *byte, size int) (read, packed int)

//go:noescape
func packAVX512(to, in *byte, size int) (read, packed int)

// emitPacked is emit for a copy without marks, up to a place or what follows
// zeros there.
func (w *writer) emitPacked(o, p, end int) (behind, to int) {
	if size := end - p; size >= blockSize {
		n := 0
		if useKernel == kernelAVX512 {
			size, n = packAVX512(&w.output[o], &w.copied[p], size)
		} else {
			size, n = packAVX2(&w.output[o], &w.copied[p], size)
		}
		p, o = p+size, o+n
	}
	return w.emitMarked(o, p, end)
}
