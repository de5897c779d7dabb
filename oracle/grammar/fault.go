package grammar

// Faults of grammar and encoding, put into a finished text at one place.

type placeKind uint8

const (
	placeGap     placeKind = iota // between tokens
	placeComma                    // the token
	placeColon                    // the token
	placeOpen                     // the token
	placeClose                    // the token
	placeNumber                   // the token
	placeLiteral                  // the token
	placeText                     // a string value, quotes included
	placeName                     // a member name, quotes included
	placeString                   // inside a string, between two characters
)

// place is where a fault can be put: a token, or a spot between two.
type place struct {
	kind     placeKind
	from, to int32
}

// An edit puts text before a place, behind it, or in its stead.
type edit struct {
	where int
	text  string
}

const (
	instead = iota
	before
	behind
)

var spotTable = newTable(
	way{"number", 20, "numbers are where parsers are lax: leading zeros, missing digits, plus, hex, NaN"},
	way{"escape", 14, "unknown escapes, short and odd hexadecimal digits"},
	way{"control", 8, "controls inside a string, unescaped"},
	way{"gap", 14, "blanks that are not JSON's, comments, byte order marks"},
	way{"comma", 12, "missing, doubled, another character"},
	way{"close", 10, "trailing commas, missing, of the other kind, one too many"},
	way{"open", 4, "leading commas, missing, of the other kind"},
	way{"colon", 6, "missing, doubled, another character"},
	way{"literal", 10, "other case, other words, pieces and extensions"},
	way{"name", 6, "unquoted, single-quoted, of another type, left out"},
	way{"text", 4, "single quotes, missing quotes"},
	way{"start", 3, "byte order marks and prefixes"},
	way{"end", 9, "data behind the value"},
)

const ( // ways of spotTable
	spotClose = 5
	spotOpen  = 6
)

