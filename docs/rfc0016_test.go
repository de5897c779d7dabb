package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/vectors"
)

var (
	namedTest = regexp.MustCompile("`([a-z0-9/-]+)\\.((?:Test|Fuzz|Benchmark)\\w+)`")
	domainRow = regexp.MustCompile("(?m)^\\|[^|]+\\| `(rfc0016/[^`]+)` \\|([^|]+)\\|([^|]+)\\|$")
	quoted    = regexp.MustCompile("`([^`]+)`")
)

// TestRFC0016NamesWhatExists: every test and vector that the page names
// exists, and every rule of RFC-0016 in the catalogue has a row with both.
func TestRFC0016NamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("rfc-0016.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	named := namedTest.FindAllStringSubmatch(string(page), -1)
	if len(named) < 50 {
		t.Fatalf("only %d tests are read from the page", len(named))
	}
	for _, m := range named {
		if _, ok := known[m[1]]; !ok {
			known[m[1]] = testSource(t, m[1])
		}
		if !strings.Contains(known[m[1]], "\nfunc "+m[2]+"(") {
			t.Errorf("there is no test %s in %s", m[2], m[1])
		}
	}
	rows := map[string]bool{}
	for _, m := range domainRow.FindAllStringSubmatch(string(page), -1) {
		rows[m[1]] = true
		if !namedTest.MatchString(m[2]) {
			t.Errorf("%s names no test", m[1])
		}
		patterns := quoted.FindAllStringSubmatch(m[3], -1)
		if len(patterns) == 0 {
			t.Errorf("%s names no vector", m[1])
		}
		for _, p := range patterns {
			if !slices.ContainsFunc(vectors.All(), func(v vectors.Vector) bool { ok, _ := path.Match(p[1], v.ID); return ok }) {
				t.Errorf("%s: there is no vector %s", m[1], p[1])
			}
		}
	}
	for _, q := range reject.Requirements() {
		if q.Source == "RFC-0016" && !rows[q.ID] {
			t.Errorf("%s has no row", q.ID)
		}
	}
}

// testSource reads the tests of a package.
func testSource(t *testing.T, pkg string) string {
	names, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil || len(names) == 0 {
		t.Errorf("there are no tests in %s", pkg)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
