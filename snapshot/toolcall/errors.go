package toolcall

import (
	"context"
	"errors"
	"reflect"
	"strconv"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Stage says where arguments were refused.
type Stage string

// The stages of preparing arguments.
const (
	StageDecode   Stage = "decode"   // the raw text is not strict JSON
	StageSchema   Stage = "schema"   // the schema refused
	StageSnapshot Stage = "snapshot" // the schema's output is outside the strict domain
	StageSurface  Stage = "surface"  // a sandbox boundary's surface refused
)

// A Discloser is an error that knows what of itself may be shown: text without
// payload. The texts of other callbacks' errors do not appear in this package's.
type Discloser interface {
	error
	Disclose() string
}

// An ArgumentsError says that the arguments were refused before any policy.
// It holds no payload; Cause may.
type ArgumentsError struct {
	Tool  string
	Stage Stage
	// Reason is why, at the stages decode and snapshot; None at the others.
	Reason reject.Reason
	cause  error
}

// Error names the tool and the stage and, as far as that shows no payload, why.
func (e *ArgumentsError) Error() string {
	return "toolcall: the arguments of " + strconv.Quote(e.Tool) + " are refused at the stage " + string(e.Stage) + shown(e.cause)
}

// Unwrap gives the cause if it is known to hold no payload: an error of this
// module, a Discloser, or the end of the context.
func (e *ArgumentsError) Unwrap() error { return safe(e.cause) }

// Cause gives what the callback returned. Its text may hold payload.
func (e *ArgumentsError) Cause() error { return e.cause }

func argumentsError(tool string, stage Stage, cause error) *ArgumentsError {
	e := &ArgumentsError{Tool: tool, Stage: stage, cause: cause}
	var refusal *reject.Error
	if (stage == StageDecode || stage == StageSnapshot) && errors.As(cause, &refusal) {
		e.Reason = refusal.Reason
	}
	return e
}

// A failure is what the errors of callbacks have in common.
type failure struct {
	Tool  string
	what  string
	cause error
}

// A ProjectionError says that a projection failed, gave something outside the
// strict domain, or changed the names of the arguments. It holds no payload.
type ProjectionError struct{ failure }

// A PolicyError says that a policy failed, or gave no decision. It holds no
// payload.
type PolicyError struct{ failure }

// An ExecutionError says that a handler failed. It holds no payload.
type ExecutionError struct{ failure }

// A StoreError says that the store failed: the call did not run. It holds no
// payload.
type StoreError struct{ failure }

// Error names the tool and what failed.
func (e *failure) Error() string {
	return "toolcall: the " + e.what + " for " + strconv.Quote(e.Tool) + " failed" + shown(e.cause)
}

// Unwrap gives the cause if it is known to hold no payload: an error of this
// module, a Discloser, or the end of the context.
func (e *failure) Unwrap() error { return safe(e.cause) }

// Cause gives what the callback returned. Its text may hold payload.
func (e *failure) Cause() error { return e.cause }

// safe gives an error if it holds no payload, or nil.
func safe(err error) error {
	var refusal *reject.Error
	if errors.As(err, &refusal) {
		return refusal
	}
	var discloser Discloser
	if errors.As(err, &discloser) {
		return discloser
	}
	var misfit *snapshot.FillError
	if errors.As(err, &misfit) {
		return misfit
	}
	for _, known := range knownErrors {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// knownErrors are those whose text is fixed.
var knownErrors = []error{context.Canceled, context.DeadlineExceeded, errVerdict, errNames, ErrUnknownProposal, ErrCorrupt}

// shown gives the text of an error as far as it holds no payload.
func shown(err error) string {
	var discloser Discloser
	switch err := safe(err); {
	case err == nil:
		return ""
	case errors.As(err, &discloser):
		return ": " + discloser.Disclose()
	default:
		return ": " + err.Error()
	}
}

// A PanicError stands for a panic of a callback, which is caught so that the
// call ends as it must.
type PanicError struct {
	Type  string // the Go type of the panic's value
	value any
}

// Error names the type alone: the value may hold payload.
func (e *PanicError) Error() string { return "a panic of type " + e.Type }

// Disclose gives the same text as Error.
func (e *PanicError) Disclose() string { return e.Error() }

// Value gives what was panicked with.
func (e *PanicError) Value() any { return e.value }

// guard calls a callback and turns its panic into an error.
func guard[T any](call func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			var none T
			result, err = none, &PanicError{Type: reflect.TypeOf(p).String(), value: p}
		}
	}()
	return call()
}

// ErrSpent says that an attempt was run a second time.
var ErrSpent = errors.New("toolcall: an attempt runs once: begin another")
