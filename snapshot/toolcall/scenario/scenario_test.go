package scenario_test

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	values "github.com/touchstone-oracle/touchstone/snapshot/reference"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/reference"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/scenario"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func scenarios(t *testing.T) []vectors.Vector {
	t.Helper()
	var all []vectors.Vector
	for _, v := range vectors.All() {
		if v.Op == vectors.OpLifecycle {
			all = append(all, v)
		}
	}
	if len(all) < 60 {
		t.Fatalf("%d scenarios", len(all))
	}
	return all
}

// The library, the model and the vectors give the same traces.
func TestTracesOfTheVectors(t *testing.T) {
	for _, v := range scenarios(t) {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			want := v.Expect[reject.RFC0016].Output
			got, err := scenario.Run(v.Input)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("the library: %v\n%s\nwant\n%s", err, got, want)
			}
			got, err = reference.Trace(v.Input)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("the model: %v\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// The scenarios of the vectors and their traces are what the JSON Schemas in
// docs describe, and what is malformed is not.
func TestSchemas(t *testing.T) {
	compile := func(place string) *jsonschema.Schema {
		text, err := os.ReadFile("../../../docs/lifecycle.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("lifecycle", document); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("lifecycle#" + place)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	decode := func(text []byte) any {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	whole, trace := compile(""), compile("/$defs/trace")
	for _, v := range scenarios(t) {
		if err := whole.Validate(decode(v.Input)); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
		if err := trace.Validate(decode(v.Expect[reject.RFC0016].Output)); err != nil {
			t.Errorf("%s: its trace: %v", v.ID, err)
		}
	}
	for _, test := range malformed {
		if test.schema == (whole.Validate(decode([]byte(test.text))) == nil) {
			t.Errorf("%s: the schema says otherwise", test.name)
		}
	}
}

const head = `{"format":1,"agent":"a","issuers":["alice"],"tools":[{"name":"pay","policy":{"does":"require_approval"}}],"steps":[`
const callStep = `{"do":"call","as":"a1","tool":"pay","arguments":"{}","invocation":"i","call":"c"}`

// malformed scenarios; schema says whether the JSON Schema tells.
var malformed = []struct {
	name, text string
	schema     bool
}{
	{"another format", `{"format":2,"agent":"a","tools":[],"steps":[]}`, true},
	{"an unknown key", `{"format":1,"agent":"a","tools":[],"steps":[],"more":1}`, true},
	{"a key in another case", `{"Format":1,"agent":"a","tools":[],"steps":[]}`, true},
	{"a key that folds to another", `{"format":1,"agent":"a","tools":[],"\u017fteps":[],"steps":[]}`, true},
	{"no steps", `{"format":1,"agent":"a","tools":[]}`, true},
	{"an unknown surface", `{"format":1,"agent":"a","surface":"x","tools":[],"steps":[]}`, true},
	{"an unknown deed", `{"format":1,"agent":"a","tools":[{"name":"p","policy":{"does":"maybe"}}],"steps":[]}`, true},
	{"a tool twice", `{"format":1,"agent":"a","tools":[{"name":"p"},{"name":"p"}],"steps":[]}`, false},
	{"a graph that is none", `{"format":1,"agent":"a","tools":[{"name":"p","schema":{"does":"graph","graph":{}}}],"steps":[]}`, false},
	{"an unknown step", head + `{"do":"dance"}]}`, true},
	{"an unknown tool", head + strings.Replace(callStep, `"tool":"pay"`, `"tool":"x"`, 1) + `]}`, false},
	{"a name twice", head + callStep + "," + callStep + `]}`, false},
	{"an unknown grant", head + strings.Replace(callStep, `"call":"c"`, `"call":"c","grant":"g"`, 1) + `]}`, false},
	{"hex that is none", head + strings.Replace(callStep, `"arguments":"{}"`, `"argumentsHex":"7"`, 1) + `]}`, true},
	{"an unknown origin", head + strings.Replace(callStep, `"call":"c"`, `"call":"c","origin":"moon"`, 1) + `]}`, true},
	{"an unknown hold", head + strings.Replace(callStep, `"call":"c"`, `"call":"c","hold":"moon"`, 1) + `]}`, true},
	{"an empty call id", head + strings.Replace(callStep, `"call":"c"`, `"call":""`, 1) + `]}`, true},
	{"resume of nothing", head + `{"do":"resume","as":"a2","of":"a1","grant":"g1"}]}`, false},
	{"resume without a grant", head + callStep + `,{"do":"resume","as":"a2","of":"a1","grant":"g1"}]}`, false},
	{"resume by a name twice", head + callStep + `,{"do":"grant","as":"g","for":"a1","issuer":"alice"},{"do":"resume","as":"a1","of":"a1","grant":"g"}]}`, false},
	{"a grant for nothing", head + `{"do":"grant","as":"g1","for":"a1","issuer":"alice"}]}`, false},
	{"a grant without a name", head + `{"do":"grant","issuer":"alice"}]}`, true},
	{"release of nothing", head + `{"do":"release","of":"a1"}]}`, false},
	{"held for ever", head + strings.Replace(callStep, `"call":"c"`, `"call":"c","hold":"policy"`, 1) + `]}`, false},
	{"mutation of nothing", head + `{"do":"mutate","of":"a1","what":"policy.parsed","edits":[]}]}`, false},
	{"mutation of what is not handed out", head + callStep + `,{"do":"mutate","of":"a1","what":"policy.brain","edits":[]}]}`, true},
	{"a change of nothing", head + `{"do":"change","tool":"x"}]}`, false},
	{"a change to what is unknown", head + `{"do":"change","tool":"pay","handler":{"does":"x"}}]}`, true},
	{"a projection that comes late", head + `{"do":"change","tool":"pay","projection":{"does":"none"}}]}`, false},
}

func TestMalformedScenariosHaveNoTrace(t *testing.T) {
	for _, test := range malformed {
		if out, err := scenario.Run([]byte(test.text)); !errors.Is(err, scenario.ErrMalformed) {
			t.Errorf("%s: %s, %v", test.name, out, err)
		}
	}
	for _, text := range []string{``, `{`, `[]`, `{} {}`, `{"format":1,"format":1}`} {
		if err := scenario.Check([]byte(text)); !errors.Is(err, scenario.ErrMalformed) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A scenario at each limit is one, and one beyond it is not.
func TestLimits(t *testing.T) {
	text := func(steps, length int) string {
		s := head + strings.TrimSuffix(strings.Repeat(`{"do":"clock"},`, steps), ",") + `]}`
		return s + strings.Repeat(" ", max(0, length-len(s)))
	}
	for _, test := range []struct {
		steps, length int
		problem       string
	}{
		{1, scenario.MaxText, ""},
		{1, scenario.MaxText + 1, "longer than 1048576 bytes"},
		{scenario.MaxSteps, 0, ""},
		{scenario.MaxSteps + 1, 0, "more than 1000 steps"},
		{128, scenario.MaxWork / 128, ""},
		{128, scenario.MaxWork/128 + 1, "at most 127 steps"},
	} {
		err := scenario.Check([]byte(text(test.steps, test.length)))
		if right := test.problem == ""; right != (err == nil) ||
			!right && (!errors.Is(err, scenario.ErrMalformed) || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%d steps, %d bytes: %v, want %q", test.steps, test.length, err, test.problem)
		}
	}
}

// Edits of every kind at every sort of place, there or not, do what they do in
// the model, whose own tests know what that is.
func TestEdits(t *testing.T) {
	tokens := []string{`"a"`, `"l"`, `"o"`, `"x"`, `"no"`, `0`, `1`, `2`, `-1`, `0.5`, `1e300`, `null`}
	paths := []string{`[]`}
	for _, first := range tokens {
		paths = append(paths, `[`+first+`]`, `["l",1,`+first+`]`, `["l",`+first+`]`, `["o",`+first+`]`, `["a",`+first+`]`, `[`+first+`,0]`, `[`+first+`,"x"]`)
	}
	const call = `{"do":"call","as":"aN","tool":"pay","arguments":"{\"a\":0,\"l\":[1,[2]],\"o\":{\"x\":3}}","invocation":"i","call":"cN"}`
	for _, path := range paths {
		var steps []string
		for i, edit := range []string{`{"set":PATH,"to":9}`, `{"delete":PATH}`, `{"negativeZero":PATH}`, `{"host":PATH}`, `{"cycle":PATH}`, `{"alias":["a"],"from":PATH}`, `{"alias":PATH,"from":["l",0]}`} {
			edit = strings.Replace(edit, "PATH", path, 1)
			steps = append(steps, `{"do":"change","tool":"pay","schema":{"does":"identity","edits":[`+edit+`]}}`,
				strings.ReplaceAll(call, "N", strconv.Itoa(i)),
				// Between two steps there is nobody to catch a panic.
				strings.Replace(`{"do":"mutate","of":"aN","what":"schema.input","edits":[`+edit+`]}`, "N", strconv.Itoa(i), 1))
		}
		text := []byte(`{"format":1,"agent":"a","tools":[{"name":"pay"}],"steps":[` + strings.Join(steps, ",") + `]}`)
		got, err := scenario.Run(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if want, err := reference.Trace(text); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the library gives\n%s\nthe model\n%s\n%v", text, got, want, err)
		}
	}
}

// A value that Go cannot express is neither a trace nor malformed.
func TestInexpressibleValue(t *testing.T) {
	const text = `{"format":1,"agent":"a","tools":[{"name":"p","schema":{"does":"graph","graph":{"root":0,"nodes":[{"host":"date"}]}}}],"steps":[]}`
	if _, err := scenario.Run([]byte(text)); !errors.Is(err, values.ErrInexpressible) {
		t.Errorf("%v", err)
	}
}

func FuzzScenario(f *testing.F) {
	for _, v := range vectors.All() {
		if v.Op == vectors.OpLifecycle {
			f.Add(v.Input)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := scenario.Run(text)
		if err != nil {
			return
		}
		want, err := reference.Trace(text)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("the library gives\n%s\nthe model\n%s\n%v", got, want, err)
		}
	})
}
