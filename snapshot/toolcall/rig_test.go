package toolcall_test

import (
	"context"
	"crypto/ed25519"
	"sync"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// A rig is a runtime with one tool, whose callbacks count their calls and can be
// replaced one by one.
type rig struct {
	t       testing.TB
	config  toolcall.Config
	tool    toolcall.Tool
	now     time.Time
	store   *countingStore
	issuer  toolcall.Issuer
	runtime *toolcall.Runtime

	schema  func(any) (any, error)
	project func(any) (any, any, error)
	policy  func(toolcall.PolicyInput) (toolcall.Decision, error)
	handler func(toolcall.Execution) (any, error)

	schemas, projections, policies, handlers int
	records                                  []toolcall.Record
}

// countingStore counts commits and remembers what it was handed.
type countingStore struct {
	toolcall.MemoryStore
	mu         sync.Mutex
	dispatches []toolcall.Dispatch
	suspended  []toolcall.Proposal
	fail       error
}

func (s *countingStore) Suspend(ctx context.Context, p toolcall.Proposal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.suspended = append(s.suspended, p)
	return s.MemoryStore.Suspend(ctx, p)
}

func (s *countingStore) Commit(ctx context.Context, d toolcall.Dispatch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	err := s.MemoryStore.Commit(ctx, d)
	if err == nil {
		s.dispatches = append(s.dispatches, d)
	}
	return err
}

func allow(toolcall.PolicyInput) (toolcall.Decision, error) {
	return toolcall.Decision{Verdict: toolcall.Allow}, nil
}

func requireApproval(toolcall.PolicyInput) (toolcall.Decision, error) {
	return toolcall.Decision{Verdict: toolcall.RequireApproval, Reason: "ask"}, nil
}

var issuerKey = ed25519.NewKeyFromSeed([]byte("a seed of exactly thirty-two byt"))

// newRig makes a rig whose schema takes everything, whose policy allows it and
// whose projection shows it. change may be nil.
func newRig(t testing.TB, change func(*rig)) *rig {
	t.Helper()
	r := &rig{
		t: t, store: &countingStore{}, issuer: toolcall.Issuer{Name: "alice", Key: issuerKey}, now: time.Unix(1000, 0),
		schema:  func(v any) (any, error) { return v, nil },
		project: func(v any) (any, any, error) { return v, v, nil },
		policy:  allow,
		handler: func(toolcall.Execution) (any, error) { return "done", nil },
	}
	r.tool = toolcall.Tool{
		Name: "pay",
		Schema: toolcall.SchemaFunc(func(_ context.Context, v any) (any, error) {
			r.schemas++
			return r.schema(v)
		}),
		Projection: func(_ context.Context, v any) (any, any, error) {
			r.projections++
			return r.project(v)
		},
		Handler: toolcall.HandlerFunc(func(_ context.Context, e toolcall.Execution) (any, error) {
			r.handlers++
			return r.handler(e)
		}),
	}
	r.config = toolcall.Config{
		Agent: "Support Agent", Store: r.store,
		Policy: toolcall.PolicyFunc(func(_ context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
			r.policies++
			return r.policy(in)
		}),
		Verifier: toolcall.Keys{"alice": issuerKey.Public().(ed25519.PublicKey)},
		Recorders: []toolcall.Recorder{toolcall.RecorderFunc(func(_ context.Context, record toolcall.Record) {
			r.records = append(r.records, record)
		})},
		Now: func() time.Time { return r.now },
	}
	if change != nil {
		change(r)
	}
	r.config.Tools = append(r.config.Tools, r.tool)
	var err error
	if r.runtime, err = toolcall.New(r.config); err != nil {
		t.Fatal(err)
	}
	return r
}

func call(arguments string) toolcall.Call {
	return toolcall.Call{Tool: "pay", Arguments: []byte(arguments), InvocationID: "inv", ProviderCallID: "call"}
}

func (r *rig) run(arguments string) *toolcall.Outcome {
	return r.runtime.Run(context.Background(), call(arguments))
}

// suspend runs a call that policy wants approved, and gives its proposal.
func (r *rig) suspend(arguments string) toolcall.Proposal {
	r.t.Helper()
	r.policy = requireApproval
	out := r.run(arguments)
	if out.Status != toolcall.Suspended || out.Proposal == nil {
		r.t.Fatalf("%s (%s), not suspended: %v", out.Status, out.Reason, out.Err)
	}
	return *out.Proposal
}

// grant approves a proposal for an hour.
func (r *rig) grant(p toolcall.Proposal) toolcall.Grant {
	r.t.Helper()
	g, err := r.issuer.Approve(p, r.now.Add(time.Hour))
	if err != nil {
		r.t.Fatal(err)
	}
	return g
}

func (r *rig) resume(p toolcall.Proposal, g toolcall.Grant) *toolcall.Outcome {
	return r.runtime.Resume(context.Background(), p.ID, g)
}

// want holds an outcome to a status and a reason.
func want(t testing.TB, out *toolcall.Outcome, status toolcall.Status, reason toolcall.Reason) {
	t.Helper()
	if out.Status != status || out.Reason != reason {
		t.Errorf("%s (%s), want %s (%s); %v", out.Status, out.Reason, status, reason, out.Err)
	}
	if (out.Err == nil) != (status == toolcall.Executed || status == toolcall.Suspended) {
		t.Errorf("%s with the error %v", status, out.Err)
	}
	if (out.OperationID != "") != (status == toolcall.Executed || status == toolcall.Failed) {
		t.Errorf("%s with the operation id %q", status, out.OperationID)
	}
}

// canonical gives the canonical form of a value, or what is wrong with it.
func canonical(v any) string {
	s, err := snapshot.Of(v)
	if err != nil {
		return err.Error()
	}
	return s.CanonicalJSON()
}

// spoil changes whatever can be changed in a value.
func spoil(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			spoil(member)
			v[name] = "spoilt"
		}
		v["added"] = true
	case []any:
		for i, element := range v {
			spoil(element)
			v[i] = "spoilt"
		}
	}
}
