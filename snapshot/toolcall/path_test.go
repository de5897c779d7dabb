package toolcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

type ctx = context.Context

const secret = "hunter2"
const withSecret = `{"user":"alice","password":"hunter2"}`

// A path of the table: how often projection, implementation and durable commit
// happen, and how it ends. Every path is run with a projection that hides a
// secret, and what it leaves is searched for it.
type path struct {
	name                                string
	change                              func(*rig)
	go_                                 func(*rig) *toolcall.Outcome
	projection, implementation, commits int
	status                              toolcall.Status
	reason                              toolcall.Reason
	arguments                           bool // the records show the (projected) arguments
}

var errSecret = fmt.Errorf("cannot log in with %s", secret)

func runSecret(r *rig) *toolcall.Outcome { return r.run(withSecret) }

// resumeWith suspends and resumes with a grant that was changed.
func resumeWith(change func(*rig, *toolcall.Grant)) func(*rig) *toolcall.Outcome {
	return func(r *rig) *toolcall.Outcome {
		p := r.suspend(withSecret)
		g, err := r.issuer.Approve(p, r.now.Add(time.Hour))
		if err != nil {
			r.t.Fatal(err)
		}
		change(r, &g)
		r.projections, r.records = 0, nil
		return r.resume(p, g)
	}
}

// secondInStep runs a call in whose step another was admitted.
func secondInStep(r *rig) *toolcall.Outcome {
	c := call(withSecret)
	c.Step = toolcall.NewStep("step")
	if _, err := r.runtime.Begin(c); err != nil {
		r.t.Fatal(err)
	}
	return r.runtime.Run(context.Background(), c)
}

