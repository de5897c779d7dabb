package scenario

import (
	"context"
	"errors"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

var errScript = errors.New("as the scenario says")

// current is the attempt that a callback serves.
func current(ctx context.Context) *attempt { return ctx.Value(nameKey{}).(*attempt) }

// adversary makes the mutations of a script. One that names what is not there
// does nothing.
func (n *Session) adversary(s *Script) {
	for _, m := range s.Mutations {
		_ = n.mutate(m)
	}
}

func (n *Session) schema(ctx context.Context, tool *Tool, input any) (any, error) {
	a, s := current(ctx), tool.Schema
	n.note(a, "schema", map[string]any{"arguments": value(input)})
	a.handed["schema.input"] = input
	n.adversary(s)
	output := input
	switch s.Does {
	case "refuse":
		return nil, errScript
	case "panic":
		panic(errScript)
	case "value":
		output = fresh(s.Value)
	case "graph":
		var err error
		if output, err = s.built(); err != nil {
			return nil, err
		}
	}
	apply(output, s.Edits)
	a.handed["schema.output"] = output
	a.pause("schema")
	return output, nil
}

// Validate is the surface.
func (n *Session) Validate(ctx context.Context, _ string, arguments any) error {
	a := current(ctx)
	n.note(a, "surface", map[string]any{"arguments": value(arguments)})
	a.handed["surface.input"] = arguments
	if n.surface == "refuses" {
		return errScript
	}
	return nil
}

func (n *Session) project(ctx context.Context, tool *Tool, input any) (permission, persisted any, err error) {
	a, s := current(ctx), tool.Projection
	n.note(a, "projection", map[string]any{"arguments": value(input)})
	a.handed["projection.input"] = input
	n.adversary(s)
	switch s.Does {
	case "fail":
		return nil, nil, errScript
	case "value":
		shown := fresh(s.Value)
		apply(shown, s.Edits)
		return shown, shown, nil
	case "hide":
		return toolcall.Hide(s.Names...)(ctx, input)
	}
	apply(input, s.Edits)
	return input, input, nil
}

func (n *Session) policy(ctx context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
	a, s := current(ctx), n.tools[in.Tool].Policy
	n.note(a, "policy", map[string]any{
		"rawArguments": in.RawArguments, "requestedArguments": value(in.RequestedArguments),
		"parsedArguments": value(in.ParsedArguments), "argsCanonicalJson": in.ArgsCanonicalJSON, "proposalHash": in.ProposalHash,
	})
	a.handed["policy.requested"], a.handed["policy.parsed"] = in.RequestedArguments, in.ParsedArguments
	n.adversary(s)
	apply(in.ParsedArguments, s.Edits)
	a.pause("policy")
	switch s.Does {
	case "fail":
		return toolcall.Decision{}, errScript
	case "panic":
		panic(errScript)
	case "nothing":
		return toolcall.Decision{}, nil
	}
	return toolcall.Decision{Verdict: toolcall.Verdict(s.Does)}, nil
}

func (n *Session) handler(ctx context.Context, tool *Tool, e toolcall.Execution) (any, error) {
	a, s := current(ctx), tool.Handler
	arguments := e.Arguments()
	a.handed["handler.arguments"] = arguments
	n.adversary(s)
	n.note(a, "handler", map[string]any{"arguments": value(arguments), "operationId": e.OperationID})
	apply(arguments, s.Edits)
	a.pause("handler")
	switch s.Does {
	case "fail":
		return nil, errScript
	case "panic":
		panic(errScript)
	}
	return "done", nil
}

func (n *Session) record(ctx context.Context, r toolcall.Record) {
	fields := r.Fields()
	if r.Kind != toolcall.ResultRecord {
		fields["timestamp"] = float64(r.Timestamp.Unix())
	}
	n.note(current(ctx), "record", map[string]any{"record": fields})
}

// A store notes in the trace what it is given.
type store struct {
	toolcall.MemoryStore
	session *Session
	fails   bool
}

func (s *store) Suspend(ctx context.Context, p toolcall.Proposal) error {
	if s.fails {
		return errScript
	}
	err := s.MemoryStore.Suspend(ctx, p)
	if err == nil {
		s.session.note(current(ctx), "suspend", map[string]any{
			"rawArguments": p.RawArguments, "argsCanonicalJson": p.ArgsCanonicalJSON(), "proposalHash": p.ProposalHash,
			"parsedArguments": p.ParsedArguments(),
		})
	}
	return err
}

func (s *store) Commit(ctx context.Context, d toolcall.Dispatch) error {
	if s.fails {
		return errScript
	}
	err := s.MemoryStore.Commit(ctx, d)
	if err == nil {
		fields := map[string]any{"operationId": d.OperationID, "proposalHash": d.ProposalHash}
		if d.Grant != (toolcall.GrantUse{}) {
			fields["grant"] = d.Grant.ID
		}
		if !d.Persisted.IsZero() {
			fields["args"] = d.Persisted.View()
		}
		s.session.note(current(ctx), "commit", fields)
	}
	return err
}
