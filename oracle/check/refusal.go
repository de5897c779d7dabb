package check

import (
	"bytes"
	"strings"
)

// traits are features of a refused document that keep causes apart until each
// has been minimized.
type traits uint8

const (
	scalarRoot traits = 1 << iota
	fraction          // a number with a point or an exponent
	longNumber        // a number of more than 15 bytes
	escapes
	nonASCII
	emptyName
	deep
)

func traitsOf(input []byte) traits {
	var t traits
	depth := 0
	trimmed := bytes.TrimLeft(input, " \t\r\n\ufeff")
	if len(trimmed) > 0 && trimmed[0] != '{' && trimmed[0] != '[' {
		t = scalarRoot
	}
	for _, token := range tokens(input) {
		switch token.kind {
		case word:
			if isNumber(string(token.bytes)) && bytes.ContainsAny(token.bytes, ".eE") {
				t |= fraction
			}
			if len(token.bytes) > 15 {
				t |= longNumber
			}
		case text:
			if bytes.ContainsRune(token.bytes, '\\') {
				t |= escapes
			}
			if bytes.ContainsFunc(token.bytes, func(r rune) bool { return r > 0x7E }) {
				t |= nonASCII
			}
			if token.name && len(token.bytes) == 2 {
				t |= emptyName
			}
		case punctuation:
			switch token.bytes[0] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if depth > 32 {
				t |= deep
			}
		}
	}
	return t
}

// sortOfMessage strips from a message what changes with the input: digits,
// quoted parts, anything but letters. It is bounded, and never shown.
func sortOfMessage(message string) string {
	quoted := false
	letters := strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '"' || r == '`':
			quoted = !quoted
		case !quoted && ('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == ' '):
			return r
		}
		return -1
	}, clip(message, keptMessage))
	return letters[:min(len(letters), 60)]
}

// refusalClause finds out why a right document is refused, by changing one
// piece of it at a time until it is accepted. accepted asks the implementation.
func refusalClause(input []byte, accepted func([]byte) bool) Departure {
	if traitsOf(input)&scalarRoot != 0 && accepted(bytes.Join([][]byte{[]byte("["), input, []byte("]")}, nil)) {
		return Departure{"rfc8259/2/one-value", "a JSON text that is neither object nor array is refused"}
	}
	const most = 500 // questions; whatever is minimized has fewer pieces
	all := tokens(input)
	for _, t := range all[:min(len(all), most)] {
		instead, cause := neutral(t)
		if instead == "" && t.kind != space {
			continue
		}
		changed := append(append(bytes.Clone(input[:t.start]), instead...), input[t.start+len(t.bytes):]...)
		if !bytes.Equal(changed, input) && accepted(changed) {
			return cause
		}
	}
	switch {
	case bytes.HasPrefix(input, []byte{'['}):
		return Departure{"rfc8259/5/array", "an array is refused"}
	case bytes.HasPrefix(input, []byte{'{'}):
		return Departure{"rfc8259/4/object", "an object is refused"}
	}
	return Departure{"rfc8259/2/one-value", "a JSON text is refused"}
}

// neutral gives a plain piece to put in a piece's place, and what is to blame
// if that helps.
func neutral(t token) (instead string, blame Departure) {
	switch {
	case t.kind == space:
		return "", Departure{"rfc8259/2/white-space", "white space is refused"}
	case t.kind == word && isNumber(string(t.bytes)):
		return "7", Departure{"rfc8259/6/number", "a number is refused"}
	case t.kind == word:
		return "7", Departure{"rfc8259/3/literals", "a literal is refused"}
	case t.kind == text:
		blame = Departure{"rfc8259/7/string", "a string is refused"}
		switch {
		case t.name && len(t.bytes) == 2:
			blame = Departure{"rfc8259/4/object", "an empty member name is refused"}
		case bytes.ContainsRune(t.bytes, '\\'):
			blame = Departure{"rfc8259/7/escape", "an escape is refused"}
		case bytes.ContainsFunc(t.bytes, func(r rune) bool { return r > 0x7E }):
			blame = Departure{"rfc8259/8.1/utf-8", "a character of UTF-8 is refused"}
		case t.name:
			blame = Departure{"rfc8259/4/object", "a member name is refused"}
		}
		return `"k"`, blame
	}
	return "", Departure{}
}

// twins gives plain documents as large as a refused one: as many bytes, as
// many elements, as many members. Whoever refuses one of them has a limit.
func twins(input []byte) [][]byte {
	const small = 4096
	if len(input) < small {
		return nil
	}
	commas := bytes.Count(input, []byte{','})
	long := append(append([]byte(`["`), bytes.Repeat([]byte{'a'}, len(input))...), `"]`...)
	wide := append(append([]byte(`[`), bytes.Repeat([]byte(`0,`), commas)...), `0]`...)
	return [][]byte{long, wide}
}
