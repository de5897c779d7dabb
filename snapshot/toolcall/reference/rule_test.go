package reference_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/reference"
)

// summary tells of a trace what policy was shown, what was projected into the
// call record, and how the attempts ended.
func summary(t *testing.T, trace []byte) string {
	t.Helper()
	var entries []struct {
		At, Event, ArgsCanonicalJSON, Status, Reason string
		Record                                       struct {
			Kind string
			Args json.RawMessage
		}
	}
	if err := json.Unmarshal(trace, &entries); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		switch {
		case e.Event == "policy":
			all = append(all, e.At+" policy "+e.ArgsCanonicalJSON)
		case e.Event == "record" && e.Record.Kind == "call" && e.Record.Args != nil:
			all = append(all, e.At+" shown "+string(e.Record.Args))
		case e.Event == "outcome":
			all = append(all, strings.TrimSpace(fmt.Sprint(e.At, " ", e.Status, " ", e.Reason)))
		}
	}
	return strings.Join(all, "\n")
}

const (
	asks  = `{"format":1,"agent":"a","issuers":["alice"],"tools":[{"name":"pay","projection":{"does":"none"},"policy":{"does":"require_approval"}}],"steps":[`
	first = `{"do":"call","as":"a1","tool":"pay","arguments":"{}","invocation":"i","call":"c"}`
	again = `{"do":"call","as":"a2","tool":"pay","arguments":"{}","invocation":"i","call":"c"}`
)

