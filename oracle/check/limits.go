package check

import (
	"bytes"
	"context"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// ProbeDepth is the depth up to which limits are measured.
const ProbeDepth = 10_000

// nests gives a plain document nested n deep.
var nests = []func(n int) []byte{
	func(n int) []byte {
		return append(bytes.Repeat([]byte{'['}, n), bytes.Repeat([]byte{']'}, n)...)
	},
	func(n int) []byte {
		doc := bytes.Repeat([]byte(`{"a":`), n-1)
		return append(append(doc, '{'), bytes.Repeat([]byte{'}'}, n)...)
	},
}

// measureDepth finds the deepest nest of arrays and of objects that an
// implementation accepts, by bisection. A crash or hang on the way is a
// failure of its own, which fail receives.
func measureDepth(ctx context.Context, s Subject, fail func(result.Question, result.Answer)) result.Limits {
	if ask(ctx, s, result.Question{Op: result.OpCanon, Input: nests[0](1)}).Kind == result.Skipped {
		return result.Limits{} // it does not serve the profile
	}
	limits := result.Limits{Probed: ProbeDepth}
	deepest := make([]int, len(nests))
	for i, nest := range nests {
		accepts := func(n int) bool {
			q := result.Question{Op: result.OpCanon, Input: nest(n)}
			a := ask(ctx, s, q)
			if a.Kind == result.Crashed || a.Kind == result.Hung {
				fail(q, a)
			}
			return a.Kind == result.OK
		}
		deepest[i] = bisect(ProbeDepth, accepts)
	}
	limits.Arrays, limits.Objects = deepest[0], deepest[1]
	return limits
}

// bisect gives the largest n up to most that is accepted, if acceptance ends
// somewhere; Unlimited if most is accepted, 0 if 1 is not. Small depths are
// tried first, so that a limit of 1,000 costs few deep documents.
func bisect(most int, accepts func(int) bool) int {
	low, high := 0, 1
	for accepts(high) {
		if high == most {
			return result.Unlimited
		}
		low, high = high, min(high*4, most)
	}
	for low > 0 && high-low > 1 {
		if mid := low + (high-low)/2; accepts(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// explains reports whether measured limits explain the refusal of a document
// nested depth deep.
func explains(l result.Limits, depth int) bool {
	for _, limit := range []int{l.Arrays, l.Objects} {
		if limit > 0 && depth > limit {
			return true
		}
	}
	return false
}

// ask puts one question.
func ask(ctx context.Context, s Subject, q result.Question) result.Answer {
	answers := s.Ask(ctx, []result.Question{q})
	if len(answers) != 1 {
		return result.Answer{Kind: result.ProtocolError, Message: "no answer"}
	}
	return answers[0]
}
