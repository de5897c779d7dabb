package relation

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// folded is a fault that pairs show: case does not count.
var folded = after(bytes.ToLower)

// brokenPair draws pairs from a number on until one breaks a relation.
func brokenPair(t *testing.T, s Subject, seed, from uint64) Breach {
	t.Helper()
	for number := from; number < 5000; number++ {
		a, b, kind := pairOf(grammar.NewSeeded(seed, number))
		m := minimizer{ctx: t.Context(), s: s}
		one := alone(&trial{relation: ofPair(kind, b), input: a, number: number, pair: true}, m.ask)
		if broken := one.breach(); broken != nil && !eitherWay(a) && !eitherWay(b) {
			return *broken
		}
	}
	t.Fatal("no pair shows the fault")
	return Breach{}
}

// The evidence of a pair becomes as small as drawing makes it.
func TestPairsBecomeSmallest(t *testing.T) {
	for _, c := range []struct {
		seed        uint64
		one, second string
	}{
		{2, `{"D":0,"A":1,"id":2}`, `{"d":0,"A":1,"id":2}`},
		{3, `{"c":2e-9}`, `{"C":2e-9}`},
		{4, `{"path":"sara_doe_496"}`, `{"path":"sara_dOe_496"}`},
		{5, `{"path":null}`, `{"patH":null}`},
		{8, `{"id":0,"D":1,"aaaaaab":2}`, `{"D":1,"iD":0,"aaaaaab":2}`},
		{9, `{"path":0}`, `{"pAth":0}`},
		{10, `{"b":0,"d":1}`, `{"d":1,"B":0}`},
		{11, `{"id":0,"D":1,"A":2}`, `{"D":1,"A":2,"iD":0}`},
	} {
		b := Minimize(t.Context(), folded, brokenPair(t, folded, c.seed, 0), c.seed, nil, 3000)
		if one, second := string(b.First.Question.Input), string(b.Second.Question.Input); one != c.one || second != c.second {
			t.Errorf("seed %d: %s and %s, not %s and %s", c.seed, one, second, c.one, c.second)
		}
	}
}

