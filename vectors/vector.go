package vectors

import (
	"bytes"
	"slices"
	"sync"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// The verdicts of an Expectation.
const (
	Accept = "accept" // give the output
	Reject = "reject" // refuse
	Either = "either" // refuse, or give the output
)

// The operations whose inputs are vectors. They are those of the line protocol
// that take an input of their own.
const (
	OpCanon     = "canon"     // a JSON text to its canonical form
	OpGraph     = "graph"     // a value graph to its snapshot
	OpJS        = "js"        // a JavaScript expression to its snapshot
	OpHash      = "hash"      // agent, tool and arguments to the proposal hash
	OpLifecycle = "lifecycle" // a tool-call scenario to its trace
)

// Ops lists the operations, OpCanon first.
func Ops() []string { return []string{OpCanon, OpGraph, OpJS, OpHash, OpLifecycle} }

// The statuses of a vector.
const (
	Stable  = "stable"  // its verdict will not change
	Draft   = "draft"   // its verdict may still change; findings on it are notes
	Retired = "retired" // kept for its id alone, judged no more
)

// The kinds of a Relation.
const (
	// SameOutput: both inputs mean the same and have one canonical form.
	SameOutput = "same-output"
	// DifferentOutput: a collision pair. Their canonical forms differ, or
	// exactly one is refused; who gives both the same bytes lets one signature
	// stand for two documents.
	DifferentOutput = "different-output"
)

// A Vector is one input with what each profile says of it. Its slices and its
// map are shared by all callers and must not be changed.
type Vector struct {
	ID    string // permanent slug
	Title string // what it shows, in a few words
	Topic string // the file it stands in, such as "numbers"
	Op    string // an element of Ops
	Input []byte
	// Expect has a verdict for each profile that judges Op: all three for
	// OpCanon, RFC0016 alone for the rest.
	Expect    map[reject.Profile]Expectation
	Clauses   []string   // requirement ids, the one most at stake first
	Flags     []string   // names of Flags
	Relations []Relation // to other vectors; each stands at one end alone
	// Digest is the lower-case hex SHA-256 of the output under RFC0016, and
	// Proposal its proposal hash for agent "Support Agent" and tool
	// "search_docs"; empty where the vector is not about values.
	Digest, Proposal string
	Source           string // where the input or the idea comes from
	Note             string // why the verdict is what it is, where that is not plain
	Since            string // the release that brought it
	Status           string // Stable, Draft or Retired
}

// An Expectation is one profile's verdict.
type Expectation struct {
	Verdict string // Accept, Reject or Either
	// Output is the canonical form; nil with Reject.
	Output []byte
	// Also holds further right outputs: the other neighbour where ECMA-262
	// leaves the rounding of more than 20 significant digits open.
	Also [][]byte
	// Reasons holds every reason that a refusal may give, the one of least
	// offset first; nil with Accept.
	Reasons []reject.Reason
	// Offset is the byte offset of the first fault, -1 where it is not stated.
	Offset int
}

// Right reports whether out is a right output.
func (e Expectation) Right(out []byte) bool {
	return e.Verdict != Reject && (bytes.Equal(out, e.Output) ||
		slices.ContainsFunc(e.Also, func(b []byte) bool { return bytes.Equal(out, b) }))
}

// Outputs gives every right output, the best one first; none if every profile
// rejects. A profile decides whether there is an output, never which.
func (v Vector) Outputs() [][]byte {
	for _, p := range reject.Profiles() {
		if e := v.Expect[p]; e.Output != nil {
			return append([][]byte{e.Output}, e.Also...)
		}
	}
	return nil
}

// A Relation ties a vector to another one.
type Relation struct {
	Kind string `json:"kind"` // SameOutput or DifferentOutput
	With string `json:"with"` // the other vector's id
}

type suite struct {
	vectors []Vector
	index   map[string]int
	flags   []Flag
}

// embeddedSuite panics on faulty files: they are compiled in, and the tests
// read every one of them.
var embeddedSuite = sync.OnceValue(func() suite {
	all, flags, err := Load(embedded)
	if err != nil {
		panic(err)
	}
	index := make(map[string]int, len(all))
	for i, v := range all {
		index[v.ID] = i
	}
	return suite{all, index, flags}
})

// All gives every vector, by topic and in the order of its file, retired ones
// too. The slice is the caller's own, what its elements refer to is shared.
func All() []Vector { return slices.Clone(embeddedSuite().vectors) }

// Lookup finds a vector by its id.
func Lookup(id string) (Vector, bool) {
	s := embeddedSuite()
	i, ok := s.index[id]
	if !ok {
		return Vector{}, false
	}
	return s.vectors[i], true
}
