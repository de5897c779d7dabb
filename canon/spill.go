package canon

import (
	"math/bits"
	"slices"
)

// There is room for a few thousand members of open objects. If more are open,
// all of them spill: only where they begin is kept of them. So it takes four bytes
// a member, however many there are, until their object ends.

// spill makes room for members.
func (w *writer) spill() {
	if need := len(w.starts) + w.top; need > cap(w.starts) {
		grown := make([]uint32, len(w.starts), need+need/8)
		copy(grown, w.starts)
		w.starts = grown
	}
	for i := range w.top {
		w.starts = append(w.starts, memberAt(w.members, i).start)
	}
	w.top = 0
}

// unspilled drops the members from base on, and gives memory back that many have
// needed.
func (w *writer) unspilled(base int) {
	const few = 1 << 10
	w.starts, w.top = w.starts[:base], 0
	if cap(w.starts) > 2*base+few {
		w.starts = slices.Clone(w.starts)
	}
}

// closeObject puts the members from base on in order, which end at a place of the
// copy: they are not in order, or some are spilled, and base is negative. It
// reports false if two names are equal.
func (w *writer) closeObject(base, end int, inOrder bool) bool {
	if base < 0 {
		return w.closeSpilled(base+len(w.starts), end, inOrder)
	}
	return w.arrange(base, end)
}

// closeSpilled puts the members from base on in order, some of which are spilled,
// if they are not yet. end is where they end. It reports false if two names are
// equal.
func (w *writer) closeSpilled(base, end int, inOrder bool) bool {
	if inOrder {
		w.unspilled(base)
		return true
	}
	w.spill()
	starts := w.starts[base:]
	if len(starts) < len(w.members) {
		for i, start := range starts {
			w.members[i] = w.memberFrom(start)
		}
		count := len(starts)
		w.unspilled(base)
		w.top = count
		ok := w.arrange(0, end)
		w.top = 0
		return ok
	}
	if w.startsAscend(starts) {
		w.unspilled(base)
		return true
	}
	if first := int(starts[0]); end-first < 7*len(starts)-600 {
		return false // most names are shorter than two bytes, and there are but few of these
	}
	kept := w.putOff(len(starts), int(starts[0]), end)
	for i, start := range starts {
		if kept[i] = (span{start, uint32(end)}); i > 0 {
			kept[i-1].end = start - 1
		}
	}
	w.unspilled(base)
	if !w.sortSpans(kept, 2*bits.Len(uint(len(kept)))) {
		return false
	}
	w.settle(0)
	return true
}

// startsAscend is ascending for members that are spilled.
func (w *writer) startsAscend(starts []uint32) bool {
	last := w.memberFrom(starts[0])
	for _, start := range starts[1:] {
		m := w.memberFrom(start)
		if w.compareMembers(last, m) >= 0 {
			return false
		}
		last = m
	}
	return true
}

// memberFrom gives the member that begins at a place.
func (w *writer) memberFrom(start uint32) member {
	x := load64(w.body, int(start)+1)
	quotes := x ^ '"'*ones
	quotes = (quotes - ones) &^ quotes & tops
	prefix := bits.ReverseBytes64(x) & prefixMasks[bits.TrailingZeros64(quotes)>>3]
	return member{prefix: oddPrefix(prefix), start: start}
}

// sortSpans sorts many members by name, in their place. It reports false if two
// names are equal. Splits that go wrong more often than allowed leave it to the
// standard library.
func (w *writer) sortSpans(spans []span, splits int) bool {
	for len(spans) >= len(w.members) {
		if splits--; splits < 0 {
			slices.SortFunc(spans, func(a, b span) int { return w.compareMembers(w.memberFrom(a.start), w.memberFrom(b.start)) })
			return w.spansAscend(spans)
		}
		middle := w.split(spans)
		if middle < 0 || !w.sortSpans(spans[:middle], splits) {
			return false
		}
		spans = spans[middle+1:]
	}
	members := w.members[:len(spans)]
	for i, s := range spans {
		members[i] = w.memberFrom(s.start)
		members[i].end = s.end
	}
	slices.SortFunc(members, w.compareMembers)
	for i, m := range members {
		spans[i] = span{m.start, m.end}
	}
	return w.ascending(members)
}

// split moves the spans whose names are less than that of one of them before it,
// and gives its place; it is negative if another has the same name.
func (w *writer) split(spans []span) int {
	var tried [9]int
	for i := range tried {
		tried[i] = i * (len(spans) - 1) / (len(tried) - 1)
	}
	slices.SortFunc(tried[:], func(a, b int) int {
		return w.compareMembers(w.memberFrom(spans[a].start), w.memberFrom(spans[b].start))
	})
	last, median := len(spans)-1, tried[len(tried)/2]
	spans[median], spans[last] = spans[last], spans[median]
	pivot, less := w.memberFrom(spans[last].start), 0
	for i, s := range spans[:last] {
		switch c := w.compareMembers(w.memberFrom(s.start), pivot); {
		case c == 0:
			return -1
		case c < 0:
			spans[i], spans[less] = spans[less], s
			less++
		}
	}
	spans[less], spans[last] = spans[last], spans[less]
	return less
}

func (w *writer) spansAscend(spans []span) bool {
	for i := 1; i < len(spans); i++ {
		if w.compareMembers(w.memberFrom(spans[i-1].start), w.memberFrom(spans[i].start)) >= 0 {
			return false
		}
	}
	return true
}
