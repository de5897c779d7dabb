//go:build purego || !(amd64 || arm64)

package canon

// memberRoom is how many members there is room for at first.
const memberRoom = 1024

// An index is nothing where there is no kernel to make one: see bare.go.
type index struct{}

func (x *index) held() int { return 0 }

func (w *writer) appendTo(dst []byte) ([]byte, bool) { return bare{w}.appendTo(dst) }

func (w *writer) accepts() bool { return bare{w}.walk() >= 0 }

func (w *writer) verify() bool { return bare{w}.verify() }
