package grammar

import (
	"math/bits"
	"math/rand/v2"
)

// A Source decides. Choose gives a number of 0 to n-1; n is at least 1. An
// answer outside is a fault of the Source and may panic.
type Source interface {
	Choose(n int) int
}

// Seeded is a Source that draws from a PCG generator. One seed and one stream
// always give the same choices, on every machine. Not safe for concurrent use.
type Seeded struct{ pcg rand.PCG }

// NewSeeded gives the Source of a seed and a stream. A campaign takes one seed
// and gives each case its number as the stream, so that any case can be had
// again alone.
func NewSeeded(seed, stream uint64) *Seeded {
	s := new(Seeded)
	s.Reset(seed, stream)
	return s
}

// Reset begins again with another seed and stream, without allocating.
func (s *Seeded) Reset(seed, stream uint64) {
	// Streams are often 0, 1, 2, ...: mixed, so that neighbours share nothing.
	s.pcg.Seed(mix(seed), mix(stream^bits.RotateLeft64(seed, 32)))
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Choose draws a number of 0 to n-1.
func (s *Seeded) Choose(n int) int {
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(hi)
}

// Bytes is a Source that reads its choices from bytes, as a fuzzer gives them:
// one byte for up to 256 ways, two for more, four for more than 65,536. When
// the bytes are used up every choice is 0, the simplest.
type Bytes struct{ rest []byte }

// NewBytes gives the Source that reads data. The data is not changed or copied.
func NewBytes(data []byte) *Bytes { return &Bytes{data} }

// Reset begins again with other bytes, without allocating.
func (b *Bytes) Reset(data []byte) { b.rest = data }

// Choose reads the next choice.
func (b *Bytes) Choose(n int) int {
	width := 1
	switch {
	case n > 1<<16:
		width = 4
	case n > 1<<8:
		width = 2
	}
	x := 0
	for ; width > 0 && len(b.rest) > 0; width-- {
		x = x<<8 | int(b.rest[0])
		b.rest = b.rest[1:]
	}
	return x % n
}

// Record is a Source that remembers what another one chose: a test can replay
// the choices, and change them. Ways holds how many ways there were.
type Record struct {
	From    Source
	Choices []int
	Ways    []int
}

// Choose asks From and remembers the answer.
func (r *Record) Choose(n int) int {
	c := r.From.Choose(n)
	r.Choices, r.Ways = append(r.Choices, c), append(r.Ways, n)
	return c
}

// Replay is a Source that gives recorded choices again; one that no longer
// fits is bounded, and after the last one every choice is 0.
type Replay struct{ Choices []int }

// Choose gives the next recorded choice.
func (r *Replay) Choose(n int) int {
	if len(r.Choices) == 0 {
		return 0
	}
	c := r.Choices[0]
	r.Choices = r.Choices[1:]
	return min(max(c, 0), n-1)
}
