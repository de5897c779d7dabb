package check

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// batch is how many questions go to an implementation at once.
const batch = 64

// keptMessage bounds what is kept of a message or of standard error.
const keptMessage = 4096

// maxAgain is how many hangs of one implementation are given a second chance.
const maxAgain = 8

// ErrNothing is returned by Run if the selection is empty.
var ErrNothing = errors.New("check: nothing to ask: no vector, no input and no generated case is selected")

// Run asks everybody everything and gives what came of it. Each record goes to
// cfg.Emit as it comes. When ctx ends, what was found so far is returned, with
// the footer's Interrupted set and no error. An error means that the run itself
// went wrong: cfg.Emit failed, or a vector and the reference disagree.
func Run(ctx context.Context, cfg Config) (*result.Run, error) {
	if len(cfg.Vectors) == 0 && len(cfg.Inputs) == 0 && cfg.Cases == 0 {
		return nil, ErrNothing
	}
	cases, err := judgeable(cfg.Profile, cfg.Vectors)
	if err != nil {
		return nil, err
	}
	r := newRunner(cfg, cases)
	r.open(ctx)
	defer r.close()
	r.emit(result.Record{Header: r.header()})
	r.parallel(ctx, "vectors", len(r.cases), r.askVectors)
	r.collide()
	r.probe(ctx)
	r.parallel(ctx, "inputs", len(cfg.Inputs), r.askInputs)
	generated, before := time.Now(), r.asked.Load()
	r.parallel(ctx, "generated cases", cfg.Cases, r.askGenerated)
	if ctx.Err() == nil && r.asked.Load() > before {
		r.rate = perSecond(cfg.Cases, time.Since(generated))
	}
	if cfg.RelateInputs {
		r.parallel(ctx, "relations of inputs", len(cfg.Inputs), r.relateInputs)
	}
	r.parallel(ctx, "relations", cfg.Relations, r.relateGenerated)
	r.climb(ctx)
	r.conclude(ctx)
	return &r.run, r.err
}

// perSecond is finite, however coarse the clock.
func perSecond(n int, took time.Duration) float64 { return float64(n) / max(took, 1).Seconds() }

// A vectorCase is a vector and the verdict of the run's profile.
type vectorCase struct {
	vector  vectors.Vector
	verdict verdict.Verdict
}

// judgeable pairs the vectors that the profile judges with their verdicts, and
// holds the two sources of verdicts against each other.
func judgeable(p reject.Profile, all []vectors.Vector) ([]vectorCase, error) {
	var cases []vectorCase
	for _, v := range all {
		expect, ok := v.Expect[p]
		if !ok || v.Status == vectors.Retired {
			continue
		}
		judged := verdict.Verdict{
			Profile: p, Kind: verdict.Kind(expect.Verdict), Canonical: expect.Output, Reasons: expect.Reasons,
		}
		if v.Op == vectors.OpCanon {
			judged = verdict.Of(p, v.Input)
			if string(judged.Kind) != expect.Verdict || expect.Output != nil && !judged.Right(expect.Output) {
				return nil, fmt.Errorf("check: vector %s says %s under %s, the reference %s: one of them is wrong", v.ID, expect.Verdict, p, judged.Kind)
			}
		}
		cases = append(cases, vectorCase{v, judged})
	}
	return cases, nil
}

// runner is the state of one run.
type runner struct {
	cfg      Config
	cases    []vectorCase
	subjects [][]Subject // by entry, then by worker; nil if it would not start
	failures *collector
	began    time.Time
	batch    int // questions at once
	workers  int
	rate     float64
	asked    atomic.Int64

	mu       sync.Mutex // guards what follows
	run      result.Run
	err      error
	scores   []result.Score
	digests  map[answerKey]given
	partners map[answerKey]partner // of vectors in a collision
	breaches map[breached]*breaches
	laddered []result.Finding
	stale    []result.Stale
	matchers []*baseline.Matcher
	known    map[answerKey]*baseline.Entry
	dead     []atomic.Pointer[string]
	again    []atomic.Int64 // by entry: questions asked again because they hung
	probes   []sync.Once    // by entry: measuring its limits
	seen     map[kind]bool  // kinds of failure told to cfg.Found
}

