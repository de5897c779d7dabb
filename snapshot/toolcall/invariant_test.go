package toolcall_test

import (
	"context"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// The eight invariants of RFC-0016, each against callbacks that do what they
// can to break it.

func TestInvariant1SchemaIsParsedOnce(t *testing.T) {
	endings := map[string]func(*rig){
		"executed":   func(*rig) {},
		"failed":     func(r *rig) { r.handler = func(toolcall.Execution) (any, error) { panic(1) } },
		"denied":     func(r *rig) { r.policy = deny },
		"suspended":  func(r *rig) { r.policy = requireApproval },
		"mutated":    func(r *rig) { r.policy = spoilAndAllow },
		"projection": func(r *rig) { r.project = func(any) (any, any, error) { return nil, time.Now(), nil } },
	}
	for name, change := range endings {
		r := newRig(t, change)
		out := r.run(transfer)
		if r.schemas != 1 {
			t.Errorf("%s: %d parses (%s)", name, r.schemas, out.Status)
		}
	}
}

func deny(toolcall.PolicyInput) (toolcall.Decision, error) {
	return toolcall.Decision{Verdict: toolcall.Deny, Reason: "no"}, nil
}

func spoilAndAllow(in toolcall.PolicyInput) (toolcall.Decision, error) {
	spoil(in.ParsedArguments)
	return allow(in)
}

// A schema with a different output each time is caught if it runs twice: every
// view and the evidence are those of its one output.
func TestInvariant1CountingSchema(t *testing.T) {
	r := newRig(t, nil)
	r.schema = func(any) (any, error) { return map[string]any{"run": float64(r.schemas)}, nil }
	var views []string
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		views = append(views, in.ArgsCanonicalJSON, canonical(in.ParsedArguments))
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		views = append(views, canonical(e.Arguments()))
		return nil, nil
	}
	want(t, r.run(`{}`), toolcall.Executed, "")
	for _, view := range views {
		if view != `{"run":1}` {
			t.Errorf("views %s", views)
		}
	}
}

func TestInvariant2DomainBeforePolicy(t *testing.T) {
	shared := []any{1}
	r := newRig(t, nil)
	r.schema = func(any) (any, error) { return map[string]any{"a": shared, "b": shared}, nil }
	want(t, r.run(transfer), toolcall.Refused, toolcall.BadArguments)
	if r.policies != 0 {
		t.Error("policy ran on what is outside the domain")
	}
}

func TestInvariant3CanonicalArgumentsAndHashOfTheDetachedTree(t *testing.T) {
	owned := map[string]any{"n": 1.0}
	r := newRig(t, nil)
	r.schema = func(any) (any, error) { return owned, nil }
	r.project = func(v any) (any, any, error) {
		owned["n"] = 2.0 // after the snapshot, before policy
		return v, v, nil
	}
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		arguments, err := snapshot.Decode([]byte(`{"n":1}`))
		if err != nil {
			t.Fatal(err)
		}
		hash, err := snapshot.ProposalHash("Support Agent", "pay", arguments)
		if err != nil || in.ProposalHash != hash || in.ArgsCanonicalJSON != `{"n":1}` {
			t.Errorf("%s under %s", in.ArgsCanonicalJSON, in.ProposalHash)
		}
		return requireApproval(in)
	}
	out := r.run(`{}`)
	want(t, out, toolcall.Suspended, "")
	if out.Proposal.ArgsCanonicalJSON() != `{"n":1}` || out.Arguments != out.Proposal.Arguments {
		t.Errorf("the proposal holds %s", out.Proposal.ArgsCanonicalJSON())
	}
}

func TestInvariant4PolicySeesTheCanonicalForm(t *testing.T) {
	r := newRig(t, nil)
	r.schema = func(v any) (any, error) {
		spoil(v) // the schema's own view
		return map[string]any{"amount": 7}, nil
	}
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		if canonical(in.ParsedArguments) != in.ArgsCanonicalJSON || in.ArgsCanonicalJSON != `{"amount":7}` {
			t.Errorf("the view %s of %s", canonical(in.ParsedArguments), in.ArgsCanonicalJSON)
		}
		if in.RawArguments != transfer || canonical(in.RequestedArguments) != transferCanonical {
			t.Errorf("raw %s, requested %s", in.RawArguments, canonical(in.RequestedArguments))
		}
		return allow(in)
	}
	want(t, r.run(transfer), toolcall.Executed, "")
}

// An identity schema does not make requested and parsed arguments one object.
func TestInvariant4RequestedArgumentsAreTheirOwn(t *testing.T) {
	var given any
	r := newRig(t, nil)
	r.schema = func(v any) (any, error) { given = v; return v, nil }
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		spoil(given)
		spoil(in.RequestedArguments)
		if got := canonical(in.ParsedArguments); got != transferCanonical {
			t.Errorf("policy's view is %s", got)
		}
		return allow(in)
	}
	want(t, r.run(transfer), toolcall.Executed, "")
}

