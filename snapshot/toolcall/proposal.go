package toolcall

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Proposal is a call that waits for approval. It is an immutable value: every
// copy of it may be handed out.
type Proposal struct {
	// ID is the store's key. It is derived from call and proposal hash, so the
	// same call suspended twice is one proposal.
	ID          string
	Agent, Tool string
	// RawArguments is the provider's exact text, from which Resume starts.
	RawArguments string
	// Arguments is the snapshot that policy evaluated.
	Arguments snapshot.Snapshot
	// ProposalHash is the hash that policy was shown.
	ProposalHash string
	// Permission is the tool's projection for the host's own prompts; zero for
	// none. Who approves is shown ArgsCanonicalJSON.
	Permission snapshot.Snapshot
	// Judgement is the policy's own result.
	Judgement Judgement

	InvocationID, ProviderCallID string
	Created                      time.Time

	Turn, Visibility            string
	Origin                      Origin
	ParentCall, ParentOperation string
	Intent                      string
	ProviderOptions             snapshot.Snapshot
	Step                        string
	HasStep                     bool
}

// ArgsCanonicalJSON is what is reviewed and approved.
func (p Proposal) ArgsCanonicalJSON() string { return p.Arguments.CanonicalJSON() }

// ParsedArguments decodes the arguments afresh: the caller owns the result.
func (p Proposal) ParsedArguments() any { return p.Arguments.View() }

// ErrCorrupt says that a stored proposal is not what was stored.
var ErrCorrupt = errors.New("toolcall: the stored proposal is damaged or was changed")

// A storedProposal is a Proposal's form in a store.
type storedProposal struct {
	ID              string  `json:"id"`
	Agent           string  `json:"agentName"`
	Tool            string  `json:"toolName"`
	Raw             string  `json:"rawArguments"`
	Arguments       string  `json:"argsCanonicalJson"`
	Hash            string  `json:"proposalHash"`
	Permission      string  `json:"permission,omitempty"`
	Verdict         Verdict `json:"verdict"`
	Reason          string  `json:"reason,omitempty"`
	Details         string  `json:"details,omitempty"`
	Invocation      string  `json:"invocationId"`
	Call            string  `json:"providerCallId"`
	Created         string  `json:"created"`
	Turn            string  `json:"turnId,omitempty"`
	Visibility      string  `json:"visibility,omitempty"`
	Origin          Origin  `json:"origin"`
	ParentCall      string  `json:"parentToolCallId,omitempty"`
	ParentOperation string  `json:"parentOperationId,omitempty"`
	Intent          string  `json:"intent,omitempty"`
	Options         string  `json:"providerOptions,omitempty"`
	Step            *string `json:"stepId,omitempty"`
}

// MarshalJSON writes the proposal whole, for a store. Snapshots stand as strings
// of their canonical form.
func (p Proposal) MarshalJSON() ([]byte, error) {
	s := storedProposal{
		ID: p.ID, Agent: p.Agent, Tool: p.Tool, Raw: p.RawArguments,
		Arguments: p.Arguments.CanonicalJSON(), Hash: p.ProposalHash, Permission: p.Permission.CanonicalJSON(),
		Verdict: p.Judgement.Verdict, Reason: p.Judgement.Reason, Details: p.Judgement.Details.CanonicalJSON(),
		Invocation: p.InvocationID, Call: p.ProviderCallID, Created: p.Created.UTC().Format(time.RFC3339Nano),
		Turn: p.Turn, Visibility: p.Visibility, Origin: p.Origin, ParentCall: p.ParentCall,
		ParentOperation: p.ParentOperation, Intent: p.Intent, Options: p.ProviderOptions.CanonicalJSON(),
	}
	if p.HasStep {
		s.Step = &p.Step
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. Arguments that do not give the
// stored hash, and whatever else cannot have been written, are ErrCorrupt. Size
// and depth are not: they were bounded when the call was made, and the stored
// text is longer than its raw arguments.
func (p *Proposal) UnmarshalJSON(text []byte) error {
	stored := snapshot.Options{MaxDepth: -1, MaxInput: -1, MaxOutput: -1}
	whole, err := stored.Decode(text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s, err := snapshot.As[storedProposal](whole, snapshot.RefuseUnknown, snapshot.RefuseMissing)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	q := Proposal{
		ID: s.ID, Agent: s.Agent, Tool: s.Tool, RawArguments: s.Raw, ProposalHash: s.Hash,
		Judgement:    Judgement{Verdict: s.Verdict, Reason: s.Reason},
		InvocationID: s.Invocation, ProviderCallID: s.Call, Turn: s.Turn, Visibility: s.Visibility, Origin: s.Origin,
		ParentCall: s.ParentCall, ParentOperation: s.ParentOperation, Intent: s.Intent,
	}
	if s.Step != nil {
		q.Step, q.HasStep = *s.Step, true
	}
	if q.Created, err = time.Parse(time.RFC3339Nano, s.Created); err != nil {
		return fmt.Errorf("%w: its time", ErrCorrupt)
	}
	for _, part := range [...]struct {
		into     *snapshot.Snapshot
		text     string
		optional bool
	}{
		{&q.Arguments, s.Arguments, false}, {&q.Permission, s.Permission, true},
		{&q.Judgement.Details, s.Details, true}, {&q.ProviderOptions, s.Options, true},
	} {
		if part.optional && part.text == "" {
			continue
		}
		if *part.into, err = stored.Verify([]byte(part.text)); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if hash, err := snapshot.ProposalHash(q.Agent, q.Tool, q.Arguments); err != nil || hash != q.ProposalHash {
		return fmt.Errorf("%w: its arguments do not give its hash", ErrCorrupt)
	}
	*p = q
	return nil
}
