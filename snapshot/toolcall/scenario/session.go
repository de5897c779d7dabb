package scenario

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// A Session plays a scenario step by step. One attempt runs at a time, so the
// trace is the same every time; an attempt that is held stands in its callback
// meanwhile. It is for one goroutine.
type Session struct {
	runtime  *toolcall.Runtime
	tools    map[string]*Tool
	surface  string
	store    store
	now      time.Time
	steps    map[string]*toolcall.Step
	attempts map[string]*attempt
	grants   map[string]toolcall.Grant
	held     map[string]*attempt
	entries  []any // of the step that is played
}

// An attempt is a run of the pipeline, and all that its callbacks were handed.
type attempt struct {
	name     string
	hold     string
	handed   map[string]any
	out      *toolcall.Outcome
	stopped  chan bool // true: in its hold; false: ended
	released chan struct{}
}

type nameKey struct{}

// Start makes a session of a scenario's setting. Its steps are not played.
func Start(s Scenario) (*Session, error) {
	if s.Format != 1 {
		return nil, fmt.Errorf("%w: the format is not 1", ErrMalformed)
	}
	if !slices.Contains([]string{"", "accepts", "refuses"}, s.Surface) {
		return nil, fmt.Errorf("%w: the surface %q", ErrMalformed, s.Surface)
	}
	n := &Session{
		tools: map[string]*Tool{}, surface: s.Surface, now: time.Unix(0, 0), steps: map[string]*toolcall.Step{},
		attempts: map[string]*attempt{}, grants: map[string]toolcall.Grant{}, held: map[string]*attempt{},
	}
	n.store.session = n
	keys := toolcall.Keys{}
	for _, name := range s.Issuers {
		keys[name] = keyOf(name).Public().(ed25519.PublicKey)
	}
	config := toolcall.Config{
		Agent: s.Agent, Store: &n.store, Verifier: keys, Now: func() time.Time { return n.now },
		Policy:    toolcall.PolicyFunc(n.policy),
		Recorders: []toolcall.Recorder{toolcall.RecorderFunc(n.record)},
	}
	if s.Surface != "" {
		config.Surface = n
	}
	for _, tool := range s.Tools {
		given := scripts{tool.Schema, tool.Projection, tool.Policy, tool.Handler}
		if err := given.check(); err != nil {
			return nil, err
		}
		tool.replace(scripts{&Script{Does: "identity"}, &Script{Does: "show"}, &Script{Does: "allow"}, &Script{Does: "succeed"}})
		tool.replace(given)
		n.tools[tool.Name] = &tool
		t := toolcall.Tool{
			Name: tool.Name, Exclusive: tool.Exclusive, DirectOnly: tool.DirectOnly, Boundary: tool.Boundary,
			ActivityKind: tool.ActivityKind, DisplayName: tool.DisplayName,
			Schema: toolcall.SchemaFunc(func(ctx context.Context, v any) (any, error) { return n.schema(ctx, &tool, v) }),
			Handler: toolcall.HandlerFunc(func(ctx context.Context, e toolcall.Execution) (any, error) {
				return n.handler(ctx, &tool, e)
			}),
		}
		if tool.Projection.Does != "none" {
			t.Projection = func(ctx context.Context, v any) (any, any, error) { return n.project(ctx, &tool, v) }
		}
		config.Tools = append(config.Tools, t)
	}
	var err error
	if n.runtime, err = toolcall.New(config); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return n, nil
}

