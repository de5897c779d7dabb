package grammar

// A Relation is what two documents have to do with each other, whatever their
// canonical forms are.
type Relation uint8

const (
	// Same: one value in two spellings. Both are refused, or both have the same
	// canonical form.
	Same Relation = iota
	// Different: two values. Their canonical forms differ, or one of them or
	// both are to be refused. An implementation that accepts both with equal
	// bytes lets a signature for one stand for the other.
	Different
)

// String gives the relation as vectors name it.
func (r Relation) String() string {
	if r == Same {
		return "same-output"
	}
	return "different-output"
}

var changeTable = newTable(
	way{"value", 50, "one value becomes another: a neighbouring number, a character more, less or other"},
	way{"kind", 14, "one value becomes one of another kind: 1 and \"1\", [] and {}, null and \"null\""},
	way{"name", 16, "one member is renamed, or two exchange their values"},
	way{"replacement", 10, "U+FFFD on one side, on the other what a lax decoder replaces by it"},
	way{"duplicate", 10, "one side has a member twice, which a lax parser makes one"},
)

// Pair writes two documents with a known relation. The bytes are the
// Generator's own and hold until its next call.
func (g *Generator) Pair(s Source) (a, b []byte, r Relation) {
	g.features = Set{}
	g.tree.reset()
	g.clean = true
	g.tree.root = g.root(s, s.Choose(4))
	differ := s.Choose(2) == 1
	alter := func() {}
	if differ {
		alter = g.change(s)
	}
	w := g.speller(s)
	g.out = g.spellOnce(w, g.out)
	alter()
	w = g.speller(s)
	w.shuffle = true
	g.other = g.spellOnce(w, g.other)
	if !differ {
		g.mark(PairSame)
		return g.out, g.other, Same
	}
	g.mark(PairDifferent)
	return g.out, g.other, Different
}

func (g *Generator) spellOnce(w *speller, buf []byte) []byte {
	w.buf = w.spell(buf[:0])
	return w.finish()
}

// change chooses an alteration of the tree that certainly changes its value,
// and prepares the tree for it.
func (g *Generator) change(s Source) (alter func()) {
	t := &g.tree
	id := int32(s.Choose(len(t.nodes)))
	switch changeTable.draw(s) {
	case 1:
		return func() { g.changeKind(s, id) }
	case 2:
		if object := g.find(id, kindObject, 1); object != none {
			return func() { g.rename(s, object) }
		}
	case 3:
		if str := g.find(id, kindString, 0); str != none {
			at := g.extend(str, 0xFFFD)
			return func() {
				t.chars[at] = [...]char{0xD800, 0xDC00, 0xDBFF, rawByte + 0xFF, rawByte + 0x80, rawByte + 0xC2}[s.Choose(6)]
			}
		}
	case 4:
		if object := g.find(id, kindObject, 1); object != none {
			return func() { g.twin(s, object) }
		}
	}
	return func() { g.changeValue(s, id) }
}

// find gives the first node from id on that is of a kind and has children.
func (g *Generator) find(id int32, k kind, children int32) int32 {
	nodes := g.tree.nodes
	for i := range nodes {
		at := (int(id) + i) % len(nodes)
		if nodes[at].kind == k && nodes[at].count >= children {
			return int32(at)
		}
	}
	return none
}

// extend copies a string to the end of the arena with a character behind, and
// gives that character's index.
func (g *Generator) extend(id int32, c char) int {
	t := &g.tree
	n := &t.nodes[id]
	from := int32(len(t.chars))
	t.chars = append(t.chars, t.charsOf(n.text)...)
	t.chars = append(t.chars, c)
	n.text = span{from, int32(len(t.chars))}
	return len(t.chars) - 1
}

