package reports

import (
	"fmt"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// pageSubject is what the page tells of one implementation.
type pageSubject struct {
	Name, Version, Anchor, Summary string
	Unclaimed                      bool   // it does not claim to be what it is judged as
	Ask                            string // how to see what is not shown of it; "" if all is
	Command                        bool   // that names its command
	About                          []detail
	Findings                       []pageFinding
}

// pageFinding is what the page tells of one finding.
type pageFinding struct {
	Anchor, Title, Effect, Meaning, Seen  string
	Requirement, ClauseText, ClauseSource string
	Known, Link                           string
	Mark                                  string // new, known, or unreported: known, but to nobody else
	Shows                                 []shownPart
	Test, Replay, Draft                   string
	Tables                                []viewTable
	Doubles                               []double
	Vectors                               []string
}

// A shownPart is a labelled part of a finding, its first line large.
type shownPart struct {
	Label, Text string
	Hex         []string
	Main        bool // input, given or right
}

// newPageSubject tells of one implementation, and notes in anchors where each of
// its findings stands.
func newPageSubject(run *result.Run, s result.Score, subject result.Subject, i int, anchors []string) pageSubject {
	p := pageSubject{
		Name: Escape(s.Subject, 80), Version: Escape(subject.Version, 60), Anchor: anchor(i), Summary: subjectSummary(s), Unclaimed: subject.Unclaimed,
	}
	if s.Withheld > 0 {
		p.Ask, p.Command = Escape(askAgain(subject), 400), subject.Mode != ""
	}
	for _, d := range []detail{
		{"Lineage", subject.Lineage}, {"Language", subject.Language},
		{"Takes", takes(subject.Layer)}, {"Home", subject.Homepage}, {"Report to", subject.Report}, {"Command", subject.Command}, {"Asked", askedBy(subject.Mode)},
	} {
		if d.text != "" {
			p.About = append(p.About, detail{d.label, Escape(d.text, 200)})
		}
	}
	if s.Limits.Probed > 0 {
		p.About = append(p.About, detail{"Depth limit", depthInWords(s.Limits)})
	}
	if n := s.Vectors.Limited + s.Generated.Limited; n > 0 {
		p.About = append(p.About, detail{"Refused by a limit", counted(n, "input") + ", which RFC 8259 section 9 allows"})
	}
	if s.Unasked > 0 {
		p.About = append(p.About, detail{"Not asked", counted(s.Unasked, "question") + ": " + Escape(s.Why, 300)})
	}
	number := 0
	for k := range run.Findings {
		if f := &run.Findings[k]; f.Subject == s.Subject {
			number++
			anchors[k] = fmt.Sprintf("%s-%d", p.Anchor, number)
			p.Findings = append(p.Findings, newPageFinding(run, f, subject, anchors[k]))
		}
	}
	return p
}

func subjectSummary(s result.Score) string {
	text := "No finding."
	switch {
	case s.NoStart != "":
		return "It would not start."
	case s.Findings > 0:
		text = counted(s.Findings, "kind") + " of finding."
		if s.New > 0 {
			text = fmt.Sprintf("%s of finding, %d of them new.", counted(s.Findings, "kind"), s.New)
		}
	case s.Withheld > 0:
		text = "No finding that is public."
	}
	if s.Withheld > 0 {
		text += fmt.Sprintf(" %s not shown.", thousands(s.Withheld))
	}
	return text
}

// askAgain is the command that shows everything about an implementation.
func askAgain(s result.Subject) string {
	switch s.Mode {
	case result.ModeExec:
		return "touchstone check -- " + s.Command
	case result.ModeWire:
		return "touchstone check --wire -- " + s.Command
	}
	return "touchstone check --peer " + s.Name
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

func newPageFinding(run *result.Run, f *result.Finding, subject result.Subject, anchor string) pageFinding {
	p := pageFinding{
		Anchor: anchor, Title: findingTitle(f), Effect: string(f.Effect), Meaning: meaning(f.Effect),
		Seen: Escape(seenIn(f), 400), Requirement: Escape(f.Requirement, 100), Mark: "new",
		Shows: shownParts(details(f)), Test: snippet(run, f, subject), Replay: Escape(f.Replay, -1), Draft: draft(run, f, subject),
		Tables: viewTables(f), Doubles: doubles(f),
	}
	if c, ok := run.Clause(f.Requirement); ok {
		p.ClauseText, p.ClauseSource = Escape(c.Text, 600), Escape(c.Source+" section "+c.Section, 80)
	}
	if f.Known != nil {
		p.Mark = "unreported"
		if f.Known.Reason != f.Signature {
			p.Known = Escape(f.Known.Reason, 600)
		}
		if f.Reported() {
			p.Mark = "known"
		}
		if strings.HasPrefix(f.Known.Link, "https://") {
			p.Link = f.Known.Link
		}
	}
	for _, id := range f.Vectors {
		p.Vectors = append(p.Vectors, Escape(id, 100))
	}
	return p
}

// findingTitle says in a line what an implementation does.
func findingTitle(f *result.Finding) string {
	s := Escape(f.Signature, 300)
	if f.Relation != "" || f.Ladder != "" {
		return s
	}
	switch f.Outcome {
	case result.Accepted:
		return "accepts what must be refused: " + s
	case result.Refused:
		return "refuses what is right: " + s
	case result.Diverged:
		return "gives other bytes: " + s
	case result.WrongReason:
		return "refuses for another reason: " + s
	}
	return s
}

// meaning says what an effect means to who signs.
func meaning(e result.Effect) string {
	switch e {
	case result.Collision:
		return "Two documents get one canonical form: a signature of one covers the other."
	case result.Split:
		return "This document gets another form than elsewhere: a signature made here fails there."
	case result.InvalidOutput:
		return "What comes out is no canonical form of anything."
	case result.DenialOfService:
		return "One document stops it or slows it down."
	case result.Refusal:
		return "A right document is turned away."
	}
	return ""
}

// shownParts puts lines of hex to the text that they spell.
func shownParts(all []detail) []shownPart {
	var parts []shownPart
	for _, d := range all {
		if d.label == "" && len(parts) > 0 {
			last := &parts[len(parts)-1]
			last.Hex = append(last.Hex, d.text)
			continue
		}
		main := d.label == "input" || d.label == "given" || d.label == "right"
		parts = append(parts, shownPart{Label: d.label, Text: d.text, Main: main})
	}
	return parts
}
