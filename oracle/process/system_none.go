//go:build !unix

package process

import (
	"os"
	"syscall"
)

// Without Unix there are no process groups: a program is ended alone, without
// limits. Under js and wasm nothing can be started at all, which is told as any
// other start that fails.

func attributes() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { p.Kill() }

// reap waits for the end of the process.
func (c *child) reap() {
	err := c.cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited, c.reaped = err, true
}

func restrict(int, Limits) {}

func residentSize(int) int64 { return 0 }

func sweep(string) int { return 0 }
