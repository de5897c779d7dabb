package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TerminalOptions say how the summary for a terminal looks.
type TerminalOptions struct {
	Colour  bool
	Verbose bool // known findings in full too, not only new ones
	Quiet   bool // totals and new findings only
}

// Terminal writes the summary for people: the matrix, then what was found, the
// gravest first. It keeps to 80 columns wherever the findings' own data does.
func Terminal(w io.Writer, run *result.Run, o TerminalOptions) error {
	t := &terminal{run: run, o: o}
	if !o.Quiet {
		t.provenance()
		t.matrix()
		t.scores()
		t.relations()
		t.ladders()
	}
	t.findings()
	t.execNote()
	t.stale()
	t.verdict()
	_, err := io.WriteString(w, t.b.String())
	return err
}

type terminal struct {
	b   strings.Builder
	run *result.Run
	o   TerminalOptions
}

func (t *terminal) printf(format string, args ...any) { fmt.Fprintf(&t.b, format, args...) }

func (t *terminal) paint(s string, colours ...text.Color) string {
	if !t.o.Colour {
		return s
	}
	return "\x1b[" + sequence(colours) + "m" + s + "\x1b[0m"
}

func sequence(colours []text.Color) string {
	var codes []string
	for _, c := range colours {
		codes = append(codes, strconv.Itoa(int(c)))
	}
	return strings.Join(codes, ";")
}

func (t *terminal) provenance() {
	h := t.run.Header
	line := fmt.Sprintf("Touchstone %s, profile %s, %s", Escape(h.Version, 60), Escape(h.Profile, 20), counted(h.Vectors, "vector"))
	if h.Cases > 0 {
		line += fmt.Sprintf(", %s from seed %d", counted(h.Cases, "generated case"), h.Seed)
	}
	if h.Inputs > 0 {
		line += fmt.Sprintf(", %s given", counted(h.Inputs, "input"))
	}
	t.wrapped(line)
	t.printf("suite %s\n\n", clipDigest(Escape(h.Suite, 64)))
}

// wrapped prints a line that may be longer than a terminal is wide.
func (t *terminal) wrapped(line string) {
	for _, part := range wrap(line, 80) {
		t.printf("%s\n", part)
	}
}

func clipDigest(digest string) string {
	if len(digest) > 16 {
		return digest[:16] + "…"
	}
	return digest
}

// newTable is a table without lines around it.
func (t *terminal) newTable() table.Writer {
	tw := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	tw.SetStyle(style)
	return tw
}

// flush writes a table, its rule no longer than its longest row.
func (t *terminal) flush(tw table.Writer) {
	lines := strings.Split(tw.Render(), "\n")
	width := 0
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
		if !strings.HasPrefix(lines[i], "─") {
			width = max(width, text.StringWidthWithoutEscSequences(lines[i]))
		}
	}
	for _, l := range lines {
		if strings.HasPrefix(l, "─") {
			l = strings.Repeat("─", width)
		}
		t.b.WriteString(l + "\n")
	}
	t.b.WriteByte('\n')
}

// groups lists the requirement groups that some vector or finding stands in.
func groups(run *result.Run) []string {
	seen := map[string]bool{}
	for _, s := range run.Footer.Scores {
		for g := range s.Groups {
			seen[g] = true
		}
		for g := range s.Found {
			seen[g] = true
		}
	}
	var all []string
	for _, g := range groupOrder {
		if seen[g] {
			all = append(all, g)
		}
	}
	return all
}

var groupOrder = []string{"encoding", "grammar", "strings", "names", "order", "numbers", "limits", "domain", "protocol"}

// matrix shows implementations by requirement group.
func (t *terminal) matrix() {
	all := groups(t.run)
	if len(all) == 0 {
		return
	}
	tw := t.newTable()
	row := table.Row{"wrong/asked"}
	for _, g := range all {
		row = append(row, g)
	}
	tw.AppendHeader(row)
	for _, s := range t.run.Footer.Scores {
		row := table.Row{Escape(s.Subject, 16)}
		for _, g := range all {
			row = append(row, t.cell(s, g))
		}
		tw.AppendRow(row)
	}
	t.flush(tw)
}

// cell is one field of the matrix. Colour only repeats what the text says.
func (t *terminal) cell(s result.Score, group string) string {
	tally := s.Groups[group]
	switch {
	case s.NoStart != "":
		return t.paint("-", text.FgYellow)
	case tally.Failed > 0:
		return t.paint(fmt.Sprintf("%d/%d", tally.Failed, tally.Asked-tally.Skipped), text.FgRed)
	case s.Found[group] > 0:
		return t.paint("found", text.FgRed)
	case tally.Asked == tally.Skipped:
		return "-"
	}
	return t.paint("ok", text.FgGreen)
}

