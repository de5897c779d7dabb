package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TAP writes TAP version 14: a test for each vector and implementation, and one
// for each kind of finding that generated cases showed. What a baseline knows
// is marked TODO; an implementation that would not start is a failed test.
func TAP(w io.Writer, run *result.Run) error {
	var b strings.Builder
	n := 0
	line := func(c testCase, subject string) {
		n++
		word := "ok"
		if c.failed {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s", word, n, escapeTAP(Escape(subject, 100)+": "+c.name))
		switch {
		case c.failed && c.known:
			b.WriteString(" # TODO known: " + escapeTAP(c.title))
		case c.skipped:
			b.WriteString(" # SKIP not served")
		}
		b.WriteByte('\n')
		if c.failed && !c.known {
			diagnostics(&b, c)
		}
	}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			line(testCase{name: "start", title: "would not start", failed: true, lines: []detail{{"cause", Escape(s.NoStart, 4000)}}}, s.Subject)
		}
		for _, c := range cases(run, s.Subject) {
			line(c, s.Subject)
		}
	}
	_, err := fmt.Fprintf(w, "TAP version 14\n1..%d\n%s", n, b.String())
	return err
}

// diagnostics writes a YAML block in which every value is a quoted string.
func diagnostics(b *strings.Builder, c testCase) {
	b.WriteString("  ---\n  message: " + quoteYAML(c.title) + "\n")
	for _, d := range c.lines {
		b.WriteString("  " + d.label + ": " + quoteYAML(d.text) + "\n")
	}
	b.WriteString("  ...\n")
}

// quoteYAML quotes a printable text as YAML, and TAP's smaller YAMLish, read it.
func quoteYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func escapeTAP(s string) string { return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(s) }
