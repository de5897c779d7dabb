package kill

import (
	"bytes"
	"fmt"
	"math/bits"
	"runtime"
	"sort"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// A Judge asks one individual of a creature and holds what it says against what
// is right. Not safe for concurrent use.
type Judge struct {
	individual zoo.Individual
	depth      int    // the nesting it accepts
	last, kept []byte // its last answer, and a copy
	src        []byte
}

// NewJudge starts an individual of a creature.
func NewJudge(c zoo.Creature) *Judge {
	return &Judge{individual: c.New(), depth: measureDepth(c)}
}

// Check asks the individual for a text and gives what is wrong with the answer by
// the profile rfc8785, "" if nothing.
func (j *Judge) Check(text []byte) string {
	return j.check(text, ofVerdict(verdict.Of(reject.RFC8785, text)))
}

// measureDepth finds the nesting that a creature accepts, of arrays or of
// objects, by individuals of its own.
func measureDepth(c zoo.Creature) int {
	return max(measure(c, "[", "", "]"), measure(c, `{"a":`, "0", "}"))
}

func measure(c zoo.Creature, open, inside, close string) int {
	return sort.Search(verdict.DepthFloor, func(depth int) bool {
		j := Judge{individual: c.New()}
		_, err := j.ask([]byte(strings.Repeat(open, depth+1) + inside + strings.Repeat(close, depth+1)))
		return err != nil
	})
}

// crash is the error of an individual that panicked.
type crash struct{ what string }

func (c crash) Error() string { return c.what }

// ask asks and catches a panic.
func (j *Judge) ask(src []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, crash{planted(r)}
		}
	}()
	return j.individual.Canonicalize(src)
}

// planted gives what an individual panicked with. A runtime error is none that
// somebody planted but a mistake in the zoo, which must not count as found.
func planted(panicked any) string {
	if mistake, ours := panicked.(runtime.Error); ours {
		panic(mistake)
	}
	return fmt.Sprint(panicked)
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

// What a creature can do wrong, beside crashing.
const (
	changedInput  = "changed its input"
	changedAnswer = "changed an answer that it had given"
	tookWork      = "took more work than its size explains"
	accepted      = "accepted what must be refused"
	gaveOther     = "gave other bytes"
	refused       = "refused what must be accepted"
)

// check gives what is wrong with the answer to an input, "" if nothing.
func (j *Judge) check(src []byte, right is) string {
	j.src = append(j.src[:0], src...)
	before := j.individual.Work()
	out, err := j.ask(j.src)
	switch {
	case !bytes.Equal(j.src, src):
		return changedInput
	case !bytes.Equal(j.last, j.kept):
		return changedAnswer
	case j.individual.Work()-before > mostWork(len(src)+len(out)):
		return tookWork
	}
	j.last = out
	j.kept = append(j.kept[:0], out...)
	if c, crashed := err.(crash); crashed {
		return c.what
	}
	switch {
	case err == nil && right.refuse:
		return accepted
	case err == nil && !right.right(out):
		return gaveOther
	case err != nil && right.accept && right.depth <= j.depth:
		return refused
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
