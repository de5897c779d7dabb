package reference_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// graphs gives the graph vectors.
func graphs(t *testing.T) []vectors.Vector {
	all := slices.DeleteFunc(vectors.All(), func(v vectors.Vector) bool {
		return v.Op != vectors.OpGraph || v.Status == vectors.Retired
	})
	if len(all) < 100 {
		t.Fatalf("only %d graphs", len(all))
	}
	return all
}

func parse(t *testing.T, text []byte) *reference.Graph {
	t.Helper()
	g, err := reference.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestVectors judges every graph of the vectors: the verdict, the bytes, and
// no reason that the vector does not name. The reason invalid_utf8 is Go's own.
func TestVectors(t *testing.T) {
	for _, v := range graphs(t) {
		t.Run(v.ID, func(t *testing.T) { checkVector(t, v, reference.Judge(parse(t, v.Input))) })
	}
}

func checkVector(t *testing.T, v vectors.Vector, got *reference.Judgement) {
	t.Helper()
	want := v.Expect[reject.RFC0016]
	kind := vectors.Either
	switch {
	case got.Rejects():
		kind = vectors.Reject
	case got.Accepts():
		kind = vectors.Accept
	}
	if kind != want.Verdict || !bytes.Equal(got.Canonical, want.Output) {
		t.Errorf("judged %s, %q; want %s, %q", kind, got.Canonical, want.Verdict, want.Output)
	}
	for _, r := range got.Reasons() {
		if !slices.Contains(want.Reasons, r) {
			t.Errorf("the reason %v is none of %v", r, want.Reasons)
		}
	}
	for _, f := range got.Faults {
		if q, ok := reject.LookupRequirement(f.Clause); !ok || !slices.Contains(q.Reasons, f.Reason) {
			t.Errorf("the clause %q is not one of %v", f.Clause, f.Reason)
		}
	}
}

// TestHashVectors holds ProposalHash to the published and derived hashes.
func TestHashVectors(t *testing.T) {
	asked := 0
	for _, v := range vectors.All() {
		want := v.Expect[reject.RFC0016]
		if v.Op != vectors.OpHash || want.Verdict != vectors.Accept {
			continue
		}
		asked++
		var form struct{ AgentName, ToolName, ArgsCanonicalJson string }
		if err := json.Unmarshal(v.Input, &form); err != nil {
			t.Fatal(err)
		}
		if got := reference.ProposalHash(form.AgentName, form.ToolName, form.ArgsCanonicalJson); got != string(want.Output) {
			t.Errorf("%s: %s, want %s", v.ID, got, want.Output)
		}
	}
	if asked < 15 {
		t.Errorf("only %d hashes", asked)
	}
}

// TestMalformed: what is no graph is an error, never a verdict.
func TestMalformed(t *testing.T) {
	node := func(n string) string { return `{"root":0,"nodes":[` + n + `]}` }
	for _, c := range []struct{ name, text, problem string }{
		{"empty", ``, "syntax"},
		{"no JSON", `{"root":0,`, "syntax"},
		{"a name twice", `{"root":0,"root":0,"nodes":[{"literal":"null"}]}`, "duplicate_name"},
		{"lone surrogate", `{"root":0,"nodes":[{"literal":"\ud800"}]}`, "lone_surrogate"},
		{"a list", `[]`, "not an object"},
		{"null", `null`, "not an object"},
		{"a scalar", `1`, "not an object"},
		{"unknown key", `{"root":0,"nodes":[{"literal":"null"}],"x":1}`, "none of root, nodes"},
		{"no root", `{"nodes":[{"literal":"null"}]}`, "whole number"},
		{"no nodes", `{"root":0}`, "list of objects"},
		{"null nodes", `{"root":0,"nodes":null}`, "list of objects"},
		{"empty nodes", `{"root":0,"nodes":[]}`, "list of objects"},
		{"a node that is no object", node(`1`), "list of objects"},
		{"a null node", node(`null`), "of no kind"},
		{"a node of no kind", node(`{}`), "of no kind"},
		{"a node of two kinds", node(`{"literal":"null","number":"0000000000000000"}`), "none of literal"},
		{"unknown key in a node", node(`{"object":[],"x":1}`), "none of object"},
		{"length on an object", node(`{"object":[],"length":0}`), "none of object"},
		{"root beyond", `{"root":1,"nodes":[{"literal":"null"}]}`, "from 0 to 0"},
		{"root negative", `{"root":-1,"nodes":[{"literal":"null"}]}`, "whole number"},
		{"root a fraction", `{"root":0.0,"nodes":[{"literal":"null"}]}`, "whole number"},
		{"root a string", `{"root":"0","nodes":[{"literal":"null"}]}`, "whole number"},
		{"unreached", `{"root":0,"nodes":[{"literal":"null"},{"literal":"null"}]}`, "node 1 is reached by nothing"},
		{"the first unreached", `{"root":1,"nodes":[{"literal":"null"},{"literal":"null"}]}`, "node 0 is reached by nothing"},
		{"as long as may be", strings.Repeat(" ", reference.MaxText), "syntax"},
		{"longer than may be", strings.Repeat(" ", reference.MaxText+1), "longer than"},
		{"literal unknown", node(`{"literal":"NaN"}`), "null, true, false"},
		{"literal null", node(`{"literal":null}`), "not a string"},
		{"number short", node(`{"number":"000000000000000"}`), "16 lower-case"},
		{"number long", node(`{"number":"00000000000000000"}`), "16 lower-case"},
		{"number in upper case", node(`{"number":"3FF0000000000000"}`), "16 lower-case"},
		{"number as a number", node(`{"number":1}`), "not a string"},
		{"string of three digits", node(`{"string":"006"}`), "four lower-case"},
		{"string of other digits", node(`{"string":"00 g"}`), "four lower-case"},
		{"string in upper case", node(`{"string":"00AB"}`), "four lower-case"},
		{"host unknown", node(`{"host":"window"}`), "undefined, bigint"},
		{"object of no list", node(`{"object":{}}`), "list of lists"},
		{"object null", node(`{"object":null}`), "list of lists"},
		{"entry of one", node(`{"object":[["0061"]]}`), "two or three"},
		{"entry of four", node(`{"object":[["0061",0,"hidden",0]]}`), "two or three"},
		{"entry with an index beyond", node(`{"object":[["0061",1]]}`), "from 0 to 0"},
		{"flag unknown", node(`{"object":[["0061",0,"static"]]}`), "hidden, getter"},
		{"proto unknown", node(`{"object":[],"proto":"array"}`), "object, null, instance"},
		{"name twice", node(`{"object":[["0061",0],["0061",0]]}`), "same name twice"},
		{"extra name twice", node(`{"array":[],"extra":[["0061",0],["0061",0]]}`), "same name twice"},
		{"array of no list", node(`{"array":0}`), "list of lists"},
		{"array proto unknown", node(`{"array":[],"proto":"instance"}`), "array, null, object, foreign"},
		{"index twice", node(`{"array":[[0,0],[0,0]]}`), "do not ascend"},
		{"index descending", node(`{"array":[[1,0],[0,0]]}`), "do not ascend"},
		{"index too great", node(`{"array":[[4294967295,0]]}`), "4294967294"},
		{"index as a string", node(`{"array":[["0",0]]}`), "whole number"},
		{"symbol as an element", node(`{"array":[[0,0,"symbol"]]}`), "hidden, getter, setter"},
		{"length too small", node(`{"array":[[1,0]],"length":1}`), "beyond the last index"},
		{"length too great", node(`{"array":[],"length":4294967296}`), "4294967295"},
		{"length null", node(`{"array":[],"length":null}`), "whole number"},
		{"extra is an index", node(`{"array":[],"extra":[["0030",0]]}`), "cannot have"},
		{"extra is the greatest index", node(`{"array":[],"extra":[["0034003200390034003900360037003200390034",0]]}`), "cannot have"},
		{"extra is length", node(`{"array":[],"extra":[["006c0065006e006700740068",0]]}`), "cannot have"},
		{"extra null", node(`{"array":[],"extra":null}`), "list of lists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := reference.Parse([]byte(c.text))
			if err == nil || g != nil {
				t.Fatal("taken")
			}
			if !strings.HasPrefix(err.Error(), "reference: a malformed value graph: ") || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("got %v, want %q", err, c.problem)
			}
		})
	}
	if testing.Short() {
		return // what follows is large
	}
	var full strings.Builder
	full.WriteString(`{"root":0,"nodes":[{"array":[`)
	for i := 1; i < reference.MaxNodes; i++ {
		if i > 1 {
			full.WriteByte(',')
		}
		fmt.Fprintf(&full, `[%d,%d]`, i-1, i)
	}
	full.WriteString(`]}` + strings.Repeat(`,{"literal":"null"}`, reference.MaxNodes-1) + `]}`)
	if _, err := reference.Parse([]byte(full.String())); err != nil {
		t.Errorf("as many nodes as may be: %v", err)
	}
	many := `{"root":0,"nodes":[{"literal":"null"}` + strings.Repeat(`,{"literal":"null"}`, reference.MaxNodes) + `]}`
	if _, err := reference.Parse([]byte(many)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("more nodes than MaxNodes: %v", err)
	}
}

