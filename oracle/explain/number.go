package explain

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// MaxNumbers is how many of a document's numbers are looked at.
const MaxNumbers = 64

// maxNumberText is how many bytes of a number's text are kept.
const maxNumberText = 120

// A Number is a number of the document and the double that it becomes.
type Number struct {
	Offset int    `json:"offset"`
	Text   string `json:"text"`           // at most 120 bytes, then "…"
	Bits   string `json:"bits"`           // of the IEEE 754 double, 16 hexadecimal digits
	Form   string `json:"form,omitempty"` // its canonical form; none of what overflows
	Exact  bool   `json:"exact"`          // the canonical form denotes the same decimal value
}

// grammatical is a number by RFC 8259 section 6.
var grammatical = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// numbers finds the first numbers of any bytes, JSON or not.
func numbers(src []byte) []Number {
	var all []Number
	for _, t := range grammar.Tokens(nil, src) {
		if t.Kind != grammar.Word || !grammatical.Match(src[t.From:t.To]) {
			continue
		}
		if len(all) == MaxNumbers {
			return all
		}
		text := string(src[t.From:t.To])
		n := reference.ParseNumber(text)
		all = append(all, Number{
			Offset: t.From, Text: cut(text, maxNumberText), Bits: fmt.Sprintf("%016x", n.Bits), Form: n.Text, Exact: n.Exact,
		})
	}
	return all
}

// cut keeps the beginning of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
