package reject

import (
	"bytes"
	"strconv"
	"strings"
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

// level is a container that is open at the offset.
type level struct {
	array bool
	index int    // of the element being read; -1 between elements
	name  []byte // of the member being read; nil between members
}

// locate reads src[:offset]. With whole set, a name that begins at the offset
// counts as read, which is where a duplicate stands.
func locate(src []byte, offset int, whole, names bool) Place {
	if offset > len(src) {
		offset = len(src)
	}
	if offset < 0 {
		offset = 0
	}
	head := src[:offset]
	place := Place{
		Line:   1 + bytes.Count(head, []byte{'\n'}),
		Column: offset - bytes.LastIndexByte(head, '\n'),
	}
	var open []level
	next := 0 // the index that the next element of the innermost array has
	var nexts []int
	for i := 0; i < len(head); {
		var top *level
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		switch c := head[i]; c {
		case '{', '[':
			nexts = append(nexts, next)
			next = 0
			open = append(open, level{array: c == '[', index: -1})
			if c == '[' {
				open[len(open)-1].index = 0
			}
			i++
		case '}', ']':
			if top != nil {
				next, nexts = nexts[len(nexts)-1], nexts[:len(nexts)-1]
				open = open[:len(open)-1]
				closeValue(open)
			}
			i++
		case ',':
			if top != nil && top.array {
				next++
				top.index = next
			}
			i++
		case '"':
			end := stringEnd(head, i)
			if end < 0 {
				i = len(head) // inside a string: a name not yet read, or a value
				break
			}
			if top != nil && !top.array && top.name == nil {
				top.name = head[i:end]
			} else {
				closeValue(open)
			}
			i = end
		case ' ', '\t', '\n', '\r', ':':
			i++
		default:
			start := i
			i = scalarEnd(head, i)
			if i < len(head) || ended(head[start:], src[offset:]) {
				closeValue(open)
			}
		}
	}
	if whole && len(open) > 0 && !open[len(open)-1].array {
		if end := stringEnd(src, offset); end > 0 {
			open[len(open)-1].name = src[offset:end]
		}
	}
	place.Pointer = pointer(open, names)
	return place
}

// closeValue notes that the innermost container's value has ended.
func closeValue(open []level) {
	if len(open) == 0 {
		return
	}
	top := &open[len(open)-1]
	top.index, top.name = -1, nil
}

// stringEnd gives the offset behind the string that opens at i, or -1 if the
// text ends inside it.
func stringEnd(src []byte, i int) int {
	if i >= len(src) || src[i] != '"' {
		return -1
	}
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return -1
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

func scalarEnd(src []byte, i int) int {
	for i < len(src) && !strings.ContainsRune(" \t\n\r,:[]{}\"", rune(src[i])) {
		i++
	}
	return i
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(open []level, names bool) string {
	var b strings.Builder
	for _, l := range open {
		switch {
		case l.array && l.index >= 0:
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

// unescapeName reads a member name, quotes included, as well as it can: an
// escape that means nothing is kept as it stands.
func unescapeName(quoted []byte) string {
	s, b := string(quoted[1:len(quoted)-1]), strings.Builder{}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
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
	if 0xD800 <= u && u < 0xDC00 && len(s) >= 12 {
		if v, ok := hexUnit(s[6:]); ok && 0xDC00 <= v && v < 0xE000 {
			return string(rune(0x10000 + (u-0xD800)<<10 + v - 0xDC00)), 12
		}
	}
	return string(rune(u)), 6
}

func hexUnit(s string) (uint32, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(s[2:6], 16, 16)
	return uint32(u), err == nil
}
