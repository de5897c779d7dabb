package reports

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

//go:embed page.html
var pageText string

// page is the HTML report. html/template escapes whatever it prints; what is
// hostile has been made printable before.
var page = template.Must(template.New("page").Parse(pageText))

// HTML writes one self-contained page: it needs no script and asks nobody for
// anything.
func HTML(w io.Writer, run *result.Run) error { return page.Execute(w, newPage(run)) }

// pageData is what the template prints. Every string in it is printable.
type pageData struct {
	Title     string
	Verdict   string
	Good      bool
	Facts     []detail
	Groups    []string
	Rows      []pageRow
	Heat      []heatRow
	Kinds     []kindRow
	Subjects  []pageSubject
	Clauses   []result.Clause
	Stale     []string
	NoStart   []detail
	Relations []relationRow
	Ladders   []ladderRow
	Generated bool
}

// Label and Text give a detail's parts to the template.
func (d detail) Label() string { return d.label }

// Text gives a detail's text to the template.
func (d detail) Text() string { return d.text }

// pageRow is a row of the matrix.
type pageRow struct {
	Name, Anchor, Version, Generated, Depth string
	Kinds, New                              int
	Cells                                   []pageCell
}

// pageCell says the same by letter, text and colour.
type pageCell struct{ Class, Letter, Text, Title string }

// heatRow is a clause with how many kinds of finding each implementation has.
type heatRow struct {
	Clause result.Clause
	Cells  []pageCell
}

type pageSubject struct {
	Name, Anchor, Summary string
	About                 []detail
	Findings              []pageFinding
}

type pageFinding struct {
	Anchor, Effect, Outcome, Signature, Seen string
	Requirement, ClauseText, ClauseSource    string
	Known                                    string
	Link                                     string
	Mark                                     string // new or known
	Details                                  []detail
	Views                                    []View
	Replay, Draft                            string
	Vectors                                  []string
}

func newPage(run *result.Run) pageData {
	h := run.Header
	d := pageData{
		Title: "Touchstone: " + h.Profile, Groups: groups(run), Good: run.New() == 0 && len(run.Footer.Stale) == 0,
		Verdict: pageVerdict(run), Facts: pageFacts(run), Heat: heat(run), Clauses: cited(run), Generated: h.Cases > 0,
	}
	d.Relations, d.Ladders = relationRows(run), ladderRows(run)
	anchors := make([]string, len(run.Findings))
	for i, s := range run.Footer.Scores {
		var subject result.Subject
		if i < len(h.Subjects) {
			subject = h.Subjects[i]
		}
		d.Rows = append(d.Rows, newRow(run, s, subject, i, d.Groups))
		if s.NoStart != "" {
			d.NoStart = append(d.NoStart, detail{Escape(s.Subject, 80), Escape(s.NoStart, 2000)})
		}
		d.Subjects = append(d.Subjects, newPageSubject(run, s, subject, i, anchors))
	}
	d.Kinds = kindRows(run, anchors)
	for _, s := range run.Footer.Stale {
		d.Stale = append(d.Stale, fmt.Sprintf("%s, line %d: %s (%s)", Escape(s.Subject, 80), s.Line, Escape(s.Entry, 300), Escape(s.Why, 300)))
	}
	return d
}

func pageVerdict(run *result.Run) string {
	total, fresh := len(run.Findings), run.New()
	text := "No finding."
	if total > 0 {
		text = fmt.Sprintf("%s of finding: %d new, %d known.", counted(total, "kind"), fresh, total-fresh)
	}
	if n := run.Footer.Withheld; n > 0 {
		text += fmt.Sprintf(" %s more not shown until their authors have been told.", counted(n, "kind"))
	}
	if run.Footer.Interrupted {
		text += " The run was interrupted."
	}
	return text
}

func pageFacts(run *result.Run) []detail {
	h := run.Header
	facts := []detail{
		{"Profile", Escape(h.Profile, 40)},
		{"Touchstone", Escape(h.Version, 80)},
		{"Vectors", fmt.Sprintf("%s, suite %s", thousands(h.Vectors), Escape(h.Suite, 80))},
	}
	if h.Cases > 0 {
		facts = append(facts, detail{"Generated cases", fmt.Sprintf("%s from seed %d", thousands(h.Cases), h.Seed)})
	}
	if h.Inputs > 0 {
		facts = append(facts, detail{"Inputs given", thousands(h.Inputs)})
	}
	return append(facts,
		detail{"Questions", fmt.Sprintf("%s in %.1f seconds", thousands(run.Footer.Questions), run.Footer.Seconds)},
		detail{"Made on", Escape(fmt.Sprintf("%s %s, %s, %s", h.OS, h.Arch, h.Go, h.Started), 120)},
	)
}

func anchor(i int) string { return fmt.Sprintf("i%d", i) }

func newRow(run *result.Run, s result.Score, subject result.Subject, i int, all []string) pageRow {
	row := pageRow{
		Name: Escape(s.Subject, 40), Anchor: anchor(i), Version: Escape(subject.Version, 60),
		Depth: depthLimit(s.Limits), Kinds: s.Findings, New: s.New, Generated: "-",
	}
	if g := s.Generated; g.Asked > 0 {
		row.Generated = fmt.Sprintf("%s of %s wrong", thousands(g.Failed), thousands(g.Asked-g.Skipped))
	}
	for _, g := range all {
		row.Cells = append(row.Cells, matrixCell(s, g))
	}
	return row
}

