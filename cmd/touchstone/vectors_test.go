package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// vectorsVerb runs the command line and gives status, output and errors.
func vectorsVerb(t *testing.T, args ...string) (int, string, string) {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run(t.Context(), append([]string{"vectors"}, args...), strings.NewReader(""), &out, &errOut)
	return status, out.String(), errOut.String()
}

func TestVectorsListSelects(t *testing.T) {
	status, out, _ := vectorsVerb(t, "list", "--topic", "strings-surrogates", "--clause", "rfc8785/3.2.2.2/lone", "--flag", "surrogate-pairing")
	if status != exitConforms || !strings.Contains(out, "lone-reversed\treject\t") || strings.Contains(out, "lone-high\t") {
		t.Errorf("status %d: %s", status, out)
	}
	if _, all, _ := vectorsVerb(t, "list"); !strings.Contains(all, "appendix-b-minus-zero\teither,either,reject\t") {
		t.Error("a vector on which the profiles differ is not listed")
	}
}

func TestVectorsShow(t *testing.T) {
	status, out, _ := vectorsVerb(t, "show", "neighbours-halfway-one-above-20", "lone-reversed")
	for _, want := range []string{
		`  output  "[9007199254740994]"`, `     or "[9007199254740992]"`, "  rfc8785 accept\n",
		"lone_surrogate, at offset 2", "clause  rfc8785/3.2.2.2/lone-surrogate:", "(collision)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if status != exitConforms {
		t.Errorf("status %d", status)
	}
}

func TestVectorsExportWritesTheCommittedFiles(t *testing.T) {
	for _, args := range [][]string{nil, {"--from", "../../vectors"}} {
		dir := filepath.Join(t.TempDir(), "new")
		if status, _, errOut := vectorsVerb(t, append([]string{"export", dir}, args...)...); status != exitConforms {
			t.Fatal(status, errOut)
		}
		for _, name := range []string{"vectors.tsv", "vectors.jsonl", "MANIFEST.sha256"} {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("../../vectors", name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs from the committed file", name)
			}
		}
	}
}

func TestVectorsBadUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "name one of"},
		{[]string{"sing"}, "unknown command"},
		{[]string{"list", "--topic", "none"}, "no vector is selected"},
		{[]string{"show"}, "requires at least 1 arg"},
		{[]string{"show", "nothing"}, `there is no vector "nothing"`},
		{[]string{"export", "--from", "no-such-folder"}, "no topics"},
		{[]string{"export", "--from"}, "flag needs an argument"},
		{[]string{"lint", "--from", "no-such-folder"}, "no topics"},
	} {
		status, _, errOut := vectorsVerb(t, test.args...)
		if status != exitUsage || !strings.Contains(errOut, test.want) {
			t.Errorf("vectors %v: status %d, %s", test.args, status, errOut)
		}
	}
}

// A folder with a fault is told about, and the status is that of findings.
func TestVectorsLintFindsAFault(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "topics"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"flags.json": `[]`, "schema.json": `{}`,
		"topics/t.json": `{"topic":"t","about":"a","vectors":[{"id":"a","title":"t","input":"2030","output":"2030","expect":{"all":{"verdict":"accept"}},` +
			`"clauses":["rfc8259/2/one-value"],"source":"s","since":"0.1.0","status":"stable"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status, out, errOut := vectorsVerb(t, "lint", "--from", dir)
	if status != exitFindings || !strings.Contains(out, `a: output: rfc8785: " 0" does not give itself`) || !strings.Contains(errOut, "problems in the vectors") {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
}
