// Package lifecycle drives tool calls step by step against the straight-line
// model: every step is played on the library and on the model, and their parts of
// the trace must be the same bytes. Whoever can be an adversary is one: caller,
// schema, projection, surface, policy, handler, store and approver change what
// they were ever handed, at every point between two steps. TOUCHSTONE_STEPS says
// how many steps to take; without it, a few thousand.
package lifecycle

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/reference"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/scenario"
)

func steps(t testing.TB) int {
	text, ok := os.LookupEnv("TOUCHSTONE_STEPS")
	if !ok {
		return 1200
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A machine is a session of the library beside one of the model.
type machine struct {
	session *scenario.Session
	model   *reference.Model
	steps   int
	// wrong is the first step on which they differed.
	wrong string
	// endings counts how attempts ended, by status and reason.
	endings map[string]int
}

func newMachine(s scenario.Scenario) (*machine, error) {
	session, err := scenario.Start(s)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	model, err := reference.Start(text)
	if err != nil {
		return nil, err
	}
	return &machine{session: session, model: model, endings: map[string]int{}}, nil
}

// play plays a step on both. A step that names what is not there must be
// refused by both.
func (m *machine) play(s scenario.Step) string {
	m.steps++
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	want, wantErr := m.model.Do(text)
	got, gotErr := m.session.Do(s)
	if (wantErr == nil) != (gotErr == nil) {
		m.wrong = fmt.Sprintf("step %s: the library says %v, the model %v", text, gotErr, wantErr)
		return m.wrong
	}
	if a, b := canonical(got), canonical(want); gotErr == nil && a != b {
		m.wrong = fmt.Sprintf("step %s\nthe library: %s\nthe model:   %s", text, a, b)
	}
	for _, entry := range got {
		if e := entry.(map[string]any); e["event"] == "outcome" {
			m.endings[fmt.Sprint(e["status"], " ", e["reason"], " ", e["stage"])]++
		}
	}
	return m.wrong
}

func canonical(entries []any) string {
	text, err := json.Marshal(entries)
	if err != nil {
		return err.Error()
	}
	s, err := snapshot.Decode(text)
	if err != nil {
		return err.Error()
	}
	return s.CanonicalJSON()
}

// names are what later steps can refer to.
type names struct {
	attempts, grants, held []string
	approvals              [][2]string // an attempt, and a grant for its proposal
}

// A chooser draws from 0 up to but without n.
type chooser func(n int) int

func one[T any](choose chooser, from ...T) T { return from[choose(len(from))] }

func setting(choose chooser) scenario.Scenario {
	s := scenario.Scenario{
		Format: 1, Agent: one(choose, "agent", "Agent 😀"), Issuers: []string{"alice"},
		Surface: one(choose, "", "", "accepts", "accepts", "refuses"),
	}
	for i, name := range toolNames {
		s.Tools = append(s.Tools, scenario.Tool{
			Name: name, Exclusive: choose(4) == 0, DirectOnly: choose(8) == 0, Boundary: choose(3) == 0,
			ActivityKind: one(choose, "", "kind"), Projection: &scenario.Script{Does: one(choose, "show", "hide", "none"), Names: []string{"amount"}},
		})
		s.Tools[i].Policy = &scenario.Script{Does: one(choose, "allow", "require_approval", "require_approval")}
	}
	return s
}

var toolNames = []string{"pay", "refund", "__proto__"}

var texts = []string{
	`{"amount":1,"to":{"name":"alice"},"tags":[0,[1]]}`, ` {"tags":[0.0,[1e0]],"to":{"n\u0061me":"alice"},"amount":1.0}`,
	`{"amount":2,"to":{"name":"alice"},"tags":[0,[1]]}`, `{"AMOUNT":1,"to":{"name":"alice"},"tags":[0,[1]]}`,
	`{"__proto__":{"amount":1},"constructor":null}`, `{"skus":["a"],"\u017fkus":["b"]}`, `{}`, `[]`, `null`, `3`, `"x"`,
	`{"amount":-0}`, `{"a":1,"a":2}`, `{"s":"\udfff"}`, `{`, ``, `[1e999]`,
}

var places = [][]any{{"amount"}, {"to"}, {"to", "name"}, {"tags", 0.0}, {"tags", 1.0}, {"tags", 1.0, 0.0}, {"__proto__"}, {"added"}, {0.0}}

func edits(choose chooser) []scenario.Edit {
	var all []scenario.Edit
	for range choose(3) {
		place := one(choose, places...)
		switch choose(7) {
		case 0, 1:
			all = append(all, scenario.Edit{Set: place, To: one[any](choose, 1.0, 9.0, "alice", nil, map[string]any{"name": "mallory"})})
		case 2:
			all = append(all, scenario.Edit{Delete: place})
		case 3:
			all = append(all, scenario.Edit{NegativeZero: place})
		case 4:
			all = append(all, scenario.Edit{Host: place})
		case 5:
			all = append(all, scenario.Edit{Cycle: place})
		case 6:
			all = append(all, scenario.Edit{Alias: place, From: one(choose, places...)})
		}
	}
	return all
}

func mutations(choose chooser, n names) []scenario.Mutation {
	var all []scenario.Mutation
	for range choose(3) {
		if len(n.attempts) > 0 {
			all = append(all, scenario.Mutation{Of: one(choose, n.attempts...), What: one(choose, scenario.Handed()...), Edits: edits(choose)})
		}
	}
	return all
}

func script(choose chooser, n names, deeds ...string) *scenario.Script {
	if choose(2) == 0 {
		return nil
	}
	s := &scenario.Script{Does: one(choose, deeds...), Mutations: mutations(choose, n)}
	if choose(3) == 0 {
		s.Edits = edits(choose)
	}
	return s
}

// actions make steps. Those that need a name get one that was never given,
// rarely, and often one that has ended.
var actions = map[string]func(choose chooser, n names) scenario.Step{
	"call": func(choose chooser, n names) scenario.Step {
		text := one(choose, texts[:4]...)
		if choose(4) == 0 {
			text = one(choose, texts...)
		}
		s := scenario.Step{
			Do: "call", As: fmt.Sprint("a", len(n.attempts)), Tool: one(choose, toolNames...), Arguments: &text,
			Invocation: one(choose, "run", "run", "other"), Call: one(choose, "c1", "c2", "c3"),
			Origin: one(choose, "", "", "provider", "code_mode"), Hold: hold(choose),
			Turn: one(choose, "", "t"), Intent: one(choose, "", "why"),
			ProviderOptions: one[any](choose, nil, map[string]any{"amount": 1.0}),
		}
		if choose(3) == 0 {
			id := one(choose, "", "s1", "s2")
			s.Step = &id
		}
		if choose(3) == 0 {
			s.Grant = recent(choose, n.grants)
		}
		return s
	},
	"resume": func(choose chooser, n names) scenario.Step {
		if len(n.approvals) > 0 && choose(4) > 0 {
			pair := n.approvals[max(0, len(n.approvals)-1-choose(3))]
			return scenario.Step{Do: "resume", As: fmt.Sprint("a", len(n.attempts)), Of: pair[0], Grant: pair[1], Hold: hold(choose)}
		}
		return scenario.Step{
			Do: "resume", As: fmt.Sprint("a", len(n.attempts)), Of: recent(choose, n.attempts), Grant: recent(choose, n.grants), Hold: hold(choose),
		}
	},
	"grant": func(choose chooser, n names) scenario.Step {
		s := scenario.Step{
			Do: "grant", As: fmt.Sprint("g", len(n.grants)), Issuer: one(choose, "alice", "alice", "alice", "alice", "alice", "alice", "mallory", "__proto__"),
			Expires: int64(10 + choose(40)), Forged: choose(8) == 0, ID: one(choose, "", "", "same"),
		}
		if choose(4) == 0 {
			s.Bind = &scenario.Bind{Invocation: one(choose, "run", "other"), Call: one(choose, "c1", "c2")}
		}
		if choose(8) == 0 || len(n.attempts) == 0 {
			s.Hash = one(choose, "__proto__", "constructor", "")
		} else {
			s.For = recent(choose, n.attempts)
		}
		return s
	},
	"clock": func(choose chooser, _ names) scenario.Step { return scenario.Step{Do: "clock", At: int64(choose(30))} },
	"store": func(choose chooser, _ names) scenario.Step { return scenario.Step{Do: "store", Fails: choose(6) == 0} },
	"release": func(choose chooser, n names) scenario.Step {
		return scenario.Step{Do: "release", Of: recent(choose, n.held)}
	},
	"mutate": func(choose chooser, n names) scenario.Step {
		return scenario.Step{Do: "mutate", Of: one(choose, append(n.attempts, "nobody")...), What: one(choose, scenario.Handed()...), Edits: edits(choose)}
	},
	"change": func(choose chooser, n names) scenario.Step {
		return scenario.Step{
			Do: "change", Tool: one(choose, toolNames...),
			Schema:  script(choose, n, "identity", "identity", "identity", "identity", "refuse", "panic", "value"),
			Policy:  script(choose, n, "allow", "allow", "require_approval", "require_approval", "require_approval", "deny", "fail", "panic", "nothing"),
			Handler: script(choose, n, "succeed", "succeed", "fail", "panic"),
		}
	},
}

// weighted lists the actions, the frequent ones more often.
var weighted = []string{
	"call", "call", "call", "resume", "resume", "resume", "grant", "grant", "grant", "mutate", "mutate", "release", "release", "change", "clock", "store",
}

func hold(choose chooser) string {
	if choose(6) > 0 {
		return ""
	}
	return one(choose, "schema", "policy", "handler")
}

// recent gives one of the last names, seldom an old one, and seldom one that was
// never given.
func recent(choose chooser, list []string) string {
	switch last := len(list) - 1 - choose(3); {
	case len(list) == 0 || choose(20) == 0:
		return "nobody"
	case last < 0 || choose(5) == 0:
		return one(choose, list...)
	default:
		return list[last]
	}
}

// after gives the names after a step; that a step was refused as malformed does
// not matter, for its name is free and is taken as given.
func (n names) after(s scenario.Step) names {
	extend := func(list []string, name string) []string { return append(list[:len(list):len(list)], name) }
	switch s.Do {
	case "call", "resume":
		n.attempts = extend(n.attempts, s.As)
		if s.Hold != "" {
			n.held = extend(n.held, s.As)
		}
	case "grant":
		n.grants = extend(n.grants, s.As)
		if s.For != "" {
			n.approvals = append(n.approvals[:len(n.approvals):len(n.approvals)], [2]string{s.For, s.As})
		}
	}
	return n
}
