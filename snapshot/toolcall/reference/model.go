// Package reference derives the traces of tool-call scenarios from the rules of
// docs/lifecycle.md alone. It is a straight line where snapshot/toolcall is a
// pipeline: nothing is shared in it that would have to be isolated, so a value
// that was handed out is just a copy. It shares no logic with snapshot/toolcall.
package reference

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	values "github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// Do plays one step and gives its part of the trace.
func (m *Model) Do(stepJSON []byte) ([]any, error) {
	var s step
	if err := json.Unmarshal(stepJSON, &s); err != nil {
		return nil, err
	}
	m.trace = nil
	t := m.tool(s.Tool)
	of := m.attempts[s.Of]
	switch {
	case s.Do == "clock":
		m.now = s.At
	case s.Do == "store":
		m.fails = s.Fails
	case s.Do == "grant" && s.As != "" && m.grants[s.As].Do == "" && (s.For == "" || m.attempts[s.For].waits()):
		if s.For != "" {
			s.Hash = m.attempts[s.For].hash
		}
		if s.ID == "" {
			s.ID = s.As
		}
		m.grants[s.As] = s
	case s.Do == "change" && t != nil:
		t.replace(s.Schema, s.Projection, s.Policy, s.Handler)
	case s.Do == "call" && t != nil && s.Invocation != "" && s.Call != "" && m.free(s) && (s.Grant == "" || m.grants[s.Grant].Do != ""):
		a := &attempt{step: s, tool: t, began: m.now, raw: unhex(s.ArgumentsHex)}
		if s.Arguments != nil {
			a.raw = []byte(*s.Arguments)
		}
		if a.Origin == "" {
			a.Origin = "provider"
		}
		a.admitted = !a.codeOnly() && m.admit(s.Step, t.Exclusive)
		m.begin(a)
	case s.Do == "resume" && of.waits() && m.free(s) && m.grants[s.Grant].Do != "":
		of = m.stored[of.key()] // suspended again, it is the same proposal
		a := &attempt{step: of.step, tool: of.tool, began: m.now, raw: of.raw, admitted: true, resumes: of.key()}
		a.As, a.Grant, a.Hold = s.As, s.Grant, s.Hold
		if m.done[of.key()] {
			m.attempts[a.As] = a
			m.note(a, "outcome", map[string]any{"status": "refused", "reason": "dispatched"})
			return m.trace, nil
		}
		m.begin(a)
	case s.Do == "release" && of != nil && len(of.rest) > 0:
		m.goOn(of)
	case s.Do == "mutate" && of != nil:
		of.mutate(s.What, s.Edits)
	default:
		return nil, fmt.Errorf("%w: step %s", ErrMalformed, s.Do)
	}
	return m.trace, nil
}

// waits: the attempt was suspended, whatever became of its proposal.
func (a *attempt) waits() bool { return a != nil && a.proposal }

func (a *attempt) codeOnly() bool { return a.tool.DirectOnly && a.Origin == "code_mode" }

// An exclusive call is alone in its step.
func (m *Model) admit(id *string, exclusive bool) bool {
	if id == nil {
		return true
	}
	if m.steps[*id] == "exclusive" || exclusive && m.steps[*id] != "" {
		return false
	}
	m.steps[*id] = map[bool]string{true: "exclusive", false: "shared"}[exclusive]
	return true
}

func (m *Model) begin(a *attempt) {
	m.attempts[a.As] = a
	a.rest = []func() bool{
		func() bool { return m.schema(a) }, func() bool { return a.Hold != "schema" },
		func() bool { return m.prepare(a) },
		func() bool { return m.policy(a) }, func() bool { return a.Hold != "policy" },
		func() bool { return m.decide(a) }, func() bool { return a.Hold != "handler" },
		func() bool { return m.finish(a) },
	}
	m.goOn(a)
}

// goOn: what is done last ends the attempt.
func (m *Model) goOn(a *attempt) {
	for {
		do := a.rest[0]
		a.rest = a.rest[1:]
		if !do() {
			return
		}
	}
}