var (
	numberFaults = []edit{
		{before, "+"}, {before, "0"}, {before, "-"}, {before, "."}, {behind, "."}, {behind, "e"}, {behind, "e+"}, {behind, "E-"},
		{behind, ".."}, {behind, ".e1"}, {behind, "n"}, {behind, "_0"}, {behind, "f"}, {behind, ".1.1"}, {behind, "e1e1"}, {behind, "e1.5"},
		{instead, "-"}, {instead, "0x1F"}, {instead, "NaN"}, {instead, "Infinity"}, {instead, "-Infinity"}, {instead, "-NaN"}, {instead, ".5"},
		{instead, "00"}, {instead, "-01"}, {instead, "1."}, {instead, "1.e1"}, {instead, "+1"}, {instead, "1e"}, {instead, "1 2"}, {instead, "- 1"},
		{instead, "１"}, {instead, "1e+-1"}, {instead, "0b1"}, {instead, "0o7"}, {instead, "1,5"}, {instead, "-.5"}, {instead, "1e٣"}, {instead, "∞"},
		{instead, "-00"}, {instead, "0e"}, {instead, "0."}, {instead, "-0."}, {instead, "0123"},
	}
	escapeFaults = []string{
		`\x41`, `\'`, `\0`, `\a`, `\v`, `\e`, `\U0041`, `\u12G4`, `\u 041`, `\u+041`, `\u-041`, `\u{41}`, `\u00`, `\u`, `\`, `\u0x41`, "\\\n", `\ `,
		`\u004`, `\N`, `\101`, `\ud83d\u`, `\ud83d\uZZZZ`, `\ud83d\`, "\\\u00e9", "\\\x00", `\u００41`, `\B`, `\"`,
	}
	controlFaults = []string{"\n", "\x00", "\t", "\r", "\x1f", "\b", "\x01", "\f", "\x0b", "\x10", "\x1b", "\r\n"}
	gapFaults     = []string{
		"\u00a0", "\f", "\v", "\u2028", "\ufeff", "//x\n", "/**/", "#x\n", "\x00", "\u0085", "\u3000", "\x1b", "\u200b", "\x7f", "\\", "\b", "\x1e", "<!---->", "--x\n", ";",
	}
	commaFaults   = []edit{{instead, ""}, {behind, ","}, {instead, ";"}, {instead, " "}, {instead, ":"}, {behind, ",,"}, {instead, "\u060c"}, {before, ";"}}
	closeFaults   = []edit{{before, ","}, {instead, ""}, {instead, "]"}, {instead, "}"}, {behind, "]"}, {behind, "}"}, {before, ",,"}, {instead, ")"}, {before, ":"}, {before, "\""}}
	openFaults    = []edit{{behind, ","}, {instead, ""}, {instead, "["}, {instead, "{"}, {before, "["}, {before, "{"}, {instead, "("}, {behind, "]"}, {before, ","}, {behind, ":"}}
	colonFaults   = []edit{{instead, ""}, {behind, ":"}, {instead, "="}, {instead, ","}, {instead, "=>"}, {behind, "\""}, {before, "1"}, {behind, ","}}
	literalFaults = []edit{
		{instead, "True"}, {instead, "NULL"}, {instead, "nul"}, {behind, "l"}, {instead, "undefined"}, {instead, "None"}, {instead, "nil"}, {instead, "tru"},
		{instead, "TRUE"}, {instead, "fals"}, {behind, "0"}, {instead, "yes"}, {instead, ""}, {behind, "\""}, {behind, "null"}, {instead, "t"}, {instead, "nulL"},
		{behind, "\x00"}, {instead, "truefalse"}, {instead, "tr\u00fce"}, {instead, "n"}, {instead, "fa lse"},
	}
	nameFaults = []edit{
		{instead, "a"}, {instead, "'a'"}, {instead, "1"}, {instead, "null"}, {instead, ""}, {before, "\""}, {behind, "\""}, {instead, "[]"}, {instead, "{}"},
		{instead, "`a`"}, {before, "a"}, {behind, "a"}, {instead, "\u201ca\u201d"}, {before, "\"a\","},
	}
	textFaults  = []edit{{instead, "'a'"}, {instead, "a"}, {before, "\""}, {behind, "\""}, {instead, "\"a"}, {instead, "a\""}, {instead, "`a`"}, {instead, "\"a\"\"b\""}, {instead, "\"a\\\""}, {behind, "+\"\""}, {before, "u"}}
	startFaults = []string{"\ufeff", "\ufeff\ufeff", "\x00", "\xff\xfe", ",", ":", "]", ")]}',\n", "\x1e", "\xef\xbb", "\xfe\xff", "while(1);", " \ufeff", "#!x\n"}
	endFaults   = []string{"x", "{}", ",", "]", "}", "\x00", " null", "\x1a", "\n1", "\"", "//", ";", "\ufeff", "\x00\x00", ":", "\u00a0", " \x0c", "1", "\\", "\xff"}
)

// utf8Faults are byte sequences that no UTF-8 text holds.
var utf8Faults = []string{
	"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2A", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80",
	"\xe2\x82", "\xe2\x82A", "\xe2", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf0\x9f\x98", "\xf0\x9f\x98A", "\xf0\x9f", "\xf0",
	"\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xfe", "\xff", "\xc0\xaf", "\xef\xbf", "\xc3\xc3\xa9", "\xe9", "\xf7\xbf\xbf\xbf", "\xed\xb0\x80",
}

// surrogateFaults are escapes of surrogates that stand alone.
var surrogateFaults = []struct {
	feature Feature
	text    string
}{
	{BadLoneHigh, `\ud800`}, {BadLoneHigh, `\uDBFF`}, {BadLoneHigh, `\ud83dx`}, {BadLoneHigh, `\ud83d\u0041`}, {BadLoneHigh, `\ud83d\ud83d\ude00`},
	{BadLoneHigh, `\ud83d\n`}, {BadLoneHigh, `\uD83D\ue000`}, {BadLoneHigh, `\ud83d\udbff`}, {BadLoneHigh, `\ud83d\\ude00`},
	{BadLoneLow, `\udc00`}, {BadLoneLow, `\uDFFF`}, {BadLoneLow, `\ude00\ude00`}, {BadLoneLow, `\ud83d\ude00\ude00`}, {BadLoneLow, `x\udead`},
	{BadReversedPair, `\ude00\ud83d`}, {BadReversedPair, `\udc00\ud800`}, {BadReversedPair, `\ude00\ud83d\ude00`},
	{BadSurrogateThenByte, "\\ud83d\xed\xb8\x80"}, {BadSurrogateThenByte, "\\ud83d\u00e9"}, {BadSurrogateThenByte, "\\ud83d\xff"}, {BadSurrogateThenByte, "\xed\xa0\xbd\\ude00"},
}

