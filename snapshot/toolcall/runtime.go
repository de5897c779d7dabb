package toolcall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Config says what a Runtime is made of.
type Config struct {
	Agent  string // the agent's name, a part of every proposal hash
	Tools  []Tool
	Policy Policy // required
	// Store keeps proposals, dispatches and uses of grants; nil means memory,
	// which forgets with the process.
	Store Store
	// Verifier tells which grants count; nil means none.
	Verifier Verifier
	// Surface validates the arguments of Boundary tools; nil means no surface.
	Surface Surface
	// Recorders are handed each record in this order.
	Recorders []Recorder
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Limits bound the raw arguments, and all that callbacks return.
	Limits snapshot.Options
}

// A Runtime takes an agent's tool calls from raw arguments to execution. It is
// safe for concurrent use and holds no state but its store's.
type Runtime struct {
	agent     string
	tools     map[string]*Tool
	policy    Policy
	store     Store
	verifier  Verifier
	surface   Surface
	recorders []Recorder
	now       func() time.Time
	limits    snapshot.Options
}

// New makes a Runtime. Config is copied, down to its tools.
func New(c Config) (*Runtime, error) {
	if !utf8.ValidString(c.Agent) {
		return nil, errors.New("toolcall: the agent's name is not UTF-8")
	}
	if c.Policy == nil {
		return nil, errors.New("toolcall: a policy is needed: what should be allowed?")
	}
	r := &Runtime{
		agent: c.Agent, tools: make(map[string]*Tool, len(c.Tools)), policy: c.Policy, store: c.Store, verifier: c.Verifier,
		surface: c.Surface, recorders: slices.Clone(c.Recorders), now: c.Now, limits: c.Limits,
	}
	if r.store == nil {
		r.store = new(MemoryStore)
	}
	if r.now == nil {
		r.now = time.Now
	}
	for _, tool := range c.Tools {
		switch {
		case tool.Name == "" || !utf8.ValidString(tool.Name):
			return nil, errors.New("toolcall: a tool's name is empty or not UTF-8")
		case r.tools[tool.Name] != nil:
			return nil, fmt.Errorf("toolcall: there are two tools of the name %q", tool.Name)
		case tool.Schema == nil || tool.Handler == nil:
			return nil, fmt.Errorf("toolcall: the tool %q has no schema or no handler; AnyArguments takes everything", tool.Name)
		case !utf8.ValidString(tool.ActivityKind) || !utf8.ValidString(tool.DisplayName):
			return nil, fmt.Errorf("toolcall: the tool %q has an activity kind or display name that is not UTF-8", tool.Name)
		}
		r.tools[tool.Name] = &tool
	}
	return r, nil
}

// An Attempt is a call that was captured and registered with its step.
type Attempt struct {
	rt       *Runtime
	tool     *Tool
	call     captured
	admitted bool
	spent    atomic.Bool
}

// Begin captures a call and registers it with its step. It waits for nothing:
// call it as soon as the call is known, in the order of the calls, and Run
// then, where it may wait. The error is ErrUnknownTool or a *CallError.
func (r *Runtime) Begin(c Call) (*Attempt, error) { return r.begin(&c, "") }

func (r *Runtime) begin(c *Call, resumes string) (*Attempt, error) {
	tool := r.tools[c.Tool]
	if tool == nil {
		return nil, ErrUnknownTool
	}
	a := &Attempt{rt: r, tool: tool}
	if err := a.call.capture(c, r.limits, r.now()); err != nil {
		return nil, err
	}
	a.call.resumes = resumes
	a.admitted = !a.codeOnly() && c.Step.admit(tool.Exclusive)
	return a, nil
}

// codeOnly: a direct-only tool that is called from code takes no place in its step.
func (a *Attempt) codeOnly() bool { return a.tool.DirectOnly && a.call.origin == FromCode }

// Run begins a call and runs it.
func (r *Runtime) Run(ctx context.Context, c Call) *Outcome {
	a, err := r.begin(&c, "")
	if err != nil {
		return &Outcome{Status: Refused, Reason: BadCall, Err: err}
	}
	return a.Run(ctx)
}

// Resume makes a new attempt at a suspended call, from the raw text that was
// kept with it, with a grant as evidence. If the store does not give the
// proposal, no attempt is made and nothing is recorded. Approve-with-edit is no
// resume: run a call with the edited text, which is a new proposal.
func (r *Runtime) Resume(ctx context.Context, proposalID string, grant Grant) *Outcome {
	p, err := guard(func() (Proposal, error) { return r.store.Load(ctx, proposalID) })
	if err == nil && p.Agent != r.agent {
		err = ErrUnknownProposal
	}
	switch {
	case errors.Is(err, ErrUnknownProposal):
		return &Outcome{Status: Refused, Reason: UnknownProposal, Err: ErrUnknownProposal}
	case errors.Is(err, ErrDispatched):
		return &Outcome{Status: Refused, Reason: Dispatched, Err: ErrDispatched}
	case err != nil:
		return &Outcome{Status: Refused, Reason: StoreFailed, Err: &StoreError{failure{p.Tool, "store", err}}}
	}
	c := Call{
		Tool: p.Tool, Arguments: []byte(p.RawArguments), InvocationID: p.InvocationID, ProviderCallID: p.ProviderCallID,
		Turn: p.Turn, Origin: p.Origin, Visibility: p.Visibility, ParentCall: p.ParentCall,
		ParentOperation: p.ParentOperation, Intent: p.Intent, Grant: &grant,
	}
	if p.HasStep {
		c.Step = NewStep(p.Step) // what was admitted once is not asked again
	}
	if !p.ProviderOptions.IsZero() {
		c.ProviderOptions = p.ProviderOptions.View()
	}
	a, err := r.begin(&c, p.ID)
	if err != nil {
		return &Outcome{Status: Refused, Reason: BadCall, Err: err}
	}
	return a.Run(ctx)
}