func newRunner(cfg Config, cases []vectorCase) *runner {
	return &runner{
		cfg: cfg, cases: cases, began: time.Now(), failures: newCollector(), digests: map[answerKey]given{},
		partners: map[answerKey]partner{}, known: map[answerKey]*baseline.Entry{},
	}
}

type answerKey struct {
	entry  int
	vector string
}

// given is what an implementation gave for a vector.
type given struct {
	ok      bool
	digest  [sha256.Size]byte
	outcome result.Outcome
}

// open starts every implementation once for each worker.
func (r *runner) open(ctx context.Context) {
	r.batch = batch
	for _, e := range r.cfg.Entries {
		r.batch = min(r.batch, cmp.Or(e.Batch, batch))
	}
	longest := max(len(r.cases), len(r.cfg.Inputs), r.cfg.Cases, r.cfg.Relations)
	r.workers = min(max(r.cfg.Workers, 1), max(1, (longest+r.batch-1)/r.batch))
	r.subjects = make([][]Subject, len(r.cfg.Entries))
	r.scores = make([]result.Score, len(r.cfg.Entries))
	r.dead = make([]atomic.Pointer[string], len(r.cfg.Entries))
	r.again = make([]atomic.Int64, len(r.cfg.Entries))
	r.probes = make([]sync.Once, len(r.cfg.Entries))
	for i, e := range r.cfg.Entries {
		r.matchers = append(r.matchers, e.Baseline.Matcher(r.cfg.Profile))
		r.scores[i] = result.Score{
			Subject: e.Name, Groups: map[string]result.Tally{}, Found: map[string]int{}, Outcomes: map[result.Outcome]int{},
		}
		for range r.workers {
			s, err := e.Open(ctx)
			if err != nil {
				r.kill(i, whyNot(err))
				break
			}
			r.subjects[i] = append(r.subjects[i], s)
		}
	}
}

// whyNot says why an implementation would not start, with its last words.
func whyNot(err error) string {
	var start *process.StartError
	if !errors.As(err, &start) {
		return err.Error()
	}
	why := start.Cause.Error()
	if last := strings.TrimSpace(start.Stderr); last != "" {
		why += "; on standard error: " + last[max(0, len(last)-600):]
	}
	return why
}

func (r *runner) close() {
	var group sync.WaitGroup
	for _, list := range r.subjects {
		for _, s := range list {
			group.Go(func() { s.Close() }) // its answers are in; how it ends is no part of them
		}
	}
	group.Wait()
}

// kill gives an implementation up: it cannot be started.
func (r *runner) kill(entry int, why string) {
	why = clip(why, keptMessage)
	r.dead[entry].CompareAndSwap(nil, &why)
}

// alive gives a worker's own Subject, nil if the implementation was given up.
func (r *runner) alive(entry, worker int) Subject {
	if r.dead[entry].Load() != nil {
		return nil
	}
	return r.subjects[entry][worker]
}

func (r *runner) header() *result.Header {
	h := r.cfg.Header
	h.Format, h.Profile, h.Seed = result.Format, r.cfg.Profile.String(), r.cfg.Seed
	h.Vectors, h.Cases, h.Inputs, h.Complete = len(r.cases), r.cfg.Cases, len(r.cfg.Inputs), r.cfg.Complete
	h.Relations = r.cfg.Relations
	for i, e := range r.cfg.Entries {
		subject := result.Subject{Name: e.Name}
		if s := r.subjects[i]; len(s) > 0 {
			subject = clipSubject(s[0].Info().AsSubject())
			subject.Name = e.Name
		}
		subject.Mode = e.Mode
		h.Subjects = append(h.Subjects, subject)
	}
	for _, q := range reject.Requirements() {
		h.Clauses = append(h.Clauses, result.Clause{ID: q.ID, Source: q.Source, Section: q.Section, Group: string(q.Group), Text: q.Text})
	}
	r.run.Header = h
	return &h
}

// clipSubject bounds what an implementation says of itself.
func clipSubject(s result.Subject) result.Subject {
	for _, field := range []*string{&s.Version, &s.Lineage, &s.Language, &s.Homepage, &s.Command} {
		*field = clip(*field, 300)
	}
	return s
}

// emit hands a record on. The first error ends the run's records.
func (r *runner) emit(record result.Record) {
	if r.cfg.Emit == nil || r.err != nil {
		return
	}
	r.err = r.cfg.Emit(record)
}

