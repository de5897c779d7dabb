package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// keptInput bounds what a finding holds of an input or an output.
const keptInput = 64 << 10

// collide looks at the pairs of vectors that must not have one canonical form.
// Equal bytes for both are a collision; the failed one of the two is told so
// by its partner.
func (r *runner) collide() {
	byID := map[string]vectors.Vector{}
	for _, c := range r.cases {
		byID[c.vector.ID] = c.vector
	}
	for i := range r.cfg.Entries {
		for _, c := range r.cases {
			for _, relation := range c.vector.Relations {
				if relation.Kind == vectors.DifferentOutput {
					r.pair(i, c.vector, byID[relation.With])
				}
			}
		}
	}
}

// A partner is another input to which the same bytes were given as to the own one.
type partner struct{ own, other []byte }

// pair notes a collision of two vectors under the failing one's id.
func (r *runner) pair(entry int, a, b vectors.Vector) {
	key, other := answerKey{entry, a.ID}, answerKey{entry, b.ID}
	x, y := r.digests[key], r.digests[other]
	if !x.ok || x.digest != y.digest {
		return
	}
	if failed(x.outcome) {
		r.partners[key] = partner{a.Input, b.Input}
	}
	if failed(y.outcome) {
		r.partners[other] = partner{b.Input, a.Input}
	}
}

// conclude minimizes what was found, says what it means, compares it with the
// baselines and ends the records.
func (r *runner) conclude(ctx context.Context) {
	var found []result.Finding
	buckets := r.failures.sorted()
	efforts := r.efforts()
	for i, b := range buckets {
		r.progress("minimizing", i, len(buckets))
		found = append(found, r.finding(ctx, b, &efforts[b.key.entry]))
	}
	found = merge(slices.Concat(found, r.related(ctx, efforts), r.laddered))
	r.apply(found)
	slices.SortStableFunc(found, result.CompareFindings)
	r.run.Findings = found
	for i := range found {
		r.emit(result.Record{Finding: &found[i]})
	}
	r.run.Footer = result.Footer{
		Scores: r.scores, Stale: r.stale, Interrupted: ctx.Err() != nil, Questions: int(r.asked.Load()),
		Seconds: time.Since(r.began).Seconds(), CasesPerSec: r.rate,
	}
	r.emit(result.Record{Footer: &r.run.Footer})
}

// finding turns a bucket into a finding: the shortest input, made shorter, with
// its effect proved.
func (r *runner) finding(ctx context.Context, b *bucket, e *effort) result.Finding {
	key, shortest := b.key, b.shortest
	s := r.alive(key.entry, 0)
	own, done := e.begin(ctx)
	defer done()
	if s != nil && shortest.op == result.OpCanon && !(r.cfg.Smoke && r.expected(b)) {
		shortest = r.minimized(own, s, b, e)
	}
	f := r.raw(key, shortest)
	if key.outcome == result.Refused && s != nil && shortest.op == result.OpCanon {
		d := refusalClause(shortest.input, func(doc []byte) bool {
			return ask(own, s, result.Question{Op: result.OpCanon, Input: doc}).Kind == result.OK
		})
		if own.Err() == nil { // else some of the questions were not asked
			f.Requirement, f.Signature, f.Group = d.Requirement, d.Signature, clauseGroup(d.Requirement)
		}
	}
	if r.effect(ctx, s, &f, shortest.verdict, b); f.Effect != result.Collision && b.collided.partner != nil {
		shortest = b.collided
		f = r.raw(key, shortest)
		r.collides(&f, shortest.partner)
	}
	f.Count, f.Vectors, f.Cases = b.count, b.vectors, b.cases
	f.Replay = r.replay(key.entry, &f, shortest)
	return cut(f)
}

// cut bounds what a finding holds.
func cut(f result.Finding) result.Finding {
	f.Input, f.Actual, f.Expected, f.Partner = clipBytes(f.Input), clipBytes(f.Actual), clipBytes(f.Expected), clipBytes(f.Partner)
	return f
}

// expected reports whether the baseline knows every failure of a bucket.
func (r *runner) expected(b *bucket) bool {
	return b.generated == 0 && !slices.ContainsFunc(b.vectors, func(id string) bool {
		return r.known[answerKey{b.key.entry, id}] == nil
	})
}

