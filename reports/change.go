package reports

import (
	"cmp"
	"fmt"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// changes is what the page says of a previous run.
type changes struct {
	Since   string
	Summary string
	Notes   []string
	New     []changedKind
	Gone    []changedKind
	Vectors []string
	More    int // vectors that changed and are not listed
}

// changedKind is a kind of finding that came or went.
type changedKind struct{ Name, Anchor, Title, Requirement, Input string }

// shownChanges is how many changed vectors the page lists.
const shownChanges = 40

// newChanges tells on a run's page how it differs from an earlier one.
func newChanges(run, previous *result.Run, diff *Diff, page *pageData) *changes {
	c := &changes{Since: Escape(cmp.Or(previous.Header.Started, "an earlier time"), 60), Notes: diff.Notes}
	anchors := map[kindKey]string{}
	for i, f := range run.Findings {
		if _, ok := anchors[kindOf(f)]; !ok {
			anchors[kindOf(f)] = page.anchors[i]
		}
	}
	list := func(findings []result.Finding) []changedKind {
		var all []changedKind
		for i := range findings {
			f := &findings[i]
			all = append(all, changedKind{
				Escape(f.Subject, 40), anchors[kindOf(*f)], findingTitle(f), Escape(f.Requirement, 100),
				within(f.Input, f.InputSize, 60),
			})
		}
		return all
	}
	c.New, c.Gone = list(diff.New), list(diff.Gone)
	c.Summary = diff.summary()
	for _, v := range diff.Vectors[:min(len(diff.Vectors), shownChanges)] {
		c.Vectors = append(c.Vectors, fmt.Sprintf("%s: %s was %s, is %s", Escape(v.Subject, 40), Escape(v.Vector, 100),
			cmp.Or(Escape(string(v.Before), 20), "not asked"), Escape(string(v.After), 20)))
	}
	c.More = len(diff.Vectors) - len(c.Vectors)
	return c
}
