package toolcall_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

func TestNewRefuses(t *testing.T) {
	handler := toolcall.HandlerFunc(func(ctx, toolcall.Execution) (any, error) { return nil, nil })
	policy := toolcall.PolicyFunc(func(ctx, toolcall.PolicyInput) (toolcall.Decision, error) { return toolcall.Decision{}, nil })
	good := toolcall.Tool{Name: "a", Schema: toolcall.AnyArguments, Handler: handler}
	for _, test := range []struct {
		config toolcall.Config
		want   string
	}{
		{toolcall.Config{Agent: "\xff", Policy: policy}, "agent's name"},
		{toolcall.Config{}, "a policy is needed"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Schema: toolcall.AnyArguments, Handler: handler}}}, "empty or not UTF-8"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Name: "\xff", Schema: toolcall.AnyArguments, Handler: handler}}}, "empty or not UTF-8"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{good, good}}, `two tools of the name "a"`},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Name: "a", Handler: handler}}}, "no schema"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Name: "a", Schema: toolcall.AnyArguments}}}, "no handler"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Name: "a", Schema: toolcall.AnyArguments, Handler: handler, ActivityKind: "\xff"}}}, "activity kind"},
		{toolcall.Config{Policy: policy, Tools: []toolcall.Tool{{Name: "a", Schema: toolcall.AnyArguments, Handler: handler, DisplayName: "\xff"}}}, "display name"},
	} {
		if r, err := toolcall.New(test.config); r != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	if _, err := toolcall.New(toolcall.Config{Policy: policy, Tools: []toolcall.Tool{good}}); err != nil {
		t.Error(err)
	}
}

// New copies its Config.
func TestConfigIsCopied(t *testing.T) {
	r := newRig(t, nil)
	r.config.Tools[0].Name, r.config.Tools[0].Exclusive = "other", true
	r.config.Recorders[0] = nil
	want(t, r.run(transfer), toolcall.Executed, "")
}

func TestBeginRefuses(t *testing.T) {
	r := newRig(t, nil)
	for _, test := range []struct {
		change func(*toolcall.Call)
		field  string
	}{
		{func(c *toolcall.Call) { c.Origin = "moon" }, "Origin"},
		{func(c *toolcall.Call) { c.InvocationID = "" }, "InvocationID"},
		{func(c *toolcall.Call) { c.ProviderCallID = "" }, "ProviderCallID"},
		{func(c *toolcall.Call) { c.InvocationID = "hunter2\xff" }, "InvocationID"},
		{func(c *toolcall.Call) { c.ProviderCallID = "\xff" }, "ProviderCallID"},
		{func(c *toolcall.Call) { c.Turn = "\xff" }, "Turn"},
		{func(c *toolcall.Call) { c.Visibility = "\xff" }, "Visibility"},
		{func(c *toolcall.Call) { c.ParentCall = "\xff" }, "ParentCall"},
		{func(c *toolcall.Call) { c.ParentOperation = "\xff" }, "ParentOperation"},
		{func(c *toolcall.Call) { c.Intent = "\xff" }, "Intent"},
		{func(c *toolcall.Call) { c.Step = toolcall.NewStep("\xff") }, "Step"},
		{func(c *toolcall.Call) { c.ProviderOptions = map[string]any{"hunter2": time.Now()} }, "ProviderOptions"},
	} {
		c := call(transfer)
		test.change(&c)
		_, err := r.runtime.Begin(c)
		var refused *toolcall.CallError
		if !errors.As(err, &refused) || refused.Field != test.field || !strings.Contains(err.Error(), test.field) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", test.field, err)
		}
		if inDomain := errors.Is(err, reject.UnsupportedType); inDomain != (test.field == "ProviderOptions") {
			t.Errorf("%s wraps %v", test.field, errors.Unwrap(err))
		}
		want(t, r.runtime.Run(t.Context(), c), toolcall.Refused, toolcall.BadCall)
	}
	c := call(transfer)
	c.Tool = "__proto__"
	if _, err := r.runtime.Begin(c); !errors.Is(err, toolcall.ErrUnknownTool) {
		t.Error(err)
	}
	if len(r.records) > 0 {
		t.Error("something was recorded of calls that were not begun")
	}
}

