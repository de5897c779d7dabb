package reports

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// shown is how many bytes of an input or output a line of text shows.
const shown = 160

// A detail is one labelled line about a finding; its text is escaped.
type detail struct{ label, text string }

// details gives what a reader needs to agree: input, what was right, what was
// given, and the partner of a collision.
func details(f *result.Finding) []detail {
	switch {
	case f.Relation != "":
		return relationDetails(f)
	case f.Ladder != "":
		return ladderDetails(f)
	}
	all := []detail{{"input", plain(f.Input, f.InputSize)}, {"", hexLine(f.Input, -1)}}
	all = append(all, detail{"right", rightAnswer(f)})
	if f.Expected != nil {
		all = append(all, detail{"", hexLine(f.Expected, f.Differ)})
	}
	all = append(all, detail{"given", givenAnswer(f)})
	if f.Given == result.OK {
		all = append(all, detail{"", hexLine(f.Actual, f.Differ)})
	}
	if f.Differ >= 0 {
		all = append(all, detail{"differ", fmt.Sprintf("first at byte %d", f.Differ)})
	}
	if f.Message != "" && f.Given != result.OK {
		all = append(all, detail{"message", Escape(f.Message, 300)})
	}
	if f.Stderr != "" {
		all = append(all, detail{"stderr", Escape(lastPart(f.Stderr, 300), 300)})
	}
	if f.Partner != nil {
		all = append(all, detail{"same as", plain(f.Partner, len(f.Partner)) + partnerNote(f)}, detail{"", hexLine(f.Partner, -1)})
	}
	return all
}

func partnerNote(f *result.Finding) string {
	if f.Verdict == "reject" || f.PartnerVerdict == "reject" {
		return "   both accepted with equal bytes, one must be refused"
	}
	return "   both accepted with equal bytes, their canonical forms differ"
}

// lastPart keeps the end of a text, where programs say why they died.
func lastPart(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}

// plain shows bytes as text.
func plain(b []byte, size int) string { return within(b, size, shown) }

// within shows bytes as text, of long ones about so many.
func within(b []byte, size, most int) string {
	if size == 0 {
		return "(nothing)"
	}
	s := Escape(b, most)
	if len(b) > most {
		s = squeeze(b, most)
	}
	if size > len(b) {
		s += fmt.Sprintf(" (of %s)", counted(size, "byte"))
	}
	return s
}

// hexLine shows bytes as hex, the one at mark in brackets; far into a long
// text only the surroundings of the mark are shown.
func hexLine(b []byte, mark int) string {
	const most, before = 32, 12
	if len(b) == 0 {
		if mark == 0 {
			return "[]"
		}
		return "-"
	}
	start, end := 0, min(len(b), most)
	if mark > most-before {
		start = max(0, min(mark-before, len(b)-most))
		end = min(len(b), start+most)
	}
	var s strings.Builder
	if start > 0 {
		fmt.Fprintf(&s, "…%d… ", start)
	}
	for i := start; i < end; i++ {
		digits := hex.EncodeToString(b[i : i+1])
		if i == mark {
			digits = "[" + digits + "]"
		}
		s.WriteString(digits)
	}
	if end < len(b) {
		fmt.Fprintf(&s, " …%d more", len(b)-end)
	} else if mark == len(b) {
		s.WriteString("[]")
	}
	return s.String()
}

// rightAnswer says what was owed.
func rightAnswer(f *result.Finding) string {
	refuse := "refuse"
	if len(f.Reasons) > 0 {
		refuse += " (" + Escape(strings.Join(f.Reasons, " or "), 200) + ")"
	}
	if f.Fault != nil {
		refuse += fmt.Sprintf(" at offset %d, line %d, column %d", f.Fault.Offset, f.Fault.Line, f.Fault.Column)
		if f.Fault.Pointer != "" && !strings.Contains(f.Fault.Pointer, "*") { // which hides a name that stands in the input
			refuse += ", in " + Escape(f.Fault.Pointer, 80)
		}
	}
	switch f.Verdict {
	case "reject":
		return refuse
	case "either":
		return plain(f.Expected, len(f.Expected)) + "   or " + refuse
	}
	return plain(f.Expected, len(f.Expected))
}

// givenAnswer says what came instead.
func givenAnswer(f *result.Finding) string {
	switch f.Given {
	case result.OK:
		return plain(f.Actual, len(f.Actual))
	case result.Rejected:
		if f.ReasonGiven != "" && f.ReasonGiven != "-" {
			return "refused: " + Escape(f.ReasonGiven, 80)
		}
		return "refused"
	case result.Crashed:
		return "it died"
	case result.Hung:
		return "no answer within the limit"
	case result.ProtocolError:
		return "no answer by the protocol"
	}
	return Escape(string(f.Given), 40)
}

// seenIn says where a finding was seen.
func seenIn(f *result.Finding) string {
	var parts []string
	if n := len(f.Vectors); n > 0 {
		ids := f.Vectors
		if n > 3 {
			ids = ids[:3]
		}
		list := strings.Join(ids, ", ")
		if n > 3 {
			list += ", …"
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", counted(n, "vector"), list))
	}
	if n := f.Count - len(f.Vectors); n > 0 {
		noun := "input"
		if len(parts) > 0 {
			noun = "other input"
		}
		parts = append(parts, counted(n, noun))
	}
	return strings.Join(parts, " and ")
}

// execNote is a sentence for reports on programs asked in exec mode; empty if
// there is none.
func execNote(run *result.Run) string {
	for _, s := range run.Header.Subjects {
		if score := run.Score(s.Name); s.Mode == result.ModeExec && (score == nil || score.NoStart == "") {
			return "Exec mode cannot tell a refusal from an uncaught exception that ends with the same exit status; the line protocol (--wire) can."
		}
	}
	return ""
}
