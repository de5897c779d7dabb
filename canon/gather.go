package canon

import (
	"cmp"
	"math/bits"
	"slices"
)

// Members are staged in source order and put in order when their object ends.
// A small object is put in order at once. A larger one, and one around such, is
// noted, and put in order together with those around it in one pass: moving each
// at once would move its bytes again for every object around it. So the work is
// linear in the text, however deep it is nested.

// smallObject is how many bytes the members of an object may have that is put
// in order at once; so few are nested in so many that moving each is cheap.
const smallObject = 1024

// A gatherer holds what has been put off.
type gatherer struct {
	kept     []piecePutOff // the members of the objects put off, each object's in order
	pending  []pending
	children []int32 // those in the object that is put in order
	scratch  []byte

	// What has been edited: pending pieces of the text that are replaced.
	edits    []byte // what they become
	edited   int    // how many bytes these are
	lastEdit int    // the last edit in pending, -1 if there is none
	joined   bool   // the edit that has begun goes on with that one
}

// A span is a piece of the output.
type span struct{ start, end uint32 }

// A piecePutOff is a member of a pending object.
type piecePutOff struct {
	span
	child int32 // the first pending object that may be in it, -1 if none is
}

// A pending object is one that has been put off. They stand in the order in
// which they end, so that the objects inside one stand just before it. Edits stand
// among them: pieces that are replaced by others, and have nothing inside.
type pending struct {
	span               // from the first member to the closing brace, or what is replaced
	kept, count uint32 // its members in gatherer.kept; of an edit, how many bytes it is
	under       uint32 // how many pending objects it is the outermost of, itself among them
	next        int32  // the next one in the same pending object, -1 if there is none
	at          uint32 // where the next edit stood in gatherer.edits; with isEdit, this one
}

// isEdit is set in pending.at of an edit.
const isEdit = 1 << 31

func (g *gatherer) held() int {
	return 12*cap(g.kept) + 28*cap(g.pending) + 4*cap(g.children) + len(g.scratch) + len(g.edits)
}

// arrange puts the members from base on in order, which stand in out up to end.
// It reports false if two names are equal. Objects of the same names come again
// and again, so the order of the last one like it is tried before any sorting.
func (w *writer) arrange(base, end int) bool {
	members := w.members[base:w.top]
	if len(members) > rememberedOrder {
		return w.arrangeMany(base, end)
	}
	hash := uint64(0)
	for i := range members {
		hash = bits.RotateLeft64(hash, 5) ^ members[i].prefix
	}
	hash *= hashFactor
	known := &w.orders[hash>>(64-7)]
	if known.hash == hash && known.count == len(members) && w.propose(known, base, end) {
		return true
	}
	known.hash, known.count = hash, len(members)
	for i := range members {
		known.ranks[i] = uint8(i)
	}
	ranks := known.ranks[:len(members)]
	slices.SortFunc(ranks, func(a, b uint8) int { return w.compareMembers(members[a], members[b]) })
	known.from, known.to = 0, len(members)
	for known.from < known.to && int(ranks[known.from]) == known.from {
		known.from++
	}
	for known.from < known.to && int(ranks[known.to-1]) == known.to-1 {
		known.to--
	}
	return w.propose(known, base, end)
}

// arrangeMany is arrange for any number of members.
func (w *writer) arrangeMany(base, end int) bool {
	members := w.members[base:w.top]
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
	from, child := w.putOff(len(members), first, end)
	children := w.children[:0]
	for ; child >= 0; child = w.pending[child].next {
		children = append(children, child)
	}
	w.children = children
	defer w.settle(base)
	for i, m := range members {
		inside := int32(-1)
		if len(children) > 0 {
			n, _ := slices.BinarySearchFunc(children, m.start, func(c int32, start uint32) int { return cmp.Compare(w.pending[c].start, start) })
			if n < len(children) {
				inside = children[n]
			}
		}
		w.kept[from+i] = piecePutOff{span{m.start, m.end}, inside}
	}
	return true
}

