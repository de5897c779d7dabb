package page

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/reports"
)

// What is shown of a text, and how large a form can be fetched from the page.
const (
	mostShown    = 8000
	mostFetched  = 256 << 10
	mostNumbers  = 16
	mostAnswer   = 600
	mostInFigure = 60
)

// choice is an option of a list.
type choice struct {
	Name   string
	Chosen bool
}

func profiles(chosen string) []choice {
	var all []choice
	for _, p := range reject.Profiles() {
		all = append(all, choice{p.String(), p.String() == chosen})
	}
	return all
}

// told is an explanation as the template prints it: every string is printable.
type told struct {
	Summary   string
	Size      int
	SHA256    string
	Shown     string
	Cards     []card
	Form      *form
	Proposal  *proposal
	Views     []view
	Numbers   []number
	More      int // numbers that are not shown
	Judged    string
	Answers   []answer
	Unchanged bool // the document is its own canonical form
}

// A card is a profile's verdict.
type card struct {
	Profile, About string
	Mark, Word     string // the verdict, as a sign and in words
	Class          string
	Faults         []fault
}

type fault struct {
	Reason, Meaning, Advice string
	Place, Pointer          string
	Clause                  *result.Clause
}

type form struct {
	Size          int
	SHA256, Shown string
	Fetch         template.URL // a data: URL of the bytes; empty if they are too many
}

type proposal struct{ Agent, Tool, Hash string }

type number struct {
	Offset                   int
	Text, Form, Hex          string
	Sign, Exponent, Fraction string // the bits
	Meaning                  string
}

type answer struct {
	Name, Version, Outcome, Class, Says, Hex, Fault string
}

var abouts = map[string]string{
	"rfc8785": "what a canonicalizer owes",
	"ijson":   "RFC 7493 to the letter on top",
	"rfc0016": "the strict snapshot domain",
}

func newTold(e *explain.Explanation) told {
	t := told{Size: e.Size, SHA256: e.SHA256, Shown: reports.Escape(e.Source, mostShown), Judged: e.Judged}
	var words []string
	for _, v := range e.Verdicts {
		t.Cards = append(t.Cards, newCard(v))
		words = append(words, v.Profile+" "+string(v.Kind))
	}
	t.Summary = strings.Join(words, ", ")
	documentMark := firstFault(e)
	if e.Canonical != nil {
		t.Form = newForm(e.Canonical)
		differ := result.FirstDifference(e.Source, []byte(e.Canonical.Text))
		t.Unchanged = differ < 0
		t.Views = append(t.Views, view{reports.ByteView("canonical form", []byte(e.Canonical.Text), differ)})
		if documentMark < 0 {
			documentMark = differ
		}
	}
	t.Views = append([]view{{reports.ByteView("document", e.Source, documentMark)}}, t.Views...)
	if p := e.Proposal; p != nil {
		t.Proposal = &proposal{reports.Escape(p.Agent, 200), reports.Escape(p.Tool, 200), p.Hash}
	}
	for _, n := range e.Numbers[:min(len(e.Numbers), mostNumbers)] {
		t.Numbers = append(t.Numbers, newNumber(n))
	}
	t.More = len(e.Numbers) - len(t.Numbers)
	for _, s := range e.Peers {
		t.Answers = append(t.Answers, newAnswer(s))
	}
	return t
}

// firstFault gives the least offset of a fault, -1 without one.
func firstFault(e *explain.Explanation) int {
	first := -1
	for _, v := range e.Verdicts {
		for _, f := range v.Faults {
			if first < 0 || f.Offset < first {
				first = f.Offset
			}
		}
	}
	return first
}

func newCard(v explain.Verdict) card {
	c := card{Profile: v.Profile, About: abouts[v.Profile]}
	switch v.Kind {
	case verdict.Accept:
		c.Mark, c.Word, c.Class = "✓", "accept", "good"
	case verdict.Reject:
		c.Mark, c.Word, c.Class = "✗", "reject", "bad"
	default:
		c.Mark, c.Word, c.Class = "◐", "either", "warn"
	}
	for _, f := range v.Faults {
		c.Faults = append(c.Faults, fault{
			Reason: f.Reason, Meaning: f.Meaning, Advice: f.Advice, Clause: f.Clause,
			Place:   fmt.Sprintf("offset %d, line %d, column %d", f.Offset, f.Line, f.Column),
			Pointer: reports.Escape(f.Pointer, 200),
		})
	}
	return c
}

func newForm(f *explain.Form) *form {
	t := &form{Size: f.Size, SHA256: f.SHA256, Shown: reports.Escape(f.Text, mostShown)}
	if f.Size <= mostFetched {
		t.Fetch = template.URL("data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString([]byte(f.Text)))
	}
	return t
}

func newNumber(n explain.Number) number {
	var bits uint64
	fmt.Sscanf(n.Bits, "%x", &bits)
	binary := fmt.Sprintf("%064b", bits)
	t := number{
		Offset: n.Offset, Text: reports.Escape(n.Text, mostInFigure), Form: n.Form, Hex: n.Bits,
		Sign: binary[:1], Exponent: binary[1:12], Fraction: binary[12:],
	}
	switch {
	case n.Form == "":
		t.Form, t.Meaning = "none", "beyond the range of a double"
	case !n.Exact:
		t.Meaning = "rounded: the text denotes another decimal value"
	case bits == 1<<63:
		t.Meaning = "negative zero"
	}
	return t
}

func newAnswer(s explain.Said) answer {
	a := answer{Name: s.Name, Version: reports.Escape(s.Version, 60), Outcome: string(s.Outcome), Class: "bad"}
	switch s.Outcome {
	case result.Pass:
		a.Class = "good"
	case result.Skip:
		a.Class = "none"
	}
	switch {
	case s.Right:
		a.Says = "gives the canonical form"
	case s.Answer == result.OK:
		a.Says = "gives " + reports.Escape([]byte(s.Given), mostAnswer)
		a.Hex = hex.EncodeToString(s.Given[:min(len(s.Given), 64)])
		if s.Size > 64 {
			a.Hex += fmt.Sprintf("… (%d bytes in all)", s.Size)
		}
	case s.Answer == result.Rejected && s.Message == "":
		a.Says = "refuses"
	case s.Answer == result.Rejected:
		a.Says = "refuses: " + reports.Escape(s.Message, mostAnswer)
	case s.Answer == result.Skipped && s.Message == "":
		a.Says = "was not asked"
	default:
		a.Says = string(s.Answer) + ": " + reports.Escape(s.Message, mostAnswer)
	}
	if s.Signature != "" {
		a.Fault = s.Requirement + ": " + reports.Escape(s.Signature, 300)
	}
	return a
}
