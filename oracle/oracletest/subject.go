package oracletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// subject is a function as the oracle asks it.
type subject struct {
	canonicalize func([]byte) ([]byte, error)
	limit        time.Duration
	reasons      bool
	jobs         chan []byte // nil until the first question, and after a call that did not come back
	answers      chan result.Answer
}

func (s *subject) Info() result.Info {
	return result.Info{
		Name: "canonicalize", Language: "go", Layer: result.LayerText,
		Ops: []result.Op{result.OpCanon}, Reasons: s.reasons, Window: 1,
	}
}

func (s *subject) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	answers := make([]result.Answer, len(questions))
	for i, q := range questions {
		if q.Op == result.OpCanon && ctx.Err() == nil {
			answers[i] = s.ask(q.Input)
		} else {
			answers[i] = result.Answer{Kind: result.Skipped}
		}
	}
	return answers
}

func (s *subject) Close() error {
	if s.jobs != nil {
		close(s.jobs)
		s.jobs = nil
	}
	return nil
}

// ask calls the function on a goroutine of its own, which is given up if the
// call does not come back.
func (s *subject) ask(document []byte) result.Answer {
	if s.jobs == nil {
		s.jobs, s.answers = make(chan []byte), make(chan result.Answer, 1)
		go serve(s.canonicalize, s.jobs, s.answers)
	}
	s.jobs <- bytes.Clone(document)
	timer := time.NewTimer(s.limit)
	defer timer.Stop()
	select {
	case a := <-s.answers:
		return a
	case <-timer.C:
		close(s.jobs)
		s.jobs = nil
		return result.Answer{Kind: result.Hung, Message: fmt.Sprintf("no answer within %s", s.limit)}
	}
}

func serve(canonicalize func([]byte) ([]byte, error), jobs <-chan []byte, answers chan<- result.Answer) {
	for document := range jobs {
		answers <- call(canonicalize, document)
	}
}

// call is one call, with its panic caught.
func call(canonicalize func([]byte) ([]byte, error), document []byte) (a result.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = result.Answer{Kind: result.Crashed, Message: fmt.Sprintf("panic: %v", p), Stderr: string(debug.Stack())}
		}
	}()
	out, err := canonicalize(document)
	if err == nil {
		return result.Answer{Kind: result.OK, Bytes: bytes.Clone(out)}
	}
	a = result.Answer{Kind: result.Rejected, Message: err.Error()}
	var reason reject.Reason
	if errors.As(err, &reason) {
		a.Reason = reason.String()
	}
	return a
}
