package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Markdown writes the summary as GitHub's Markdown, for step summaries and
// comments: the matrix and the findings, the gravest first.
func Markdown(w io.Writer, run *result.Run) error { return MarkdownSince(w, run, nil) }

// MarkdownSince writes the same with what changed since a previous run, if there
// is one.
func MarkdownSince(w io.Writer, run, previous *result.Run) error {
	m := &markdown{run: run}
	m.printf("# Touchstone: %s\n\n%s\n\n", escapeMarkdown(profileTitle(run.Header.Profile), -1), pageVerdict(run))
	m.facts()
	m.matrix()
	if previous != nil {
		m.changes(Compare(previous, run))
	}
	if note := execNote(run); note != "" {
		m.printf("%s\n\n", note)
	}
	for _, s := range run.Footer.Scores {
		m.subject(s)
	}
	for _, s := range run.Footer.Stale {
		m.printf("- baseline of %s, line %d, is stale: %s\n", escapeMarkdown(s.Subject, 80), s.Line, escapeMarkdown(s.Why, 300))
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

type markdown struct {
	b   strings.Builder
	run *result.Run
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

func (m *markdown) facts() {
	for _, f := range pageFacts(m.run) {
		m.printf("- %s: %s\n", f.label, escapeMarkdown(f.text, -1))
	}
	m.printf("\n")
}

func (m *markdown) matrix() {
	all := groups(m.run)
	withheld := m.run.Footer.Withheld > 0
	columns := append([]string{"implementation"}, all...)
	columns = append(columns, "generated cases", "kinds")
	if withheld {
		columns = append(columns, "not shown")
	}
	columns = append(columns, "new", "depth limit", "version")
	m.printf("| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for i, s := range m.run.Footer.Scores {
		var subject result.Subject
		if i < len(m.run.Header.Subjects) {
			subject = m.run.Header.Subjects[i]
		}
		m.printf("| %s |", escapeMarkdown(s.Subject, 40))
		for _, g := range all {
			c := matrixCell(s, g)
			m.printf(" %s %s |", c.Letter, c.Text)
		}
		row := newRow(m.run, s, subject, i, nil)
		m.printf(" %s | %d |", row.Generated, row.Kinds)
		if withheld {
			m.printf(" %d |", row.Withheld)
		}
		m.printf(" %d | %s | %s |\n", row.New, escapeMarkdown(row.Depth, 40), escapeMarkdown(subject.Version, 60))
	}
	m.printf("\n")
}

func (m *markdown) changes(d *Diff) {
	if d.Common == 0 {
		return
	}
	m.printf("Since the previous run: %s.\n\n", d.summary())
	list := func(word string, findings []result.Finding) {
		for i := range findings {
			f := &findings[i]
			m.printf("- %s: %s, %s, %s\n", word, escapeMarkdown(f.Subject, 60), escapeMarkdown(f.Requirement, 100), escapeMarkdown(findingTitle(f), -1))
		}
	}
	for _, n := range d.Notes {
		m.printf("- %s\n", escapeMarkdown(n, 600))
	}
	list("came", d.New)
	list("went", d.Gone)
	m.printf("\n")
}

func (m *markdown) subject(s result.Score) {
	if s.NoStart != "" {
		m.printf("## %s\n\nIt would not start: %s\n\n", escapeMarkdown(s.Subject, 80), escapeMarkdown(s.NoStart, 1000))
		return
	}
	first := true
	for i := range m.run.Findings {
		f := &m.run.Findings[i]
		if f.Subject != s.Subject {
			continue
		}
		if first {
			first = false
			m.printf("## %s\n\n| effect | outcome | clause | shows | input | right | given |\n|---|---|---|---|---|---|---|\n", escapeMarkdown(s.Subject, 80))
		}
		mark := "**new**"
		if f.Known != nil {
			mark = "known"
		}
		right := "–" // of relations and ladders, which ask no verdict
		if f.Relation == "" && f.Ladder == "" {
			right = codeCell(rightAnswer(f))
		}
		m.printf("| %s, %s | %s | %s | %s | %s | %s | %s |\n", f.Effect, mark, f.Outcome, escapeMarkdown(f.Requirement, 100),
			escapeMarkdown(f.Signature, 200), codeCell(plain(f.Input, f.InputSize)), right, codeCell(givenAnswer(f)))
	}
	if !first {
		m.printf("\n")
	}
}

// codeCell writes printable text as code in a table; HTML keeps what backticks
// cannot hold.
func codeCell(s string) string { return "<code>" + markdownReplacer.Replace(s) + "</code>" }
