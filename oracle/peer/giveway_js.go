package peer

import "runtime"

// giveWay is for the scripts: calls nest on a small stack here, which is empty
// after a goroutine has given way.
var giveWay any = runtime.Gosched
