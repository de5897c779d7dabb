package reject

import (
	"unicode"
	"unicode/utf8"
)

// A Spot is what the grammar of RFC 8259 expects where a syntax fault stands.
type Spot uint8

const (
	// SpotTop expects the text's value.
	SpotTop Spot = iota
	// SpotEnd stands behind the text's value: only white space may follow.
	SpotEnd
	// SpotElement expects an array's element, SpotArrayNext a comma or "]".
	SpotElement
	SpotArrayNext
	// SpotName expects a member name (or "}" in an empty object), SpotColon a
	// colon, SpotMember a member's value, SpotObjectNext a comma or "}".
	SpotName
	SpotColon
	SpotMember
	SpotObjectNext
	// SpotString is inside a string, SpotEscape inside an escape, SpotNumber
	// inside a number or directly behind one that cannot go on so, SpotLiteral
	// inside true, false or null.
	SpotString
	SpotEscape
	SpotNumber
	SpotLiteral
)

// SyntaxClause names the requirement that a syntax fault breaks, from what was
// expected and from the text at the fault (rest, empty at the end of the
// text). It only words a fault that its caller has found.
func SyntaxClause(spot Spot, rest []byte) string {
	switch spot {
	case SpotEscape:
		return "rfc8259/7/escape"
	case SpotNumber:
		return "rfc8259/6/number"
	case SpotLiteral:
		return "rfc8259/3/literals"
	case SpotString:
		if len(rest) > 0 {
			return "rfc8259/7/control-character"
		}
		return "rfc8259/7/string"
	}
	if len(rest) > 0 {
		if blank(rest) {
			return "rfc8259/2/white-space"
		}
		if spot == SpotTop || spot == SpotElement || spot == SpotMember {
			switch c := rest[0]; {
			case c == '\'':
				return "rfc8259/7/string"
			case c == '+' || c == '.':
				return "rfc8259/6/number"
			case 'a' <= c|0x20 && c|0x20 <= 'z':
				return "rfc8259/3/literals"
			}
		}
	}
	switch spot {
	case SpotElement, SpotArrayNext:
		return "rfc8259/5/array"
	case SpotName, SpotColon, SpotMember, SpotObjectNext:
		return "rfc8259/4/object"
	case SpotEnd:
		return "rfc8259/2/trailing-data"
	}
	return "rfc8259/2/one-value"
}

// blank reports whether the text begins with a comment, or with a character
// that other languages take for white space, a byte order mark among them.
func blank(rest []byte) bool {
	if rest[0] == '/' || rest[0] == '#' {
		return true
	}
	r, _ := utf8.DecodeRune(rest)
	return r < 0x20 || r == 0xFEFF || r == 0x200B || unicode.IsSpace(r)
}
