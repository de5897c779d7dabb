package grammar

import (
	"strconv"
	"unicode/utf8"
)

// Spelling: one tree, many texts.

var spaceTable = newTable(
	way{"none", 58, "as programs send it"},
	way{"after separators", 14, "as Python writes it"},
	way{"pretty", 9, "as people read it"},
	way{"everywhere", 16, "all four blanks in every gap"},
	way{"long runs", 3, "8 to 70 bytes in a gap: skipping by words"},
)

const (
	spaceNone = iota
	spaceAfter
	spacePretty
	spaceEverywhere
	spaceLong
)

var escapeTable = newTable(
	way{"least", 70, "only what must be escaped"},
	way{"mixed", 24, "each character its own way"},
	way{"all", 6, "every character as its units"},
)

var pointTable = newTable(
	way{"plain", 46, "as ECMAScript lays numbers out"},
	way{"scientific", 14, "one digit, point, exponent"},
	way{"integer and exponent", 12, "no point"},
	way{"shifted", 16, "the point anywhere, the exponent to match"},
	way{"zeros behind", 6, "zeros that change nothing"},
	way{"zeros before", 6, "0.000 and an exponent to match"},
)

// speller writes the tree of g into a text.
type speller struct {
	g      *Generator
	s      Source
	buf    []byte
	space  int
	escape int
	indent int
	// shuffle writes members in another order than they were drawn.
	shuffle bool
	// respell writes some characters as units, whatever was drawn.
	respell bool
	order   []int32 // scratch
	// spots are the places where a fault can be put, noted if marking is set.
	spots   []place
	marking bool
}

// spell writes the tree, appended to buf.
func (w *speller) spell(buf []byte) []byte {
	w.buf = buf
	w.space = spaceTable.draw(w.s)
	w.escape = escapeTable.draw(w.s)
	if w.respell {
		w.escape = max(w.escape, 1)
	}
	switch w.space {
	case spaceNone:
		w.g.mark(SpaceNone)
	case spacePretty:
		w.g.mark(SpacePretty)
		if w.s.Choose(4) == 3 {
			w.g.mark(SpaceCRLF)
			w.indent = 1 << 16
		}
	}
	switch w.escape {
	case 0:
		w.g.mark(EscapeNone)
	case 1:
		w.g.mark(EscapeMixed)
	case 2:
		w.g.mark(EscapeAll)
	}
	w.outside()
	w.value(w.g.tree.root, 0)
	w.outside()
	return w.buf
}

func (w *speller) outside() {
	w.spot(placeGap)
	if w.space >= spaceEverywhere || w.space == spacePretty && w.s.Choose(2) == 1 {
		w.g.mark(SpaceOutside)
		w.blanks()
	}
}

// gap writes white space that may stand in a place; inner is the depth of what
// follows, or -1 where no line is broken.
func (w *speller) gap(inner int, after bool) {
	switch w.space {
	case spaceAfter:
		if after {
			w.buf = append(w.buf, ' ')
		}
	case spacePretty:
		if inner < 0 {
			if after {
				w.buf = append(w.buf, ' ')
			}
			return
		}
		if w.indent != 0 {
			w.buf = append(w.buf, '\r')
		}
		w.buf = append(w.buf, '\n')
		for range min(inner, 6) {
			w.buf = append(w.buf, ' ', ' ')
		}
	case spaceEverywhere, spaceLong:
		w.blanks()
	}
}

// blanks writes up to three blanks, or a long run.
func (w *speller) blanks() {
	if w.space == spaceLong {
		if w.s.Choose(6) == 5 {
			w.g.mark(SpaceLongRun)
			c := fourBlanks[w.s.Choose(4)]
			for range 8 + w.s.Choose(63) {
				w.buf = append(w.buf, c)
			}
		}
		return
	}
	w.g.mark(SpaceEverywhere)
	// One choice for the run: 0 none, 1 to 4 one blank, then two and three.
	switch c := w.s.Choose(16); {
	case c >= 12:
		w.buf = append(w.buf, fourBlanks[c&3], fourBlanks[(c+1)&3], fourBlanks[(c>>1)&3])
	case c >= 8:
		w.buf = append(w.buf, fourBlanks[c&3], fourBlanks[(c>>1)&3])
	case c >= 4:
		w.buf = append(w.buf, fourBlanks[c&3])
	}
}

