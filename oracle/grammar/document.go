package grammar

import (
	"slices"
	"unicode/utf8"
)

var documentTable = newTable(
	way{"plain", 36, "a valid tree in any spelling: what every implementation must get right"},
	way{"agent", 12, "the arguments of tool calls, as models write them"},
	way{"numbers", 12, "numbers alone: the most rules on the fewest bytes"},
	way{"names", 9, "a flat object whose names are the point"},
	way{"bad value", 12, "a valid text that RFC 8785 has no form for: surrogates, duplicates"},
	way{"grammar fault", 12, "a valid text with one fault at one spot"},
	way{"UTF-8 fault", 4, "a valid text with one piece of broken UTF-8"},
	way{"damaged", 3, "cut short, spliced, or with one byte changed"},
)

const (
	perDeep      = 512     // one document in so many is deep
	perText4096  = 1 << 11 // one in so many is near a block of 4,096 bytes
	perText65536 = 1 << 14 // one in so many is near 65,536 bytes
	perCutText   = 1 << 7  // one in so many with broken UTF-8 is near either: who reads by blocks may forgive what a block cuts
)

var badTable = newTable(
	way{"surrogate", 50, "lone, reversed, doubled, before raw bytes; in names and values"},
	way{"duplicate", 50, "the same name again, spelled alike or not, near or far"},
)

// A Generator writes documents, reusing its memory. The zero Generator is ready
// to use. Not safe for concurrent use.
type Generator struct {
	tree     tree
	features Set
	budget   int  // values that may still be drawn
	clean    bool // no number that RFC 8785 refuses
	w        speller
	out      []byte
	other    []byte
	mutant   []byte
}

func (g *Generator) mark(f Feature) { g.features.add(f) }

// Features tells what the last document or pair holds. A feature of a fault
// means that it was put in, not that the document is refused for it.
func (g *Generator) Features() Set { return g.features }

// Document writes one document. The bytes are the Generator's own and hold
// until its next call.
func (g *Generator) Document(s Source) []byte {
	g.out = g.Append(g.out[:0], s)
	return g.out
}

// Append writes one document behind dst and returns the extended slice.
func (g *Generator) Append(dst []byte, s Source) []byte {
	g.features = Set{}
	base := len(dst)
	dst = g.document(dst, s)
	if len(dst) == base {
		g.mark(EmptyText)
	}
	per := perText4096
	if g.features.Has(BadUTF8) {
		per = perCutText
	}
	if s.Choose(per) == per-1 {
		return g.block(dst, base, s)
	}
	return dst
}

// block lengthens the text from base on by blanks: until it ends near the end of
// a block, or so that the end of the block lies within it, as for a reader that
// takes a block at a time.
func (g *Generator) block(dst []byte, base int, s Source) []byte {
	size, feature := 4096, TextNear4096
	if s.Choose(perText65536/perText4096) == 1 {
		size, feature = 65536, TextNear65536
	}
	n := len(dst) - base
	blanks, before := size-2+s.Choose(5)-n, s.Choose(2) == 1
	if before {
		inside := s.Choose(n + 1)
		if g.features.Has(BadUTF8) && s.Choose(2) == 1 {
			inside = min(illFormed(dst[base:])+1+s.Choose(3), n)
		}
		blanks = size - inside
	}
	if blanks <= 0 {
		return dst
	}
	g.mark(feature)
	blank := fourBlanks[s.Choose(4)]
	for range blanks {
		dst = append(dst, blank)
	}
	if before {
		copy(dst[base+blanks:], dst[base:base+n])
		for i := range blanks {
			dst[base+i] = blank
		}
	}
	return dst
}

