package oracletest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// describe says of a finding what its reader needs: the clause, the input, what
// was right and what came.
func describe(run *result.Run, f *result.Finding) string {
	var b strings.Builder
	b.WriteString(summary(f))
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n    %-8s %s", label, text)
		}
	}
	if c, ok := run.Clause(f.Requirement); ok {
		line("clause", fmt.Sprintf("%s section %s: %s", c.Source, c.Section, c.Text))
	}
	line("input", show(f.Input, f.InputSize))
	if f.Relation == "" {
		line("right", owed(f))
	}
	line("given", given(f.Given, f.Actual))
	if f.PartnerOp != "" {
		line("but", show(f.Partner, len(f.Partner)))
		line("gives", given(f.PartnerGiven, f.PartnerActual))
	} else if f.Partner != nil {
		line("same as", show(f.Partner, len(f.Partner)))
	}
	if f.Given != result.OK {
		line("message", quoted(f.Message))
	}
	if f.Given == result.Crashed {
		line("stack", quoted(f.Stderr))
	}
	line("seen", seen(f))
	return b.String()
}

func owed(f *result.Finding) string {
	refuse := "refuse"
	if len(f.Reasons) > 0 {
		refuse += " (" + strings.Join(f.Reasons, " or ") + ")"
	}
	if f.Fault != nil {
		refuse += fmt.Sprintf(" at offset %d", f.Fault.Offset)
	}
	switch f.Verdict {
	case "reject":
		return refuse
	case "either":
		return show(f.Expected, len(f.Expected)) + " or " + refuse
	case "accept":
		return show(f.Expected, len(f.Expected))
	}
	return ""
}

func given(kind result.AnswerKind, out []byte) string {
	switch kind {
	case result.OK:
		return show(out, len(out))
	case result.Rejected:
		return "refused"
	case result.Crashed:
		return "a panic"
	case result.Hung:
		return "no answer"
	}
	return string(kind)
}

const mostShown = 200

// show writes bytes as a Go string, so that they can be copied into a test.
func show(b []byte, size int) string {
	b = b[:min(len(b), mostShown)]
	text := strconv.QuoteToASCII(string(b))
	if size > len(b) {
		text += fmt.Sprintf(" and %d bytes more", size-len(b))
	}
	return text
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	const most = 1000
	return strconv.QuoteToASCII(text[:min(len(text), most)])
}

func seen(f *result.Finding) string {
	parts := []string{fmt.Sprintf("in %d inputs", f.Count)}
	if n := len(f.Vectors); n > 0 {
		parts = append(parts, "vectors "+strings.Join(f.Vectors[:min(n, 3)], ", "))
	}
	if len(f.Cases) > 0 {
		parts = append(parts, fmt.Sprintf("case %d", f.Cases[0]))
	}
	return strings.Join(parts, "; ")
}
