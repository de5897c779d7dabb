// Package scenario plays tool-call scenarios on package toolcall. A scenario
// says, in JSON, what an agent's tools, schema, policy and handler do, who
// changes what and when, and what is approved and resumed; its trace is what a
// runtime does then, call by call. docs/lifecycle.md specifies both, and
// snapshot/toolcall/reference derives traces from the rules alone.
package scenario

import (
	"errors"
	"fmt"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Scenario is the whole of it.
type Scenario struct {
	Format  int      `json:"format"` // 1
	Agent   string   `json:"agent"`
	Issuers []string `json:"issuers,omitempty"` // whose grants count
	Surface string   `json:"surface,omitempty"` // "", "accepts" or "refuses"
	Tools   []Tool   `json:"tools"`
	Steps   []Step   `json:"steps"`
}

// A Tool is a tool and what its callbacks do.
type Tool struct {
	Name         string `json:"name"`
	Exclusive    bool   `json:"exclusive,omitempty"`
	DirectOnly   bool   `json:"directOnly,omitempty"`
	Boundary     bool   `json:"boundary,omitempty"`
	ActivityKind string `json:"activityKind,omitempty"`
	DisplayName  string `json:"displayName,omitempty"`

	// A script that is left out is identity, show, allow or succeed.
	Schema     *Script `json:"schema,omitempty"`
	Projection *Script `json:"projection,omitempty"`
	Policy     *Script `json:"policy,omitempty"`
	Handler    *Script `json:"handler,omitempty"`
}

// A Script is what one callback does: first the mutations, then the edits of its
// own value, then the deed.
type Script struct {
	Does      string     `json:"does"`
	Value     any        `json:"value,omitempty"` // of does: value
	Graph     any        `json:"graph,omitempty"` // of does: graph
	Names     []string   `json:"names,omitempty"` // of does: hide
	Edits     []Edit     `json:"edits,omitempty"`
	Mutations []Mutation `json:"mutations,omitempty"`
}

// A Mutation changes a value that some attempt's callback was handed.
type Mutation struct {
	Of    string `json:"of"`   // the attempt
	What  string `json:"what"` // one of Handed
	Edits []Edit `json:"edits"`
}

// Handed lists what can be mutated.
func Handed() []string {
	return []string{"call.providerOptions", "schema.input", "schema.output", "surface.input", "projection.input",
		"policy.requested", "policy.parsed", "proposal.parsed", "handler.arguments"}
}

// A Step is one thing that happens.
type Step struct {
	Do string `json:"do"`
	As string `json:"as,omitempty"` // the name of the attempt or grant that comes of it

	// call
	Tool            string  `json:"tool,omitempty"`
	Arguments       *string `json:"arguments,omitempty"`
	ArgumentsHex    string  `json:"argumentsHex,omitempty"`
	Invocation      string  `json:"invocation,omitempty"`
	Call            string  `json:"call,omitempty"`
	Origin          string  `json:"origin,omitempty"`
	Step            *string `json:"step,omitempty"`
	Turn            string  `json:"turn,omitempty"`
	Visibility      string  `json:"visibility,omitempty"`
	ParentCall      string  `json:"parentCall,omitempty"`
	ParentOperation string  `json:"parentOperation,omitempty"`
	Intent          string  `json:"intent,omitempty"`
	ProviderOptions any     `json:"providerOptions,omitempty"`

	// call, resume
	Grant string `json:"grant,omitempty"`
	Hold  string `json:"hold,omitempty"` // the callback in which the attempt stops until it is released

	// resume, release, mutate: an attempt
	Of string `json:"of,omitempty"`

	// grant
	For     string `json:"for,omitempty"`  // the attempt whose proposal is approved
	Hash    string `json:"hash,omitempty"` // or a hash
	ID      string `json:"id,omitempty"`   // As if left out
	Issuer  string `json:"issuer,omitempty"`
	Expires int64  `json:"expires,omitempty"`
	Bind    *Bind  `json:"bind,omitempty"`
	Forged  bool   `json:"forged,omitempty"`

	At    int64  `json:"at,omitempty"`    // clock: seconds
	Fails bool   `json:"fails,omitempty"` // store
	What  string `json:"what,omitempty"`  // mutate
	Edits []Edit `json:"edits,omitempty"` // mutate

	// change: scripts that are left out stay
	Schema     *Script `json:"schema,omitempty"`
	Projection *Script `json:"projection,omitempty"`
	Policy     *Script `json:"policy,omitempty"`
	Handler    *Script `json:"handler,omitempty"`
}

// A Bind ties a grant to one call.
type Bind struct {
	Invocation string `json:"invocation"`
	Call       string `json:"call"`
}

// MaxText bounds the text of a scenario, MaxSteps its steps, and MaxWork the
// product of the two: each step may give all of the text to each callback.
const (
	MaxText  = 1 << 20
	MaxSteps = 1000
	MaxWork  = 64 << 20
)

// ErrMalformed says that a text is no scenario, and so has no trace.
var ErrMalformed = errors.New("scenario: malformed")

// Check says whether a text is a scenario; if not, its error is ErrMalformed.
// Steps that name what is not there are told by Run alone.
func Check(text []byte) error {
	_, err := parse(text)
	return err
}

func parse(text []byte) (s Scenario, err error) {
	if len(text) > MaxText {
		return s, fmt.Errorf("%w: longer than %d bytes", ErrMalformed, MaxText)
	}
	whole, err := snapshot.Decode(text)
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if s, err = snapshot.As[Scenario](whole, snapshot.RefuseUnknown, snapshot.RefuseMissing); err != nil {
		return s, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if len(s.Steps) > MaxSteps {
		return s, fmt.Errorf("%w: more than %d steps", ErrMalformed, MaxSteps)
	}
	if len(text)*len(s.Steps) > MaxWork {
		return s, fmt.Errorf("%w: a text of this length has at most %d steps", ErrMalformed, MaxWork/len(text))
	}
	return s, nil
}

// Run plays a scenario and gives its trace, in canonical form. A malformed
// scenario is ErrMalformed; one with a value that Go cannot express is
// reference.ErrInexpressible. It may be called concurrently.
func Run(text []byte) ([]byte, error) {
	s, err := parse(text)
	if err != nil {
		return nil, err
	}
	session, err := Start(s)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	trace := []any{}
	for i, step := range s.Steps {
		entries, err := session.Do(step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		trace = append(trace, entries...)
	}
	if len(session.held) > 0 {
		return nil, fmt.Errorf("%w: %d attempts are held for ever", ErrMalformed, len(session.held))
	}
	out, err := snapshot.Options{MaxDepth: -1, MaxOutput: -1}.Of(trace)
	return out.AppendCanonical(nil), err
}
