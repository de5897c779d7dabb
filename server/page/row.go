package page

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/reports"
)

// A view is a byte view whose rows are written here: cell by cell the template
// takes several times as long as everything else that the page needs.
type view struct{ reports.View }

// row writes a cell for each character; marks says whether the marked one is.
func (v view) row(marks bool, read func(reports.Cell) string) template.HTML {
	var b strings.Builder
	for _, c := range v.Cells {
		if marks && c.Mark {
			b.WriteString(`<td class="m">`)
		} else {
			b.WriteString("<td>")
		}
		template.HTMLEscape(&b, []byte(read(c)))
		b.WriteString("</td>")
	}
	return template.HTML(b.String())
}

// Offsets, and the four readings.
func (v view) Offsets() template.HTML {
	return v.row(false, func(c reports.Cell) string { return strconv.Itoa(c.Offset) })
}
func (v view) Bytes() template.HTML {
	return v.row(true, func(c reports.Cell) string { return c.Hex })
}
func (v view) Characters() template.HTML {
	return v.row(true, func(c reports.Cell) string { return c.Text })
}
func (v view) CodePoints() template.HTML {
	return v.row(false, func(c reports.Cell) string { return string(c.CodePoint) })
}
func (v view) UTF16() template.HTML {
	return v.row(false, func(c reports.Cell) string { return c.Units })
}
