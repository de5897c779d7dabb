package snapshot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEquivalentMutantsAreCurrent: each line of equivalent.tsv, here and in
// the packages below, has a kind, a source line that still stands, and a
// reason. tools/mutants.sh reads the files.
func TestEquivalentMutantsAreCurrent(t *testing.T) {
	for _, dir := range []string{".", "reference", "jsvalue"} {
		table, err := os.ReadFile(filepath.Join(dir, "equivalent.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var source []string
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				source = append(source, strings.TrimSpace(line))
			}
		}
		for line := range strings.Lines(string(table)) {
			entry := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(entry) != 3 || entry[2] == "" || !slices.Contains(source, entry[1]) {
				t.Errorf("%s: %q: three columns with a source line that stands are needed", dir, line)
			}
		}
	}
}