var paths = []path{
	{"normal", nil, runSecret, 1, 1, 1, toolcall.Executed, "", true},
	{"direct-only refused", func(r *rig) { r.tool.DirectOnly = true }, func(r *rig) *toolcall.Outcome {
		c := call(withSecret)
		c.Origin = toolcall.FromCode
		return r.runtime.Run(context.Background(), c)
	}, 0, 0, 0, toolcall.Refused, toolcall.DirectOnly, false},
	{"step admission refused", func(r *rig) { r.tool.Exclusive = true }, secondInStep, 1, 0, 0, toolcall.Refused, toolcall.StepAdmission, true},
	{"the text does not decode", nil, func(r *rig) *toolcall.Outcome { return r.run(withSecret + "hunter2") },
		0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"the schema refuses", func(r *rig) { r.schema = func(any) (any, error) { return nil, errSecret } }, runSecret,
		0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"the schema panics", func(r *rig) { r.schema = func(any) (any, error) { panic(secret) } }, runSecret,
		0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"outside the domain", func(r *rig) {
		r.schema = func(any) (any, error) { return map[string]any{secret: time.Now()}, nil }
	}, runSecret, 0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"the projection fails", func(r *rig) { r.project = func(any) (any, any, error) { return nil, nil, errSecret } }, runSecret,
		1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the projection panics", func(r *rig) { r.project = func(any) (any, any, error) { panic(errSecret) } }, runSecret,
		1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the permission view is outside the domain", func(r *rig) {
		r.project = func(v any) (any, any, error) { return time.Now(), v, nil }
	}, runSecret, 1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the persisted view is outside the domain", func(r *rig) {
		r.project = func(v any) (any, any, error) { return v, map[string]any{secret: func() {}}, nil }
	}, runSecret, 1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the projection renames", func(r *rig) {
		r.project = func(v any) (any, any, error) { return v, map[string]any{"USER": "alice", "password": "-"}, nil }
	}, runSecret, 1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the projection drops a name", func(r *rig) {
		r.project = func(v any) (any, any, error) { return v, map[string]any{"user": "alice"}, nil }
	}, runSecret, 1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"the projection gives no object", func(r *rig) {
		r.project = func(v any) (any, any, error) { return v, "hidden", nil }
	}, runSecret, 1, 0, 0, toolcall.Refused, toolcall.ProjectionFailed, false},
	{"sandbox boundary, no surface", func(r *rig) { r.tool.Boundary = true }, runSecret, 1, 1, 1, toolcall.Executed, "", true},
	{"sandbox boundary, no surface, schema refuses", func(r *rig) {
		r.tool.Boundary = true
		r.schema = func(any) (any, error) { return nil, errSecret }
	}, runSecret, 0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"sandbox boundary with a surface, bad arguments", func(r *rig) {
		r.tool.Boundary = true
		r.config.Surface = surfaceFunc(func(any) error { return errSecret })
	}, runSecret, 0, 0, 0, toolcall.Refused, toolcall.BadArguments, false},
	{"sandbox boundary with a surface", func(r *rig) {
		r.tool.Boundary = true
		r.config.Surface = surfaceFunc(func(v any) error { spoil(v); return nil })
	}, runSecret, 1, 1, 1, toolcall.Executed, "", true},
	{"a surface, no boundary", func(r *rig) {
		r.config.Surface = surfaceFunc(func(any) error { return errSecret })
	}, runSecret, 1, 1, 1, toolcall.Executed, "", true},
	{"policy denies", func(r *rig) {
		r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) {
			return toolcall.Decision{Verdict: toolcall.Deny, Reason: secret, Details: secret}, nil
		}
	}, runSecret, 1, 0, 0, toolcall.Denied, toolcall.PolicyDenied, true},
	{"policy fails", func(r *rig) {
		r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) { return toolcall.Decision{}, errSecret }
	}, runSecret, 1, 0, 0, toolcall.Denied, toolcall.PolicyFailed, true},
	{"policy says nothing", func(r *rig) {
		r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) { return toolcall.Decision{}, nil }
	}, runSecret, 1, 0, 0, toolcall.Denied, toolcall.PolicyFailed, true},
	{"policy panics", func(r *rig) {
		r.policy = func(in toolcall.PolicyInput) (toolcall.Decision, error) { panic(in) }
	}, runSecret, 1, 0, 0, toolcall.Denied, toolcall.PolicyFailed, true},
	{"policy mutates", func(r *rig) { r.policy = spoilAndAllow }, runSecret, 1, 0, 0, toolcall.Denied, toolcall.PolicyMutated, true},
	{"approval required", func(r *rig) { r.policy = requireApproval }, runSecret, 1, 0, 0, toolcall.Suspended, "", true},
	{"resumed with valid approval", nil, resumeWith(func(*rig, *toolcall.Grant) {}), 1, 1, 1, toolcall.Executed, "", true},
	{"resumed, forged", nil, resumeWith(func(_ *rig, g *toolcall.Grant) { g.Signature[0]++ }),
		1, 0, 0, toolcall.Refused, toolcall.EvidenceForged, true},
	{"resumed, expired", nil, resumeWith(func(r *rig, _ *toolcall.Grant) { r.now = r.now.Add(2 * time.Hour) }),
		1, 0, 0, toolcall.Refused, toolcall.EvidenceExpired, true},
	{"resumed, used", nil, resumeWith(func(r *rig, g *toolcall.Grant) {
		free, err := r.issuer.Sign(toolcall.Grant{ID: g.ID, ProposalHash: g.ProposalHash, Expires: g.Expires})
		if err != nil {
			r.t.Fatal(err)
		}
		*g = free
		c := call(withSecret)
		c.ProviderCallID, c.Grant = "before", g
		want(r.t, r.runtime.Run(context.Background(), c), toolcall.Executed, "")
		r.handlers, r.store.dispatches = 0, nil
	}), 1, 0, 0, toolcall.Refused, toolcall.EvidenceUsed, true},
	{"resumed, of another hash", nil, resumeWith(func(r *rig, g *toolcall.Grant) {
		other, err := r.issuer.Sign(toolcall.Grant{ProposalHash: strings.Repeat("0", 64), Expires: g.Expires})
		if err != nil {
			r.t.Fatal(err)
		}
		*g = other
	}), 1, 0, 0, toolcall.Refused, toolcall.EvidenceMismatch, true},
	{"the implementation fails", func(r *rig) {
		r.handler = func(toolcall.Execution) (any, error) { return secret, errSecret }
	}, runSecret, 1, 1, 1, toolcall.Failed, toolcall.HandlerFailed, true},
	{"the implementation panics", func(r *rig) {
		r.handler = func(toolcall.Execution) (any, error) { panic(errSecret) }
	}, runSecret, 1, 1, 1, toolcall.Failed, toolcall.HandlerFailed, true},
	{"the store fails", func(r *rig) { r.store.fail = errSecret }, runSecret, 1, 0, 0, toolcall.Refused, toolcall.StoreFailed, true},
	{"the context has ended", nil, func(r *rig) *toolcall.Outcome {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		return r.runtime.Run(ended, call(withSecret))
	}, 1, 0, 0, toolcall.Refused, toolcall.Canceled, true},
}

