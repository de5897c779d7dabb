package reports

import (
	"fmt"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// draft is a report to an implementation's authors, in neutral words, ready to
// send.
func draft(run *result.Run, f *result.Finding, subject result.Subject) string {
	var b strings.Builder
	if subject.Report != "" {
		fmt.Fprintf(&b, "To: %s\n", Escape(subject.Report, 200))
	}
	fmt.Fprintf(&b, "Title: %s\n\n", draftTitle(f))
	if c, ok := run.Clause(f.Requirement); ok {
		b.WriteString(Escape(fmt.Sprintf("%s section %s: %s", c.Source, c.Section, c.Text), 1000) + "\n\n")
	}
	if f.Relation != "" || f.Ladder != "" {
		for _, d := range details(f) {
			fmt.Fprintf(&b, "%-8s %s\n", d.label, d.text)
		}
		b.WriteString(origin(run, subject))
		return b.String()
	}
	fmt.Fprintf(&b, "Input (hex):    %s\nInput (text):   %s\n", shortHex(f.Input), plain(f.Input, f.InputSize))
	fmt.Fprintf(&b, "Expected:       %s\n", rightAnswer(f))
	fmt.Fprintf(&b, "Actual:         %s\n", givenAnswer(f))
	if f.Given == result.OK {
		fmt.Fprintf(&b, "Actual (hex):   %s\n", shortHex(f.Actual))
	}
	if f.Partner != nil {
		fmt.Fprintf(&b, "The same bytes come from the input %s, so that one signature covers both.\n", plain(f.Partner, len(f.Partner)))
	}
	if test := snippet(run, f, subject); test != "" {
		b.WriteString("\nAs a test, where canonicalize goes from a document's bytes to the canonical form's:\n\n" + test + "\n")
	}
	if subject.Layer == result.LayerValue {
		b.WriteString("\nThe text was read by another parser first; the cause may lie there.\n")
	}
	if subject.Unclaimed {
		b.WriteString("\nThe project does not claim to follow this standard; this tells those who use it as if it did how it differs.\n")
	}
	b.WriteString(origin(run, subject))
	return b.String()
}

// origin says with what a finding was seen, and by what.
func origin(run *result.Run, s result.Subject) string {
	var b strings.Builder
	if s.Version != "" {
		fmt.Fprintf(&b, "\nSeen with %s %s.", Escape(s.Name, 80), Escape(s.Version, 80))
	}
	fmt.Fprintf(&b, "\nFound by Touchstone, suite %s, profile %s.\n", clipDigest(Escape(run.Header.Suite, 80)), Escape(run.Header.Profile, 40))
	return b.String()
}

func draftTitle(f *result.Finding) string {
	s := Escape(f.Signature, 200)
	if f.Relation != "" || f.Ladder != "" {
		return s
	}
	switch f.Outcome {
	case result.Accepted:
		return "accepts input that has no canonical form: " + s
	case result.Refused:
		return "refuses valid input: " + s
	case result.Diverged:
		return "output is not the canonical form: " + s
	}
	return s
}

func shortHex(b []byte) string {
	const most = 1024
	if len(b) <= most {
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprintf("%x… (%d bytes more)", b[:most], len(b)-most)
}