func TestInvariant5ExecutionSeesTheCanonicalForm(t *testing.T) {
	r := newRig(t, nil)
	var authorized string
	r.schema = func(v any) (any, error) { v.(map[string]any)["amount"] = 3.0; return v, nil }
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		authorized = in.ArgsCanonicalJSON
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		spoil(e.Arguments())
		if got := canonical(e.Arguments()); got != authorized || e.Snapshot.CanonicalJSON() != authorized {
			t.Errorf("executed %s, authorized %s", got, authorized)
		}
		return nil, nil
	}
	want(t, r.run(transfer), toolcall.Executed, "")
}

// Every callback keeps all it was handed, and when the handler runs, everything
// kept is spoilt: nothing of it may be what the handler or a proposal has.
func TestInvariants6And7NothingIsShared(t *testing.T) {
	for _, suspend := range []bool{false, true} {
		var kept []any
		keep := func(values ...any) { kept = append(kept, values...) }
		spoilAll := func() {
			for _, v := range kept {
				spoil(v)
			}
		}
		r := newRig(t, func(r *rig) {
			r.tool.Boundary = true
			r.config.Surface = surfaceFunc(func(v any) error { keep(v); return nil })
		})
		r.schema = func(v any) (any, error) {
			output := map[string]any{"in": v, "n": []any{1.0}}
			keep(v, output)
			return output, nil
		}
		r.project = func(v any) (any, any, error) { keep(v); return v, v, nil }
		details := map[string]any{"risk": []any{"low"}}
		r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
			spoilAll() // whatever was handed out before policy
			d := toolcall.Decision{Verdict: toolcall.Allow, Details: details}
			if suspend {
				d.Verdict = toolcall.RequireApproval
			}
			keep(in.RequestedArguments, in.ParsedArguments, details)
			return d, nil
		}
		const result = `{"in":{"amount":100,"tags":["a",["b"]],"to":{"name":"alice"}},"n":[1]}`
		r.handler = func(e toolcall.Execution) (any, error) {
			spoilAll()
			if got := canonical(e.Arguments()); got != result {
				t.Errorf("executed %s", got)
			}
			return nil, nil
		}
		out := r.run(transfer)
		spoilAll()
		if suspend {
			want(t, out, toolcall.Suspended, "")
			if got := canonical(out.Proposal.ParsedArguments()); got != result || out.Proposal.ArgsCanonicalJSON() != result {
				t.Errorf("suspended %s", got)
			}
		} else {
			want(t, out, toolcall.Executed, "")
		}
		if got := out.Policy.Details.CanonicalJSON(); got != `{"risk":["low"]}` {
			t.Errorf("policy's result became %s", got)
		}
		if got := r.records[0].Arguments.CanonicalJSON(); got != result {
			t.Errorf("recorded %s", got)
		}
	}
}

type surfaceFunc func(any) error

func (f surfaceFunc) Validate(_ context.Context, _ string, v any) error { return f(v) }

func TestInvariant8SuspendedProposalIsNotRecomputed(t *testing.T) {
	r := newRig(t, nil)
	var hash string
	var view any
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		hash, view = in.ProposalHash, in.ParsedArguments
		return requireApproval(in)
	}
	out := r.run(transfer)
	spoil(view)
	want(t, out, toolcall.Suspended, "")
	if out.Proposal.ProposalHash != hash || out.ProposalHash != hash || out.Proposal.Arguments != out.Arguments {
		t.Error("the proposal has a fingerprint of its own")
	}
}

// The policy's result is read once: what changes it later changes nothing.
func TestPolicyResultIsReadOnce(t *testing.T) {
	details := map[string]any{"limit": 1.0}
	r := newRig(t, nil)
	r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) {
		return toolcall.Decision{Verdict: toolcall.Allow, Details: details}, nil
	}
	r.handler = func(toolcall.Execution) (any, error) { spoil(details); return nil, nil }
	out := r.run(`{}`)
	if got := out.Policy.Details.CanonicalJSON(); got != `{"limit":1}` {
		t.Errorf("details %s", got)
	}
	r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) {
		return toolcall.Decision{Verdict: toolcall.Allow, Details: time.Now()}, nil
	}
	out = r.run(`{}`)
	want(t, out, toolcall.Denied, toolcall.PolicyFailed)
	if out.Policy.Verdict != "" {
		t.Errorf("a decision outside the domain counts as %q", out.Policy.Verdict)
	}
}

// Whatever the caller does with its call after Begin changes nothing.
func TestCallIsCapturedBeforeTheFirstWait(t *testing.T) {
	options := map[string]any{"cache": []any{"a"}}
	grant := toolcall.Grant{Signature: []byte("x")}
	c := call(transfer)
	c.ProviderOptions, c.Grant, c.Step = options, &grant, toolcall.NewStep("s")
	r := newRig(t, nil)
	a, err := r.runtime.Begin(c)
	if err != nil {
		t.Fatal(err)
	}
	clear(c.Arguments)
	spoil(options)
	r.now = r.now.Add(time.Hour)
	want(t, a.Run(t.Context()), toolcall.Executed, "")
	start := r.records[0]
	if start.ProviderOptions.CanonicalJSON() != `{"cache":["a"]}` || start.Arguments.CanonicalJSON() != transferCanonical ||
		!start.Timestamp.Equal(time.Unix(1000, 0)) {
		t.Errorf("recorded %+v", start)
	}
	if again := a.Run(t.Context()); again.Reason != toolcall.Spent || r.handlers != 1 {
		t.Errorf("a second run: %+v", again)
	}
}
