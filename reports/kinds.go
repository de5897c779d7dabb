package reports

import (
	"cmp"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A kindRow is one look of a fault, whoever has it: findings of one clause and
// one signature, with the shortest input of them.
type kindRow struct {
	Requirement, Signature, Input string
	Who                           []kindLink
}

type kindLink struct{ Name, Anchor string }

// kindRows groups findings across implementations, those that most share first.
// anchors gives where each finding, in the order of run.Findings, is told.
func kindRows(run *result.Run, anchors []string) []kindRow {
	type key struct{ requirement, signature string }
	index := map[key]int{}
	var rows []kindRow
	sizes, last := []int{}, map[int]string{}
	for i := range run.Findings {
		f := &run.Findings[i]
		k := key{f.Requirement, f.Signature}
		at, ok := index[k]
		if !ok {
			at = len(rows)
			index[k] = at
			rows = append(rows, kindRow{Requirement: Escape(f.Requirement, 100), Signature: Escape(f.Signature, 200)})
			sizes = append(sizes, -1)
		}
		if sizes[at] < 0 || f.InputSize < sizes[at] {
			sizes[at], rows[at].Input = f.InputSize, within(f.Input, f.InputSize, 60)
		}
		who := &rows[at].Who
		if n := len(*who); n == 0 || last[at] != f.Subject { // findings stand by implementation
			*who, last[at] = append(*who, kindLink{Escape(f.Subject, 40), anchors[i]}), f.Subject
		}
	}
	slices.SortStableFunc(rows, func(a, b kindRow) int {
		return cmp.Or(cmp.Compare(len(b.Who), len(a.Who)), cmp.Compare(a.Requirement, b.Requirement), cmp.Compare(a.Signature, b.Signature))
	})
	return rows
}
