package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A meter shows progress: on a terminal by a line that is written over, else by
// a line every ten seconds, so that a log stays short. It is used by one
// goroutine.
type meter struct {
	out      io.Writer
	unit     string
	total    int64
	terminal bool
	start    time.Time
	shown    time.Time
}

func newMeter(out io.Writer, unit string, total int64) *meter {
	now := time.Now()
	return &meter{out: out, unit: unit, total: total, terminal: isTerminal(out), start: now, shown: now}
}

// set tells how much is done. It is cheap enough to be called often.
func (m *meter) set(done int64) {
	interval := 10 * time.Second
	if m.terminal {
		interval = 200 * time.Millisecond
	}
	now := time.Now()
	if now.Sub(m.shown) < interval {
		return
	}
	m.shown = now
	elapsed := now.Sub(m.start)
	line := fmt.Sprintf("%d of %d %s, %d%%, %.0f s", done, m.total, m.unit, 100*done/max(m.total, 1), elapsed.Seconds())
	if m.terminal {
		fmt.Fprintf(m.out, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(m.out, line)
}

// end clears the line.
func (m *meter) end() {
	if m.terminal {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