// scores shows what one line can say of each implementation.
func (t *terminal) scores() {
	tw := t.newTable()
	tw.AppendHeader(table.Row{"", "generated", "kinds", "new", "depth limit", "version"})
	for i, s := range t.run.Footer.Scores {
		version := ""
		if i < len(t.run.Header.Subjects) {
			version = t.run.Header.Subjects[i].Version
		}
		if s.NoStart != "" {
			tw.AppendRow(table.Row{Escape(s.Subject, 16), t.paint("would not start", text.FgYellow)})
			continue
		}
		generated := "-"
		if g := s.Generated; g.Asked > g.Skipped {
			generated = "ok"
			if g.Failed > 0 {
				generated = fmt.Sprintf("%d/%d", g.Failed, g.Asked-g.Skipped)
			}
		}
		tw.AppendRow(table.Row{Escape(s.Subject, 16), generated, s.Findings, s.New, depthLimit(s.Limits), clipVersion(version)})
	}
	t.flush(tw)
}

// clipVersion keeps the table narrow.
func clipVersion(version string) string {
	const most = 22
	if len(version) <= most {
		return Escape(version, -1)
	}
	return Escape(version[:most], -1) + "…"
}

// relations shows which metamorphic relations each implementation breaks.
func (t *terminal) relations() {
	if !related(t.run) {
		return
	}
	tw := t.newTable()
	tw.AppendHeader(table.Row{"relations", "held", "broken"})
	for _, s := range t.run.Footer.Scores {
		if len(s.Relations) == 0 {
			continue
		}
		held, broken := relationCells(s)
		for i, line := range wrap(broken, 48) {
			row := table.Row{Escape(s.Subject, 16), held, t.paint(line, painted(broken))}
			if i > 0 {
				row[0], row[1] = "", ""
			}
			tw.AppendRow(row)
		}
	}
	t.flush(tw)
}

// ladders shows how each implementation's time grows and where it ends.
func (t *terminal) ladders() {
	if !laddered(t.run) {
		return
	}
	tw := t.newTable()
	tw.AppendHeader(table.Row{"ladders", "slow", "ends"})
	for _, s := range t.run.Footer.Scores {
		if len(s.Ladders) == 0 {
			continue
		}
		slow, ends := ladderCells(s)
		left, right := wrap(slow, 30), wrap(ends, 30)
		for i := range max(len(left), len(right)) {
			row := table.Row{"", "", ""}
			if i == 0 {
				row[0] = Escape(s.Subject, 16)
			}
			if i < len(left) {
				row[1] = t.paint(left[i], painted(slow))
			}
			if i < len(right) {
				row[2] = right[i]
			}
			tw.AppendRow(row)
		}
	}
	t.flush(tw)
}

// painted is the colour of a cell that says "none" or what is wrong.
func painted(cell string) text.Color {
	if cell == "none" {
		return text.FgGreen
	}
	return text.FgRed
}

func depthLimit(l result.Limits) string {
	one := func(n int) string {
		if n == result.Unlimited {
			return fmt.Sprintf("over %d", l.Probed)
		}
		return strconv.Itoa(n)
	}
	switch {
	case l.Probed == 0:
		return "-"
	case l.Arrays == l.Objects:
		return one(l.Arrays)
	}
	return one(l.Arrays) + " [ " + one(l.Objects) + " {"
}

// findings lists what was found by implementation, the gravest first.
func (t *terminal) findings() {
	last := ""
	for i := range t.run.Findings {
		f := &t.run.Findings[i]
		if f.Known != nil && t.o.Quiet {
			continue
		}
		if f.Subject != last {
			last = f.Subject
			t.heading(f.Subject)
		}
		if f.Known != nil && !t.o.Verbose {
			t.oneLine(f)
			continue
		}
		t.whole(f)
	}
	if last != "" {
		t.printf("\n")
	}
}

func (t *terminal) heading(subject string) {
	s := t.run.Score(subject)
	if s == nil {
		t.printf("%s\n", Escape(subject, 60))
		return
	}
	t.printf("%s: %s, %d new\n", t.paint(Escape(subject, 60), text.Bold), counted(s.Findings, "kind")+" of finding", s.New)
}

// oneLine is for a known finding.
func (t *terminal) oneLine(f *result.Finding) {
	t.printf("  %-17s %-8s %s\n", f.Effect, f.Outcome, Escape(f.Requirement, 100))
	const indent = 20
	for _, part := range wrap(Escape(f.Signature, 300)+" ("+counted(f.Count, "input")+")", 80-indent) {
		t.printf("%*s%s\n", indent, "", part)
	}
}

