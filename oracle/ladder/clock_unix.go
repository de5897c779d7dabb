//go:build unix

package ladder

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of its processors so far, on a
// busy machine too.
func processorTime() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