// A suspended call whose tool is gone cannot be resumed, and a suspended call
// keeps all that was given with it.
func TestResumeKeepsTheCall(t *testing.T) {
	r := newRig(t, func(r *rig) { r.tool.ActivityKind, r.tool.DisplayName, r.tool.Exclusive = "payment", "Pay", true })
	r.policy = requireApproval
	c := call(transfer)
	c.Turn, c.Origin, c.Visibility, c.ParentCall, c.ParentOperation, c.Intent = "t", toolcall.FromCode, "v", "pc", "po", "i"
	c.ProviderOptions, c.Step = map[string]any{"a": 1}, toolcall.NewStep("s")
	p := *r.runtime.Run(t.Context(), c).Proposal
	first := r.records[0].Fields()
	r.now, r.records = r.now.Add(time.Second), nil
	want(t, r.resume(p, r.grant(p)), toolcall.Executed, "")
	again := r.records[0].Fields()
	if first["timestamp"] == again["timestamp"] || again["operationId"] == nil {
		t.Errorf("%v, then %v", first, again)
	}
	delete(first, "timestamp")
	delete(again, "timestamp")
	delete(again, "operationId")
	if canonical(first) != canonical(again) || len(again) != 14 {
		t.Errorf("%s, then %s", canonical(first), canonical(again))
	}
	p = r.suspend(`{}`)
	other := newRig(t, func(o *rig) { o.tool.Name, o.config.Store = "gone", r.store })
	want(t, other.resume(p, other.grant(p)), toolcall.Refused, toolcall.BadCall)
}

// Fields that are empty are absent; an empty step that was given is there.
func TestRecordFieldsAreAbsentWhenEmpty(t *testing.T) {
	r := newRig(t, func(r *rig) { r.tool.Projection = nil })
	want(t, r.run(transfer), toolcall.Executed, "")
	id, _ := toolcall.OperationID("inv", "call")
	for i, text := range []string{
		`{"kind":"start","operationId":"` + id + `","origin":"provider","timestamp":"1970-01-01T00:16:40Z","toolCallId":"call","toolName":"pay"}`,
		`{"kind":"call","origin":"provider","timestamp":"1970-01-01T00:16:40Z","toolCallId":"call","toolName":"pay"}`,
		`{"decision":"allow","kind":"result","operationId":"` + id + `","status":"executed","toolCallId":"call"}`,
	} {
		if got, err := json.Marshal(r.records[i]); err != nil || string(got) != text {
			t.Errorf("%s, %v, want %s", got, err, text)
		}
	}
	c := call(`null`)
	c.Step, c.ProviderOptions = toolcall.NewStep(""), map[string]any{}
	shown := newRig(t, nil)
	want(t, shown.runtime.Run(t.Context(), c), toolcall.Executed, "")
	f := shown.records[1].Fields()
	if f["stepId"] != "" || canonical(f["providerOptions"]) != "{}" {
		t.Errorf("%v", f)
	}
	if arguments, has := f["args"]; !has || arguments != nil {
		t.Errorf("the arguments null are recorded as %v, %v", arguments, has)
	}
	mutated := newRig(t, nil)
	mutated.policy = spoilAndAllow
	mutated.run(transfer)
	if got := canonical(mutated.records[2].Fields()); got != `{"decision":"allow","kind":"result","mutated":true,"reason":"policy_mutated_arguments","status":"denied","toolCallId":"call"}` {
		t.Errorf("%s", got)
	}
}

