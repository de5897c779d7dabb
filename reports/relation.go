package reports

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// relationDetails shows the evidence of a broken relation: two questions and
// what came of each, or one whose answer is wrong by itself.
func relationDetails(f *result.Finding) []detail {
	all := []detail{{"asked", question(f.Op, f.Input, f.InputSize)}, {"", hexLine(f.Input, -1)}, {"gives", givenAnswer(f)}}
	if f.Given == result.OK {
		all = append(all, detail{"", hexLine(f.Actual, f.Differ)})
	}
	if f.PartnerOp == "" {
		return all
	}
	second := &result.Finding{Given: f.PartnerGiven, Actual: f.PartnerActual}
	if f.After != nil {
		all = append(all, detail{"then", question(result.OpCanon, f.After, len(f.After))})
	}
	all = append(all, detail{"asked", question(f.PartnerOp, f.Partner, len(f.Partner))}, detail{"", hexLine(f.Partner, -1)}, detail{"gives", givenAnswer(second)})
	if f.PartnerGiven == result.OK {
		all = append(all, detail{"", hexLine(f.PartnerActual, f.Differ)})
	}
	if f.Differ >= 0 {
		all = append(all, detail{"differ", fmt.Sprintf("first at byte %d", f.Differ)})
	}
	return all
}

// question shows what was asked, with the operation if it is not canon.
func question(op result.Op, input []byte, size int) string {
	switch op {
	case result.OpCanon:
		return plain(input, size)
	case result.OpNum:
		return "num " + hex.EncodeToString(input)
	}
	return Escape(string(op), 20) + " " + plain(input, size)
}

// relationCells says of an implementation how many trials of relations there
// were, and which of them went wrong.
func relationCells(s result.Score) (held, broken string) {
	var sum result.Tally
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.Relations)) {
		t := s.Relations[name]
		if sum = sum.Plus(t); t.Failed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", Escape(name, 40), thousands(t.Failed)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	return thousands(sum.Passed), strings.Join(parts, ", ")
}

// related reports whether relations were asked of anybody.
func related(run *result.Run) bool {
	return slices.ContainsFunc(run.Footer.Scores, func(s result.Score) bool { return len(s.Relations) > 0 })
}

// relationRow is a row of the page's table of relations.
type relationRow struct{ Name, Held, Broken, Class string }

func relationRows(run *result.Run) []relationRow {
	var rows []relationRow
	for _, s := range run.Footer.Scores {
		if len(s.Relations) == 0 {
			continue
		}
		held, broken := relationCells(s)
		row := relationRow{Escape(s.Subject, 40), held, broken, "bad"}
		if broken == "none" {
			row.Class = "good"
		}
		rows = append(rows, row)
	}
	return rows
}
