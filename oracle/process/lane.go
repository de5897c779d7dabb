package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// A lane is one conversation: a process, replaced when it fails, and what is
// in flight to it. One goroutine uses it at a time.
type lane struct {
	w        *Wire
	child    *child
	lines    *wire.Reader
	greeting wire.Greeting
	lastID   uint64
	fresh    bool  // the process has answered no question
	broken   error // it would not start again; final
	flight   []request
	bytes    int     // in flight
	asked    []int32 // index in the batch of each id after base
	base     uint64
	last     int    // index of the question answered last, -1 if there is none
	out      []byte // requests not yet sent
}

// A request is in flight.
type request struct {
	id    uint64
	index int
	size  int
	sent  time.Time // zero if it is not measured
}

// maxFlight bounds the bytes in flight, unless one question is larger.
const maxFlight = 1 << 20

// A failure is what ends a conversation before its time.
type failure struct {
	kind    result.AnswerKind
	message string
	stderr  string
	culprit int // the index to blame where the protocol tells, else -1
	stale   bool
}

func (f *failure) answer() result.Answer {
	return result.Answer{Kind: f.kind, Message: f.message, Stderr: f.stderr}
}

// start starts a process and exchanges greetings.
func (l *lane) start(ctx context.Context) error {
	w := l.w
	w.counts.starts.Add(1)
	c, err := spawn(w.command, w.options, w.mark, (*child).hurry)
	if err != nil {
		return &StartError{Command: display(w.command), Cause: err}
	}
	defer context.AfterFunc(ctx, func() { c.kill("interrupted") })()
	l.lines = wire.NewReader(c.out, wire.MaxGreeting)
	c.in.send(wire.AppendHello(nil, w.options.Profile.String()))
	line, err := c.readLine(l.lines, w.options.StartLimit)
	if err != nil {
		err = readError(c, l.lines, err, w.options.StartLimit).error()
	} else {
		l.greeting, err = l.greeted(line)
	}
	if err != nil {
		c.end("it was killed, since its greeting was wrong")
		return &StartError{Command: display(w.command), Cause: err, Stderr: c.stderr.String()}
	}
	l.lines.SetLimit(2*w.options.MaxOutput + 128)
	l.child, l.fresh, l.lastID = c, true, 0
	return nil
}

func (f *failure) error() error { return errors.New(f.message) }

// greeted takes the first line of a process.
func (l *lane) greeted(line []byte) (wire.Greeting, error) {
	greeting, err := wire.ParseGreeting(line)
	if err != nil {
		return greeting, err
	}
	if extra := l.lines.Buffered(); len(extra) > 0 {
		return greeting, fmt.Errorf("it spoke before it was asked: %s", wire.Quote(extra))
	}
	if first := l.w.greeting; first.Window > 0 && !reflect.DeepEqual(first, greeting) {
		return greeting, errors.New("its greeting is another one than the first time")
	}
	return greeting, nil
}

// ready sees to it that a process is there. Where none is to be asked, or none
// starts, it gives the answer that stands for it.
func (l *lane) ready(ctx context.Context) *result.Answer {
	if why := l.w.counts.spent(l.w.options); why != "" {
		return &result.Answer{Kind: result.Skipped, Message: why, Unasked: true}
	}
	if l.child != nil && l.child.ended() {
		l.stop("it was replaced")
	}
	var err error
	for range 3 {
		if l.child == nil && l.broken == nil && ctx.Err() == nil {
			err = l.start(ctx)
		}
	}
	switch {
	case ctx.Err() != nil:
		return &interrupted
	case l.child == nil:
		l.broken = cmp.Or(l.broken, err)
		return noStart(l.broken)
	}
	return nil
}

// stop ends the process and forgets what was in flight.
func (l *lane) stop(why string) {
	l.child.end(why)
	l.w.counts.sampled(l.child.resident.Load())
	l.child = nil
	l.flight, l.bytes, l.out = l.flight[:0], 0, l.out[:0]
}

// run works on the batch until there is nothing left to take.
func (l *lane) run(b *batch) {
	for {
		if instead := l.ready(b.ctx); instead != nil {
			b.fill(*instead)
			return
		}
		exact := l.fresh
		f := l.converse(b, b.take, l.w.info.Window)
		if f == nil {
			return
		}
		l.settle(b, f, exact)
	}
}

func noStart(err error) *result.Answer {
	a := &result.Answer{Kind: result.NoStart, Message: err.Error()}
	var start *StartError
	if errors.As(err, &start) {
		a.Stderr = start.Stderr
	}
	return a
}

