package fuzz

import (
	"fmt"
	"hash/fnv"
	"sync"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
)

// A Target is what one fuzzer runs.
type Target struct {
	Name string // of the Go fuzz function; no name is a prefix of another
	// Laws are the names of the laws that are checked, of each implementation
	// to which they apply.
	Laws []string
	// Of are the implementations.
	Of []law.Implementation
}

var (
	ours = []law.Implementation{Canon{}, Reference{}, Snapshot{}}
	fast = []law.Implementation{Canon{}}
	snap = []law.Implementation{Snapshot{}}
)

// Targets lists the targets. Together they check every law that is not heavy.
func Targets() []Target {
	return []Target{
		{"FuzzReference", []string{"reference"}, fast},
		{"FuzzFixedPoint", []string{"fixed-point", "valid"}, ours},
		{"FuzzLexical", []string{"lexical"}, ours},
		{"FuzzMeaning", []string{"value", "round-trip"}, ours},
		{"FuzzSpelling", []string{"spelling"}, ours},
		{"FuzzDifferent", []string{"different-values"}, ours},
		{"FuzzNesting", []string{"nesting", "names-are-data"}, ours},
		{"FuzzRepeated", []string{"repeated"}, ours},
		{"FuzzNumber", []string{"number"}, fast},
		{"FuzzString", []string{"string"}, fast},
		{"FuzzErrorPlace", []string{"error-place"}, []law.Implementation{Canon{}, Reference{}}},
		{"FuzzErrorPayload", []string{"error-payload"}, []law.Implementation{Canon{}, Reference{}, speaking{}}},
		{"FuzzAppend", []string{"append"}, fast},
		{"FuzzLimits", []string{"limits"}, fast},
		{"FuzzNegativeZero", []string{"negative-zero"}, []law.Implementation{Canon{}, Canon{canon.Options{RefuseNegativeZero: true}}}},
		{"FuzzDomain", []string{"domain"}, snap},
		{"FuzzViews", []string{"views", "aliases"}, snap},
	}
}

// speaking is snapshot's decoder, whose errors hold reasons too, but not those
// of canon's choices: only laws about errors as such are asked of it.
type speaking struct{ Snapshot }

// SpeaksReasons says that errors carry the closed list's reasons.
func (speaking) SpeaksReasons() {}

// Lookup finds a target by its name.
func Lookup(name string) (Target, error) {
	for _, t := range Targets() {
		if t.Name == name {
			return t, nil
		}
	}
	return Target{}, fmt.Errorf("fuzz: there is no target %q", name)
}

// checks gives the functions of a target's laws.
func (t Target) checks() []func([]byte) error {
	var all []func([]byte) error
	for _, name := range t.Laws {
		l, ok := law.Lookup(name)
		if !ok {
			panic("fuzz: there is no law " + name)
		}
		for _, im := range t.Of {
			if l.Applies == nil || l.Applies(im) {
				all = append(all, func(input []byte) error {
					if err := l.Check(im, input); err != nil {
						return fmt.Errorf("%s of %T: %w", l.Name, im, err)
					}
					return nil
				})
			}
		}
	}
	return all
}

// Checker gives the function that a driver calls for each input. It is safe for
// concurrent use.
func (t Target) Checker() func(input []byte) error {
	checks := t.checks()
	return AlsoAsChoices(func(input []byte) error {
		for _, c := range checks {
			if err := c(input); err != nil {
				return err
			}
		}
		return nil
	})
}

// AlsoAsChoices gives a check that takes each input as a text, and half of them
// as choices for the grammar too, whose document is then checked.
func AlsoAsChoices(check func(text []byte) error) func(input []byte) error {
	return func(input []byte) error {
		if err := check(input); err != nil {
			return err
		}
		h := fnv.New32a()
		h.Write(input)
		if h.Sum32()&1 == 0 {
			return nil
		}
		g := generators.Get().(*grammar.Generator)
		defer generators.Put(g)
		if err := check(g.Document(grammar.NewBytes(input))); err != nil {
			return fmt.Errorf("in the document that the grammar makes of the input: %w", err)
		}
		return nil
	}
}

var generators = sync.Pool{New: func() any { return new(grammar.Generator) }}