// Each recorder, and each reader of a record, has a value of its own, and
// recorders are called whatever has become of the context.
func TestRecordersShareNothing(t *testing.T) {
	var seen []string
	r := newRig(t, func(r *rig) {
		r.config.Recorders = nil
		for range 2 {
			r.config.Recorders = append(r.config.Recorders, toolcall.RecorderFunc(func(ctx context.Context, record toolcall.Record) {
				if ctx.Err() != nil {
					t.Errorf("the record %s has an ended context", record.Kind)
				}
				seen = append(seen, canonical(record.Fields()))
				spoil(record.Fields())
				spoil(record.Arguments.View())
			}))
		}
	})
	ended, cancel := context.WithCancel(t.Context())
	r.handler = func(toolcall.Execution) (any, error) { cancel(); return nil, nil }
	want(t, r.runtime.Run(ended, call(transfer)), toolcall.Executed, "")
	if len(seen) != 6 {
		t.Fatalf("%d records", len(seen))
	}
	for i := 0; i < len(seen); i += 2 {
		if seen[i] != seen[i+1] {
			t.Errorf("%s, and then %s", seen[i], seen[i+1])
		}
	}
}

// Errors can be told apart, name the tool, and give their cause when asked.
func TestErrors(t *testing.T) {
	type marker struct{ error }
	cause := marker{errSecret}
	for _, test := range []struct {
		change func(*rig)
		as     func(error) (error, bool)
		text   string
	}{
		{func(r *rig) { r.schema = func(any) (any, error) { return nil, cause } }, func(err error) (error, bool) {
			var e *toolcall.ArgumentsError
			return unpack(errors.As(err, &e), func() error { return e.Cause() })
		}, `toolcall: the arguments of "pay" are refused at the stage schema`},
		{func(r *rig) { r.project = func(any) (any, any, error) { return nil, nil, cause } }, func(err error) (error, bool) {
			var e *toolcall.ProjectionError
			return unpack(errors.As(err, &e), func() error { return e.Cause() })
		}, `toolcall: the projection for "pay" failed`},
		{func(r *rig) {
			r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) { return toolcall.Decision{}, cause }
		}, func(err error) (error, bool) {
			var e *toolcall.PolicyError
			return unpack(errors.As(err, &e), func() error { return e.Cause() })
		}, `toolcall: the policy for "pay" failed`},
		{func(r *rig) { r.handler = func(toolcall.Execution) (any, error) { return nil, cause } }, func(err error) (error, bool) {
			var e *toolcall.ExecutionError
			return unpack(errors.As(err, &e), func() error { return e.Cause() })
		}, `toolcall: the handler for "pay" failed`},
		{func(r *rig) { r.store.fail = cause }, func(err error) (error, bool) {
			var e *toolcall.StoreError
			return unpack(errors.As(err, &e), func() error { return e.Cause() })
		}, `toolcall: the store for "pay" failed`},
	} {
		r := newRig(t, test.change)
		out := r.run(transfer)
		got, ok := test.as(out.Err)
		if !ok || got != error(cause) || out.Err.Error() != test.text || errors.Unwrap(out.Err) != nil {
			t.Errorf("%v (cause %v)", out.Err, got)
		}
	}
}

func unpack(ok bool, cause func() error) (error, bool) {
	if !ok {
		return nil, false
	}
	return cause(), true
}

type disclosing struct{}

func (disclosing) Error() string    { return "all of it: hunter2" }
func (disclosing) Disclose() string { return "a public word" }

