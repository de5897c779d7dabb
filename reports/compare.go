package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Diff is what changed between two runs, of the implementations that are in
// both.
type Diff struct {
	Common    int              // how many implementations are in both
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

// Compare compares two runs. Implementations that are in one of them alone are
// noted and not compared. A vector that is asked only in the second counts as
// changed only if it is wrong there.
func Compare(before, after *result.Run) *Diff {
	d := &Diff{}
	both := d.common(before, after)
	left, right := findingsOf(before, both), findingsOf(after, both)
	d.New, d.Gone = without(right, left), without(left, right)
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
		if both[v.Subject] && o != v.Outcome && (asked || v.Outcome != result.Pass && v.Outcome != result.Skip) {
			d.Vectors = append(d.Vectors, Change{v.Subject, v.Vector, o, v.Outcome})
		}
	}
	slices.SortFunc(d.Vectors, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Vector, b.Vector))
	})
	return d
}

// common counts the implementations of both runs and notes those of one, and
// versions that differ.
func (d *Diff) common(before, after *result.Run) map[string]bool {
	first, second := subjects(before), subjects(after)
	both := map[string]bool{}
	alone := func(a, b map[string]string, where string) {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(a)) {
			if _, ok := b[name]; ok {
				both[name] = true
			} else {
				names = append(names, Escape(name, 60))
			}
		}
		if len(names) > 0 {
			d.Notes = append(d.Notes, "not compared, since only "+where+" has them: "+strings.Join(names, ", "))
		}
	}
	alone(first, second, "the first run")
	alone(second, first, "the second run")
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if first[name] != second[name] {
			d.Notes = append(d.Notes, fmt.Sprintf("%s is of another version: %s and %s", Escape(name, 60),
				cmp.Or(Escape(first[name], 60), "none"), cmp.Or(Escape(second[name], 60), "none")))
		}
	}
	d.Common = len(both)
	return both
}

// subjects gives the implementations of a run with their versions.
func subjects(run *result.Run) map[string]string {
	all := map[string]string{}
	for _, s := range run.Footer.Scores { // of a run that was cut, the header has them alone
		all[s.Subject] = ""
	}
	for _, s := range run.Header.Subjects {
		all[s.Name] = s.Version
	}
	return all
}

func findingsOf(run *result.Run, names map[string]bool) []result.Finding {
	return slices.DeleteFunc(slices.Clone(run.Findings), func(f result.Finding) bool { return !names[f.Subject] })
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

// summary counts what changed.
func (d *Diff) summary() string {
	return fmt.Sprintf("%s of finding came, %s went, %s changed", counted(len(d.New), "kind"), thousands(len(d.Gone)), counted(len(d.Vectors), "vector"))
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
