package grammar

import "unicode/utf8"

// Strings: how long, and of what.

var lengthTable = newTable(
	way{"short", 40, "1 to 4 characters: most strings, and every rule about one character"},
	way{"empty", 8, "the empty string is a string"},
	way{"medium", 32, "5 to 12, around one machine word"},
	way{"block", 13, "around 8, 16, 32 and 64 bytes, where word and vector loops hand over"},
	way{"long", 2, "up to 130: several blocks and a tail"},
	way{"255", 1, "around 255 and 256, a length byte"},
)

// Rarer than one in a hundred strings, so drawn apart: longer than the mean
// document is, and the time they cost is time for fewer documents.
const (
	per4096  = 1 << 13 // one string in so many is near 4,096 bytes
	per65536 = 1 << 16 // one string in so many is near 65,536 bytes
	// mostBeforeLong is how many characters a document may have before one.
	mostBeforeLong = 1024
)

var characterTable = newTable(
	way{"letter", 34, "plain letters and digits, the common case"},
	way{"quote", 8, `", \ and /: must be escaped, must be escaped, must not be`},
	way{"short control", 8, "controls with a short escape"},
	way{"control", 7, "controls without one, and NUL"},
	way{"DEL", 2, "U+007F looks like a control and is not escaped"},
	way{"HTML", 4, "< > &: some encoders escape them"},
	way{"two bytes", 6, "U+0080 to U+07FF and both ends"},
	way{"three bytes", 6, "U+0800 and up, the surrogates' neighbours too"},
	way{"high BMP", 6, "U+E000 to U+FFFF: behind astral in UTF-16, before it by code point"},
	way{"astral", 8, "two units, four bytes, and both ends"},
	way{"combining", 4, "must not be normalized"},
	way{"separator", 3, "U+2028, U+2029, NBSP: some encoders escape, some trim"},
	way{"BOM", 1, "U+FEFF inside a string is data"},
	way{"replacement", 1, "U+FFFD is a character, not an error"},
	way{"noncharacter", 2, "left open by RFC 8785, refused by RFC 7493"},
)

const letters = "abcxyzABCXYZ0189 ._-~!'()*+,:;=?@[]^`{|}#$%"

// draw one character that is not a surrogate.
func (g *Generator) character(s Source) char {
	switch characterTable.draw(s) {
	case 1:
		g.mark(CharQuote)
		return char(`"\/`[s.Choose(3)])
	case 2:
		g.mark(CharShortControl)
		return char("\n\t\r\b\f"[s.Choose(5)])
	case 3:
		c := char(s.Choose(0x20))
		if c == 0 {
			g.mark(CharNUL)
		}
		g.mark(CharOtherControl)
		return c
	case 4:
		g.mark(CharDEL)
		return 0x7F
	case 5:
		g.mark(CharHTML)
		return char("<>&"[s.Choose(3)])
	case 6:
		g.mark(CharTwoByte)
		return edge(s, 0x80, 0x7FF)
	case 7:
		g.mark(CharThreeByte)
		return edge(s, 0x800, 0xD7FF)
	case 8:
		g.mark(CharHighBMP)
		return edge(s, 0xE000, 0xFFFD)
	case 9:
		g.mark(CharAstral)
		if s.Choose(4) == 0 {
			return 0x1F600
		}
		return edge(s, 0x10000, 0x10FFFD)
	case 10:
		g.mark(CharCombining)
		return [...]char{0x301, 0xE9, 0x65, 0xC5, 0x30A, 0x212B, 0x1100, 0xAC00, 0x131, 0xDF, 0x200D, 0xFE0F}[s.Choose(12)]
	case 11:
		g.mark(CharSeparator)
		return [...]char{0x2028, 0x2029, 0xA0, 0x85, 0x3000, 0x200B}[s.Choose(6)]
	case 12:
		g.mark(CharBOM)
		return 0xFEFF
	case 13:
		g.mark(CharReplacement)
		return 0xFFFD
	case 14:
		g.mark(CharNoncharacter)
		return [...]char{0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF}[s.Choose(6)]
	}
	return char(letters[s.Choose(len(letters))])
}

// edge draws from lo to hi, half of the time one of the ends.
func edge(s Source, lo, hi char) char {
	switch s.Choose(4) {
	case 0:
		return lo
	case 1:
		return hi
	}
	// The noncharacters of the range have a way of their own.
	c := lo + char(s.Choose(int(hi-lo)+1))
	if c&0xFFFE == 0xFFFE || 0xFDD0 <= c && c <= 0xFDEF {
		return lo
	}
	return c
}

// fillers make the body of a long string, 1 to 4 bytes each and one escape.
var fillers = [...]char{'a', 'é', '€', 0x1F600, '\n', 0x7F, '0', '"'}

// text draws a string.
func (g *Generator) text(s Source) span {
	t := &g.tree
	from := len(t.chars)
	n := 0
	if s.Choose(per4096) == per4096-1 && from < mostBeforeLong {
		n = 4096 - 8 + s.Choose(17)
		g.mark(StringNear4096)
		if s.Choose(per65536/per4096) == 1 {
			n = 65536 - 8 + s.Choose(17)
			g.mark(StringNear65536)
		}
	}
	if n > 0 {
		return g.filled(s, n)
	}
	switch lengthTable.draw(s) {
	case 0:
		n = 1 + s.Choose(4)
	case 1:
		g.mark(StringEmpty)
	case 2:
		n = 5 + s.Choose(8)
	case 3:
		g.mark(StringNearBlock)
		return g.filled(s, [...]int{8, 16, 32, 64}[s.Choose(4)]-1+s.Choose(3))
	case 4:
		return g.filled(s, 13+s.Choose(118))
	case 5:
		g.mark(StringNear255)
		return g.filled(s, 254+s.Choose(4))
	}
	for range n {
		t.chars = append(t.chars, g.character(s))
	}
	return span{int32(from), int32(len(t.chars))}
}

// filled draws a string of about n bytes: one filler, with up to three other
// characters at spots where a loop begins, hands over or ends.
func (g *Generator) filled(s Source, n int) span {
	t := &g.tree
	from := len(t.chars)
	f := char('a')
	if s.Choose(3) == 2 {
		f = fillers[s.Choose(len(fillers))]
	}
	n /= utf8.RuneLen(rune(f))
	n = max(n, 1)
	for range n {
		t.chars = append(t.chars, f)
	}
	for range s.Choose(4) {
		t.chars[from+spot(s, n)] = g.character(s)
	}
	return span{int32(from), int32(len(t.chars))}
}

// spot draws an index below n: an end, a block boundary or any.
func spot(s Source, n int) int {
	switch s.Choose(5) {
	case 0:
		return n - 1
	case 1:
		return 0
	case 2:
		return min(n-1, 8*(1+s.Choose(8))-1+s.Choose(2))
	}
	return s.Choose(n)
}