// Causes that are known to hold no payload are shown and can be asked for.
func TestErrorsShowWhatIsSafe(t *testing.T) {
	misfit := &snapshot.FillError{Type: "int", Problem: "no"}
	for _, test := range []struct {
		cause, is error
		text      string
	}{
		{fmt.Errorf("hunter2: %w", context.Canceled), context.Canceled, "failed: context canceled"},
		{fmt.Errorf("hunter2: %w", context.DeadlineExceeded), context.DeadlineExceeded, "failed: context deadline exceeded"},
		{fmt.Errorf("hunter2: %w", disclosing{}), disclosing{}, "failed: a public word"},
		{fmt.Errorf("hunter2: %w", misfit), misfit, "failed: snapshot: no (int), at the top"},
		{fmt.Errorf("hunter2: %w", &reject.Error{Package: "mine", Reason: reject.Syntax, Offset: -1}), reject.Syntax, "failed: mine: not a JSON text"},
		{errors.New("hunter2"), nil, "failed"},
	} {
		r := newRig(t, func(r *rig) { r.handler = func(toolcall.Execution) (any, error) { return nil, test.cause } })
		err := r.run(transfer).Err
		if !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
		if test.is != nil && !errors.Is(err, test.is) || test.is == nil && errors.Unwrap(err) != nil {
			t.Errorf("%v wraps %v", err, errors.Unwrap(err))
		}
	}
	r := newRig(t, func(r *rig) { r.handler = func(toolcall.Execution) (any, error) { panic(errSecret) } })
	var panicked *toolcall.PanicError
	if err := r.run(transfer).Err; !errors.As(err, &panicked) || panicked.Value() != any(errSecret) || panicked.Type != "*fmt.wrapError" &&
		panicked.Type != "*errors.errorString" || !strings.HasSuffix(err.Error(), "a panic of type "+panicked.Type) {
		t.Errorf("%v", err)
	}
}

// A store that panics, or that fails on Load, ends the call as it must.
func TestStorePanics(t *testing.T) {
	r := newRig(t, func(r *rig) { r.config.Store = panicking{} })
	want(t, r.run(transfer), toolcall.Refused, toolcall.StoreFailed)
	want(t, r.runtime.Resume(t.Context(), "x", toolcall.Grant{}), toolcall.Refused, toolcall.StoreFailed)
	r.policy = requireApproval
	want(t, r.run(transfer), toolcall.Refused, toolcall.StoreFailed)
}

type panicking struct{ toolcall.Store }

// A verifier that panics takes no grant, and without a verifier none counts; one
// that takes everything still cannot take what has no name.
func TestVerifiers(t *testing.T) {
	for _, test := range []struct {
		verifier toolcall.Verifier
		change   func(*toolcall.Grant)
		reason   toolcall.Reason
	}{
		{nil, func(*toolcall.Grant) {}, toolcall.EvidenceForged},
		{verifierFunc(func(toolcall.Grant) error { panic(1) }), func(*toolcall.Grant) {}, toolcall.EvidenceForged},
		{verifierFunc(func(g toolcall.Grant) error { clear(g.Signature); return nil }), func(*toolcall.Grant) {}, ""},
		{verifierFunc(func(toolcall.Grant) error { return nil }), func(g *toolcall.Grant) { g.ID = "" }, toolcall.EvidenceForged},
		{verifierFunc(func(toolcall.Grant) error { return nil }), func(g *toolcall.Grant) { g.Issuer = "" }, toolcall.EvidenceForged},
		{verifierFunc(func(toolcall.Grant) error { return nil }), func(g *toolcall.Grant) { g.ID = "\xff" }, toolcall.EvidenceForged},
	} {
		r := newRig(t, func(r *rig) { r.config.Verifier = test.verifier })
		p := r.suspend(transfer)
		g := r.grant(p)
		signature := bytes.Clone(g.Signature)
		test.change(&g)
		if out := r.resume(p, g); out.Reason != test.reason {
			t.Errorf("%s (%s)", out.Status, out.Reason)
		}
		if !bytes.Equal(signature, g.Signature) {
			t.Error("the caller's grant was changed")
		}
	}
}

type verifierFunc func(toolcall.Grant) error

func (f verifierFunc) Verify(_ context.Context, g toolcall.Grant) error { return f(g) }