// TestSchema: every graph of the vectors follows the schema, and a few that
// are malformed do not.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("graph.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text []byte) bool {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v) == nil
	}
	for _, v := range graphs(t) {
		if !valid(v.Input) {
			t.Errorf("%s does not follow the schema", v.ID)
		}
	}
	for _, text := range []string{
		`{"root":0}`, `{"root":0,"nodes":[]}`, `{"root":0,"nodes":[{}]}`, `{"root":0,"nodes":[{"literal":"x"}]}`,
		`{"root":0,"nodes":[{"number":"0"}]}`, `{"root":0,"nodes":[{"host":"window"}]}`, `{"root":0,"nodes":[{"object":[["0061"]]}]}`,
		`{"root":0,"nodes":[{"array":[[0,0,"symbol"]]}]}`, `{"root":0,"nodes":[{"array":[]},{"x":1}]}`,
	} {
		if valid([]byte(text)) {
			t.Errorf("%s follows the schema", text)
		}
	}
	for _, host := range reference.Hosts() {
		if !valid([]byte(`{"root":0,"nodes":[{"host":"` + host + `"}]}`)) {
			t.Errorf("the schema has no host %s", host)
		}
	}
}

// TestDeepGraphs: the judge's pointers stay short however deep a graph is.
func TestDeepGraphs(t *testing.T) {
	var b strings.Builder
	n := 60_000
	if testing.Short() {
		n = 3000
	}
	b.WriteString(`{"root":0,"nodes":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"array":[[0,%d]]},`, i+1)
	}
	b.WriteString(`{"number":"8000000000000000"}]}`)
	got := reference.Judge(parse(t, []byte(b.String())))
	if !got.Rejects() || got.Depth != n || len(got.Reasons()) != 2 || got.Canonical != nil {
		t.Errorf("depth %d, reasons %v", got.Depth, got.Reasons())
	}
	for _, f := range got.Faults {
		if len(f.Pointer) > 2*reference.MaxDepth {
			t.Fatalf("a pointer of %d bytes", len(f.Pointer))
		}
	}
	if first := got.Faults[0]; first.Reason != reject.LimitDepth || !first.Open || first.Pointer != strings.Repeat("/0", reference.MaxDepth) {
		t.Errorf("the first fault is %v", first.Reason)
	}
}

