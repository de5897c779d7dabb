package reports

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Cell is one character of a byte view, or one byte that is not UTF-8.
type Cell struct {
	Offset    int
	Hex       string // its bytes
	Text      string // escaped, printable
	CodePoint string // U+1F600; empty for a faulty byte
	Units     string // UTF-16 code units, d83d de00; empty for a faulty byte
	Mark      bool   // the first difference stands in it
}

// A View shows bytes side by side in four readings, around the first
// difference of a long text.
type View struct {
	Label  string
	Before int // bytes left out before the first cell
	After  int // bytes left out behind the last cell
	Cells  []Cell
	// End is set if the first difference is the end of the bytes.
	End bool
}

// viewCells is how many characters a view shows.
const viewCells = 48

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
	c.CodePoint = fmt.Sprintf("U+%04X", r)
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
