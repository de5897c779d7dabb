package oracletest

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// Options say what is asked. The zero value of a field stands for its default.
type Options struct {
	Profile reject.Profile // which rules decide; rfc8785
	Seed    uint64         // of the generated documents; 1
	Cases   int            // how many documents are generated; 2,000, and 200 with -short; negative for none
	// Relations is how many of them the metamorphic relations are asked of;
	// 200, and 20 with -short; negative for none.
	Relations int
	Limit     time.Duration // for one call; 2 s, as minimizing asks a call that hangs some forty times
	// Baseline is the text of a baseline file: findings that are known and no
	// error. An entry that matches nothing any more is one.
	Baseline []byte
	// Reasons says that the function's errors are, or wrap, a reject.Reason, so
	// that reasons are judged too.
	Reasons bool
}

// Run asks a canonicalizer everything, by the default Options.
func Run(t testing.TB, canonicalize func(document []byte) ([]byte, error)) {
	t.Helper()
	Options{}.Run(t, canonicalize)
}

// Run asks a canonicalizer everything. Each kind of finding that the baseline
// does not know is reported by t.Errorf, known ones by t.Logf.
func (o Options) Run(t testing.TB, canonicalize func(document []byte) ([]byte, error)) {
	t.Helper()
	known, err := baseline.Parse("baseline", o.Baseline)
	if err != nil {
		t.Errorf("oracletest: %v", err)
		return
	}
	o = o.withDefaults(testing.Short())
	s := &subject{canonicalize: canonicalize, limit: o.Limit, reasons: o.Reasons}
	run, err := check.Run(context.Background(), check.Config{
		Profile: o.Profile, Vectors: vectors.All(), Complete: true,
		Seed: o.Seed, Cases: max(o.Cases, 0), Relations: max(min(o.Relations, o.Cases), 0),
		Generator: generator, Minimize: shrink.Minimize, Workers: 1,
		Entries: []check.Entry{{
			Name: "canonicalize", Baseline: known,
			Open:   func(context.Context) (check.Subject, error) { return s, nil },
			Replay: func(selection string) string { return selection },
		}},
	})
	if err != nil {
		t.Errorf("oracletest: %v", err)
		return
	}
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Known != nil {
			t.Logf("known: %s", summary(f))
		} else {
			t.Errorf("%s", describe(run, f))
		}
	}
	for _, s := range run.Footer.Stale {
		t.Errorf("baseline, line %d: %s (%s)", s.Line, s.Entry, s.Why)
	}
	t.Logf("%d questions: %d vectors, %d generated documents, seed %d, profile %s",
		run.Footer.Questions, run.Header.Vectors, run.Header.Cases, o.Seed, o.Profile)
}

func (o Options) withDefaults(short bool) Options {
	cases, relations := 2000, 200
	if short {
		cases, relations = cases/10, relations/10
	}
	o.Seed = cmp.Or(o.Seed, 1)
	o.Cases = cmp.Or(o.Cases, cases)
	o.Relations = cmp.Or(o.Relations, relations)
	o.Limit = cmp.Or(o.Limit, 2*time.Second)
	return o
}

// generator gives documents by their number, the same ones as the command.
func generator(seed uint64) func(number uint64) []byte {
	var g grammar.Generator
	source := grammar.NewSeeded(seed, 0)
	return func(number uint64) []byte {
		source.Reset(seed, number)
		return g.Document(source)
	}
}

// summary is a finding in one line.
func summary(f *result.Finding) string {
	return fmt.Sprintf("%s, %s, %s: %s", f.Effect, f.Outcome, f.Requirement, f.Signature)
}
