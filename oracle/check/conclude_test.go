package check

import (
	"context"
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestEffect: what a wrong answer means, and the partner that proves a collision.
func TestEffect(t *testing.T) {
	wide := "[" + strings.Repeat(" ", maxOutput(2)-2) + "]"
	keeps := planted(func(input []byte) result.Answer { return ok(string(input)) })
	for _, c := range []struct {
		name          string
		ctx           context.Context
		subject       Subject
		op            result.Op
		outcome       result.Outcome
		input, output string
		want          result.Effect
		partner       string
	}{
		{"dies", t.Context(), keeps, result.OpCanon, result.Crash, "1", "", result.DenialOfService, ""},
		{"hangs", t.Context(), keeps, result.OpCanon, result.Hang, "1", "", result.DenialOfService, ""},
		{"slow", t.Context(), keeps, result.OpCanon, result.Slow, "1", "", result.DenialOfService, ""},
		{"babbles", t.Context(), keeps, result.OpCanon, result.Protocol, "1", "", result.DenialOfService, ""},
		{"refuses", t.Context(), keeps, result.OpCanon, result.Refused, "1", "", result.Refusal, ""},
		{"gives a reason", t.Context(), keeps, result.OpCanon, result.WrongReason, "+1", "", result.Refusal, ""},
		{"another operation", t.Context(), keeps, result.OpGraph, result.Diverged, "1", "2", result.Split, ""},
		{"keeps a spelling", t.Context(), keeps, result.OpCanon, result.Diverged, "1.0", "1.0", result.Split, ""},
		{"gives another number's", t.Context(), keeps, result.OpCanon, result.Diverged, "1", "2", result.Collision, "2"},
		{"gives another's spelling", t.Context(), keeps, result.OpCanon, result.Diverged, "1", "2.0", result.Collision, "2.0"},
		{"gives a choice", t.Context(), keeps, result.OpCanon, result.Diverged, "1", "-0", result.Collision, "-0"},
		{"keeps what is no text", t.Context(), keeps, result.OpCanon, result.Diverged, "1", "+1", result.InvalidOutput, ""},
		{"reads what is no text", t.Context(), keeps, result.OpCanon, result.Accepted, "+1", "1", result.Collision, "1"},
		{"writes what is no text", t.Context(), keeps, result.OpCanon, result.Accepted, "+1", "+1", result.InvalidOutput, ""},
		{"reads a choice", t.Context(), keeps, result.OpCanon, result.Accepted, "+1", "-0", result.Split, ""},
		{"gives what it does not keep", t.Context(), planted(right), result.OpCanon, result.Diverged, "1", "2.0", result.InvalidOutput, ""},
		{"gives what it refuses", t.Context(), planted(func([]byte) result.Answer { return result.Answer{Kind: result.Rejected, Bytes: []byte("2")} }), result.OpCanon, result.Diverged, "1", "2", result.Split, ""},
		{"reads what it does not keep", t.Context(), planted(right), result.OpCanon, result.Accepted, "+1", "1.0", result.Split, ""},
		{"is gone", t.Context(), nil, result.OpCanon, result.Diverged, "1", "2", result.Split, ""},
		{"has ended", ended(t), keeps, result.OpCanon, result.Diverged, "1", "2", result.Split, ""},
		{"wide", t.Context(), nil, result.OpCanon, result.Diverged, "[]", wide, result.Split, ""},
		{"too wide", t.Context(), nil, result.OpCanon, result.Diverged, "[]", wide + " ", result.InvalidOutput, ""},
	} {
		r := newRunner(Config{}, nil)
		f := result.Finding{Outcome: c.outcome, Op: c.op, Input: []byte(c.input), InputSize: len(c.input), Actual: []byte(c.output)}
		r.effect(c.ctx, c.subject, &f, verdict.Of(0, []byte(c.input)), &bucket{})
		if f.Effect != c.want || string(f.Partner) != c.partner || (f.PartnerVerdict != "") != (c.partner != "") {
			t.Errorf("%s: %s with %q, %s; want %s with %q", c.name, f.Effect, f.Partner, f.PartnerVerdict, c.want, c.partner)
		}
	}
}

// TestPairs: of two vectors with one output each that failed has the other for
// its partner, by which it collides while it is shown itself.
func TestPairs(t *testing.T) {
	vector := func(id string, relations ...vectors.Relation) vectors.Vector {
		return vectors.Vector{ID: id, Input: []byte("+" + id), Relations: relations}
	}
	differ := vectors.Relation{Kind: vectors.DifferentOutput, With: "1"}
	r := newRunner(Config{Entries: []Entry{{}, {}}}, []vectorCase{
		{vector: vector("1")}, {vector: vector("2", differ)}, {vector: vector("3", vectors.Relation{Kind: vectors.SameOutput, With: "1"})},
		{vector: vector("4", vectors.Relation{Kind: vectors.DifferentOutput, With: "none"})}, {vector: vector("5", differ)}, {vector: vector("6", differ)},
		{vector: vector("7", differ)}, {vector: vector("8", vectors.Relation{Kind: vectors.DifferentOutput, With: "9"})}, {vector: vector("9")},
	})
	gives := func(id, output string, o result.Outcome) {
		r.digests[answerKey{1, id}] = given{true, sha256.Sum256([]byte(output)), o}
	}
	gives("1", "x", result.Pass)
	gives("2", "x", result.Accepted)
	gives("3", "x", result.Accepted)
	gives("4", "x", result.Accepted)
	gives("5", "y", result.Accepted)
	gives("6", "x", result.Diverged)
	gives("8", "z", result.Accepted)
	gives("9", "z", result.Accepted)
	r.collide()
	want := map[answerKey]partner{
		{1, "2"}: {[]byte("+2"), []byte("+1")}, {1, "6"}: {[]byte("+6"), []byte("+1")}, {1, "8"}: {[]byte("+8"), []byte("+9")}, {1, "9"}: {[]byte("+9"), []byte("+8")},
	}
	if !reflect.DeepEqual(r.partners, want) {
		t.Errorf("%+v, want %+v", r.partners, want)
	}
	for _, c := range []struct {
		input, partner string
		vectors        []string
	}{
		{"+6", "+1", []string{"5", "2", "6"}}, {"+8", "+9", []string{"8"}}, {"+3", "", []string{"2", "3"}}, {"", "", []string{"5"}},
	} {
		got, found := r.partner(t.Context(), nil, &result.Finding{Input: []byte(c.input)}, verdict.Verdict{}, &bucket{key: bucketKey{entry: 1}, vectors: c.vectors})
		if string(got) != c.partner || found != (c.partner != "") {
			t.Errorf("%s collides with %q: %v", c.input, got, found)
		}
	}
}

// TestCollisionBeforeLength: where a relation has shown a collision that the
// shortest input does not prove, it stands in its place, with all that it is.
func TestCollisionBeforeLength(t *testing.T) {
	r := newRunner(Config{Entries: []Entry{entryOf("one", right)}}, nil)
	r.open(t.Context())
	input := []byte(`["ab",01]`)
	f := failure{op: result.OpCanon, input: []byte("01"), answer: ok("+1"), verdict: verdict.Of(0, []byte("01")), number: 1}
	with := failure{op: result.OpCanon, input: input, answer: ok(`["ab",1]`), verdict: verdict.Of(0, input), number: 2, partner: []byte(`["ab",1]`)}
	key := keyOf(0, f, result.Accepted)
	e := effort{}
	got := r.finding(t.Context(), &bucket{key: key, count: 4, cases: []uint64{1, 2}, shortest: f, collided: with}, &e)
	if string(got.Input) != `["ab",01]` || got.InputSize != 9 || string(got.Actual) != `["ab",1]` || got.Fault.Offset != 7 || got.Effect != result.Collision ||
		string(got.Partner) != `["ab",1]` || got.PartnerVerdict != "accept" || got.Count != 4 || len(got.Cases) != 2 || got.Requirement != "rfc8259/6/number" {
		t.Errorf("%s: %+v", describeFinding(got), got.Fault)
	}
	// What the shortest one proves by itself stays.
	f.answer = ok("1")
	if got := r.finding(t.Context(), &bucket{key: key, shortest: f, collided: with}, &e); string(got.Input) != "01" || string(got.Partner) != "1" {
		t.Error(describeFinding(got))
	}
}

// TestReplay: the input itself where it is short, else the vector or the case.
func TestReplay(t *testing.T) {
	long := strings.Repeat("1", 257)
	v := &vectors.Vector{ID: "id"}
	for _, c := range []struct {
		profile reject.Profile
		op      result.Op
		input   string
		vector  *vectors.Vector
		want    string
	}{
		{0, result.OpCanon, "a", v, "touchstone check --peer one --input 61"},
		{reject.IJSON, result.OpCanon, "a", v, "touchstone check --peer one --input 61 --profile ijson"},
		{0, result.OpCanon, "", nil, "touchstone check --peer one --input -"},
		{0, result.OpCanon, long[1:], nil, "touchstone check --peer one --input " + strings.Repeat("31", 256)},
		{0, result.OpCanon, long, nil, "touchstone check --peer one --seed 6 --case 7"},
		{0, result.OpCanon, long, v, "touchstone check --peer one --vector id"},
		{0, result.OpGraph, "a", v, "touchstone check --peer one --vector id"},
	} {
		r := newRunner(Config{Entries: []Entry{{Name: "one"}}, Seed: 6, Profile: c.profile}, nil)
		if got := r.replay(0, &result.Finding{Op: c.op, Input: []byte(c.input)}, failure{vector: c.vector, number: 7}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestMerge: findings of one kind are one, which the shortest input stands for.
func TestMerge(t *testing.T) {
	finding := func(input string, count int, cases []uint64, ids ...string) result.Finding {
		return result.Finding{Subject: "s", Requirement: "r", Signature: "w", Outcome: result.Diverged, Effect: result.Split,
			Input: []byte(input), InputSize: len(input), Count: count, Vectors: ids, Cases: cases}
	}
	got := merge([]result.Finding{
		finding("bb", 5, []uint64{1, 9}, "b", "c"), finding("cc", 2, []uint64{2}, "a", "b"), finding("ab", 1, []uint64{3, 4, 5}), finding("ccc", 1, nil),
		finding("ab", 1, []uint64{7}), finding("c", 1, nil, "d"),
	})
	want := finding("c", 11, []uint64{1, 2, 3, 4, 5}, "a", "b", "c", "d")
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	same := finding("ab", 1, nil)
	same.Message = "later"
	if got := merge([]result.Finding{finding("ab", 1, nil), same}); got[0].Message != "" || got[0].Count != 2 {
		t.Errorf("of equal ones stands %+v", got)
	}
	others := []result.Finding{finding("a", 1, nil)}
	for _, change := range []func(*result.Finding){
		func(f *result.Finding) { f.Subject = "x" }, func(f *result.Finding) { f.Requirement = "x" }, func(f *result.Finding) { f.Signature = "x" },
		func(f *result.Finding) { f.Outcome = "x" }, func(f *result.Finding) { f.Effect = "x" },
	} {
		f := finding("a", 1, nil)
		change(&f)
		others = append(others, f)
	}
	if got := merge(others); len(got) != 6 {
		t.Errorf("%d of six kinds", len(got))
	}
}

// TestKnownBy: a finding is known if all that showed it is.
func TestKnownBy(t *testing.T) {
	file, err := baseline.Parse("", []byte("vector v1 accepted | first | unreported\nvector v2 accepted | second | unreported\ngenerated rfc8259/6/number accepted split | third | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(Config{Entries: []Entry{{}, {Baseline: file, Open: opened(planted(right))}}, Smoke: true}, nil)
	r.cfg.Entries[0].Open = r.cfg.Entries[1].Open
	r.open(t.Context())
	for i, e := range file.Entries()[:2] {
		r.known[answerKey{1, []string{"v1", "v2"}[i]}] = e
	}
	for _, c := range []struct {
		clause  string
		count   int
		vectors []string
		reason  string // "" if it is new
		unknown []string
	}{
		{"rfc8259/6/number", 1, []string{"v1"}, "first", nil},
		{"rfc8259/6/number", 2, []string{"v2", "v3"}, "", []string{"v3"}},
		{"rfc8259/6/number", 3, []string{"v3", "v4"}, "", []string{"v3", "v4"}},
		{"rfc8259/6/number", 3, nil, "third", nil},
		{"rfc8259/6/number", 3, []string{"v3"}, "", []string{"v3"}},
		{"rfc8259/3/literals", 3, nil, "", nil},
		{"rfc8259/3/literals", 1, []string{"v2"}, "second", nil},
		{"rfc8259/3/literals", 2, []string{"v2"}, "", nil},
		{"rfc8259/3/literals", 0, nil, "", nil},
	} {
		f := result.Finding{Requirement: c.clause, Outcome: result.Accepted, Effect: result.Split, Count: c.count, Vectors: c.vectors}
		known, unknown := r.knownBy(1, &f)
		if (known != nil) != (c.reason != "") || known != nil && !strings.Contains(known.Reason, c.reason) || !slices.Equal(unknown, c.unknown) {
			t.Errorf("%+v: known %+v, unknown %v", c, known, unknown)
		}
	}
	for _, c := range []struct {
		b    bucket
		want bool
	}{
		{bucket{vectors: []string{"v1", "v2"}}, true}, {bucket{vectors: []string{"v1", "v3"}}, false}, {bucket{vectors: []string{"v1"}, generated: 1}, false}, {bucket{}, true},
	} {
		c.b.key.entry = 1
		if got := r.expected(&c.b); got != c.want {
			t.Errorf("%+v is expected: %v", c.b, got)
		}
	}
}

// TestApply: scores count what is new, and what is stale is told of who lives, in
// runs of the whole suite and of the smoke set.
func TestApply(t *testing.T) {
	file, err := baseline.Parse("", []byte("vector v1 accepted | first | unreported\nvector v2 accepted | second | unreported\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		complete, smoke bool
		stale           []string
	}{
		{false, false, nil}, {true, false, []string{"one 1", "one 2", "other 1", "other 2"}}, {false, true, []string{"one 2"}}, {true, true, []string{"one 1", "one 2", "other 1", "other 2"}},
	} {
		entries := []Entry{entryOf("dead", right), entryOf("one", right), entryOf("other", right)}
		for i := range entries {
			entries[i].Baseline = file
		}
		r := newRunner(Config{Entries: entries, Complete: c.complete, Smoke: c.smoke}, nil)
		r.open(t.Context())
		r.kill(0, "gone")
		r.matchers[0].Vector("v2", result.Pass, "")
		r.matchers[1].Vector("v2", result.Pass, "")
		r.known[answerKey{1, "v1"}] = file.Entries()[0]
		found := []result.Finding{
			{Subject: "one", Group: "a", Count: 1, Vectors: []string{"v1"}}, {Subject: "one", Group: "b", Count: 1}, {Subject: "one", Group: "b", Count: 1, Vectors: []string{"v2"}}, {Subject: "dead", Group: "a", Count: 1},
		}
		r.apply(found)
		var stale []string
		for _, s := range r.stale {
			stale = append(stale, s.Subject+" "+string('0'+rune(s.Line)))
		}
		if !slices.Equal(stale, c.stale) {
			t.Errorf("%+v: stale are %v", c, stale)
		}
		s := r.scores
		if s[1].Findings != 3 || s[1].New != 2 || !reflect.DeepEqual(s[1].Found, map[string]int{"a": 1, "b": 2}) || s[0].NoStart != "gone" || s[0].Findings != 1 || s[2].Findings != 0 || s[1].NoStart != "" {
			t.Errorf("%+v", s)
		}
		if found[0].Known == nil || found[1].Known != nil || !slices.Equal(found[2].Unknown, []string{"v2"}) {
			t.Errorf("%+v", found)
		}
	}
}
