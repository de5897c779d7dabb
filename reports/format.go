package reports

import (
	"io"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Format is one way to write a run.
type Format struct {
	Name  string // as in --out NAME=PATH
	About string
	// Render writes the whole run. It is deterministic, and does not change it.
	Render func(w io.Writer, run *result.Run) error
	// Since writes it with what changed since a previous run; nil if the format
	// has no place for that.
	Since func(w io.Writer, run, previous *result.Run) error
}

// Formats lists the formats.
func Formats() []Format {
	return []Format{
		{"html", "one self-contained page", HTML, HTMLSince},
		{"jsonl", "the records, as in results.jsonl", JSONL, nil},
		{"text", "the summary of the terminal, everything in full", Text, nil},
		{"markdown", "GitHub's Markdown, for step summaries", Markdown, MarkdownSince},
		{"junit", "JUnit XML, for CI servers", JUnit, nil},
		{"tap", "TAP version 14", TAP, nil},
		{"sarif", "SARIF 2.1.0, for code scanning", SARIF, nil},
		{"github", "workflow commands that annotate a run", GitHub, nil},
		{"badge", "the endpoint form of a badge, JSON", BadgeJSON, nil},
		{"svg", "a badge as a picture", BadgeSVG, nil},
	}
}

// LookupFormat finds a format by its name.
func LookupFormat(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// FormatNames lists the names of the formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Text writes the terminal's summary without colour, known findings in full.
func Text(w io.Writer, run *result.Run) error {
	return Terminal(w, run, TerminalOptions{Verbose: true})
}

// JSONL writes the run's records, vectors in the order in which they came.
func JSONL(w io.Writer, run *result.Run) error {
	if err := WriteRecord(w, result.Record{Header: &run.Header}); err != nil {
		return err
	}
	for i := range run.Vectors {
		if err := WriteRecord(w, result.Record{Vector: &run.Vectors[i]}); err != nil {
			return err
		}
	}
	for i := range run.Findings {
		if err := WriteRecord(w, result.Record{Finding: &run.Findings[i]}); err != nil {
			return err
		}
	}
	return WriteRecord(w, result.Record{Footer: &run.Footer})
}