func (w *speller) value(id int32, depth int) {
	n := &w.g.tree.nodes[id]
	switch n.kind {
	case kindNull:
		w.literal("null")
	case kindTrue:
		w.literal("true")
	case kindFalse:
		w.literal("false")
	case kindNumber:
		from := len(w.buf)
		w.number(n)
		w.token(placeNumber, from)
	case kindString:
		from := len(w.buf)
		w.string(w.g.tree.charsOf(n.text))
		w.token(placeText, from)
	case kindArray:
		w.container(n, '[', ']', depth)
	case kindObject:
		w.container(n, '{', '}', depth)
	}
}

func (w *speller) literal(text string) {
	from := len(w.buf)
	w.buf = append(w.buf, text...)
	w.token(placeLiteral, from)
}

func (w *speller) container(n *node, open, close byte, depth int) {
	w.buf = append(w.buf, open)
	w.token(placeOpen, len(w.buf)-1)
	if n.count == 0 {
		w.gap(-1, false)
	} else {
		mark := len(w.order)
		for c := n.first; c != none; c = w.g.tree.nodes[c].next {
			w.order = append(w.order, c)
		}
		if w.shuffle && n.kind == kindObject {
			for i := len(w.order) - 1; i > mark; i-- {
				j := mark + w.s.Choose(i-mark+1)
				w.order[i], w.order[j] = w.order[j], w.order[i]
			}
		}
		end := len(w.order)
		for i := mark; i < end; i++ {
			if i > mark {
				w.buf = append(w.buf, ',')
				w.token(placeComma, len(w.buf)-1)
			}
			w.gap(depth+1, true)
			if n.kind == kindObject {
				w.member(w.order[i])
			}
			w.value(w.order[i], depth+1)
			w.spot(placeGap)
			if w.space >= spaceEverywhere {
				w.blanks()
			}
		}
		w.order = w.order[:mark]
		w.gap(depth, false)
	}
	w.buf = append(w.buf, close)
	w.token(placeClose, len(w.buf)-1)
}

func (w *speller) member(id int32) {
	from := len(w.buf)
	w.string(w.g.tree.charsOf(w.g.tree.nodes[id].name))
	w.token(placeName, from)
	if w.space >= spaceEverywhere {
		w.blanks()
	}
	w.buf = append(w.buf, ':')
	w.token(placeColon, len(w.buf)-1)
	w.gap(-1, true)
}

const (
	hexLower = "0123456789abcdef"
	hexUpper = "0123456789ABCDEF"
)

func (w *speller) string(text []char) {
	w.buf = append(w.buf, '"')
	w.spot(placeString)
	escape := w.escape
	every := 1 // spots in a long string: a few
	if len(text) > 16 {
		every = len(text) / 8
		if len(text) > 200 && escape == 1 {
			escape = 0 // one choice a character would be too many
		}
	}
	for i, c := range text {
		if w.marking && i%every == every-1 {
			w.spot(placeString)
		}
		how := 0
		switch escape {
		case 1:
			how = w.s.Choose(8)
		case 2:
			how = 6
		}
		w.char(c, how)
	}
	w.spot(placeString)
	w.buf = append(w.buf, '"')
}

// spot notes a place at the end of what is written.
func (w *speller) spot(kind placeKind) {
	if w.marking {
		at := int32(len(w.buf))
		w.spots = append(w.spots, place{kind, at, at})
	}
}

// token notes a place that reaches from an offset to the end.
func (w *speller) token(kind placeKind, from int) {
	if w.marking {
		w.spots = append(w.spots, place{kind, int32(from), int32(len(w.buf))})
	}
}

// char writes a character: how 0 to 4 shortest, 5 and 6 as units, 7 as units
// with upper-case digits.
func (w *speller) char(c char, how int) {
	digits := hexLower
	if c >= rawByte {
		w.buf = append(w.buf, byte(c))
		return
	}
	if how == 7 {
		digits = hexUpper
		w.g.mark(EscapeUpperHex)
	}
	if how < 5 {
		switch {
		case c == '"' || c == '\\':
			w.buf = append(w.buf, '\\', byte(c))
			return
		case c == '/' && how > 1:
			w.g.mark(EscapeSolidus)
			w.buf = append(w.buf, '\\', '/')
			return
		case c < 0x20:
			if short := shortEscape(c); short != 0 {
				w.buf = append(w.buf, '\\', short)
				return
			}
		case c < 0x80:
			w.buf = append(w.buf, byte(c))
			return
		case c < 0xD800 || c > 0xDFFF:
			w.buf = utf8.AppendRune(w.buf, rune(c))
			return
		}
	} else if shortEscape(c) != 0 {
		w.g.mark(EscapeShortAsUnit)
	}
	if c >= 0x10000 {
		w.g.mark(EscapePair)
		c -= 0x10000
		w.buf = appendUnit(w.buf, 0xD800+c>>10, digits)
		c = 0xDC00 + c&0x3FF
	}
	w.buf = appendUnit(w.buf, c, digits)
}

