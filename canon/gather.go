package canon

import (
	"cmp"
	"slices"
)

// Members are staged in source order and put in order when their object ends.
// That moves an object's bytes once for each unsorted object around them, so
// there is a budget: when it is used up, objects are left as they are and
// noted, and all are put in order in one pass at the end. Either way the work
// is linear in the text, however deep it is nested.

// moveBudget is how many bytes may be moved at once for each byte of text.
const moveBudget = 4

// A gatherer holds what has been put off.
type gatherer struct {
	budget  int
	kept    []span // the members of the objects put off, each object's in order
	pending []pending
	scratch []byte
	frames  []frameOf
}

// A span is a piece of the output.
type span struct{ start, end uint32 }

// A pending object is one that has been put off. They stand in the order in
// which they end, so that the objects inside one stand just before it.
type pending struct {
	span               // from the first member to the closing brace
	kept, count uint32 // its members in gatherer.kept
	under       uint32 // how many pending objects it is the outermost of, itself among them
}

func (g *gatherer) held() int {
	return 8*cap(g.kept) + 20*cap(g.pending) + cap(g.scratch) + 40*cap(g.frames)
}

// arrange puts the members from base on in order, which stand in out from first
// to end. It reports false if two names are equal.
func (w *writer) arrange(base, first, end int) bool {
	members := w.members[base:w.top]
	if len(members) <= smallObject && w.arrangeSmall(members, first, end) {
		return true
	}
	for i := range members { // the size of the name makes room for the member's end
		m, stop := &members[i], end
		if i+1 < len(members) {
			stop = int(members[i+1].start) - 1
		}
		m.size = m.size&oddName | uint32(stop)
	}
	if !w.ascending(members) {
		slices.SortFunc(members, w.compareMembers)
		if !w.ascending(members) {
			return false
		}
		w.place(members, first, end)
	}
	return true
}

// compareMembers orders members by name.
func (w *writer) compareMembers(a, b member) int {
	if (a.size|b.size)&oddName == 0 && a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return compareNames(nameAt(w.out, int(a.start)), nameAt(w.out, int(b.start)))
}

// ascending reports whether each member's name is beyond the one before.
func (w *writer) ascending(members []member) bool {
	for i := 1; i < len(members); i++ {
		if w.compareMembers(members[i-1], members[i]) >= 0 {
			return false
		}
	}
	return true
}

const smallObject = 16

// arrangeSmall is arrange for few members whose names differ in their first
// eight bytes and have no odd one among them; it reports whether that is so.
// Each member's rank is the number of lesser ones.
func (w *writer) arrangeSmall(members []member, first, end int) bool {
	var order [smallObject]uint8
	odd, seen := uint32(0), uint32(0)
	for i := range members {
		m := memberAt(members, i)
		odd |= m.size
		rank := 0
		for j := range members {
			less := 0
			if memberAt(members, j).prefix < m.prefix {
				less = 1
			}
			rank += less
		}
		order[rank&(smallObject-1)] = uint8(i)
		seen |= 1 << rank
	}
	if odd&oddName != 0 || seen != 1<<len(members)-1 {
		return false
	}
	if w.mustWait(first, end) {
		from := len(w.kept)
		for _, i := range order[:len(members)] {
			w.kept = append(w.kept, w.spanOf(members, int(i), end))
		}
		w.putOff(from, first, end)
		return true
	}
	to, out := w.room(end-first), w.out
	o := 0
	for _, i := range order[:len(members)] {
		s := w.spanOf(members, int(i), end)
		p, size := int(s.start), int(s.end-s.start)
		copy32(to, o, out, p)
		if size > 32 {
			copyRest(to, o+32, out, p+32, size-32)
		}
		o += size
		putByte(to, o, ',')
		o++
	}
	copyBack(out, first, to, o-1)
	return true
}

// copyBack copies size bytes from the beginning of scratch to out and no more.
func copyBack(out []byte, o int, scratch []byte, size int) {
	if size >= 32 && size <= 256 {
		p := 0
		for ; p <= size-32; p += 32 {
			copy32(out, o+p, scratch, p)
		}
		copy32(out, o+size-32, scratch, size-32)
		return
	}
	copy(out[o:o+size], scratch[:size])
}