func runPath(t *testing.T, p path) (*rig, *toolcall.Outcome) {
	r := newRig(t, func(r *rig) {
		hide := toolcall.Hide("password")
		r.project = func(v any) (any, any, error) { return hide(context.Background(), v) }
		if p.change != nil {
			p.change(r)
		}
	})
	return r, p.go_(r)
}

func TestPathsAndTheirCallCounts(t *testing.T) {
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			r, out := runPath(t, p)
			want(t, out, p.status, p.reason)
			if r.projections != p.projection || r.handlers != p.implementation || len(r.store.dispatches) != p.commits {
				t.Errorf("%d projections, %d implementations, %d commits; want %d, %d, %d",
					r.projections, r.handlers, len(r.store.dispatches), p.projection, p.implementation, p.commits)
			}
			if (out.OperationID != "") != (p.implementation == 1) {
				t.Errorf("the operation id is %q", out.OperationID)
			}
		})
	}
}

// Exactly one start event, one call record and one result record on every path, in
// this order, with an operation id only if something was dispatched.
func TestRecordsOfEveryPath(t *testing.T) {
	const hidden = `{"password":"[hidden]","user":"alice"}`
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			r, out := runPath(t, p)
			if n := len(r.records); n < 3 {
				t.Fatalf("%d records", n)
			}
			records := r.records[len(r.records)-3:]
			if p.name != "resumed, used" && len(r.records) != 3 {
				t.Errorf("%d records", len(r.records))
			}
			for i, kind := range []toolcall.Kind{toolcall.StartEvent, toolcall.CallRecord, toolcall.ResultRecord} {
				if records[i].Kind != kind || records[i].ProviderCallID != "call" {
					t.Errorf("record %d is %+v", i, records[i])
				}
			}
			start, made, result := records[0], records[1], records[2]
			if start.CallFields != made.CallFields {
				t.Errorf("start and call differ: %+v, %+v", start.CallFields, made.CallFields)
			}
			shown := ""
			if p.arguments {
				shown = hidden
			}
			if got := made.Arguments.CanonicalJSON(); got != shown {
				t.Errorf("the records show %q, want %q", got, shown)
			}
			id := ""
			if p.implementation == 1 {
				id, _ = toolcall.OperationID("inv", "call")
			}
			if out.OperationID != id || start.OperationID != id || result.OperationID != id || made.OperationID != "" {
				t.Errorf("operation ids %q, %q, %q", start.OperationID, made.OperationID, result.OperationID)
			}
			if result.Ending != (toolcall.Ending{Status: out.Status, Reason: out.Reason, Stage: out.Stage, Verdict: out.Policy.Verdict, Mutated: out.Mutated}) {
				t.Errorf("the result is %+v", result.Ending)
			}
		})
	}
}

// What a projection hides is in no record, no durable record, no view and no error.
func TestProjectionHidesASecretOnEveryPath(t *testing.T) {
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			r, out := runPath(t, p)
			left := []any{r.records, r.store.dispatches, out.Views, out.Err, fmt.Sprint(out.Err)}
			for err := out.Err; err != nil; err = errors.Unwrap(err) {
				left = append(left, err.Error(), fmt.Sprintf("%v %s %q", err, err, err))
			}
			for _, record := range r.records {
				text, err := json.Marshal(record)
				if err != nil {
					t.Fatal(err)
				}
				left = append(left, string(text))
			}
			for _, v := range left {
				if text := fmt.Sprintf("%v", v); strings.Contains(text, secret) {
					t.Errorf("the secret is in %s", text)
				}
			}
		})
	}
}

// Without a projection nothing is shown.
func TestNothingIsShownByDefault(t *testing.T) {
	r := newRig(t, func(r *rig) { r.tool.Projection = nil })
	out := r.run(withSecret)
	want(t, out, toolcall.Executed, "")
	if text := fmt.Sprint(r.records, r.store.dispatches); strings.Contains(text, secret) || strings.Contains(text, "password") {
		t.Errorf("%s", text)
	}
	if _, has := r.records[0].Fields()["args"]; has {
		t.Error("the start event has arguments")
	}
}

