package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ErrMalformed says that a step names what is not there.
var ErrMalformed = errors.New("reference: a malformed scenario")

type edit struct {
	Set, Delete, NegativeZero, Host, Cycle, Alias, From []any
	To                                                  any
}

type script struct {
	Does      string
	Value     any
	Graph     json.RawMessage
	Names     []string
	Edits     []edit
	Mutations []struct {
		Of, What string
		Edits    []edit
	}
}

type tool struct {
	Name                                string
	Exclusive, DirectOnly, Boundary     bool
	ActivityKind, DisplayName           string
	Schema, Projection, Policy, Handler *script
}

type step struct {
	Do, As, Tool, ArgumentsHex, Invocation, Call, Origin, Turn, Visibility, ParentCall, ParentOperation, Intent string
	Grant, Hold, Of, For, Hash, ID, Issuer, What                                                                string
	Arguments, Step                                                                                             *string
	ProviderOptions                                                                                             any
	Expires, At                                                                                                 int64
	Bind                                                                                                        *struct{ Invocation, Call string }
	Forged, Fails                                                                                               bool
	Edits                                                                                                       []edit
	Schema, Projection, Policy, Handler                                                                         *script
}

// Start reads a scenario; its steps are not played.
func Start(scenario []byte) (*Model, error) {
	m := &Model{steps: map[string]string{}, attempts: map[string]*attempt{}, stored: map[string]*attempt{}, grants: map[string]step{},
		used: map[string]bool{}, done: map[string]bool{}}
	if err := json.Unmarshal(scenario, m); err != nil {
		return nil, err
	}
	for _, t := range m.Tools {
		given := *t
		t.replace(&script{Does: "identity"}, &script{Does: "show"}, &script{Does: "allow"}, &script{Does: "succeed"})
		t.replace(given.Schema, given.Projection, given.Policy, given.Handler)
	}
	return m, nil
}

// Trace gives the trace of a scenario.
func Trace(scenario []byte) ([]byte, error) {
	m, err := Start(scenario)
	if err != nil {
		return nil, err
	}
	all := []any{}
	for _, s := range m.Steps {
		entries, err := m.Do(s)
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	for _, a := range m.attempts {
		if len(a.rest) > 0 {
			return nil, fmt.Errorf("%w: %s is held for ever", ErrMalformed, a.As)
		}
	}
	return []byte(canonical(all)), nil
}

// free: an attempt of that name can begin.
func (m *Model) free(s step) bool {
	return s.As != "" && m.attempts[s.As] == nil && slices.Contains([]string{"", "schema", "policy", "handler"}, s.Hold)
}

// A Model plays scenarios. It is for one goroutine.
type Model struct {
	Agent      string
	Issuers    []string
	Surface    string
	Tools      []*tool
	Steps      []json.RawMessage
	now        int64
	fails      bool
	steps      map[string]string   // "": nobody yet, "shared" or "exclusive"
	attempts   map[string]*attempt // by name
	stored     map[string]*attempt // by what is dispatched once: the last that was suspended
	grants     map[string]step
	used, done map[string]bool
	trace      []any
}

type attempt struct {
	step                      // the call
	raw                       []byte
	tool                      *tool
	admitted                  bool
	began                     int64
	resumes, hash, operation  string
	requested, canonical, why string
	persisted, live           any // live: what the callback that runs can still change
	liveNames                 []string
	shown, mutated            bool
	verdict                   string
	proposal                  bool
	rest                      []func() bool // what is still to do
}

func (m *Model) tool(name string) *tool {
	for _, t := range m.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// replace gives the tool the scripts that are not nil.
func (t *tool) replace(schema, projection, policy, handler *script) {
	for into, by := range map[**script]*script{&t.Schema: schema, &t.Projection: projection, &t.Policy: policy, &t.Handler: handler} {
		if by != nil {
			*into = by
		}
	}
}
