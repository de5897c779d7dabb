// Package result holds what the oracle asks, what implementations answer and
// what follows from it, as plain data: questions, answers, outcomes, effects,
// findings, runs. It decides nothing and prints nothing; oracle/check fills it
// and reports renders it.
package result

import (
	"fmt"
	"slices"
	"time"
)

// An Op is an operation of the line protocol.
type Op string

// The operations. Only OpCanon must be served by every implementation.
const (
	OpCanon     Op = "canon"     // JSON text to its canonical form
	OpVerify    Op = "verify"    // is this text canonical? One byte, 1 or 0
	OpNum       Op = "num"       // a double's eight bytes, big-endian, to its text
	OpGraph     Op = "graph"     // a value graph to its snapshot
	OpJS        Op = "js"        // a JavaScript expression to its snapshot
	OpHash      Op = "hash"      // agent, tool and arguments to the proposal hash
	OpLifecycle Op = "lifecycle" // a tool-call scenario to its trace
)

// Ops lists the operations.
func Ops() []Op {
	return []Op{OpCanon, OpVerify, OpNum, OpGraph, OpJS, OpHash, OpLifecycle}
}

// A Question is one request to an implementation.
type Question struct {
	Op    Op
	Input []byte // not to be changed by who answers
}

// An AnswerKind says how an implementation answered, before any judgement.
type AnswerKind string

// The kinds of answer. OK and Rejected are the implementation's own words;
// the rest is what the harness saw.
const (
	OK            AnswerKind = "ok"
	Rejected      AnswerKind = "reject"
	Skipped       AnswerKind = "skip"           // the operation or this input is not served
	Crashed       AnswerKind = "crash"          // it died, by a signal or an exit status that is neither yes nor no
	Hung          AnswerKind = "hang"           // no answer within the limit
	ProtocolError AnswerKind = "protocol-error" // what it said is not an answer
	NoStart       AnswerKind = "no-start"       // it could not be started at all
)

// An Answer is what an implementation said to a Question. Everything in it is
// hostile and must be escaped before it is shown.
type Answer struct {
	Kind    AnswerKind
	Bytes   []byte        // the canonical form, with OK
	Reason  string        // as given, "" or "-" if none, with Rejected
	Message string        // bounded; what the implementation or the harness says of it
	Stderr  string        // the tail of standard error, with a failure
	Elapsed time.Duration // 0 where it was not measured
	Unasked bool          // the harness asked no more, for the reason in Message; with Skipped
	Flaky   bool          // the failure was seen once and not again when the question was asked alone of a fresh process
}

// An Outcome is a judged Answer. The list is closed.
type Outcome string

// The outcomes.
const (
	Pass        Outcome = "pass"
	Diverged    Outcome = "diverged"     // other bytes than the canonical form
	Accepted    Outcome = "accepted"     // should have refused
	Refused     Outcome = "refused"      // should have accepted
	WrongReason Outcome = "wrong-reason" // refused rightly, for a reason that does not apply
	Crash       Outcome = "crash"
	Hang        Outcome = "hang"
	Slow        Outcome = "slow" // the time grows faster than n log n
	Protocol    Outcome = "protocol-error"
	Skip        Outcome = "skip"
)

// Outcomes lists the outcomes in the order of reports.
func Outcomes() []Outcome {
	return []Outcome{Pass, Diverged, Accepted, Refused, WrongReason, Crash, Hang, Slow, Protocol, Skip}
}

// ParseOutcome reads an outcome's name.
func ParseOutcome(name string) (Outcome, error) {
	if o := Outcome(name); slices.Contains(Outcomes(), o) {
		return o, nil
	}
	return "", fmt.Errorf("result: %q is not an outcome", name)
}

// An Effect says what a finding means to a signer. The list is closed.
type Effect string

// The effects, the gravest first.
const (
	Collision       Effect = "collision"         // two meanings, one canonical form: a forged signature
	Split           Effect = "split"             // one meaning, two canonical forms: a signature that fails
	InvalidOutput   Effect = "invalid-output"    // the result is no canonical form of anything
	DenialOfService Effect = "denial-of-service" // it dies, hangs or slows down
	Refusal         Effect = "refusal"           // a right document is refused
)

// Effects lists the effects, the gravest first.
func Effects() []Effect {
	return []Effect{Collision, Split, InvalidOutput, DenialOfService, Refusal}
}

// ParseEffect reads an effect's name.
func ParseEffect(name string) (Effect, error) {
	if e := Effect(name); slices.Contains(Effects(), e) {
		return e, nil
	}
	return "", fmt.Errorf("result: %q is not an effect", name)
}
