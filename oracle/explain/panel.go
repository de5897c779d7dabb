package explain

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// What is kept of an implementation's answer.
const (
	maxGiven   = 4096 // bytes of a wrong form
	maxMessage = 300  // bytes of a message
)

// Said is what an implementation makes of the document, judged. Its strings and
// bytes are hostile where the implementation is foreign.
type Said struct {
	Name        string            `json:"name"`
	Version     string            `json:"version,omitempty"`
	Lineage     string            `json:"lineage,omitempty"`
	Outcome     result.Outcome    `json:"outcome"`
	Answer      result.AnswerKind `json:"answer"`
	Right       bool              `json:"right"`            // it gave the canonical form
	Given       result.Hex        `json:"given,omitempty"`  // what it gave instead, at most 4,096 bytes
	Size        int               `json:"size,omitempty"`   // bytes of all that it gave instead
	Differ      int               `json:"differ,omitempty"` // the first byte in which that differs from the canonical form
	Reason      string            `json:"reason,omitempty"`
	Message     string            `json:"message,omitempty"`
	Requirement string            `json:"requirement,omitempty"` // the clause that a wrong answer breaks
	Signature   string            `json:"signature,omitempty"`   // what the wrong answer looks like
}

// A Voice is an implementation that can be asked.
type Voice struct {
	Name string
	Open func(reject.Profile) check.Subject
}

// Builtin gives the implementations of oracle/peer. With isolate set each runs
// in a worker process, which is killed when a document takes longer than limit;
// without, a call that does not come back keeps its goroutine.
func Builtin(limit time.Duration, isolate bool) []Voice {
	var all []Voice
	for _, p := range peer.All() {
		all = append(all, Voice{p.Name, func(profile reject.Profile) check.Subject {
			return p.Open(peer.Options{Profile: profile, CaseLimit: limit, Isolate: isolate})
		}})
	}
	return all
}

// A Panel asks implementations and keeps them open between documents. It is safe
// for concurrent use. Whoever dies, hangs or babbles is opened anew for the next
// document; whoever does not even return keeps one goroutine, and is not asked
// again until it does.
type Panel struct {
	limit  time.Duration
	seats  []*seat
	choirs *choirs // nil if all are asked one by one
}

// NewPanel makes a panel. limit is how long one voice may keep a document
// waiting, in all.
func NewPanel(voices []Voice, limit time.Duration) *Panel {
	p := &Panel{limit: limit}
	for _, v := range voices {
		p.seats = append(p.seats, &seat{voice: v, free: newTurn()})
	}
	return p
}

// IsolatedPanel is a panel of what Builtin gives, in worker processes. Small
// documents are put to one process that holds all of them, which costs a fraction
// of seven; where that fails, and for larger documents, each is asked alone.
func IsolatedPanel(limit, most time.Duration) *Panel {
	return isolatedPanel(limit, most, min(limit, choirLimit))
}

func isolatedPanel(limit, most, sung time.Duration) *Panel {
	p := NewPanel(Builtin(limit, true), most)
	p.together(func(profile reject.Profile) Choir {
		c, err := peer.OpenEnsemble(peer.Names(), profile, sung)
		if err != nil {
			panic(err) // the names are the table's own
		}
		return c
	})
	return p
}

// Explain explains a document and asks everyone, each judged by the profile. It
// returns when the context ends or the panel's limit has passed, whatever the
// implementations do, but goes on asking in the background until that limit.
// src is kept and must never change.
func (p *Panel) Explain(ctx context.Context, profile reject.Profile, src []byte) *Explanation {
	e, all := document(src)
	e.Judged = profile.String()
	e.Peers = make([]Said, len(p.seats))
	limited, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	if opinions, ok := p.choirs.ask(limited, p.limit, profile, src); ok {
		for i, s := range p.seats {
			e.Peers[i] = judge(s.voice.Name, opinions[i], all[profile], src)
		}
		return e
	}
	var wg sync.WaitGroup
	for i, s := range p.seats {
		wg.Go(func() { e.Peers[i] = s.said(limited, p.limit, profile, src, all[profile]) })
	}
	wg.Wait()
	return e
}

