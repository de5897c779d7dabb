package numbers

import "slices"

// A Checkpoint is a published fact about the sequence: the size and the
// SHA-256 of its first lines.
type Checkpoint struct {
	Lines  int64
	Bytes  int64
	SHA256 string // lower-case hexadecimal
}

// From testdata/README.md of github.com/cyberphone/json-canonicalization.
var published = [...]Checkpoint{
	{1_000, 37967, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"},
	{10_000, 399022, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"},
	{100_000, 4031728, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"},
	{1_000_000, 40357417, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"},
	{10_000_000, 403630048, "b9f8a44a91d46813b21b9602e72f112613c91408db0b8341fb94603d9db135e0"},
	{100_000_000, 4036326174, "0f7dda6b0837dde083c5d6b896f7d62340c8a2415b0c7121d83145e08a755272"},
}

// Published lists the checkpoints, the shortest first.
func Published() []Checkpoint { return slices.Clone(published[:]) }

// publishedAt finds the checkpoint at a number of lines.
func publishedAt(lines int64) (Checkpoint, bool) {
	for _, c := range published {
		if c.Lines == lines {
			return c, true
		}
	}
	return Checkpoint{}, false
}
