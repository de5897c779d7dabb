package grammar

// Names: chosen to meet, to nearly meet, and to sort differently by every
// order that is not the right one.

var nameTable = newTable(
	way{"letter", 26, "one plain letter: the names meet often enough that order matters"},
	way{"word", 14, "names as people write them"},
	way{"order", 16, "families that UTF-8, code point, UTF-16, case, length and locale order differently"},
	way{"near", 10, "an earlier name of this object with something added, dropped or changed"},
	way{"prototype", 7, "__proto__ and its kin: names as any other"},
	way{"integer", 8, "integer-like names, which JavaScript objects put first"},
	way{"shared start", 6, "equal for 7 to 65 units: comparing by words"},
	way{"drawn", 10, "any string as a name"},
	way{"empty", 3, "the empty name is a name"},
)

var words = []string{"id", "name", "type", "value", "amount", "Amount", "currency", "path", "toolName", "args", "query", "limit", "url"}

var prototypeNames = []string{
	"__proto__", "constructor", "prototype", "toJSON", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "length", "then",
}

var integerNames = []string{"0", "1", "2", "9", "10", "11", "100", "00", "01", "-1", "1.5", "4294967294", "4294967295", "4294967296", "9007199254740993", "1e3"}

// orderFamilies holds names that stand in another order, or are one name, for
// some wrong way to compare them.
var orderFamilies = []struct {
	feature Feature
	names   []string
}{
	{NameUTF16Order, []string{"\uE000", "\U00010000", "\uFFFD", "\U0010FFFD", "\uFB33", "\U0001F602", "\uD7FF", "é", "€", "\r", "1", "ö", "\u0080", "a", "\uFF61", "\U0001D11E"}},
	{NameCase, []string{"a", "A", "b", "B", "ab", "AB", "Ab", "aB", "_", "Z", "z", "ı", "I", "i", "İ", "ß", "SS", "ſ", "K", "\u212A"}},
	{NameLocale, []string{"ä", "a", "z", "Z", "ö", "o", "å", "ø", "ch", "c", "d", "ñ", "n", "co-op", "coop", "résumé", "resume", "ll", "l"}},
	{NameNormalization, []string{"é", "e\u0301", "Å", "A\u030A", "\u212B", "ﬁ", "fi", "\u1E9B\u0323", "\uAC00", "\u1100\u1161", "e", "\u00E9\u0301"}},
	{NamePrefix, []string{"a", "aa", "aaa", "a\u0000", "a!", "a\"", "a\\", "ab", "a\u007F", "a\U0001F600", "a\uFFFD", "a/", "a ", "a\t"}},
	{NameUTF16Order, []string{"\"", "\\", "/", "\u0000", "\u001f", " ", "!", "#", "\b", "\t", "\n", "\f", "\r", "\u0001", "\u000b", "[", "]", "{", "}", ",", ":"}},
	{NameUTF16Order, []string{"x\uE000", "x\U00010000", "x\uE000a", "x\U00010000a", "xx\uFFFD", "xx\U0001F600", "xxxxxxx\uE000", "xxxxxxx\U00010000"}},
}

// name draws a name for the next member of an object.
func (g *Generator) name(s Source, object int32) span {
	t := &g.tree
	switch nameTable.draw(s) {
	case 1:
		return t.str(words[s.Choose(len(words))])
	case 2:
		f := &orderFamilies[s.Choose(len(orderFamilies))]
		g.mark(f.feature)
		return t.str(f.names[s.Choose(len(f.names))])
	case 3:
		if n := t.nodes[object]; n.count > 0 {
			g.mark(NameSharedStart)
			return g.near(s, t.nodes[n.first].name)
		}
	case 4:
		g.mark(NamePrototype)
		return t.str(prototypeNames[s.Choose(len(prototypeNames))])
	case 5:
		g.mark(NameInteger)
		return t.str(integerNames[s.Choose(len(integerNames))])
	case 6:
		g.mark(NameSharedStart)
		from := len(t.chars)
		n := [...]int{7, 8, 15, 16, 31, 32, 63, 64}[s.Choose(8)]
		for range n {
			t.chars = append(t.chars, 'n')
		}
		for range s.Choose(3) {
			t.chars = append(t.chars, g.character(s))
		}
		if n >= 31 {
			g.mark(NameLong)
		}
		return span{int32(from), int32(len(t.chars))}
	case 7:
		return g.text(s)
	case 8:
		g.mark(NameEmpty)
		return span{}
	}
	from := int32(len(t.chars))
	t.chars = append(t.chars, char("abcdABCD"[s.Choose(8)]))
	return span{from, from + 1}
}

// near draws a name that differs a little from another.
func (g *Generator) near(s Source, of span) span {
	t := &g.tree
	from := int32(len(t.chars))
	t.chars = append(t.chars, t.charsOf(of)...)
	n := len(t.chars) - int(from)
	switch way := s.Choose(4); {
	case way == 1 && n > 1:
		t.chars = t.chars[:len(t.chars)-1]
	case way == 2 && n > 0:
		t.chars[int(from)+spot(s, n)] = g.character(s)
	case way == 3 && n > 0:
		i := int(from) + s.Choose(n)
		if c := t.chars[i]; 'a' <= c|0x20 && c|0x20 <= 'z' {
			t.chars[i] ^= 0x20
			g.mark(NameCase)
		}
	default:
		t.chars = append(t.chars, g.character(s))
	}
	return span{from, int32(len(t.chars))}
}

// unique makes a name that the object has not yet, from one that it has.
func (g *Generator) unique(object int32, name span) span {
	t := &g.tree
	for i := 0; t.hasName(object, name); i++ {
		from := int32(len(t.chars))
		t.chars = append(t.chars, t.charsOf(name)...)
		t.chars = append(t.chars, char('0'+i%10))
		name = span{from, int32(len(t.chars))}
	}
	return name
}
