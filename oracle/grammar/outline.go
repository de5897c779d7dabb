package grammar

import "bytes"

// A TokenKind says what a piece of a text looks like.
type TokenKind uint8

// The kinds of token. A text need not be JSON: what is no other token is a Word.
const (
	Blank  TokenKind = iota // a run of white space
	Mark                    // one of { } [ ] , :
	Quoted                  // a string with its quotes, or to the end of the text
	Word                    // anything else: numbers, literals, faults
)

// A Token is a piece of a text.
type Token struct {
	Kind     TokenKind
	From, To int
}

const fourBlanks = " \n\t\r"

// Tokens cuts any bytes into tokens, without a gap. Time and memory are linear.
func Tokens(dst []Token, src []byte) []Token {
	for rest := src; len(rest) > 0; {
		kind, n := tokenOf(rest)
		from := len(src) - len(rest)
		dst = append(dst, Token{kind, from, from + n})
		rest = rest[n:]
	}
	return dst
}

// tokenOf gives the kind and the length of the token that a text begins with.
func tokenOf(text []byte) (TokenKind, int) {
	switch text[0] {
	case ' ', '\n', '\t', '\r':
		return Blank, len(text) - len(bytes.TrimLeft(text, fourBlanks))
	case '{', '}', '[', ']', ',', ':':
		return Mark, 1
	case '"':
		return Quoted, quotedLength(text)
	}
	n := bytes.IndexAny(text, fourBlanks+"{}[],:\"")
	if n == -1 {
		n = len(text)
	}
	return Word, n
}

func quotedLength(text []byte) int {
	escaped := false
	for i, c := range text[1:] {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return i + 2
		}
	}
	return len(text)
}

// A Part is a value of a text: its place and its items.
type Part struct {
	// Open is { or [ for a container, 0 for anything else.
	Open     byte
	From, To int // the value
	Parent   int // index of the container; -1 at the top
	// The item that the value stands in, from its name if it has one, without
	// the commas around it.
	ItemFrom, ItemTo int
	// NameFrom and NameTo are the name's quotes included; equal if it has none.
	NameFrom, NameTo int
	// Items are the indexes of a container's values in order.
	Items []int
}

// Outline finds the values of any bytes, as well as it can: a container that is
// not closed reaches to the end, what stands where no value should is passed
// over. Parents come before their children; there may be several at the top.
func Outline(src []byte) []Part {
	var parts []Part
	var top Part
	open, name := -1, Token{}
	for _, t := range Tokens(nil, src) {
		switch {
		case t.Kind == Blank:
		case t.Kind == Mark && (src[t.From] == '{' || src[t.From] == '['):
			parts = addPart(parts, &top, open, name, t, src[t.From])
			open = len(parts) - 1
			name = Token{}
		case t.Kind == Mark && (src[t.From] == '}' || src[t.From] == ']'):
			if open >= 0 {
				parts[open].To, parts[open].ItemTo = t.To, t.To
				open = parts[open].Parent
			}
			name = Token{}
		case t.Kind == Mark && src[t.From] == ',':
			name = Token{}
		case t.Kind == Mark: // a colon: what came last was a name
			name = takeName(&parts, &top, open)
		default:
			parts = addPart(parts, &top, open, name, t, 0)
			name = Token{}
		}
	}
	for ; open >= 0; open = parts[open].Parent {
		parts[open].To, parts[open].ItemTo = len(src), len(src)
	}
	return parts
}

func addPart(parts []Part, top *Part, parent int, name, t Token, opening byte) []Part {
	p := Part{Open: opening, From: t.From, To: t.To, Parent: parent, ItemFrom: t.From, ItemTo: t.To}
	if name.To > name.From {
		p.ItemFrom, p.NameFrom, p.NameTo = name.From, name.From, name.To
	}
	owner := top
	if parent >= 0 {
		owner = &parts[parent]
	}
	owner.Items = append(owner.Items, len(parts))
	return append(parts, p)
}

// takeName makes a name of the value before a colon, if it is the last part.
func takeName(parts *[]Part, top *Part, open int) Token {
	owner := top
	if open >= 0 {
		owner = &(*parts)[open]
	}
	last := len(*parts) - 1
	if len(owner.Items) == 0 || owner.Items[len(owner.Items)-1] != last || (*parts)[last].Open != 0 {
		return Token{}
	}
	p := (*parts)[last]
	owner.Items = owner.Items[:len(owner.Items)-1]
	*parts = (*parts)[:last]
	return Token{From: p.From, To: p.To}
}
