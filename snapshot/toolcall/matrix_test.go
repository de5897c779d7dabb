package toolcall_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// The twelve rows of RFC-0016's minimal test matrix, one test each.

const transfer = `{"to": {"name": "alice"}, "amount": 1e2, "tags": ["a", ["b"]]}`
const transferCanonical = `{"amount":100,"tags":["a",["b"]],"to":{"name":"alice"}}`

func TestMatrix01DistinctObjectsOneCanonicalValue(t *testing.T) {
	var parsed, executed any
	r := newRig(t, nil)
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		parsed = in.ParsedArguments
		if in.ArgsCanonicalJSON != transferCanonical || canonical(parsed) != transferCanonical {
			t.Errorf("policy has %s and the view %s", in.ArgsCanonicalJSON, canonical(parsed))
		}
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		executed = e.Arguments()
		if canonical(executed) != transferCanonical {
			t.Errorf("the handler has %s", canonical(executed))
		}
		spoil(executed)
		return nil, nil
	}
	want(t, r.run(transfer), toolcall.Executed, "")
	if canonical(parsed) != transferCanonical {
		t.Errorf("the handler changed policy's view to %s", canonical(parsed))
	}
}

func TestMatrix02RetainedPolicyReference(t *testing.T) {
	var retained toolcall.PolicyInput
	r := newRig(t, nil)
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		retained = in
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		spoil(retained.ParsedArguments)
		spoil(retained.RequestedArguments)
		if got := canonical(e.Arguments()); got != transferCanonical {
			t.Errorf("through what policy retained the execution input became %s", got)
		}
		return nil, nil
	}
	want(t, r.run(transfer), toolcall.Executed, "")
}

func TestMatrix03AliasReturnedByTransform(t *testing.T) {
	owned := map[string]any{"amount": 100.0, "to": map[string]any{"name": "alice"}, "tags": []any{"a", []any{"b"}}}
	r := newRig(t, nil)
	r.schema = func(any) (any, error) { return owned, nil }
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		spoil(owned)
		if got := canonical(in.ParsedArguments); got != transferCanonical {
			t.Errorf("through the application's alias policy's view became %s", got)
		}
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		spoil(owned)
		if got := canonical(e.Arguments()); got != transferCanonical {
			t.Errorf("through the application's alias the execution input became %s", got)
		}
		return nil, nil
	}
	want(t, r.run(`{}`), toolcall.Executed, "")
}

func TestMatrix04ImmediatePolicyMutation(t *testing.T) {
	shared := []any{}
	self := map[string]any{}
	self["self"] = self
	for _, test := range []struct {
		name    string
		change  func(view map[string]any)
		mutated bool
	}{
		{"a member set", func(v map[string]any) { v["amount"] = 1.0 }, true},
		{"a member added", func(v map[string]any) { v["__proto__"] = nil }, true},
		{"a member removed", func(v map[string]any) { delete(v, "amount") }, true},
		{"deep inside", func(v map[string]any) { v["tags"].([]any)[1].([]any)[0] = "c" }, true},
		{"0 to -0", func(v map[string]any) { v["zero"] = math.Copysign(0, -1) }, true},
		{"an alias", func(v map[string]any) { v["a"] = shared; v["b"] = map[string]any{"x": v["to"]} }, true},
		{"a cycle", func(v map[string]any) { v["to"].(map[string]any)["name"] = v }, true},
		{"a foreign type", func(v map[string]any) { v["amount"] = time.Unix(0, 0) }, true},
		{"NaN", func(v map[string]any) { v["amount"] = math.NaN() }, true},
		{"the same value, another Go type", func(v map[string]any) { v["amount"] = 100 }, false},
		{"changed and restored", func(v map[string]any) { v["amount"] = 1.0; v["amount"] = 100.0 }, false},
		{"written again in another order", func(v map[string]any) {
			to, tags := v["to"], v["tags"]
			clear(v)
			v["zero"], v["to"], v["tags"], v["amount"] = 0.0, to, tags, 100.0
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
				test.change(in.ParsedArguments.(map[string]any))
				return allow(in)
			}
			out := r.run(`{"amount":100,"tags":["a",["b"]],"to":{"name":"alice"},"zero":0}`)
			if !test.mutated {
				want(t, out, toolcall.Executed, "")
				return
			}
			want(t, out, toolcall.Denied, toolcall.PolicyMutated)
			if !out.Mutated || out.Policy.Verdict != toolcall.Allow {
				t.Errorf("beside it stands %+v", out)
			}
			if r.handlers != 0 || len(r.store.dispatches) != 0 {
				t.Error("the call was dispatched")
			}
		})
	}
}

