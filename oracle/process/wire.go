package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// A Wire is a program that speaks the line protocol, in one process or
// several. It is safe for concurrent use.
type Wire struct {
	command  []string
	options  Options
	greeting wire.Greeting
	info     result.Info
	mark     string
	all      []*lane
	free     chan *lane
	life     context.Context // ends with Close
	end      context.CancelFunc
	closing  sync.Mutex
	counts   counts
}

// counts are the parts of Stats.
type counts struct {
	starts, crashes, hangs, protocol atomic.Int64

	mu       sync.Mutex
	resident int64 // the greatest

	answered atomic.Bool // some question
}

// answers notes that a question was answered.
func (c *counts) answers() {
	if !c.answered.Load() { // a load is free where many count, a store is not
		c.answered.Store(true)
	}
}

func (c *counts) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{
		Starts: int(c.starts.Load()), Crashes: int(c.crashes.Load()), Hangs: int(c.hangs.Load()),
		ProtocolErrors: int(c.protocol.Load()), Resident: c.resident,
	}
}

func (c *counts) count(kind result.AnswerKind) {
	switch kind {
	case result.Hung:
		c.hangs.Add(1)
	case result.Crashed:
		c.crashes.Add(1)
	case result.ProtocolError:
		c.protocol.Add(1)
	case result.OK, result.Rejected, result.Skipped:
		c.answers()
	}
}

func (c *counts) sampled(size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resident = max(c.resident, size)
}

// maxMute is how many questions a program may leave without an answer in time
// that has never answered one.
const maxMute = 3

// spent says why nothing more may be asked, or "". A negative bound is beyond
// every count.
func (c *counts) spent(o Options) string {
	if n := c.crashes.Load() + c.protocol.Load(); uint64(n) >= uint64(o.MaxCrashes) {
		return fmt.Sprintf("the program failed %d times before", n)
	}
	if n := c.hangs.Load(); n >= maxMute && !c.answered.Load() {
		return fmt.Sprintf("the program has never answered, and %d times not in time", n)
	}
	if n := c.hangs.Load(); uint64(n) >= uint64(o.MaxHangs) {
		return fmt.Sprintf("the program did not answer in time %d times before", n)
	}
	return ""
}

// OpenWire starts the program and exchanges greetings; one process more than
// the first is started when there is work for it. The error is a *StartError
// if the program is to blame.
func OpenWire(ctx context.Context, command []string, o Options) (*Wire, error) {
	if len(command) == 0 {
		return nil, errors.New("process: no command is given")
	}
	w := &Wire{command: command, options: o.withDefaults(1), mark: newMark()}
	w.life, w.end = context.WithCancel(context.Background())
	w.free = make(chan *lane, w.options.Processes)
	for range w.options.Processes {
		l := &lane{w: w}
		w.all = append(w.all, l)
		w.free <- l
	}
	first := w.all[0]
	if err := first.start(ctx); err != nil {
		w.Close()
		return nil, err
	}
	w.greeting = first.greeting
	w.info = result.Info{
		Name: cmp.Or(o.Name, w.greeting.Name, filepath.Base(command[0])), Version: w.greeting.Version, Command: display(command),
		Reasons: w.greeting.Reasons, Window: min(w.greeting.Window, w.options.Window),
	}
	for _, op := range w.greeting.Ops {
		w.info.Ops = append(w.info.Ops, result.Op(op))
	}
	return w, nil
}

// Info says what the greeting said.
func (w *Wire) Info() result.Info { return w.info }

// Stats counts what happened so far.
func (w *Wire) Stats() Stats { return w.counts.stats() }

// Ask asks every question and gives the answers in the questions' order. When
// the context ends, what is not answered is Skipped, and the processes are
// killed. The questions must not change meanwhile; nothing is shared with the
// answers.
func (w *Wire) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	b := &batch{questions: questions, answers: make([]result.Answer, len(questions))}
	if len(questions) == 0 {
		return b.answers
	}
	if w.life.Err() != nil {
		b.fill(result.Answer{Kind: result.NoStart, Message: errClosed.Error()})
		return b.answers
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.life, cancel)()
	b.ctx = ctx
	lanes := w.borrow(min(len(w.all), (len(questions)+w.info.Window-1)/w.info.Window))
	var running sync.WaitGroup
	for _, l := range lanes {
		running.Go(func() {
			defer func() { w.free <- l }()
			l.run(b)
		})
	}
	running.Wait()
	return b.answers
}

// borrow takes one lane at least, and others up to want if they are idle.
func (w *Wire) borrow(want int) []*lane {
	lanes := []*lane{<-w.free}
	for len(lanes) < want {
		select {
		case l := <-w.free:
			lanes = append(lanes, l)
		default:
			return lanes
		}
	}
	return lanes
}

// Close says bye, ends every process and returns when none is left. The error
// says what a process did after bye that it must not do; it is nil otherwise.
// A second call does nothing; an Ask that still runs is interrupted.
func (w *Wire) Close() error {
	w.closing.Lock()
	defer w.closing.Unlock()
	if w.life.Err() != nil {
		return nil
	}
	w.end()
	var wrong []string
	for range w.all {
		if what := (<-w.free).bye(); what != "" {
			wrong = append(wrong, what)
		}
	}
	// The lanes go back for an Ask that waits for one: it finds them closed.
	for _, l := range w.all {
		w.free <- l
	}
	sweep(w.mark)
	if len(wrong) > 0 {
		return fmt.Errorf("process: %s: %s", display(w.command), strings.Join(wrong, "; "))
	}
	return nil
}

// A batch is what one call of Ask is about. Each index is taken by one lane
// alone, which alone writes its answer.
type batch struct {
	ctx       context.Context
	questions []result.Question
	answers   []result.Answer
	next      atomic.Int64
}

func (b *batch) take() (int, bool) {
	i := int(b.next.Add(1)) - 1
	return i, i < len(b.questions)
}

// fill gives the same answer to all that is not taken.
func (b *batch) fill(a result.Answer) {
	for i, ok := b.take(); ok; i, ok = b.take() {
		b.answers[i] = a
	}
}

var interrupted = result.Answer{Kind: result.Skipped, Message: "not answered: interrupted"}
