package reference

import "runtime"

// giveWay lets other goroutines run at every 200th level of nesting. It is for
// WebAssembly: there calls nest on a small stack of the engine's too, beside the
// one that Go makes longer, and that is empty again when a goroutine that has
// given way goes on.
func giveWay(depth int) {
	if depth%200 == 0 {
		runtime.Gosched()
	}
}