// describe adds what the verdict says.
func describe(f *result.Finding, v verdict.Verdict) {
	f.Verdict, f.Expected, f.Differ = string(v.Kind), v.Canonical, -1
	for _, reason := range v.Reasons {
		f.Reasons = append(f.Reasons, reason.String())
	}
	if f.Expected != nil && f.Given == result.OK {
		f.Differ = result.FirstDifference(f.Expected, f.Actual)
	}
	if len(v.Owed) > 0 {
		e := v.Owed[0]
		f.Fault = &result.Fault{
			Reason: e.Reason.String(), Requirement: e.Requirement,
			Offset: e.Offset, Line: e.Line, Column: e.Column, Pointer: e.Pointer,
		}
	}
}

// minimized makes a bucket's shortest input smaller while it stays in the
// bucket, and gives the answer to what is left: whatever keep holds for is the
// smallest so far.
func (r *runner) minimized(ctx context.Context, s Subject, b *bucket, e *effort) failure {
	best := b.shortest
	tries := min(2000, e.tries)
	switch best.answer.Kind {
	case result.Crashed, result.ProtocolError:
		tries = min(tries, 40) // a process is started again for each
	case result.Hung:
		tries = min(tries, 10) // each takes as long as the limit
	}
	if r.cfg.Minimize == nil || ctx.Err() != nil || tries <= 0 || len(best.input) > 1<<20 {
		return best
	}
	speaks := s.Info().Reasons
	keep := func(input []byte) bool {
		e.tries--
		if ctx.Err() != nil {
			return false
		}
		v := verdict.Of(r.cfg.Profile, input)
		a := ask(ctx, s, result.Question{Op: result.OpCanon, Input: input})
		o := Judge(v, a, speaks)
		if o != b.key.outcome || o == result.Refused && r.tooDeep(ctx, b.key.entry, 0, v.Depth) {
			return false
		}
		f := failure{op: result.OpCanon, input: input, answer: a, verdict: v, number: b.shortest.number}
		key := keyOf(b.key.entry, f, o)
		key.traits = b.key.traits
		if key != b.key {
			return false
		}
		best = f
		best.input, best.answer.Bytes = bytes.Clone(input), bytes.Clone(clipOutput(f).answer.Bytes)
		best.answer.Message, best.answer.Stderr = clip(a.Message, keptMessage), clip(a.Stderr, keptMessage)
		return true
	}
	r.cfg.Minimize(bytes.Clone(best.input), keep, tries)
	return best
}

// effect says what a finding means to a signer, and proves a collision by
// showing the other input.
func (r *runner) effect(ctx context.Context, s Subject, f *result.Finding, v verdict.Verdict, b *bucket) {
	switch f.Outcome {
	case result.Crash, result.Hang, result.Slow, result.Protocol:
		f.Effect = result.DenialOfService
		return
	case result.Refused, result.WrongReason:
		f.Effect = result.Refusal
		return
	}
	if f.Op != result.OpCanon {
		f.Effect = result.Split
		return
	}
	if len(f.Actual) > maxOutput(f.InputSize) {
		f.Effect = result.InvalidOutput
		return
	}
	if partner, ok := r.partner(ctx, s, f, v, b); ok {
		r.collides(f, partner)
		return
	}
	switch out := verdict.Of(r.cfg.Profile, f.Actual); {
	case out.Kind == verdict.Reject:
		f.Effect = result.InvalidOutput
	case f.Outcome == result.Diverged && !bytes.Equal(out.Canonical, v.Canonical) && !bytes.Equal(out.Canonical, f.Actual):
		f.Effect = result.InvalidOutput
	default:
		f.Effect = result.Split
	}
}

// collides says that another input is given the same bytes.
func (r *runner) collides(f *result.Finding, partner []byte) {
	f.Effect, f.Partner = result.Collision, partner
	f.PartnerVerdict = string(verdict.Of(r.cfg.Profile, partner).Kind)
}

