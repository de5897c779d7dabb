package vectors

import "slices"

// A Flag names a kind of bug that a vector shows. The list is closed and stands
// in flags.json.
type Flag struct {
	Name   string `json:"name"`
	Bug    string `json:"bug"`    // what such an implementation does
	Effect string `json:"effect"` // what that means to a signer, in the words of oracle/result
}

// Flags lists every flag. The slice is the caller's own.
func Flags() []Flag { return slices.Clone(embeddedSuite().flags) }