// parallel splits n questions into batches and hands them to the workers, each
// with its number.
func (r *runner) parallel(ctx context.Context, phase string, n int, do func(ctx context.Context, worker, from, to int)) {
	var next, done atomic.Int64
	var group sync.WaitGroup
	for worker := range r.workers {
		group.Go(func() {
			for {
				to := int(next.Add(int64(r.batch)))
				from := to - r.batch
				if from >= n || ctx.Err() != nil {
					return
				}
				to = min(to, n)
				do(ctx, worker, from, to)
				r.progress(phase, int(done.Add(int64(to-from))), n)
			}
		})
	}
	group.Wait()
}

func (r *runner) progress(phase string, done, total int) {
	if r.cfg.Progress == nil {
		return
	}
	found := r.failures.len()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cfg.Progress(Progress{Phase: phase, Done: done, Total: total, Findings: found, Asked: int(r.asked.Load()), Planned: r.planned()})
}

// put asks one implementation a batch. It gives nil if the implementation was
// given up or the run was interrupted.
func (r *runner) put(ctx context.Context, entry, worker int, questions []result.Question) []result.Answer {
	s := r.alive(entry, worker)
	if s == nil || len(questions) == 0 {
		return nil
	}
	answers := s.Ask(ctx, questions)
	if ctx.Err() != nil {
		return nil
	}
	r.asked.Add(int64(len(questions)))
	for i := range questions {
		if i >= len(answers) {
			answers = append(answers, result.Answer{Kind: result.ProtocolError, Message: "no answer"})
		}
		a := &answers[i]
		if a.Unasked {
			r.leftOut(entry, a.Message)
		}
		// A process has had as much of the processor as its limit is; what runs
		// within this one is told by the clock.
		if a.Kind == result.Hung && r.cfg.Entries[entry].Mode == "" && r.again[entry].Add(1) <= maxAgain {
			*a = ask(ctx, s, questions[i]) // alone, and perhaps on a machine that is less busy
			if ctx.Err() != nil {
				return nil
			}
		}
		if a.Kind == result.NoStart {
			r.kill(entry, a.Message)
			return nil
		}
		a.Message, a.Stderr, a.Reason = clip(a.Message, keptMessage), clip(a.Stderr, keptMessage), clip(a.Reason, 100)
	}
	return answers
}

// leftOut counts a question that an implementation was not asked any more.
func (r *runner) leftOut(entry int, why string) {
	r.asked.Add(-1)
	r.mu.Lock()
	defer r.mu.Unlock()
	score := &r.scores[entry]
	score.Unasked++
	score.Why = clip(why, 300)
}

// clip bounds a hostile string.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// askVectors puts a range of vectors to everybody.
func (r *runner) askVectors(ctx context.Context, worker, from, to int) {
	for i, e := range r.cfg.Entries {
		if r.alive(i, worker) == nil {
			continue
		}
		info := r.subjects[i][worker].Info()
		var cases []vectorCase
		var questions []result.Question
		for _, c := range r.cases[from:to] {
			op := result.Op(c.vector.Op)
			if !info.Serves(op) {
				r.vector(i, e, c, result.Answer{Kind: result.Skipped}, result.Skip, false)
				continue
			}
			cases = append(cases, c)
			questions = append(questions, result.Question{Op: op, Input: c.vector.Input})
		}
		answers := r.put(ctx, i, worker, questions)
		for k, a := range answers {
			c := cases[k]
			o := Judge(c.verdict, a, info.Reasons)
			limited := o == result.Refused && questions[k].Op == result.OpCanon && r.limited(ctx, i, worker, c.verdict, c.vector.Input)
			r.vector(i, e, c, a, o, limited)
		}
	}
}

// vector notes what came of one vector.
func (r *runner) vector(entry int, e Entry, c vectorCase, a result.Answer, o result.Outcome, limited bool) {
	record := result.VectorResult{Subject: e.Name, Vector: c.vector.ID, Outcome: o, Limited: limited}
	f := failure{op: result.Op(c.vector.Op), input: c.vector.Input, answer: a, verdict: c.verdict, vector: &c.vector}
	fails := failed(o) && !limited
	var key bucketKey
	if fails {
		key = keyOf(entry, f, o)
		record.Requirement, record.Expected, record.Message = key.departure.Requirement, string(c.verdict.Kind), a.Message
		if a.Kind == result.OK {
			sum := sha256.Sum256(a.Bytes)
			record.Digest = hex.EncodeToString(sum[:])
		}
	}
	if r.tally(entry, c, &record, a); fails {
		r.fail(key, f, &record)
	}
}

