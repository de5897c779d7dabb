package grammar_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// A document has no more values than its size allows, and a string that is as
// long as others of a document only near its beginning.
func TestSizesAreBounds(t *testing.T) {
	const few, array, upTo5, upTo12, text, about255, empty = 18, 2, 26, 82, 44, 95, 40
	letters := strings.Repeat("a", 256)
	for want, choices := range map[string][]int{
		"[null,null,null,null,null]": {0, few, 0, array, upTo12, 6},
		`["` + letters + `","` + letters + `","` + letters + `","` + letters + `",""]`: {0, few, 0, array, upTo5, 3,
			text, 0, about255, 2, 0, 0, text, 0, about255, 2, 0, 0, text, 0, about255, 2, 0, 0, text, 0, about255, 2, 0, 0, text, 1<<13 - 1, empty},
		`["` + letters + `","` + letters + `","` + letters + `","` + letters[1:] + `","` + strings.Repeat("a", 4088) + `"]`: {0, few, 0, array, upTo5, 3,
			text, 0, about255, 2, 0, 0, text, 0, about255, 2, 0, 0, text, 0, about255, 2, 0, 0, text, 0, about255, 1, 0, 0, text, 1<<13 - 1, 0, 0, 0, 0},
	} {
		if doc := grammar.Document(&grammar.Replay{Choices: choices}); string(doc) != want {
			t.Errorf("%.2000s, want %s", doc, want)
		}
	}
}

// noted is a Source that adds to a sum how many ways it was asked to choose of,
// and takes the first or the last of them more often than another would.
type noted struct {
	from  *grammar.Seeded
	edges int // one choice in so many is the last, one the first
	sum   hash.Hash64
}

func (n *noted) Choose(ways int) int {
	n.add(ways)
	if n.edges > 0 {
		switch n.from.Choose(n.edges) {
		case 0:
			return ways - 1
		case 1:
			return 0
		}
	}
	return n.from.Choose(ways)
}

// add adds numbers, texts and the names of features to the sum.
func (n *noted) add(v any) {
	switch v := v.(type) {
	case int:
		n.sum.Write(binary.AppendUvarint(nil, uint64(v)))
	case []byte:
		n.add(len(v))
		n.sum.Write(v)
	case grammar.Set:
		for _, f := range v.List() {
			n.add([]byte(f.String()))
		}
	default:
		n.add(fmt.Append(nil, v))
	}
}

// What a seed draws stays as it is: minima, measured tables and the seeds of
// reports rest on it. Whoever changes it on purpose writes the new sums here.
func TestWhatIsDrawnStays(t *testing.T) {
	var g, m grammar.Generator
	s := &noted{from: grammar.NewSeeded(0, 0)}
	for _, c := range []struct {
		name         string
		edges, texts int
		draw         func(src []byte) []any
		want         uint64
	}{
		{"documents", 0, 1000, func([]byte) []any { return []any{g.Document(s), g.Features()} }, 0xb28b901dec55d800},
		{"more documents", 0, 4000, func([]byte) []any { return []any{g.Document(s), g.Features()} }, 0xa974560bc264d0f8},
		{"rare documents", 20, 1500, func([]byte) []any { return []any{g.Append([]byte("before"), s), g.Features()} }, 0xf0dd4757928f816c},
		{"pairs", 0, 2000, func([]byte) []any { a, b, r := g.Pair(s); return []any{a, b, r, g.Features()} }, 0x10cc1c297bb12017},
		{"rare pairs", 20, 1000, func([]byte) []any { a, b, r := g.Pair(s); return []any{a, b, r, g.Features()} }, 0xbcc42e067698b83c},
		{"mutants", 0, 3000, func(src []byte) []any { return []any{m.Mutate(s, src, 300), m.Features()} }, 0xb7400fe0a4140f19},
		{"other spellings", 0, 2000, func(src []byte) []any { text, ok := m.Respell(s, src); return []any{text, ok, m.Features()} }, 0xc65a4dce6a9597d2},
		{"altered texts", 0, 2000, func(src []byte) []any { text, ok := m.Alter(s, src); return []any{text, ok, m.Features()} }, 0x251fce7b6fa1865d},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.edges, s.sum = c.edges, fnv.New64a()
			for i := range uint64(c.texts) {
				s.from.Reset(22, i)
				src := bytes.Clone(g.Document(s.from))
				for _, v := range c.draw(src) {
					s.add(v)
				}
			}
			if got := s.sum.Sum64(); got != c.want {
				t.Errorf("%#x, want %#x", got, c.want)
			}
		})
	}
}

// A text that ends near the end of a block is one that blanks made so.
func TestTextsNearBlocks(t *testing.T) {
	const word, last4096, lastString, lastText = 44, 6, 1<<13 - 1, 1<<11 - 1
	for end, blanks := range map[int]int{2: 0, 3: 1, 4: 2} {
		// One string of 4,094 letters, without other choices, and then blanks behind it.
		s := &grammar.Replay{Choices: []int{0, 0, 0, word, lastString, last4096, 0, 0, 0, 0, 0, lastText, 0, end, 0, 0}}
		var g grammar.Generator
		if doc := g.Document(s); len(doc) != 4096+blanks || g.Features().Has(grammar.TextNear4096) != (blanks > 0) {
			t.Errorf("%d blanks: %d bytes, %v", blanks, len(doc), g.Features().List())
		}
	}
}
