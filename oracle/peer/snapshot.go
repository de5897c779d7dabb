package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
	model "github.com/touchstone-oracle/touchstone/snapshot/toolcall/reference"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/scenario"
)

// openSnapshot serves the strict snapshot domain by the library: text by
// Decode, graphs and scripts as values. The operations on values belong to the
// profile rfc0016. Under rfc8785 the domain makes choices that are open there,
// and refuses -0; under ijson it takes too much and serves nothing.
func openSnapshot(p reject.Profile) engine {
	options := snapshot.Options{}
	e := under(p, engine{
		result.OpGraph: graph(builtBothWays),
		result.OpJS: script(func(vm *goja.Runtime, value goja.Value) ([]byte, error) {
			return canonical(jsvalue.Of(vm, value, options))
		}),
		result.OpHash: hash(func(agent, tool, arguments string) (string, error) {
			s, err := snapshot.Verify([]byte(arguments))
			if err != nil {
				return "", fmt.Errorf("%w: argsCanonicalJson: %w", errQuestion, err)
			}
			return snapshot.ProposalHash(agent, tool, s)
		}),
		result.OpLifecycle: lifecycle(scenario.Run),
	})
	text := engine{
		result.OpCanon: func(input []byte) ([]byte, error) { return canonical(options.Decode(input)) },
		result.OpVerify: func(input []byte) ([]byte, error) {
			_, err := options.Verify(input)
			return verdict(err == nil), nil
		},
		result.OpNum: number(func(f float64) ([]byte, error) {
			if p != reject.RFC0016 {
				f += 0 // -0 becomes 0
			}
			return canonical(options.Of(f))
		}),
	}
	for op, serve := range text {
		if p == reject.IJSON {
			serve = notServed
		}
		e[op] = serve
	}
	return e
}

// builtBothWays takes the snapshot of a graph as a JavaScript value and, where
// Go has such a value, as that too; the two must agree.
func builtBothWays(g *reference.Graph) ([]byte, error) {
	vm := goja.New()
	value, err := jsvalue.Build(vm, g)
	if err != nil {
		return nil, errSkip
	}
	out, refusal := canonical(jsvalue.Of(vm, value, snapshot.Options{}))
	inGo, err := reference.ToGo(g)
	if err != nil {
		return out, refusal
	}
	other, otherRefusal := canonical(snapshot.Of(inGo))
	mustAgree(out, other, refusal, otherRefusal)
	return out, refusal
}

// mustAgree panics if one of two ways gives another form than the other, or is
// alone to refuse.
func mustAgree(a, b []byte, refusalA, refusalB error) {
	if (refusalA == nil) != (refusalB == nil) || !bytes.Equal(a, b) {
		panic("the Go value and the JavaScript value of one graph have different snapshots")
	}
}

// judgeValues adds to the reference what the slow judge of value graphs says:
// of graphs as they are, of scripts by their value's graph.
func judgeValues(p reject.Profile, e engine) engine {
	values := under(p, engine{
		result.OpGraph: graph(judged),
		result.OpJS: script(func(vm *goja.Runtime, value goja.Value) ([]byte, error) {
			g, err := jsvalue.ToGraph(vm, value)
			if err != nil {
				return nil, errSkip
			}
			return judged(g)
		}),
		result.OpHash: hash(func(agent, tool, arguments string) (string, error) {
			return reference.ProposalHash(agent, tool, arguments), nil
		}),
		result.OpLifecycle: lifecycle(model.Trace),
	})
	for op, serve := range values {
		e[op] = serve
	}
	return e
}

// judged gives the canonical form, or the first reason for a refusal that is
// owed. What may be refused is given.
func judged(g *reference.Graph) ([]byte, error) {
	verdict := reference.Judge(g)
	for _, fault := range verdict.Faults {
		if !fault.Open {
			return nil, &reject.Error{
				Package: "reference", Reason: fault.Reason, Requirement: fault.Clause, Offset: -1, Pointer: fault.Pointer,
			}
		}
	}
	return verdict.Canonical, nil
}

// under makes an engine that serves under rfc0016 alone. It lists the same
// operations under each profile.
func under(p reject.Profile, e engine) engine {
	if p == reject.RFC0016 {
		return e
	}
	none := engine{}
	for op := range e {
		none[op] = notServed
	}
	return none
}

func notServed([]byte) ([]byte, error) { return nil, errSkip }

func canonical(s snapshot.Snapshot, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return s.AppendCanonical(nil), nil
}

// graph makes the graph operation of a function of graphs.
func graph(of func(*reference.Graph) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(input []byte) ([]byte, error) {
		g, err := reference.Parse(input)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		return of(g)
	}
}

// scriptLimit is when a script is interrupted, where the harness has not ended
// its process before.
const scriptLimit = 5 * time.Second

// script makes the js operation of a function of values. It runs the script in
// this process: see runsScripts.
func script(of func(*goja.Runtime, goja.Value) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(input []byte) (out []byte, err error) {
		program, err := jsvalue.ParseProgram(input)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), scriptLimit)
		defer cancel()
		var verdict error
		err = jsvalue.Run(ctx, program, func(vm *goja.Runtime, value goja.Value) {
			out, verdict = of(vm, value)
		})
		switch {
		case errors.Is(err, jsvalue.ErrNotServed):
			return nil, errSkip
		case err != nil:
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		return out, verdict
	}
}

// hash makes the hash operation of a function of agent, tool and canonical
// arguments.
func hash(of func(agent, tool, arguments string) (string, error)) func([]byte) ([]byte, error) {
	return func(input []byte) ([]byte, error) {
		s, err := snapshot.Decode(input)
		var refusal *reject.Error
		if errors.As(err, &refusal) && refusal.Reason == reject.LoneSurrogate {
			return nil, err // the names must be well-formed: a verdict
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		form, err := snapshot.As[struct {
			Agent     string `json:"agentName"`
			Tool      string `json:"toolName"`
			Arguments string `json:"argsCanonicalJson"`
		}](s, snapshot.RefuseUnknown, snapshot.RefuseMissing)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		out, err := of(form.Agent, form.Tool, form.Arguments)
		return []byte(out), err
	}
}

// lifecycle makes the lifecycle operation of a function of scenarios. A
// scenario either has a trace or is none.
func lifecycle(trace func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(input []byte) ([]byte, error) {
		if err := scenario.Check(input); err != nil {
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		out, err := trace(input)
		switch {
		case errors.Is(err, reference.ErrInexpressible):
			return nil, errSkip
		case err != nil:
			return nil, fmt.Errorf("%w: %w", errQuestion, err)
		}
		return out, nil
	}
}