// tally counts what came of one vector, and looks it up in the baseline.
func (r *runner) tally(entry int, c vectorCase, record *result.VectorResult, a result.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	judged, o, limited := record.Outcome, record.Outcome, record.Limited
	if limited {
		judged = result.Pass
	}
	if by := r.matchers[entry].Vector(c.vector.ID, judged, record.Digest); by != nil {
		r.known[answerKey{entry, c.vector.ID}], record.Known = by, true
	}
	score := &r.scores[entry]
	score.Vectors.Add(o, limited)
	score.Outcomes[o]++
	for group := range groupsOf(c.vector.Clauses) {
		tally := score.Groups[group]
		tally.Add(o, limited)
		score.Groups[group] = tally
	}
	if a.Kind == result.OK {
		r.digests[answerKey{entry, c.vector.ID}] = given{true, sha256.Sum256(a.Bytes), o}
	}
	r.run.Vectors = append(r.run.Vectors, *record)
	r.emit(result.Record{Vector: record})
}

func groupsOf(clauses []string) map[string]bool {
	groups := map[string]bool{}
	for _, id := range clauses {
		groups[clauseGroup(id)] = true
	}
	return groups
}

// askInputs puts inputs given by hand to everybody.
func (r *runner) askInputs(ctx context.Context, worker, from, to int) {
	r.askDocuments(ctx, worker, r.cfg.Inputs[from:to], uint64(from), 1)
}

// askGenerated puts a range of generated cases to everybody.
func (r *runner) askGenerated(ctx context.Context, worker, from, to int) {
	r.askDocuments(ctx, worker, r.generated(from, to), r.cfg.First+uint64(from), 0)
}

// generated gives a range of generated documents, in memory of their own.
func (r *runner) generated(from, to int) [][]byte {
	generate := r.cfg.Generator(r.cfg.Seed)
	documents := make([][]byte, to-from)
	for i := range documents {
		documents[i] = bytes.Clone(generate(r.cfg.First + uint64(from+i)))
	}
	return documents
}

// askDocuments judges documents; number is the first one's. every overrides the
// entries' own share unless it is 0.
func (r *runner) askDocuments(ctx context.Context, worker int, documents [][]byte, number uint64, every int) {
	verdicts := make([]verdict.Verdict, len(documents))
	for k, doc := range documents {
		verdicts[k] = verdict.Of(r.cfg.Profile, doc)
	}
	for i, e := range r.cfg.Entries {
		if r.alive(i, worker) == nil {
			continue
		}
		share := uint64(max(e.Every, 1))
		if every > 0 {
			share = uint64(every)
		}
		var chosen []int
		var questions []result.Question
		for k, doc := range documents {
			if (number+uint64(k))%share == 0 {
				chosen = append(chosen, k)
				questions = append(questions, result.Question{Op: result.OpCanon, Input: doc})
			}
		}
		r.judgeDocuments(ctx, i, worker, chosen, questions, verdicts, number)
	}
}

func (r *runner) judgeDocuments(ctx context.Context, entry, worker int, chosen []int, questions []result.Question, verdicts []verdict.Verdict, number uint64) {
	answers := r.put(ctx, entry, worker, questions)
	if answers == nil {
		return
	}
	speaks := r.subjects[entry][worker].Info().Reasons
	var tally result.Tally
	outcomes := map[result.Outcome]int{}
	for k, a := range answers {
		v := verdicts[chosen[k]]
		o := Judge(v, a, speaks)
		limited := o == result.Refused && r.limited(ctx, entry, worker, v, questions[k].Input)
		tally.Add(o, limited)
		outcomes[o]++
		if failed(o) && !limited {
			f := failure{op: result.OpCanon, input: questions[k].Input, answer: a, verdict: v, number: number + uint64(chosen[k])}
			r.fail(keyOf(entry, f, o), f, nil)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	score := &r.scores[entry]
	score.Generated = score.Generated.Plus(tally)
	for o, n := range outcomes {
		score.Outcomes[o] += n
	}
}
