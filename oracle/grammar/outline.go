package grammar

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

// Tokens cuts any bytes into tokens, without a gap. Time and memory are linear.
func Tokens(dst []Token, src []byte) []Token {
	for i := 0; i < len(src); {
		t := Token{From: i}
		switch c := src[i]; {
		case isBlank(c):
			t.Kind, i = Blank, run(src, i, isBlank)
		case isMark(c):
			t.Kind, i = Mark, i+1
		case c == '"':
			t.Kind, i = Quoted, quotedEnd(src, i)
		default:
			t.Kind, i = Word, run(src, i, func(c byte) bool { return !isBlank(c) && !isMark(c) && c != '"' })
		}
		t.To = i
		dst = append(dst, t)
	}
	return dst
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isMark(c byte) bool {
	return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':'
}

func run(src []byte, i int, in func(byte) bool) int {
	for i < len(src) && in(src[i]) {
		i++
	}
	return i
}

func quotedEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
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
	top := Part{Parent: -1}
	open, name := -1, Token{}
	for _, t := range Tokens(nil, src) {
		switch {
		case t.Kind == Blank:
			continue
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
