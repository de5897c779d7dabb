package toolcall

import (
	"context"
	"errors"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A run is one attempt on its way.
type run struct {
	rt        *Runtime
	tool      *Tool
	call      *captured
	requested snapshot.Snapshot // the raw text, decoded
	out       *Outcome
}

// Run takes the attempt through the pipeline. Callbacks run in the caller's
// goroutine. If the context ends before dispatch the attempt is refused;
// afterwards it is for the handler to notice. An attempt runs once.
func (a *Attempt) Run(ctx context.Context) *Outcome {
	if a.spent.Swap(true) {
		return &Outcome{Status: Refused, Reason: Spent, Err: ErrSpent}
	}
	r := &run{rt: a.rt, tool: a.tool, call: &a.call, out: new(Outcome)}
	if a.codeOnly() {
		return r.refuse(ctx, DirectOnly, errDirectOnly)
	}
	if err := r.prepare(ctx); err != nil {
		r.out.Stage = err.Stage
		return r.refuse(ctx, BadArguments, err)
	}
	var err error
	if r.out.Views, err = r.tool.views(ctx, r.out.Arguments, r.rt.limits); err != nil {
		return r.refuse(ctx, ProjectionFailed, &ProjectionError{failure{r.tool.Name, "projection", err}})
	}
	if !a.admitted {
		return r.refuse(ctx, StepAdmission, errStep)
	}
	if ctx.Err() != nil {
		return r.refuse(ctx, Canceled, ctx.Err())
	}
	if err := r.consult(ctx); err != nil || r.out.Mutated {
		return r.mistrust(ctx, err)
	}
	if r.out.Policy.Verdict == Deny {
		return r.end(ctx, Denied, PolicyDenied, errDenied)
	}
	if ctx.Err() != nil {
		return r.refuse(ctx, Canceled, ctx.Err())
	}
	if r.out.Policy.Verdict == Allow {
		return r.dispatch(ctx, nil)
	}
	return r.approve(ctx)
}

var (
	errDirectOnly = errors.New("toolcall: the tool is for the model's provider alone, not for code that the model wrote")
	errStep       = errors.New("toolcall: an exclusive call is alone in its step: try again in another step")
	errDenied     = errors.New("toolcall: policy denies the call")
	errMutated    = errors.New("toolcall: policy changed its view of the arguments: treat it as read-only")
)

// prepare makes the authorized snapshot and its hash, each once.
func (r *run) prepare(ctx context.Context) *ArgumentsError {
	var err error
	if r.requested, err = r.rt.limits.Decode([]byte(r.call.raw)); err != nil {
		return argumentsError(r.tool.Name, StageDecode, err)
	}
	output, err := guard(func() (any, error) { return r.tool.Schema.Parse(ctx, r.requested.View()) })
	if err != nil {
		return argumentsError(r.tool.Name, StageSchema, err)
	}
	arguments, err := r.rt.limits.Of(output)
	if err != nil {
		return argumentsError(r.tool.Name, StageSnapshot, err)
	}
	if r.tool.Boundary && r.rt.surface != nil {
		_, err := guard(func() (struct{}, error) {
			return struct{}{}, r.rt.surface.Validate(ctx, r.tool.Name, arguments.View())
		})
		if err != nil {
			return argumentsError(r.tool.Name, StageSurface, err)
		}
	}
	hash, err := snapshot.ProposalHash(r.rt.agent, r.tool.Name, arguments)
	if err != nil { // a canonical form that is too large to be a string in another
		return argumentsError(r.tool.Name, StageSnapshot, err)
	}
	r.out.Arguments, r.out.ProposalHash = arguments, hash
	return nil
}

// consult asks policy, reads its result, and looks whether it changed its view.
func (r *run) consult(ctx context.Context) error {
	view := r.out.Arguments.View()
	decision, err := guard(func() (Decision, error) {
		return r.rt.policy.Decide(ctx, PolicyInput{
			Agent: r.rt.agent, Tool: r.tool.Name, RawArguments: r.call.raw,
			RequestedArguments: r.requested.View(), ParsedArguments: view,
			ArgsCanonicalJSON: r.out.Arguments.CanonicalJSON(), ProposalHash: r.out.ProposalHash,
			InvocationID: r.call.invocation, ProviderCallID: r.call.id, Turn: r.call.turn, Origin: r.call.origin,
		})
	})
	if err == nil {
		r.out.Policy, err = decision.read(r.rt.limits)
	}
	after, fault := r.rt.limits.Of(view)
	r.out.Mutated = fault != nil || !snapshot.Equal(after, r.out.Arguments)
	return err
}

// mistrust denies: policy failed, or changed its view. The failure comes first.
func (r *run) mistrust(ctx context.Context, err error) *Outcome {
	if err != nil {
		return r.end(ctx, Denied, PolicyFailed, &PolicyError{failure{r.tool.Name, "policy", err}})
	}
	return r.end(ctx, Denied, PolicyMutated, errMutated)
}

// approve looks for evidence; without any, the call is suspended.
func (r *run) approve(ctx context.Context) *Outcome {
	grant := r.call.grant
	if grant == nil {
		return r.suspend(ctx)
	}
	if reason := grant.examine(ctx, r.rt.verifier, r.out.ProposalHash, r.call, r.rt.now()); reason != "" {
		return r.refuse(ctx, reason, errEvidence)
	}
	return r.dispatch(ctx, grant)
}

var errEvidence = errors.New("toolcall: the evidence of approval does not count")

// suspend keeps the call, with the fingerprint that policy was shown.
func (r *run) suspend(ctx context.Context) *Outcome {
	p := Proposal{
		ID: r.proposalID(), Agent: r.rt.agent, Tool: r.tool.Name, RawArguments: r.call.raw,
		Arguments: r.out.Arguments, ProposalHash: r.out.ProposalHash,
		Permission: r.out.Views.Permission, Judgement: r.out.Policy,
		InvocationID: r.call.invocation, ProviderCallID: r.call.id, Created: r.call.at,
		Turn: r.call.turn, Visibility: r.call.visibility, Origin: r.call.origin, ParentCall: r.call.parentCall,
		ParentOperation: r.call.parentOp, Intent: r.call.intent, ProviderOptions: r.call.options,
		Step: r.call.step, HasStep: r.call.hasStep,
	}
	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Suspend(ctx, p) })
	if err != nil {
		return r.unwritten(ctx, err)
	}
	r.out.Proposal = &p
	return r.end(ctx, Suspended, "", nil)
}

