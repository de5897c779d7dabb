package shrink

import (
	"bytes"
	"hash/maphash"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// Minimize gives the smallest text it finds for which keep holds, beginning
// with input and asking keep at most maxTries times. If keep does not hold for
// input itself, a copy of input is returned. keep must not change or hold what
// it is given, and must always answer the same for the same text. Time for a
// try is linear in the text beside keep's own. The result is fresh memory.
func Minimize(input []byte, keep func([]byte) bool, maxTries int) []byte {
	m := &minimizer{best: bytes.Clone(input), keep: keep, left: maxTries, tried: make(map[uint64]struct{})}
	m.work = int64(maxTries) * int64(4*len(input)+64)
	if m.left <= 0 {
		return m.best
	}
	m.left--
	if !keep(m.best) {
		return m.best
	}
	m.try(nil)
	for m.progress = true; m.progress && m.left > 0; {
		m.progress = false
		m.tree()
		m.tokens()
		m.bytes()
	}
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

// seed makes the hash of tried texts; which one it is changes no result unless
// two texts of one run share 64 bits.
var seed = maphash.MakeSeed()

// try makes candidate the best text if it is smaller and keep holds for it.
func (m *minimizer) try(candidate []byte) bool {
	if m.work -= int64(len(candidate)) + 1; m.work < 0 {
		m.left = 0
	}
	if m.left <= 0 || !smaller(candidate, m.best) {
		return false
	}
	h := maphash.Bytes(seed, candidate)
	if _, again := m.tried[h]; again {
		return false
	}
	m.tried[h] = struct{}{}
	m.left--
	if !m.keep(candidate) {
		return false
	}
	m.best = append(m.best[:0:0], candidate...)
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
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range a {
		if a[i] != b[i] {
			return rank[a[i]] < rank[b[i]]
		}
	}
	return false
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

// chunks calls remove with ever smaller ranges of n things, from the last to
// the first, until single ones have been tried; remove reports whether the
// range is gone. It is what delta debugging calls reducing to complements.
func (m *minimizer) chunks(n int, remove func(from, to int) bool) {
	for size := n; size > 0 && m.left > 0; size /= 2 {
		for to := n; to > 0 && m.left > 0; {
			from := max(to-size, 0)
			if remove(from, to) {
				n -= to - from
			}
			to = from
		}
	}
}

// outline is the grammar's, of the best text.
func (m *minimizer) outline() []grammar.Part { return grammar.Outline(m.best) }