// settle finds out which question a failure is due to. Each that was in
// flight is asked again alone, and the one answered just before as well, since
// a program may die, or say too much, after its reply. Where none of them
// fails alone, a death is laid at the door of the oldest in flight, which the
// process was working on if it answers in order, and marked as flaky; a line
// that is no reply at the door of the one before.
func (l *lane) settle(b *batch, f *failure, fresh bool) {
	var suspects []int
	for _, r := range l.flight {
		suspects = append(suspects, r.index)
	}
	last := l.last
	l.stop("")
	if b.ctx.Err() != nil { // it was killed, and whatever it did is no answer
		for _, s := range suspects {
			b.answers[s] = interrupted
		}
		return
	}
	blamed := f.stale || f.kind == result.Hung // somebody else, or who is not known yet
	switch {
	case f.culprit >= 0:
		b.answers[f.culprit], blamed = f.answer(), true
	case len(suspects) == 1 && fresh && last < 0: // it was alone already
		b.answers[suspects[0]] = f.answer()
		return
	case blamed:
	case last >= 0:
		blamed = !l.cleared(b, last, l.w.options.linger)
	}
	for _, s := range suspects {
		if !l.cleared(b, s, l.w.options.linger/10) {
			blamed = true
		}
	}
	if blamed {
		return
	}
	door := suspects[0]
	if f.kind == result.ProtocolError && last >= 0 {
		door = last
	}
	b.answers[door] = f.flaky("asked again alone, it answered")
}

func (f *failure) flaky(note string) result.Answer {
	a := f.answer()
	a.Message += "; " + note
	a.Flaky = true
	return a
}

// cleared asks one question with nothing else in flight and reports whether it
// is answered, and so not to blame. A failure of a process that had answered
// others before is tried once more in a fresh one. After its reply the program is
// watched for a while, a longer one where it is suspected of what it does after
// replies.
func (l *lane) cleared(b *batch, index int, linger time.Duration) bool {
	var before *failure
	for {
		if instead := l.ready(b.ctx); instead != nil {
			if b.answers[index].Kind == "" { // else it was answered before it came under suspicion
				b.answers[index] = *instead
			}
			return false
		}
		fresh := l.fresh
		once := true
		f := l.converse(b, func() (int, bool) {
			defer func() { once = false }()
			return index, once
		}, 1)
		if f == nil {
			f = l.after(b.ctx, index, linger)
		}
		switch {
		case f == nil && before != nil && before.kind != result.Hung:
			b.answers[index] = before.flaky("a fresh process answered it")
			return false
		case f == nil:
			return true
		}
		l.stop("")
		if fresh {
			b.answers[index] = f.answer()
			return false
		}
		if !f.stale {
			before = f
		}
	}
}

// converse asks what next gives, up to window at a time, until it gives
// nothing and everything is answered, or until the conversation fails. Then
// flight holds what was not answered, the oldest first.
func (l *lane) converse(b *batch, next func() (int, bool), window int) *failure {
	c := l.child // by the time of the call the lane may have another
	defer context.AfterFunc(b.ctx, func() { c.kill("interrupted") })()
	l.base, l.asked, l.last = l.lastID, l.asked[:0], -1
	measured := window == 1 || len(b.questions) == 1
	for open := true; ; {
		for open && len(l.flight) < window && (len(l.flight) == 0 || l.bytes < maxFlight) {
			var index int
			if index, open = next(); open {
				l.ask(b, index, measured)
			}
		}
		if len(l.flight) == 0 {
			if extra := l.lines.Buffered(); len(extra) > 0 {
				return l.fail(b.ctx, tooMuch(l.last, extra))
			}
			return nil
		}
		line, err := l.line()
		if err != nil {
			return l.fail(b.ctx, readError(l.child, l.lines, err, l.w.options.CaseLimit))
		}
		if f := l.reply(b, line); f != nil {
			return l.fail(b.ctx, f)
		}
	}
}

// line gives the next line, for which everything asked so far is sent, unless it
// has come already.
func (l *lane) line() ([]byte, error) {
	if l.lines.Ready() {
		return l.lines.ReadLine()
	}
	l.child.in.send(l.out)
	l.out = l.out[:0]
	return l.child.readLine(l.lines, l.w.options.CaseLimit)
}

func tooMuch(index int, extra []byte) *failure {
	return &failure{kind: result.ProtocolError, culprit: index,
		message: "it wrote more than its reply: " + wire.Quote(extra)}
}

// after sees whether the program dies or says more soon after its reply to a
// suspect.
func (l *lane) after(ctx context.Context, index int, linger time.Duration) *failure {
	l.child.readBy(time.Now().Add(linger))
	line, err := l.lines.ReadLine()
	switch {
	case err == nil:
		return l.fail(ctx, tooMuch(index, line))
	case len(l.lines.Buffered()) > 0:
		return l.fail(ctx, tooMuch(index, l.lines.Buffered()))
	case errors.Is(err, io.EOF):
		f := readError(l.child, l.lines, err, linger)
		f.culprit, f.message = index, "after its reply "+f.message
		return l.fail(ctx, f)
	}
	return nil
}

