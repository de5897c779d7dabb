package vectorlint

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A Problem is one rule that the suite breaks.
type Problem struct {
	Rule string // the rule's name, such as "relation"
	ID   string // the vector, requirement, flag or exception it is about
	Text string // what is wrong, and what to do
}

func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.ID, p.Rule, p.Text) }

// An Engine is an implementation that the linter asks. Peers satisfy it.
type Engine interface {
	Info() result.Info
	Ask(ctx context.Context, questions []result.Question) []result.Answer
	Close() error
}

// A linter gathers the problems of one suite.
type linter struct {
	all      []vectors.Vector // retired ones left out
	index    map[string]vectors.Vector
	flags    []vectors.Flag
	problems []Problem
}

// Lint reads the suite and gives what is wrong with it, in a fixed order. The
// rules are:
//
//   - text: source files are JSON that our own oracle accepts, so that no
//     name stands twice; titles are ASCII
//   - generated: generated files, where they are there, are current
//   - input: no two vectors of one operation have the same input
//   - clause, flag: known, and every flag is carried by a vector
//   - output: a canonical form is accepted and gives itself
//   - verdict: what oracle/verdict says of the input, reasons and offset too
//   - relation: it points to a vector and holds
//   - coverage: each requirement has an accepting vector, and a rejecting one
//     where input can break it
//   - confirm: engines agree as the package's documentation says
//   - exception: a named exception still occurs
//
// open gives fresh engines for a profile, which Lint closes; with a nil open
// no engine is asked. An error means that the suite could not be read or that
// the context has ended.
func Lint(ctx context.Context, files fs.FS, open func(reject.Profile) []Engine) ([]Problem, error) {
	all, flags, err := vectors.Load(files)
	if err != nil {
		return nil, err
	}
	l := &linter{flags: flags, index: map[string]vectors.Vector{}}
	for _, v := range all {
		l.index[v.ID] = v
		if v.Status != vectors.Retired {
			l.all = append(l.all, v)
		}
	}
	if err := l.texts(files); err != nil {
		return nil, err
	}
	if err := l.generated(files); err != nil {
		return nil, err
	}
	for _, v := range l.all {
		l.words(v)
		l.verdicts(v)
		l.outputs(v)
		l.relations(v)
	}
	l.inputs()
	l.unusedFlags()
	l.coverage()
	if open != nil {
		l.confirm(ctx, open)
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.ID, b.ID))
	})
	return l.problems, ctx.Err()
}

func (l *linter) report(rule, id, format string, args ...any) {
	l.problems = append(l.problems, Problem{rule, id, fmt.Sprintf(format, args...)})
}
