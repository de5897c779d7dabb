package check

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A tokenKind says what a piece of an output seems to be.
type tokenKind uint8

const (
	space tokenKind = iota
	punctuation
	word // a number, a literal or anything else without quotes
	text // a string
)

// A token is a piece of an output. Outputs under test may be anything, so that
// the pieces are found leniently: nothing is refused, and together they are the
// whole output.
type token struct {
	kind  tokenKind
	start int
	bytes []byte
	name  bool // a string in the place of a member name
	open  int  // index of the token that opens the innermost container, -1 at the top
}

// tokens cuts an output into pieces.
func tokens(out []byte) []token {
	var all []token
	var stack []int
	naming := false // a string here is a member name
	for i := 0; i < len(out); {
		t := token{start: i, open: -1}
		if len(stack) > 0 {
			t.open = stack[len(stack)-1]
		}
		end := i + 1
		switch c := out[i]; {
		case c == '"':
			t.kind, t.name, end = text, naming, stringEnd(out, i)
			naming = false
		case strings.IndexByte("{}[]:,", c) >= 0:
			t.kind = punctuation
			switch c {
			case '{', '[':
				stack = append(stack, len(all))
				naming = c == '{'
			case '}', ']':
				stack = stack[:max(len(stack)-1, 0)]
				naming = false
			case ',':
				naming = t.open >= 0 && all[t.open].bytes[0] == '{'
			}
		case isBlank(c):
			t.kind = space
			for end < len(out) && isBlank(out[end]) {
				end++
			}
		default:
			t.kind = word
			for end < len(out) && !isBlank(out[end]) && strings.IndexByte("{}[]:,\"", out[end]) < 0 {
				end++
			}
		}
		t.bytes = out[i:end]
		all = append(all, t)
		i = end
	}
	return all
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// stringEnd gives the offset behind the string that opens at i, or the end of
// the output if it is never closed.
func stringEnd(out []byte, i int) int {
	escaped := false
	for n, c := range out[i+1:] {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return i + 1 + n + 1
		}
	}
	return len(out)
}

// decode reads a quoted string leniently into UTF-16 code units: what is no
// escape stands for itself, and each faulty byte of UTF-8 is a unit of its own
// that no character has.
func decode(quoted []byte) []uint16 {
	s := bytes.TrimSuffix(bytes.TrimPrefix(quoted, []byte{'"'}), []byte{'"'})
	units := make([]uint16, 0, len(s))
	for len(s) > 0 {
		if s[0] == '\\' && len(s) > 1 {
			if u, rest, ok := decodeEscape(s); ok {
				units, s = append(units, u), rest
				continue
			}
		}
		r, width := utf8.DecodeRune(s)
		if r == utf8.RuneError && width <= 1 {
			units = append(units, 0xDC00|uint16(s[0]))
			s = s[1:]
			continue
		}
		units, s = utf16.AppendRune(units, r), s[width:]
	}
	return units
}

// decodeEscape reads the escape at the start of s, unless it means nothing.
func decodeEscape(s []byte) (unit uint16, rest []byte, ok bool) {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if k := strings.IndexByte(from, s[1]); k >= 0 {
		return uint16(to[k]), s[2:], true
	}
	if s[1] == 'u' && len(s) >= 6 {
		if u, err := strconv.ParseUint(string(s[2:6]), 16, 16); err == nil {
			return uint16(u), s[6:], true
		}
	}
	return 0, nil, false
}