// At most so many trials are asked, whatever the minimizer does, and none where
// none may be or the context has ended.
func TestMinimizingAsksNoMoreThanItMay(t *testing.T) {
	trials := 0
	s := canonOnly(func(in []byte) ([]byte, error) {
		if bytes.Equal(in, []byte("[3]")) {
			trials++ // the first question of each trial
		}
		out, err := reference.Canonicalize(in)
		return append(out, '\n'), err
	})
	lexical, _ := Lookup("lexical")
	b := Breach{Relation: lexical, Input: []byte("[3 ]"), Effect: result.InvalidOutput}
	insistent := func(_ []byte, keep func([]byte) bool, tries int) []byte {
		for range 20 {
			keep([]byte("[3]"))
		}
		return nil
	}
	for _, tries := range []int{-1, 0, 1, 7} {
		trials = 0
		if Minimize(t.Context(), s, b, 1, insistent, tries); trials != max(tries, 0) {
			t.Errorf("%d trials asked, may be %d", trials, tries)
		}
	}
	if got := Minimize(t.Context(), s, b, 1, insistent, 1); string(got.Input) != "[3]" {
		t.Errorf("the only trial is not the evidence: %q", got.Input)
	}
	Minimize(t.Context(), s, b, 1, func([]byte, func([]byte) bool, int) []byte { t.Error("a minimizer that may try nothing"); return nil }, 0)
	if got := Minimize(t.Context(), s, b, 1, nil, 9); string(got.Input) != "[3 ]" {
		t.Errorf("without a minimizer: %q", got.Input)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	trials = 0
	if got := Minimize(ended, s, b, 1, insistent, 9); trials != 0 || string(got.Input) != "[3 ]" {
		t.Errorf("%d trials of an ended run", trials)
	}

	// A pair is drawn again no more often either.
	for tries := range 12 {
		asked := 0
		counting := function(func(op result.Op, input []byte) ([]byte, error) { asked++; return folded(op, input) })
		Minimize(t.Context(), counting, brokenPair(t, folded, 1, 0), 1, nil, tries)
		if asked > 2*tries {
			t.Errorf("%d questions in %d trials of two", asked, tries)
		}
	}
}

// What is smaller is no evidence if it shows another effect, or only one answer
// where there were two.
func TestMinimizingKeepsTheEffect(t *testing.T) {
	s := canonOnly(func(in []byte) ([]byte, error) {
		switch string(in) {
		case "[1 ]":
			return []byte("[1]"), nil
		case "[1]":
			return []byte("[2]"), nil // not a fixed point
		case "[2 ]":
			return []byte("[4]"), nil
		case "[4]":
			return nil, errRefused // refuses what it gave
		}
		return reference.Canonicalize(in)
	})
	one, _ := Lookup("fixed-point")
	m := minimizer{ctx: t.Context(), s: s, left: 9}
	m.best = *alone(&trial{relation: one, input: []byte("[1 ]")}, m.ask).breach()
	split := m.best
	if m.broken(one, []byte("[2 ]")) || m.best.Effect != result.Split {
		t.Errorf("a split became %s", m.best.Effect)
	}
	m.best.Effect = result.InvalidOutput
	if m.broken(one, []byte("[1 ]")) {
		t.Error("invalid output became a split")
	}
	m.best = split
	m.best.Second = Exchange{}
	if m.broken(one, []byte("[1 ]")) {
		t.Error("one answer became two")
	}
	m.best = split
	if !m.broken(one, []byte("[1 ]")) {
		t.Error("the same is not evidence")
	}
}

// A relation that says nothing of numbers that may round either way is not made
// smaller to one; every other may be.
func TestMinimizingKeepsToWhatIsExact(t *testing.T) {
	s := canonOnly(func(in []byte) ([]byte, error) {
		out, err := reference.Canonicalize(in)
		return append(out, in...), err // which is neither the form nor alike in two spellings
	})
	long := []byte("[123456789012345678901]")
	for name, want := range map[string]bool{"number-spelling": false, "lexical": true} {
		one, _ := Lookup(name)
		m := minimizer{ctx: t.Context(), s: s, left: 9}
		b := *alone(&trial{relation: one, input: []byte("[10]")}, m.ask).breach()
		Minimize(t.Context(), s, b, 1, func(_ []byte, keep func([]byte) bool, _ int) []byte {
			if !keep([]byte("[1]")) {
				t.Errorf("%s: a short number is not evidence", name)
			}
			if keep(long) != want {
				t.Errorf("%s: a long number is evidence: %v", name, !want)
			}
			return nil
		}, 9)
	}
}

// A choice becomes the smallest one, half of it, or one less.
func TestSmallerChoices(t *testing.T) {
	for choice, want := range map[int][]int{0: {0, 0, 0}, 1: {0, 0, 0}, 9: {0, 4, 8}} {
		if got := smaller(choice); !slices.Equal(got, want) {
			t.Errorf("in place of %d: %v", choice, got)
		}
	}
}

// The first try is to draw a pair without any choice, which is the smallest.
func TestMinimizingTriesTheSmallestFirst(t *testing.T) {
	asked := 0
	s := canonOnly(func([]byte) ([]byte, error) { asked++; return fmt.Append(nil, asked), nil }) // never the same
	b := brokenPair(t, s, 1, 0)
	for ; b.Relation.Name != Spelling || len(b.Input) < 9; b = brokenPair(t, s, 1, b.Number+1) {
	}
	if b = Minimize(t.Context(), s, b, 1, nil, 1); string(b.First.Question.Input) != "null" || string(b.Second.Question.Input) != "null" {
		t.Errorf("one try gives %s", b.String())
	}
}
