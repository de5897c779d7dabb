//go:build purego || !amd64

package canon

func (w *writer) move(members []member, ranks []uint8, first, stop int) {
	w.moveBytes(members, ranks, first, stop)
}
