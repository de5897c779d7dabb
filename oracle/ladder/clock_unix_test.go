//go:build unix

package ladder

import (
	"syscall"
	"testing"
	"time"
)

// TestProcessorTimeIsOfUserAndSystem.
func TestProcessorTimeIsOfUserAndSystem(t *testing.T) {
	read := func() (user, system time.Duration) {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())
	}
	user, system := read()
	for system == 0 {
		user, system = read()
	}
	got, ok := processorTime()
	moreUser, moreSystem := read()
	if !ok || got < user+system || got > moreUser+moreSystem {
		t.Errorf("%v, %v; it is from %v to %v", got, ok, user+system, moreUser+moreSystem)
	}
}
