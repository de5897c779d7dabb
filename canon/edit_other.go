//go:build purego || !amd64

package canon

// emitPacked is emit for a copy without marks, up to a place or what follows
// zeros there.
func (w *writer) emitPacked(o, p, end int) (behind, to int) { return w.emitMarked(o, p, end) }