func matrixCell(s result.Score, group string) pageCell {
	t := s.Groups[group]
	asked := t.Asked - t.Skipped
	switch {
	case s.NoStart != "":
		return pageCell{"none", "–", "not asked", "it would not start"}
	case t.Failed > 0:
		return pageCell{"bad", "✗", fmt.Sprintf("%d/%d", t.Failed, asked), fmt.Sprintf("%d of %d vectors wrong", t.Failed, asked)}
	case s.Found[group] > 0:
		return pageCell{"bad", "✗", "found", "wrong on generated cases only"}
	case asked == 0:
		return pageCell{"none", "–", "not asked", "no vector of this group is served"}
	}
	return pageCell{"good", "✓", "ok", fmt.Sprintf("all of %d vectors right", asked)}
}

// heat counts kinds of finding by clause and implementation.
func heat(run *result.Run) []heatRow {
	var rows []heatRow
	for _, c := range cited(run) {
		row := heatRow{Clause: c}
		for _, s := range run.Footer.Scores {
			n := 0
			for _, f := range run.Findings {
				if f.Subject == s.Subject && f.Requirement == c.ID {
					n++
				}
			}
			row.Cells = append(row.Cells, heatCell(n))
		}
		rows = append(rows, row)
	}
	return rows
}

func heatCell(n int) pageCell {
	if n == 0 {
		return pageCell{"quiet", "", "·", "none"}
	}
	return pageCell{fmt.Sprintf("heat%d", min(n, 3)), "", fmt.Sprint(n), counted(n, "kind") + " of finding"}
}

// cited lists the clauses that some finding breaks, in the catalogue's order.
func cited(run *result.Run) []result.Clause {
	var all []result.Clause
	for _, c := range run.Header.Clauses {
		if slices.ContainsFunc(run.Findings, func(f result.Finding) bool { return f.Requirement == c.ID }) {
			c.Text, c.ID = Escape(c.Text, 600), Escape(c.ID, 100)
			c.Source, c.Section = Escape(c.Source, 60), Escape(c.Section, 60)
			all = append(all, c)
		}
	}
	return all
}

// newPageSubject tells of one implementation, and notes in anchors where each of
// its findings stands.
func newPageSubject(run *result.Run, s result.Score, subject result.Subject, i int, anchors []string) pageSubject {
	p := pageSubject{Name: Escape(s.Subject, 80), Anchor: anchor(i)}
	p.Summary = "No finding."
	if s.Findings > 0 {
		p.Summary = fmt.Sprintf("%s of finding, %d of them new.", counted(s.Findings, "kind"), s.New)
	}
	for _, d := range []detail{
		{"Version", subject.Version}, {"Lineage", subject.Lineage}, {"Language", subject.Language},
		{"Takes", takes(subject.Layer)}, {"Home", subject.Homepage}, {"Command", subject.Command}, {"Asked", askedBy(subject.Mode)},
	} {
		if d.text != "" {
			p.About = append(p.About, detail{d.label, Escape(d.text, 200)})
		}
	}
	if s.Limits.Probed > 0 {
		p.About = append(p.About, detail{"Depth limit", depthLimit(s.Limits)})
	}
	if n := s.Vectors.Limited + s.Generated.Limited; n > 0 {
		p.About = append(p.About, detail{"Refused by a limit", counted(n, "input") + ", which RFC 8259 section 9 allows"})
	}
	number := 0
	for k := range run.Findings {
		if f := &run.Findings[k]; f.Subject == s.Subject {
			number++
			anchors[k] = fmt.Sprintf("%s-%d", p.Anchor, number)
			p.Findings = append(p.Findings, newPageFinding(run, f, anchors[k]))
		}
	}
	return p
}

func askedBy(mode string) string {
	switch mode {
	case result.ModeExec:
		return "in exec mode, which cannot tell a refusal from an uncaught exception that ends with the same exit status"
	case result.ModeWire:
		return "by the line protocol"
	}
	return ""
}

func takes(l result.Layer) string {
	switch l {
	case result.LayerText:
		return "JSON text"
	case result.LayerValue:
		return "values that another parser read: a fault may lie in either"
	}
	return ""
}

func newPageFinding(run *result.Run, f *result.Finding, anchor string) pageFinding {
	p := pageFinding{
		Anchor: anchor, Effect: string(f.Effect), Outcome: string(f.Outcome), Signature: Escape(f.Signature, 300),
		Seen: Escape(seenIn(f), 400), Requirement: Escape(f.Requirement, 100), Mark: "new",
		Replay: Escape(f.Replay, -1), Details: details(f), Draft: draft(run, f),
	}
	if c, ok := run.Clause(f.Requirement); ok {
		p.ClauseText, p.ClauseSource = Escape(c.Text, 600), Escape(c.Source+" section "+c.Section, 80)
	}
	if f.Known != nil {
		p.Mark, p.Known = "known", Escape(f.Known.Reason, 600)
		if strings.HasPrefix(f.Known.Link, "https://") {
			p.Link = f.Known.Link
		}
	}
	p.Views = append(p.Views, byteView("input", f.Input, faultOffset(f)))
	if f.PartnerGiven == result.OK {
		p.Views = append(p.Views, byteView("second input", f.Partner, -1), byteView("second given", f.PartnerActual, f.Differ))
	}
	if f.Expected != nil {
		p.Views = append(p.Views, byteView("right", f.Expected, f.Differ))
	}
	if f.Given == result.OK {
		p.Views = append(p.Views, byteView("given", f.Actual, f.Differ))
	}
	for _, id := range f.Vectors {
		p.Vectors = append(p.Vectors, Escape(id, 100))
	}
	return p
}

func faultOffset(f *result.Finding) int {
	if f.Fault == nil {
		return -1
	}
	return f.Fault.Offset
}
