package grammar

// Values: which kinds, how many, how deep.

var sizeTable = newTable(
	way{"one", 18, "a single scalar or an empty container: the whole text is the value"},
	way{"few", 52, "up to 5 values: faults that need one thing"},
	way{"some", 24, "up to 12 values: faults that need two things to meet"},
	way{"many", 5, "up to 30 values"},
	way{"crowd", 1, "up to 120 values"},
)

var sizes = [...]int{1, 5, 12, 30, 120}

var valueTable = newTable(
	way{"literal", 10, "null, true, false"},
	way{"number", 34, "most rules are about numbers"},
	way{"string", 26, "then about strings"},
	way{"array", 10, "order must stay, and objects inside must be sorted"},
	way{"object", 20, "order must not stay"},
)

var widthTable = newTable(
	way{"empty", 8, "[] and {}"},
	way{"one", 18, "no comma"},
	way{"few", 56, "2 to 5"},
	way{"more", 15, "6 to 12: sorts change their method near 12"},
	way{"wide", 3, "16 to 70: hash tables grow, sorts divide"},
)

var deepTable = newTable(
	way{"32", 50, "around 32 and 64 levels: a stack kept in one word of bits"},
	way{"128", 30, "around 128, 255 and 256 levels"},
	way{"512", 12, "around 512 levels, a limit that some have"},
	way{"1000", 8, "around 1,000 levels, the limit of many"},
)

const mostDepth = 24 // of drawn trees; deep ones are drawn apart

// value draws a value and what is in it.
func (g *Generator) value(s Source, depth int) int32 {
	g.budget--
	way := valueTable.draw(s)
	if way >= 3 && (g.budget <= 0 || depth >= mostDepth) {
		way = 1
	}
	switch way {
	case 1:
		return g.number(s)
	case 2:
		id := g.tree.add(kindString)
		text := g.text(s)
		g.tree.nodes[id].text = text
		return id
	case 3:
		return g.array(s, depth)
	case 4:
		return g.object(s, depth)
	}
	g.mark(Literal)
	return g.tree.add(kind(s.Choose(3)))
}

func (g *Generator) width(s Source) int {
	switch widthTable.draw(s) {
	case 1:
		return 1
	case 2:
		return 2 + s.Choose(4)
	case 3:
		return 6 + s.Choose(7)
	case 4:
		g.mark(WideContainer)
		return 16 + s.Choose(55)
	}
	return 0
}

func (g *Generator) array(s Source, depth int) int32 {
	id := g.tree.add(kindArray)
	n := g.width(s)
	if n == 0 {
		g.mark(EmptyArray)
	}
	for ; n > 0 && (g.budget > 0 || g.tree.nodes[id].count == 0); n-- {
		child := g.value(s, depth+1)
		if g.tree.nodes[child].kind == kindObject {
			g.mark(ObjectInArray)
		}
		g.tree.adopt(id, child)
	}
	return id
}

func (g *Generator) object(s Source, depth int) int32 {
	id := g.tree.add(kindObject)
	n := g.width(s)
	if n == 0 {
		g.mark(EmptyObject)
	}
	if n >= 16 { // wide ones hold small values, so that they come to be wide
		g.budget = max(g.budget, n)
	}
	for ; n > 0 && (g.budget > 0 || g.tree.nodes[id].count == 0); n-- {
		g.member(s, id, depth)
	}
	return id
}

// member draws a member that the object has not yet.
func (g *Generator) member(s Source, object int32, depth int) {
	name := g.unique(object, g.name(s, object))
	child := g.value(s, depth+1)
	g.tree.nodes[child].name = name
	g.tree.adopt(object, child)
}

// deep draws nested containers with a small value inside.
func (g *Generator) deep(s Source) int32 {
	g.mark(DeepNesting)
	n := 0
	switch deepTable.draw(s) {
	case 0:
		n = [...]int{32, 64}[s.Choose(2)] - 1 + s.Choose(3)
	case 1:
		n = [...]int{128, 255, 256}[s.Choose(3)] - 1 + s.Choose(3)
	case 2:
		n = 510 + s.Choose(5)
	case 3:
		g.mark(NearDepth)
		n = 997 + s.Choose(5)
	}
	t := &g.tree
	mode := s.Choose(3) // arrays, objects, both
	g.budget = 2
	child := g.value(s, mostDepth-1)
	name := t.str("a")
	for i := range n {
		parent := int32(0)
		if mode == 0 || mode == 2 && i%2 == 0 {
			parent = t.add(kindArray)
		} else {
			parent = t.add(kindObject)
			t.nodes[child].name = name
		}
		t.adopt(parent, child)
		child = parent
	}
	return child
}

// numbers draws an array of numbers alone, or one number.
func (g *Generator) numbers(s Source) int32 {
	g.mark(NumbersOnly)
	n := s.Choose(12)
	if n == 0 {
		return g.number(s)
	}
	id := g.tree.add(kindArray)
	for range n {
		g.tree.adopt(id, g.number(s))
	}
	return id
}
