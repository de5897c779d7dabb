package reports

import (
	"embed"
	"fmt"
	"html/template"
	"io"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

//go:embed page
var pageFiles embed.FS

// page is the HTML report. html/template escapes whatever it prints; what is
// hostile has been made printable before.
var page = template.Must(template.New("page.html").Funcs(template.FuncMap{"style": style}).ParseFS(pageFiles, "page/*.html"))

// style gives the style sheet, which is ours.
func style() template.CSS {
	text, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		panic("reports: the page's style sheet is not embedded")
	}
	return template.CSS(text)
}

// HTML writes one self-contained page: it needs no script and asks nobody for
// anything.
func HTML(w io.Writer, run *result.Run) error { return HTMLSince(w, run, nil) }

// HTMLSince writes the same page with what changed since a previous run, if
// there is one.
func HTMLSince(w io.Writer, run, previous *result.Run) error {
	d := newPage(run)
	if previous != nil {
		if diff := Compare(previous, run); diff.Common > 0 {
			d.Changes = newChanges(run, previous, diff, d)
		}
	}
	return page.Execute(w, d)
}

// pageData is what the templates print. Every string in it is printable.
type pageData struct {
	Title     string
	Verdict   string
	Mood      string // a class: good, warn for what is known, bad
	Facts     []detail
	Groups    []string
	Rows      []pageRow
	Generated bool // some documents were generated
	Unclaimed bool // somebody does not claim to be what it is judged as
	Withheld  int
	Changes   *changes
	Kinds     []kindRow
	Heat      []heatRow
	Discovery []figure
	Relations []relationRow
	Ladders   []ladderRow
	Subjects  []pageSubject
	Clauses   []result.Clause
	Stale     []string
	NoStart   []detail

	anchors []string // where each of the run's findings stands
}

// Label and Text give a detail's parts to the templates.
func (d detail) Label() string { return d.label }

// Text gives a detail's text to the templates.
func (d detail) Text() string { return d.text }

// A figure is a picture and what it shows. The picture is made of numbers and
// words of ours alone.
type figure struct {
	Picture template.HTML
	Caption string
}

func newPage(run *result.Run) *pageData {
	h := run.Header
	d := &pageData{
		Title: "Touchstone: " + profileTitle(h.Profile), Groups: groups(run), Mood: mood(run),
		Verdict: pageVerdict(run), Facts: pageFacts(run), Heat: heat(run), Clauses: cited(run), Generated: h.Cases > 0,
		Withheld: run.Footer.Withheld, Relations: relationRows(run), Ladders: ladderRows(run), Discovery: discoveries(run),
	}
	d.anchors = make([]string, len(run.Findings))
	for i, s := range run.Footer.Scores {
		var subject result.Subject
		if i < len(h.Subjects) {
			subject = h.Subjects[i]
		}
		d.Unclaimed = d.Unclaimed || subject.Unclaimed
		d.Rows = append(d.Rows, newRow(run, s, subject, i, d.Groups))
		if s.NoStart != "" {
			d.NoStart = append(d.NoStart, detail{Escape(s.Subject, 80), Escape(s.NoStart, 2000)})
		}
		d.Subjects = append(d.Subjects, newPageSubject(run, s, subject, i, d.anchors))
	}
	d.Kinds = kindRows(run, d.anchors)
	for _, s := range run.Footer.Stale {
		d.Stale = append(d.Stale, fmt.Sprintf("%s, line %d: %s (%s)", Escape(s.Subject, 80), s.Line, Escape(s.Entry, 300), Escape(s.Why, 300)))
	}
	return d
}

func mood(run *result.Run) string {
	switch {
	case run.New() > 0 || len(run.Footer.Stale) > 0:
		return "bad"
	case len(run.Findings)+run.Footer.Withheld > 0:
		return "warn"
	}
	return "good"
}

// profileTitle says whose rules decide.
func profileTitle(profile string) string {
	switch profile {
	case "rfc8785":
		return "RFC 8785, the JSON Canonicalization Scheme"
	case "ijson":
		return "RFC 8785 over I-JSON (RFC 7493)"
	case "rfc0016":
		return "RFC-0016, the strict snapshot domain"
	}
	return Escape(profile, 40)
}

func pageVerdict(run *result.Run) string {
	total, fresh := len(run.Findings), run.New()
	text := "No finding."
	if total > 0 {
		text = fmt.Sprintf("%s of finding: %d new, %d known.", counted(total, "kind"), fresh, total-fresh)
	}
	if n := run.Footer.Withheld; n > 0 {
		text += fmt.Sprintf(" %s more not shown: their authors have not been told yet.", thousands(n))
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
