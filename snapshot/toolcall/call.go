package toolcall

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// An Origin says who calls a tool.
type Origin string

// The origins. The zero Origin is FromProvider.
const (
	FromProvider Origin = "provider"  // the model's provider
	FromCode     Origin = "code_mode" // code that the model wrote
)

// A Call is one call of a tool as the model asked for it. Begin copies what it
// needs: the caller may change everything afterwards.
type Call struct {
	Tool string
	// Arguments is the provider's exact text.
	Arguments []byte
	// InvocationID names the agent's run, ProviderCallID the call within it.
	// Both are required.
	InvocationID, ProviderCallID string

	Turn       string
	Origin     Origin
	Visibility string
	ParentCall string // the call within which this one is made
	// ParentOperation is the operation id of ParentCall.
	ParentOperation string
	Intent          string
	// ProviderOptions are recorded as given; nil for none. They must lie in
	// the strict domain.
	ProviderOptions any
	// Step is the step of the agent that the call belongs to; nil for none.
	Step *Step
	// Grant is the evidence of an approval; nil for none.
	Grant *Grant
}

// A Step admits the calls of one step of the agent. It is safe for concurrent
// use, and is not used again for another step.
type Step struct {
	id        string
	mu        sync.Mutex
	admitted  int
	exclusive bool
}

// NewStep makes a step to which no call belongs yet. Its id is for records.
func NewStep(id string) *Step { return &Step{id: id} }

// admit registers a call: an exclusive one runs alone or not at all.
func (s *Step) admit(exclusive bool) bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exclusive || exclusive && s.admitted > 0 {
		return false
	}
	s.admitted++
	s.exclusive = exclusive
	return true
}

// ErrUnknownTool says that the runtime has no tool of that name.
var ErrUnknownTool = errors.New("toolcall: the runtime has no tool of that name")

// A CallError says why a call could not be begun. Nothing of the call was
// recorded. It holds no payload.
type CallError struct {
	Field   string // the field of Call that is at fault
	Problem string
	err     error
}

// Error says what is wrong with which field.
func (e *CallError) Error() string {
	return "toolcall: the call cannot be begun: " + e.Field + " " + e.Problem
}

// Unwrap gives the *reject.Error of faulty provider options.
func (e *CallError) Unwrap() error { return e.err }

// captured is a call as it was when it was begun. Nothing in it is shared.
type captured struct {
	invocation, id       string
	raw                  string
	turn, visibility     string
	origin               Origin
	parentCall, parentOp string
	intent               string
	options              snapshot.Snapshot
	step                 string
	hasStep              bool
	at                   time.Time
	grant                *Grant
	resumes              string // the id of the proposal that is resumed, or ""
}

// capture copies a call, synchronously.
func (k *captured) capture(c *Call, limits snapshot.Options, now time.Time) error {
	*k = captured{
		invocation: c.InvocationID, id: c.ProviderCallID, raw: string(c.Arguments),
		turn: c.Turn, visibility: c.Visibility, origin: c.Origin, at: now,
		parentCall: c.ParentCall, parentOp: c.ParentOperation, intent: c.Intent,
	}
	if k.origin == "" {
		k.origin = FromProvider
	}
	if k.origin != FromProvider && k.origin != FromCode {
		return &CallError{Field: "Origin", Problem: "is neither provider nor code_mode"}
	}
	if c.Step != nil {
		k.step, k.hasStep = c.Step.id, true
	}
	for _, field := range [...]struct{ name, text string }{
		{"InvocationID", k.invocation}, {"ProviderCallID", k.id}, {"Turn", k.turn}, {"Visibility", k.visibility},
		{"ParentCall", k.parentCall}, {"ParentOperation", k.parentOp}, {"Intent", k.intent}, {"Step", k.step},
	} {
		if !utf8.ValidString(field.text) {
			return &CallError{Field: field.name, Problem: "is not UTF-8"}
		}
	}
	if k.invocation == "" {
		return &CallError{Field: "InvocationID", Problem: "is empty"}
	}
	if k.id == "" {
		return &CallError{Field: "ProviderCallID", Problem: "is empty"}
	}
	if c.ProviderOptions != nil {
		options, err := limits.Of(c.ProviderOptions)
		if err != nil {
			return &CallError{Field: "ProviderOptions", Problem: "are outside the strict domain", err: err}
		}
		k.options = options
	}
	if c.Grant != nil {
		grant := c.Grant.clone()
		k.grant = &grant
	}
	return nil
}

// OperationID gives the id under which a call is dispatched: "toolop_" and the
// first 32 hexadecimal digits of the SHA-256 of the JSON list of invocation id
// and provider call id. It says nothing about the arguments. Ids that are not
// UTF-8 are refused.
func OperationID(invocation, providerCall string) (string, error) {
	return identifier("toolop_", invocation, providerCall)
}

// identifier gives a prefix and 32 digits of the hash of the JSON list of texts.
func identifier(prefix string, texts ...string) (string, error) {
	list := make([]byte, 0, 192)
	list = append(list, '[')
	for i, text := range texts {
		if i > 0 {
			list = append(list, ',')
		}
		var err error
		if list, err = canon.AppendString(list, text); err != nil {
			return "", fmt.Errorf("toolcall: an id that is not UTF-8: %w", err)
		}
	}
	sum := sha256.Sum256(append(list, ']'))
	out := make([]byte, 0, 64)
	out = append(out, prefix...)
	return string(hex.AppendEncode(out, sum[:16])), nil
}
