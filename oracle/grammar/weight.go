package grammar

// A way is one row of a table of weights: what may be drawn, how often beside
// the others, and why so often.
type way struct {
	name   string
	weight int
	why    string
}

// A table is drawn from with one choice. The first way is the simplest, since
// shrinking goes towards it.
type table struct {
	ways   []way
	lookup []uint8 // way by choice: each way as often as it weighs
}

func newTable(ways ...way) table {
	t := table{ways: ways}
	for i, w := range ways {
		for range w.weight {
			t.lookup = append(t.lookup, uint8(i))
		}
	}
	return t
}

// draw gives the index of a way.
func (t *table) draw(s Source) int { return int(t.lookup[s.Choose(len(t.lookup))]) }

// A Weight tells how often the grammar draws a thing, and why.
type Weight struct {
	Table, Name string
	Share       float64 // of 1, within the table
	Why         string
}

// Weights lists every weight of the grammar, table by table.
func Weights() []Weight {
	var all []Weight
	for _, t := range []struct {
		name string
		*table
	}{
		{"document", &documentTable}, {"size", &sizeTable}, {"value", &valueTable}, {"width", &widthTable},
		{"length", &lengthTable}, {"character", &characterTable}, {"name", &nameTable}, {"number", &numberTable},
		{"half", &halfTable}, {"number spelling", &pointTable}, {"escape spelling", &escapeTable}, {"white space", &spaceTable},
		{"deep", &deepTable}, {"bad value", &badTable}, {"grammar fault", &spotTable}, {"change", &changeTable}, {"mutation", &mutationTable},
	} {
		for _, w := range t.ways {
			all = append(all, Weight{t.name, w.name, float64(w.weight) / float64(len(t.lookup)), w.why})
		}
	}
	return all
}
