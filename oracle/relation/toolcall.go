package relation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// toolCalls are the promises of the operations on tool calls. Each document is
// the arguments of a call.
var toolCalls = []Relation{
	{
		Name: "hash-spelling", Clause: "rfc0016/approval/proposal-hash", Effect: result.Split, Needs: result.OpHash,
		Text: "One agent, tool and arguments have one proposal hash, however the question is spelled.", hold: holdHashSpelling,
	},
	{
		Name: "hash-binding", Clause: "rfc0016/approval/proposal-hash", Effect: result.Collision, Needs: result.OpHash,
		Text: "Other arguments, or names of agent and tool cut elsewhere, have another proposal hash.", hold: holdHashBinding,
	},
	{
		Name: "trace-spelling", Clause: "rfc0016/lifecycle/policy-view", Effect: result.Split, Needs: result.OpLifecycle, exact: true,
		Text: "Arguments that are spelled otherwise change nothing in a trace but the raw text.", hold: holdTraceSpelling,
	},
	{
		Name: "trace-binding", Clause: "rfc0016/lifecycle/evidence", Effect: result.Collision, Needs: result.OpLifecycle,
		Text: "Other arguments have another proposal, and evidence for one is none for the other.", hold: holdTraceBinding,
	},
}

// A proposal is what a hash is of, in the order of its members.
type proposal struct {
	Agent     string `json:"agentName"`
	Tool      string `json:"toolName"`
	Arguments string `json:"argsCanonicalJson"`
}

func (p proposal) question() []byte { return compact(p) }

// compact writes what can be written, without the escapes that browsers want.
func compact(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings and lists of ours
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// otherwise spells a text in all ways at once that change nothing.
func otherwise(text []byte) []byte {
	for _, change := range []func([]byte) []byte{reversed, escaped, respelled, spaced} {
		if changed := change(text); changed != nil {
			text = changed
		}
	}
	return text
}

// form asks for the canonical form of a document that is the arguments of a
// call; nothing of it is evidence.
func form(a *asker, input []byte) (string, bool) {
	if !plain(input) {
		return "", false
	}
	out, _ := a.Canonicalize(input) // nothing where it is refused, which is not JSON
	a.t.log = a.t.log[:0]
	return string(out), json.Valid(out)
}

func holdHashSpelling(a *asker, input []byte) error {
	arguments, ok := form(a, input)
	if !ok {
		return nil
	}
	one := proposal{"agent", "tool", arguments}.question()
	other := otherwise(one)
	hash, err := a.ask(result.OpHash, one)
	if err != nil {
		return nil
	}
	again, err := a.ask(result.OpHash, other)
	if err == nil && !bytes.Equal(hash, again) {
		return fmt.Errorf("%q has the hash %q; spelled %q it has %q", one, hash, other, again)
	}
	return nil
}

func holdHashBinding(a *asker, input []byte) error {
	arguments, ok := form(a, input)
	if !ok {
		return nil
	}
	one := proposal{"agent", "tool", arguments}
	for _, other := range []proposal{
		{"agent", "tool", "[" + arguments + "]"}, {"agentt", "ool", arguments}, {"tool", "agent", arguments},
	} {
		a.t.log = a.t.log[:0]
		hash, err := a.ask(result.OpHash, one.question())
		if err != nil {
			return nil
		}
		second, err := a.ask(result.OpHash, other.question())
		if err == nil && bytes.Equal(hash, second) {
			return fmt.Errorf("%q and %q have the hash %q", one.question(), other.question(), hash)
		}
	}
	return nil
}

// A scenario is a call that needs approval, gets it and is resumed; and where
// there is a second call, evidence for the first is shown with it.
func scenario(arguments ...string) []byte {
	type step map[string]any
	steps := []step{{"do": "call", "as": "a1", "tool": "pay", "invocation": "run-1", "call": "c1", "arguments": arguments[0]}}
	steps = append(steps, step{"do": "grant", "as": "g1", "issuer": "alice", "expires": 1000, "for": "a1"})
	for _, other := range arguments[1:] {
		steps = append(steps, step{"do": "call", "as": "b1", "tool": "pay", "invocation": "run-1", "call": "c2", "arguments": other, "grant": "g1"})
	}
	steps = append(steps, step{"do": "resume", "as": "a2", "of": "a1", "grant": "g1"})
	return compact(step{
		"format": 1, "agent": "agent", "issuers": []string{"alice"},
		"tools": []step{{"name": "pay", "policy": step{"does": "require_approval"}}}, "steps": steps,
	})
}

// mostArguments bounds the arguments of scenarios: their traces hold them many
// times over.
const mostArguments = 4 << 10

func holdTraceSpelling(a *asker, input []byte) error {
	if _, ok := form(a, input); !ok || len(input) > mostArguments {
		return nil
	}
	one, other := scenario(string(input)), scenario(string(otherwise(input)))
	trace, err := a.ask(result.OpLifecycle, one)
	if err != nil {
		return nil
	}
	again, err := a.ask(result.OpLifecycle, other)
	if err == nil && !bytes.Equal(withoutRaw(trace), withoutRaw(again)) {
		return fmt.Errorf("%q gives %q; spelled %q it gives %q", one, trace, other, again)
	}
	return nil
}

// An event is what is looked at of a trace's entry.
type event map[string]json.RawMessage

// events reads a trace; nil if it is none.
func events(trace []byte) (all []event) {
	if json.Unmarshal(trace, &all) != nil {
		return nil
	}
	return all
}

// withoutRaw gives a trace without the raw text, which is the only thing in it
// that may tell spellings apart.
func withoutRaw(trace []byte) []byte {
	all := events(trace)
	if all == nil {
		return trace
	}
	for _, e := range all {
		delete(e, "rawArguments")
	}
	return compact(all)
}

func holdTraceBinding(a *asker, input []byte) error {
	arguments, ok := form(a, input)
	if !ok || len(arguments) > mostArguments {
		return nil
	}
	question := scenario(arguments, "["+arguments+"]")
	trace, err := a.ask(result.OpLifecycle, question)
	if err != nil {
		return nil
	}
	all := events(trace)
	if slices.ContainsFunc(all, func(e event) bool { return string(e["at"]) == `"b1"` && string(e["event"]) == `"handler"` }) {
		return fmt.Errorf("%q: evidence for one call runs the other: %q", question, trace)
	}
	if first, second := hashesAt(all, `"a1"`), hashesAt(all, `"b1"`); first != "" && first == second {
		return fmt.Errorf("%q: both calls have the proposal hash %s", question, first)
	}
	return nil
}

// hashesAt lists the proposal hashes of an attempt.
func hashesAt(all []event, at string) string {
	var hashes []string
	for _, e := range all {
		if hash := string(e["proposalHash"]); hash != "" && string(e["at"]) == at {
			hashes = append(hashes, hash)
		}
	}
	slices.Sort(hashes)
	return strings.Join(slices.Compact(hashes), " ")
}