// whole shows a finding with everything needed to agree with it.
func (t *terminal) whole(f *result.Finding) {
	mark := "new"
	if f.Known != nil {
		mark = "known"
	}
	t.printf("\n  %s, %s, %s (%s)\n", t.paint(strings.ToUpper(string(f.Effect)), text.FgRed), f.Outcome, Escape(f.Requirement, 100), mark)
	t.line("shows", Escape(f.Signature, 300)+"; "+Escape(seenIn(f), 400))
	if c, ok := t.run.Clause(f.Requirement); ok {
		t.line("clause", Escape(fmt.Sprintf("%s section %s: %s", c.Source, c.Section, c.Text), 1000))
	}
	for _, l := range details(f) {
		t.line(l.label, l.text)
	}
	if f.Known != nil {
		t.line("known", Escape(f.Known.Reason, 400)+" ("+linkOr(f.Known)+")")
	}
	t.printf("    %-8s %s\n", "replay", Escape(f.Replay, -1)) // in one line, to be copied
}

func linkOr(k *result.Known) string {
	if k.Link == "" {
		return "unreported"
	}
	return Escape(k.Link, 200)
}

// line prints a labelled text, wrapped at 80 columns where it has blanks.
func (t *terminal) line(label, s string) {
	const indent, width = 13, 80
	for i, part := range wrap(s, width-indent) {
		if i > 0 {
			label = ""
		}
		t.printf("    %-8s %s\n", label, part)
	}
}

// wrap cuts a text at single blanks; longer words and runs of blanks stay whole.
func wrap(s string, width int) []string {
	if strings.Contains(s, "\n") {
		return strings.Split(s, "\n")
	}
	var lines []string
	current := ""
	for _, w := range strings.Split(s, " ") {
		switch {
		case current == "":
			current = w
		case text.StringWidthWithoutEscSequences(current)+1+text.StringWidthWithoutEscSequences(w) <= width:
			current += " " + w
		default:
			lines, current = append(lines, current), w
		}
	}
	return append(lines, current)
}

// execNote says what exec mode cannot tell apart, where it matters.
func (t *terminal) execNote() {
	if note := execNote(t.run); note != "" && !t.o.Quiet {
		t.wrapped(note)
		t.printf("\n")
	}
}

func (t *terminal) stale() {
	for _, s := range t.run.Footer.Stale {
		t.printf("%s baseline, line %d, is stale: %s\n    %s\n", Escape(s.Subject, 60), s.Line, Escape(s.Why, 200), Escape(s.Entry, 200))
	}
}

// verdict is the last line.
func (t *terminal) verdict() {
	f := t.run.Footer
	absent := 0
	for _, s := range f.Scores {
		if s.NoStart != "" {
			absent++
			t.wrapped(Escape(s.Subject, 60) + " would not start: " + Escape(s.NoStart, 1000))
		}
	}
	for _, s := range f.Scores {
		if s.Unasked > 0 {
			t.wrapped(fmt.Sprintf("%s: %s left out: %s", Escape(s.Subject, 60), counted(s.Unasked, "question"), Escape(s.Why, 300)))
		}
	}
	total, fresh := len(t.run.Findings), t.run.New()
	known := total - fresh
	line := ""
	switch {
	case absent == len(f.Scores):
		line = "nothing was judged"
	case fresh > 0:
		line = t.paint(counted(fresh, "new finding"), text.FgRed)
	case total > 0:
		line = t.paint("no new finding", text.FgGreen)
	default:
		line = t.paint("no finding", text.FgGreen)
	}
	if known > 0 {
		line += fmt.Sprintf(", %d known", known)
	}
	if len(f.Stale) > 0 {
		line += fmt.Sprintf(", %s", counted(len(f.Stale), "stale baseline entr"))
	}
	if f.Interrupted {
		line += ", interrupted"
	}
	line += fmt.Sprintf("; %s put in %.1f s", counted(f.Questions, "question"), f.Seconds)
	if t.run.Header.Cases > 0 {
		line += fmt.Sprintf(", %s cases a second", thousands(int(f.CasesPerSec)))
	}
	t.wrapped(line)
}

// counted writes a number with its noun; nouns that end in "entr" end in "y"
// or "ies".
func counted(n int, noun string) string {
	plural := "s"
	if strings.HasSuffix(noun, "entr") {
		plural = "ies"
		if n == 1 {
			plural = "y"
		}
	} else if n == 1 {
		plural = ""
	}
	return thousands(n) + " " + noun + plural
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