func (w *writer) spanOf(members []member, i, end int) span {
	s := span{memberAt(members, i).start, uint32(end)}
	if i+1 < len(members) {
		s.end = memberAt(members, i+1).start - 1
	}
	return s
}

// mustWait reports whether an object must be put off.
func (w *writer) mustWait(first, end int) bool {
	if n := len(w.pending); n > 0 && int(w.pending[n-1].start) >= first {
		return true
	}
	w.budget -= end - first
	return w.budget < 0
}

// place moves sorted members to their places, or puts that off.
func (w *writer) place(members []member, first, end int) {
	if w.mustWait(first, end) {
		from := len(w.kept)
		for _, m := range members {
			w.kept = append(w.kept, span{m.start, m.size &^ oddName})
		}
		w.putOff(from, first, end)
		return
	}
	to, o := w.room(end-first), 0
	for _, m := range members {
		o += copy(to[o:], w.out[m.start:m.size&^oddName])
		to[o] = ','
		o++
	}
	copyBack(w.out, first, to, o-1)
}

// room gives a scratch buffer for size bytes and outputSlack.
func (g *gatherer) room(size int) []byte {
	if len(g.scratch) < size+outputSlack {
		g.scratch = make([]byte, max(2*size, 1024)+outputSlack)
	}
	return g.scratch
}

// putOff notes an object whose members in order are the kept ones from number
// from on.
func (g *gatherer) putOff(from, first, end int) {
	under := uint32(1)
	for c := len(g.pending) - 1; c >= 0 && int(g.pending[c].start) >= first; {
		under += g.pending[c].under
		c -= int(g.pending[c].under)
	}
	g.pending = append(g.pending, pending{span{uint32(first), uint32(end)}, uint32(from), uint32(len(g.kept) - from), under})
}

// gather puts all pending objects in order and gives the length of the output,
// which does not change.
func (g *gatherer) gather(out []byte, length int) int {
	for c := len(g.pending) - 1; c >= 0; c -= int(g.pending[c].under) {
		g.assemble(out, c)
	}
	return length
}

// A frameOf is a pending object that is being written, backwards.
type frameOf struct {
	object int
	left   int // members not yet written
	start  int // of the member being written, -1 if none is
	cut    int // where what is written of it begins
	child  int // the last pending object that may lie before the cut
}

// assemble puts a pending object and those inside it in order. It writes from
// the end to the beginning, since the objects inside a piece of text are the
// ones that end last before the end of it. Each byte is copied once.
func (g *gatherer) assemble(out []byte, root int) {
	region := g.pending[root].span
	size := int(region.end - region.start)
	to := g.room(size)
	o := size
	frames := append(g.frames[:0], frameOf{object: root, left: int(g.pending[root].count), start: -1})
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		p := &g.pending[f.object]
		if f.start < 0 {
			if f.left == 0 {
				frames = frames[:len(frames)-1]
				continue
			}
			f.left--
			s := g.kept[int(p.kept)+f.left]
			f.start, f.cut = int(s.start), int(s.end)
			f.child = g.lastInside(f.object, s.end)
		}
		if c := f.child; c >= 0 && c > f.object-int(p.under) && int(g.pending[c].start) >= f.start {
			inner := &g.pending[c]
			o -= copyEnd(to, o, out[inner.end:f.cut])
			f.cut, f.child = int(inner.start), c-int(inner.under)
			frames = append(frames, frameOf{object: c, left: int(inner.count), start: -1})
			continue
		}
		o -= copyEnd(to, o, out[f.start:f.cut])
		f.start = -1
		if f.left > 0 {
			o--
			to[o] = ','
		}
	}
	g.frames = frames
	copy(out[region.start:region.end], to[:size])
}

// copyEnd copies piece so that it ends at o.
func copyEnd(to []byte, o int, piece []byte) int { return copy(to[o-len(piece):o], piece) }

// lastInside gives the last pending object inside the given one that ends at
// or before end, -1 if there is none.
func (g *gatherer) lastInside(object int, end uint32) int {
	least := object - int(g.pending[object].under) + 1
	if least == object {
		return -1
	}
	inside := g.pending[least:object]
	n, _ := slices.BinarySearchFunc(inside, end+1, func(p pending, e uint32) int { return cmp.Compare(p.end, e) })
	return least + n - 1
}