// Close ends what the panel keeps open. A voice that does not return is left.
func (p *Panel) Close() {
	p.choirs.close()
	for _, s := range p.seats {
		s.free.idle(s.close)
	}
}

// A seat is a voice with what is open of it.
type seat struct {
	voice Voice
	free  turn
	open  [3]check.Subject // by profile
}

// An opinion is an answer with who gave it.
type opinion struct {
	info   result.Info
	answer result.Answer
}

func (s *seat) said(ctx context.Context, limit time.Duration, profile reject.Profile, src []byte, v verdict.Verdict) Said {
	o, err := take(ctx, s.free, limit, func(ctx context.Context) opinion { return s.ask(ctx, profile, src) })
	switch err {
	case errBusy:
		return Said{Name: s.voice.Name, Outcome: result.Skip, Answer: result.Skipped, Message: "it was still busy with another document"}
	case errLate:
		o = opinion{answer: noAnswer}
	}
	return judge(s.voice.Name, o, v, src)
}

// noAnswer is what is told when the panel's time is over. Whether somebody hangs
// is for who asks to say, who knows how busy the machine is.
var noAnswer = result.Answer{Kind: result.Skipped, Message: "no answer in the time that there was"}

// ask asks the voice, a fresh one after a failure.
func (s *seat) ask(ctx context.Context, profile reject.Profile, src []byte) (o opinion) {
	defer func() {
		if p := recover(); p != nil {
			s.open[profile] = nil
			o.answer = result.Answer{Kind: result.Crashed, Message: fmt.Sprintf("panic: %v", p)}
		}
	}()
	if s.open[profile] == nil {
		s.open[profile] = s.voice.Open(profile)
	}
	subject := s.open[profile]
	o.info = subject.Info()
	answers := subject.Ask(ctx, []result.Question{{Op: result.OpCanon, Input: src}})
	if len(answers) != 1 {
		answers = []result.Answer{{Kind: result.ProtocolError, Message: fmt.Sprintf("%d answers to one question", len(answers))}}
	}
	o.answer = answers[0]
	late := o.answer.Kind == result.Skipped && ctx.Err() != nil
	if late {
		o.answer = noAnswer
	}
	switch {
	case o.answer.Kind == result.OK, o.answer.Kind == result.Rejected, o.answer.Kind == result.Skipped && !late:
	default:
		s.open[profile] = nil
		subject.Close()
	}
	return o
}

func (s *seat) close() {
	for i, subject := range s.open {
		if subject != nil {
			subject.Close()
		}
		s.open[i] = nil
	}
}

func judge(name string, o opinion, v verdict.Verdict, src []byte) Said {
	a := o.answer
	if a.Reason == "-" { // the line protocol's word for none
		a.Reason = ""
	}
	told := Said{
		Name: name, Version: o.info.Version, Lineage: o.info.Lineage, Answer: a.Kind,
		Outcome: check.Judge(v, a, o.info.Reasons), Reason: cut(a.Reason, maxMessage), Message: cut(a.Message, maxMessage),
	}
	switch a.Kind {
	case result.NoStart:
		told.Outcome = result.Skip // nothing was asked
	case result.OK:
		if told.Right = v.Right(a.Bytes); !told.Right {
			told.Given, told.Size = a.Bytes[:min(len(a.Bytes), maxGiven)], len(a.Bytes)
			told.Differ = max(0, result.FirstDifference(a.Bytes, v.Canonical))
		}
	}
	switch told.Outcome {
	case result.Diverged, result.Accepted, result.Crash, result.Hang:
		d := check.Diagnose(v, src, a, told.Outcome)
		told.Requirement, told.Signature = d.Requirement, d.Signature
	}
	return told
}
