package result

import "slices"

// A Layer says what an implementation takes from its user, and so where a
// fault can lie: what is judged is always bytes to bytes.
type Layer string

// The layers.
const (
	LayerText  Layer = "text"  // it takes JSON text and reads it itself
	LayerValue Layer = "value" // it takes values; another parser read the text before it
)

// Info says who an implementation is and what it serves. In another process
// it is the implementation's own word for it, hence hostile: escape it before
// it is shown.
type Info struct {
	Name     string // short, lower case: "canon", "gowebpki"
	Version  string // "" if it is not known
	Lineage  string // implementations of one lineage count as one voice; "" if it is not known
	Language string // "go", "javascript"; "" if it is not known
	Layer    Layer  // "" if it is not known
	Homepage string // "" if it is not known
	Command  string // how it was started, "" in process
	Ops      []Op   // what it serves, OpCanon among them
	Reasons  bool   // it speaks the closed list of reasons
	Ours     bool   // it is a part of Touchstone
	Window   int    // how many questions it takes at once, at least 1
}

// Serves reports whether the implementation answers op.
func (i Info) Serves(op Op) bool { return slices.Contains(i.Ops, op) }
