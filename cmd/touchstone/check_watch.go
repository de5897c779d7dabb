package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
)

// A watch tells whoever waits for a program under test what it has got wrong so
// far, and how long the rest will take.
type watch struct {
	out      io.Writer
	progress *checkProgress
	began    time.Time
	patience time.Duration
	quick    int  // questions of a smoke run, where one could be offered
	foretold bool // how long it will take has been said
	told     int  // kinds
}

// sample is how many questions tell how long all will take.
const sample = 16

// mostTold is how many kinds are told before the end.
const mostTold = 40

// long is how much time is worth a word.
const long = 20 * time.Second

func newWatch(out io.Writer, cfg check.Config, progress *checkProgress) *watch {
	w := &watch{out: out, progress: progress, began: time.Now(), patience: cfg.Entries[0].Patience}
	if cfg.Complete {
		w.quick = len(check.Smoke())
	}
	return w
}

func (w *watch) show(now check.Progress) { w.showAt(now, time.Now()) }

func (w *watch) showAt(now check.Progress, at time.Time) {
	if !w.foretold && now.Asked >= sample {
		w.foretold = true
		w.foretell(now, at.Sub(w.began)/time.Duration(now.Asked))
	}
	w.progress.show(now)
}

// foretell says how long it will take if each question takes as long as the
// first ones did.
func (w *watch) foretell(now check.Progress, each time.Duration) {
	whole := each * time.Duration(now.Planned)
	if whole < long {
		return
	}
	text := fmt.Sprintf("about %d documents, %.0f a second: %s, and then up to %s for minimizing what is found",
		now.Planned, 1/each.Seconds(), whole.Round(time.Second), w.patience)
	if w.quick > 0 {
		text += fmt.Sprintf("; --smoke asks the %d that find most, in %s", w.quick, max(time.Second, (each*time.Duration(w.quick)).Round(time.Second)))
	}
	w.line(text)
}

// found tells a kind of failure when it is first seen.
func (w *watch) found(f result.Finding) {
	w.told++
	if w.told > mostTold {
		if w.told == mostTold+1 {
			w.line("further kinds are told at the end")
		}
		return
	}
	where := "an input"
	switch {
	case len(f.Vectors) > 0:
		where = "vector " + f.Vectors[0]
	case len(f.Cases) > 0:
		where = fmt.Sprintf("case %d", f.Cases[0])
	}
	about := strings.Join(nonEmpty(f.Requirement, f.Signature), ": ")
	w.line(fmt.Sprintf("found after %s: %s, %s (%s)", time.Since(w.began).Round(100*time.Millisecond), f.Outcome, reports.Escape(about, 300), where))
}

func nonEmpty(all ...string) []string {
	var kept []string
	for _, s := range all {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// line writes a line of its own, over the one of the progress.
func (w *watch) line(text string) {
	w.progress.end()
	fmt.Fprintln(w.out, text)
}
