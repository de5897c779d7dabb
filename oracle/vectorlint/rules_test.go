package vectorlint

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// linterOf is a linter of some vectors.
func linterOf(all ...vectors.Vector) *linter {
	l := &linter{all: all, index: map[string]vectors.Vector{}}
	for _, v := range all {
		l.index[v.ID] = v
	}
	return l
}

// expectProblems compares the problems, each by its id, rule and a part of its text.
func expectProblems(t *testing.T, name string, l *linter, want ...string) {
	t.Helper()
	var got []string
	for _, p := range l.problems {
		got = append(got, p.String())
	}
	for i, w := range want {
		if len(got) != len(want) || !strings.Contains(got[i], w) {
			t.Errorf("%s: %q, want %q", name, got, want)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %q, want none", name, got)
	}
}

// expectations are the same under every profile.
func expectations(e vectors.Expectation) map[reject.Profile]vectors.Expectation {
	all := map[reject.Profile]vectors.Expectation{}
	for _, p := range reject.Profiles() {
		all[p] = e
	}
	return all
}

// with replaces a table for one test.
func with[T any](t *testing.T, table *T, value T) {
	old := *table
	*table = value
	t.Cleanup(func() { *table = old })
}

func TestSourceFilesAreASCII(t *testing.T) {
	l := &linter{}
	err := l.texts(fstest.MapFS{
		"topics/a.json": {Data: []byte(`"~"`)}, "topics/b.json": {Data: []byte("\u00e9")}, "topics/c.json": {Data: []byte("\"\x7f\"")},
		"flags.json": {Data: []byte("\"\u00e9\"")}, "schema.json": {Data: []byte("{}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	expectProblems(t, "texts", l, "topics/b.json: text: the file itself", "topics/b.json: text: not ASCII at offset 0",
		"topics/c.json: text: not ASCII at offset 1", "flags.json: text: not ASCII at offset 1")
	for text, ascii := range map[string]bool{"a ~": true, "a\x1f": false, "\x7f": false, "\u00e9": false} {
		l := &linter{}
		l.words(vectors.Vector{ID: "a", Title: text})
		if (len(l.problems) == 0) != ascii {
			t.Errorf("%q: %v", text, l.problems)
		}
	}
}

func TestVerdictsAreComparedUnderEveryProfile(t *testing.T) {
	for _, c := range []struct {
		name, input string
		e           vectors.Expectation
		want        []string
	}{
		{"right", "[1.0]", vectors.Expectation{Verdict: vectors.Accept, Output: []byte("[1]"), Offset: -1}, nil},
		{"another", "[1.0]", vectors.Expectation{Verdict: vectors.Reject}, []string{"rfc8785: reject here", "ijson: reject here", "rfc0016: reject here"}},
		{"no offset", "[,", vectors.Expectation{Verdict: vectors.Reject, Reasons: []reject.Reason{reject.Syntax}, Offset: -1}, nil},
		{"the offset", "[,", vectors.Expectation{Verdict: vectors.Reject, Reasons: []reject.Reason{reject.Syntax}, Offset: 1}, nil},
		{"the offset 0", "[,", vectors.Expectation{Verdict: vectors.Reject, Reasons: []reject.Reason{reject.Syntax}},
			[]string{"rfc8785: offset 0 here, 1", "ijson: offset 0 here, 1", "rfc0016: offset 0 here, 1"}},
	} {
		l := &linter{}
		l.verdicts(vectors.Vector{ID: "a", Op: vectors.OpCanon, Input: []byte(c.input), Expect: expectations(c.e)})
		expectProblems(t, c.name, l, c.want...)
	}
}

func TestOutputsGiveThemselves(t *testing.T) {
	deep := strings.Repeat("[", reference.MaxDepth+1) + strings.Repeat("]", reference.MaxDepth+1)
	for _, c := range []struct {
		name, op string
		e        vectors.Expectation
		want     string
	}{
		{"itself", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("[1]")}, ""},
		{"none", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Reject}, ""},
		{"another", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("[1.0]")}, "does not give itself"},
		{"refused", vectors.OpGraph, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("[")}, "does not give itself"},
		{"open and another", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Output: []byte("[-0]")}, "does not give itself"},
		{"open", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Output: []byte("\ufeff1")}, "does not give itself"},
		{"not accepted", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("\"\uffff\"")}, "is not accepted"},
		{"either", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Output: []byte("\"\uffff\"")}, ""},
		{"a hash", vectors.OpHash, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("x")}, ""},
		{"a trace", vectors.OpLifecycle, vectors.Expectation{Verdict: vectors.Accept, Output: []byte("x")}, ""},
		{"another beside none", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Also: [][]byte{[]byte("[ ]")}}, "does not give itself"},
		{"too deep to tell", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Output: []byte(deep)}, ""},
		{"another beside one too deep", vectors.OpCanon, vectors.Expectation{Verdict: vectors.Either, Output: []byte(deep), Also: [][]byte{[]byte("[ ]")}}, "does not give itself"},
	} {
		l := &linter{}
		l.outputs(vectors.Vector{ID: "a", Op: c.op, Expect: map[reject.Profile]vectors.Expectation{reject.RFC8785: c.e}})
		if c.want == "" {
			expectProblems(t, c.name, l)
		} else {
			expectProblems(t, c.name, l, c.want)
		}
	}
}

