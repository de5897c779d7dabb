package relation

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A trial is a relation being asked of one document: a coroutine that stands at
// its next question.
type trial struct {
	relation Relation
	input    []byte
	number   uint64
	pair     bool

	next    func() (result.Question, bool)
	stop    func()
	pending result.Question
	answer  result.Answer // to pending
	log     []Exchange
	err     error
	lost    bool // an answer was neither yes nor no
}

// start runs a trial up to its first question. It reports false if the relation
// has nothing to ask.
func start(r Relation, input []byte) (*trial, bool) {
	t := &trial{relation: r, input: input}
	t.next, t.stop = iter.Pull(func(yield func(result.Question) bool) {
		defer func() {
			if p := recover(); p != nil && p != errLost {
				panic(p)
			}
		}()
		t.err = r.hold(&asker{t, yield}, input)
	})
	return t, t.advance()
}

// advance goes on to the next question; false if there is none.
func (t *trial) advance() (ok bool) {
	t.pending, ok = t.next()
	return ok
}

// errLost ends a coroutine whose question has got no answer.
var errLost = errors.New("relation: no answer")

// errRefused stands for a refusal that gives no reason of our list.
var errRefused = errors.New("refused")

// asker is what a law takes for an implementation.
type asker struct {
	t     *trial
	yield func(result.Question) bool
}

// Canonicalize asks for the canonical form.
func (a *asker) Canonicalize(src []byte) ([]byte, error) { return a.ask(result.OpCanon, src) }

// ask puts a question and waits for the answer.
func (a *asker) ask(op result.Op, input []byte) ([]byte, error) {
	q := result.Question{Op: op, Input: bytes.Clone(input)}
	if !a.yield(q) {
		a.t.lost = true
		panic(errLost)
	}
	answer := a.t.answer
	a.t.log = append(a.t.log, Exchange{q, answer})
	switch answer.Kind {
	case result.OK:
		return bytes.Clone(answer.Bytes), nil
	case result.Rejected:
		if reason, err := reject.ParseReason(answer.Reason); err == nil && reason.IsLimit() {
			return nil, &reject.Error{Reason: reason}
		}
		return nil, errRefused
	}
	a.t.lost = true
	panic(errLost)
}

// breach gives what a finished trial has shown; nil if the relation holds, or
// if a refusal excuses it.
func (t *trial) breach() *Breach {
	if t.err == nil || t.lost || len(t.log) == 0 {
		return nil
	}
	b := &Breach{Relation: t.relation, Input: t.input, Number: t.number, Pair: t.pair, Effect: t.relation.Effect, First: t.log[0]}
	if len(t.log) > 1 {
		b.Second = t.log[len(t.log)-1]
		refused := b.First.Answer.Kind == result.Rejected || b.Second.Answer.Kind == result.Rejected
		switch {
		case refused && !t.relation.own:
			return nil
		case refused && len(b.Second.Question.Input) > len(b.First.Question.Input):
			return nil // a limit of size could be why
		case refused:
			b.Effect = result.InvalidOutput
		}
	}
	b.Relation.Clause = clause(b)
	return b
}

// clause is the requirement that a breach is counted under: the relation's, or
// what the texts show by themselves.
func clause(b *Breach) string {
	switch b.Relation.Name {
	case "lexical":
		if !utf8.Valid(b.First.Answer.Bytes) {
			return "rfc8785/3.2.4/utf-8"
		}
	case Spelling, Values:
		if twice(b.First.Question.Input) || twice(b.Second.Question.Input) {
			return "rfc8785/3.1/unique-names"
		}
	}
	return b.Relation.Clause
}

// twice reports whether some object of a text has a name twice.
func twice(text []byte) bool {
	parts := grammar.Outline(text)
	return slices.ContainsFunc(parts, func(p grammar.Part) bool { return p.Open == '{' && repeats(text, parts, p.Items) })
}

// refused reports whether the implementation refused the first text or the
// last one, so that nothing was compared.
func (t *trial) refused() bool {
	n := len(t.log)
	return n > 0 && (t.log[0].Answer.Kind == result.Rejected || t.log[n-1].Answer.Kind == result.Rejected)
}
