package main

import (
	"fmt"
	"io"
	"time"
)

// A meter shows progress: on a terminal by a line that is written over, else by
// a line every ten seconds, so that a log stays short. It is used by one
// goroutine at a time.
type meter struct {
	out      io.Writer
	unit     string
	total    int64 // 0: there is no end
	terminal bool
	start    time.Time
	shown    time.Time
	first    int64     // done when the meter was made
	deadline time.Time // zero: none
	note     string    // what was found so far
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
	line := m.line(done, now)
	if m.terminal {
		if most := columns(m.out) - 1; len(line) > most { // a line that wraps could not be written over
			line = line[:most]
		}
		fmt.Fprintf(m.out, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(m.out, line)
}

// line says how much is done, how fast, how long the rest takes and what was
// found: the part that matters least stands last, where a narrow terminal cuts.
func (m *meter) line(done int64, now time.Time) string {
	elapsed := now.Sub(m.start)
	rate := float64(done-m.first) / max(elapsed.Seconds(), 0.001)
	line := fmt.Sprint(done)
	if m.total > 0 {
		line = fmt.Sprintf("%d%% %d/%d", 100*done/m.total, done, m.total)
	}
	line += " " + m.unit
	if left, known := m.left(done, rate, now); known {
		line += ", " + short(left) + " left"
	}
	if m.note != "" {
		line += ", " + m.note
	}
	return fmt.Sprintf("%s, %.0f/s, %s so far", line, rate, short(elapsed))
}

// left tells how long the rest takes: to the total or to the deadline, what
// comes first.
func (m *meter) left(done int64, rate float64, now time.Time) (d time.Duration, known bool) {
	if m.total > 0 && rate > 0 {
		d, known = time.Duration(float64(m.total-done)/rate*float64(time.Second)), true
	}
	if !m.deadline.IsZero() {
		if until := max(m.deadline.Sub(now), 0); !known || until < d {
			d, known = until, true
		}
	}
	return d, known
}

// short words a duration by its two greatest units at most.
func short(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 100*3600:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd", s/86400)
}

// end clears the line.
func (m *meter) end() {
	if m.terminal {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}
