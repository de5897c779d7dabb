package reject

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// A Place is where an offset stands in a text.
type Place struct {
	Line, Column int    // from 1; columns count bytes
	Pointer      string // JSON Pointer, names as "*"
}

// Locate finds line, column and pointer of an offset.
//
// A line ends after a line feed. The pointer is that of the value being read at
// the offset: after a comma or an opening bracket of an array, the element to
// come; from the end of a member name to the end of its value, that member;
// anywhere else between values and inside a member name, the container. The
// top level is the empty pointer.
//
// The text before the offset need not be valid; what cannot be understood is
// passed over. Locate never panics, and offset may lie beyond the text.
func Locate(src []byte, offset int) Place { return locate(src, offset, false, false) }

// level is a container that is open at the offset. The top level is one too: an
// array that the pointer leaves out.
type level struct {
	array  bool
	index  int    // of an array's element
	inside bool   // an array's element is being read
	name   []byte // of the member being read; nil between members
}

// locate reads src[:offset]. With whole set, a name that begins at the offset
// counts as read, which is where a duplicate stands.
func locate(src []byte, offset int, whole, names bool) Place {
	offset = max(0, min(offset, len(src)))
	head := src[:offset]
	place := Place{
		Line:   1 + bytes.Count(head, []byte{'\n'}),
		Column: offset - bytes.LastIndexByte(head, '\n'),
	}
	open := []level{{array: true}}
	for i := 0; i < len(head); {
		top := &open[len(open)-1]
		end := i + 1
		switch c := head[i]; c {
		case '{', '[':
			open = append(open, level{array: c == '[', inside: c == '['})
		case '}', ']':
			if len(open) > 1 {
				open = open[:len(open)-1]
				closeValue(open)
			}
		case ',':
			if top.array {
				top.index++
				top.inside = true
			}
		case '"':
			end = stringEnd(head, i)
			switch {
			case end > len(head): // inside a string: a name not yet read, or a value
			case !top.array && top.name == nil:
				top.name = head[i:end]
			default:
				closeValue(open)
			}
		case ' ', '\t', '\n', '\r', ':':
		default:
			end = len(head) - len(bytes.TrimLeftFunc(head[i:], isScalar))
			if end < len(head) || ended(head[i:], src[offset:]) {
				closeValue(open)
			}
		}
		i = end
	}
	if top := &open[len(open)-1]; whole && !top.array && bytes.HasPrefix(src[offset:], []byte{'"'}) {
		if end := stringEnd(src, offset); end <= len(src) {
			top.name = src[offset:end]
		}
	}
	place.Pointer = pointer(open[1:], names)
	return place
}

// closeValue notes that the innermost container's value has ended.
func closeValue(open []level) {
	top := &open[len(open)-1]
	top.inside, top.name = false, nil
}

// stringEnd gives the offset behind the string that opens at i; beyond the text
// if that ends inside it.
func stringEnd(src []byte, i int) int {
	escaped := false
	for j, c := range src[i+1:] {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return i + j + 2
		}
	}
	return math.MaxInt
}

// ended reports whether a literal or number is whole and cannot go on with
// what follows it.
func ended(scalar, rest []byte) bool {
	switch string(scalar) {
	case "true", "false", "null":
		return true
	}
	digit := scalar[len(scalar)-1]
	return '0' <= digit && digit <= '9' && (len(rest) == 0 || strings.IndexByte("0123456789.eE+-", rest[0]) < 0)
}

// isScalar reports whether a character is neither blank nor punctuation.
func isScalar(r rune) bool { return !strings.ContainsRune(" \t\n\r,:[]{}\"", r) }

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(open []level, names bool) string {
	var b strings.Builder
	for _, l := range open {
		switch {
		case l.array && l.inside:
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(l.index))
		case !l.array && l.name != nil && names:
			b.WriteByte('/')
			pointerEscape.WriteString(&b, unescapeName(l.name))
		case !l.array && l.name != nil:
			b.WriteString("/*")
		}
	}
	return b.String()
}

// unescapeName reads a whole member name, quotes included, as well as it can: an
// escape that means nothing is kept as it stands.
func unescapeName(quoted []byte) string {
	s, b := string(quoted[1:len(quoted)-1]), strings.Builder{}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		r, width := unescape(s[i:])
		b.WriteString(r)
		s = s[i+width:]
	}
}

func unescape(s string) (text string, width int) {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if k := strings.IndexByte(from, s[1]); k >= 0 {
		return to[k : k+1], 2
	}
	u, ok := hexUnit(s)
	if !ok {
		return s[:2], 2
	}
	if v, ok := hexUnit(s[6:]); ok {
		if r := utf16.DecodeRune(u, v); r != unicode.ReplacementChar {
			return string(r), 12
		}
	}
	return string(u), 6
}

func hexUnit(s string) (rune, bool) {
	digits, ok := strings.CutPrefix(s, `\u`)
	if !ok || len(digits) < 4 {
		return 0, false
	}
	u, err := strconv.ParseUint(digits[:4], 16, 16)
	return rune(u), err == nil
}
