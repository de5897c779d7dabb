package vectors_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	generated, err := vectors.Export(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(generated) != 3 {
		t.Fatalf("%d generated files", len(generated))
	}
	for _, file := range generated {
		have, err := os.ReadFile(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, file.Text) {
			t.Errorf("%s is stale: run make vectors", file.Name)
		}
	}
}

func TestDigestIsOfTheManifest(t *testing.T) {
	manifest, err := os.ReadFile("MANIFEST.sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(manifest)
	if got := vectors.Digest(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("Digest() = %s", got)
	}
	for line := range strings.Lines(string(manifest)) {
		digest, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		text, err := os.ReadFile(name)
		if !ok || err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if sum := sha256.Sum256(text); digest != hex.EncodeToString(sum[:]) {
			t.Errorf("the manifest has another digest of %s", name)
		}
	}
}

func TestSourceFilesAreASCII(t *testing.T) {
	names, err := fs.Glob(os.DirFS("."), "topics/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "flags.json", "schema.json", "vectors.jsonl", "vectors.tsv") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.IndexFunc(text, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%s: not ASCII at offset %d", name, i)
		}
	}
}

func TestAllAndLookup(t *testing.T) {
	all := vectors.All()
	if len(all) < 100 {
		t.Fatalf("%d vectors", len(all))
	}
	for _, v := range all {
		got, ok := vectors.Lookup(v.ID)
		if !ok || got.ID != v.ID || !bytes.Equal(got.Input, v.Input) {
			t.Errorf("Lookup(%q) finds something else", v.ID)
		}
	}
	if _, ok := vectors.Lookup("no-such-vector"); ok {
		t.Error("Lookup finds what is not there")
	}
	first := all[0].ID
	all[0].ID = "changed"
	if vectors.All()[0].ID != first {
		t.Error("All gives a slice that callers share")
	}
}

func TestRight(t *testing.T) {
	out, also := []byte("1"), []byte("2")
	accept := vectors.Expectation{Verdict: vectors.Accept, Output: out, Also: [][]byte{also}}
	if !accept.Right(out) || !accept.Right(also) || accept.Right([]byte("3")) || accept.Right(nil) {
		t.Error("accept")
	}
	refuse := vectors.Expectation{Verdict: vectors.Reject}
	if refuse.Right(nil) || refuse.Right(out) {
		t.Error("a reject has no right output")
	}
}

// suite makes a file system of one topic with one vector.
func suite(vector string) fstest.MapFS {
	return fstest.MapFS{
		"flags.json":    {Data: []byte(`[]`)},
		"schema.json":   {Data: []byte(`{}`)},
		"topics/t.json": {Data: []byte(`{"topic":"t","about":"a","vectors":[` + vector + `]}`)},
	}
}

const rest = `,"title":"t","clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}`

func TestLoadCarriesOutGenerators(t *testing.T) {
	for _, test := range []struct{ bytes, want string }{
		{`"5b5d"`, `[]`},
		{`{"generator":"repeat","times":3,"of":"61"}`, `aaa`},
		{`{"generator":"concat","parts":["5b",{"generator":"repeat","times":2,"of":"312c"},"315d"]}`, `[1,1,1]`},
		{`{"generator":"members","from":9,"to":11,"width":2,"prefix":"6b","value":"30"}`, `"k09":0,"k10":0,"k11":0`},
		{`{"generator":"members","from":2,"to":1,"width":1,"prefix":"","value":"5b5d"}`, `"2":[],"1":[]`},
	} {
		all, _, err := vectors.Load(suite(`{"id":"a","input":` + test.bytes + `,"output":"30","expect":{"all":{"verdict":"accept"}}` + rest))
		if err != nil {
			t.Errorf("%s: %v", test.bytes, err)
			continue
		}
		if got := string(all[0].Input); got != test.want {
			t.Errorf("%s gives %q, want %q", test.bytes, got, test.want)
		}
	}
}

func TestLoadSpellsOutEveryProfile(t *testing.T) {
	all, _, err := vectors.Load(suite(`{"id":"a","input":"2d30","output":"30","expect":{` +
		`"all":{"verdict":"either","reasons":["negative_zero"],"offset":0},"rfc0016":{"verdict":"reject","reasons":["negative_zero"]}}` + rest))
	if err != nil {
		t.Fatal(err)
	}
	e := all[0].Expect
	if e[reject.RFC8785].Verdict != vectors.Either || e[reject.IJSON].Verdict != vectors.Either ||
		e[reject.RFC8785].Offset != 0 || string(e[reject.IJSON].Output) != "0" {
		t.Errorf("all: %+v", e)
	}
	if one := e[reject.RFC0016]; one.Verdict != vectors.Reject || one.Output != nil || one.Offset != -1 ||
		!slices.Equal(one.Reasons, []reject.Reason{reject.NegativeZero}) {
		t.Errorf("rfc0016: %+v", one)
	}
}

