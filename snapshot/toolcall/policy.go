package toolcall

import (
	"context"
	"errors"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Policy decides what becomes of a call. Decide runs once an attempt, on
// resume too. It must be safe for concurrent use. An error, a panic or a
// Decision that says nothing denies the call.
type Policy interface {
	Decide(ctx context.Context, in PolicyInput) (Decision, error)
}

// A PolicyFunc is a function as a Policy.
type PolicyFunc func(ctx context.Context, in PolicyInput) (Decision, error)

// Decide calls f.
func (f PolicyFunc) Decide(ctx context.Context, in PolicyInput) (Decision, error) { return f(ctx, in) }

// A PolicyInput is what a policy knows of a call. Treat ParsedArguments as
// read-only: a policy that has changed it when it returns denies its call.
type PolicyInput struct {
	Agent, Tool string
	// RawArguments is the provider's exact text.
	RawArguments string
	// RequestedArguments is the raw text decoded, as the schema was given it.
	RequestedArguments any
	// ParsedArguments is a view of the authorized snapshot.
	ParsedArguments any
	// ArgsCanonicalJSON is the authorized snapshot itself: what will run.
	ArgsCanonicalJSON string
	// ProposalHash binds agent, tool and ArgsCanonicalJSON.
	ProposalHash string

	InvocationID, ProviderCallID, Turn string
	Origin                             Origin
}

// A Verdict is what a policy says of a call. The zero Verdict says nothing.
type Verdict string

// The verdicts.
const (
	Allow           Verdict = "allow"
	Deny            Verdict = "deny"
	RequireApproval Verdict = "require_approval"
)

// A Decision is a policy's result. It is read once, when the policy returns;
// Details are then kept as a snapshot, so they must lie in the strict domain.
type Decision struct {
	Verdict Verdict
	Reason  string // for the caller and for who approves; not recorded
	Details any    // the same, as data; nil for none
}

// A Judgement is a Decision as it was read: an immutable value.
type Judgement struct {
	Verdict Verdict
	Reason  string
	Details snapshot.Snapshot // zero for none
}

var errVerdict = errors.New("the policy's decision has no verdict: allow, deny or require_approval")

// read takes a decision once, so that changing it later changes nothing.
func (d Decision) read(limits snapshot.Options) (Judgement, error) {
	j := Judgement{Verdict: d.Verdict, Reason: d.Reason}
	switch d.Verdict {
	case Allow, Deny, RequireApproval:
	default:
		return Judgement{}, errVerdict
	}
	if d.Details == nil {
		return j, nil
	}
	var err error
	if j.Details, err = limits.Of(d.Details); err != nil {
		return Judgement{}, err
	}
	return j, nil
}
