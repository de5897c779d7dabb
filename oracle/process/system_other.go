//go:build unix && !linux

package process

import "syscall"

// What only Linux offers is left out elsewhere: see the Linux file.

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// reap waits for the end of the process and kills what is left of its group.
func (c *child) reap() {
	err := c.cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited, c.reaped = err, true
	killGroup(c.cmd.Process)
}

func restrict(int, Limits) {}

func residentSize(int) int64 { return 0 }

func sweep(string) int { return 0 }