// grammarFault puts one fault into the text that w has written with marks.
func (g *Generator) grammarFault(s Source, w *speller) {
	g.mark(BadGrammar)
	spot := spotTable.draw(s)
	if g.features.Has(DeepNesting) && s.Choose(4) > 0 { // brackets are what a deep text is about
		if s.Choose(2) == 1 {
			g.otherCloser(s, w)
			return
		}
		spot = spotClose + s.Choose(2)
	}
	switch spot {
	case 0:
		g.mark(BadNumber)
		g.editAt(s, w, placeNumber, numberFaults)
	case 1:
		g.mark(BadEscape)
		g.insertAt(s, w, placeString, escapeFaults[s.Choose(len(escapeFaults))])
	case 2:
		g.mark(BadControl)
		g.insertAt(s, w, placeString, controlFaults[s.Choose(len(controlFaults))])
	case 3:
		g.insertAt(s, w, placeGap, gapFaults[s.Choose(len(gapFaults))])
	case 4:
		g.editAt(s, w, placeComma, commaFaults)
	case spotClose:
		g.editAt(s, w, placeClose, closeFaults)
	case spotOpen:
		g.editAt(s, w, placeOpen, openFaults)
	case 7:
		g.editAt(s, w, placeColon, colonFaults)
	case 8:
		g.mark(BadLiteral)
		g.editAt(s, w, placeLiteral, literalFaults)
	case 9:
		g.editAt(s, w, placeName, nameFaults)
	case 10:
		g.editAt(s, w, placeText, textFaults)
	case 11:
		g.start(s, w)
	case 12:
		g.end(s, w)
	}
}

// otherCloser puts a closing bracket of the other kind in the stead of one.
func (g *Generator) otherCloser(s Source, w *speller) {
	p, ok := w.pick(s, placeClose)
	if !ok {
		g.end(s, w)
		return
	}
	other := "]"
	if w.buf[p.from] == ']' {
		other = "}"
	}
	w.replace(p, other)
}

func (g *Generator) start(s Source, w *speller) {
	g.mark(BadStart)
	w.replace(place{}, startFaults[s.Choose(len(startFaults))])
}

func (g *Generator) end(s Source, w *speller) {
	g.mark(BadTrailing)
	w.buf = append(w.buf, endFaults[s.Choose(len(endFaults))]...)
}

// pick chooses one of the places of a kind; none reports false.
func (w *speller) pick(s Source, kind placeKind) (place, bool) {
	n := 0
	for _, p := range w.spots {
		if p.kind == kind {
			n++
		}
	}
	if n == 0 {
		return place{}, false
	}
	n = s.Choose(n)
	for _, p := range w.spots {
		if p.kind == kind {
			if n == 0 {
				return p, true
			}
			n--
		}
	}
	panic("unreachable: fewer places than counted")
}

func (g *Generator) editAt(s Source, w *speller, kind placeKind, edits []edit) {
	p, ok := w.pick(s, kind)
	if !ok {
		g.end(s, w)
		return
	}
	e := edits[s.Choose(len(edits))]
	switch e.where {
	case before:
		p.to = p.from
	case behind:
		p.from = p.to
	}
	w.replace(p, e.text)
}

// insertAt puts text at a spot, or makes a string of it where there is none.
func (g *Generator) insertAt(s Source, w *speller, kind placeKind, text string) {
	p, ok := w.pick(s, kind)
	if !ok {
		w.buf = append(append(append(w.buf[:0], '"'), text...), '"')
		return
	}
	w.replace(p, text)
}

// replace puts text in a place's stead.
func (w *speller) replace(p place, text string) {
	old := len(w.buf)
	w.buf = append(w.buf, text...) // room; what is behind the place is moved over it
	end := int(p.from) + len(text)
	n := copy(w.buf[end:], w.buf[p.to:old])
	copy(w.buf[p.from:], text)
	w.buf = w.buf[:end+n]
}
