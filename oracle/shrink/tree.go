package shrink

import (
	"bytes"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// tree makes the steps on values.
func (m *minimizer) tree() {
	m.hoist()
	m.items()
	m.simplest()
	m.nameless()
}

// outline is the grammar's, of the best text.
func (m *minimizer) outline() []grammar.Part { return grammar.Outline(m.best) }

// hoist puts values in the place of containers that hold them, from the top
// down. Deep chains lose many levels at a time.
func (m *minimizer) hoist() {
	for i, parts := 0, m.outline(); i < len(parts); parts = m.outline() {
		if !m.hoistInto(parts, i) {
			i++
		}
	}
}

// hoistInto tries the values below one container in its place.
func (m *minimizer) hoistInto(parts []grammar.Part, i int) bool {
	hoisted := func(item int) bool {
		return m.splice(parts[i].From, parts[i].To, m.best[parts[item].From:parts[item].To])
	}
	// The chain of last values, by halves: a deep text is mostly one chain.
	var chain []int
	for at := i; len(parts[at].Items) > 0; {
		at = parts[at].Items[len(parts[at].Items)-1]
		chain = append(chain, at)
	}
	for k := len(chain) - 1; k > 0; k /= 2 {
		if hoisted(chain[k]) {
			return true
		}
	}
	return oneOf(parts[i].Items, hoisted)
}

// items takes items out of containers, many at a time and then single ones.
func (m *minimizer) items() {
	for i, parts := 0, m.outline(); i < len(parts); i, parts = i+1, m.outline() {
		chunks(len(parts[i].Items), func(from, to int) bool {
			parts := m.outline()
			items := parts[i].Items
			if to > len(items) { // an item became a name
				return false
			}
			a, b := itemRange(parts, items, from, to)
			return m.splice(a, b, nil)
		})
	}
}

// itemRange is the part of the text that holds items from to to-1 and the
// commas that go with them.
func itemRange(parts []grammar.Part, items []int, from, to int) (int, int) {
	switch {
	case to < len(items):
		return parts[items[from]].ItemFrom, parts[items[to]].ItemFrom
	case from > 0:
		return parts[items[from-1]].ItemTo, parts[items[to-1]].ItemTo
	}
	return parts[items[from]].ItemFrom, parts[items[to-1]].ItemTo
}

// simplest makes values the simplest ones of any kind.
func (m *minimizer) simplest() {
	for i, parts := 0, m.outline(); i < len(parts); i, parts = i+1, m.outline() {
		oneOf([]string{"", "0", "1", `""`, "[]", "{}", "null", "true"}, func(text string) bool {
			return m.splice(parts[i].From, parts[i].To, []byte(text))
		})
	}
}

// nameless makes arrays of objects: the values without their names.
func (m *minimizer) nameless() {
	for i, parts := 0, m.outline(); i < len(parts); i, parts = i+1, m.outline() {
		if parts[i].Open != '{' {
			continue
		}
		var values [][]byte
		for _, item := range parts[i].Items {
			values = append(values, m.best[parts[item].From:parts[item].To])
		}
		array := append([]byte{'['}, bytes.Join(values, []byte{','})...)
		m.splice(parts[i].From, parts[i].To, append(array, ']'))
	}
}
