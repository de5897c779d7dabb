package check

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A shape says what an output is by itself; it tells effects apart before any
// further question is asked.
type shape uint8

const (
	noShape   shape = iota // there is no output
	noText                 // the profile refuses it
	sameForm               // another spelling of the input's value
	otherForm              // a text with another canonical form than the input's
)

// A bucketKey gathers the failures of one implementation that look alike.
type bucketKey struct {
	entry     int
	outcome   result.Outcome
	departure Departure // as derived from the answer
	shape     shape
	message   string // of a refusal: what sort of message came with it
	traits    traits // of a refused document
}

func (k bucketKey) compare(l bucketKey) int {
	return cmp.Or(
		cmp.Compare(k.entry, l.entry),
		cmp.Compare(k.outcome, l.outcome),
		cmp.Compare(k.departure.Requirement, l.departure.Requirement),
		cmp.Compare(k.departure.Signature, l.departure.Signature),
		cmp.Compare(k.shape, l.shape),
		cmp.Compare(k.traits, l.traits),
		cmp.Compare(k.message, l.message),
	)
}

// A failure is one failed answer.
type failure struct {
	op      result.Op
	input   []byte
	answer  result.Answer
	verdict verdict.Verdict
	vector  *vectors.Vector // nil for a generated case
	number  uint64          // of a generated case
	// partner is another input, with another canonical form or none, that was
	// given equal bytes; nil if none is known.
	partner []byte
}

// A bucket holds the failures of a key: how many, and the shortest.
type bucket struct {
	key       bucketKey
	count     int
	generated int
	vectors   []string
	cases     []uint64
	shortest  failure
	collided  failure // the shortest one with a partner
}

// maxBuckets bounds what one implementation can make us remember: an
// implementation that answers at random fails in many ways.
const maxBuckets = 400

// maxOutput bounds the wrong outputs that are looked at and kept, by the size of
// their input. No canonical form is as long: the worst, 1e20, has five times the
// bytes of its text.
func maxOutput(input int) int { return 8*input + 64<<10 }

// keptCases is how many numbers of generated cases a finding names.
const keptCases = 5

// A collector gathers failures from all workers.
type collector struct {
	mu      sync.Mutex
	buckets map[bucketKey]*bucket
	kinds   map[int]int // buckets by entry
}

func newCollector() *collector {
	return &collector{buckets: map[bucketKey]*bucket{}, kinds: map[int]int{}}
}

// add notes a failure; input and answer are copied if they are kept.
func (c *collector) add(key bucketKey, f failure) {
	f = clipOutput(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.buckets[key]
	if b == nil {
		if c.kinds[key.entry] >= maxBuckets {
			return
		}
		c.kinds[key.entry]++
		b = &bucket{key: key}
		c.buckets[key] = b
	}
	if b.count == 0 || shorter(f, b.shortest) {
		b.shortest = f
		b.shortest.input = bytes.Clone(f.input)
		b.shortest.answer.Bytes = bytes.Clone(f.answer.Bytes)
	}
	if f.partner != nil && (b.collided.partner == nil || shorter(f, b.collided)) {
		b.collided = f
		b.collided.input, b.collided.partner = bytes.Clone(f.input), bytes.Clone(f.partner)
		b.collided.answer.Bytes = bytes.Clone(f.answer.Bytes)
	}
	b.count++
	if f.vector != nil {
		b.vectors = append(b.vectors, f.vector.ID)
		return
	}
	b.generated++
	b.cases = insertSmall(b.cases, f.number, keptCases)
}

// clipOutput keeps one byte too many of an output that is too long, so that it
// is still seen to be.
func clipOutput(f failure) failure {
	f.answer.Bytes = f.answer.Bytes[:min(len(f.answer.Bytes), maxOutput(len(f.input))+1)]
	return f
}

// shorter gives one order that does not depend on which worker came first.
func shorter(a, b failure) bool {
	return cmp.Or(cmp.Compare(len(a.input), len(b.input)), bytes.Compare(a.input, b.input), cmp.Compare(a.number, b.number)) < 0
}

// insertSmall keeps the n smallest numbers, sorted.
func insertSmall(list []uint64, x uint64, n int) []uint64 {
	i, found := slices.BinarySearch(list, x)
	if !found {
		list = slices.Insert(list, i, x)
	}
	return list[:min(len(list), n)]
}

// sorted gives the buckets in an order that does not depend on workers.
func (c *collector) sorted() []*bucket {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*bucket, 0, len(c.buckets))
	for _, b := range c.buckets {
		slices.Sort(b.vectors)
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b *bucket) int { return a.key.compare(b.key) })
	return all
}

func (c *collector) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.buckets)
}

// keyOf finds the bucket of a failed answer to a text.
func keyOf(entry int, f failure, o result.Outcome) bucketKey {
	f = clipOutput(f)
	key := bucketKey{entry: entry, outcome: o}
	if f.op == result.OpCanon {
		key.departure = Diagnose(f.verdict, f.input, f.answer, o)
		key.shape = shapeOf(f)
	} else {
		key.departure = otherDeparture(f, o)
	}
	if o == result.Refused || o == result.Crash {
		key.message, key.traits = sortOfMessage(f.answer.Message), traitsOf(f.input)
	}
	return key
}

// otherDeparture speaks of operations other than canon, where the vector alone
// knows what was right.
func otherDeparture(f failure, o result.Outcome) Departure {
	words := map[result.Outcome]string{
		result.Diverged:    "another result",
		result.Accepted:    "accepted",
		result.Refused:     "refused",
		result.WrongReason: "refused for a reason that does not apply",
		result.Crash:       "dies",
		result.Hang:        "gives no answer",
		result.Protocol:    "no answer by the protocol",
	}
	d := Departure{Signature: string(f.op) + ": " + words[o]}
	if f.vector != nil && len(f.vector.Clauses) > 0 && o != result.Protocol {
		d.Requirement = f.vector.Clauses[0]
	}
	return d
}

// shapeOf looks at a wrong output.
func shapeOf(f failure) shape {
	if f.answer.Kind != result.OK {
		return noShape
	}
	if len(f.answer.Bytes) > maxOutput(len(f.input)) {
		return noText
	}
	out := verdict.Of(f.verdict.Profile, f.answer.Bytes)
	switch {
	case out.Kind == verdict.Reject:
		return noText
	case bytes.Equal(out.Canonical, f.verdict.Canonical):
		return sameForm
	}
	return otherForm
}