// end: an attempt that is over has nothing left to do.
func (m *Model) end(a *attempt, status, reason, stage string) bool {
	a.rest = nil
	if a.operation == "" {
		m.call(a)
	}
	ending := map[string]any{"status": status, "reason": reason, "stage": stage, "decision": a.verdict, "operationId": a.operation}
	m.note(a, "record", map[string]any{"record": filled(ending, map[string]any{"kind": "result", "toolCallId": a.Call, "mutated": a.mutated})})
	m.note(a, "outcome", filled(ending, map[string]any{"proposalHash": a.hash, "outside": a.why, "mutated": a.mutated}))
	return false
}

// call records that the call is made, with or without having been dispatched.
func (m *Model) call(a *attempt) {
	for _, kind := range []string{"start", "call"} {
		record := filled(map[string]any{"turnId": a.Turn, "toolName": a.tool.Name, "origin": a.Origin, "visibility": a.Visibility,
			"parentToolCallId": a.ParentCall, "parentOperationId": a.ParentOperation, "activityKind": a.tool.ActivityKind,
			"displayName": a.tool.DisplayName, "intent": a.Intent}, map[string]any{"kind": kind, "toolCallId": a.Call})
		record["timestamp"] = a.began
		if kind == "start" {
			record = filled(record, map[string]any{"operationId": a.operation})
		}
		if a.shown {
			record["args"] = a.persisted
		}
		if a.ProviderOptions != nil {
			record["providerOptions"] = a.ProviderOptions
		}
		if a.Step != nil {
			record["stepId"] = *a.Step
		}
		m.note(a, "record", map[string]any{"record": record})
	}
}

func (m *Model) note(a *attempt, event string, fields map[string]any) {
	m.trace = append(m.trace, clone(filled(fields, map[string]any{"at": a.As, "event": event})))
}

func (m *Model) schema(a *attempt) bool {
	if a.codeOnly() {
		return m.end(a, "refused", "direct_only", "")
	}
	if a.requested, a.why = decode(a.raw); a.why != "" {
		return m.end(a, "refused", "arguments", "decode")
	}
	s, input := a.tool.Schema, view(a.requested)
	m.note(a, "schema", map[string]any{"arguments": input})
	if a.live, a.liveNames = s.output(), []string{"schema.output"}; s.Does == "identity" {
		a.live, a.liveNames = input, []string{"schema.input", "schema.output"}
	}
	m.mutations(s)
	if s.Does == "refuse" || s.Does == "panic" {
		return m.end(a, "refused", "arguments", "schema")
	}
	apply(a.live, s.Edits)
	return true
}

// prepare goes from the schema's output to the question to policy.
func (m *Model) prepare(a *attempt) bool {
	if a.canonical, a.why = judge(a.live); a.why != "" {
		return m.end(a, "refused", "arguments", "snapshot")
	}
	if a.liveNames = nil; a.tool.Boundary && m.Surface != "" {
		m.note(a, "surface", map[string]any{"arguments": view(a.canonical)})
		if m.Surface == "refuses" {
			return m.end(a, "refused", "arguments", "surface")
		}
	}
	a.hash = values.ProposalHash(m.Agent, a.tool.Name, a.canonical)
	if s := a.tool.Projection; s.Does != "none" {
		m.note(a, "projection", map[string]any{"arguments": view(a.canonical)})
		m.mutations(s)
		shown := s.show(view(a.canonical))
		if _, why := judge(shown); s.Does == "fail" || why != "" || !sameNames(view(a.canonical), shown) {
			return m.end(a, "refused", "projection_failed", "")
		}
		a.persisted, a.shown = clone(shown), true
	}
	if !a.admitted {
		return m.end(a, "refused", "step_admission", "")
	}
	return true
}

