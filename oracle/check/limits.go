package check

import (
	"bytes"
	"context"
	"slices"
	"sort"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// ProbeDepth is the depth up to which limits are measured.
const ProbeDepth = 10_000

// nests gives a plain document nested n deep.
var nests = []func(n int) []byte{
	func(n int) []byte {
		return append(bytes.Repeat([]byte{'['}, n), bytes.Repeat([]byte{']'}, n)...)
	},
	func(n int) []byte {
		doc := bytes.Repeat([]byte(`{"a":`), n-1)
		return append(append(doc, '{'), bytes.Repeat([]byte{'}'}, n)...)
	},
}

// maxFailedProbes is how many probes may die or get no answer before the limits
// are measured no further.
const maxFailedProbes = 2

// A depthProbe measures the depth limits of one implementation.
type depthProbe struct {
	ask    func(result.Question) result.Answer
	fail   func(result.Question, result.Answer) // receives crashes and hangs
	failed int
}

// measure finds the deepest nest of arrays and of objects that is accepted, by
// bisection. A crash or hang on the way is a failure of its own. What gives no
// answer costs as long as the limit of time, so that after two of these nothing
// more is asked; what was not measured to its end is as if it was not measured.
func (p *depthProbe) measure() result.Limits {
	if p.ask(result.Question{Op: result.OpCanon, Input: nests[0](1)}).Kind == result.Skipped {
		return result.Limits{} // it does not serve the profile
	}
	limits := result.Limits{Probed: ProbeDepth}
	for i, limit := range []*int{&limits.Arrays, &limits.Objects} {
		*limit = deepest(func(n int) bool { return p.accepts(nests[i](n)) })
	}
	if p.failed >= maxFailedProbes && limits.Arrays == 0 && limits.Objects == 0 {
		return result.Limits{}
	}
	return limits
}

func (p *depthProbe) accepts(text []byte) bool {
	if p.failed >= maxFailedProbes {
		return false
	}
	q := result.Question{Op: result.OpCanon, Input: text}
	a := p.ask(q)
	switch {
	case a.Kind == result.Hung:
		p.failed++
		p.fail(q, a)
	case a.Kind == result.Crashed:
		p.fail(q, a)
	case a.Unasked:
		p.failed = maxFailedProbes
	}
	return a.Kind == result.OK
}

// full reports whether the run is one in which limits are measured, and not one
// that asks a few chosen documents.
func (r *runner) full() bool { return r.cfg.Complete || r.cfg.Cases > 1 }

// limits measures the depth limits of an implementation, once.
func (r *runner) limits(ctx context.Context, entry, worker int) result.Limits {
	r.probes[entry].Do(func() {
		p := depthProbe{
			ask: func(q result.Question) result.Answer { return r.one(ctx, entry, worker, q) },
			fail: func(q result.Question, a result.Answer) {
				v := verdict.Of(r.cfg.Profile, q.Input)
				f := failure{op: q.Op, input: q.Input, answer: a, verdict: v}
				r.fail(keyOf(entry, f, Judge(v, a, false)), f, nil)
			},
		}
		limits := p.measure()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.scores[entry].Limits = limits
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scores[entry].Limits
}

// probe sees to it that every implementation's limits are in the report.
func (r *runner) probe(ctx context.Context) {
	if !r.full() {
		return
	}
	for i := range r.cfg.Entries {
		r.progress("depth limits", i, len(r.cfg.Entries))
		r.limits(ctx, i, 0)
	}
}

// tooDeep reports whether a limit of depth explains a refusal: a measured one,
// or, where a few documents are asked alone, that a plain nest as deep is refused
// too.
func (r *runner) tooDeep(ctx context.Context, entry, worker, depth int) bool {
	switch {
	case depth <= 1:
		return false
	case r.full():
		return explains(r.limits(ctx, entry, worker), depth)
	}
	return slices.ContainsFunc(nests, func(nest func(int) []byte) bool {
		return r.one(ctx, entry, worker, result.Question{Op: result.OpCanon, Input: nest(depth)}).Kind == result.Rejected
	})
}

// limited reports whether a limit explains the refusal of a right document.
func (r *runner) limited(ctx context.Context, entry, worker int, v verdict.Verdict, input []byte) bool {
	if r.tooDeep(ctx, entry, worker, v.Depth) {
		return true
	}
	return slices.ContainsFunc(twins(input), func(twin []byte) bool {
		return r.one(ctx, entry, worker, result.Question{Op: result.OpCanon, Input: twin}).Kind == result.Rejected
	})
}

// depths are tried first, so that a limit of 1,000 costs few deep documents.
var depths = []int{1, 4, 16, 64, 256, 1024, 4096, ProbeDepth}

// deepest gives the largest n up to ProbeDepth that is accepted, if acceptance
// ends somewhere; Unlimited if ProbeDepth is accepted, 0 if 1 is not.
func deepest(accepts func(n int) bool) int {
	low := 0
	for _, high := range depths {
		if !accepts(high) {
			return low + sort.Search(high-low-1, func(i int) bool { return !accepts(low + 1 + i) })
		}
		low = high
	}
	return result.Unlimited
}

// explains reports whether measured limits explain the refusal of a document
// nested depth deep.
func explains(l result.Limits, depth int) bool {
	for _, limit := range []int{l.Arrays, l.Objects} {
		if limit > 0 && depth > limit {
			return true
		}
	}
	return false
}

// one puts one question; an implementation that was given up, or a run that has
// ended, gives nothing.
func (r *runner) one(ctx context.Context, entry, worker int, q result.Question) result.Answer {
	if answers := r.put(ctx, entry, worker, []result.Question{q}); len(answers) == 1 {
		return answers[0]
	}
	return result.Answer{Kind: result.Skipped}
}

// ask puts one question.
func ask(ctx context.Context, s Subject, q result.Question) result.Answer {
	answers := s.Ask(ctx, []result.Question{q})
	if len(answers) != 1 {
		return result.Answer{Kind: result.ProtocolError, Message: "no answer"}
	}
	return answers[0]
}