// Rules of docs/lifecycle.md that the vectors do not tell apart, each with what
// must come of it.
func TestRules(t *testing.T) {
	for _, test := range []struct{ name, steps, want string }{
		{"a proposal that was dispatched is not resumed with another grant", first + `,
			{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"grant","as":"g2","for":"a1","issuer":"alice","expires":9},
			{"do":"resume","as":"b1","of":"a1","grant":"g1"},{"do":"resume","as":"b2","of":"a1","grant":"g2"}`,
			"a1 policy {}\na1 suspended\nb1 policy {}\nb1 executed\nb2 refused dispatched"},
		{"nor is the call suspended again", first + `,{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"resume","as":"b1","of":"a1","grant":"g1"},` + again,
			"a1 policy {}\na1 suspended\nb1 policy {}\nb1 executed\na2 policy {}\na2 refused dispatched"},
		{"nor does it run beside a resume with another grant", first + `,
			{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"grant","as":"g2","for":"a1","issuer":"alice","expires":9},
			{"do":"resume","as":"b1","of":"a1","grant":"g1","hold":"policy"},{"do":"resume","as":"b2","of":"a1","grant":"g2"},{"do":"release","of":"b1"}`,
			"a1 policy {}\na1 suspended\nb1 policy {}\nb2 policy {}\nb2 executed\nb1 refused dispatched"},
		{"nor when it is sent again with another grant", first + `,
			{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"grant","as":"g2","for":"a1","issuer":"alice","expires":9},
			{"do":"resume","as":"b1","of":"a1","grant":"g1"},` + strings.Replace(again, `"as"`, `"grant":"g2","as"`, 1),
			"a1 policy {}\na1 suspended\nb1 policy {}\nb1 executed\na2 policy {}\na2 refused dispatched"},
		{"a call that was sent again with a grant is dispatched", first + `,
			{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"grant","as":"g2","for":"a1","issuer":"alice","expires":9},` +
			strings.Replace(again, `"as"`, `"grant":"g1","as"`, 1) + `,{"do":"resume","as":"b1","of":"a1","grant":"g2"}`,
			"a1 policy {}\na1 suspended\na2 policy {}\na2 executed\nb1 refused dispatched"},
		{"a call that policy allows is none that was dispatched", `{"do":"change","tool":"pay","policy":{"does":"allow"}},` + first + "," + again + `,
			{"do":"change","tool":"pay","policy":{"does":"require_approval"}},` + strings.Replace(again, "a2", "a3", 1),
			"a1 policy {}\na1 executed\na2 policy {}\na2 executed\na3 policy {}\na3 suspended"},
		{"nor with a grant, which it does not use", first + `,{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"change","tool":"pay","policy":{"does":"allow"}},` +
			strings.Replace(again, `"as"`, `"grant":"g1","as"`, 1) + `,{"do":"change","tool":"pay","policy":{"does":"require_approval"}},
			{"do":"resume","as":"b1","of":"a1","grant":"g1"}`,
			"a1 policy {}\na1 suspended\na2 policy {}\na2 executed\nb1 policy {}\nb1 executed"},
		{"a proposal that policy allows on resume is dispatched", first + `,{"do":"grant","as":"g1","for":"a1","issuer":"alice","expires":9},{"do":"change","tool":"pay","policy":{"does":"allow"}},
			{"do":"resume","as":"b1","of":"a1","grant":"g1"},{"do":"resume","as":"b2","of":"a1","grant":"g1"},{"do":"change","tool":"pay","policy":{"does":"require_approval"}},` + again,
			"a1 policy {}\na1 suspended\nb1 policy {}\nb1 executed\nb2 refused dispatched\na2 policy {}\na2 refused dispatched"},
		{"a schema that gives other arguments makes two proposals, and both are dispatched", first + `,{"do":"change","tool":"pay","schema":{"does":"value","value":[]}},` + again + `,
			{"do":"grant","as":"g1","for":"a2","issuer":"alice","expires":9},{"do":"grant","as":"g2","for":"a2","issuer":"alice","expires":9},
			{"do":"resume","as":"b1","of":"a1","grant":"g1"},{"do":"resume","as":"b2","of":"a1","grant":"g2"},{"do":"resume","as":"b3","of":"a2","grant":"g2"}`,
			"a1 policy {}\na1 suspended\na2 policy []\na2 suspended\nb1 policy []\nb1 executed\nb2 refused dispatched\nb3 refused dispatched"},
	} {
		trace, err := reference.Trace([]byte(asks + test.steps + `]}`))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := summary(t, trace); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestEdits: an edit whose place is not there, or is of another kind, does
// nothing.
func TestEdits(t *testing.T) {
	for edit, want := range map[string]string{
		`{"set":["a"],"to":9}`:                             `{"a":9,"l":[1,[2]],"o":{"x":3}}`,
		`{"set":["b"],"to":9}`:                             `{"a":0,"b":9,"l":[1,[2]],"o":{"x":3}}`,
		`{"set":["o","x"],"to":9}`:                         `{"a":0,"l":[1,[2]],"o":{"x":9}}`,
		`{"set":["l",0],"to":9}`:                           `{"a":0,"l":[9,[2]],"o":{"x":3}}`,
		`{"set":["l",1,0],"to":9}`:                         `{"a":0,"l":[1,[9]],"o":{"x":3}}`,
		`{"set":["l",2],"to":9}`:                           ``,
		`{"set":["l",0.5],"to":9}`:                         ``,
		`{"set":["l",1e300],"to":9}`:                       ``,
		`{"set":["l",1e300,0],"to":9}`:                     ``,
		`{"set":["l",null],"to":9}`:                        ``,
		`{"set":["l",[]],"to":9}`:                          ``,
		`{"delete":[]}`:                                    ``,
		`{"delete":["no","x"]}`:                            ``,
		`{"delete":[0]}`:                                   ``,
		`{"set":["l",-1],"to":9}`:                          ``,
		`{"set":["l","0"],"to":9}`:                         ``,
		`{"set":["l","0",0],"to":9}`:                       ``,
		`{"set":["l",2,0],"to":9}`:                         ``,
		`{"set":[0],"to":9}`:                               ``,
		`{"set":[0,"x"],"to":9}`:                           ``,
		`{"set":["no","x"],"to":9}`:                        ``,
		`{"set":["a","x"],"to":9}`:                         ``,
		`{"set":["a",0],"to":9}`:                           ``,
		`{"set":[],"to":9}`:                                ``,
		`{"delete":["a"]}`:                                 `{"l":[1,[2]],"o":{"x":3}}`,
		`{"delete":["o","x"]}`:                             `{"a":0,"l":[1,[2]],"o":{}}`,
		`{"delete":["l",0]}`:                               ``,
		`{"delete":["no"]}`:                                ``,
		`{"alias":["a"],"from":["l",0]}`:                   `{"a":1,"l":[1,[2]],"o":{"x":3}}`,
		`{"alias":["a"],"from":["l",1,0]}`:                 `{"a":2,"l":[1,[2]],"o":{"x":3}}`,
		`{"alias":["a"],"from":["o","x"]}`:                 `{"a":3,"l":[1,[2]],"o":{"x":3}}`,
		`{"alias":["a"],"from":["no"]}`:                    ``,
		`{"alias":["a"],"from":["l",2]}`:                   ``,
		`{"alias":["a"],"from":["a","x"]}`:                 ``,
		`{"alias":["a"],"from":["o"]}`:                     `outside`,
		`{"alias":["a"],"from":[]}`:                        `outside`,
		`{"cycle":["a"]}`:                                  `outside`,
		`{"cycle":["l",1,0]}`:                              `outside`,
		`{"host":["a"]}`:                                   `outside`,
		`{"host":["l",5]}`:                                 ``,
		`{"negativeZero":["a"]}`:                           `outside`,
		`{"negativeZero":["no","x"]}`:                      ``,
		`{"set":["o"],"to":null},{"set":["o","x"],"to":9}`: `{"a":0,"l":[1,[2]],"o":null}`,
	} {
		const untouched = `{"a":0,"l":[1,[2]],"o":{"x":3}}`
		switch want {
		case "":
			want = "a1 policy " + untouched + "\na1 executed"
		case "outside":
			want = "a1 refused arguments"
		default:
			want = "a1 policy " + want + "\na1 executed"
		}
		trace, err := reference.Trace([]byte(`{"agent":"a","tools":[{"name":"pay","projection":{"does":"none"},"schema":{"does":"identity","edits":[` + edit + `]}}],"steps":[` +
			strings.Replace(first, `"{}"`, `"{\"a\":0,\"l\":[1,[2]],\"o\":{\"x\":3}}"`, 1) + `]}`))
		if err != nil {
			t.Errorf("%s: %v", edit, err)
		} else if got := summary(t, trace); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", edit, got, want)
		}
	}
}

// TestProjections: what is shown in the call record.
func TestProjections(t *testing.T) {
	for _, test := range []struct{ projection, arguments, want string }{
		{`{"does":"show"}`, `{"a":1}`, `{"a":1}`},
		{`{"does":"hide","names":["a","no"]}`, `{"a":1,"b":2}`, `{"a":"[hidden]","b":2}`},
		{`{"does":"hide","names":["a"]}`, `[1]`, `"[hidden]"`},
		{`{"does":"value","value":{"a":7}}`, `{"a":1}`, `{"a":7}`},
		{`{"does":"value","value":{"a":7},"edits":[{"set":["a"],"to":8}]}`, `{"a":1}`, `{"a":8}`},
		{`{"does":"value","value":{"b":7}}`, `{"a":1}`, ``},
		{`{"does":"value","value":{"a":1,"b":7}}`, `{"a":1}`, ``},
		{`{"does":"value","value":{"a":1}}`, `{"a":1,"b":7}`, ``},
		{`{"does":"value","value":[]}`, `{}`, ``},
		{`{"does":"value","value":{"b":7}}`, `[1]`, `{"b":7}`},
		{`{"does":"value","value":3}`, `[1]`, `3`},
		{`{"does":"show","edits":[{"host":["a"]}]}`, `{"a":1}`, ``},
		{`{"does":"fail"}`, `{"a":1}`, ``},
	} {
		arguments, _ := json.Marshal(test.arguments)
		trace, err := reference.Trace([]byte(`{"agent":"a","tools":[{"name":"pay","projection":` + test.projection + `}],"steps":[` +
			strings.Replace(first, `"{}"`, string(arguments), 1) + `]}`))
		want := "a1 policy " + test.arguments + "\na1 shown " + test.want + "\na1 executed"
		if test.want == "" {
			want = "a1 refused projection_failed"
		}
		if err != nil {
			t.Errorf("%s: %v", test.projection, err)
		} else if got := summary(t, trace); got != want {
			t.Errorf("%s of %s:\n%s\nwant\n%s", test.projection, test.arguments, got, want)
		}
	}
}
