package relation

import (
	"context"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Subject is asked. It is what oracle/check calls a Subject, without its end.
type Subject interface {
	Info() result.Info
	// Ask puts a batch and gives the answers in the questions' order.
	Ask(ctx context.Context, questions []result.Question) []result.Answer
}

// A Relation is one promise that an implementation keeps or breaks by its own
// answers.
type Relation struct {
	Name   string // permanent, lower case
	Clause string // the requirement that a breach is counted under
	Text   string // the promise in a sentence
	Effect result.Effect
	// Needs is the operation beside canon that it asks; "" for none.
	Needs result.Op
	// exact: the relation says nothing of numbers that may round either way.
	exact bool
	// own: what was accepted must be accepted again if it is no longer.
	own bool
	// hold asks and gives nil or what is wrong. The first and the last question
	// that it asks are the evidence.
	hold func(a *asker, input []byte) error
}

// The names of the relations that are not of one document.
const (
	Repeated = "repeated"         // the same text, the same answer
	Values   = "different-values" // also of pairs
	Spelling = "spelling"         // also of pairs
)

// effects says what a breach of a law means; a law that is not here is no
// relation of documents.
var effects = map[string]result.Effect{
	"fixed-point":    result.Split,
	"lexical":        result.InvalidOutput,
	"value":          result.InvalidOutput,
	"round-trip":     result.Split,
	Spelling:         result.Split,
	Values:           result.Collision,
	"nesting":        result.Split,
	"names-are-data": result.Split,
}

// inexact are the laws that hold of every text, however long its numbers are:
// they compare spelling, or texts with the same numbers.
var inexact = []string{"fixed-point", "lexical", "nesting", "names-are-data"}

// All lists the relations: those of spelling one by one, before the law that
// changes everything at once; the other laws; the routes; those of tool calls;
// Repeated.
func All() []Relation {
	all := slices.Clone(spellings)
	for _, l := range law.Relations() {
		if effect, ok := effects[l.Name]; ok {
			all = append(all, Relation{
				Name: l.Name, Clause: l.Clause, Text: l.Text, Effect: effect,
				exact: !slices.Contains(inexact, l.Name), own: l.Name == "fixed-point",
				hold: func(a *asker, input []byte) error { return l.Check(a, input) },
			})
		}
	}
	return append(slices.Concat(all, routes, toolCalls), repeated())
}

// repeated is the law of that name; its questions are asked by [Run] itself,
// since it is about their order.
func repeated() Relation {
	l, _ := law.Lookup(Repeated)
	return Relation{Name: l.Name, Clause: l.Clause, Text: l.Text, Effect: result.Split}
}

// Lookup finds a relation by its name.
func Lookup(name string) (Relation, bool) {
	all := All()
	i := slices.IndexFunc(all, func(r Relation) bool { return r.Name == name })
	if i < 0 {
		return Relation{}, false
	}
	return all[i], true
}

// An Exchange is a question and what came of it.
type Exchange struct {
	Question result.Question
	Answer   result.Answer
}

// A Breach is a relation that does not hold, with its evidence.
type Breach struct {
	Relation Relation
	// Input is the document that the relation was asked of, the first one of a
	// pair.
	Input  []byte
	Number uint64 // of the document or the pair
	Pair   bool   // drawn as a pair
	First  Exchange
	// Second contradicts First; its Question has no Op where First alone is
	// wrong by itself.
	Second Exchange
	// After is what was asked directly before Second, where the order is what
	// the relation is about.
	After  []byte
	Effect result.Effect
}

// Two reports whether the evidence is two answers.
func (b *Breach) Two() bool { return b.Second.Question.Op != "" }
