package reports

import (
	"fmt"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// pageRow is a row of the matrix.
type pageRow struct {
	Name, Anchor, Version, Generated string
	Depth, Depths                    string // the lower limit of two; both in words
	Claims                           string // yes or no, whether it claims to be what it is judged as
	Kinds, New, Withheld             int
	Cells                            []pageCell
}

// pageCell says the same by letter, text and colour.
type pageCell struct{ Class, Letter, Text, Title string }

// heatRow is a clause with how many kinds of finding each implementation has.
type heatRow struct {
	Clause result.Clause
	Cells  []pageCell
}

func anchor(i int) string { return fmt.Sprintf("i%d", i) }

func newRow(run *result.Run, s result.Score, subject result.Subject, i int, all []string) pageRow {
	row := pageRow{
		Name: Escape(s.Subject, 40), Anchor: anchor(i), Version: Escape(subject.Version, 60),
		Depth: depthInShort(s.Limits), Depths: depthInWords(s.Limits), Claims: "yes", Kinds: s.Findings, New: s.New, Withheld: s.Withheld, Generated: "-",
	}
	if subject.Unclaimed {
		row.Claims = "no"
	}
	if g := s.Generated; g.Asked > 0 {
		row.Generated = fmt.Sprintf("%s/%s", thousands(g.Failed), thousands(g.Asked-g.Skipped))
	}
	for _, g := range all {
		row.Cells = append(row.Cells, matrixCell(s, g))
	}
	return row
}

// depthInShort gives the lower of the two limits of depth.
func depthInShort(l result.Limits) string {
	switch {
	case l.Probed > 0 && l.Arrays == result.Unlimited:
		l.Arrays = l.Objects
	case l.Objects != result.Unlimited:
		l.Arrays = min(l.Arrays, l.Objects)
	}
	l.Objects = l.Arrays
	return depthInWords(l)
}

// depthInWords says how deep a document may nest.
func depthInWords(l result.Limits) string {
	one := func(n int) string {
		if n == result.Unlimited {
			return "over " + thousands(l.Probed)
		}
		return thousands(n)
	}
	switch {
	case l.Probed == 0:
		return "-"
	case l.Arrays == l.Objects:
		return one(l.Arrays)
	}
	return "arrays " + one(l.Arrays) + ", objects " + one(l.Objects)
}

func matrixCell(s result.Score, group string) pageCell {
	t := s.Groups[group]
	asked := t.Asked - t.Skipped
	switch {
	case s.NoStart != "":
		return pageCell{"none", "–", "not asked", "it would not start"}
	case t.Failed > 0:
		return pageCell{"bad", "✗", fmt.Sprintf("%d/%d", t.Failed, asked), fmt.Sprintf("%d of %d vectors wrong", t.Failed, asked)}
	case s.Found[group] > 0:
		return pageCell{"bad", "✗", "found", "wrong on generated cases only"}
	case asked == 0:
		return pageCell{"none", "–", "not asked", "no vector of this group is served"}
	}
	return pageCell{"good", "✓", "ok", fmt.Sprintf("all of %d vectors right", asked)}
}

// heat counts kinds of finding by clause and implementation.
func heat(run *result.Run) []heatRow {
	type field struct{ clause, subject string }
	count := map[field]int{}
	for _, f := range run.Findings {
		count[field{f.Requirement, f.Subject}]++
	}
	var rows []heatRow
	for _, c := range run.Header.Clauses {
		if !isCited(run, c.ID) {
			continue
		}
		row := heatRow{Clause: printable(c)}
		for _, s := range run.Footer.Scores {
			row.Cells = append(row.Cells, heatCell(count[field{c.ID, s.Subject}]))
		}
		rows = append(rows, row)
	}
	return rows
}

func heatCell(n int) pageCell {
	if n == 0 {
		return pageCell{"quiet", "", "·", "none"}
	}
	return pageCell{fmt.Sprintf("heat%d", min(n, 3)), "", fmt.Sprint(n), counted(n, "kind") + " of finding"}
}

// cited lists the clauses that some finding breaks, in the catalogue's order.
func cited(run *result.Run) []result.Clause {
	var all []result.Clause
	for _, c := range run.Header.Clauses {
		if isCited(run, c.ID) {
			all = append(all, printable(c))
		}
	}
	return all
}

func isCited(run *result.Run, id string) bool {
	return slices.ContainsFunc(run.Findings, func(f result.Finding) bool { return f.Requirement == id })
}

func printable(c result.Clause) result.Clause {
	c.Text, c.ID = Escape(c.Text, 600), Escape(c.ID, 100)
	c.Source, c.Section = Escape(c.Source, 60), Escape(c.Section, 60)
	return c
}
