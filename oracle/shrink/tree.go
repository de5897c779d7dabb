package shrink

import "github.com/touchstone-oracle/touchstone/oracle/grammar"

// tree makes the steps on values.
func (m *minimizer) tree() {
	m.hoist()
	m.items()
	m.simplest()
	m.nameless()
}

// hoist puts values in the place of containers that hold them, from the top
// down. Deep chains lose many levels at a time.
func (m *minimizer) hoist() {
	for i := 0; m.left > 0; i++ {
		for again := true; again; {
			parts := m.outline()
			if i >= len(parts) {
				return
			}
			again = parts[i].Open != 0 && m.hoistInto(parts, i)
		}
	}
}

// hoistInto tries the values below one container in its place.
func (m *minimizer) hoistInto(parts []grammar.Part, i int) bool {
	p := parts[i]
	// The chain of last values, by halves: a deep text is mostly one chain.
	var chain []int
	for at := i; len(parts[at].Items) > 0; {
		at = parts[at].Items[len(parts[at].Items)-1]
		chain = append(chain, at)
	}
	for k := len(chain) - 1; k > 0; k /= 2 {
		if c := parts[chain[k]]; m.splice(p.From, p.To, m.best[c.From:c.To]) {
			return true
		}
	}
	for _, item := range p.Items {
		if c := parts[item]; m.splice(p.From, p.To, m.best[c.From:c.To]) {
			return true
		}
	}
	return false
}

// items takes items out of containers, many at a time and then single ones.
func (m *minimizer) items() {
	for i := 0; m.left > 0; i++ {
		parts := m.outline()
		if i >= len(parts) {
			return
		}
		if parts[i].Open == 0 {
			continue
		}
		m.chunks(len(parts[i].Items), func(from, to int) bool {
			parts := m.outline()
			if i >= len(parts) || to > len(parts[i].Items) {
				return false
			}
			a, b := itemRange(parts, parts[i].Items, from, to)
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
	for i := 0; m.left > 0; i++ {
		for _, text := range []string{"", "0", "1", `""`, "[]", "{}", "null", "true"} {
			parts := m.outline()
			if i >= len(parts) {
				return
			}
			if m.splice(parts[i].From, parts[i].To, []byte(text)) {
				break
			}
		}
	}
}

// nameless makes arrays of objects: the values without their names.
func (m *minimizer) nameless() {
	for i := 0; m.left > 0; i++ {
		parts := m.outline()
		if i >= len(parts) {
			return
		}
		if parts[i].Open != '{' {
			continue
		}
		array := []byte{'['}
		for k, item := range parts[i].Items {
			if k > 0 {
				array = append(array, ',')
			}
			array = append(array, m.best[parts[item].From:parts[item].To]...)
		}
		m.splice(parts[i].From, parts[i].To, append(array, ']'))
	}
}
