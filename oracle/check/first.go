package check

import (
	"context"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A kind is what two failures have in common that are told as one while a run
// goes on. What only further questions can tell is left out.
type kind struct {
	entry     int
	outcome   result.Outcome
	departure Departure
	message   string
}

// fail notes a failure, and tells the first of a kind that no baseline knows.
// record is what came of its vector; nil if it is of no vector.
func (r *runner) fail(key bucketKey, f failure, record *result.VectorResult) {
	r.failures.add(key, f)
	if r.cfg.Found == nil || record != nil && record.Known {
		return
	}
	k := kind{key.entry, key.outcome, key.departure, key.message}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[k] || len(r.seen) >= maxBuckets || record == nil && r.foreseen(k) {
		return
	}
	if r.seen == nil {
		r.seen = map[kind]bool{}
	}
	r.seen[k] = true
	r.cfg.Found(cut(r.raw(key, f)))
}

// foreseen reports whether the baseline knows a failure of generated documents,
// whatever its effect turns out to be.
func (r *runner) foreseen(k kind) bool {
	return slices.ContainsFunc(r.cfg.Entries[k.entry].Baseline.Entries(), func(e *baseline.Entry) bool {
		return e.Pattern == "" && e.Profile == r.cfg.Profile && e.Requirement == k.departure.Requirement && e.Outcome == k.outcome
	})
}

// raw is a finding as it was found.
func (r *runner) raw(key bucketKey, f failure) result.Finding {
	f = clipOutput(f)
	found := result.Finding{
		Subject: r.cfg.Entries[key.entry].Name, Outcome: key.outcome, Profile: r.cfg.Profile.String(), Op: f.op,
		Requirement: key.departure.Requirement, Group: clauseGroup(key.departure.Requirement), Signature: key.departure.Signature,
		Input: f.input, InputSize: len(f.input), Given: f.answer.Kind, Count: 1,
		ReasonGiven: f.answer.Reason, Message: f.answer.Message, Stderr: f.answer.Stderr,
	}
	if f.answer.Kind == result.OK {
		found.Actual = f.answer.Bytes
	}
	describe(&found, f.verdict)
	if f.vector != nil {
		found.Vectors = []string{f.vector.ID}
	} else {
		found.Cases = []uint64{f.number}
	}
	return found
}

// An effort is what may still be spent on minimizing the findings of one
// implementation.
type effort struct {
	tries int
	time  time.Duration // as long as it is bounded
	whole time.Duration // what it was in the beginning; 0 for no bound
}

func (r *runner) efforts() []effort {
	all := make([]effort, len(r.cfg.Entries))
	for i, e := range r.cfg.Entries {
		all[i] = effort{tries: e.Tries, time: e.Patience, whole: e.Patience}
		if e.Tries == 0 {
			all[i].tries = 20_000
		}
	}
	return all
}

// begin gives the context of one finding, which ends when its share of the time
// is used; done takes what was used away.
func (e *effort) begin(ctx context.Context) (own context.Context, done func()) {
	if e.whole == 0 {
		return ctx, func() {}
	}
	began := time.Now()
	own, cancel := context.WithTimeout(ctx, min(e.time, e.whole/4))
	return own, func() {
		cancel()
		e.time -= time.Since(began)
	}
}

// perRelated is about how many questions the relations ask of one document.
const perRelated = 25

// planned is how many questions the run will put, as far as can be foreseen.
func (r *runner) planned() int {
	n, related := 0, 0
	if r.cfg.RelateInputs {
		related = perRelated * len(r.cfg.Inputs)
	}
	for _, e := range r.cfg.Entries {
		n += len(r.cases) + len(r.cfg.Inputs) + related + (r.cfg.Cases+perRelated*r.cfg.Relations)/max(e.Every, 1)
	}
	return n
}
