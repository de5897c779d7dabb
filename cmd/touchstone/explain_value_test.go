package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExplainValues: the verdict, the clause and the bytes for scripts and
// graphs, and a usage error where there is no value.
func TestExplainValues(t *testing.T) {
	graph := filepath.Join(t.TempDir(), "graph.json")
	if err := os.WriteFile(graph, []byte(`{"root":0,"nodes":[{"array":[[1,1]]},{"literal":"true"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"--js", `({b:1,a:2})`}, exitConforms, []string{"rfc0016    accept", `{"a":2,"b":1}`}},
		{[]string{"--js", `new Date(0)`}, exitConforms, []string{"reject", "host_object", "rfc0016/domain/hosts"}},
		{[]string{"--js", `Object.setPrototypeOf([1],null)`}, exitConforms, []string{"either", "non_plain_array", "[1]"}},
		{[]string{"--js", `nothing`}, exitUsage, []string{"no value to judge"}},
		{[]string{"--graph", graph}, exitConforms, []string{"reject", "sparse_array", "rfc0016/domain/dense"}},
		{[]string{"--graph", graph + ".missing"}, exitUsage, nil},
		{[]string{"--graph", graph, "--js", "1"}, exitUsage, []string{"one of"}},
		{[]string{"--js", "1", "file"}, exitUsage, []string{"one of"}},
	} {
		var out, errOut strings.Builder
		status := run(context.Background(), append([]string{"explain"}, c.args...), strings.NewReader(""), &out, &errOut)
		if status != c.status {
			t.Errorf("%v: status %d: %s", c.args, status, errOut.String())
		}
		for _, want := range c.want {
			if !strings.Contains(out.String()+errOut.String(), want) {
				t.Errorf("%v: no %q in %s%s", c.args, want, out.String(), errOut.String())
			}
		}
	}
}
