package grammar

import (
	"bytes"
	"slices"
)

// Mutate writes any bytes again with one to four changes on their tree of
// values: one becomes another, goes, stands twice, changes its place, is wrapped
// or unwrapped, has another name; the text is spelled otherwise; a fault is put
// in. The text need not be JSON: what looks like values is found. The result is
// at most limit bytes long and the Generator's own until its next call; src is
// left alone.
func (g *Generator) Mutate(s Source, src []byte, limit int) []byte {
	g.mutant = append(g.mutant[:0], src...)
	for range 1 + s.Choose(4) {
		g.mutation(s)
		g.mutant = g.mutant[:min(len(g.mutant), limit)]
	}
	return g.mutant
}

var mutationTable = newTable(
	way{"value", 24, "a value becomes a drawn one"},
	way{"name", 12, "a name becomes a drawn one, or that of another member"},
	way{"remove", 10, "a value goes, with its comma"},
	way{"double", 10, "an item stands twice, so that a name may be a duplicate"},
	way{"copy", 6, "a value is put in another one's place"},
	way{"exchange", 8, "two values exchange their places"},
	way{"wrap", 5, "a value is put into an array"},
	way{"hoist", 5, "a value takes the place of its container"},
	way{"respell", 8, "the same value, spelled otherwise"},
	way{"fault", 10, "a fault of the tables beside a token"},
	way{"new", 2, "another document"},
)

// mutation makes one change.
func (g *Generator) mutation(s Source) {
	parts := Outline(g.mutant)
	if len(parts) == 0 {
		g.mutant = append(g.mutant[:0], g.Document(s)...)
		return
	}
	i, j := s.Choose(len(parts)), s.Choose(len(parts))
	p, q := parts[i], parts[j]
	switch mutationTable.draw(s) {
	case 0:
		g.put(p.From, p.To, g.piece(s))
	case 1:
		name := g.mutant[q.NameFrom:q.NameTo]
		if len(name) == 0 || s.Choose(2) == 0 {
			name = g.namePiece(s)
		}
		if p.NameTo > p.NameFrom {
			g.put(p.NameFrom, p.NameTo, name)
		}
	case 2:
		from, to := itemRange(parts, p)
		g.put(from, to, nil)
	case 3:
		g.put(p.ItemFrom, p.ItemFrom, append(bytes.Clone(g.mutant[p.ItemFrom:p.ItemTo]), ','))
	case 4:
		g.put(p.From, p.To, g.mutant[q.From:q.To])
	case 5:
		p, q = parts[min(i, j)], parts[max(i, j)]
		if p.To <= q.From {
			first := bytes.Clone(g.mutant[p.From:p.To])
			second := bytes.Clone(g.mutant[q.From:q.To])
			g.put(q.From, q.To, first)
			g.put(p.From, p.To, second)
		}
	case 6:
		g.put(p.To, p.To, []byte("]"))
		g.put(p.From, p.From, []byte("["))
	case 7:
		if p.Parent >= 0 {
			above := parts[p.Parent]
			g.put(above.From, above.To, g.mutant[p.From:p.To])
		}
	case 8:
		if text, ok := g.Respell(s, g.mutant); ok {
			g.mutant = append(g.mutant[:0], text...)
		}
	case 9:
		g.put(p.From, p.To, g.faulty(s, g.mutant[p.From:p.To]))
	case 10:
		g.mutant = append(g.mutant[:0], g.Document(s)...)
	}
}

// put replaces a part of the mutant.
func (g *Generator) put(from, to int, text []byte) {
	g.mutant = slices.Replace(g.mutant, from, to, bytes.Clone(text)...)
}

// itemRange is the item of a value with one comma beside it.
func itemRange(parts []Part, p Part) (from, to int) {
	if p.Parent < 0 {
		return p.From, p.To
	}
	items := parts[p.Parent].Items
	i := slices.IndexFunc(items, func(k int) bool { return parts[k].From == p.From })
	switch {
	case i+1 < len(items):
		return p.ItemFrom, parts[items[i+1]].ItemFrom
	case i > 0:
		return parts[items[i-1]].ItemTo, p.ItemTo
	}
	return p.ItemFrom, p.ItemTo
}

// piece draws a small value.
func (g *Generator) piece(s Source) []byte {
	g.tree.reset()
	g.clean, g.budget = false, 3
	g.tree.root = g.value(s, mostDepth-2)
	return g.spelled(s)
}

// namePiece draws a name.
func (g *Generator) namePiece(s Source) []byte {
	g.tree.reset()
	id := g.tree.add(kindString)
	object := g.tree.add(kindObject)
	text := g.name(s, object)
	g.tree.nodes[id].text = text
	g.tree.root = id
	return bytes.TrimSpace(g.spelled(s))
}

func (g *Generator) spelled(s Source) []byte {
	g.other = g.spellOnce(g.speller(s), g.other)
	return g.other
}

// faulty gives a value's text with a fault before, behind or in it.
func (g *Generator) faulty(s Source, text []byte) []byte {
	var fault string
	switch s.Choose(6) {
	case 0:
		fault = gapFaults[s.Choose(len(gapFaults))]
	case 1:
		fault = escapeFaults[s.Choose(len(escapeFaults))]
	case 2:
		fault = controlFaults[s.Choose(len(controlFaults))]
	case 3:
		fault = utf8Faults[s.Choose(len(utf8Faults))]
	case 4:
		fault = surrogateFaults[s.Choose(len(surrogateFaults))].text
	case 5:
		fault = numberFaults[s.Choose(len(numberFaults))].text
	}
	at := [...]int{0, len(text), min(1, len(text)), max(len(text)-1, 0), s.Choose(len(text) + 1)}[s.Choose(5)]
	return slices.Insert(bytes.Clone(text), at, []byte(fault)...)
}
