package peer

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sourceOf gives the tokens of a foreign package's files, tests and comments
// left out.
func sourceOf(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pkg, err)
	}
	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no files: %v", pkg, err)
	}
	var tokens []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		var s scanner.Scanner
		s.Init(files.AddFile(name, -1, len(src)), src, nil, 0)
		for {
			_, kind, text := s.Scan()
			if kind == token.EOF {
				break
			}
			if text == "" || text == "\n" {
				text = kind.String()
			}
			tokens = append(tokens, text)
		}
	}
	return tokens
}

// runs gives the distinct runs of twenty tokens.
func runs(tokens []string) map[string]bool {
	const length = 20
	set := map[string]bool{}
	for i := 0; i+length <= len(tokens); i++ {
		set[strings.Join(tokens[i:i+length], " ")] = true
	}
	return set
}

func common(a, b map[string]bool) (n int) {
	for run := range a {
		if b[run] {
			n++
		}
	}
	return n
}

// TestLineage shows how one knows who derives from whom: two texts of one
// origin share long runs of tokens, and others share none. Runs of twenty
// tokens, with the authors' own names in them, do not agree by chance.
func TestLineage(t *testing.T) {
	sources := map[string]map[string]bool{}
	for name, pkg := range map[string]string{
		"cyberphone": "github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer",
		"gowebpki":   "github.com/gowebpki/jcs",
		"jsontext":   "github.com/go-json-experiment/json/jsontext",
		"goja":       "github.com/dop251/goja",
		"canon":      ourModule + "/canon",
		"reference":  ourModule + "/canon/reference",
	} {
		sources[name] = runs(sourceOf(t, pkg))
	}
	for _, a := range product() {
		for _, b := range product() {
			if a.Name >= b.Name {
				continue
			}
			shared := common(sources[a.Name], sources[b.Name])
			if a.Lineage == b.Lineage && shared < 100 {
				t.Errorf("%s and %s stand as one lineage and share %d runs of tokens", a.Name, b.Name, shared)
			}
			if a.Lineage != b.Lineage && shared > 30 {
				t.Errorf("%s and %s stand as two lineages and share %d runs of tokens", a.Name, b.Name, shared)
			}
			t.Log(a.Name, b.Name, shared)
		}
	}
}