func TestRelationsPointToAnotherVectorOfTheOpAndStandOnce(t *testing.T) {
	accept := expectations(vectors.Expectation{Verdict: vectors.Accept, Output: []byte("1")})
	same := func(id string) vectors.Relation { return vectors.Relation{Kind: vectors.SameOutput, With: id} }
	other := func(id string) vectors.Relation { return vectors.Relation{Kind: vectors.DifferentOutput, With: id} }
	b := vectors.Vector{ID: "b", Op: vectors.OpCanon, Expect: accept}
	for _, c := range []struct {
		name   string
		change func(a, b *vectors.Vector)
		want   string
	}{
		{"right", func(a, b *vectors.Vector) {}, ""},
		{"retired", func(a, b *vectors.Vector) { b.Status = vectors.Retired }, "is retired"},
		{"another op", func(a, b *vectors.Vector) { a.Op = vectors.OpGraph }, "is retired"},
		{"itself", func(a, b *vectors.Vector) { a.Relations = []vectors.Relation{same("c")} }, "is retired"},
		{"nobody", func(a, b *vectors.Vector) { a.Relations = []vectors.Relation{same("x")} }, "there is no vector"},
		{"back", func(a, b *vectors.Vector) { b.Relations = []vectors.Relation{same("c")} }, "stands twice"},
		{"back from a later one", func(a, b *vectors.Vector) { a.ID, b.Relations = "a", []vectors.Relation{same("a")} }, ""},
		{"back of another kind", func(a, b *vectors.Vector) { b.Relations = []vectors.Relation{other("c")} }, ""},
		{"from there to another", func(a, b *vectors.Vector) { b.Relations = []vectors.Relation{same("x")} }, ""},
		{"it does not hold", func(a, b *vectors.Vector) { a.Relations = []vectors.Relation{other("b")} }, "does not hold"},
	} {
		a, b := vectors.Vector{ID: "c", Op: vectors.OpCanon, Expect: accept, Relations: []vectors.Relation{same("b")}}, b
		c.change(&a, &b)
		l := linterOf(a, b)
		l.relations(a)
		if c.want == "" {
			expectProblems(t, c.name, l)
		} else {
			expectProblems(t, c.name, l, c.want)
		}
	}
}

func TestRelationsHoldByVerdictAndOutput(t *testing.T) {
	of := func(verdict, output string) vectors.Expectation {
		return vectors.Expectation{Verdict: verdict, Output: []byte(output)}
	}
	one, two, open, refused := of(vectors.Accept, "1"), of(vectors.Accept, "2"), of(vectors.Either, "1"), of(vectors.Reject, "")
	for _, c := range []struct {
		name            string
		a, b            vectors.Expectation
		same, different bool
	}{
		{"equal", one, one, true, false}, {"two", one, two, false, true}, {"open", open, one, true, false}, {"open and another", two, open, false, true},
		{"one refused", one, refused, false, true}, {"the other refused", refused, one, false, true}, {"both refused", refused, refused, false, false},
		{"without an output, and refused", of(vectors.Either, ""), refused, false, true},
	} {
		for op, p := range map[string]reject.Profile{vectors.OpCanon: reject.RFC8785, vectors.OpGraph: reject.RFC0016} {
			v := vectors.Vector{Op: op, Expect: map[reject.Profile]vectors.Expectation{p: c.a}}
			w := vectors.Vector{Op: op, Expect: map[reject.Profile]vectors.Expectation{p: c.b}}
			if same, different := holds(vectors.SameOutput, v, w), holds(vectors.DifferentOutput, v, w); same != c.same || different != c.different {
				t.Errorf("%s, %s: same %v, different %v", op, c.name, same, different)
			}
		}
	}
	if holds("other", vectors.Vector{}, vectors.Vector{}) {
		t.Error("an unknown relation holds")
	}
}