// ask puts one question in flight, or answers it at once if it cannot be
// asked.
func (l *lane) ask(b *batch, index int, measured bool) {
	q := b.questions[index]
	size := wire.RequestSize(string(q.Op), q.Input)
	if !l.w.info.Serves(q.Op) {
		b.answers[index] = result.Answer{Kind: result.Skipped, Message: "the operation is not announced"}
		return
	}
	if size > l.greeting.MaxLine {
		b.answers[index] = result.Answer{Kind: result.Skipped,
			Message: fmt.Sprintf("the question is longer than the %d bytes announced as maxline", l.greeting.MaxLine)}
		return
	}
	l.lastID++
	r := request{id: l.lastID, index: index, size: size}
	if measured {
		r.sent = time.Now()
	}
	l.asked = append(l.asked, int32(index))
	l.flight = append(l.flight, r)
	l.bytes += size
	l.out = wire.AppendRequest(l.out, r.id, string(q.Op), q.Input)
}

// reply takes one line and stores the answer.
func (l *lane) reply(b *batch, line []byte) *failure {
	r, err := wire.ParseReply(line)
	if err != nil {
		return &failure{kind: result.ProtocolError, culprit: -1, message: err.Error()}
	}
	id := idOf(r.ID)
	for i, q := range l.flight {
		if q.id != id {
			continue
		}
		a := answerOf(r)
		if !q.sent.IsZero() {
			a.Elapsed = max(1, time.Since(q.sent))
		}
		b.answers[q.index] = a
		l.w.counts.answers()
		l.bytes -= q.size
		if i == 0 {
			l.flight = l.flight[1:]
		} else {
			l.flight = append(l.flight[:i], l.flight[i+1:]...)
		}
		l.fresh = false
		l.last = q.index
		return nil
	}
	return l.unknown(id, line)
}

// idOf reads a number as it is written to a program; anything else gives one
// that no question has.
func idOf(text []byte) uint64 {
	if text[0] == '0' {
		return 0
	}
	id, _ := strconv.ParseUint(string(text), 10, 64)
	return id
}

// unknown is for a reply to a question that is not in flight.
func (l *lane) unknown(id uint64, line []byte) *failure {
	f := &failure{kind: result.ProtocolError, culprit: -1}
	switch {
	case id == 0 || id > l.lastID:
		f.message = "it replied to a question that was not asked: " + wire.Quote(line)
	case id > l.base:
		f.culprit = int(l.asked[id-l.base-1])
		f.message = "it replied twice to one question: " + wire.Quote(line)
	default:
		f.stale = true
		f.message = "it replied again to an earlier question: " + wire.Quote(line)
	}
	return f
}

func answerOf(r wire.Reply) result.Answer {
	switch r.Status {
	case wire.OK:
		return result.Answer{Kind: result.OK, Bytes: r.Payload}
	case wire.Reject:
		return result.Answer{Kind: result.Rejected, Reason: r.Reason, Message: bounded(r.Message)}
	case wire.Skip:
		return result.Answer{Kind: result.Skipped}
	default:
		message := "the adapter could not ask"
		if len(r.Message) > 0 {
			message += ": " + bounded(r.Message)
		}
		return result.Answer{Kind: result.ProtocolError, Message: message}
	}
}

// maxMessage bounds what is kept of a message.
const maxMessage = 1000

func bounded(text []byte) string { return string(text[:min(len(text), maxMessage)]) }

// fail ends the process, so that its fate and its standard error are known,
// and counts the failure.
func (l *lane) fail(ctx context.Context, f *failure) *failure {
	l.child.end("")
	f.stderr = l.child.stderr.String()
	if ctx.Err() == nil {
		l.w.counts.count(f.kind)
	}
	return f
}

// readError says what it means that no line could be read.
func readError(c *child, lines *wire.Reader, err error, limit time.Duration) *failure {
	f := &failure{kind: result.Crashed, culprit: -1}
	switch {
	case errors.Is(err, wire.ErrLineTooLong):
		f.kind, f.message = result.ProtocolError, err.Error()
	case errors.Is(err, os.ErrDeadlineExceeded) && c.waits():
		f.kind = result.Hung
		f.message = fmt.Sprintf("no answer within %v", limit)
		if part := lines.Buffered(); len(part) > 0 {
			f.message += ", only " + wire.Quote(part)
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.kind, f.message = result.ProtocolError, err.Error()
		if c.settled() {
			f.message += "; " + c.fate()
		}
	case c.settled():
		f.message = c.fate()
	case c.in.broken():
		f.message = "it closed its standard input and lived on"
	default:
		f.message = "it closed its standard output and lived on"
	}
	return f
}

// bye ends the conversation in good manners and says what was wrong with it.
func (l *lane) bye() string {
	l.broken = errClosed
	c := l.child
	if c == nil {
		return ""
	}
	c.in.send([]byte(wire.Bye + "\n"))
	c.in.finish()
	c.readBy(time.Now().Add(byeLimit))
	line, err := l.lines.ReadLine()
	wrong := ""
	switch {
	case err == nil:
		wrong = "after bye it wrote " + wire.Quote(line)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, wire.ErrLineTooLong):
		wrong = "after bye: " + err.Error()
	case errors.Is(err, os.ErrDeadlineExceeded) && !c.gone():
		wrong = fmt.Sprintf("it did not end within %v of bye", byeLimit)
	default:
		c.settled()
	}
	l.stop("it was killed after bye")
	return wrong
}

// byeLimit is how long a program may take to end after bye.
const byeLimit = 2 * time.Second
