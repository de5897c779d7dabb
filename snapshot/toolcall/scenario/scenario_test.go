package scenario_test

import (
	"bytes"
	"errors"
	"os"
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
	clocks := strings.TrimSuffix(strings.Repeat(`{"do":"clock","at":1},`, 100), ",")
	if err := scenario.Check([]byte(head + clocks + `]}`)); err != nil {
		t.Error(err)
	}
	for _, text := range []string{head + clocks + `]}` + strings.Repeat(" ", scenario.MaxWork/100), ``, `{`, `[]`, `{} {}`, `{"format":1,"format":1}`, strings.Repeat(" ", scenario.MaxText+1),
		head + strings.TrimSuffix(strings.Repeat(`{"do":"clock"},`, scenario.MaxSteps+1), ",") + `]}`} {
		if err := scenario.Check([]byte(text)); !errors.Is(err, scenario.ErrMalformed) {
			t.Errorf("%.40s: %v", text, err)
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
