package peer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Options says how to run a peer. The zero value of a field stands for its
// default.
type Options struct {
	Profile   reject.Profile
	CaseLimit time.Duration // for one question; 10 s
	Isolate   bool          // ask everything of the worker process
}

// A Subject is a peer as the oracle asks it. It is safe for concurrent use;
// one question is asked at a time.
type Subject struct {
	peer    Peer
	info    result.Info
	options Options

	mu     sync.Mutex
	worker *worker       // nil when everything goes to the worker process
	child  *process.Wire // nil until it is needed
	closed bool
}

// Open gives the peer of that name.
func Open(name string, o Options) (*Subject, error) {
	p, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return p.Open(o), nil
}

// Open gives the peer as a subject.
func (p Peer) Open(o Options) *Subject {
	o.CaseLimit = cmp.Or(o.CaseLimit, 10*time.Second)
	s := &Subject{peer: p, options: o, info: p.Info()}
	if !o.Isolate {
		s.worker = newWorker(p.open(o.Profile))
	}
	return s
}

// Info says who the peer is.
func (s *Subject) Info() result.Info { return s.info }

// Ask asks every question and gives the answers in the questions' order. When
// the context ends, what is not answered is Skipped. The questions must not
// change meanwhile, nor later if a call of the peer did not come back: it may
// still read them. Nothing is shared with the answers.
func (s *Subject) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	answers := make([]result.Answer, len(questions))
	var here, there []int // indexes
	for i, q := range questions {
		if s.worker == nil || q.Op == result.OpJS || Risky(q.Input) {
			there = append(there, i)
		} else {
			here = append(here, i)
		}
	}
	if s.worker != nil && !s.over(ctx) {
		got, ok := s.worker.ask(ctx, questions, here, s.options.CaseLimit)
		for k, a := range got {
			answers[here[k]] = a
		}
		if !ok { // a call did not come back, or the caller gave up on it
			there = append(there, here[len(got):]...)
			s.replace(ctx)
		}
	}
	s.isolated(ctx, questions, there, answers)
	for i := range answers {
		if answers[i].Kind == "" {
			answers[i] = result.Answer{Kind: result.Skipped, Message: "not answered: interrupted"}
		}
	}
	return answers
}

// over reports whether nothing is to be asked any more.
func (s *Subject) over(ctx context.Context) bool { return s.closed || ctx.Err() != nil }

// replace gives up a worker whose call did not come back. If it was the
// caller who gave up, the next batch may try in process again.
func (s *Subject) replace(ctx context.Context) {
	s.worker.abandon()
	s.worker = nil
	if ctx.Err() != nil {
		s.worker = newWorker(s.peer.open(s.options.Profile))
	}
}

// isolated asks the worker process.
func (s *Subject) isolated(ctx context.Context, questions []result.Question, indexes []int, answers []result.Answer) {
	if len(indexes) == 0 || s.over(ctx) {
		return
	}
	if s.child == nil {
		child, err := s.start(ctx)
		if err != nil {
			for _, i := range indexes {
				answers[i] = result.Answer{Kind: result.NoStart, Message: err.Error()}
			}
			return
		}
		s.child = child
	}
	asked := make([]result.Question, len(indexes))
	for k, i := range indexes {
		asked[k] = questions[i]
	}
	for k, a := range s.child.Ask(ctx, asked) {
		answers[indexes[k]] = a
	}
}

func (s *Subject) start(ctx context.Context) (*process.Wire, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("peer: the worker process: %w", err)
	}
	return process.OpenWire(ctx, []string{self}, process.Options{
		Name: s.peer.Name, Profile: s.options.Profile, CaseLimit: s.options.CaseLimit,
		Env: []string{workerName + "=" + s.peer.Name},
	})
}

// Close ends the peer. What is in flight is answered first.
func (s *Subject) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.worker != nil {
		s.worker.abandon()
	}
	if s.child != nil {
		return s.child.Close()
	}
	return nil
}

// Risky reports whether an input could end a process: by its size, or by so
// many brackets that a recursive reader runs out of stack, or that one which
// copies what it holds at each level runs out of memory.
func Risky(input []byte) bool {
	const maxSize, maxWork = 1 << 20, 1 << 28
	opening := bytes.Count(input, []byte{'['}) + bytes.Count(input, []byte{'{'})
	return len(input) > maxSize || int64(len(input))*int64(opening) > maxWork
}

// A worker is a goroutine that calls an engine.
type worker struct {
	engine    engine
	jobs      chan *job
	abandoned atomic.Bool
}

// A job is a part of a batch. Its answers up to done are the worker's no more.
type job struct {
	questions []result.Question
	indexes   []int
	answers   []result.Answer
	done      atomic.Int64
	finished  chan struct{}
}

func newWorker(e engine) *worker {
	w := &worker{engine: e, jobs: make(chan *job)}
	go func() {
		for j := range w.jobs {
			w.work(j)
		}
	}()
	return w
}

// abandon lets the goroutine end when its call comes back.
func (w *worker) abandon() {
	w.abandoned.Store(true)
	close(w.jobs)
}

func (w *worker) work(j *job) {
	defer close(j.finished)
	for k, i := range j.indexes {
		if w.abandoned.Load() {
			return
		}
		begin := time.Now()
		a := w.call(j.questions[i])
		a.Elapsed = max(1, time.Since(begin))
		j.answers[k] = a
		j.done.Store(int64(k + 1))
	}
}

// call is one call, with its panic caught.
func (w *worker) call(q result.Question) (a result.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = result.Answer{
				Kind: result.Crashed, Message: shorten(fmt.Sprintf("panic: %v", p)), Stderr: string(debug.Stack()),
			}
		}
	}()
	return w.engine.answer(q)
}

// ask has the worker answer questions. It is not ok if a call does not come
// back within the limit, or twice the limit at most, or before the context
// ends; then the answers so far are given and the worker is lost.
func (w *worker) ask(ctx context.Context, questions []result.Question, indexes []int, limit time.Duration) (answers []result.Answer, ok bool) {
	j := &job{
		questions: questions, indexes: indexes,
		answers: make([]result.Answer, len(indexes)), finished: make(chan struct{}),
	}
	w.jobs <- j
	tick := time.NewTicker(limit)
	defer tick.Stop()
	return j.wait(ctx, tick.C)
}

// wait is ok when all is answered. It is not if the context ends, if the worker's
// goroutine does, or if nothing was answered from one tick to the next.
func (j *job) wait(ctx context.Context, tick <-chan time.Time) (answers []result.Answer, ok bool) {
	for seen := int64(0); ; {
		select {
		case <-j.finished:
			done := int(j.done.Load()) // fewer than all if a call ended its goroutine
			return j.answers[:done], done == len(j.indexes)
		case <-ctx.Done():
			return j.answers[:j.done.Load()], false
		case <-tick:
			now := j.done.Load()
			if now == seen {
				return j.answers[:now], false
			}
			seen = now
		}
	}
}
