package canon

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// Members stand in source order, and are put in order when their object ends.
// A small object is put in order at once. A larger one, and one around such, is
// noted, and put in order together with those around it in one pass: moving each
// at once would move its bytes again for every object around it. So the work is
// linear in the text, however deep it is nested.

// smallObject is how many bytes the members of an object may have that is put
// in order at once; so few are nested in so many that moving each is cheap.
const smallObject = 1024

// A gatherer holds what has been put off.
type gatherer struct {
	kept     []span // the members of the objects put off, each object's in order
	pending  []pending
	children []int32 // those in the objects that are assembled
	scratch  []byte
}

// A span is a piece of the copy.
type span struct{ start, end uint32 }

// A pending object is one that has been put off. They stand in the order in
// which they end, so that the objects inside one stand just before it.
type pending struct {
	span               // from the first member to the closing brace
	kept, count uint32 // its members in gatherer.kept
	under       uint32 // how many pending objects it is the outermost of, itself among them
}

const (
	keptSize    = 8
	pendingSize = 20
)

func (g *gatherer) held() int {
	return keptSize*cap(g.kept) + pendingSize*cap(g.pending) + 4*cap(g.children) + len(g.scratch)
}

// arrange puts the members from base on in order, which end at a place of the
// copy. It reports false if two names are equal. Objects of the same names come
// again and again, so the order of the last one like it is tried before any
// sorting.
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
	kept := w.putOff(len(members), first, end)
	for i, m := range members {
		kept[i] = span{m.start, m.end}
	}
	w.settle(base)
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

// oddPrefix makes the first bytes of a name a prefix: 0 if a backslash is among
// them.
func oddPrefix(prefix uint64) uint64 {
	x := prefix ^ '\\'*ones
	switch found := (x - ones) &^ x; {
	case (found|prefix)&tops == 0:
		return prefix
	case found&tops != 0:
		return 0
	}
	return unitOrder(prefix)
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
	return compareNamesAt(w.copied, int(a.start), int(b.start))
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
		w.putOffRanked(members, ranks, int(memberAt(members, 0).start), end)
		w.settle(base)
	default:
		w.putOffRanked(members, ranks[known.from:known.to], first, stop)
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

// putOffRanked notes an object of few members, of which those of these ranks move.
func (w *writer) putOffRanked(members []member, ranks []uint8, first, end int) {
	kept := w.putOff(len(ranks), first, end)
	for i, rank := range ranks {
		kept[i] = spanOf(members, int(rank), end)
	}
}

// putOff notes an object and makes room for its members, which the caller must
// fill in in order.
func (g *gatherer) putOff(count, first, end int) []span {
	c := len(g.pending) - 1
	for c >= 0 && int(g.pending[c].start) >= first {
		c -= int(g.pending[c].under)
	}
	from := len(g.kept)
	g.pending = append(g.pending, pending{span{uint32(first), uint32(end)}, uint32(from), uint32(count), uint32(len(g.pending) - c)})
	if need := from + count; need > cap(g.kept) {
		grown := make([]span, from, need+need/8)
		copy(grown, g.kept)
		g.kept = grown
	}
	g.kept = g.kept[:from+count]
	return g.kept[from:]
}

// settle puts the last pending object in order now if that is cheap: if it is
// of moderate size and in no other object, or if much has been put off, moving it
// costs no more than what was noted of it, and there is memory for that. base is
// where its members begin.
func (w *writer) settle(base int) {
	const moderate = 64 << 10
	last := len(w.pending) - 1
	p := &w.pending[last]
	size := int(p.end - p.start)
	innermost := last - int(p.under) + 1
	kept := int(w.pending[innermost].kept)
	noted := keptSize*(len(w.kept)-kept) + pendingSize*int(p.under)
	all := keptSize*len(w.kept) + pendingSize*len(w.pending)
	switch {
	case base+len(w.starts) == 0 && size <= moderate:
	case size <= smallObject:
	case size <= 2*noted && all > w.size/2 && all+size <= w.size+w.size/2:
	default:
		return
	}
	w.to = textOf(w.room(size))
	w.assemble(0, last, false)
	copy(piece(w.body, int(p.start), int(p.end)), w.scratch[:size])
	w.kept, w.pending = w.kept[:kept], w.pending[:innermost]
}

// room gives a scratch buffer for size bytes and outputSlack.
func (g *gatherer) room(size int) []byte {
	if len(g.scratch) < size+outputSlack {
		g.scratch = make([]byte, max(size, 2*smallObject)+outputSlack)
	}
	return g.scratch
}

// assemble copies the members of a pending object in order, with those inside
// it, to w.to, and gives the place behind. It emits them if that is final.
func (w *writer) assemble(o, object int, final bool) int {
	p := &w.pending[object]
	base := len(w.children)
	for c := object - 1; c > object-int(p.under); c -= int(w.pending[c].under) {
		w.children = append(w.children, int32(c)) // the last one first
	}
	children := w.children[base:]
	for i, m := range w.kept[p.kept : p.kept+p.count] {
		if i > 0 {
			putByte(w.to, o, ',')
			o++
		}
		at := int(m.start)
		if len(children) > 0 {
			k := sort.Search(len(children), func(k int) bool { return w.pending[children[k]].start < m.start })
			for k--; k >= 0 && w.pending[children[k]].start < m.end; k-- {
				c := int(children[k])
				o = w.copySpan(o, at, int(w.pending[c].start), final)
				o = w.assemble(o, c, final)
				at = int(w.pending[c].end)
			}
		}
		o = w.copySpan(o, at, int(m.end), final)
	}
	w.children = w.children[:base]
	return o
}

// copySpan copies a piece of the copy to w.to, or emits it.
func (w *writer) copySpan(o, from, end int, final bool) int {
	if final {
		return w.emit(o, from, end)
	}
	copyRest(w.to, o, w.body, from, end-from)
	return o + end - from
}

// appendBody appends the copy, which is so long, to dst as it must be.
func (w *writer) appendBody(dst []byte, length int) []byte {
	if len(w.pending) == 0 && !w.holes && !w.grown {
		return append(dst, w.copied[:length]...)
	}
	if w.alone {
		f, _ := parseFloat(bytes.TrimSpace(w.src))
		return appendFloat(dst, f)
	}
	n := length + w.delta
	if cap(dst)-len(dst) < n {
		dst = slices.Grow(dst, n+outputSlack)
	}
	w.output = dst[len(dst):cap(dst)]
	w.to, w.limit = textOf(w.output), len(w.output)-outputSlack
	w.putOff(1, 0, length)[0] = span{0, uint32(length)}
	w.assemble(0, len(w.pending)-1, w.holes || w.grown || n > w.limit)
	return dst[:len(dst)+n]
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
