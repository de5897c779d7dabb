package shrink

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
)

// Minimize gives the smallest text it finds for which keep holds, beginning
// with input and asking keep at most maxTries times. If keep does not hold for
// input itself, a copy of input is returned. keep must not change or hold what
// it is given, and must always answer the same for the same text. Time for a
// try is linear in the text beside keep's own. The result is fresh memory.
func Minimize(input []byte, keep func([]byte) bool, maxTries int) []byte {
	m := newMinimizer(input, keep, maxTries)
	m.spend(func() {
		if !m.ask(m.best) {
			return
		}
		m.try(nil)
		for m.progress = true; m.progress; {
			m.progress = false
			m.tree()
			m.tokens()
			m.bytes()
		}
	})
	return m.best
}

// minimizer is one run of Minimize.
type minimizer struct {
	best     []byte
	keep     func([]byte) bool
	left     int   // tries
	work     int64 // bytes of candidates that may still be made
	tried    map[uint64]struct{}
	scratch  []byte
	progress bool
}

func newMinimizer(input []byte, keep func([]byte) bool, maxTries int) *minimizer {
	return &minimizer{
		best: bytes.Clone(input), keep: keep, left: maxTries, work: int64(maxTries) * int64(4*len(input)+64),
		tried: make(map[uint64]struct{}),
	}
}

// spent is what ends the steps when there are no tries left, or no bytes: they
// do not look at the budget themselves.
type spent struct{}

// spend makes steps until they end or the budget does.
func (m *minimizer) spend(steps func()) {
	defer func() {
		switch r := recover(); r {
		case nil, spent{}:
		default:
			panic(r)
		}
	}()
	steps()
}

// ask asks keep, if that may be asked again.
func (m *minimizer) ask(text []byte) bool {
	if m.left <= 0 {
		panic(spent{})
	}
	m.left--
	return m.keep(text)
}

// seed makes the hash of tried texts; which one it is changes no result unless
// two texts of one run share 64 bits.
var seed = maphash.MakeSeed()

// try makes candidate the best text if it is smaller and keep holds for it.
func (m *minimizer) try(candidate []byte) bool {
	if m.work -= int64(len(candidate)) + 1; m.work < 0 {
		panic(spent{})
	}
	if !smaller(candidate, m.best) {
		return false
	}
	h := maphash.Bytes(seed, candidate)
	if _, again := m.tried[h]; again {
		return false
	}
	m.tried[h] = struct{}{}
	if !m.ask(candidate) {
		return false
	}
	m.best = bytes.Clone(candidate)
	m.progress = true
	return true
}

// splice tries the best text with a part replaced.
func (m *minimizer) splice(from, to int, text []byte) bool {
	m.scratch = append(m.scratch[:0], m.best[:from]...)
	m.scratch = append(m.scratch, text...)
	m.scratch = append(m.scratch, m.best[to:]...)
	return m.try(m.scratch)
}

// smaller is the measure: shorter, then plainer.
func smaller(a, b []byte) bool {
	plainer := func(x, y byte) int { return rank[x] - rank[y] }
	return cmp.Or(len(a)-len(b), slices.CompareFunc(a, b, plainer)) < 0
}

// rank orders bytes by plainness.
var rank = func() (r [256]int) {
	next := 1
	give := func(c int) {
		if r[c] == 0 {
			r[c] = next
			next++
		}
	}
	for _, c := range "0123456789aA" {
		give(int(c))
	}
	for c := 0x20; c < 0x7F; c++ {
		give(c)
	}
	for c := range 256 {
		give(c)
	}
	return r
}()

// oneOf tries things until one helps.
func oneOf[T any](all []T, try func(T) bool) bool { return slices.ContainsFunc(all, try) }

// chunks calls remove with ever smaller ranges of n things, from the last to
// the first, until single ones have been tried; remove reports whether the
// range is gone. It is what delta debugging calls reducing to complements.
func chunks(n int, remove func(from, to int) bool) {
	left := n
	for halved := range bits.Len(uint(n)) {
		for to := left; to > 0; {
			from := max(to-n>>halved, 0)
			if remove(from, to) {
				left -= to - from
			}
			to = from
		}
	}
}
