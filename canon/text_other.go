//go:build purego || !amd64

package canon

func hasEight(in text, q, stop int) bool { return false }

func (w *writer) changeEight(out text, q, o, stop int) (from, to int) { return q, o }