// A policy that asks for approval or denies is denied for the mutation too; one
// that failed reports its failure first.
func TestMatrix04MutationWithOtherResults(t *testing.T) {
	failure := errors.New("down")
	for _, test := range []struct {
		verdict toolcall.Verdict
		err     error
		reason  toolcall.Reason
	}{
		{toolcall.RequireApproval, nil, toolcall.PolicyMutated},
		{toolcall.Deny, nil, toolcall.PolicyMutated},
		{toolcall.Allow, failure, toolcall.PolicyFailed},
		{"", nil, toolcall.PolicyFailed},
	} {
		r := newRig(t, nil)
		r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
			spoil(in.ParsedArguments)
			return toolcall.Decision{Verdict: test.verdict}, test.err
		}
		out := r.run(transfer)
		want(t, out, toolcall.Denied, test.reason)
		if !out.Mutated || out.Proposal != nil || len(r.store.suspended) != 0 {
			t.Errorf("%s: %+v", test.verdict, out)
		}
		if last := r.records[len(r.records)-1]; !last.Ending.Mutated {
			t.Errorf("%s: the mutation is not recorded", test.verdict)
		}
	}
}

func TestMatrix05LatePolicyMutation(t *testing.T) {
	release, done := make(chan bool), make(chan bool)
	r := newRig(t, nil)
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		go func() {
			<-release
			spoil(in.ParsedArguments)
			close(done)
		}()
		return allow(in)
	}
	r.handler = func(e toolcall.Execution) (any, error) {
		close(release)
		before := canonical(e.Arguments())
		<-done
		if after := canonical(e.Arguments()); before != transferCanonical || after != transferCanonical {
			t.Errorf("the execution input is %s, then %s", before, after)
		}
		return nil, nil
	}
	want(t, r.run(transfer), toolcall.Executed, "")
}

func TestMatrix06UnsupportedOutputFailsAtSnapshot(t *testing.T) {
	r := newRig(t, nil)
	r.schema = func(any) (any, error) { return map[string]any{"when": time.Unix(0, 0)}, nil }
	out := r.run(transfer)
	want(t, out, toolcall.Refused, toolcall.BadArguments)
	var refused *toolcall.ArgumentsError
	if !errors.As(out.Err, &refused) || refused.Stage != toolcall.StageSnapshot || refused.Tool != "pay" ||
		refused.Reason != reject.UnsupportedType || out.Stage != toolcall.StageSnapshot {
		t.Errorf("%#v", out.Err)
	}
	if strings.Contains(out.Err.Error(), "when") || strings.Contains(out.Err.Error(), "alice") {
		t.Errorf("the error shows payload: %v", out.Err)
	}
	if r.policies+r.handlers+r.projections+len(r.store.suspended)+len(r.store.dispatches) != 0 || out.Policy.Verdict != "" {
		t.Errorf("something ran after the failure: %+v", r)
	}
}

func TestMatrix07OneParseAnAttempt(t *testing.T) {
	r := newRig(t, nil)
	want(t, r.run(transfer), toolcall.Executed, "")
	if r.schemas != 1 {
		t.Errorf("allowed: %d parses", r.schemas)
	}
	p := r.suspend(transfer)
	if r.schemas != 2 {
		t.Errorf("suspended: %d parses", r.schemas-1)
	}
	want(t, r.resume(p, r.grant(p)), toolcall.Executed, "")
	if r.schemas != 3 {
		t.Errorf("resumed: %d parses", r.schemas-2)
	}
}

