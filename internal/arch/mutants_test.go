package arch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEquivalentMutantsAreCurrent: each line of an equivalent.tsv has a kind, a
// source line that still stands in a file beside it, and a reason. It stands
// here and not in the package that is mutated: there it would fail for every
// mutant that is listed, and so find what no test can.
func TestEquivalentMutantsAreCurrent(t *testing.T) {
	beside := map[string][]string{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		dir := filepath.Join("../..", s.dir)
		for line := range strings.Lines(readFile(t, filepath.Join(dir, s.name))) {
			beside[dir] = append(beside[dir], strings.TrimSpace(line))
		}
	}
	tables := 0
	for dir, source := range beside {
		table, err := os.ReadFile(filepath.Join(dir, "equivalent.tsv"))
		if err != nil {
			continue
		}
		tables++
		for line := range strings.Lines(string(table)) {
			entry := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(entry) != 3 || entry[2] == "" || !slices.Contains(source, entry[1]) {
				t.Errorf("%s: %q: three columns with a source line that stands are needed", dir, line)
			}
		}
	}
	if tables < 3 {
		t.Errorf("%d tables are read", tables)
	}
}
