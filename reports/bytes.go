package reports

import (
	"encoding/hex"
	"fmt"
	"html/template"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Cell is one character of a byte view, or one byte that is not UTF-8.
type Cell struct {
	Offset    int
	Hex       string        // its bytes
	Text      string        // escaped, printable
	Units     string        // UTF-16 code units, d83d de00; empty for a faulty byte
	Mark      bool          // the first difference stands in it
	CodePoint template.HTML // U+1F600, which is safe as it stands; empty for a faulty byte
}

// A View shows bytes in four readings, around the first difference of a long
// text.
type View struct {
	Label  string
	Before int // bytes left out before the first cell
	After  int // bytes left out behind the last cell
	Cells  []Cell
	// End is set if the first difference is the end of the bytes.
	End bool
}

// viewCells is how many characters a view shows.
const viewCells = 32

// byteView cuts bytes into characters. mark is the offset of the first
// difference, -1 for none.
func byteView(label string, b []byte, mark int) View {
	v := View{Label: label, End: mark == len(b) && mark >= 0}
	start := 0
	if mark > viewCells/2 {
		start = characterStart(b, mark-viewCells/2)
	}
	v.Before = start
	for i := start; i < len(b); {
		if len(v.Cells) == viewCells {
			v.After = len(b) - i
			break
		}
		c, width := cell(b, i)
		c.Mark = i <= mark && mark < i+width
		v.Cells = append(v.Cells, c)
		i += width
	}
	return v
}

// characterStart moves an offset back to the start of its character.
func characterStart(b []byte, i int) int {
	i = min(i, len(b))
	for back := 0; back < utf8.UTFMax-1 && i > 0 && i < len(b) && !utf8.RuneStart(b[i]); back++ {
		i--
	}
	return i
}

func cell(b []byte, i int) (Cell, int) {
	r, width := utf8.DecodeRune(b[i:])
	c := Cell{Offset: i, Hex: spaced(b[i : i+width]), Text: Escape(b[i:i+width], -1)}
	if r == utf8.RuneError && width == 1 {
		return c, width
	}
	c.CodePoint = template.HTML(fmt.Sprintf("U+%04X", r))
	var units []string
	for _, u := range utf16.AppendRune(nil, r) {
		units = append(units, fmt.Sprintf("%04x", u))
	}
	c.Units = strings.Join(units, " ")
	return c, width
}

func spaced(b []byte) string {
	parts := make([]string, len(b))
	for i := range b {
		parts[i] = hex.EncodeToString(b[i : i+1])
	}
	return strings.Join(parts, " ")
}

// A viewTable shows views below each other whose columns belong together, up to
// their first difference at least.
type viewTable struct {
	Label string
	Views []View
	// ASCII is set if every character is: its byte, code point and code unit
	// are one number then.
	ASCII bool
}

func newViewTable(views ...View) viewTable {
	t := viewTable{Views: views, ASCII: true}
	var labels []string
	for _, v := range views {
		labels = append(labels, v.Label)
		for _, c := range v.Cells {
			t.ASCII = t.ASCII && len(c.Hex) == 2 && c.CodePoint != "" && c.Hex < "80"
		}
	}
	t.Label = strings.Join(labels, " and ")
	return t
}

// viewTables shows a finding's bytes: the questions, then the answers.
func viewTables(f *result.Finding) []viewTable {
	var questions, answers []View
	if second := f.PartnerOp != "" || f.Relation == "" && f.Partner != nil; second {
		differ := result.FirstDifference(f.Input, f.Partner)
		questions = []View{byteView("input", f.Input, differ), byteView("other input", f.Partner, differ)}
	} else {
		questions = []View{byteView("input", f.Input, faultOffset(f))}
	}
	if f.Expected != nil {
		answers = append(answers, byteView("right", f.Expected, f.Differ))
	}
	if f.Given == result.OK {
		answers = append(answers, byteView("given", f.Actual, f.Differ))
	}
	if f.PartnerGiven == result.OK {
		answers = append(answers, byteView("given next", f.PartnerActual, f.Differ))
	}
	tables := []viewTable{newViewTable(questions...)}
	if len(answers) > 0 {
		tables = append(tables, newViewTable(answers...))
	}
	return tables
}

func faultOffset(f *result.Finding) int {
	if f.Fault == nil {
		return -1
	}
	return f.Fault.Offset
}
