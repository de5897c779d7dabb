package numbers

import (
	"crypto/sha256"
	"encoding/binary"
)

const (
	serialStart = 0x0010000000000000 // the least normal double
	serialCount = 2000
	wordsPerSum = sha256.Size / 8
	exponent    = 0x7FF << 52
	magnitude   = 1<<63 - 1
)

// A Sequence gives the bit patterns one after the other. The zero Sequence
// stands before the first. It is not safe for concurrent use.
type Sequence struct {
	index int
	sum   [sha256.Size]byte // of 32 zero bytes, then of itself, again and again
	word  int               // of sum, the one to read next; 0: sum is used up
}

// Next gives the next bit pattern: the fixed ones, 2,000 consecutive ones, then
// the little-endian words of an iterated SHA-256, without zeros and without
// patterns that are not finite. It never ends.
func (s *Sequence) Next() uint64 {
	i := s.index
	s.index++
	if i < len(fixed) {
		return fixed[i]
	}
	if i < len(fixed)+serialCount {
		return serialStart + uint64(i-len(fixed))
	}
	for {
		if bits := s.random(); usable(bits) {
			return bits
		}
	}
}

// usable reports whether a pattern is finite and not zero.
func usable(bits uint64) bool { return bits&magnitude != 0 && bits&exponent != exponent }

func (s *Sequence) random() uint64 {
	if s.word == 0 {
		s.sum = sha256.Sum256(s.sum[:])
	}
	bits := binary.LittleEndian.Uint64(s.sum[8*s.word:])
	s.word = (s.word + 1) % wordsPerSum
	return bits
}