type named string

// TestFromGo: each kind of Go value, judged.
func TestFromGo(t *testing.T) {
	shared, nested := map[string]any{}, []any{1.5}
	cycle := []any{nil}
	cycle[0] = map[string]any{"a": cycle}
	array := make([]any, 4)
	open := make([]any, 3)
	open[0] = open[1:2]
	for name, c := range map[string]struct {
		value     any
		canonical string
		reasons   string
	}{
		"null":               {nil, `null`, ""},
		"true":               {true, `true`, ""},
		"false":              {false, `false`, ""},
		"float":              {1e21, `1e+21`, ""},
		"negative zero":      {math.Copysign(0, -1), "", "[negative_zero]"},
		"NaN":                {math.NaN(), "", "[non_finite_number]"},
		"string":             {"€😀\x00", "\"€😀\\u0000\"", ""},
		"faulty":             {"\xff", "", "[invalid_utf8]"},
		"faulty name":        {map[string]any{"\xff": 1}, "", "[invalid_utf8]"},
		"integers":           {[]any{1, int8(2), int16(3), int32(4), int64(5), uint(6), uint8(7), uint16(8), uint32(9), uint64(10)}, `[1,2,3,4,5,6,7,8,9,10]`, ""},
		"greatest":           {[]any{int64(1<<53 - 1), int64(-1<<53 + 1)}, `[9007199254740991,-9007199254740991]`, ""},
		"beyond":             {int64(1 << 53), "", "[inexact_number]"},
		"beyond, negative":   {int64(-1 << 53), "", "[inexact_number]"},
		"decimal":            {json.Number("1.50e1"), `15`, ""},
		"decimal inexact":    {json.Number("9007199254740993"), "", "[inexact_number]"},
		"decimal underflow":  {json.Number("1e-999"), "", "[inexact_number]"},
		"decimal overflow":   {json.Number("1e999"), "", "[number_overflow]"},
		"decimal minus zero": {json.Number("-0e1"), "", "[negative_zero]"},
		"no decimal":         {json.Number("1 "), "", "[syntax]"},
		"empty decimal":      {json.Number(""), "", "[syntax]"},
		"word":               {json.Number("true"), "", "[syntax]"},
		"two":                {json.Number("1,2"), "", "[syntax]"},
		"map":                {map[string]any{"b": 1, "a": nested}, `{"a":[1.5],"b":1}`, ""},
		"nil map":            {map[string]any(nil), "", "[typed_nil]"},
		"nil slice":          {[]any(nil), "", "[typed_nil]"},
		"nil pointer":        {(*big.Int)(nil), "", "[typed_nil]"},
		"foreign":            {[]any{named("a"), struct{}{}, []string{}, new(int)}, "", "[unsupported_type]"},
		"alias":              {[]any{shared, shared}, "", "[repeated_reference]"},
		"alias of slices":    {[]any{nested, nested}, "", "[repeated_reference]"},
		"overlap":            {[]any{array[0:2], array[1:3]}, "", "[repeated_reference]"},
		"overlap, reversed":  {[]any{array[1:3], array[0:2]}, "", "[repeated_reference]"},
		"adjacent":           {[]any{array[0:2], array[2:4]}, `[[null,null],[null,null]]`, ""},
		"adjacent, reversed": {[]any{array[2:4], array[0:2]}, `[[null,null],[null,null]]`, ""},
		"empty windows":      {[]any{array[0:2], array[1:1], array[1:1]}, `[[null,null],[],[]]`, ""},
		"cycle":              {cycle, "", "[cycle]"},
		"cycle by a window":  {open, "", "[cycle]"},
	} {
		t.Run(name, func(t *testing.T) {
			got := reference.Judge(reference.FromGo(c.value))
			reasons := fmt.Sprint(got.Reasons())
			if string(got.Canonical) != c.canonical || reasons != c.reasons && !(c.reasons == "" && got.Accepts()) {
				t.Errorf("got %q, %s; want %q, %s", got.Canonical, reasons, c.canonical, c.reasons)
			}
		})
	}
}

