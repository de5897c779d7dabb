package main

import "errors"

// The exit statuses. 2 is left to a crash of Go itself; where several hold the
// order is 5, 64, 3, 1, 4.
const (
	exitConforms    = 0
	exitFindings    = 1
	exitNoStart     = 3
	exitStale       = 4
	exitInternal    = 5
	exitUsage       = 64
	exitUnsupported = 69 // exec mode only
	exitInterrupted = 130
)

// statuses says what the exit statuses mean, for who reads help and manual.
var statuses = []struct {
	status  int
	meaning string
}{
	{exitConforms, "conforms, or done"},
	{exitFindings, "findings that no baseline knows"},
	{exitNoStart, "an implementation would not start"},
	{exitStale, "the baseline is stale"},
	{exitInternal, "internal error, or a report could not be written"},
	{exitUsage, "usage: a command line or a file that the user can mend"},
	{exitUnsupported, "in exec mode alone: the engine does not serve this"},
	{exitInterrupted, "interrupted; what was found until then is kept"},
}

// statusError is an error that chooses the exit status. A nil cause says
// nothing on standard error: what was wrong has been printed already.
type statusError struct {
	status int
	cause  error
}

func (e *statusError) Error() string {
	if e.cause == nil {
		return ""
	}
	return e.cause.Error()
}

func (e *statusError) Unwrap() error   { return e.cause }
func (e *statusError) ExitStatus() int { return e.status }

// exitWith gives an error that ends the command with a status.
func exitWith(status int, cause error) error { return &statusError{status, cause} }

// usageError is for what the user can mend in the command line.
func usageError(cause error) error { return exitWith(exitUsage, cause) }

// statusOf reads the exit status from an error; an error that chose none is
// an internal one.
func statusOf(err error) int {
	if err == nil {
		return exitConforms
	}
	var chosen interface{ ExitStatus() int }
	if errors.As(err, &chosen) {
		return chosen.ExitStatus()
	}
	return exitInternal
}