func (g *Generator) changeValue(s Source, id int32) {
	t := &g.tree
	n := &t.nodes[id]
	switch n.kind {
	case kindNull, kindTrue, kindFalse:
		n.kind = (n.kind + 1 + kind(s.Choose(2))) % 3
	case kindNumber:
		g.neighbour(s, id)
	case kindString:
		g.changeText(s, id)
	case kindArray:
		child := t.add(kindNull)
		t.adopt(id, child)
	case kindObject:
		child := t.add(kindNull)
		t.nodes[child].name = g.unique(id, t.str("a"))
		t.adopt(id, child)
	}
}

// neighbour makes a number the next double, where it was made from one; other
// numbers become a string of their digits, since what is next to them depends
// on how they round.
func (g *Generator) neighbour(s Source, id int32) {
	n := &g.tree.nodes[id]
	magnitude := n.bits &^ (1 << 63)
	if magnitude < 2 || magnitude >= 0x7FEFFFFFFFFFFFFF {
		g.numberToText(id)
		return
	}
	d, exp := g.doubleBits(magnitude - 1 + 2*uint64(s.Choose(2)))
	n = &g.tree.nodes[id]
	n.text, n.exp = d, exp
}

func (g *Generator) numberToText(id int32) {
	t := &g.tree
	n := &t.nodes[id]
	from := int32(len(t.chars))
	for _, c := range t.digits[n.text.from:n.text.to] {
		t.chars = append(t.chars, char(c))
	}
	n.kind, n.text = kindString, span{from, int32(len(t.chars))}
}

func (g *Generator) changeText(s Source, id int32) {
	t := &g.tree
	end := g.extend(id, ' ')
	n := &t.nodes[id]
	length := n.text.len() - 1
	if length == 0 {
		return // one character more
	}
	at := int(n.text.from) + s.Choose(length)
	switch s.Choose(4) {
	case 0: // one more
		t.chars[end] = g.character(s)
	case 1: // one less
		n.text.to -= 2
	case 2: // another one, often one that looks alike
		n.text.to--
		t.chars[at] = lookalike(t.chars[at])
	case 3: // other normalization: é and e with an accent
		n.text.to--
		if t.chars[at] == 0xE9 {
			t.chars[end], n.text.to = 0x301, n.text.to+1
			t.chars[at] = 'e'
			copy(t.chars[at+2:end+1], t.chars[at+1:end])
			t.chars[at+1] = 0x301
			return
		}
		t.chars[at] = 0xE9
	}
}

// lookalike gives another character.
func lookalike(c char) char {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return c ^ 0x20
	case c == 0xC5:
		return 0x212B
	case c < 0x20:
		return c + 0x2400 // the picture of the control
	case c == '"':
		return '\''
	case c >= 0x10000:
		return c & 0xFFFF &^ 0xF800 // the low bits, as a lossy cast has it
	case c == ' ':
		return 0xA0
	}
	return 0xFFFD - c&1
}

func (g *Generator) changeKind(s Source, id int32) {
	n := &g.tree.nodes[id]
	switch n.kind {
	case kindNull:
		n.text, n.kind = g.tree.str("null"), kindString
	case kindTrue, kindFalse:
		n.kind = kindNull
	case kindNumber:
		g.numberToText(id)
	case kindString:
		n.kind = kindNull
	case kindArray, kindObject:
		if n.count == 0 {
			n.kind = kindArray + kindObject - n.kind
			return
		}
		n.first, n.count = none, 0
	}
}

// rename gives a member a name that its object has not, or lets two members of
// different kinds exchange their names.
func (g *Generator) rename(s Source, object int32) {
	t := &g.tree
	first := t.nodes[object].first
	second := t.nodes[first].next
	if second != none && t.nodes[first].kind != t.nodes[second].kind && s.Choose(2) == 1 {
		t.nodes[first].name, t.nodes[second].name = t.nodes[second].name, t.nodes[first].name
		return
	}
	t.nodes[first].name = g.unique(object, g.near(s, t.nodes[first].name))
}

// twin gives an object a second member of the name of its last one.
func (g *Generator) twin(s Source, object int32) {
	t := &g.tree
	name := t.nodes[t.nodes[object].last].name
	child := t.add(kind(s.Choose(3)))
	t.nodes[child].name = name
	t.adopt(object, child)
}
