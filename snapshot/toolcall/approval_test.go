package toolcall_test

import (
	"crypto/ed25519"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// What went wrong elsewhere, by name.

func TestApprovalDoesNotBypassPolicy(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g := r.grant(p)
	r.policy = deny
	want(t, r.resume(p, g), toolcall.Denied, toolcall.PolicyDenied)
	r.policy = spoilAndAllow
	want(t, r.resume(p, g), toolcall.Denied, toolcall.PolicyMutated)
	if r.handlers != 0 || len(r.store.dispatches) != 0 {
		t.Error("something was dispatched")
	}
	// Neither used the grant.
	r.policy = requireApproval
	want(t, r.resume(p, g), toolcall.Executed, "")
}

// Policy that allows on resume consumes no grant.
func TestAllowConsumesNothing(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g, err := r.issuer.Sign(toolcall.Grant{ProposalHash: p.ProposalHash, Expires: r.now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	r.policy = allow
	want(t, r.resume(p, g), toolcall.Executed, "")
	if use := r.store.dispatches[0].Grant; use != (toolcall.GrantUse{}) {
		t.Errorf("the grant %v was used", use)
	}
	r.policy = requireApproval
	c := call(transfer)
	c.ProviderCallID, c.Grant = "another", &g
	want(t, r.runtime.Run(t.Context(), c), toolcall.Executed, "")
}

// A hook that rewrites the arguments while approval is pending, by every reference
// that was ever handed out.
func TestRewriteWhilePending(t *testing.T) {
	var kept []any
	r := newRig(t, nil)
	r.schema = func(v any) (any, error) { kept = append(kept, v); return v, nil }
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		kept = append(kept, in.ParsedArguments, in.RequestedArguments)
		return requireApproval(in)
	}
	out := r.run(transfer)
	g := r.grant(*out.Proposal)
	kept = append(kept, out.Proposal.ParsedArguments())
	for _, v := range kept {
		spoil(v)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		if e.Snapshot.CanonicalJSON() != transferCanonical {
			t.Errorf("executed %s", e.Snapshot.CanonicalJSON())
		}
		return nil, nil
	}
	want(t, r.resume(*out.Proposal, g), toolcall.Executed, "")
}

func TestGrantServesOnce(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g := r.grant(p)
	want(t, r.resume(p, g), toolcall.Executed, "")
	want(t, r.resume(p, g), toolcall.Refused, toolcall.Dispatched)
	c := call(transfer)
	c.Grant = &g
	want(t, r.runtime.Run(t.Context(), c), toolcall.Refused, toolcall.EvidenceUsed)
	// Another grant for what was dispatched already does not run it again.
	other := r.grant(p)
	c.Grant = &other
	want(t, r.runtime.Run(t.Context(), c), toolcall.Refused, toolcall.Dispatched)
	c.Grant = nil
	want(t, r.runtime.Run(t.Context(), c), toolcall.Refused, toolcall.Dispatched)
	if r.handlers != 1 {
		t.Errorf("the handler ran %d times", r.handlers)
	}
}

func TestGrantOfAnotherCall(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	bound := r.grant(p)
	free, err := r.issuer.Sign(toolcall.Grant{ID: "free", ProposalHash: p.ProposalHash, Expires: r.now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	// Bound by half: to no call that there is.
	half := func(invocation, id string) toolcall.Grant {
		g, err := r.issuer.Sign(toolcall.Grant{ProposalHash: p.ProposalHash, Expires: r.now.Add(time.Hour), InvocationID: invocation, ProviderCallID: id})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, test := range []struct {
		name, invocation, id, arguments string
		grant                           toolcall.Grant
		reason                          toolcall.Reason
	}{
		{"bound, another call id", "inv", "second", transfer, bound, toolcall.EvidenceOtherCall},
		{"bound, another invocation", "other", "call", transfer, bound, toolcall.EvidenceOtherCall},
		{"the invocation alone", "inv", "call", transfer, half("inv", ""), toolcall.EvidenceOtherCall},
		{"the call id alone", "inv", "call", transfer, half("", "call"), toolcall.EvidenceOtherCall},
		{"free, other arguments", "inv", "second", `{}`, free, toolcall.EvidenceMismatch},
		{"free, another call", "inv", "second", transfer, free, ""},
	} {
		c := call(test.arguments)
		c.InvocationID, c.ProviderCallID, c.Grant = test.invocation, test.id, &test.grant
		status := toolcall.Refused
		if test.reason == "" {
			status = toolcall.Executed
		}
		t.Log(test.name)
		want(t, r.runtime.Run(t.Context(), c), status, test.reason)
	}
}

func TestGrantExpires(t *testing.T) {
	for _, test := range []struct {
		after  time.Duration
		reason toolcall.Reason
	}{
		{time.Hour - 1, ""}, {time.Hour, toolcall.EvidenceExpired}, {time.Hour + 1, toolcall.EvidenceExpired},
	} {
		r := newRig(t, nil)
		p := r.suspend(transfer)
		g := r.grant(p)
		r.now = r.now.Add(test.after)
		if out := r.resume(p, g); out.Reason != test.reason {
			t.Errorf("after %s: %s (%s)", test.after, out.Status, out.Reason)
		}
	}
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g, err := r.issuer.Approve(p, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	want(t, r.resume(p, g), toolcall.Refused, toolcall.EvidenceExpired)
}

func TestForgedGrants(t *testing.T) {
	mallory := toolcall.Issuer{Name: "alice", Key: ed25519.NewKeyFromSeed([]byte(strings.Repeat("m", 32)))}
	r := newRig(t, nil)
	p := r.suspend(transfer)
	good := r.grant(p)
	other := r.suspend(`{"amount":1}`)
	forge := func(change func(*toolcall.Grant)) toolcall.Grant {
		g := good
		change(&g)
		return g
	}
	signed, err := mallory.Approve(p, r.now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]toolcall.Grant{
		"signed by another key":  signed,
		"no signature":           forge(func(g *toolcall.Grant) { g.Signature = nil }),
		"another hash":           forge(func(g *toolcall.Grant) { g.ProposalHash = other.ProposalHash }),
		"another expiry":         forge(func(g *toolcall.Grant) { g.Expires = g.Expires.Add(1) }),
		"another id":             forge(func(g *toolcall.Grant) { g.ID = "again" }),
		"unbound":                forge(func(g *toolcall.Grant) { g.InvocationID, g.ProviderCallID = "", "" }),
		"an unknown issuer":      forge(func(g *toolcall.Grant) { g.Issuer = "__proto__" }),
		"an issuer beyond UTF-8": forge(func(g *toolcall.Grant) { g.Issuer = "\xff" }),
		"empty":                  {},
	} {
		target := p
		if name == "another hash" {
			target = other
		}
		t.Log(name)
		want(t, r.resume(target, g), toolcall.Refused, toolcall.EvidenceForged)
	}
	want(t, r.resume(p, good), toolcall.Executed, "")
}

// Keyed by a proposal hash that is a name of Object.prototype: a grant for it is a
// grant for nothing.
func TestGrantForAnInheritedName(t *testing.T) {
	for _, hash := range []string{"__proto__", "constructor", "toString", "", "539D41AAF70845FA1C78B75080B676AFC88CF0F9E1EAF1834B85DA38016EF502"} {
		r := newRig(t, nil)
		p := r.suspend(transfer)
		g, err := r.issuer.Sign(toolcall.Grant{ProposalHash: hash, Expires: r.now.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		want(t, r.resume(p, g), toolcall.Refused, toolcall.EvidenceMismatch)
	}
}

// Two proposals at once: each grant serves its own.
func TestParallelApprovalsDoNotCross(t *testing.T) {
	r := newRig(t, nil)
	p1 := r.suspend(`{"amount":1}`)
	c := call(`{"amount":2}`)
	c.ProviderCallID = "second"
	p2 := *r.runtime.Run(t.Context(), c).Proposal
	g1, g2 := r.grant(p1), r.grant(p2)
	want(t, r.resume(p1, g2), toolcall.Refused, toolcall.EvidenceMismatch)
	want(t, r.resume(p2, g1), toolcall.Refused, toolcall.EvidenceMismatch)
	want(t, r.resume(p2, g2), toolcall.Executed, "")
	want(t, r.resume(p1, g1), toolcall.Executed, "")
}

// Approve-with-edit is a new proposal: the grant of the old one is nothing to it.
func TestApproveWithEditIsANewProposal(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(`{"amount":100}`)
	g := r.grant(p)
	edited := call(`{"amount":50}`)
	edited.Grant = &g
	want(t, r.runtime.Run(t.Context(), edited), toolcall.Refused, toolcall.EvidenceMismatch)
	edited.Grant = nil
	out := r.runtime.Run(t.Context(), edited)
	want(t, out, toolcall.Suspended, "")
	if out.Proposal.ID == p.ID || out.Proposal.ProposalHash == p.ProposalHash {
		t.Error("the edited call is the old proposal")
	}
	want(t, r.resume(*out.Proposal, r.grant(*out.Proposal)), toolcall.Executed, "")
}

// Concurrent resumes of one proposal with one grant, or each with its own,
// execute once.
func TestConcurrentResumesExecuteOnce(t *testing.T) {
	for _, own := range []bool{false, true} {
		var executed, refused atomic.Int64
		r := newRig(t, func(r *rig) {
			r.config.Recorders = nil
			r.tool = toolcall.Tool{Name: "pay", Schema: toolcall.AnyArguments,
				Handler: toolcall.Handle(func(ctx ctx, _ map[string]any) (any, error) { executed.Add(1); return nil, nil })}
			r.config.Policy = toolcall.PolicyFunc(func(_ ctx, in toolcall.PolicyInput) (toolcall.Decision, error) { return requireApproval(in) })
		})
		p := *r.run(transfer).Proposal
		g := r.grant(p)
		var group sync.WaitGroup
		for range 16 {
			mine := g
			if own {
				mine = r.grant(p)
			}
			group.Go(func() {
				if out := r.resume(p, mine); out.Status != toolcall.Executed {
					refused.Add(1)
				}
			})
		}
		group.Wait()
		if executed.Load() != 1 || refused.Load() != 15 || len(r.store.dispatches) != 1 {
			t.Errorf("%d executed, %d refused", executed.Load(), refused.Load())
		}
	}
}

// A schema that gives other arguments on resume makes another proposal of the
// call. Both are dispatched then: neither the one that was resumed nor the one
// of what ran is run again.
func TestResumeUnderAnotherSchema(t *testing.T) {
	for name, policy := range map[string]func(toolcall.PolicyInput) (toolcall.Decision, error){"allow": allow, "require_approval": requireApproval} {
		r := newRig(t, nil)
		first := r.suspend(transfer)
		r.schema = func(any) (any, error) { return []any{"other"}, nil }
		second := r.suspend(transfer)
		g1, g2 := r.grant(second), r.grant(second)
		r.policy = policy
		want(t, r.resume(first, g1), toolcall.Executed, "")
		want(t, r.resume(second, g2), toolcall.Refused, toolcall.Dispatched)
		r.schema = func(any) (any, error) { return []any{"yet another"}, nil }
		want(t, r.resume(first, g2), toolcall.Refused, toolcall.Dispatched)
		if r.handlers != 1 {
			t.Errorf("%s: %d executions", name, r.handlers)
		}
		if d := r.store.dispatches[0]; d.ProposalID != second.ID || d.ResumedID != first.ID {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// The use of a grant is written before the handler runs, in one step with the dispatch.
func TestUseIsWrittenBeforeDispatch(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g := r.grant(p)
	r.handler = func(e toolcall.Execution) (any, error) {
		if len(r.store.dispatches) != 1 {
			t.Fatal("nothing was committed")
		}
		d := r.store.dispatches[0]
		if d.Grant != (toolcall.GrantUse{Issuer: "alice", ID: g.ID}) || d.OperationID != e.OperationID ||
			d.ProposalHash != p.ProposalHash || d.ProposalID != p.ID || d.Persisted.CanonicalJSON() != transferCanonical {
			t.Errorf("%+v", d)
		}
		return nil, nil
	}
	want(t, r.resume(p, g), toolcall.Executed, "")
}

// Names in another case, or that another alphabet folds to the same, fill nothing
// and are another action.
func TestNamesAreNotFolded(t *testing.T) {
	type arguments struct {
		Amount int      `json:"amount"`
		SKUs   []string `json:"skus"`
	}
	for _, test := range []struct {
		raw  string
		want arguments
	}{
		{`{"AMOUNT":1000,"amount":1}`, arguments{Amount: 1}},
		{`{"AMOUNT":1000}`, arguments{}},
		{`{"skus":["a"],"ſkus":["b"]}`, arguments{SKUs: []string{"a"}}},
		{`{"ſkus":["b"]}`, arguments{}},
	} {
		var got arguments
		r := newRig(t, func(r *rig) {
			r.tool.Handler = toolcall.Handle(func(_ ctx, a arguments) (any, error) { got = a; return nil, nil })
		})
		want(t, r.run(test.raw), toolcall.Executed, "")
		if canonicalOf(got.SKUs) != canonicalOf(test.want.SKUs) || got.Amount != test.want.Amount {
			t.Errorf("%s fills %+v", test.raw, got)
		}
	}
	hashes := map[string]bool{}
	for _, raw := range []string{`{"amount":1}`, `{"AMOUNT":1}`, `{"skus":1}`, `{"ſkus":1}`, `{"\u017fkus":2}`} {
		r := newRig(t, nil)
		hashes[r.run(raw).ProposalHash] = true
	}
	if len(hashes) != 5 {
		t.Errorf("%d hashes of five actions", len(hashes))
	}
}

func canonicalOf(list []string) string { return strings.Join(list, "\x00") }

func TestStoreFailureRunsNothing(t *testing.T) {
	down := errors.New("disk full at /home/alice")
	r := newRig(t, nil)
	p := r.suspend(transfer)
	g := r.grant(p)
	r.store.fail = down
	want(t, r.resume(p, g), toolcall.Refused, toolcall.StoreFailed)
	want(t, r.run(transfer), toolcall.Refused, toolcall.StoreFailed)
	r.policy = allow
	out := r.run(transfer)
	want(t, out, toolcall.Refused, toolcall.StoreFailed)
	var failed *toolcall.StoreError
	if !errors.As(out.Err, &failed) || failed.Cause() != down || strings.Contains(out.Err.Error(), "alice") {
		t.Errorf("%v", out.Err)
	}
	if r.handlers != 0 || out.Proposal != nil {
		t.Error("the handler ran")
	}
}

func TestResumeOfNothing(t *testing.T) {
	r := newRig(t, nil)
	want(t, r.runtime.Resume(t.Context(), "__proto__", toolcall.Grant{}), toolcall.Refused, toolcall.UnknownProposal)
	p := r.suspend(transfer)
	if err := r.store.Withdraw(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	want(t, r.resume(p, r.grant(p)), toolcall.Refused, toolcall.UnknownProposal)
	if err := r.store.Withdraw(t.Context(), p.ID); !errors.Is(err, toolcall.ErrUnknownProposal) {
		t.Errorf("%v", err)
	}
	// Another agent's proposal is not this one's.
	p = r.suspend(transfer)
	other := newRig(t, func(o *rig) { o.config.Agent, o.config.Store = "Other Agent", r.store })
	want(t, other.resume(p, other.grant(p)), toolcall.Refused, toolcall.UnknownProposal)
}

// A resumed attempt starts from the raw text: from the canonical arguments the
// schema's transform would run on its own output.
func TestResumeStartsFromRawText(t *testing.T) {
	r := newRig(t, nil)
	r.schema = func(v any) (any, error) {
		v.(map[string]any)["cents"] = v.(map[string]any)["cents"].(float64) * 100
		return v, nil
	}
	p := r.suspend(`{"cents": 1}`)
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		if in.RawArguments != `{"cents": 1}` || canonical(in.RequestedArguments) != `{"cents":1}` {
			t.Errorf("raw %s, requested %s", in.RawArguments, canonical(in.RequestedArguments))
		}
		return requireApproval(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		if e.Snapshot.CanonicalJSON() != `{"cents":100}` {
			t.Errorf("executed %s", e.Snapshot.CanonicalJSON())
		}
		return nil, nil
	}
	want(t, r.resume(p, r.grant(p)), toolcall.Executed, "")
}

// The same call suspended twice is one proposal: it runs once, as it was
// suspended last.
func TestSuspendedTwiceIsOneProposal(t *testing.T) {
	r := newRig(t, nil)
	first := r.suspend(transfer)
	c := call(transferCanonical)
	c.Intent = "again"
	second := *r.runtime.Run(t.Context(), c).Proposal
	if first.ID != second.ID {
		t.Fatalf("%s and %s", first.ID, second.ID)
	}
	if pending, err := r.store.Pending(t.Context()); err != nil || len(pending) != 1 || pending[0] != second {
		t.Errorf("%v, %v", pending, err)
	}
	r.records = nil
	want(t, r.resume(first, r.grant(first)), toolcall.Executed, "")
	if r.records[0].Intent != "again" {
		t.Errorf("the intent is %q", r.records[0].Intent)
	}
	want(t, r.resume(second, r.grant(second)), toolcall.Refused, toolcall.Dispatched)
}