// Of N concurrent calls of an exclusive tool one is admitted: the first to begin.
func TestExclusiveToolIsAdmittedOnce(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.tool = toolcall.Tool{Name: "pay", Exclusive: true, Schema: toolcall.AnyArguments,
			Handler: toolcall.HandlerFunc(func(ctx, toolcall.Execution) (any, error) { return nil, nil })}
		r.config.Recorders = nil
		r.config.Policy = toolcall.PolicyFunc(func(_ ctx, in toolcall.PolicyInput) (toolcall.Decision, error) { return allow(in) })
	})
	step := toolcall.NewStep("s")
	var attempts []*toolcall.Attempt
	for i := range 16 {
		c := call(transfer)
		c.ProviderCallID, c.Step = fmt.Sprint("c", i), step
		a, err := r.runtime.Begin(c)
		if err != nil {
			t.Fatal(err)
		}
		attempts = append(attempts, a)
	}
	outs := make([]*toolcall.Outcome, len(attempts))
	last := len(attempts) - 1
	outs[last] = attempts[last].Run(t.Context()) // before the one that is admitted
	var group sync.WaitGroup
	for i := range last {
		group.Go(func() { outs[i] = attempts[i].Run(t.Context()) })
	}
	group.Wait()
	for i, out := range outs {
		if i == 0 {
			want(t, out, toolcall.Executed, "")
		} else {
			want(t, out, toolcall.Refused, toolcall.StepAdmission)
		}
	}
}

func TestStepAdmission(t *testing.T) {
	for _, test := range []struct {
		calls string // the tools called in one step: x exclusive, n not, d direct-only and exclusive, from code
		want  string // a admitted, r refused by the step, o refused otherwise
	}{
		{"nnn", "aaa"}, {"xnx", "arr"}, {"nxn", "ara"}, {"dx", "oa"}, {"xd", "ao"}, {"nxx", "arr"},
	} {
		r := newRig(t, func(r *rig) {
			for name, change := range map[string]func(*toolcall.Tool){
				"x": func(t *toolcall.Tool) { t.Exclusive = true },
				"n": func(*toolcall.Tool) {},
				"d": func(t *toolcall.Tool) { t.Exclusive, t.DirectOnly = true, true },
			} {
				tool := r.tool
				tool.Name = name
				change(&tool)
				r.config.Tools = append(r.config.Tools, tool)
			}
		})
		step, got := toolcall.NewStep("s"), ""
		for i, tool := range strings.Split(test.calls, "") {
			c := call(`{}`)
			c.Tool, c.ProviderCallID, c.Step = tool, fmt.Sprint(i), step
			if tool == "d" {
				c.Origin = toolcall.FromCode
			}
			switch out := r.runtime.Run(t.Context(), c); {
			case out.Status == toolcall.Executed:
				got += "a"
			case out.Reason == toolcall.StepAdmission:
				got += "r"
			default:
				got += "o"
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.calls, got, test.want)
		}
	}
}

// The operation id is that of run and call, never of the arguments.
func TestOperationID(t *testing.T) {
	for _, test := range []struct{ invocation, call, want string }{
		{"run-1", "call_abc", "toolop_4678f8e63b31392044a609acc26a869f"},
	} {
		got, err := toolcall.OperationID(test.invocation, test.call)
		if err != nil || got != test.want {
			t.Errorf("%s, %v", got, err)
		}
	}
	r := newRig(t, nil)
	ids := map[string]bool{}
	for _, arguments := range []string{`{}`, `{"pin":1}`, transfer} {
		ids[r.run(arguments).OperationID] = true
	}
	id, err := toolcall.OperationID("inv", "call")
	if err != nil || len(ids) != 1 || !ids[id] {
		t.Errorf("%v, %v", ids, err)
	}
	// A JSON list keeps the two apart.
	a, _ := toolcall.OperationID(`a","b`, "c")
	b, _ := toolcall.OperationID("a", `b","c`)
	if a == b {
		t.Error("two calls have one id")
	}
	if _, err := toolcall.OperationID("\xff", "c"); err == nil {
		t.Error("an id that is not UTF-8 is taken")
	}
}