func shortEscape(c char) byte {
	switch c {
	case '\b':
		return 'b'
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\f':
		return 'f'
	case '\r':
		return 'r'
	}
	return 0
}

func appendUnit(buf []byte, u char, digits string) []byte {
	return append(buf, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
}

// number writes sign · digits · 10^exp in some way.
func (w *speller) number(n *node) {
	d := w.g.tree.digits[n.text.from:n.text.to]
	if n.neg {
		w.buf = append(w.buf, '-')
	}
	way := pointTable.draw(w.s)
	if len(d) == 1 && d[0] == '0' {
		w.zero(n.exp, way)
		return
	}
	exp := int(n.exp)
	scale := exp + len(d) // the point stands behind so many digits
	switch {
	case way == 0 && 0 < scale && scale <= 21 || way == 4 && 0 < scale && scale < 40:
		w.fixed(d, scale, way == 4)
	case way == 0 && -6 < scale && scale <= 0 || way == 4 && -20 < scale && scale <= 0:
		w.small(d, -scale, 0, way == 4)
	case way <= 1 || way == 4:
		w.shifted(d, 1, scale-1)
	case way == 2:
		w.buf = append(w.buf, d...)
		w.exponent(exp)
	case way == 3:
		w.g.mark(NumberShiftedPoint)
		k := 1 + w.s.Choose(len(d))
		w.shifted(d, k, scale-k)
	default:
		w.g.mark(NumberShiftedPoint)
		k := w.s.Choose(9)
		w.small(d, k, scale+k, false)
	}
}

func (w *speller) zero(exp int32, way int) {
	w.buf = append(w.buf, '0')
	if way >= 3 {
		w.g.mark(NumberTrailingZeros)
		w.buf = append(w.buf, ".000"[:2+w.s.Choose(3)]...)
	}
	if way == 1 || way == 2 || exp < -9 || exp > 9 {
		w.exponent(int(exp))
	}
}

// fixed writes digits with the point behind scale of them.
func (w *speller) fixed(d []byte, scale int, zeros bool) {
	if scale >= len(d) {
		w.buf = append(w.buf, d...)
		for range scale - len(d) {
			w.buf = append(w.buf, '0')
		}
		if zeros {
			w.buf = append(w.buf, '.')
		}
	} else {
		w.buf = append(w.buf, d[:scale]...)
		w.buf = append(w.buf, '.')
		w.buf = append(w.buf, d[scale:]...)
	}
	if zeros {
		w.zeros()
	}
}

func (w *speller) zeros() {
	w.g.mark(NumberTrailingZeros)
	for range 1 + w.s.Choose(4) {
		w.buf = append(w.buf, '0')
	}
}

// small writes 0. and lead zeros before the digits.
func (w *speller) small(d []byte, lead, exp int, zeros bool) {
	w.buf = append(w.buf, '0', '.')
	for range lead {
		w.buf = append(w.buf, '0')
	}
	w.buf = append(w.buf, d...)
	if zeros {
		w.zeros()
	}
	if exp != 0 {
		w.exponent(exp)
	}
}

// shifted writes digits with the point behind k of them and an exponent.
func (w *speller) shifted(d []byte, k, exp int) {
	w.buf = append(w.buf, d[:k]...)
	if k < len(d) {
		w.buf = append(w.buf, '.')
		w.buf = append(w.buf, d[k:]...)
	}
	w.exponent(exp)
}

func (w *speller) exponent(exp int) {
	w.g.mark(NumberExponentSpelled)
	c := w.s.Choose(8)
	w.buf = append(w.buf, "eeeEeEeE"[c])
	switch {
	case exp < 0:
		w.buf = append(w.buf, '-')
		exp = -exp
	case exp == 0 && c == 6:
		w.buf = append(w.buf, '-')
	case c >= 1 && c <= 4:
		w.buf = append(w.buf, '+')
	}
	if c >= 4 {
		w.buf = append(w.buf, "0000"[:c-3]...)
	}
	w.buf = strconv.AppendInt(w.buf, int64(exp), 10)
}