func TestMatrix08SuspendedProposalReusesTheFingerprint(t *testing.T) {
	r := newRig(t, nil)
	var seen toolcall.PolicyInput
	r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) {
		seen = in
		return requireApproval(in)
	}
	out := r.run(transfer)
	want(t, out, toolcall.Suspended, "")
	spoil(seen.ParsedArguments) // too late
	spoil(seen.RequestedArguments)
	stored := r.store.suspended[0]
	for _, p := range []toolcall.Proposal{*out.Proposal, stored} {
		if p.ArgsCanonicalJSON() != seen.ArgsCanonicalJSON || p.ProposalHash != seen.ProposalHash || p.RawArguments != transfer {
			t.Errorf("the proposal holds %s under %s", p.ArgsCanonicalJSON(), p.ProposalHash)
		}
		if got := canonical(p.ParsedArguments()); got != transferCanonical {
			t.Errorf("its view is %s", got)
		}
		spoil(p.ParsedArguments())
		if got := canonical(p.ParsedArguments()); got != transferCanonical {
			t.Errorf("after its view was changed, its view is %s", got)
		}
	}
}

func TestMatrix09ResumeMatchesOnlyAnIdenticalHash(t *testing.T) {
	for _, test := range []struct {
		name, arguments string
		status          toolcall.Status
		reason          toolcall.Reason
	}{
		{"the same text", transfer, toolcall.Executed, ""},
		{"another spelling of the same value", "\t" + transferCanonical, toolcall.Executed, ""},
		{"another amount", strings.Replace(transfer, "1e2", "101", 1), toolcall.Refused, toolcall.EvidenceMismatch},
		{"another case", strings.Replace(transfer, "amount", "AMOUNT", 1), toolcall.Refused, toolcall.EvidenceMismatch},
		{"a member more", strings.Replace(transfer, `"amount"`, `"constructor":null,"amount"`, 1), toolcall.Refused, toolcall.EvidenceMismatch},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, nil)
			grant := r.grant(r.suspend(transfer))
			c := call(test.arguments)
			c.Grant = &grant
			want(t, r.runtime.Run(t.Context(), c), test.status, test.reason)
			if executed := test.status == toolcall.Executed; (r.handlers == 1) != executed {
				t.Errorf("the handler ran %d times", r.handlers)
			}
		})
	}
	t.Run("another tool", func(t *testing.T) {
		r := newRig(t, func(r *rig) {
			other := r.tool
			other.Name = "refund"
			r.config.Tools = append(r.config.Tools, other)
		})
		grant := r.grant(r.suspend(transfer))
		c := call(transfer)
		c.Tool, c.Grant = "refund", &grant
		want(t, r.runtime.Run(t.Context(), c), toolcall.Refused, toolcall.EvidenceMismatch)
	})
	t.Run("another schema since", func(t *testing.T) {
		r := newRig(t, nil)
		p := r.suspend(transfer)
		r.schema = func(v any) (any, error) {
			v.(map[string]any)["amount"] = 101.0
			return v, nil
		}
		want(t, r.resume(p, r.grant(p)), toolcall.Refused, toolcall.EvidenceMismatch)
		if r.handlers != 0 {
			t.Error("the handler ran")
		}
	})
}

func TestMatrix10PrototypeNamesAreData(t *testing.T) {
	const text = `{"__proto__":{"admin":true},"constructor":1,"prototype":[],"toString":null}`
	r := newRig(t, nil)
	r.handler = func(e toolcall.Execution) (any, error) {
		if e.Snapshot.CanonicalJSON() != text || canonical(e.Arguments()) != text {
			t.Errorf("the execution input is %s", e.Snapshot.CanonicalJSON())
		}
		return nil, nil
	}
	out := r.run(text)
	want(t, out, toolcall.Executed, "")
	r.handler = func(toolcall.Execution) (any, error) { return nil, nil }
	hashes := map[string]string{out.ProposalHash: text}
	for _, name := range []string{"__proto__", "constructor", "prototype", "toString"} {
		object := out.Arguments.View().(map[string]any)
		delete(object, name)
		other := r.run(canonical(object))
		if twin, twice := hashes[other.ProposalHash]; twice {
			t.Errorf("without %s the hash is that of %s", name, twin)
		}
		hashes[other.ProposalHash] = canonical(object)
	}
}

