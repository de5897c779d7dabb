package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// An Exec is a program that takes one document on its standard input and
// writes its canonical form on its standard output, one process a question.
// It is safe for concurrent use.
type Exec struct {
	command []string
	options Options
	info    result.Info
	mark    string
	life    context.Context
	end     context.CancelFunc
	closing sync.Mutex
	counts  counts
}

// OpenExec asks the program for {}, which must give {}: what does not is no
// canonicalizer, or not started as it should be. The error is then a
// *StartError.
func OpenExec(ctx context.Context, command []string, o Options) (*Exec, error) {
	if len(command) == 0 {
		return nil, errors.New("process: no command is given")
	}
	e := &Exec{command: command, options: o.withDefaults(2), mark: newMark()}
	e.options.Limits.CPU = cmp.Or(o.Limits.CPU, 2*e.options.CaseLimit+time.Second)
	for status, kind := range e.options.Statuses {
		if !slices.Contains([]result.AnswerKind{result.OK, result.Rejected, result.Skipped}, kind) {
			return nil, fmt.Errorf("process: the status map gives %d the answer %q: choose ok, reject or skip", status, kind)
		}
	}
	e.life, e.end = context.WithCancel(context.Background())
	e.info = result.Info{
		Name: cmp.Or(o.Name, filepath.Base(command[0])), Command: display(command), Ops: []result.Op{result.OpCanon},
		Window: e.options.Processes,
	}
	probe := e.one(ctx, []byte("{}"), e.options.StartLimit)
	if probe.Kind != result.OK || string(probe.Bytes) != "{}" {
		e.Close()
		return nil, &StartError{Command: display(command), Cause: probeError(probe), Stderr: probe.Stderr}
	}
	return e, nil
}

func probeError(a result.Answer) error {
	switch a.Kind {
	case result.OK:
		switch {
		case string(bytes.TrimRight(a.Bytes, "\r\n")) == "{}":
			return fmt.Errorf("asked for {}, it gave %s: it must write no line end behind the canonical form, since nothing is trimmed", wire.Quote(a.Bytes))
		case string(bytes.TrimSpace(a.Bytes)) == "{}":
			return fmt.Errorf("asked for {}, it gave %s; nothing is trimmed: it must write the canonical form and nothing else", wire.Quote(a.Bytes))
		}
		return fmt.Errorf("asked for {}, it gave %s", wire.Quote(a.Bytes))
	case result.NoStart:
		return errors.New(a.Message)
	default:
		return fmt.Errorf("asked for {}, the answer was %s: %s", a.Kind, wire.Printable([]byte(a.Message), 200))
	}
}

// Info says who the program is, as far as one can know.
func (e *Exec) Info() result.Info { return e.info }

// Stats counts what happened so far.
func (e *Exec) Stats() Stats { return e.counts.stats() }

// Ask asks every question, several at once, and gives the answers in the
// questions' order. When the context ends, what is not answered is Skipped.
func (e *Exec) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.life, cancel)()
	b := &batch{ctx: ctx, questions: questions, answers: make([]result.Answer, len(questions))}
	var running sync.WaitGroup
	for range min(e.options.Processes, len(questions)) {
		running.Go(func() {
			for i, ok := b.take(); ok; i, ok = b.take() {
				b.answers[i] = e.answer(ctx, questions[i])
			}
		})
	}
	running.Wait()
	return b.answers
}

func (e *Exec) answer(ctx context.Context, q result.Question) result.Answer {
	if q.Op != result.OpCanon {
		return result.Answer{Kind: result.Skipped, Message: "exec mode knows no operation but canon"}
	}
	if why := e.counts.spent(e.options); why != "" {
		return result.Answer{Kind: result.Skipped, Message: why, Unasked: true}
	}
	if ctx.Err() != nil {
		return interrupted
	}
	a := e.one(ctx, q.Input, e.options.CaseLimit)
	if ctx.Err() != nil || e.life.Err() != nil { // Close may kill before the context knows
		return interrupted
	}
	e.counts.count(a.Kind)
	return a
}

// one runs one process.
func (e *Exec) one(ctx context.Context, input []byte, limit time.Duration) result.Answer {
	e.counts.starts.Add(1)
	begin := time.Now()
	c, err := spawn(e.command, e.options, e.mark, func(*child) {}) // it may answer all the same
	if err != nil {
		return result.Answer{Kind: result.NoStart, Message: err.Error()}
	}
	defer context.AfterFunc(ctx, func() { c.kill("interrupted") })()
	c.in.send(input)
	c.in.finish()
	p := c.patience(time.Now(), limit)
	output, readErr := c.readAll(p, e.options.MaxOutput)
	a := result.Answer{}
	switch {
	case errors.Is(readErr, errFlood):
		c.end("it was killed, since it wrote more than it may")
		a.Kind = result.ProtocolError
		a.Message = fmt.Sprintf("it wrote more than %d bytes: %s", e.options.MaxOutput, wire.Quote(output))
	case errors.Is(readErr, os.ErrDeadlineExceeded) || !c.endsBy(p):
		c.end("it was killed, since it did not end")
		a.Kind, a.Message = result.Hung, fmt.Sprintf("it did not end within %v", limit)
	default:
		c.end("")
		a = e.read(c, output)
	}
	e.counts.sampled(c.resident.Load())
	a.Elapsed = time.Since(begin)
	if a.Kind != result.OK {
		a.Stderr = c.stderr.String()
	}
	return a
}

// read takes the answer from a process that has ended.
func (e *Exec) read(c *child, output []byte) result.Answer {
	status := c.status()
	kind, known := e.options.Statuses[status]
	switch {
	case !known && status != -1:
		return result.Answer{Kind: result.Crashed, Message: fmt.Sprintf("%s; if it refuses so, say --refuse-status %d", c.fate(), status)}
	case !known:
		return result.Answer{Kind: result.Crashed, Message: c.fate()}
	case kind == result.OK:
		return result.Answer{Kind: result.OK, Bytes: output}
	default:
		return result.Answer{Kind: kind, Message: c.fate()}
	}
}

// Close ends what still runs and returns when nothing is left of it.
func (e *Exec) Close() error {
	e.closing.Lock()
	defer e.closing.Unlock()
	if e.life.Err() != nil {
		return nil
	}
	e.end()
	sweep(e.mark)
	return nil
}

var errFlood = errors.New("process: more output than allowed")

// readAll reads to the end of the stream, to the end of the process, though
// another may hold the stream open, to the end of patience, or to the first byte
// beyond limit; its memory grows with what arrives.
func (c *child) readAll(p *patience, limit int) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, bytes.MinRead))
	in := io.LimitReader(c.out, int64(limit)+1)
	c.readBy(p.until)
	_, err := out.ReadFrom(in)
	for errors.Is(err, os.ErrDeadlineExceeded) {
		switch {
		case c.gone(): // what it has left is all there is
			c.lastLook()
			out.ReadFrom(in)
			err = nil
		case p.more():
			c.readBy(p.until)
			_, err = out.ReadFrom(in)
		default:
			return out.Bytes(), err
		}
	}
	if out.Len() > limit {
		return out.Bytes()[:limit], errFlood
	}
	return out.Bytes(), nil
}