// prefixOf gives the prefix of a name without escapes, from a word that begins
// with its size bytes.
func prefixOf(word uint64, size int) uint64 {
	prefix := bits.ReverseBytes64(word) & prefixMasks[min(uint(size), 8)]
	if prefix&tops != 0 {
		prefix = unitOrder(prefix)
	}
	return prefix
}

// unitOrder makes lead bytes 0xEE and 0xEF greater than those of characters
// beyond the basic plane, which are surrogates in UTF-16 and come before U+E000:
// so the bytes of characters compare as code units.
func unitOrder(x uint64) uint64 {
	y := x ^ 0xEE*ones
	differ := y&(0x7E*ones) + 0x7F*ones | y
	return x + ^differ&tops>>4
}

// prefixMasks keep the first bytes of a name that has so many.
var prefixMasks = [9]uint64{
	0, 0xFF << 56, 0xFFFF << 48, 0xFFFFFF << 40, 0xFFFFFFFF << 32,
	0xFFFFFFFFFF << 24, 0xFFFFFFFFFFFF << 16, 0xFFFFFFFFFFFFFF << 8, 0xFFFFFFFFFFFFFFFF,
}

// compareMembers orders members by name.
func (w *writer) compareMembers(a, b member) int {
	if a.prefix != b.prefix && a.prefix != 0 && b.prefix != 0 {
		return cmp.Compare(a.prefix, b.prefix)
	}
	if a.prefix != 0 && b.prefix != 0 {
		if a.prefix&0xFF == 0 {
			return 0 // neither goes on: no byte of a name is zero
		}
		if c, sure := compareTails(w.body, int(a.start)+9, int(b.start)+9); sure {
			return c
		}
	}
	return compareNamesAt(w.bytes, int(a.start), int(b.start))
}

// compareTails compares names from two places on; each ends with a quotation
// mark. It is not sure if an escape may be where they differ or end.
func compareTails(out text, a, b int) (c int, sure bool) {
	for before := uint64(0); ; a, b = a+8, b+8 {
		x, y := load64(out, a), load64(out, b)
		differ := x ^ y
		if differ == 0 && !hasByte(x, '"') {
			before = x
			continue
		}
		if hasByte(before, '\\') || hasByte(x, '\\') || byte(y>>(bits.TrailingZeros64(differ)&56)) == '\\' {
			return 0, false
		}
		shift := bits.TrailingZeros64(differ) &^ 7 // 64 if they are equal
		if quoteBefore(x, shift) {
			return 0, true
		}
		u, v := byte(x>>shift), byte(y>>shift)
		if u == '"' || v != '"' && unitOrder(uint64(u)) < unitOrder(uint64(v)) {
			return -1, true
		}
		return 1, true
	}
}