func TestKeys(t *testing.T) {
	issuer := toolcall.Issuer{Name: "alice", Key: issuerKey}
	a, err := issuer.Sign(toolcall.Grant{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := issuer.Sign(toolcall.Grant{})
	if err != nil || a.ID == b.ID || len(a.ID) != 32 {
		t.Errorf("ids %q and %q, %v", a.ID, b.ID, err)
	}
	if c, err := issuer.Sign(toolcall.Grant{ID: "chosen"}); err != nil || c.ID != "chosen" {
		t.Errorf("%q, %v", c.ID, err)
	}
	if _, err := issuer.Sign(toolcall.Grant{ProposalHash: "\xff"}); !errors.Is(err, reject.InvalidUTF8) {
		t.Errorf("%v", err)
	}
	for name, keys := range map[string]toolcall.Keys{"empty": {}, "short": {"alice": ed25519.PublicKey("short")}} {
		if err := keys.Verify(t.Context(), a); !errors.Is(err, toolcall.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (toolcall.Keys{"alice": issuerKey.Public().(ed25519.PublicKey)}).Verify(t.Context(), a); err != nil {
		t.Error(err)
	}
	// A grant survives being sent as JSON.
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var sent toolcall.Grant
	if err := json.Unmarshal(text, &sent); err != nil {
		t.Fatal(err)
	}
	if err := (toolcall.Keys{"alice": issuerKey.Public().(ed25519.PublicKey)}).Verify(t.Context(), sent); err != nil {
		t.Errorf("%s: %v", text, err)
	}
	// Times in other zones are the same grant.
	a.Expires = time.Unix(5, 6)
	west := a
	west.Expires = a.Expires.In(time.FixedZone("west", -3600))
	x, _ := a.Message()
	y, _ := west.Message()
	if !bytes.Equal(x, y) || !bytes.Contains(x, []byte("1970-01-01T00:00:05.000000006Z")) {
		t.Errorf("%s, %s", x, y)
	}
}

func TestProjections(t *testing.T) {
	for _, test := range []struct {
		projection      toolcall.Projection
		arguments, want string
	}{
		{toolcall.ShowAll, withSecret, `{"password":"hunter2","user":"alice"}`},
		{toolcall.Hide("password", "absent"), withSecret, `{"password":"[hidden]","user":"alice"}`},
		{toolcall.Hide(), withSecret, `{"password":"hunter2","user":"alice"}`},
		{toolcall.Hide("x"), `["hunter2"]`, `"[hidden]"`},
		{toolcall.Hide("x"), `{"y":{"x":1}}`, `{"y":{"x":1}}`},
	} {
		r := newRig(t, func(r *rig) { r.tool.Projection = test.projection })
		out := r.run(test.arguments)
		want(t, out, toolcall.Executed, "")
		if got := out.Views.ModelFacing().CanonicalJSON(); got != test.want || out.Views.Permission != out.Views.Persisted {
			t.Errorf("%s shows %s, want %s", test.arguments, got, test.want)
		}
	}
	names := []string{"password"}
	hide := toolcall.Hide(names...)
	names[0] = "user"
	if _, persisted, err := hide(t.Context(), map[string]any{"user": 1, "password": 2}); err != nil || canonical(persisted) != `{"password":"[hidden]","user":1}` {
		t.Errorf("%v, %v", persisted, err)
	}
	// The permission view may have other names; it goes to the proposal.
	r := newRig(t, nil)
	r.project = func(v any) (any, any, error) { return "pay alice", v, nil }
	if p := r.suspend(transfer); p.Permission.CanonicalJSON() != `"pay alice"` || p.ArgsCanonicalJSON() != transferCanonical {
		t.Errorf("%+v", p)
	}
}

// The context ends an attempt before the schema's word counts, and between
// policy and dispatch; a handler notices it itself.
func TestContextEndsAnAttempt(t *testing.T) {
	for _, verdict := range []toolcall.Verdict{toolcall.Allow, toolcall.RequireApproval} {
		ended, cancel := context.WithCancel(t.Context())
		r := newRig(t, nil)
		r.policy = func(toolcall.PolicyInput) (toolcall.Decision, error) {
			cancel()
			return toolcall.Decision{Verdict: verdict}, nil
		}
		out := r.runtime.Run(ended, call(transfer))
		want(t, out, toolcall.Refused, toolcall.Canceled)
		if !errors.Is(out.Err, context.Canceled) || r.handlers+len(r.store.suspended)+len(r.store.dispatches) > 0 || out.Policy.Verdict != verdict {
			t.Errorf("%+v", out)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r := newRig(t, nil)
	want(t, r.runtime.Run(ended, call(transfer)), toolcall.Refused, toolcall.Canceled)
	if r.policies > 0 {
		t.Error("policy is asked after the end")
	}
}

// Limits bound the raw text and what callbacks return.
func TestLimits(t *testing.T) {
	r := newRig(t, func(r *rig) { r.config.Limits = snapshot.Options{MaxInput: 20, MaxDepth: 2, MaxOutput: 10} })
	for _, test := range []struct {
		raw    string
		output any
		stage  toolcall.Stage
	}{
		{`{"a":1}`, nil, ""},
		{`                     1`, nil, toolcall.StageDecode},
		{`[[[1]]]`, nil, toolcall.StageDecode},
		{`1`, []any{[]any{[]any{}}}, toolcall.StageSnapshot},
		{`1`, "0123456789", toolcall.StageSnapshot},
	} {
		r.schema = func(v any) (any, error) {
			if test.output != nil {
				return test.output, nil
			}
			return v, nil
		}
		if out := r.run(test.raw); out.Stage != test.stage {
			t.Errorf("%s: %s (%s)", test.raw, out.Status, out.Stage)
		}
	}
}

// Arguments so large that they do not fit the hash's preimage are refused.
func TestArgumentsBeyondTheHash(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("it takes some hundred megabytes")
	}
	r := newRig(t, func(r *rig) { r.config.Limits = snapshot.Options{MaxInput: -1, MaxOutput: -1} })
	out := r.run(`"` + strings.Repeat(" ", 64<<20) + `"`)
	want(t, out, toolcall.Refused, toolcall.BadArguments)
	if out.Stage != toolcall.StageSnapshot || !errors.Is(out.Err, reject.LimitSize) {
		t.Errorf("%v", out.Err)
	}
}

// A handler whose arguments do not fit its type fails.
func TestHandleMisfit(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.tool.Handler = toolcall.Handle(func(_ ctx, a struct{ N int8 }) (any, error) { return a.N, nil }, snapshot.RefuseUnknown)
	})
	if out := r.run(`{"N":7}`); out.Result != int8(7) {
		t.Errorf("%v, %v", out.Result, out.Err)
	}
	for _, raw := range []string{`{"N":300}`, `{"N":1.5}`, `{"n":1}`, `[]`} {
		out := r.run(raw)
		var misfit *snapshot.FillError
		if want(t, out, toolcall.Failed, toolcall.HandlerFailed); !errors.As(out.Err, &misfit) {
			t.Errorf("%s: %v", raw, out.Err)
		}
	}
}

// What a stored proposal is read from is what was written, or an error.
func TestProposalText(t *testing.T) {
	r := newRig(t, nil)
	p := r.suspend(transfer)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var q toolcall.Proposal
	if err := json.Unmarshal(text, &q); err != nil || !q.Created.Equal(p.Created) {
		t.Fatal(err)
	}
	if q.Created = p.Created; q != p {
		t.Errorf("%+v, want %+v", q, p)
	}
	for old, with := range map[string]string{
		`\"amount\":100`:          `\"amount\":101`,
		p.ProposalHash:            strings.Repeat("0", 64),
		`"toolName":"pay"`:        `"toolName":"refund"`,
		`"created":"1970`:         `"created":"197`,
		`{`:                       `{{`,
		`"id":`:                   `"ID":`,
		`"origin":"provider"`:     `"origin":"provider","more":1`,
		`"invocationId":"inv"`:    `"invocationId":1`,
		`"permission":"{\"amount`: `"permission":" {\"amount`,
	} {
		changed := strings.Replace(string(text), old, with, 1)
		if changed == string(text) {
			t.Fatalf("%s is not in %s", old, text)
		}
		kept := q
		if err := kept.UnmarshalJSON([]byte(changed)); !errors.Is(err, toolcall.ErrCorrupt) || kept != q {
			t.Errorf("%s for %s: %v", with, old, err)
		}
	}
	// A store that gives what is corrupt: nothing runs, and it is said why.
	r.store.fail = nil
	corrupt := newRig(t, func(c *rig) { c.config.Store = corruptStore{} })
	out := corrupt.runtime.Resume(t.Context(), p.ID, r.grant(p))
	if want(t, out, toolcall.Refused, toolcall.StoreFailed); !errors.Is(out.Err, toolcall.ErrCorrupt) {
		t.Errorf("%v", out.Err)
	}
}

// Each part that may be absent is read on its own.
func TestProposalTextWithoutParts(t *testing.T) {
	whole := newRig(t, nil).suspend(transfer)
	whole.Judgement.Details, whole.ProviderOptions = whole.Arguments, whole.Arguments
	for name, without := range map[string]func(*toolcall.Proposal){
		"nothing":    func(*toolcall.Proposal) {},
		"permission": func(p *toolcall.Proposal) { p.Permission = snapshot.Snapshot{} },
		"details":    func(p *toolcall.Proposal) { p.Judgement.Details = snapshot.Snapshot{} },
		"options":    func(p *toolcall.Proposal) { p.ProviderOptions = snapshot.Snapshot{} },
	} {
		p := whole
		without(&p)
		text, err := p.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var q toolcall.Proposal
		err = q.UnmarshalJSON(text)
		if q.Created = p.Created; err != nil || q != p {
			t.Errorf("without %s: %v\n%+v, want\n%+v", name, err, q, p)
		}
	}
}

// What the runtime's limits let through, the stored proposal gives back: it is
// deeper than the default limit here, and longer, since < is written as \u003c.
func TestLargeProposalComesBack(t *testing.T) {
	r := newRig(t, func(r *rig) { r.config.Limits.MaxDepth = 2000 })
	deep := strings.Repeat("[", 1500) + strings.Repeat("]", 1500)
	p := r.suspend(`{"deep":` + deep + `,"long":"` + strings.Repeat("<", 3<<19) + `"}`)
	text, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var q toolcall.Proposal
	if err := q.UnmarshalJSON(text); err != nil || q.Arguments != p.Arguments || q.RawArguments != p.RawArguments {
		t.Errorf("%d bytes: %v", len(text), err)
	}
}

type corruptStore struct{ toolcall.Store }

func (corruptStore) Load(context.Context, string) (toolcall.Proposal, error) {
	return toolcall.Proposal{}, fmt.Errorf("hunter2: %w", toolcall.ErrCorrupt)
}

func TestMemoryStoreListsById(t *testing.T) {
	s := new(toolcall.MemoryStore)
	for _, id := range []string{"c", "a", "b"} {
		if err := s.Suspend(t.Context(), toolcall.Proposal{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	pending, err := s.Pending(t.Context())
	if err != nil || len(pending) != 3 || pending[0].ID != "a" || pending[1].ID != "b" || pending[2].ID != "c" {
		t.Errorf("%v, %v", pending, err)
	}
	if _, err := s.Load(t.Context(), "d"); !errors.Is(err, toolcall.ErrUnknownProposal) {
		t.Error(err)
	}
}
