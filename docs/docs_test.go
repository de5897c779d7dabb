// Package docs has the tests of the documentation: generated pages are
// current, links lead somewhere, and requirement ids exist.
package docs

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

var update = flag.Bool("update", false, "write the generated pages")

// requirementsPage renders the catalogue of canon/reject.
func requirementsPage() string {
	var b strings.Builder
	b.WriteString(`# Requirements

<!-- Generated from canon/reject by "go test ./docs -update". Do not edit. -->

Each is one normative clause in our own words; its id stands in vectors, findings and error texts. "Input that breaks it"
names the reasons for which a document is refused; where there is none, only an output can break the requirement.
`)
	source := ""
	for _, r := range reject.Requirements() {
		if r.Source != source {
			source = r.Source
			fmt.Fprintf(&b, "\n## %s\n\n| id | section | group | what is required | input that breaks it |\n| --- | --- | --- | --- | --- |\n", source)
		}
		var reasons []string
		for _, reason := range r.Reasons {
			reasons = append(reasons, "`"+reason.String()+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Section, r.Group, cell(r.Text), strings.Join(reasons, ", "))
	}
	b.WriteString(`
## Reasons

The closed list: no other word stands in a vector, in a report or on the line protocol.

| reason | meaning | what to do |
| --- | --- | --- |
`)
	for _, r := range reject.Reasons() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r, cell(r.Meaning()), cell(r.Advice()))
	}
	return b.String()
}

// cell escapes what would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func TestRequirementsPageIsCurrent(t *testing.T) {
	const page = "requirements.md"
	want := requirementsPage()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what canon/reject holds: run go test ./docs -update", page)
	}
}

// pages lists every Markdown file of the project.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch base := entry.Name(); {
			case base == "node_modules", base == "out", base != ".." && strings.HasPrefix(base, "."):
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".md") {
			text, err := os.ReadFile(name)
			all[name] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 5 {
		t.Fatalf("only %d pages", len(all))
	}
	return all
}

// TestEveryPageIsListed: docs/README.md has a row for each page beside it.
func TestEveryPageIsListed(t *testing.T) {
	for name := range pages(t) {
		if filepath.Dir(name) != "../docs" || filepath.Base(name) == "README.md" {
			continue
		}
		if index := pages(t)["../docs/README.md"]; !strings.Contains(index, "]("+filepath.Base(name)+")") {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}

var (
	link      = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)\s]*)?\)`)
	clause    = regexp.MustCompile("`((?:rfc[0-9]{4}|ecma262)/[A-Za-z0-9.]+/[a-z0-9-]+)`")
	codeBlock = regexp.MustCompile("(?s)```.*?```")
)

func TestLinksLeadSomewhere(t *testing.T) {
	for name, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			target := m[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, target)
			}
		}
	}
}

// TestReadmeShowsTheRealThing: the adapter of the README is the one that the
// examples test, and its error is the one that canon gives.
func TestReadmeShowsTheRealThing(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := os.ReadFile("../examples/python/naive.py")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(adapter), "import json")
	if !strings.Contains(string(page), "```python\nimport json"+code+"```") {
		t.Error("README.md does not show examples/python/naive.py")
	}
	_, err = canon.Canonicalize([]byte(`{"a":1,"\u0061":2}`))
	if err == nil || !strings.Contains(string(page), "\n"+err.Error()+"\n") {
		t.Errorf("README.md does not show the error %v", err)
	}
	out, err := canon.Canonicalize([]byte(`{"b":1e2,"a":"\u20ac"}`))
	if err != nil || !strings.Contains(string(page), "// "+string(out)+"\n") {
		t.Errorf("README.md does not show the result %s (%v)", out, err)
	}
}

func TestRequirementIDsExist(t *testing.T) {
	found := 0
	for name, text := range pages(t) {
		for _, m := range clause.FindAllStringSubmatch(text, -1) {
			found++
			if _, ok := reject.LookupRequirement(m[1]); !ok {
				t.Errorf("%s names %s, which is not in the catalogue", name, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no requirement id on any page")
	}
}
