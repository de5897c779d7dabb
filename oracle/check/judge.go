package check

import (
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// Judge compares an answer with the verdict. reasons says that the
// implementation speaks our list of reasons. It is pure, and knows nothing of
// measured limits: a refusal that one explains is Refused here.
func Judge(v verdict.Verdict, a result.Answer, reasons bool) result.Outcome {
	switch a.Kind {
	case result.OK:
		switch {
		case v.Kind == verdict.Reject:
			return result.Accepted
		case !v.Right(a.Bytes):
			return result.Diverged
		}
		return result.Pass
	case result.Rejected:
		switch {
		case v.Kind == verdict.Accept:
			return result.Refused
		case v.Kind == verdict.Reject && reasons && !mayGive(v, a.Reason):
			return result.WrongReason
		}
		return result.Pass
	case result.Skipped:
		return result.Skip
	case result.Crashed:
		return result.Crash
	case result.Hung:
		return result.Hang
	}
	return result.Protocol
}

// mayGive reports whether a refusal may give a reason: one that applies, none
// at all, or a limit, which is everyone's own.
func mayGive(v verdict.Verdict, given string) bool {
	if given == "" {
		return true
	}
	r, err := reject.ParseReason(given)
	if err != nil {
		return false
	}
	return r == reject.None || r.IsLimit() || slices.Contains(v.Reasons, r)
}

// failed reports whether an outcome is a departure from the verdict.
func failed(o result.Outcome) bool { return o != result.Pass && o != result.Skip }
