package relation

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Document is a text with its number, which its pair has too.
type Document struct {
	Number uint64
	Text   []byte
}

// Options say what Run asks beside the documents.
type Options struct {
	Seed uint64 // of the pairs, and of the order of the probes
	// Pairs: beside each document a pair of its number is drawn, two texts with
	// a known relation.
	Pairs bool
	// Observe receives every question with its answer, for who can judge it; nil
	// for nobody.
	Observe func(Exchange)
}

// A Report is what came of a run.
type Report struct {
	// Tallies count trials by relation: Skipped are those with nothing to ask,
	// those without an answer that is yes or no, and those where a refusal left
	// nothing to compare.
	Tallies   map[string]result.Tally
	Breaches  []Breach // each asked once more alone; at most a few of each relation
	Questions int
}

const (
	live     = 128 // trials that stand at a question at once
	batch    = 64  // questions in one batch
	mostKept = 40  // breaches of one relation in one run that are asked again
)

// Run asks a subject every relation that it can be asked, of each document. It
// ends early when ctx does, or when the subject gives nil for a batch. The
// subject is used by one goroutine.
func Run(ctx context.Context, s Subject, documents []Document, o Options) Report {
	r := &runner{ctx: ctx, s: s, o: o, report: Report{Tallies: map[string]result.Tally{}}}
	info := s.Info()
	var relations []Relation
	for _, one := range All() {
		if one.hold != nil && (one.Needs == "" || info.Serves(one.Needs)) {
			relations = append(relations, one)
		}
	}
	for _, document := range documents {
		either := eitherWay(document.Text)
		for _, one := range relations {
			if one.exact && either {
				r.count(one.Name, result.Skip)
				continue
			}
			r.begin(one, document.Text, document.Number, false)
		}
		if o.Pairs {
			a, b, relation := pairOf(grammar.NewSeeded(o.Seed, document.Number))
			if !slices.ContainsFunc([][]byte{a, b}, eitherWay) {
				r.begin(ofPair(relation, b), a, document.Number, true)
			}
		}
	}
	r.drain(0)
	r.probe(documents)
	r.report.Breaches = slices.DeleteFunc(r.report.Breaches, r.explained)
	return r.report
}

// pairOf draws two texts; the memory is their own.
func pairOf(source grammar.Source) (a, b []byte, r grammar.Relation) {
	var g grammar.Generator
	return g.Pair(source)
}

// ofPair is the relation of two texts, the first of which is the document.
func ofPair(r grammar.Relation, other []byte) Relation {
	name := Spelling
	if r == grammar.Different {
		name = Values
	}
	one, _ := Lookup(name)
	one.hold = func(a *asker, input []byte) error { return law.CheckPair(a, input, other, r) }
	return one
}

type runner struct {
	ctx    context.Context
	s      Subject
	o      Options
	trials []*trial
	report Report
}

func (r *runner) count(relation string, o result.Outcome) {
	t := r.report.Tallies[relation]
	t.Add(o, false)
	r.report.Tallies[relation] = t
}

// begin starts a trial, and works off others if there are too many.
func (r *runner) begin(one Relation, document []byte, number uint64, pair bool) {
	if r.ctx.Err() != nil {
		return
	}
	t, ok := start(one, document)
	if !ok {
		r.count(one.Name, result.Skip)
		return
	}
	t.number, t.pair = number, pair
	if r.trials = append(r.trials, t); len(r.trials) >= live {
		r.drain(live / 2)
	}
}

// drain answers the pending questions until no more than some trials are left.
func (r *runner) drain(left int) {
	for len(r.trials) > left {
		asked := r.trials[:min(len(r.trials), batch)]
		questions := make([]result.Question, len(asked))
		for i, t := range asked {
			questions[i] = t.pending
		}
		answers := r.ask(questions)
		if answers == nil {
			for _, t := range r.trials {
				t.stop()
			}
			r.trials = nil
			return
		}
		// Whoever still asks goes behind, so that the questions of different
		// documents mix.
		waiting := r.trials[len(asked):]
		var again []*trial
		for i, t := range asked {
			t.answer = answers[i]
			if t.advance() {
				again = append(again, t)
			} else {
				r.finish(t)
			}
		}
		r.trials = slices.Concat(waiting, again)
	}
}

