package wire

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrLineTooLong is what reading a line gives that is longer than the limit.
var ErrLineTooLong = errors.New("wire: the line is longer than the limit")

// A SyntaxError says what is wrong with a line. Its text is printable ASCII
// of bounded length, whatever the line held.
type SyntaxError struct {
	Kind string // what the line should have been: "hello", "greeting", "request", "reply"
	What string // what is wrong
	At   int    // the byte of the line, from 0, at which it is wrong
	Line string // the line's beginning, quoted
}

// Error gives the text.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("wire: not a %s: %s at byte %d of %s", e.Kind, e.What, e.At, e.Line)
}

// quoted is the number of bytes of hostile text that are ever shown.
const quoted = 80

// Quote gives the beginning of text that is not to be trusted: in Go's
// quotation marks, in printable ASCII, at most 80 bytes of it, with the length
// of the whole if that is more.
func Quote(text []byte) string {
	if len(text) <= quoted {
		return strconv.QuoteToASCII(string(text))
	}
	return strconv.QuoteToASCII(string(text[:quoted])) + "... (" + strconv.Itoa(len(text)) + " bytes)"
}

// Printable gives text of an implementation's own, at most limit bytes of it,
// with everything but printable ASCII escaped as in a Go string.
func Printable(text []byte, limit int) string {
	cut := ""
	if len(text) > limit {
		text, cut = text[:limit], "..."
	}
	q := strconv.QuoteToASCII(string(text))
	return q[1:len(q)-1] + cut
}
