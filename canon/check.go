package canon

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// A checker reads a text once from left to right and finds the first fault. It
// is the slow pass: it runs when there is an error to word, or a rule that the
// fast path does not know.
type checker struct {
	rules
	src  []byte
	i    int
	open []frame
	// names are where the member names of all open objects begin.
	names []int
	// duplicate is the least offset of a duplicate name in the objects that
	// have been closed, len(src) if there is none.
	duplicate int
}

// A frame is a container that is open: where its names begin in
// checker.names, -1 for an array, and how many members or elements it has.
type frame struct{ names, count int }

// check finds the fault of src, which is no longer than it may be, with the least
// offset, nil if there is none that can be told without the output. It takes time n log n in the length of
// the text, and memory for eight bytes a member of the open objects.
func (r *rules) check(src []byte) *fault {
	c := checker{rules: *r, src: src, duplicate: len(src)}
	f := c.text()
	end := len(src)
	if f != nil {
		end = f.offset
	}
	for len(c.open) > 0 {
		c.pop()
	}
	if c.duplicate < end {
		return newFault(c.duplicate, reject.DuplicateName)
	}
	return f
}

// text finds the first fault that is not a duplicate name.
func (c *checker) text() *fault {
	if bytes.HasPrefix(c.src, []byte("\uFEFF")) {
		return newFault(0, reject.BOM)
	}
	more, f := c.value(reject.SpotTop)
	for f == nil {
		switch {
		case more && c.top().names >= 0:
			more, f = c.value(reject.SpotMember)
		case more:
			more, f = c.value(reject.SpotElement)
		case len(c.open) == 0:
			return c.end()
		default:
			more, f = c.next()
		}
	}
	return f
}

func (c *checker) top() *frame { return &c.open[len(c.open)-1] }

func (c *checker) fault(spot reject.Spot) *fault { return syntaxFault(c.src, c.i, spot) }

// space passes white space and gives the byte behind it, 0 at the end.
func (c *checker) space() byte {
	for c.i < len(c.src) {
		switch b := c.src[c.i]; b {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return b
		}
	}
	return 0
}

func (c *checker) end() *fault {
	if c.space(); c.i < len(c.src) {
		return c.fault(reject.SpotEnd)
	}
	return nil
}

// value reads a scalar, an empty container, or the beginning of another one;
// more says that a value must follow.
func (c *checker) value(spot reject.Spot) (more bool, f *fault) {
	b := c.space()
	if spot == reject.SpotElement {
		if top := c.top(); top.count == c.elements && startsValue(b) {
			return false, limitFault(c.i, "elements", c.elements)
		}
		c.top().count++
	}
	switch {
	case b == '{' || b == '[':
		return c.openValue(b)
	case b == '"':
		f = c.stringText()
	case b == '-' || isDigit(b):
		f = c.numberText()
	case b == 't':
		f = c.literal("true")
	case b == 'f':
		f = c.literal("false")
	case b == 'n':
		f = c.literal("null")
	default:
		f = c.fault(spot)
	}
	return false, f
}

func startsValue(b byte) bool {
	return bytes.IndexByte([]byte(`{["-tfn`), b) >= 0 || isDigit(b)
}

func (c *checker) openValue(b byte) (more bool, f *fault) {
	if len(c.open) >= c.depth {
		return false, limitFault(c.i, "depth", c.depth)
	}
	c.i++
	if b == '[' {
		c.open = append(c.open, frame{names: -1})
		if c.space() == ']' {
			c.i++
			c.pop()
			return false, nil
		}
		return true, nil
	}
	c.open = append(c.open, frame{names: len(c.names)})
	if c.space() == '}' {
		c.i++
		c.pop()
		return false, nil
	}
	return true, c.name()
}

// next reads what may stand behind a value in a container.
func (c *checker) next() (more bool, f *fault) {
	object := c.top().names >= 0
	switch b := c.space(); {
	case b == ',':
		c.i++
		if object {
			c.space()
			return true, c.name()
		}
		return true, nil
	case b == '}' && object, b == ']' && !object:
		c.i++
		c.pop()
		return false, nil
	case object:
		return false, c.fault(reject.SpotObjectNext)
	}
	return false, c.fault(reject.SpotArrayNext)
}

// name reads a member name and its colon.
func (c *checker) name() *fault {
	if c.i >= len(c.src) || c.src[c.i] != '"' {
		return c.fault(reject.SpotName)
	}
	top := c.top()
	if top.count == c.members {
		return limitFault(c.i, "members", c.members)
	}
	top.count++
	start := c.i
	if f := c.stringText(); f != nil {
		return f
	}
	c.names = append(c.names, start)
	if c.space() != ':' {
		return c.fault(reject.SpotColon)
	}
	c.i++
	return nil
}

// pop leaves the innermost container and notes its first duplicate name.
func (c *checker) pop() {
	if base := c.top().names; base >= 0 {
		c.duplicate = min(c.duplicate, firstDuplicate(c.src, c.names[base:]))
		c.names = c.names[:base]
	}
	c.open = c.open[:len(c.open)-1]
}

