package grammar

// kind is the kind of a value.
type kind uint8

const (
	kindNull kind = iota
	kindTrue
	kindFalse
	kindNumber
	kindString
	kindArray
	kindObject
)

// span is a part of one of the arenas.
type span struct{ from, to int32 }

func (s span) len() int { return int(s.to - s.from) }

// node is a value of the tree. Values are held in one slice, their characters
// and digits in two others, so that a document costs no allocation.
type node struct {
	kind kind
	// neg and exp belong to a number: (-1)^neg · digits · 10^exp.
	neg  bool
	exp  int32
	text span // digits of a number, characters of a string
	// bits is the double the number was made from, if any.
	bits uint64
	// first and last are a container's children, next the one behind a value.
	first, last, next int32 // or none; last only if count is not 0
	count             int32
	name              span // of a member
}

// none stands for the index of a node that is not there.
const none = -1

// char is a code point, surrogates included: a lone one can only be escaped.
type char = uint32

// rawByte plus a byte is no character: the byte itself stands in the text.
const rawByte char = 0x110000

// tree is the value of a document.
type tree struct {
	nodes  []node
	chars  []char
	digits []byte
	root   int32
}

func (t *tree) reset() {
	t.nodes, t.chars, t.digits = t.nodes[:0], t.chars[:0], t.digits[:0]
}

func (t *tree) add(k kind) int32 {
	t.nodes = append(t.nodes, node{kind: k, first: none, next: none})
	return int32(len(t.nodes) - 1)
}

// adopt makes child the last child of parent.
func (t *tree) adopt(parent, child int32) {
	p := &t.nodes[parent]
	if p.count == 0 {
		p.first = child
	} else {
		t.nodes[p.last].next = child
	}
	p.last = child
	p.count++
}

// str adds characters.
func (t *tree) str(s string) span {
	from := int32(len(t.chars))
	for _, r := range s {
		t.chars = append(t.chars, char(r))
	}
	return span{from, int32(len(t.chars))}
}

func (t *tree) charsOf(s span) []char { return t.chars[s.from:s.to] }

// sameName reports whether two names are one name: equal code units.
func (t *tree) sameName(a, b span) bool {
	x, y := t.charsOf(a), t.charsOf(b)
	if len(x) == len(y) {
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
		return true
	}
	return false
}

// hasName reports whether an object has a member of the name.
func (t *tree) hasName(object int32, name span) bool {
	for c := t.nodes[object].first; c != none; c = t.nodes[c].next {
		if t.sameName(t.nodes[c].name, name) {
			return true
		}
	}
	return false
}
