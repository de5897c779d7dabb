package snapshot

import "github.com/touchstone-oracle/touchstone/canon"

// Options bound and sharpen what is taken. The zero Options are those of the
// package's functions. An Options value is plain data and may be shared.
type Options struct {
	// MaxDepth is how deep containers may nest; [] is 1 deep. 0 means 1,000.
	// It is never more than 100,000, which a negative value asks for.
	MaxDepth int
	// MaxInput bounds the bytes of a text. 0 means 16 MiB, negative no limit.
	MaxInput int
	// MaxOutput bounds the bytes of the canonical form. 0 means 64 MiB,
	// negative no limit.
	MaxOutput int
	// Lossless refuses number text whose decimal value differs from that of its
	// canonical form (inexact_number), where Decode would round.
	Lossless bool
	// ShowNames puts member names into the pointers of errors. Names are
	// payload: ask only where the payload may be shown, and escape them before
	// they reach a terminal.
	ShowNames bool
}

const (
	defaultDepth  = 1000
	deepest       = 100_000 // a recursion of this depth fits Go's stack many times
	defaultOutput = 64 << 20
)

// Depth gives the limit of depth that is in force.
func (o Options) Depth() int {
	switch {
	case o.MaxDepth == 0:
		return defaultDepth
	case o.MaxDepth < 0 || o.MaxDepth > deepest:
		return deepest
	}
	return o.MaxDepth
}

// Output gives the limit on the bytes of the canonical form that is in force.
func (o Options) Output() int {
	switch {
	case o.MaxOutput == 0:
		return defaultOutput
	case o.MaxOutput < 0:
		return int(^uint(0) >> 1)
	}
	return o.MaxOutput
}

// canon gives the options under which canon takes exactly the texts of the domain.
func (o Options) canon() canon.Options {
	return canon.Options{
		MaxDepth: o.Depth(), MaxInput: o.MaxInput, MaxOutput: o.Output(), // 0 means 16 MiB of input there too
		RefuseNegativeZero: true, RefuseInexact: o.Lossless,
	}
}
