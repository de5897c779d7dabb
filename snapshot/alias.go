package snapshot

import (
	"unsafe"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// Two containers of a Go value are one if changing the one changes the other:
// the same map, or slices that share an element. The first kind is told by
// the map's pointer, the second by ranges of addresses. Ranges that have been
// taken never overlap, since the first overlap ends the walk; so only the
// neighbours of a new range need looking at, and a search tree finds them. A
// walk over n containers costs O(n log n), and a value in which every container
// is shared twice ends at the first repetition, however deep it is.
//
// Addresses are kept as pointers, not as numbers: that makes what they point
// to live on the heap, where it stays, even if the caller's compiler could have
// left it on a stack that moves.

// taken holds the containers that a walk has entered.
type taken struct {
	maps  map[unsafe.Pointer]bool // true while the map is open
	spans []span                  // a treap over first; spans[0] is no span
	root  int32
	few   [fewMaps]mapState
	count int // of few
}

// mapState is a map that has been entered; a handful is searched faster one
// by one than by hashing.
type mapState struct {
	at   unsafe.Pointer
	open bool
}

const fewMaps = 8

// span is the memory of a slice's elements: the addresses of its first and its last byte.
type span struct {
	first, end  unsafe.Pointer
	left, right int32
	weight      uint32
	open        bool
}

// reset forgets everything, so that nothing is kept alive.
func (t *taken) reset() {
	clear(t.few[:t.count])
	t.count, t.root = 0, 0
	if len(t.maps) > 1024 {
		t.maps = nil
	}
	clear(t.maps)
	if cap(t.spans) > 4096 {
		t.spans = nil
	}
	clear(t.spans)
	t.spans = t.spans[:0]
}

// enterMap notes a map, or says why it cannot be entered.
func (t *taken) enterMap(m map[string]any) reject.Reason {
	at := mapPointer(m)
	for i := range t.few[:t.count] {
		if t.few[i].at == at {
			return seen(t.few[i].open)
		}
	}
	if t.count < fewMaps {
		t.few[t.count] = mapState{at, true}
		t.count++
		return reject.None
	}
	if open, found := t.maps[at]; found {
		return seen(open)
	}
	if t.maps == nil {
		t.maps = make(map[unsafe.Pointer]bool)
	}
	t.maps[at] = true
	return reject.None
}

// leaveMap notes that a map has been read to its end.
func (t *taken) leaveMap(m map[string]any) {
	at := mapPointer(m)
	for i := range t.few[:t.count] {
		if t.few[i].at == at {
			t.few[i].open = false
			return
		}
	}
	t.maps[at] = false
}

// mapPointer is what tells a map from every other: the runtime's pointer to it.
func mapPointer(m map[string]any) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m))
}

// enterSlice notes a slice that is not empty and gives its number for
// leaveSlice, or says why it cannot be entered.
func (t *taken) enterSlice(s []any) (int32, reject.Reason) {
	first := unsafe.Pointer(unsafe.SliceData(s))
	end := unsafe.Add(first, len(s)*int(unsafe.Sizeof(s[0]))-1) // inside the array, so that it keeps nothing else alive
	if i := t.overlapping(first, end); i != 0 {
		return 0, seen(t.spans[i].open)
	}
	if len(t.spans) == 0 {
		t.spans = append(t.spans, span{})
	}
	i := int32(len(t.spans))
	t.spans = append(t.spans, span{first: first, end: end, weight: scatter(uint32(i)), open: true})
	t.root = t.insert(t.root, i)
	return i, reject.None
}

func (t *taken) leaveSlice(i int32) { t.spans[i].open = false }

// overlapping finds the innermost open span that shares memory with the range,
// any other if none is open, or 0. Taken spans are disjoint but the range may
// cover several; an open one among them makes a cycle.
func (t *taken) overlapping(first, end unsafe.Pointer) int32 {
	found := int32(0)
	t.visit(t.root, first, end, func(i int32) {
		if found == 0 || t.spans[i].open {
			found = i
		}
	})
	return found
}

// visit calls do for every span of a subtree that shares memory with the range.
func (t *taken) visit(i int32, first, end unsafe.Pointer, do func(int32)) {
	for i != 0 {
		s := &t.spans[i]
		switch {
		case uintptr(end) < uintptr(s.first):
			i = s.left
		case uintptr(s.end) < uintptr(first):
			i = s.right
		default:
			do(i)
			t.visit(s.left, first, end, do)
			i = s.right
		}
	}
}

// insert puts span i into the subtree and gives the subtree's new root.
func (t *taken) insert(root, i int32) int32 {
	if root == 0 {
		return i
	}
	r, s := &t.spans[root], &t.spans[i]
	if s.weight > r.weight {
		s.left, s.right = t.split(root, s.first)
		return i
	}
	if uintptr(s.first) < uintptr(r.first) {
		r.left = t.insert(r.left, i)
	} else {
		r.right = t.insert(r.right, i)
	}
	return root
}

// split parts a subtree into what lies before the address and what lies behind.
func (t *taken) split(root int32, at unsafe.Pointer) (before, behind int32) {
	if root == 0 {
		return 0, 0
	}
	r := &t.spans[root]
	if uintptr(r.first) < uintptr(at) {
		r.right, behind = t.split(r.right, at)
		return root, behind
	}
	before, r.left = t.split(r.left, at)
	return before, root
}

// scatter gives the weights of a treap: fixed, so that runs are alike, and
// without relation to the order of addresses.
func scatter(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

func seen(open bool) reject.Reason {
	if open {
		return reject.Cycle
	}
	return reject.RepeatedReference
}
