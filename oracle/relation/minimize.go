package relation

import (
	"context"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Minimizer makes an input smaller while keep holds, with at most tries calls
// of keep. shrink.Minimize is one.
type Minimizer func(input []byte, keep func([]byte) bool, tries int) []byte

// Minimize gives a breach with less evidence: the document made smaller while
// the relation stays broken with the same effect, or a pair drawn again with
// fewer choices. seed is the one of the run. A breach that is about order is
// left as it is. At most tries trials are asked.
func Minimize(ctx context.Context, s Subject, b Breach, seed uint64, minimize Minimizer, tries int) Breach {
	if b.Relation.Name == Repeated || tries <= 0 {
		return b
	}
	m := &minimizer{ctx: ctx, s: s, best: b, left: tries}
	if b.Pair {
		m.pair(seed)
		return m.best
	}
	if minimize != nil {
		minimize(b.Input, func(input []byte) bool {
			return !(b.Relation.exact && eitherWay(input)) && m.broken(b.Relation, input)
		}, tries)
	}
	return m.best
}

type minimizer struct {
	ctx  context.Context
	s    Subject
	best Breach
	left int
}

func (m *minimizer) ask(questions []result.Question) []result.Answer {
	if m.ctx.Err() != nil {
		return nil
	}
	return m.s.Ask(m.ctx, questions)
}

// broken asks a relation of an input, and makes it the best evidence if it is
// broken in the same way.
func (m *minimizer) broken(one Relation, input []byte) bool {
	if m.left--; m.left < 0 || m.ctx.Err() != nil {
		return false
	}
	t := alone(&trial{relation: one, input: append([]byte(nil), input...), number: m.best.Number, pair: m.best.Pair}, m.ask)
	b := t.breach()
	if b == nil {
		return false
	}
	if b = withPartner(b, m.ask); b.Effect != m.best.Effect || b.Two() != m.best.Two() {
		return false
	}
	b.Relation = m.best.Relation
	m.best = *b
	return true
}

// pair draws the pair again, with choices left out or made smaller, while the
// two texts get shorter.
func (m *minimizer) pair(seed uint64) {
	record := grammar.Record{From: grammar.NewSeeded(seed, m.best.Number)}
	a, b, kind := pairOf(&record)
	choices, size := record.Choices, len(a)+len(b)
	try := func(candidate []int) bool {
		a, b, r := pairOf(&grammar.Replay{Choices: candidate})
		if r != kind || len(a)+len(b) >= size || slices.ContainsFunc([][]byte{a, b}, eitherWay) || !m.broken(ofPair(r, b), a) {
			return false
		}
		choices, size = candidate, len(a)+len(b)
		return true
	}
	for before := size + 1; size < before; {
		before = size
		for width := len(choices); width > 0; width /= 2 {
			for at := 0; at+width <= len(choices); {
				if !try(without(choices, at, width)) {
					at += width
				}
			}
		}
		for at, c := range choices {
			_ = slices.ContainsFunc(smaller(c), func(value int) bool { return try(with(choices, at, value)) })
		}
	}
}

// smaller lists what is tried in place of a choice.
func smaller(choice int) []int { return []int{0, choice / 2, max(choice-1, 0)} }

func without(choices []int, at, n int) []int {
	return append(append([]int(nil), choices[:at]...), choices[at+n:]...)
}

func with(choices []int, at, value int) []int {
	c := append([]int(nil), choices...)
	c[at] = value
	return c
}