func TestCoverageAsksForBothWhereInputCanBreakIt(t *testing.T) {
	var both, outputOnly, inputToo []string
	for _, r := range reject.Requirements() {
		both = append(both, r.ID)
		if len(r.Reasons) == 0 {
			outputOnly = append(outputOnly, r.ID)
		} else {
			inputToo = append(inputToo, r.ID)
		}
	}
	accepted := vectors.Vector{Clauses: both, Expect: expectations(vectors.Expectation{Verdict: vectors.Accept})}
	refused := vectors.Vector{Clauses: inputToo, Expect: expectations(vectors.Expectation{Verdict: vectors.Reject})}
	without := func(v vectors.Vector, id string) vectors.Vector {
		v.Clauses = slices.DeleteFunc(slices.Clone(v.Clauses), func(c string) bool { return c == id })
		return v
	}
	first, output := inputToo[0], outputOnly[0]
	for _, c := range []struct {
		name      string
		all       []vectors.Vector
		uncovered map[string]string
		want      []string
	}{
		{"covered", []vectors.Vector{accepted, refused}, nil, nil},
		{"in another order", []vectors.Vector{refused, accepted}, nil, nil},
		{"nothing refused", []vectors.Vector{accepted, without(refused, first)}, nil, []string{first + ": coverage: no rejecting vector"}},
		{"nothing accepted", []vectors.Vector{without(accepted, output), refused}, nil, []string{output + ": coverage: no accepting vector"}},
		{"excepted", []vectors.Vector{accepted, without(refused, first)}, map[string]string{first: "why"}, nil},
		{"excepted and covered", []vectors.Vector{accepted, refused}, map[string]string{first: "why"}, []string{first + ": exception: it is covered now"}},
	} {
		with(t, &uncovered, c.uncovered)
		l := linterOf(c.all...)
		l.coverage()
		expectProblems(t, c.name, l, c.want...)
	}
}

func TestOperationsAreServedOrExcepted(t *testing.T) {
	asked, other := vectors.Vector{Op: vectors.OpGraph}, vectors.Vector{Op: vectors.OpCanon}
	for _, c := range []struct {
		name             string
		all              []vectors.Vector
		served, excepted bool
		want             []string
	}{
		{"served", []vectors.Vector{asked, other}, true, false, nil},
		{"not served", []vectors.Vector{asked, other}, false, false, []string{"graph: confirm: no engine serves"}},
		{"not asked", []vectors.Vector{other}, false, false, nil},
		{"excepted", []vectors.Vector{asked, other}, false, true, nil},
		{"excepted and served", []vectors.Vector{asked, other}, true, true, []string{"graph: exception: an engine serves it"}},
		{"excepted and not asked", []vectors.Vector{other}, false, true, []string{"graph: exception: an engine serves it"}},
	} {
		with(t, &unservedOps, map[string]string{})
		if c.excepted {
			unservedOps[vectors.OpGraph] = "why"
		}
		l := linterOf(c.all...)
		l.unserved(map[string]bool{vectors.OpGraph: c.served, vectors.OpCanon: true})
		expectProblems(t, c.name, l, c.want...)
	}
}