func (m *Model) policy(a *attempt) bool {
	m.note(a, "policy", map[string]any{"rawArguments": string(a.raw), "requestedArguments": view(a.requested),
		"parsedArguments": view(a.canonical), "argsCanonicalJson": a.canonical, "proposalHash": a.hash})
	a.live, a.liveNames, a.verdict = view(a.canonical), []string{"policy.parsed"}, a.tool.Policy.Does
	m.mutations(a.tool.Policy)
	apply(a.live, a.tool.Policy.Edits)
	return true
}

func (m *Model) decide(a *attempt) bool {
	after, why := judge(a.live)
	a.liveNames, a.mutated = nil, why != "" || after != a.canonical
	if a.verdict == "fail" || a.verdict == "panic" || a.verdict == "nothing" {
		a.verdict = ""
		return m.end(a, "denied", "policy_failed", "")
	}
	g, given := m.grants[a.Grant]
	dispatches := []string{a.resumes, a.key()}
	if a.resumes == "" && (!given || a.verdict == "allow") {
		dispatches = nil
	}
	use := canonical([]any{g.Issuer, g.ID})
	switch {
	case a.mutated:
		return m.end(a, "denied", "policy_mutated_arguments", "")
	case a.verdict == "deny":
		return m.end(a, "denied", "policy_denied", "")
	case a.verdict == "allow":
		given = false
	case !given && m.fails:
		return m.end(a, "refused", "store_failed", "")
	case !given && m.done[a.key()]:
		return m.end(a, "refused", "dispatched", "")
	case !given:
		a.proposal, m.stored[a.key()] = true, a
		m.note(a, "suspend", map[string]any{"rawArguments": string(a.raw), "argsCanonicalJson": a.canonical,
			"proposalHash": a.hash, "parsedArguments": view(a.canonical)})
		return m.end(a, "suspended", "", "")
	case g.Forged || g.Issuer == "" || !slices.Contains(m.Issuers, g.Issuer):
		return m.end(a, "refused", "evidence_forged", "")
	case g.Hash != a.hash:
		return m.end(a, "refused", "evidence_mismatch", "")
	case g.Bind != nil && (g.Bind.Invocation != a.Invocation || g.Bind.Call != a.Call):
		return m.end(a, "refused", "evidence_other_call", "")
	case m.now >= g.Expires:
		return m.end(a, "refused", "evidence_expired", "")
	}
	switch {
	case m.fails:
		return m.end(a, "refused", "store_failed", "")
	case given && m.used[use]:
		return m.end(a, "refused", "evidence_used", "")
	case slices.ContainsFunc(dispatches, func(key string) bool { return m.done[key] }):
		return m.end(a, "refused", "dispatched", "")
	}
	sum := sha256.Sum256([]byte(canonical([]any{a.Invocation, a.Call})))
	a.operation = "toolop_" + hex.EncodeToString(sum[:16])
	commit := map[string]any{"operationId": a.operation, "proposalHash": a.hash}
	if given {
		m.used[use], commit["grant"] = true, g.ID
	}
	for _, key := range dispatches {
		m.done[key] = key != ""
	}
	if a.shown {
		commit["args"] = a.persisted
	}
	m.note(a, "commit", commit)
	m.call(a)
	m.mutations(a.tool.Handler)
	a.why = a.tool.Handler.Does
	m.note(a, "handler", map[string]any{"arguments": view(a.canonical), "operationId": a.operation})
	return true
}

func (m *Model) finish(a *attempt) bool {
	does := a.why
	if a.why = ""; does != "succeed" {
		return m.end(a, "failed", "handler_failed", "")
	}
	return m.end(a, "executed", "", "")
}

// key names what is dispatched once: the call with its arguments.
func (a *attempt) key() string { return canonical([]any{a.Invocation, a.Call, a.hash}) }

func (m *Model) mutations(s *script) {
	for _, x := range s.Mutations {
		m.attempts[x.Of].mutate(x.What, x.Edits)
	}
}

// mutate: whatever was handed out is a copy, but for what a callback that has
// not returned yet still answers for.
func (a *attempt) mutate(what string, edits []edit) {
	if a != nil && slices.Contains(a.liveNames, what) {
		apply(a.live, edits)
	}
}
