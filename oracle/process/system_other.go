//go:build !linux

package process

import "time"

// What only Linux offers is left out elsewhere: see the Linux file.

// start starts a child.
func (*brood) start(c *child, _ bool) error { return c.cmd.Start() }

// reap waits for the end of the process and kills what is left of its group.
func (c *child) reap() {
	err := c.cmd.Wait()
	c.exited.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited, c.reaped = err, true
	killGroup(c.cmd.Process)
}

func residentSize(int) int64 { return 0 }

func sweep(string) {}

// work is not told.
func work(int) (time.Duration, bool) { return 0, false }

type brood struct{}

var children brood