// partner finds another input with another canonical form, or none, to which
// the implementation gives the same bytes.
func (r *runner) partner(ctx context.Context, s Subject, f *result.Finding, v verdict.Verdict, b *bucket) ([]byte, bool) {
	out := verdict.Of(r.cfg.Profile, f.Actual)
	differs := f.Outcome == result.Accepted && out.Kind == verdict.Accept ||
		f.Outcome == result.Diverged && out.Kind != verdict.Reject && !bytes.Equal(out.Canonical, v.Canonical)
	if differs && s != nil && ctx.Err() == nil {
		a := ask(ctx, s, result.Question{Op: result.OpCanon, Input: f.Actual})
		if a.Kind == result.OK && bytes.Equal(a.Bytes, f.Actual) {
			return f.Actual, true
		}
	}
	for _, id := range b.vectors {
		if p, ok := r.partners[answerKey{b.key.entry, id}]; ok && bytes.Equal(p.own, f.Input) {
			return p.other, true
		}
	}
	return nil, false
}

// replay gives the command that shows a finding again.
func (r *runner) replay(entry int, f *result.Finding, shortest failure) string {
	selection := ""
	switch {
	case f.Op == result.OpCanon && len(f.Input) <= 256:
		selection = "--input " + cmp.Or(f.Input.String(), "-")
	case shortest.vector != nil:
		selection = "--vector " + shortest.vector.ID
	default:
		selection = fmt.Sprintf("--seed %d --case %d", r.cfg.Seed, shortest.number)
	}
	return r.command(entry, selection)
}

// command gives the command that asks a selection again.
func (r *runner) command(entry int, selection string) string {
	if r.cfg.Profile != 0 {
		selection += " --profile " + r.cfg.Profile.String()
	}
	if replay := r.cfg.Entries[entry].Replay; replay != nil {
		return replay(selection)
	}
	return "touchstone check --peer " + r.cfg.Entries[entry].Name + " " + selection
}

// merge joins findings that turned out to be one kind: the same clause, outcome,
// effect and signature. The shortest input stands for all.
func merge(found []result.Finding) []result.Finding {
	type kind struct {
		subject, requirement, signature string
		outcome                         result.Outcome
		effect                          result.Effect
	}
	index := map[kind]int{}
	var merged []result.Finding
	for _, f := range found {
		k := kind{f.Subject, f.Requirement, f.Signature, f.Outcome, f.Effect}
		i, ok := index[k]
		if !ok {
			index[k] = len(merged)
			merged = append(merged, f)
			continue
		}
		m := &merged[i]
		count := m.Count + f.Count
		ids := slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.Vectors, f.Vectors))))
		cases := m.Cases
		for _, n := range f.Cases {
			cases = insertSmall(cases, n, keptCases)
		}
		if cmp.Or(cmp.Compare(f.InputSize, m.InputSize), bytes.Compare(f.Input, m.Input)) < 0 {
			*m = f
		}
		m.Count, m.Vectors, m.Cases = count, ids, cases
	}
	return merged
}

// apply compares findings with the baselines and completes the scores.
func (r *runner) apply(found []result.Finding) {
	index := map[string]int{}
	for i, e := range r.cfg.Entries {
		index[e.Name] = i
	}
	for k := range found {
		f := &found[k]
		i := index[f.Subject]
		f.Known, f.Unknown = r.knownBy(i, f)
		score := &r.scores[i]
		score.Findings++
		score.Found[f.Group]++
		if f.Known == nil {
			score.New++
		}
	}
	for i, e := range r.cfg.Entries {
		if why := r.dead[i].Load(); why != nil {
			r.scores[i].NoStart = *why
			continue
		}
		if r.cfg.Complete || r.cfg.Smoke {
			for _, stale := range r.matchers[i].Stale(r.cfg.Complete) {
				stale.Subject = e.Name
				r.stale = append(r.stale, stale)
			}
		}
	}
}

// knownBy gives what the baseline says of a finding, or nil and the vectors
// that it does not know.
func (r *runner) knownBy(entry int, f *result.Finding) (*result.Known, []string) {
	var by []*baseline.Entry
	var unknown []string
	for _, id := range f.Vectors {
		if e := r.known[answerKey{entry, id}]; e != nil {
			by = append(by, e)
		} else {
			unknown = append(unknown, id)
		}
	}
	if f.Count > len(f.Vectors) {
		e := r.matchers[entry].Generated(f.Requirement, f.Outcome, f.Effect)
		if e == nil {
			return nil, unknown
		}
		by = append(by, e)
	}
	if len(by) == 0 || len(unknown) > 0 {
		return nil, unknown
	}
	return baseline.Known(by), nil
}
