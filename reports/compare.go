package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Diff is what changed between two runs.
type Diff struct {
	New, Gone []result.Finding // kinds of finding, by implementation, clause, outcome and effect
	Vectors   []Change
	Notes     []string // what makes the two hard to compare
}

// A Change is a vector that came to something else.
type Change struct {
	Subject, Vector string
	Before, After   result.Outcome // "" if it was not asked
}

// Worse reports whether the second run has a finding or a wrong vector that the
// first has not.
func (d *Diff) Worse() bool {
	return len(d.New) > 0 || slices.ContainsFunc(d.Vectors, func(c Change) bool {
		return c.After != "" && c.After != result.Pass && c.After != result.Skip
	})
}

type kindKey struct {
	subject, requirement string
	outcome              result.Outcome
	effect               result.Effect
}

func kindOf(f result.Finding) kindKey {
	return kindKey{f.Subject, f.Requirement, f.Outcome, f.Effect}
}

// Compare compares two runs. A vector that is asked only in the second counts
// as changed only if it is wrong there.
func Compare(before, after *result.Run) *Diff {
	d := &Diff{New: without(after.Findings, before.Findings), Gone: without(before.Findings, after.Findings)}
	if before.Header.Profile != after.Header.Profile {
		d.Notes = append(d.Notes, "the profiles differ: "+Escape(before.Header.Profile, 40)+" and "+Escape(after.Header.Profile, 40))
	}
	if before.Header.Suite != after.Header.Suite {
		d.Notes = append(d.Notes, "the suites of vectors differ")
	}
	if before.Header.Seed != after.Header.Seed || before.Header.Cases != after.Header.Cases {
		d.Notes = append(d.Notes, "other cases were generated")
	}
	type key struct{ subject, vector string }
	was := map[key]result.Outcome{}
	for _, v := range before.Vectors {
		was[key{v.Subject, v.Vector}] = v.Outcome
	}
	for _, v := range after.Vectors {
		o, asked := was[key{v.Subject, v.Vector}]
		if o != v.Outcome && (asked || v.Outcome != result.Pass && v.Outcome != result.Skip) {
			d.Vectors = append(d.Vectors, Change{v.Subject, v.Vector, o, v.Outcome})
		}
	}
	slices.SortFunc(d.Vectors, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Vector, b.Vector))
	})
	return d
}

// without gives the kinds of a that b has not, the first of each.
func without(a, b []result.Finding) []result.Finding {
	seen := map[kindKey]bool{}
	for _, f := range b {
		seen[kindOf(f)] = true
	}
	var rest []result.Finding
	for _, f := range a {
		if !seen[kindOf(f)] {
			seen[kindOf(f)] = true
			rest = append(rest, f)
		}
	}
	slices.SortStableFunc(rest, result.CompareFindings)
	return rest
}

// Write writes the difference for people.
func (d *Diff) Write(w io.Writer) error {
	var b strings.Builder
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	list := func(sign string, findings []result.Finding) {
		for _, f := range findings {
			fmt.Fprintf(&b, "%s %s: %s, %s, %s\n    %s\n    input %s\n", sign, Escape(f.Subject, 60), f.Effect, f.Outcome,
				Escape(f.Requirement, 100), Escape(f.Signature, 200), plain(f.Input, f.InputSize))
		}
	}
	list("+", d.New)
	list("-", d.Gone)
	for _, c := range d.Vectors {
		fmt.Fprintf(&b, "%s: %s was %s, is %s\n", Escape(c.Subject, 60), Escape(c.Vector, 100),
			cmp.Or(string(c.Before), "not asked"), cmp.Or(string(c.After), "not asked"))
	}
	fmt.Fprintf(&b, "%s new, %d gone; %s changed\n", counted(len(d.New), "finding"), len(d.Gone), counted(len(d.Vectors), "vector"))
	_, err := io.WriteString(w, b.String())
	return err
}
