package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// ErrNotAnnounced is what replaying a transcript gives that needs what the
// adapter's greeting does not announce.
var ErrNotAnnounced = errors.New("process: the adapter does not announce it")

// Replay plays a transcript to a fresh process of an adapter. The error says
// which line was expected and what came instead, with the tail of standard
// error, all of it printable.
func Replay(ctx context.Context, command []string, t wire.Transcript, o Options) error {
	o = o.withDefaults(1)
	mark := newMark()
	c, err := spawn(command, o, mark, (*child).hurry)
	if err != nil {
		return &StartError{Command: display(command), Cause: err}
	}
	defer sweep(mark)
	stop := context.AfterFunc(ctx, func() { c.kill("interrupted") })
	p := player{child: c, lines: wire.NewReader(c.out, o.MaxOutput), limit: o.StartLimit, rest: t.Steps}
	err = p.play(t.Needs, o.CaseLimit)
	stop()
	c.end("")
	if err == nil || errors.Is(err, ErrNotAnnounced) {
		return err
	}
	if last := strings.TrimSpace(c.stderr.String()); last != "" {
		err = fmt.Errorf("%w; on standard error: %s", err, wire.Printable([]byte(last[max(0, len(last)-300):]), 300))
	}
	return err
}

// A player plays what is left of a transcript.
type player struct {
	child *child
	lines *wire.Reader
	limit time.Duration // for the next line
	rest  []wire.Step
}

func (p *player) play(needs []wire.Need, limit time.Duration) error {
	for len(p.rest) > 0 {
		step := p.rest[0]
		switch step.Action {
		case wire.Send:
			p.child.in.send([]byte(step.Line + "\n"))
		case wire.Close:
			p.child.in.finish()
		case wire.End:
			return p.end()
		case wire.Expect:
			line, err := p.expect()
			if err != nil {
				return err
			}
			if !strings.HasPrefix(line, "hello ") {
				continue
			}
			greeting, err := wire.ParseGreeting([]byte(line))
			if err != nil {
				return err
			}
			for _, need := range needs {
				if !need.MetBy(greeting) {
					return fmt.Errorf("%w: %s", ErrNotAnnounced, need)
				}
			}
			p.limit = limit
			continue
		}
		p.rest = p.rest[1:]
	}
	return nil
}

// expect takes one line that matches any of the next expectations, and
// removes that expectation.
func (p *player) expect() (string, error) {
	wanted := p.rest[:1]
	for len(wanted) < len(p.rest) && p.rest[len(wanted)].Action == wire.Expect {
		wanted = p.rest[:len(wanted)+1]
	}
	line, err := p.child.readLine(p.lines, p.limit)
	if err != nil {
		return "", fmt.Errorf("expected %s, and %s", show(wanted[0]), p.instead(err))
	}
	for i, step := range wanted {
		if step.Matches(string(line)) {
			p.rest = slices.Delete(slices.Clone(p.rest), i, i+1)
			return string(line), nil
		}
	}
	return "", fmt.Errorf("expected %s, got %s", show(wanted[0]), wire.Quote(line))
}

func show(s wire.Step) string {
	if s.Open {
		return wire.Quote([]byte(s.Line)) + " and maybe more"
	}
	return wire.Quote([]byte(s.Line))
}

// instead says what happened where a line was expected.
func (p *player) instead(err error) string {
	return readError(p.child, p.lines, err, p.limit).message
}

// end expects the process to end without another line.
func (p *player) end() error {
	line, err := p.child.readLine(p.lines, p.limit)
	switch {
	case err == nil:
		return fmt.Errorf("expected the end, got %s", wire.Quote(line))
	case errors.Is(err, io.EOF) && p.child.settled():
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded) && !p.child.gone():
		return fmt.Errorf("it did not end within %v", p.limit)
	default:
		return fmt.Errorf("expected the end, and %s", p.instead(err))
	}
}