func TestLoadRefuses(t *testing.T) {
	const accept = `"output":"30","expect":{"all":{"verdict":"accept"}}` + rest
	for _, test := range []struct{ name, vector string }{
		{"an unknown field", `{"id":"a","colour":"red","input":"30",` + accept},
		{"upper-case hex", `{"id":"a","input":"5B",` + accept},
		{"odd hex", `{"id":"a","input":"5",` + accept},
		{"an unknown generator", `{"id":"a","input":{"generator":"magic"},` + accept},
		{"an unknown parameter", `{"id":"a","input":{"generator":"repeat","times":1,"of":"30","by":2},` + accept},
		{"a generator without end", `{"id":"a","input":{"generator":"repeat","times":2000000,"of":"30"},` + accept},
		{"members without end", `{"id":"a","input":{"generator":"members","from":0,"to":9000000000,"width":1,"prefix":"","value":"30"},` + accept},
		{"generators too deep", `{"id":"a","input":` + strings.Repeat(`{"generator":"repeat","times":1,"of":`, 9) + `"30"` + strings.Repeat(`}`, 9) + `,` + accept},
		{"no id", `{"id":"","input":"30",` + accept},
		{"the same id twice", `{"id":"a","input":"30",` + accept + `,{"id":"a","input":"31",` + accept},
		{"an unknown op", `{"id":"a","op":"sing","input":"30",` + accept},
		{"another op under all profiles", `{"id":"a","op":"graph","input":"30",` + accept},
		{"an unknown profile", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"},"rfc1":{"verdict":"accept"}}` + rest},
		{"an unknown verdict", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"maybe"}}` + rest},
		{"an unknown reason", `{"id":"a","input":"30","expect":{"all":{"verdict":"reject","reasons":["taste"]}}` + rest},
		{"a reject without reason", `{"id":"a","input":"30","expect":{"all":{"verdict":"reject"}}` + rest},
		{"an accept with a reason", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept","reasons":["syntax"]}}` + rest},
		{"an accept without output", `{"id":"a","input":"30","expect":{"all":{"verdict":"accept"}}` + rest},
		{"an output of a reject", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"reject","reasons":["syntax"]}}` + rest},
		{"a missing profile", `{"id":"a","input":"30","output":"30","expect":{"rfc8785":{"verdict":"accept"}}` + rest},
		{"an unknown status", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"}},"title":"t","clauses":["c"],"source":"s","since":"1","status":"new"}`},
		{"no clause", `{"id":"a","input":"30","output":"30","expect":{"all":{"verdict":"accept"}},"title":"t","clauses":[],"source":"s","since":"1","status":"stable"}`},
	} {
		if _, _, err := vectors.Load(suite(test.vector)); err == nil {
			t.Errorf("%s is taken", test.name)
		}
	}
	if _, _, err := vectors.Load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder is taken")
	}
}

// The lines of vectors.tsv alone are enough for a reader without JSON or generators.
func TestTabSeparatedIsSelfContained(t *testing.T) {
	text, err := os.ReadFile("vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:]
	for _, line := range lines {
		c := strings.Split(line, "\t")
		v, ok := vectors.Lookup(c[0])
		if len(c) != 7 || !ok {
			t.Fatalf("%q", line)
		}
		input, err := hex.DecodeString(strings.TrimPrefix(c[5], "-"))
		if err != nil || !bytes.Equal(input, v.Input) {
			t.Errorf("%s: another input", v.ID)
		}
		for i, p := range reject.Profiles() {
			verdict, _, _ := strings.Cut(c[2+i], ":")
			e, judged := v.Expect[p]
			if !judged {
				e.Verdict = "-"
			}
			if verdict != e.Verdict {
				t.Errorf("%s: %s has %s", v.ID, p, verdict)
			}
			if verdict == vectors.Accept || verdict == vectors.Either {
				first, _, _ := strings.Cut(c[6], ",")
				if first != hex.EncodeToString(e.Output) {
					t.Errorf("%s: another output", v.ID)
				}
			}
		}
	}
}

func TestJSONLinesHaveEveryVector(t *testing.T) {
	text, err := os.ReadFile("vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	d, n := json.NewDecoder(bytes.NewReader(text)), 0
	for d.More() {
		var line struct{ ID, Input string }
		if err := d.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if v, ok := vectors.Lookup(line.ID); !ok || hex.EncodeToString(v.Input) != line.Input {
			t.Errorf("line %d: %s", n+1, line.ID)
		}
		n++
	}
	if n != len(vectors.All()) {
		t.Errorf("%d lines", n)
	}
}