func TestExceptionsOccurForEachVectorTheyCover(t *testing.T) {
	with(t, &exceptions, []exception{{"x", "none", "why"}, {"x y", "a-1 b-*", "why"}})
	l := linterOf(vectors.Vector{ID: "z"}, vectors.Vector{ID: "a-1"}, vectors.Vector{ID: "b-1"}, vectors.Vector{ID: "b-2"})
	c := &confirmation{linter: l, hits: map[string]map[string]bool{}}
	for _, hit := range []struct {
		engine, id string
		want       bool
	}{{"x", "a-1", true}, {"x", "b-1", true}, {"x", "b-2", true}, {"y", "a-1", true}, {"y", "b-2", true}, {"y", "z", false}, {"z", "a-1", false}} {
		if got := c.excepted(hit.engine, hit.id); got != hit.want {
			t.Errorf("%s on %s: %v", hit.engine, hit.id, got)
		}
	}
	l.stale(c.hits)
	expectProblems(t, "stale", l, "x on none: exception: no vector has such an id", "y on b-1: exception: it no longer occurs")
}

func TestVoicesThatAVectorNeeds(t *testing.T) {
	with(t, &exceptions, nil)
	for _, c := range []struct {
		name    string
		p       reject.Profile
		verdict string
		voices  []string
		foreign bool
		want    string
	}{
		{"two", reject.RFC8785, vectors.Accept, []string{"a", "b"}, true, ""},
		{"none foreign", reject.RFC8785, vectors.Accept, []string{"a", "b"}, false, "no foreign lineage"},
		{"one", reject.RFC8785, vectors.Accept, []string{"b"}, true, "confirmed by [b] alone"},
		{"one of an either", reject.RFC8785, vectors.Either, []string{"b"}, true, ""},
		{"none of an either", reject.RFC8785, vectors.Either, nil, true, "confirmed by [] alone"},
		{"two, elsewhere", reject.IJSON, vectors.Accept, []string{"a", "b"}, false, ""},
		{"one, elsewhere", reject.IJSON, vectors.Accept, []string{"a"}, false, "confirmed by [a] alone"},
		{"one refusal, elsewhere", reject.IJSON, vectors.Reject, []string{"a"}, false, "confirmed by [a] alone"},
		{"none of an either, elsewhere", reject.IJSON, vectors.Either, nil, false, ""},
	} {
		judged := vectors.Vector{ID: "v", Op: vectors.OpCanon, Expect: map[reject.Profile]vectors.Expectation{c.p: {Verdict: c.verdict}}}
		l := linterOf(vectors.Vector{ID: "unjudged", Op: vectors.OpCanon}, vectors.Vector{ID: "unserved", Op: vectors.OpGraph, Expect: judged.Expect}, judged)
		conf := &confirmation{
			linter: l, profile: c.p, hits: map[string]map[string]bool{}, served: map[string]bool{vectors.OpCanon: true},
			voices: map[string][]string{"v": c.voices}, foreign: map[string]bool{"v": c.foreign},
		}
		conf.conclude()
		if c.want == "" {
			expectProblems(t, c.name, l)
		} else {
			expectProblems(t, c.name, l, "v: confirm: ")
			if !strings.Contains(l.problems[0].Text, c.want) {
				t.Errorf("%s: %s", c.name, l.problems[0])
			}
		}
	}
}

// counting notes what it is asked.
type counting struct{ asked []string }

func (c *counting) Info() result.Info {
	return result.Info{Name: "c", Ops: []result.Op{result.OpCanon}}
}
func (c *counting) Close() error { return nil }
func (c *counting) Ask(_ context.Context, questions []result.Question) []result.Answer {
	for _, q := range questions {
		c.asked = append(c.asked, string(q.Op)+" "+string(q.Input))
	}
	return nil
}

func TestEnginesAreAskedWhatIsJudgedAndServed(t *testing.T) {
	judged := map[reject.Profile]vectors.Expectation{reject.RFC8785: {Verdict: vectors.Accept}}
	l := linterOf(
		vectors.Vector{ID: "a", Op: vectors.OpCanon, Input: []byte("1")}, vectors.Vector{ID: "b", Op: vectors.OpGraph, Input: []byte("2"), Expect: judged},
		vectors.Vector{ID: "c", Op: vectors.OpCanon, Input: []byte("3"), Expect: judged},
	)
	e := new(counting)
	c := &confirmation{linter: l, profile: reject.RFC8785, served: map[string]bool{}}
	c.ask(t.Context(), e, e.Info())
	if !slices.Equal(e.asked, []string{"canon 3"}) || c.served[vectors.OpGraph] {
		t.Errorf("asked %q, served %v", e.asked, c.served)
	}
}