func TestMatrix11OutsideTheDomainFailsTheSameWay(t *testing.T) {
	shared := map[string]any{}
	self := []any{nil}
	self[0] = self
	for _, test := range []struct {
		name   string
		raw    string
		output any
		stage  toolcall.Stage
		reason reject.Reason
	}{
		{"-0 in the text", `{"n":-0.0}`, nil, toolcall.StageDecode, reject.NegativeZero},
		{"a lone surrogate in the text", `{"s":"\ud800"}`, nil, toolcall.StageDecode, reject.LoneSurrogate},
		{"a duplicate name", `{"a":1,"\u0061":2}`, nil, toolcall.StageDecode, reject.DuplicateName},
		{"faulty UTF-8", "{\"s\":\"\xff\"}", nil, toolcall.StageDecode, reject.InvalidUTF8},
		{"two values", `{} {}`, nil, toolcall.StageDecode, reject.Syntax},
		{"nothing", ``, nil, toolcall.StageDecode, reject.Syntax},
		{"-0", `{}`, math.Copysign(0, -1), toolcall.StageSnapshot, reject.NegativeZero},
		{"NaN", `{}`, math.NaN(), toolcall.StageSnapshot, reject.NonFiniteNumber},
		{"a surrogate's bytes", `{}`, "\xed\xa0\x80", toolcall.StageSnapshot, reject.InvalidUTF8},
		{"an alias", `{}`, []any{shared, shared}, toolcall.StageSnapshot, reject.RepeatedReference},
		{"a cycle", `{}`, self, toolcall.StageSnapshot, reject.Cycle},
		{"a typed nil", `{}`, map[string]any(nil), toolcall.StageSnapshot, reject.TypedNil},
		{"a host object", `{}`, time.Unix(0, 0), toolcall.StageSnapshot, reject.UnsupportedType},
		{"a function", `{}`, func() {}, toolcall.StageSnapshot, reject.UnsupportedType},
		{"an inexact integer", `{}`, 1 << 60, toolcall.StageSnapshot, reject.InexactNumber},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, nil)
			if test.stage == toolcall.StageSnapshot {
				r.schema = func(any) (any, error) { return test.output, nil }
			}
			text := ""
			for range 5 {
				out := r.run(test.raw)
				want(t, out, toolcall.Refused, toolcall.BadArguments)
				var refused *toolcall.ArgumentsError
				if !errors.As(out.Err, &refused) || refused.Stage != test.stage || refused.Reason != test.reason {
					t.Fatalf("%v", out.Err)
				}
				if text != "" && out.Err.Error() != text {
					t.Errorf("%q, then %q", text, out.Err)
				}
				text = out.Err.Error()
			}
			if r.policies+r.projections+r.handlers != 0 {
				t.Error("something ran after the failure")
			}
			if parses := map[toolcall.Stage]int{toolcall.StageDecode: 0, toolcall.StageSnapshot: 5}[test.stage]; r.schemas != parses {
				t.Errorf("%d parses", r.schemas)
			}
		})
	}
}

// The published example of RFC 8785 section 3.2.2, and its sorting example of
// section 3.2.3 with names beyond ASCII.
func TestMatrix12PublishedVectors(t *testing.T) {
	for _, test := range []struct{ raw, canonical string }{
		{`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
	} {
		r := newRig(t, nil)
		r.handler = func(e toolcall.Execution) (any, error) {
			if got := e.Snapshot.CanonicalJSON(); got != test.canonical {
				t.Errorf("%s", got)
			}
			return nil, nil
		}
		want(t, r.run(test.raw), toolcall.Executed, "")
	}
}

// The two hashes that AIOC 0.2.8 gives.
func TestProposalHashIsPublished(t *testing.T) {
	for raw, hash := range map[string]string{
		`{}`:                `539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502`,
		`{"q":"x","n":1.0}`: `1a3592016b86e3d083c4d04e0520313beea8085cc2a4bdd7c904b6e9624932dc`,
	} {
		r := newRig(t, func(r *rig) { r.tool.Name = "search_docs" })
		c := call(raw)
		c.Tool = "search_docs"
		if out := r.runtime.Run(t.Context(), c); out.ProposalHash != hash {
			t.Errorf("%s: %s", raw, out.ProposalHash)
		}
	}
}
