package check_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func entries(names ...string) []check.Entry {
	var all []check.Entry
	for _, name := range names {
		all = append(all, check.Entry{Name: name, Open: func(context.Context) (check.Subject, error) {
			return peer.Open(name, peer.Options{})
		}})
	}
	return all
}

// TestPublicFaultsAreFound: what public reports say of the built-in
// implementations at the versions in go.mod is found by the vectors alone, with
// the clause and what it means. A kind that is missing here is no error: a
// baseline says what is known.
func TestPublicFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		peer, clause string
		outcome      result.Outcome
		effect       result.Effect
		words, where string
	}{
		{"cyberphone", "rfc8785/3.2.2.2/lone-surrogate", result.Accepted, result.Collision, "U+FFFD", "cyberphone/json-canonicalization#36 and #37"},
		{"cyberphone", "rfc8259/8.1/utf-8", result.Accepted, result.InvalidOutput, "not UTF-8", "cyberphone/json-canonicalization#37"},
		{"cyberphone", "rfc8259/2/one-value", result.Refused, result.Refusal, "neither object nor array", "cyberphone/json-canonicalization#11"},
		{"cyberphone", "rfc8259/6/number", result.Accepted, result.Collision, "leading zero", ""},
		{"cyberphone", "rfc8259/6/number", result.Accepted, result.Collision, "plus sign", ""},
		{"cyberphone", "rfc8259/6/number", result.Accepted, result.Collision, "before the point", ""},
		{"cyberphone", "rfc8259/6/number", result.Accepted, result.Collision, "behind the point", ""},
		{"cyberphone", "ecma262/7.1.4.1/rounding", result.Diverged, result.Collision, "became 0", "golang/go#42436"},
		{"gowebpki", "ecma262/7.1.4.1/rounding", result.Diverged, result.Collision, "became 0", "golang/go#42436"},
		{"gowebpki", "rfc8785/3.2.2.3/number-to-string", result.Diverged, result.Collision, "power of ten", ""},
		{"jsontext", "rfc8785/3.1/double", result.Accepted, result.Collision, "beyond the range", ""},
		{"goja", "rfc8785/3.1/unique-names", result.Accepted, result.Collision, "same member name", ""},
		{"goja", "rfc8785/3.2.2.2/lone-surrogate", result.Accepted, result.Collision, "U+FFFD", ""},
	} {
		run := judged(t)
		if !slices.ContainsFunc(run.Findings, func(f result.Finding) bool {
			return f.Subject == c.peer && f.Requirement == c.clause && f.Outcome == c.outcome && f.Effect == c.effect && strings.Contains(f.Signature, c.words)
		}) {
			t.Errorf("%s: no %s, %s of %s about %q (%s)%s", c.peer, c.effect, c.outcome, c.clause, c.words, c.where, kindsOf(run, c.peer))
		}
	}
}

// TestOursConform: nothing is found on our own engines.
func TestOursConform(t *testing.T) {
	for _, p := range peer.All() {
		if !p.Ours {
			continue
		}
		run := judged(t)
		if s := run.Score(p.Name); s.Findings > 0 || s.Vectors.Failed > 0 || s.Vectors.Passed < 1000 {
			t.Errorf("%s: %+v%s", p.Name, s.Vectors, kindsOf(run, p.Name))
		}
	}
}

var whole *result.Run

// judged puts the vectors to all implementations, once. The long ones are left to
// those who hold the baselines to the whole suite.
func judged(t *testing.T) *result.Run {
	t.Helper()
	if whole == nil {
		short := slices.DeleteFunc(vectors.All(), func(v vectors.Vector) bool { return len(v.Input) > 1024 })
		run, err := check.Run(t.Context(), check.Config{Entries: entries(peer.Names()...), Vectors: short})
		if err != nil {
			t.Fatal(err)
		}
		whole = run
	}
	return whole
}

func kindsOf(run *result.Run, subject string) string {
	var b strings.Builder
	for _, f := range run.Findings {
		if f.Subject == subject {
			fmt.Fprintf(&b, "\n  %s %s %s: %s (%.100s)", f.Effect, f.Outcome, f.Requirement, f.Signature, strings.Join(f.Vectors, " "))
		}
	}
	return b.String()
}

// BenchmarkGenerated judges generated documents on all built-in implementations,
// as the command does, with one worker: goja sees one in eight, the reference
// one in four.
func BenchmarkGenerated(b *testing.B) {
	all := entries(peer.Names()...)
	for i := range all {
		all[i].Every = map[string]int{"goja": 8, "reference": 4}[all[i].Name]
	}
	b.ReportAllocs()
	run, err := check.Run(b.Context(), check.Config{Entries: all, Cases: b.N, Seed: 1, Workers: 1, Generator: generator})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(run.Footer.CasesPerSec, "cases/s")
}

func generator(seed uint64) func(uint64) []byte {
	var g grammar.Generator
	source := grammar.NewSeeded(seed, 0)
	return func(number uint64) []byte { source.Reset(seed, number); return g.Document(source) }
}
