//go:build !purego

package canon

//go:noescape
func moveAVX2(body, scratch *byte, members *member, ranks *byte, count, first, size int)

// move puts members in the order of ranks, which is one of those ranks; they
// stand in the body from one place to another, where a comma or brace follows.
func (w *writer) move(members []member, ranks []uint8, first, stop int) {
	if useKernel == kernelNone {
		w.moveBytes(members, ranks, first, stop)
		return
	}
	memberAt(members, len(members)).start = uint32(stop) + 1 // the last one ends where the next would begin
	to := w.room(stop - first)
	moveAVX2(&w.copied[0], &to[0], &members[0], &ranks[0], len(ranks), first, stop-first)
}
