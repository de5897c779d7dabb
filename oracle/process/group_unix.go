//go:build unix

package process

import (
	"os"
	"syscall"
)

// killGroup kills the process and what it started, unless they left its
// group. The process must not have been waited for.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
}