func (c *checker) literal(word string) *fault {
	for k := range len(word) {
		if c.i >= len(c.src) || c.src[c.i] != word[k] {
			return c.fault(reject.SpotLiteral)
		}
		c.i++
	}
	return nil
}

// stringText reads a string or a member name.
func (c *checker) stringText() (f *fault) {
	start, size := c.i, 0
	c.i++
	for {
		if c.i >= len(c.src) || c.src[c.i] < ' ' {
			return c.fault(reject.SpotString)
		}
		if c.src[c.i] == '"' {
			c.i++
			break
		}
		at, r := c.i, rune(0)
		if c.src[at] == '\\' {
			if r, f = c.escape(); f != nil {
				return f
			}
		} else {
			width := 0
			if r, width = utf8.DecodeRune(c.src[at:]); r == utf8.RuneError && width == 1 {
				return newFault(at, reject.InvalidUTF8)
			}
			c.i += width
		}
		if c.noncharacters && isNoncharacter(r) {
			return newFault(at, reject.Noncharacter)
		}
		size += utf8.RuneLen(r)
	}
	if size > c.stringBytes {
		return limitFault(start, "string", c.stringBytes)
	}
	return nil
}

// isNoncharacter knows the 66 of them (The Unicode Standard, section 23.7).
func isNoncharacter(r rune) bool {
	return 0xFDD0 <= r && r <= 0xFDEF || r&0xFFFE == 0xFFFE
}

// hasNoncharacter looks for one in a canonical text, which escapes none.
func hasNoncharacter(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:])&tops == 0 {
			i += 7
		} else if text[i] >= 0xEF {
			if r, _ := utf8.DecodeRune(text[i:]); isNoncharacter(r) {
				return true
			}
		}
	}
	return false
}

// escape reads an escape, or the two of a pair of surrogates.
func (c *checker) escape() (rune, *fault) {
	start := c.i
	u, f := c.unit()
	if f != nil || u < 0xD800 || u > 0xDFFF {
		return u, f
	}
	if u >= 0xDC00 || !c.lowAhead() {
		return 0, newFault(start, reject.LoneSurrogate)
	}
	if c.i == len(c.src) {
		return 0, c.fault(reject.SpotString)
	}
	v, f := c.unit()
	return 0x10000 + (u-0xD800)<<10 + v - 0xDC00, f
}

// lowAhead reports whether the escape of a low surrogate follows, as far as
// the text goes: one that ends too soon could still be completed.
func (c *checker) lowAhead() bool {
	const digits = "0123456789abcdefABCDEF"
	for k, allowed := range [...]string{`\`, "u", "dD", "cdefCDEF", digits, digits} {
		if c.i+k == len(c.src) {
			return true
		}
		if strings.IndexByte(allowed, c.src[c.i+k]) < 0 {
			return false
		}
	}
	return true
}

// unit reads one escape.
func (c *checker) unit() (rune, *fault) {
	c.i++
	if c.i >= len(c.src) {
		return 0, c.fault(reject.SpotEscape)
	}
	if k := bytes.IndexByte([]byte(`"\/bfnrt`), c.src[c.i]); k >= 0 {
		c.i++
		return rune("\"\\/\b\f\n\r\t"[k]), nil
	}
	if c.src[c.i] != 'u' {
		return 0, c.fault(reject.SpotEscape)
	}
	c.i++
	u := rune(0)
	for range 4 {
		if c.i >= len(c.src) || hexValue(c.src[c.i]) < 0 {
			return 0, c.fault(reject.SpotEscape)
		}
		u = u<<4 | rune(hexValue(c.src[c.i]))
		c.i++
	}
	return u, nil
}

func hexValue(b byte) int {
	switch {
	case isDigit(b):
		return int(b - '0')
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return int(b|0x20-'a') + 10
	}
	return -1
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// numberText reads a number and judges its value.
func (c *checker) numberText() *fault {
	start := c.i
	digits := 0
	run := func() bool {
		from := c.i
		for c.i < len(c.src) && isDigit(c.src[c.i]) {
			c.i++
		}
		digits += c.i - from
		return c.i > from
	}
	if c.src[c.i] == '-' {
		c.i++
	}
	if c.i < len(c.src) && c.src[c.i] == '0' {
		c.i++
		digits++
	} else if !run() {
		return c.fault(reject.SpotNumber)
	}
	if c.i < len(c.src) && c.src[c.i] == '.' {
		if c.i++; !run() {
			return c.fault(reject.SpotNumber)
		}
	}
	if c.i < len(c.src) && c.src[c.i]|0x20 == 'e' {
		c.i++
		if c.i < len(c.src) && (c.src[c.i] == '+' || c.src[c.i] == '-') {
			c.i++
		}
		if !run() {
			return c.fault(reject.SpotNumber)
		}
	}
	if c.i < len(c.src) && strings.IndexByte("0123456789.eE+-", c.src[c.i]) >= 0 {
		return c.fault(reject.SpotNumber)
	}
	if digits > c.digits {
		return limitFault(start, "digits", c.digits)
	}
	if reason := c.judgeNumber(c.src[start:c.i]); reason != reject.None {
		return newFault(start, reason)
	}
	return nil
}