// keyOf derives an issuer's key from its name: a scenario has no secrets.
func keyOf(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("touchstone scenario issuer " + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Close lets held attempts end, and forgets what they do.
func (n *Session) Close() {
	for name := range n.held {
		_ = n.release(name)
	}
}

var errNoSuchStep = errors.New("no such step")

// Do plays a step and gives its part of the trace.
func (n *Session) Do(s Step) (entries []any, err error) {
	n.entries = nil
	if err := n.play(s); err != nil {
		return nil, err
	}
	return n.entries, nil
}

func (n *Session) play(s Step) error {
	switch s.Do {
	case "call":
		return n.call(s)
	case "resume":
		return n.resume(s)
	case "release":
		return n.release(s.Of)
	case "grant":
		return n.grant(s)
	case "clock":
		n.now = time.Unix(s.At, 0)
	case "store":
		n.store.fails = s.Fails
	case "mutate":
		return n.mutate(Mutation{s.Of, s.What, s.Edits})
	case "change":
		tool := n.tools[s.Tool]
		if tool == nil || s.Projection != nil && (s.Projection.Does == "none") != (tool.Projection.Does == "none") {
			return fmt.Errorf("%w: change of %q", ErrMalformed, s.Tool)
		}
		given := scripts{s.Schema, s.Projection, s.Policy, s.Handler}
		if err := given.check(); err != nil {
			return err
		}
		tool.replace(given)
	default:
		return fmt.Errorf("%w: %w: %q", ErrMalformed, errNoSuchStep, s.Do)
	}
	return nil
}

// scripts are those of a tool, or of a change; nil where none is given.
type scripts struct{ schema, projection, policy, handler *Script }

// replace gives the tool the scripts that are not nil.
func (t *Tool) replace(by scripts) {
	for _, pair := range [...]struct {
		to **Script
		by *Script
	}{{&t.Schema, by.schema}, {&t.Projection, by.projection}, {&t.Policy, by.policy}, {&t.Handler, by.handler}} {
		if pair.by != nil {
			*pair.to = pair.by
		}
	}
}

// check refuses deeds outside the closed lists.
func (s scripts) check() error {
	for _, part := range []struct {
		script *Script
		deeds  []string
	}{
		{s.schema, []string{"identity", "refuse", "panic", "value", "graph"}},
		{s.projection, []string{"none", "show", "hide", "fail", "value"}},
		{s.policy, []string{"allow", "deny", "require_approval", "fail", "panic", "nothing"}},
		{s.handler, []string{"succeed", "fail", "panic"}},
	} {
		if part.script == nil {
			continue
		}
		if !slices.Contains(part.deeds, part.script.Does) {
			return fmt.Errorf("%w: no callback does %q", ErrMalformed, part.script.Does)
		}
		if part.script.Does == "graph" {
			if _, err := part.script.built(); err != nil {
				return err
			}
		}
	}
	return nil
}

// built gives the value of a script's graph.
func (s *Script) built() (any, error) {
	text, err := snapshot.Options{MaxDepth: -1}.Of(s.Graph)
	if err != nil {
		return nil, err
	}
	graph, err := reference.Parse(text.AppendCanonical(nil))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return reference.ToGo(graph)
}

func (n *Session) call(s Step) error {
	raw, err := hex.DecodeString(s.ArgumentsHex)
	if s.Arguments != nil {
		raw = []byte(*s.Arguments)
	}
	if err != nil || n.tools[s.Tool] == nil || s.Invocation == "" || s.Call == "" {
		return fmt.Errorf("%w: the call %q", ErrMalformed, s.As)
	}
	c := toolcall.Call{
		Tool: s.Tool, Arguments: raw, InvocationID: s.Invocation, ProviderCallID: s.Call, Turn: s.Turn,
		Origin: toolcall.Origin(s.Origin), Visibility: s.Visibility, ParentCall: s.ParentCall,
		ParentOperation: s.ParentOperation, Intent: s.Intent,
	}
	if s.Step != nil {
		if n.steps[*s.Step] == nil {
			n.steps[*s.Step] = toolcall.NewStep(*s.Step)
		}
		c.Step = n.steps[*s.Step]
	}
	if s.Grant != "" {
		g, ok := n.grants[s.Grant]
		if !ok {
			return fmt.Errorf("%w: the grant %q", ErrMalformed, s.Grant)
		}
		c.Grant = &g
	}
	if s.ProviderOptions != nil {
		c.ProviderOptions = fresh(s.ProviderOptions)
	}
	a, err := n.attempt(s)
	if err != nil {
		return err
	}
	a.handed["call.providerOptions"] = c.ProviderOptions
	begun, err := n.runtime.Begin(c)
	if err != nil {
		delete(n.attempts, s.As)
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	clear(raw) // the caller's own memory, for whatever it likes
	n.start(a, begun.Run)
	return nil
}

func (n *Session) resume(s Step) error {
	of := n.attempts[s.Of]
	if of == nil || of.out == nil || of.out.Proposal == nil {
		return fmt.Errorf("%w: %q has no proposal", ErrMalformed, s.Of)
	}
	g, ok := n.grants[s.Grant]
	if !ok {
		return fmt.Errorf("%w: the grant %q", ErrMalformed, s.Grant)
	}
	a, err := n.attempt(s)
	if err != nil {
		return err
	}
	id := of.out.Proposal.ID
	n.start(a, func(ctx context.Context) *toolcall.Outcome { return n.runtime.Resume(ctx, id, g) })
	return nil
}

func (n *Session) attempt(s Step) (*attempt, error) {
	if s.As == "" || n.attempts[s.As] != nil || !slices.Contains([]string{"", "schema", "policy", "handler"}, s.Hold) {
		return nil, fmt.Errorf("%w: the attempt %q", ErrMalformed, s.As)
	}
	a := &attempt{name: s.As, hold: s.Hold, handed: map[string]any{}, stopped: make(chan bool), released: make(chan struct{})}
	n.attempts[s.As] = a
	return a, nil
}

// start runs an attempt until it ends or is held.
func (n *Session) start(a *attempt, run func(context.Context) *toolcall.Outcome) {
	go func() {
		a.out = run(context.WithValue(context.Background(), nameKey{}, a))
		a.stopped <- false
	}()
	n.wait(a)
}

func (n *Session) wait(a *attempt) {
	if <-a.stopped {
		n.held[a.name] = a
		return
	}
	delete(n.held, a.name)
	n.outcome(a)
}

func (n *Session) release(name string) error {
	a := n.held[name]
	if a == nil {
		return fmt.Errorf("%w: %q is not held", ErrMalformed, name)
	}
	close(a.released)
	n.wait(a)
	return nil
}

// pause is called at the end of a callback, just before it returns.
func (a *attempt) pause(where string) {
	if a.hold == where {
		a.stopped <- true
		<-a.released
	}
}

func (n *Session) grant(s Step) error {
	g := toolcall.Grant{ID: s.ID, ProposalHash: s.Hash, Expires: time.Unix(s.Expires, 0)}
	if g.ID == "" {
		g.ID = s.As
	}
	if s.For != "" {
		of := n.attempts[s.For]
		if of == nil || of.out == nil || of.out.Proposal == nil {
			return fmt.Errorf("%w: %q has no proposal", ErrMalformed, s.For)
		}
		g.ProposalHash = of.out.Proposal.ProposalHash
	}
	if s.Bind != nil {
		g.InvocationID, g.ProviderCallID = s.Bind.Invocation, s.Bind.Call
	}
	if _, twice := n.grants[s.As]; twice || s.As == "" {
		return fmt.Errorf("%w: the grant %q", ErrMalformed, s.As)
	}
	key := keyOf(s.Issuer)
	if s.Forged {
		key = keyOf("a forger of " + s.Issuer)
	}
	g, err := toolcall.Issuer{Name: s.Issuer, Key: key}.Sign(g)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	n.grants[s.As] = g
	return nil
}

func (n *Session) mutate(m Mutation) error {
	a := n.attempts[m.Of]
	if a == nil || !slices.Contains(Handed(), m.What) {
		return fmt.Errorf("%w: %s of %q cannot be changed", ErrMalformed, m.What, m.Of)
	}
	apply(a.handed[m.What], m.Edits)
	return nil
}

// note adds an entry to the trace.
func (n *Session) note(a *attempt, event string, fields map[string]any) {
	fields["at"], fields["event"] = a.name, event
	n.entries = append(n.entries, fields)
}

func (n *Session) outcome(a *attempt) {
	fields := map[string]any{}
	for name, text := range map[string]string{
		"status": string(a.out.Status), "reason": string(a.out.Reason), "stage": string(a.out.Stage),
		"decision": string(a.out.Policy.Verdict), "operationId": a.out.OperationID, "proposalHash": a.out.ProposalHash,
	} {
		if text != "" {
			fields[name] = text
		}
	}
	var refused *toolcall.ArgumentsError
	if errors.As(a.out.Err, &refused) && refused.Reason != 0 {
		fields["outside"] = refused.Reason.String()
	}
	if a.out.Mutated {
		fields["mutated"] = true
	}
	n.note(a, "outcome", fields)
	if a.out.Proposal != nil {
		a.handed["proposal.parsed"] = a.out.Proposal.ParsedArguments()
	}
}

// value copies a view as it is now.
func value(v any) any {
	s, err := snapshot.Of(v)
	if err != nil {
		return "outside the domain"
	}
	return s.View()
}