// illFormed gives where the first byte is that begins no UTF-8 sequence.
func illFormed(text []byte) int {
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// Document writes one document into memory of its own.
func Document(s Source) []byte {
	var g Generator
	return g.Document(s)
}

func (g *Generator) document(dst []byte, s Source) []byte {
	g.tree.reset()
	g.clean = true
	w := g.speller(s)
	how := documentTable.draw(s)
	if how <= 3 {
		g.tree.root = g.root(s, how)
		w.buf = w.spell(dst)
		return w.finish()
	}
	// A fault: written apart, since edits are by offset in the text.
	if how == 4 && badTable.draw(s) == 1 {
		g.tree.root = g.root(s, 3*s.Choose(2))
		g.duplicate(s)
		w.shuffle = s.Choose(2) == 1
		w.buf = w.spell(dst)
		return w.finish()
	}
	base := len(dst)
	g.tree.root = g.root(s, s.Choose(2))
	w.marking = true
	w.spots = w.spots[:0]
	w.buf = w.spell(g.other[:0])
	switch how {
	case 4:
		f := &surrogateFaults[s.Choose(len(surrogateFaults))]
		g.mark(f.feature)
		g.insertAt(s, w, placeString, f.text)
	case 5:
		g.grammarFault(s, w)
	case 6:
		g.mark(BadUTF8)
		kind := placeString
		if s.Choose(8) == 7 {
			kind = placeGap
		}
		g.insertAt(s, w, kind, utf8Faults[s.Choose(len(utf8Faults))])
	case 7:
		g.damage(s, w)
	}
	g.other = w.finish()
	return append(dst[:base], g.other...)
}

// speller gives the Generator's speller, made ready.
func (g *Generator) speller(s Source) *speller {
	w := &g.w
	w.g, w.s = g, s
	w.marking, w.shuffle, w.respell, w.indent = false, false, false, 0
	return w
}

// finish hands over what was written.
func (w *speller) finish() []byte {
	buf := w.buf
	w.buf, w.s = nil, nil
	return buf
}

// root draws the value of a document of a kind.
func (g *Generator) root(s Source, how int) int32 {
	g.budget = sizes[sizeTable.draw(s)]
	switch {
	case s.Choose(perDeep) == perDeep-1:
		return g.deep(s)
	case how == 1:
		return g.agent(s, 0)
	case how == 2:
		g.clean = s.Choose(4) < 3
		return g.numbers(s)
	case how == 3:
		return g.names(s)
	case g.budget == 1:
		g.mark(TopScalar)
		return g.value(s, mostDepth)
	case s.Choose(3) == 2:
		return g.array(s, 0)
	}
	return g.object(s, 0)
}

// names draws a flat object with many names and small values.
func (g *Generator) names(s Source) int32 {
	t := &g.tree
	id := t.add(kindObject)
	n := 2 + s.Choose(7)
	if s.Choose(16) == 15 {
		g.mark(WideContainer)
		n = 16 + s.Choose(50)
	}
	for i := range n {
		name := g.unique(id, g.name(s, id))
		child := t.add(kindNumber)
		d, _ := g.integer(uint64(i))
		t.setNumber(child, false, d, 0, 0)
		t.nodes[child].name = name
		t.adopt(id, child)
	}
	return id
}

// duplicate gives some object a member with a name that it has.
func (g *Generator) duplicate(s Source) {
	g.mark(BadDuplicate)
	t := &g.tree
	at := s.Choose(len(t.nodes))
	object := int32(none)
	for i := range t.nodes {
		k := (at + i) % len(t.nodes)
		if n := &t.nodes[k]; n.kind == kindObject && n.count > 0 {
			object = int32(k)
			break
		}
	}
	if object == none {
		object = t.add(kindObject)
		t.nodes[t.root].name = t.str("a")
		t.adopt(object, t.root)
		t.root = object
	}
	n := &t.nodes[object]
	if n.count >= 8 {
		g.mark(BadDuplicateFar)
	}
	twin := n.first
	for range s.Choose(int(n.count)) {
		twin = t.nodes[twin].next
	}
	name := t.nodes[twin].name
	if s.Choose(3) > 0 {
		g.mark(BadDuplicateSpelled)
		g.w.respell = true
	}
	child := t.add(kind(s.Choose(3)))
	t.nodes[child].name = name
	t.adopt(object, child)
}

// damage cuts the text, splices it or changes one byte.
func (g *Generator) damage(s Source, w *speller) {
	n := len(w.buf)
	switch s.Choose(4) {
	case 0, 1:
		g.mark(BadTruncated)
		w.buf = w.buf[:s.Choose(n)]
	case 2: // the beginning, then the end from somewhere else
		g.mark(BadSpliced)
		cut, from := s.Choose(n+1), s.Choose(n+1)
		w.buf = append(w.buf, w.buf...)
		copy(w.buf[cut:], w.buf[from:n])
		w.buf = w.buf[:cut+n-from]
	case 3:
		g.mark(BadByte)
		i, b := s.Choose(n), byte(s.Choose(256))
		switch s.Choose(3) {
		case 0:
			w.buf[i] = b
		case 1:
			w.buf = slices.Insert(w.buf, i, b)
		case 2:
			w.buf = slices.Delete(w.buf, i, i+1)
		}
	}
}
