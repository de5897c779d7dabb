package peer

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// defaultWindow is how many requests a served peer lets come at once.
const defaultWindow = 256

// Serve lets the peer speak the line protocol, one conversation. A panic of
// the peer ends the process, as the protocol wants it.
func (p Peer) Serve(in io.Reader, out io.Writer) error {
	scripts := &scriptHost{}
	defer scripts.close()
	return p.serve(in, out, scripts.ask)
}

// serve is Serve; script answers what runs a script.
func (p Peer) serve(in io.Reader, out io.Writer, script func(Peer, reject.Profile, result.Question) result.Answer) error {
	info := p.Info()
	greeting := wire.Greeting{
		Name: p.Name, Version: info.Version, Window: defaultWindow, MaxLine: maxLine, Reasons: info.Reasons,
	}
	for _, op := range info.Ops {
		greeting.Ops = append(greeting.Ops, string(op))
	}
	return wire.Serve(in, out, wire.Server{
		Greeting: greeting,
		Open: func(name string) (func(string, []byte) wire.Reply, error) {
			profile, err := reject.ParseProfile(name)
			if err != nil {
				return nil, err
			}
			e := p.open(profile)
			return func(op string, payload []byte) wire.Reply {
				q := result.Question{Op: result.Op(op), Input: payload}
				if q.Op == result.OpJS {
					return reply(script(p, profile, q))
				}
				return reply(e.answer(q))
			}, nil
		},
	})
}

// maxLine lets inputs of 256 MiB through.
const maxLine = 512<<20 + 64

// One answers one question in the calling goroutine, without a guard.
func (p Peer) One(profile reject.Profile, q result.Question) result.Answer {
	return p.open(profile).answer(q)
}

func reply(a result.Answer) wire.Reply {
	switch a.Kind {
	case result.OK:
		return wire.Reply{Status: wire.OK, Payload: a.Bytes}
	case result.Rejected:
		return wire.Reply{Status: wire.Reject, Reason: a.Reason, Message: []byte(a.Message)}
	case result.Skipped:
		return wire.Reply{Status: wire.Skip}
	default:
		return wire.Reply{Status: wire.Error, Message: []byte(a.Message)}
	}
}

// workerName is the environment variable that makes any program that links
// this package a worker process: it serves the peer of that name, or the peers of
// several, and ends.
// So a test binary is its own worker as well as the command is.
const workerName = "TOUCHSTONE_WORKER"

func init() {
	name, ok := os.LookupEnv(workerName)
	if !ok {
		return
	}
	os.Unsetenv(workerName)
	defer func() {
		if p := recover(); p != nil {
			panic(p)
		}
		os.Exit(2) // the peer ended its goroutine, and nothing would answer any more
	}()
	if err := serveWorker(name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serveWorker(name string) error {
	if names, ok := strings.CutPrefix(name, together); ok {
		return serveTogether(strings.Split(names, ","))
	}
	p, err := Lookup(name)
	if err != nil {
		return err
	}
	return p.serve(os.Stdin, os.Stdout, Peer.One) // the worker of scripts is this one
}

// A scriptHost runs the scripts of a conversation in a worker process, which
// can be killed and has a limit of memory.
type scriptHost struct{ subject *Subject }

func (h *scriptHost) ask(p Peer, profile reject.Profile, q result.Question) result.Answer {
	if h.subject == nil {
		h.subject = p.Open(Options{Profile: profile, Isolate: true})
	}
	return h.subject.Ask(context.Background(), []result.Question{q})[0]
}

func (h *scriptHost) close() {
	if h.subject != nil {
		h.subject.Close()
	}
}
