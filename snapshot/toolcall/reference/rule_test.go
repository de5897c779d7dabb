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

const first = `{"do":"call","as":"a1","tool":"pay","arguments":"{}","invocation":"i","call":"c"}`

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
