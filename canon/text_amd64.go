//go:build !purego

package canon

//go:noescape
func unicodeAVX2(to, in *byte, last int) (read, written int)

// changeEight writes the characters of a run of \u escapes that begins at q to out,
// eight at a time, as far as they are alike, and begins with none beyond stop. It gives
// the places behind them in the text and in the output.
func (w *writer) changeEight(out text, q, o, stop int) (from, to int) {
	read, written := unicodeAVX2(&piece(out, o, o+1)[0], &piece(w.in, q, q+1)[0], stop-q-7*unicodeSize)
	return q + read, o + written
}

// hasEight reports whether there may be eight \u escapes in a row at q, none of them
// beyond stop.
func hasEight(in text, q, stop int) bool {
	return useKernel != kernelNone && q+7*unicodeSize <= stop && uint16(load32(in, q+7*unicodeSize)) == unicodeStart
}

// characterMoves are what a vector of four characters, each as if it had three bytes
// and that of ASCII behind them, is made of. The lower bits of the index tell which
// have more than one byte, the higher ones which have three.
//
//lint:ignore U1000 the kernel reads it
var characterMoves = func() (t [256][16]byte) {
	for k := range t {
		move := t[k][:0]
		for c := range byte(4) {
			switch {
			case k>>c&1 == 0:
				move = append(move, 4*c+3)
			case k>>c&16 == 0:
				move = append(move, 4*c+1, 4*c+2)
			default:
				move = append(move, 4*c, 4*c+1, 4*c+2)
			}
		}
	}
	return t
}()
