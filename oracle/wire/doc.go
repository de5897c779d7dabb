// Package wire is the codec of Touchstone's line protocol, version 1, by which
// a harness asks implementations in other processes and in other languages.
// docs/protocol.md specifies it for authors of adapters.
//
// The package knows lines and nothing else: it starts no process, sets no
// clock and judges no answer. Parsing is strict, and what is wrong with a line
// is said with its place and a bounded, escaped quotation. Nothing is kept of
// a line after a call returns, unless the call's documentation says so.
//
// [Serve] is the adapter's side as a loop, for implementations in Go.
package wire

import "slices"

// Version is the protocol's version: the word after hello.
const Version = 1

const (
	// DefaultMaxLine is the longest line, without its line end, that an
	// adapter reads if its greeting does not say more or less: 16 MiB in hex,
	// and 64 bytes for the id and the operation.
	DefaultMaxLine = 2*(16<<20) + 64
	// DefaultWindow is the number of requests in flight if the greeting does
	// not say.
	DefaultWindow = 1
	// MaxGreeting bounds the first line of either side, without its line end.
	MaxGreeting = 4096
	// MaxWindow is the greatest window that a greeting may announce.
	MaxWindow = 65536

	maxID     = 64   // bytes of an id
	maxReason = 64   // bytes of a reason
	maxWord   = 256  // bytes of a name or a version
	minLine   = 1024 // the least maxline
)

var ops = []string{"canon", "verify", "num", "graph", "js", "hash", "lifecycle"}

// Ops lists the operations of the protocol.
func Ops() []string { return slices.Clone(ops) }
