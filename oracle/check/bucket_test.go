package check

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func TestInsertSmall(t *testing.T) {
	var list []uint64
	for _, c := range []struct {
		x    uint64
		want []uint64
	}{{5, []uint64{5}}, {7, []uint64{5, 7}}, {5, []uint64{5, 7}}, {1, []uint64{1, 5, 7}}, {9, []uint64{1, 5, 7}}, {6, []uint64{1, 5, 6}}, {7, []uint64{1, 5, 6}}} {
		if list = insertSmall(list, c.x, 3); !slices.Equal(list, c.want) {
			t.Errorf("with %d: %v, want %v", c.x, list, c.want)
		}
	}
}

// TestShorter: by length, then bytes, then number; no failure comes before itself.
func TestShorter(t *testing.T) {
	ordered := []failure{{input: []byte("b")}, {input: []byte("aa")}, {input: []byte("ab"), number: 1}, {input: []byte("ab"), number: 2}}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := shorter(a, b); got != (i < j) {
				t.Errorf("%s %d before %s %d: %v", a.input, a.number, b.input, b.number, got)
			}
		}
	}
}

// TestCollector: a bucket has the shortest failure, the shortest with a partner,
// the vectors in order and the first few cases.
func TestCollector(t *testing.T) {
	c := newCollector()
	key, other := bucketKey{entry: 1, outcome: result.Diverged}, bucketKey{entry: 0, outcome: result.Diverged}
	c.add(key, failure{input: []byte("bb"), answer: ok("0"), number: 9})
	c.add(key, failure{input: []byte("bb"), answer: ok("1"), number: 8, partner: []byte("p")})
	c.add(key, failure{input: []byte("ccc"), answer: ok("2"), vector: &vectors.Vector{ID: "w"}, partner: []byte("q")})
	c.add(key, failure{input: []byte("ba"), answer: ok("3"), vector: &vectors.Vector{ID: "v"}, partner: []byte("r")})
	c.add(key, failure{input: []byte("aa"), answer: ok("4"), number: 3})
	c.add(other, failure{input: []byte("d"), answer: ok("5")})
	if c.len() != 2 {
		t.Errorf("%d buckets", c.len())
	}
	got := c.sorted()
	if len(got) != 2 || got[0].key != other || got[1].key != key {
		t.Fatalf("%+v", got)
	}
	b := got[1]
	if b.count != 5 || b.generated != 3 || !slices.Equal(b.vectors, []string{"v", "w"}) || !slices.Equal(b.cases, []uint64{3, 8, 9}) {
		t.Errorf("%d failures, %d generated, vectors %v, cases %v", b.count, b.generated, b.vectors, b.cases)
	}
	if string(b.shortest.input) != "aa" || string(b.shortest.answer.Bytes) != "4" || b.shortest.partner != nil {
		t.Errorf("the shortest is %+v", b.shortest)
	}
	if string(b.collided.input) != "ba" || string(b.collided.answer.Bytes) != "3" || string(b.collided.partner) != "r" {
		t.Errorf("collided has %+v", b.collided)
	}
	c.add(other, failure{input: []byte("d"), answer: ok("6"), partner: []byte("e")})
	if d := got[0]; string(d.shortest.answer.Bytes) != "5" || string(d.collided.answer.Bytes) != "6" {
		t.Errorf("of equal ones it has %+v and %+v", d.shortest, d.collided)
	}
}

// TestCollectorKeepsItsOwn: what is kept is not the caller's memory.
func TestCollectorKeepsItsOwn(t *testing.T) {
	c := newCollector()
	input, out, with := []byte("in"), []byte("out"), []byte("with")
	c.add(bucketKey{}, failure{input: input, answer: result.Answer{Bytes: out}, partner: with})
	for _, b := range [][]byte{input, out, with} {
		clear(b)
	}
	for _, f := range []failure{c.buckets[bucketKey{}].shortest, c.buckets[bucketKey{}].collided} {
		if string(f.input) != "in" || string(f.answer.Bytes) != "out" {
			t.Errorf("kept is %q, %q", f.input, f.answer.Bytes)
		}
	}
	if kept := c.buckets[bucketKey{}].collided.partner; string(kept) != "with" {
		t.Errorf("kept is %q", kept)
	}
}

// TestCollectorIsBounded: each implementation has so many kinds and no more, and
// what belongs to one of them is still counted.
func TestCollectorIsBounded(t *testing.T) {
	c := newCollector()
	keyed := func(entry, n int) bucketKey { return bucketKey{entry: entry, message: fmt.Sprint(n)} }
	for n := range 500 {
		c.add(keyed(0, n), failure{})
	}
	if c.len() != maxBuckets {
		t.Errorf("%d buckets of one", c.len())
	}
	c.add(keyed(0, 3), failure{})
	c.add(keyed(1, 600), failure{})
	if c.len() != maxBuckets+1 || c.buckets[keyed(0, 3)].count != 2 {
		t.Errorf("%d buckets of two", c.len())
	}
}