// TestToGo: the Go value of a graph, mapped back, is judged as the graph was;
// and Go has no value for graphs with what it cannot express.
func TestToGo(t *testing.T) {
	built := 0
	for _, v := range graphs(t) {
		g := parse(t, v.Input)
		value, err := reference.ToGo(g)
		if err != nil {
			if !errors.Is(err, reference.ErrInexpressible) || value != nil {
				t.Errorf("%s: %v", v.ID, err)
			}
			continue
		}
		built++
		want, got := reference.Judge(g), reference.Judge(reference.FromGo(value))
		if want.Rejects() != got.Rejects() || !bytes.Equal(want.Canonical, got.Canonical) {
			t.Errorf("%s: in Go %v %q, as a graph %v %q", v.ID, got.Reasons(), got.Canonical, want.Reasons(), want.Canonical)
		}
	}
	if built < 40 {
		t.Errorf("only %d have a Go value", built)
	}
	for name, text := range map[string]string{
		"hole":              `{"root":0,"nodes":[{"array":[],"length":1}]}`,
		"extra":             `{"root":0,"nodes":[{"array":[],"extra":[["0061",0]]}]}`,
		"array prototype":   `{"root":0,"nodes":[{"array":[],"proto":"null"}]}`,
		"instance":          `{"root":0,"nodes":[{"object":[],"proto":"instance"}]}`,
		"hidden":            `{"root":0,"nodes":[{"object":[["0061",0,"hidden"]]}]}`,
		"getter":            `{"root":0,"nodes":[{"array":[[0,0,"getter"]]}]}`,
		"host":              `{"root":0,"nodes":[{"host":"date"}]}`,
		"host inside":       `{"root":0,"nodes":[{"array":[[0,1]]},{"host":"date"}]}`,
		"host in a record":  `{"root":0,"nodes":[{"object":[["0061",1]]},{"host":"date"}]}`,
		"empty array twice": `{"root":0,"nodes":[{"array":[[0,1],[1,1]]},{"array":[]}]}`,
	} {
		if _, err := reference.ToGo(parse(t, []byte(text))); !errors.Is(err, reference.ErrInexpressible) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestToGoKeepsIdentity: a container used twice is one, and so is a cycle.
func TestToGoKeepsIdentity(t *testing.T) {
	for text, want := range map[string]reject.Reason{
		`{"root":0,"nodes":[{"array":[[0,1],[1,1]]},{"object":[]}]}`:                                   reject.RepeatedReference,
		`{"root":0,"nodes":[{"array":[[0,1],[1,1]]},{"array":[[0,2]]},{"number":"0000000000000000"}]}`: reject.RepeatedReference,
		`{"root":0,"nodes":[{"array":[[0,0]]}]}`:                                                       reject.Cycle,
		`{"root":0,"nodes":[{"object":[["0061",0]]}]}`:                                                 reject.Cycle,
	} {
		value, err := reference.ToGo(parse(t, []byte(text)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := reference.Judge(reference.FromGo(value)).Reasons(); !slices.Equal(got, []reject.Reason{want}) {
			t.Errorf("%s: in Go %v, want %v", text, got, want)
		}
	}
}

// TestLoneSurrogates: every unit at the edges of the surrogates, alone and in
// pairs; only a high one before a low one is a character.
func TestLoneSurrogates(t *testing.T) {
	edges := []uint16{0xD7FF, 0xD800, 0xD801, 0xDBFE, 0xDBFF, 0xDC00, 0xDC01, 0xDFFE, 0xDFFF, 0xE000}
	surrogate := func(u uint16) bool { return u >= 0xD800 && u < 0xE000 }
	judged := func(units ...uint16) bool {
		return reference.Judge(&reference.Graph{Nodes: []reference.Node{{Kind: reference.String, Units: units}}}).Rejects()
	}
	for _, a := range edges {
		if judged(a) != surrogate(a) {
			t.Errorf("%x: refused %v", a, judged(a))
		}
		for _, b := range edges {
			pair := a >= 0xD800 && a < 0xDC00 && b >= 0xDC00 && b < 0xE000
			want := !pair && (surrogate(a) || surrogate(b))
			if judged(a, b) != want || judged('x', a, b, 'x') != want {
				t.Errorf("%x %x: refused %v, want %v", a, b, judged(a, b), want)
			}
		}
	}
}

// TestLoneUnitsStayDifferent: no two lists of units become one Go string.
func TestLoneUnitsStayDifferent(t *testing.T) {
	seen := map[string]string{}
	units := []string{"", "0061", "d7ff", "d800", "d801", "d840", "dbff", "dc00", "dfff", "e000", "ffff", "0080", "0800"}
	for _, a := range units {
		for _, b := range units {
			text := a + b
			v, err := reference.ToGo(parse(t, []byte(`{"root":0,"nodes":[{"string":"`+text+`"}]}`)))
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := seen[v.(string)]; ok && other != text {
				t.Errorf("%s and %s are both %+q", other, text, v)
			}
			seen[v.(string)] = text
			judged := reference.Judge(parse(t, []byte(`{"root":0,"nodes":[{"string":"`+text+`"}]}`)))
			if utf8.ValidString(v.(string)) != judged.Accepts() {
				t.Errorf("%s: in Go %+q, as a graph %v", text, v, judged.Reasons())
			}
		}
	}
}

// TestTheJudgeKnowsItsNodes: nodes that exist in process only.
func TestTheJudgeKnowsItsNodes(t *testing.T) {
	array := func(proto string) *reference.Graph {
		return &reference.Graph{Nodes: []reference.Node{{Kind: reference.Array, Proto: proto}}}
	}
	if got := reference.Judge(array(reference.ProtoInstance)); !got.Rejects() || got.Reasons()[0] != reject.NonPlainArray {
		t.Errorf("an instance of a subclass: %v", got.Reasons())
	}
	if got := reference.Judge(array(reference.ProtoForeign)); got.Rejects() || got.Accepts() {
		t.Errorf("a foreign array: %v", got.Reasons())
	}
	host := func(brand string) *reference.Graph {
		return &reference.Graph{Root: 1, Nodes: []reference.Node{
			{Kind: reference.Host, Text: brand},
			{Kind: reference.Array, Proto: reference.ProtoArray, Length: 2, Elements: []reference.Element{{Index: 0}, {Index: 1}}},
		}}
	}
	for brand, want := range map[string]string{
		"date": "[repeated_reference host_object]", "symbol": "[unsupported_type]", "undefined": "[unsupported_type]",
		"bigint": "[unsupported_type]", "function": "[repeated_reference unsupported_type]", "of its own name": "[repeated_reference host_object]",
	} {
		if got := fmt.Sprint(reference.Judge(host(brand)).Reasons()); got != want {
			t.Errorf("%s twice: %s, want %s", brand, got, want)
		}
	}
}
