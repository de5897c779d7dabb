package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/relation"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// relating lets a relation ask through the runner, which counts and clips.
type relating struct {
	r             *runner
	entry, worker int
}

func (s relating) Info() result.Info { return s.r.subjects[s.entry][s.worker].Info() }

func (s relating) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	return s.r.put(ctx, s.entry, s.worker, questions)
}

// breached is a kind of breach: one relation of one implementation with one
// effect.
type breached struct {
	entry    int
	relation string
	effect   result.Effect
}

func (b breached) compare(c breached) int {
	return cmp.Or(cmp.Compare(b.entry, c.entry), cmp.Compare(b.relation, c.relation), cmp.Compare(b.effect, c.effect))
}

// breaches are those of a kind: how many, and the one with the least evidence.
type breaches struct {
	count    int
	cases    []uint64
	shortest relation.Breach
}

// relateInputs asks the relations of inputs given by hand.
func (r *runner) relateInputs(ctx context.Context, worker, from, to int) {
	var documents []relation.Document
	for i, text := range r.cfg.Inputs[from:to] {
		documents = append(documents, relation.Document{Number: uint64(from + i), Text: text})
	}
	for i := range r.cfg.Entries {
		r.relate(ctx, i, worker, documents, false)
	}
}

// relateGenerated asks the relations of a range of generated documents, and of
// the pairs of the same numbers.
func (r *runner) relateGenerated(ctx context.Context, worker, from, to int) {
	var all []relation.Document
	for i, text := range r.generated(from, to) {
		all = append(all, relation.Document{Number: r.cfg.First + uint64(from+i), Text: text})
	}
	for i, e := range r.cfg.Entries {
		share := uint64(max(e.Every, 1))
		documents := slices.DeleteFunc(slices.Clone(all), func(d relation.Document) bool { return d.Number%share != 0 })
		r.relate(ctx, i, worker, documents, true)
	}
}