// ask puts a batch; nil when the run has ended, or when there is nothing to ask.
func (r *runner) ask(questions []result.Question) []result.Answer {
	if len(questions) == 0 || r.ctx.Err() != nil {
		return nil
	}
	answers := r.s.Ask(r.ctx, questions)
	if r.ctx.Err() != nil || answers == nil {
		return nil
	}
	r.report.Questions += len(questions)
	for i, q := range questions {
		if i >= len(answers) {
			answers = append(answers, result.Answer{Kind: result.ProtocolError, Message: "no answer"})
		}
		if r.o.Observe != nil {
			r.o.Observe(Exchange{q, answers[i]})
		}
	}
	return answers
}

// finish judges a trial that has no more questions. A breach is asked again
// alone: what does not come back is a breach of another relation, that the same
// text gives the same answer.
func (r *runner) finish(t *trial) {
	name := t.relation.Name
	b := t.breach()
	switch {
	case t.lost:
		r.count(name, result.Skip)
		return
	case b == nil && t.refused():
		r.count(name, result.Skip)
		return
	case b == nil:
		r.count(name, result.Pass)
		return
	case r.report.Tallies[name].Failed >= mostKept:
		r.count(name, result.Diverged)
		return
	}
	again := alone(t, r.ask)
	if r.ctx.Err() != nil {
		r.count(name, result.Skip)
		return
	}
	if c := again.breach(); c != nil {
		r.count(name, result.Diverged)
		r.keep(withPartner(c, r.ask))
		return
	}
	r.count(name, result.Pass)
	if first, second, ok := contradiction(t.log, again.log); ok {
		r.count(Repeated, result.Diverged)
		one := repeated()
		r.keep(&Breach{Relation: one, Input: first.Question.Input, Number: t.number, First: first, Second: second, Effect: one.Effect})
	}
}

func (r *runner) keep(b *Breach) { r.report.Breaches = append(r.report.Breaches, *b) }

// alone runs a trial again by itself, one question at a time.
func alone(t *trial, ask func([]result.Question) []result.Answer) *trial {
	again, ok := start(t.relation, t.input)
	again.number, again.pair = t.number, t.pair
	for ok {
		answers := ask([]result.Question{again.pending})
		if len(answers) == 0 {
			again.stop()
			return again
		}
		again.answer = answers[0]
		ok = again.advance()
	}
	return again
}

// contradiction finds a question of one log that the other log answers
// otherwise.
func contradiction(one, other []Exchange) (a, b Exchange, ok bool) {
	for _, a := range one {
		for _, b := range other {
			if a.Question.Op == b.Question.Op && bytes.Equal(a.Question.Input, b.Question.Input) && differ(a.Answer, b.Answer) {
				return a, b, true
			}
		}
	}
	return a, b, false
}

// differ reports whether two answers to one question contradict each other.
func differ(a, b result.Answer) bool {
	clear := func(k result.AnswerKind) bool { return k == result.OK || k == result.Rejected }
	if !clear(a.Kind) || !clear(b.Kind) {
		return false
	}
	return a.Kind != b.Kind || !bytes.Equal(a.Bytes, b.Bytes)
}

// withPartner looks for a second text with the same bytes, where an output has
// another value than its input: the output itself.
func withPartner(b *Breach, ask func([]result.Question) []result.Answer) *Breach {
	if b.Relation.Name != "value" || b.First.Answer.Kind != result.OK {
		return b
	}
	q := result.Question{Op: result.OpCanon, Input: b.First.Answer.Bytes}
	if answers := ask([]result.Question{q}); len(answers) == 1 && answers[0].Kind == result.OK && bytes.Equal(answers[0].Bytes, q.Input) {
		b.Second, b.Effect = Exchange{q, answers[0]}, result.Collision
	}
	return b
}

// explained reports whether a breach of the law of all spellings is one of a
// single change too.
func (r *runner) explained(b Breach) bool {
	if b.Relation.Name != Spelling {
		return false
	}
	return slices.ContainsFunc(r.report.Breaches, func(c Breach) bool {
		return c.Number == b.Number && !c.Pair && !b.Pair && slices.ContainsFunc(spellings, func(s Relation) bool { return s.Name == c.Relation.Name })
	})
}

// String describes a breach for a log.
func (b *Breach) String() string {
	return fmt.Sprintf("%s: %q gives %q, %q gives %q", b.Relation.Name,
		b.First.Question.Input, b.First.Answer.Bytes, b.Second.Question.Input, b.Second.Answer.Bytes)
}
