package vectorlint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/vectorlint"
)

const suite = "../../vectors"

func peers(p reject.Profile) []vectorlint.Engine {
	var engines []vectorlint.Engine
	for _, one := range peer.All() {
		engines = append(engines, one.Open(peer.Options{Profile: p}))
	}
	return engines
}

func TestSuiteIsClean(t *testing.T) {
	problems, err := vectorlint.Lint(t.Context(), os.DirFS(suite), peers)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

func TestSuiteFollowsItsSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	schema, err := c.Compile(filepath.Join(suite, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(suite, "topics", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !jsontext.Value(text).IsValid() {
			t.Errorf("%s: not JSON, or a name stands twice", name)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The schema's list of reasons is the closed list.
func TestSchemaKnowsEveryReason(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(suite, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs struct {
			Reason struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range reject.Reasons() {
		want = append(want, r.String())
	}
	if got := schema.Defs.Reason.Enum; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the schema has %v, the closed list %v", got, want)
	}
}

// planted gives two topics of the suite, with old replaced by new in one file.
func planted(t *testing.T, file, old, new string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"flags.json", "schema.json", "topics/structure-values.json", "topics/numbers-appendix-b.json"} {
		text, err := os.ReadFile(filepath.Join(suite, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if file == "vectors.tsv" {
		files[file] = &fstest.MapFile{Data: []byte("id")}
	}
	changed := strings.Replace(string(files[file].Data), old, new, 1)
	if old != new && changed == string(files[file].Data) {
		t.Fatalf("%s does not have %s", file, old)
	}
	files[file].Data = []byte(changed)
	return files
}

func linesOf(t *testing.T, files fs.FS) string {
	t.Helper()
	problems, err := vectorlint.Lint(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.String() + "\n")
	}
	return b.String()
}

// Each rule finds a fault of its kind.
func TestRules(t *testing.T) {
	const values = "topics/structure-values.json"
	clean := linesOf(t, planted(t, values, "", ""))
	for _, test := range []struct{ name, file, old, new, want string }{
		{"a name twice", values, `"about":`, `"about": "", "about":`, "structure-values.json: text: the file itself is refused"},
		{"a raw letter", values, `"an empty object at`, `"an émpty object at`, "structure-values.json: text: not ASCII"},
		{"an escaped letter", values, `"an empty object at`, `"an \u00e9mpty object at`, "structure-empty-object: text: title"},
		{"a word twice", values, `"rfc8259/2/one-value"`, `"rfc8259/2/one-value", "rfc8259/2/one-value"`, "structure-empty-object: text: \"rfc8259/2/one-value\" stands twice"},
		{"an id with an underscore", values, `"structure-zero"`, `"structure_zero"`, "structure_zero: text: an id"},
		{"an unknown clause", values, `"rfc8259/2/one-value"`, `"rfc8259/2/two-values"`, `no requirement "rfc8259/2/two-values"`},
		{"an unknown flag", values, `"white-space"`, `"blank"`, `flags.json has no flag "blank"`},
		{"an unused flag", "flags.json", `"name": "semantic-type"`, `"name": "other"`, "other: flag: no vector carries it"},
		{"an unknown effect", "flags.json", `"effect": "split"`, `"effect": "rupture"`, `"rupture" is not an effect`},
		{"an input twice", values, `"input": "5b5d"`, `"input": "7b7d"`, "structure-empty-array: input: structure-empty-object has the same input"},
		{"another verdict", values, `"verdict": "reject"`, `"verdict": "either"`, "rfc0016: either here, reject by oracle/verdict"},
		{"another reason", values, `"negative_zero"`, `"syntax"`, "reasons [syntax] here, [negative_zero] by oracle/verdict"},
		{"another offset", values, `"offset": 0`, `"offset": 1`, "offset 1 here, 0 by oracle/verdict"},
		{"another output", values, `"output": "7b7d"`, `"output": "5b5d"`, "structure-empty-object: verdict: rfc8785: output"},
		{"an output that is not canonical", values, `"output": "7b7d"`, `"output": "7b207d"`, "structure-empty-object: output: rfc8785"},
		{"an output that is refused", values, `"output": "7b7d"`, `"output": "7b"`, "structure-empty-object: output: rfc8785"},
		{"a wrong neighbour", values, `"output": "7b7d"`, `"output": "7b7d", "also": ["5b5d"]`, `the output "[]" is not right`},
		{"a dangling relation", values, `"with": "structure-empty-object"`, `"with": "structure-nothing"`, `relation: there is no vector "structure-nothing"`},
		{"a relation to itself", values, `"with": "structure-empty-object"`, `"with": "structure-null-member"`, "relation: structure-null-member is retired"},
		{"a relation that does not hold", values, `"kind": "different-output"`, `"kind": "same-output"`, "structure-null-member: relation: same-output with structure-empty-object does not hold"},
		{"a relation twice", values, `"relations": [`, `"relations": [{"kind": "same-output", "with": "structure-zero"}, {"kind": "same-output", "with": "structure-zero"},`, "relation: the relation to structure-zero stands twice"},
		{"a stale file", "vectors.tsv", "id", "identity", "vectors.tsv: generated: it is stale"},
	} {
		got := linesOf(t, planted(t, test.file, test.old, test.new))
		if strings.Contains(clean, test.want) || !strings.Contains(got, test.want) {
			t.Errorf("%s is not found: %s", test.name, got)
		}
	}
}

// A fake answers every question in the same way.
type fake struct {
	info   result.Info
	answer result.Answer
}

func (f fake) Info() result.Info { return f.info }
func (f fake) Close() error      { return nil }
func (f fake) Ask(_ context.Context, questions []result.Question) []result.Answer {
	answers := make([]result.Answer, len(questions))
	for i := range answers {
		answers[i] = f.answer
	}
	return answers
}

// one is a suite of one vector; it leaves most requirements without a vector.
func one(vector string) fstest.MapFS {
	return fstest.MapFS{
		"flags.json":    {Data: []byte(`[]`)},
		"schema.json":   {Data: []byte(`{}`)},
		"topics/t.json": {Data: []byte(`{"topic":"t","about":"a","vectors":[` + vector + `]}`)},
	}
}

func confirmations(t *testing.T, files fs.FS, engines ...vectorlint.Engine) string {
	t.Helper()
	problems, err := vectorlint.Lint(t.Context(), files, func(reject.Profile) []vectorlint.Engine { return engines })
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range problems {
		if p.Rule == "confirm" {
			lines = append(lines, p.String())
		}
	}
	return strings.Join(lines, "\n")
}

func TestConfirmation(t *testing.T) {
	const rest = `,"title":"t","clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}`
	accept := one(`{"id":"a","input":"2030","output":"30","expect":{"all":{"verdict":"accept"}}` + rest)
	refuse := one(`{"id":"a","input":"20","expect":{"all":{"verdict":"reject","reasons":["syntax"]}}` + rest)
	either := one(`{"id":"a","input":"2d30","output":"30","expect":{"all":{"verdict":"either","reasons":["negative_zero"]},` +
		`"rfc0016":{"verdict":"reject","reasons":["negative_zero"]}}` + rest)

	ok := result.Answer{Kind: result.OK, Bytes: []byte("0")}
	other := result.Answer{Kind: result.OK, Bytes: []byte("1")}
	no := result.Answer{Kind: result.Rejected, Reason: "syntax"}
	minus := result.Answer{Kind: result.Rejected, Reason: "negative_zero"}
	crash := result.Answer{Kind: result.Crashed}
	engine := func(name string, ours bool, a result.Answer) vectorlint.Engine {
		return fake{result.Info{Name: name, Lineage: name, Ours: ours, Ops: []result.Op{result.OpCanon}}, a}
	}
	ours := func(a result.Answer) vectorlint.Engine { return engine("ours", true, a) }
	second := func(a result.Answer) vectorlint.Engine { return engine("second", true, a) }
	foreign := func(a result.Answer) vectorlint.Engine { return engine("foreign", false, a) }
	witness := func(a result.Answer) vectorlint.Engine { return engine("goja", false, a) }

	for _, test := range []struct {
		name    string
		files   fs.FS
		engines []vectorlint.Engine
		want    string // a part of the problems, "" for none
	}{
		{"all agree", accept, []vectorlint.Engine{ours(ok), second(ok), foreign(ok)}, ""},
		{"all refuse", refuse, []vectorlint.Engine{ours(no), second(no), foreign(no)}, ""},
		{"no engine", accept, nil, "no engine serves"},
		{"no foreign voice", accept, []vectorlint.Engine{ours(ok), second(ok), foreign(other)}, "no foreign lineage"},
		{"a foreign one accepts what is to be refused", refuse, []vectorlint.Engine{ours(no), second(no), foreign(ok)}, "no foreign lineage"},
		{"a crash is no refusal", refuse, []vectorlint.Engine{ours(no), second(no), foreign(crash)}, "no foreign lineage"},
		{"a witness departs", accept, []vectorlint.Engine{ours(ok), second(ok), foreign(ok), witness(other)}, "goja says ok"},
		{"a witness refuses", accept, []vectorlint.Engine{ours(ok), second(ok), foreign(ok), witness(no)}, "goja says reject"},
		{"a witness agrees", accept, []vectorlint.Engine{ours(ok), second(ok), witness(ok)}, ""},
		{"a witness accepts what others refuse", refuse, []vectorlint.Engine{ours(no), second(no), foreign(no), witness(ok)}, ""},
		{"no witness departs", accept, []vectorlint.Engine{ours(ok), second(ok), foreign(ok), engine("other", false, other)}, ""},
		{"ours departs", accept, []vectorlint.Engine{ours(other), second(ok), foreign(ok)}, "ours: ok"},
		{"ours refuses for another reason", refuse, []vectorlint.Engine{ours(minus), second(no), foreign(no)}, "refused for negative_zero"},
		{"ours crashes", refuse, []vectorlint.Engine{ours(crash), second(no), foreign(no)}, "crash"},
		{"one of ours alone", accept, []vectorlint.Engine{ours(ok), foreign(ok)}, "ijson: confirmed by [ours] alone"},
		{"the bytes of an either are not confirmed", either, []vectorlint.Engine{ours(minus), second(minus), foreign(minus)}, "no foreign lineage"},
		{"a refusal that rfc0016 owes", either, []vectorlint.Engine{ours(ok), second(ok), foreign(ok)}, "rfc0016, ours: ok"},
	} {
		got := confirmations(t, test.files, test.engines...)
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// Two vectors of one lineage, and lineages twice, count once.
func TestLineagesCountOnce(t *testing.T) {
	files := one(`{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"}},"title":"t","clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}`)
	ok := result.Answer{Kind: result.OK, Bytes: []byte("0")}
	twin := fake{result.Info{Name: "twin", Lineage: "same", Ours: true, Ops: []result.Op{result.OpCanon}}, ok}
	foreign := fake{result.Info{Name: "foreign", Lineage: "f", Ops: []result.Op{result.OpCanon}}, ok}
	if got := confirmations(t, files, twin, twin, foreign); !strings.Contains(got, "ijson: confirmed by [same] alone") {
		t.Errorf("%q", got)
	}
}

// Requirements that no vector names, and exceptions that cover nothing, are
// found: a suite of one vector has plenty of both.
func TestCoverageAndStaleExceptions(t *testing.T) {
	files := one(`{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"}},"title":"t","clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}`)
	problems, err := vectorlint.Lint(t.Context(), files, func(reject.Profile) []vectorlint.Engine { return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"rfc8259/2/one-value: coverage: no rejecting vector names it": false,
		"rfc8259/5/array: coverage: no accepting vector names it":     false,
		"foreign on bom-array: exception: no vector has such an id":   false,
	}
	for _, p := range problems {
		for line := range want {
			want[line] = want[line] || strings.HasPrefix(p.String(), line)
		}
	}
	for line, found := range want {
		if !found {
			t.Errorf("not found: %s", line)
		}
	}
}

func TestLintOfWhatCannotBeRead(t *testing.T) {
	if _, err := vectorlint.Lint(t.Context(), fstest.MapFS{}, nil); err == nil {
		t.Error("an empty folder is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := one(`{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"}},"title":"t","clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}`)
	if _, err := vectorlint.Lint(ctx, files, peers); err == nil {
		t.Error("a run that was stopped ends without an error")
	}
}
