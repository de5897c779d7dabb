package docs

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

var choiceRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^|]+)` \\| (\\w+) \\| (\\w+) \\| (\\w+) \\| ([^|]+) \\| `([^|`]+)` \\| ([^|]+) \\|$")

// TestChoicesAreWhatTheOracleDoes puts each row's example to the oracle, and to
// canon and snapshot.
func TestChoicesAreWhatTheOracleDoes(t *testing.T) {
	page, err := os.ReadFile("choices.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := choiceRow.FindAllStringSubmatch(string(page), -1)
	if lines := strings.Count(string(page), "\n| ") - 2; len(rows) != lines || lines < 15 {
		t.Fatalf("%d rows are read of %d lines", len(rows), lines)
	}
	for _, row := range rows {
		input := []byte(row[2])
		if digits, ok := strings.CutPrefix(row[2], "hex "); ok {
			if input, err = hex.DecodeString(digits); err != nil {
				t.Errorf("%s: %v", row[1], err)
			}
		}
		verdicts := verdict.All(input)
		for _, p := range reject.Profiles() {
			if got, want := verdicts[p].Kind, row[3+int(p)]; string(got) != want {
				t.Errorf("%s: the oracle says %s for %s, the page %s", row[1], got, p, want)
			}
		}
		ours, snapshots, _ := strings.Cut(row[6], "; ")
		_, err := canon.Canonicalize(input)
		if refuses := ours == "refuse"; refuses != (err != nil) {
			t.Errorf("%s: canon says %v, the page %q", row[1], err, ours)
		}
		_, err = snapshot.Decode(input)
		if refuses := ours == "refuse" || snapshots != ""; refuses != (err != nil) {
			t.Errorf("%s: snapshot says %v, the page %q", row[1], err, row[6])
		}
	}
}
