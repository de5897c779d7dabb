package law

import (
	"errors"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// An Implementation is a canonicalizer under test.
type Implementation interface {
	// Canonicalize gives the canonical form or refuses.
	Canonicalize(src []byte) ([]byte, error)
}

// An Appender appends the canonical form to dst; on an error it gives dst back.
type Appender interface {
	Append(dst, src []byte) ([]byte, error)
}

// A Validator tells whether a text is canonical.
type Validator interface {
	Valid(src []byte) bool
}

// A NumberAppender writes doubles.
type NumberAppender interface {
	AppendNumber(dst []byte, f float64) ([]byte, error)
}

// A StringAppender writes strings.
type StringAppender interface {
	AppendString(dst []byte, s string) ([]byte, error)
}

// Limits are what a Limiter keeps; 0 means its default.
type Limits struct {
	Depth, Input, Output, Members, Elements, StringBytes, Digits int
}

// A Limiter can be had with other limits.
type Limiter interface {
	Within(Limits) Implementation
}

// A Judge can be had with the strict domain's refusals: no negative zero.
type Judge interface {
	Strict() Implementation
}

// A Meter counts the work that has been done so far, in any unit that grows
// with it: steps, instructions, processor time. Never the wall clock.
type Meter interface {
	Work() int64
}

// Speaker marks implementations whose errors are *reject.Error and whose
// choices are those of canon's defaults, so that reason and place are compared
// with the reference's too.
type Speaker interface {
	SpeaksReasons()
}

// refusal reads the error of a Speaker.
func refusal(err error) (*reject.Error, bool) {
	var e *reject.Error
	return e, errors.As(err, &e)
}

// isLimit reports whether an implementation refused for a limit.
func isLimit(err error) bool {
	e, ok := refusal(err)
	return ok && e.Reason.IsLimit()
}
