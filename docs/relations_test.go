package docs

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/ladder"
	"github.com/touchstone-oracle/touchstone/oracle/relation"
)

// TestRelationsPageIsCurrent: the tables of relations.md are those of the
// packages, row by row.
func TestRelationsPageIsCurrent(t *testing.T) {
	text, err := os.ReadFile("relations.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range relation.All() {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | `%s` |", r.Name, r.Text, r.Effect, r.Clause))
	}
	for _, s := range ladder.Shapes() {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s |", s.Name, s.Text, s.Unit))
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") {
			rows++
		}
	}
	for _, row := range want {
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("relations.md lacks the row\n%s", row)
		}
	}
	if rows != len(want) {
		t.Errorf("relations.md has %d rows, the packages %d", rows, len(want))
	}
}