func (r *runner) relate(ctx context.Context, entry, worker int, documents []relation.Document, pairs bool) {
	if r.alive(entry, worker) == nil || len(documents) == 0 {
		return
	}
	number := documents[0].Number
	report := relation.Run(ctx, relating{r, entry, worker}, documents, relation.Options{
		Seed: r.cfg.Seed, Pairs: pairs,
		Observe: func(e relation.Exchange) {
			switch e.Answer.Kind {
			case result.Crashed, result.Hung, result.ProtocolError:
				r.depart(ctx, entry, worker, e, number, nil)
			}
		},
	})
	for _, b := range report.Breaches {
		if !r.attributed(ctx, entry, worker, &b) || b.Relation.Name == relation.Repeated || r.cfg.EveryBreach {
			r.breach(entry, b)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	score := &r.scores[entry]
	if score.Relations == nil {
		score.Relations = map[string]result.Tally{}
	}
	for name, tally := range report.Tallies {
		score.Relations[name] = score.Relations[name].Plus(tally)
	}
}

// attributed reports whether a verdict explains a breach: one of its answers is
// wrong by itself. Then the answer is a failure as any other, which names the
// clause better than the relation could, and a collision has its partner.
func (r *runner) attributed(ctx context.Context, entry, worker int, b *relation.Breach) bool {
	one, other := b.First, b.Second
	found := false
	for range 2 {
		var partner []byte
		if b.Effect == result.Collision && b.Two() && !r.onlyOtherRefusable(one, other) {
			partner = other.Question.Input
		}
		found = r.depart(ctx, entry, worker, one, b.Number, partner) || found
		one, other = other, one
	}
	return found
}

// onlyOtherRefusable reports whether the other text must be refused and this one
// not. Then a collision of the two is the other's doing, whatever else this one
// got wrong.
func (r *runner) onlyOtherRefusable(one, other relation.Exchange) bool {
	refusable := func(e relation.Exchange) bool {
		return verdict.Of(r.cfg.Profile, e.Question.Input).Kind == verdict.Reject
	}
	return refusable(other) && !refusable(one)
}

// depart judges an answer that a relation got, and notes it if it is a failure.
func (r *runner) depart(ctx context.Context, entry, worker int, e relation.Exchange, number uint64, partner []byte) bool {
	if e.Question.Op != result.OpCanon || ctx.Err() != nil {
		return false
	}
	v := verdict.Of(r.cfg.Profile, e.Question.Input)
	o := Judge(v, e.Answer, r.subjects[entry][worker].Info().Reasons)
	if !failed(o) || o == result.Refused && r.limited(ctx, entry, worker, v, e.Question.Input) {
		return false
	}
	f := failure{op: e.Question.Op, input: e.Question.Input, answer: e.Answer, verdict: v, number: number, partner: partner}
	r.fail(keyOf(entry, f, o), f, nil)
	return true
}

// breach notes a breach that stands for itself.
func (r *runner) breach(entry int, b relation.Breach) {
	key := breached{entry, b.Relation.Name, b.Effect}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.breaches == nil {
		r.breaches = map[breached]*breaches{}
	}
	kind := r.breaches[key]
	if kind == nil {
		kind = &breaches{shortest: b}
		r.breaches[key] = kind
	}
	if cmp.Or(cmp.Compare(evidence(b), evidence(kind.shortest)), bytes.Compare(b.Input, kind.shortest.Input)) < 0 {
		kind.shortest = b
	}
	kind.count++
	kind.cases = insertSmall(kind.cases, b.Number, keptCases)
}

func evidence(b relation.Breach) int {
	return len(b.First.Question.Input) + len(b.Second.Question.Input)
}

// related makes findings of the breaches, each with as little evidence as can
// be had.
func (r *runner) related(ctx context.Context, effort []effort) []result.Finding {
	var found []result.Finding
	for _, key := range slices.SortedFunc(maps.Keys(r.breaches), breached.compare) {
		kind := r.breaches[key]
		b := kind.shortest
		if s := r.alive(key.entry, 0); s != nil && ctx.Err() == nil {
			own, done := effort[key.entry].begin(ctx)
			if tries := min(1000, effort[key.entry].tries); own.Err() == nil {
				effort[key.entry].tries -= tries
				b = relation.Minimize(own, relating{r, key.entry, 0}, b, r.cfg.Seed, r.cfg.Minimize, tries)
			}
			done()
		}
		found = append(found, r.brokenRelation(key.entry, kind, b))
	}
	return found
}

func (r *runner) brokenRelation(entry int, kind *breaches, b relation.Breach) result.Finding {
	f := result.Finding{
		Subject: r.cfg.Entries[entry].Name, Outcome: result.Diverged, Effect: b.Effect, Profile: r.cfg.Profile.String(),
		Requirement: b.Relation.Clause, Group: clauseGroup(b.Relation.Clause), Relation: b.Relation.Name,
		Signature: fmt.Sprintf("breaks the relation %s: %s", b.Relation.Name, b.Relation.Text),
		Op:        b.First.Question.Op, Input: clipBytes(b.First.Question.Input), InputSize: len(b.First.Question.Input),
		Given: b.First.Answer.Kind, Actual: clipBytes(b.First.Answer.Bytes), ReasonGiven: b.First.Answer.Reason, Differ: -1,
		Count: kind.count, Cases: kind.cases,
	}
	if b.Two() {
		f.PartnerOp, f.Partner = b.Second.Question.Op, clipBytes(b.Second.Question.Input)
		f.PartnerGiven, f.PartnerActual = b.Second.Answer.Kind, clipBytes(b.Second.Answer.Bytes)
		f.After = clipBytes(b.After)
		if b.First.Answer.Kind == result.OK && b.Second.Answer.Kind == result.OK {
			f.Differ = result.FirstDifference(f.Actual, f.PartnerActual)
		}
	}
	selection := fmt.Sprintf("--seed %d --case %d --relations on", r.cfg.Seed, b.Number)
	if !b.Pair && len(b.Input) <= 256 && b.Relation.Name != relation.Repeated {
		selection = fmt.Sprintf("--input %s --relations on", cmp.Or(result.Hex(b.Input).String(), "-"))
	}
	f.Replay = r.command(entry, selection)
	return f
}

func clipBytes(b []byte) []byte { return b[:min(len(b), keptInput)] }
