package canon

import (
	"cmp"
	"math/bits"
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

// arrange puts the members from base on in order, which stand in out up to end.
// It reports false if two names are equal. Objects of the same names come again
// and again, so the order of the last one like it is tried before any sorting.
func (w *writer) arrange(base, end int, hash uint64) bool {
	members := w.members[base:w.top]
	if len(members) > rememberedOrder {
		return w.arrangeMany(members, end)
	}
	known := &w.orders[hash>>(64-7)]
	if known.hash == hash && known.count == len(members) && w.propose(known, members, end) {
		return true
	}
	known.hash, known.count, known.still = hash, len(members), true
	for i := range members {
		known.ranks[i] = uint8(i)
	}
	slices.SortFunc(known.ranks[:len(members)], func(a, b uint8) int { return w.compareMembers(members[a], members[b]) })
	for i := range members {
		known.still = known.still && int(known.ranks[i]) == i
	}
	return w.propose(known, members, end)
}

// arrangeMany is arrange for any number of members.
func (w *writer) arrangeMany(members []member, end int) bool {
	first := int(members[0].start)
	for i := range members {
		members[i].end = spanOf(members, i, end).end
	}
	if w.ascending(members) {
		return true
	}
	slices.SortFunc(members, w.compareMembers)
	if !w.ascending(members) {
		return false
	}
	if w.mustWait(first, end) {
		from := len(w.kept)
		for _, m := range members {
			w.kept = append(w.kept, span{m.start, m.end})
		}
		w.putOff(from, first, end)
		return true
	}
	to, o := textOf(w.room(end-first)), 0
	for _, m := range members {
		o = copyMember(to, o, w.out, span{m.start, m.end})
	}
	copyBack(w.out, first, to, o-1)
	return true
}

// compareMembers orders members by name.
func (w *writer) compareMembers(a, b member) int {
	switch {
	case a.prefix == 0 || b.prefix == 0:
		return compareNames(nameAt(w.staged, int(a.start)), nameAt(w.staged, int(b.start)))
	case a.prefix != b.prefix:
		return cmp.Compare(a.prefix, b.prefix)
	case a.prefix&0xFF == 0:
		return 0 // neither goes on: no byte of a name is zero
	}
	return compareTails(w.out, int(a.start)+9, int(b.start)+9)
}

// compareTails compares names of plain characters from two places on; each
// ends with a quotation mark.
func compareTails(out text, a, b int) int {
	for {
		x, y := load64(out, a), load64(out, b)
		if differ := x ^ y; differ != 0 {
			shift := bits.TrailingZeros64(differ) &^ 7
			c, d := byte(x>>shift), byte(y>>shift)
			if quoteBefore(x, shift) {
				return 0
			}
			if c == '"' || d != '"' && c < d {
				return -1
			}
			return 1
		}
		if quoteBefore(x, 64) {
			return 0
		}
		a, b = a+8, b+8
	}
}

// quoteBefore reports whether a quotation mark is among the lowest bits of x.
func quoteBefore(x uint64, count int) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	x ^= '"' * ones
	found := (x - ones) &^ x & tops
	return found != 0 && bits.TrailingZeros64(found) < count
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

// An order is one in which members that look alike have been put before: that
// of the object whose names had this hash. It is proposed, never trusted.
type order struct {
	hash  uint64
	count int
	still bool // the members were in order
	ranks [rememberedOrder]uint8
}

const (
	rememberedOrder  = 64  // the most members of an order that is remembered
	rememberedOrders = 128 // how many are

	hashFactor = 0x9E3779B97F4A7C15
)

// propose puts members in an order if their names ascend strictly in it, and
// reports whether they do.
func (w *writer) propose(known *order, members []member, end int) bool {
	ranks := known.ranks[:len(members)]
	last := memberAt(members, int(ranks[0]))
	for _, i := range ranks[1:] {
		m := memberAt(members, int(i))
		if (last.prefix >= m.prefix || last.prefix == 0) && w.compareMembers(*last, *m) >= 0 {
			return false
		}
		last = m
	}
	if known.still {
		return true
	}
	first := int(memberAt(members, 0).start)
	if w.mustWait(first, end) {
		from := len(w.kept)
		for _, i := range ranks {
			w.kept = append(w.kept, spanOf(members, int(i), end))
		}
		w.putOff(from, first, end)
		return true
	}
	to, o := textOf(w.room(end-first)), 0
	for _, i := range ranks {
		o = copyMember(to, o, w.out, spanOf(members, int(i), end))
	}
	copyBack(w.out, first, to, o-1)
	return true
}

// copyMember copies a member and a comma, and gives the place behind.
func copyMember(to text, o int, out text, s span) int {
	p, size := int(s.start), int(s.end-s.start)
	copy32(to, o, out, p)
	for at := 32; at < size; at += 32 {
		copy32(to, o+at, out, p+at)
	}
	o += size
	putByte(to, o, ',')
	return o + 1
}

// copyBack copies size bytes from the beginning of scratch to out and no more.
func copyBack(out text, o int, scratch text, size int) {
	if size < 32 || size > 256 {
		copy(piece(out, o, o+size), piece(scratch, 0, size))
		return
	}
	for p := 0; p <= size-32; p += 32 {
		copy32(out, o+p, scratch, p)
	}
	copy32(out, o+size-32, scratch, size-32)
}

func spanOf(members []member, i, end int) span {
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