// quoteBefore reports whether a quotation mark is among the lowest bits of x.
func quoteBefore(x uint64, count int) bool {
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
	hash     uint64
	count    int
	from, to int // the members that it moves
	ranks    [rememberedOrder]uint8
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

const (
	rememberedOrder  = 64  // the most members of an order that is remembered
	rememberedOrders = 128 // how many are

	hashFactor = 0x9E3779B97F4A7C15
)

// propose puts members in an order if their names ascend strictly in it, and
// reports whether they do.
func (w *writer) propose(known *order, base, end int) bool {
	members := w.members[base:w.top]
	ranks := known.ranks[:len(members)]
	last := memberAt(members, int(ranks[0]))
	for _, i := range ranks[1:] {
		m := memberAt(members, int(i))
		if (last.prefix >= m.prefix || last.prefix == 0) && w.compareMembers(*last, *m) >= 0 {
			return false
		}
		last = m
	}
	if known.from == known.to {
		return true
	}
	first, stop := int(memberAt(members, known.from).start), end
	if known.to < len(members) {
		stop = int(memberAt(members, known.to).start) - 1
	}
	// Is anything pending in what moves, or behind it?
	inside, behind := false, false
	for c, tries := len(w.pending)-1, 0; c >= 0 && int(w.pending[c].start) >= first; c -= int(w.pending[c].under) {
		if tries++; int(w.pending[c].start) < stop || tries > 4 {
			inside = true
			break
		}
		behind = true
	}
	switch {
	case !inside && stop-first <= smallObject:
		w.move(members, ranks[known.from:known.to], first, stop)
	case behind:
		w.putOffRanked(members, 0, ranks, int(memberAt(members, 0).start), end)
		w.settle(base)
	default:
		w.putOffRanked(members, known.from, ranks[known.from:known.to], first, stop)
		w.settle(base)
	}
	return true
}

// moveBytes is move for any machine.
func (w *writer) moveBytes(members []member, ranks []uint8, first, stop int) {
	to, o := textOf(w.room(stop-first)), 0
	for _, i := range ranks {
		o = copyMember(to, o, w.body, spanOf(members, int(i), stop))
	}
	copyBack(w.body, first, to, o-1)
}

// copyMember copies a member and a comma, and gives the place behind.
func copyMember(to text, o int, out text, s span) int {
	p, size := int(s.start), int(s.end-s.start)
	copy32(to, o, out, p)
	if size > inlineCopy {
		copyRest(to, o+32, out, p+32, size-32)
	} else {
		for at := 32; at < size; at += 64 {
			copy32(to, o+at, out, p+at)
			copy32(to, o+at+32, out, p+at+32)
		}
	}
	o += size
	putByte(to, o, ',')
	return o + 1
}

// copyBack copies size bytes from the beginning of scratch to out and no more.
func copyBack(out text, o int, scratch text, size int) {
	if size < 32 || size > inlineCopy {
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

// putOffRanked notes an object of few members, of which those from one on move.
func (w *writer) putOffRanked(members []member, from int, ranks []uint8, first, end int) {
	at, child := w.putOff(len(ranks), first, end)
	var children [rememberedOrder]int32
	for i := from; i < from+len(ranks); i++ {
		children[i&(rememberedOrder-1)] = child
		if child >= 0 {
			for stop := spanOf(members, i, end).end; child >= 0 && w.pending[child].start < stop; {
				child = w.pending[child].next
			}
		}
	}
	kept := w.kept[at:]
	for i, rank := range ranks {
		kept[i] = piecePutOff{spanOf(members, int(rank), end), children[rank&(rememberedOrder-1)]}
	}
}

// putOff notes an object and makes room for its members, which the caller must
// fill in in order, from the first place on. It gives the first of the pending
// objects inside, chained by next.
func (g *gatherer) putOff(count, first, end int) (from int, child int32) {
	child = -1
	c := len(g.pending) - 1
	for c >= 0 && int(g.pending[c].start) >= first {
		g.pending[c].next = child
		child = int32(c)
		c -= int(g.pending[c].under)
	}
	from = len(g.kept)
	g.pending = append(g.pending, pending{span{uint32(first), uint32(end)}, uint32(from), uint32(count), uint32(len(g.pending) - c), -1, uint32(g.edited)})
	g.kept = slices.Grow(g.kept, count)[:from+count]
	return from, child
}

// settle puts the last pending object in order now if that is cheap: if it is
// of moderate size and in no other object, or if too much has been put off and
// moving it costs no more than what was noted of it. An object with edits, of
// which small ones are settled too, becomes an edit. base is where its members
// begin.
func (w *writer) settle(base int) {
	const moderate = 64 << 10
	last := len(w.pending) - 1
	p := &w.pending[last]
	size := int(p.end - p.start)
	innermost := last - int(p.under) + 1
	kept := int(w.pending[innermost].kept)
	noted := 12*(len(w.kept)-kept) + 28*int(p.under)
	switch {
	case base == 0 && size <= moderate:
	case size <= smallObject:
	case size <= 2*noted && size <= w.size/4 && 12*len(w.kept)+28*len(w.pending) > w.size/2:
	default:
		return
	}
	if w.lastEdit < innermost {
		to := w.room(size)
		w.assemble(textOf(to), 0, w.body, last)
		copy(piece(w.body, int(p.start), int(p.end)), to[:size])
		w.kept, w.pending = w.kept[:kept], w.pending[:innermost]
		return
	}
	// The texts of all edits in it stand last, and its own takes their place.
	from, to := int(w.pending[innermost].at&^isEdit), w.edited
	if need := to + size + to - from; need+outputSlack > len(w.edits) {
		w.growEdits(need)
	}
	end := w.assemble(textOf(w.edits), to, w.body, last)
	copy(w.edits[from:], w.edits[to:end])
	s := p.span
	w.kept, w.pending, w.edited = w.kept[:kept], w.pending[:innermost], from
	w.addEdit(s, from+end-to)
}

// addEdit notes that a piece becomes what was written up to a place in edits.
func (g *gatherer) addEdit(s span, end int) {
	g.lastEdit = len(g.pending)
	g.pending = append(g.pending, pending{s, uint32(len(g.kept)), uint32(end - g.edited), 1, -1, uint32(g.edited) | isEdit})
	g.edited = end
}

// growEdits makes room for edits up to a place, and outputSlack.
func (g *gatherer) growEdits(end int) {
	grown := make([]byte, max(end+outputSlack, len(g.edits)+len(g.edits)/4, smallObject))
	copy(grown, g.edits)
	g.edits = grown
}

// room gives a scratch buffer for size bytes and outputSlack.
func (g *gatherer) room(size int) []byte {
	if len(g.scratch) < size+outputSlack {
		g.scratch = make([]byte, max(size, 2*smallObject)+outputSlack)
	}
	return g.scratch
}

// gather puts all pending objects in order. The copy of the text, which nobody
// needs any more, serves as scratch if it is long enough.
func (w *writer) gather() {
	for c := len(w.pending) - 1; c >= 0; c -= int(w.pending[c].under) {
		p := w.pending[c].span
		size := int(p.end - p.start)
		to := w.copied
		if len(to) < size+outputSlack {
			to = w.room(size)
		}
		w.assemble(textOf(to), 0, w.body, c)
		copy(piece(w.body, int(p.start), int(p.end)), to[:size])
	}
}

// assemble copies the members of a pending object in order, with those inside
// it, and gives the place behind.
func (g *gatherer) assemble(to text, o int, out text, object int) int {
	p := &g.pending[object]
	for i := range g.kept[p.kept : p.kept+p.count] {
		m := &g.kept[int(p.kept)+i]
		at := int(m.start)
		for c := m.child; c >= 0 && g.pending[c].start < m.end; c = g.pending[c].next {
			inner := &g.pending[c]
			o = copySpan(to, o, out, at, int(inner.start))
			if inner.at&isEdit != 0 {
				from := int(inner.at &^ isEdit)
				o = copySpan(to, o, textOf(g.edits), from, from+int(inner.count))
			} else {
				o = g.assemble(to, o, out, int(c))
			}
			at = int(inner.end)
		}
		o = copySpan(to, o, out, at, int(m.end))
		putByte(to, o, ',')
		o++
	}
	return o - 1
}

// copyLong copies the string at p, of size bytes with its quotation marks, but
// for the first 32. It is false if the string may be longer than allowed.
func (w *writer) copyLong(o, p, size int) bool {
	if size-2 > w.stringBytes {
		return false
	}
	copyRest(w.out, o+32, w.in, p+32, size-32)
	return true
}

// copyRest copies size bytes, and up to 31 more.
func copyRest(out text, o int, in text, p, size int) {
	if size > inlineCopy {
		copy(piece(out, o, o+size), piece(in, p, p+size))
		return
	}
	for size > 0 {
		copy32(out, o, in, p)
		o, p, size = o+32, p+32, size-32
	}
}

// copySpan copies a piece of out, and up to 31 bytes more.
func copySpan(to text, o int, out text, from, end int) int {
	copyRest(to, o, out, from, end-from)
	return o + end - from
}
