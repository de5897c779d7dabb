package kill

import (
	"bytes"
	"fmt"
	"math/bits"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// judge asks one individual and holds what it says against what is right.
type judge struct {
	individual zoo.Individual
	depth      int    // the nesting it accepts
	last, kept []byte // its last answer, and a copy
	src        []byte
}

func newJudge(c zoo.Creature) *judge {
	return &judge{individual: c.New(), depth: measureDepth(c)}
}

// measureDepth finds the nesting that a creature accepts, of arrays or of
// objects, by individuals of its own.
func measureDepth(c zoo.Creature) int {
	return max(measure(c, "[", "", "]"), measure(c, `{"a":`, "0", "}"))
}

func measure(c zoo.Creature, open, inside, close string) int {
	low, high := 0, verdict.DepthFloor
	for low < high {
		middle := (low + high + 1) / 2
		j := judge{individual: c.New()}
		if _, err := j.ask([]byte(strings.Repeat(open, middle) + inside + strings.Repeat(close, middle))); err == nil {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// crash is the error of an individual that panicked.
type crash struct{ what string }

func (c crash) Error() string { return c.what }

// ask asks and catches a panic.
func (j *judge) ask(src []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, crash{fmt.Sprint(r)}
		}
	}()
	return j.individual.Canonicalize(src)
}

// is tells what is right for an input.
type is struct {
	refuse, accept bool // owed; neither: left open
	depth          int
	right          func(out []byte) bool
}

func ofVerdict(v verdict.Verdict) is {
	return is{v.Kind == verdict.Reject, v.Kind == verdict.Accept, v.Depth, v.Right}
}

// check gives what is wrong with the answer to an input, "" if nothing.
func (j *judge) check(src []byte, right is) string {
	j.src = append(j.src[:0], src...)
	before := j.individual.Work()
	out, err := j.ask(j.src)
	switch {
	case !bytes.Equal(j.src, src):
		return "changed its input"
	case !bytes.Equal(j.last, j.kept):
		return "changed an answer that it had given"
	case j.individual.Work()-before > mostWork(len(src)+len(out)):
		return "took more work than its size explains"
	}
	j.last = out
	j.kept = append(j.kept[:0], out...)
	if c, crashed := err.(crash); crashed {
		return c.what
	}
	switch {
	case err == nil && right.refuse:
		return "accepted what must be refused"
	case err == nil && !right.right(out):
		return "gave other bytes"
	case err != nil && right.accept && right.depth <= j.depth:
		return "refused what must be accepted"
	}
	return ""
}

// mostWork is what size explains: some steps a byte, and a sort.
func mostWork(size int) int64 {
	return 16 * int64(size+64) * int64(bits.Len(uint(size+64)))
}

// implementation is an individual as the laws ask for it.
type implementation struct{ zoo.Individual }

// Canonicalize gives refusals the type that laws know.
func (i implementation) Canonicalize(src []byte) ([]byte, error) {
	out, err := i.Individual.Canonicalize(src)
	if r, ok := err.(reject.Reason); ok {
		return nil, &reject.Error{Package: "zoo", Reason: r, Requirement: r.Clause(reject.RFC8785)}
	}
	return out, err
}
