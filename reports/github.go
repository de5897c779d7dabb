package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// maxAnnotations is how many annotations GitHub shows of one step; more are
// counted.
const maxAnnotations = 10

// GitHub writes workflow commands: an error for each new finding and for each
// implementation that would not start, a warning for each stale entry.
func GitHub(w io.Writer, run *result.Run) error {
	var lines []string
	add := func(kind, title, text string) {
		lines = append(lines, fmt.Sprintf("::%s title=%s::%s", kind, escapeCommand(title, true), escapeCommand(text, false)))
	}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			add("error", Escape(s.Subject, 80)+" would not start", Escape(s.NoStart, 1000))
		}
	}
	for i := range run.Findings {
		f := &run.Findings[i]
		if f.Known != nil {
			continue
		}
		c := failedCase(run, f)
		add("error", Escape(f.Subject, 80)+": "+c.title, c.text())
	}
	for _, s := range run.Footer.Stale {
		add("warning", Escape(s.Subject, 80)+": stale baseline entry", fmt.Sprintf("line %d: %s", s.Line, Escape(s.Why, 300)))
	}
	if n := len(lines) - maxAnnotations; n > 0 {
		lines = append(lines[:maxAnnotations-1], fmt.Sprintf("::error title=Touchstone::%d more; see the report", n+1))
	}
	if len(lines) == 0 {
		return nil
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
