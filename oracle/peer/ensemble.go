package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// An Ensemble is peers that share one worker process and are asked together, in
// one round trip. Where any of them dies or hangs, nobody's answer is told: who
// is to blame is for a [Subject] of each to say. It is not safe for concurrent
// use.
type Ensemble struct {
	names   []string
	infos   []result.Info
	profile reject.Profile
	limit   time.Duration
	child   *process.Wire // nil until it is needed, and after a failure
}

// OpenEnsemble gives the peers of those names, to be asked together. limit is
// for one answer; it may be short, since nobody is blamed.
func OpenEnsemble(names []string, profile reject.Profile, limit time.Duration) (*Ensemble, error) {
	e := &Ensemble{names: slices.Clone(names), profile: profile, limit: limit}
	for _, name := range names {
		p, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		e.infos = append(e.infos, p.Info())
	}
	return e, nil
}

// Infos says who the peers are, in the order of their names. It is not to be
// changed.
func (e *Ensemble) Infos() []result.Info { return e.infos }

// Ask asks everybody for the canonical form of a document. It is ok if each gave
// one, refused, or does not serve the profile, and then has their answers in the
// order of their names. Nothing is shared with the answers.
func (e *Ensemble) Ask(ctx context.Context, document []byte) (answers []result.Answer, ok bool) {
	if e.child == nil {
		child, err := e.start(ctx)
		if err != nil {
			return nil, false
		}
		e.child = child
	}
	questions := make([]result.Question, len(e.names))
	for i := range questions {
		questions[i] = result.Question{Op: result.OpCanon, Input: slices.Insert(slices.Clone(document), 0, byte(i))}
	}
	answers = e.child.Ask(ctx, questions)
	for _, a := range answers {
		served := a.Kind == result.Skipped && a.Message == "" // it says itself that it does not serve this
		if a.Kind != result.OK && a.Kind != result.Rejected && !served {
			e.Close()
			return nil, false
		}
	}
	return answers, true
}

func (e *Ensemble) start(ctx context.Context) (*process.Wire, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("peer: the worker process: %w", err)
	}
	return process.OpenWire(ctx, []string{self}, process.Options{
		Name: "together", Profile: e.profile, CaseLimit: e.limit, MaxCrashes: 1, MaxHangs: 1,
		Env: []string{workerName + "=" + together + strings.Join(e.names, ",")},
	})
}

// Close ends the worker process. The ensemble may be asked again.
func (e *Ensemble) Close() error {
	if e.child == nil {
		return nil
	}
	defer func() { e.child = nil }()
	return e.child.Close()
}

// together begins the name of the worker that serves several peers.
const together = "together:"

// errVoice says that a question to an ensemble names none of its peers.
var errVoice = errors.New("the first byte names no peer")

// serveTogether lets peers speak the line protocol in one conversation: the
// first byte of a payload says who is asked.
func serveTogether(names []string) error {
	return wire.Serve(os.Stdin, os.Stdout, wire.Server{
		Greeting: wire.Greeting{Name: "together", Window: defaultWindow, MaxLine: maxLine},
		Open: func(name string) (func(string, []byte) wire.Reply, error) {
			profile, err := reject.ParseProfile(name)
			if err != nil {
				return nil, err
			}
			var engines []engine
			for _, name := range names {
				p, err := Lookup(name)
				if err != nil {
					return nil, err
				}
				engines = append(engines, p.open(profile))
			}
			return func(op string, payload []byte) wire.Reply {
				return oneOf(engines, result.Op(op), payload)
			}, nil
		},
	})
}

// oneOf is the reply of the engine that the payload names.
func oneOf(engines []engine, op result.Op, payload []byte) wire.Reply {
	if len(payload) == 0 || int(payload[0]) >= len(engines) {
		return wire.Reply{Status: wire.Error, Message: []byte(errVoice.Error())}
	}
	return reply(engines[payload[0]].answer(result.Question{Op: op, Input: payload[1:]}))
}