// TestBucketOrder: by every part of the key, the first one first.
func TestBucketOrder(t *testing.T) {
	ordered := []bucketKey{
		{}, {message: "b"}, {traits: 1, message: "a"}, {shape: noText}, {departure: Departure{Signature: "b"}, shape: noShape},
		{departure: Departure{Requirement: "b", Signature: "a"}}, {outcome: "b", departure: Departure{Requirement: "a"}}, {entry: 1, outcome: "a"},
	}
	for i, k := range ordered {
		for j, l := range ordered {
			if got := k.compare(l); got != min(max(i-j, -1), 1) {
				t.Errorf("%+v and %+v: %d", k, l, got)
			}
		}
	}
}

// TestOutputsAreClipped: one byte beyond the longest is kept, so that it is still
// seen to be too long.
func TestOutputsAreClipped(t *testing.T) {
	if maxOutput(0) != 65536 || maxOutput(100) != 66336 {
		t.Errorf("%d and %d bytes are looked at", maxOutput(0), maxOutput(100))
	}
	f := failure{input: []byte("12"), answer: result.Answer{Bytes: make([]byte, 70_000)}}
	if got := len(clipOutput(f).answer.Bytes); got != 65536+16+1 {
		t.Errorf("%d bytes are kept", got)
	}
}

// TestKeys: what tells failures apart before any further question.
func TestKeys(t *testing.T) {
	wide := func(n int) string { return "[" + string(bytes.Repeat([]byte(" "), n-2)) + "]" }
	for _, c := range []struct {
		input   string
		answer  result.Answer
		want    result.Outcome
		shape   shape
		message string
		traits  traits
	}{
		{`[1]`, ok(`[1.0]`), result.Diverged, sameForm, "", 0},
		{`[1]`, ok(`[2]`), result.Diverged, otherForm, "", 0},
		{`[1]`, ok(`[01]`), result.Diverged, noText, "", 0},
		{`[01]`, ok(`[01]`), result.Accepted, noText, "", 0},
		{`[01]`, ok(`[1]`), result.Accepted, otherForm, "", 0},
		{`[]`, ok(wide(maxOutput(2))), result.Diverged, sameForm, "", 0},
		{`[]`, ok(wide(maxOutput(2) + 1)), result.Diverged, noText, "", 0},
		{`[1.5]`, result.Answer{Kind: result.Rejected, Message: "no 1"}, result.Refused, noShape, "no ", fraction},
		{`[1.5]`, result.Answer{Kind: result.Crashed, Message: "no 2"}, result.Crash, noShape, "no ", fraction},
		{`[1.5]`, result.Answer{Kind: result.Hung, Message: "no 3"}, result.Hang, noShape, "", 0},
		{`[1.5]`, result.Answer{Kind: result.ProtocolError, Message: "no 4", Bytes: []byte("[1]")}, result.Protocol, noShape, "", 0},
	} {
		v := verdict.Of(reject.RFC8785, []byte(c.input))
		f := failure{op: result.OpCanon, input: []byte(c.input), answer: c.answer, verdict: v}
		o := Judge(v, c.answer, true)
		want := bucketKey{entry: 3, outcome: c.want, departure: Diagnose(v, f.input, clipOutput(f).answer, o), shape: c.shape, message: c.message, traits: c.traits}
		if got := keyOf(3, f, o); got != want {
			t.Errorf("%s, %.20s: %+v, want %+v", c.input, c.answer.Bytes, got, want)
		}
	}
}

// TestKeysOfOtherOperations: only the vector knows what was right.
func TestKeysOfOtherOperations(t *testing.T) {
	v := &vectors.Vector{Clauses: []string{"first", "second"}}
	for _, c := range []struct {
		vector *vectors.Vector
		o      result.Outcome
		want   Departure
	}{
		{v, result.Diverged, Departure{"first", "graph: another result"}},
		{v, result.Accepted, Departure{"first", "graph: accepted"}},
		{v, result.Refused, Departure{"first", "graph: refused"}},
		{v, result.WrongReason, Departure{"first", "graph: refused for a reason that does not apply"}},
		{v, result.Crash, Departure{"first", "graph: dies"}},
		{v, result.Hang, Departure{"first", "graph: gives no answer"}},
		{v, result.Protocol, Departure{"", "graph: no answer by the protocol"}},
		{&vectors.Vector{}, result.Accepted, Departure{"", "graph: accepted"}},
		{nil, result.Accepted, Departure{"", "graph: accepted"}},
	} {
		key := keyOf(0, failure{op: result.OpGraph, answer: ok("x"), vector: c.vector}, c.o)
		if key.departure != c.want || key.shape != noShape {
			t.Errorf("%s: %+v, want %+v", c.o, key, c.want)
		}
	}
}