// proposalID names the call with its arguments.
func (r *run) proposalID() string {
	id, _ := identifier("toolprop_", r.call.invocation, r.call.id, r.out.ProposalHash) // checked when captured
	return id
}

// dispatch writes what is about to happen, and lets it happen: in this order, so
// that a grant is used before the handler runs.
func (r *run) dispatch(ctx context.Context, grant *Grant) *Outcome {
	operation, _ := OperationID(r.call.invocation, r.call.id) // checked when captured
	d := Dispatch{
		OperationID: operation, Agent: r.rt.agent, Tool: r.tool.Name,
		InvocationID: r.call.invocation, ProviderCallID: r.call.id, ProposalHash: r.out.ProposalHash,
		Persisted: r.out.Views.Persisted, At: r.rt.now(),
	}
	if grant != nil {
		d.Grant = GrantUse{grant.Issuer, grant.ID}
	}
	if grant != nil || r.call.resumes != "" {
		d.ProposalID = r.proposalID() // also if the call was sent again, instead of resumed
	}
	if r.call.resumes != d.ProposalID {
		d.ResumedID = r.call.resumes
	}
	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Commit(ctx, d) })
	if err != nil {
		return r.unwritten(ctx, err)
	}
	r.out.OperationID = operation
	return r.execute(ctx)
}

// execute calls the handler with the authorized snapshot, and with nothing else
// that anybody had in hand.
func (r *run) execute(ctx context.Context) *Outcome {
	r.begin(ctx)
	result, err := guard(func() (any, error) {
		return r.tool.Handler.Execute(ctx, Execution{
			Agent: r.rt.agent, Tool: r.tool.Name, OperationID: r.out.OperationID,
			ProposalHash: r.out.ProposalHash, Snapshot: r.out.Arguments,
		})
	})
	r.out.Status, r.out.Result = Executed, result
	if err != nil {
		r.out.Status, r.out.Reason, r.out.Result = Failed, HandlerFailed, nil
		r.out.Err = &ExecutionError{failure{r.tool.Name, "handler", err}}
	}
	return r.finish(ctx)
}

// unwritten refuses, because the store did not take what it was given.
func (r *run) unwritten(ctx context.Context, err error) *Outcome {
	switch {
	case errors.Is(err, ErrGrantUsed):
		return r.refuse(ctx, EvidenceUsed, ErrGrantUsed)
	case errors.Is(err, ErrDispatched):
		return r.refuse(ctx, Dispatched, ErrDispatched)
	}
	return r.refuse(ctx, StoreFailed, &StoreError{failure{r.tool.Name, "store", err}})
}

func (r *run) refuse(ctx context.Context, reason Reason, err error) *Outcome {
	return r.end(ctx, Refused, reason, err)
}

// end records an attempt whose handler did not run.
func (r *run) end(ctx context.Context, status Status, reason Reason, err error) *Outcome {
	r.out.Status, r.out.Reason, r.out.Err = status, reason, err
	r.begin(ctx)
	return r.finish(ctx)
}
