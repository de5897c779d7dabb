package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/relation"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func relatedConfig(p planted) Config {
	cfg := testConfig(entryOf("planted", p))
	cfg.Cases, cfg.Relations = 1, 40
	return cfg
}

// TestRelationsOfTheRight: who is right breaks none, and they are counted.
func TestRelationsOfTheRight(t *testing.T) {
	run := mustRun(t, relatedConfig(right))
	if len(run.Findings) > 0 {
		t.Errorf("found: %s", kinds(run))
	}
	s := run.Footer.Scores[0]
	for _, name := range []string{"member-order", relation.Repeated, relation.Values, "fixed-point"} {
		if s.Relations[name].Passed == 0 {
			t.Errorf("%s: %+v", name, s.Relations[name])
		}
	}
	if run.Header.Relations != 40 {
		t.Errorf("the header says %d", run.Header.Relations)
	}
}

// TestBreachesAreAttributed: a breach that a verdict explains joins the
// verdict's finding, whose collision it proves; asked for, it is shown too.
func TestBreachesAreAttributed(t *testing.T) {
	folded := onOutput(bytes.ToLower)
	cfg := relatedConfig(folded)
	run := mustRun(t, cfg)
	if len(run.Findings) == 0 {
		t.Fatal("nothing found")
	}
	for _, f := range run.Findings {
		if f.Relation != "" {
			t.Errorf("%s is explained and was reported", f.Relation)
		}
	}
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Effect == result.Collision })
	if i < 0 {
		t.Fatalf("no collision is proved: %s", kinds(run))
	}
	f := run.Findings[i]
	one := folded(f.Input).Bytes
	other := folded(f.Partner).Bytes
	if f.Partner == nil || !bytes.Equal(one, other) {
		t.Errorf("%q gives %q, its partner %q gives %q", f.Input, one, f.Partner, other)
	}
	a, errA := reference.Canonicalize(f.Input)
	b, errB := reference.Canonicalize(f.Partner)
	if errA == nil && errB == nil && bytes.Equal(a, b) {
		t.Error("the two have one canonical form")
	}

	cfg.EveryBreach = true
	run = mustRun(t, cfg)
	i = slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Relation == "value" && f.Effect == result.Collision })
	if i < 0 {
		t.Fatalf("the breach is not shown: %s", kinds(run))
	}
	f = run.Findings[i]
	if f.Effect != result.Collision || f.PartnerOp != result.OpCanon || !bytes.Equal(f.Actual, f.PartnerActual) || f.Verdict != "" || !strings.Contains(f.Replay, "--relations on") {
		t.Errorf("%+v", f)
	}
}

// TestStateIsFound: answers that change from one asking to the next are a
// finding although each may be right by itself; a verdict may see one of them
// too.
func TestStateIsFound(t *testing.T) {
	asked := 0
	cfg := relatedConfig(func(input []byte) result.Answer {
		if asked++; asked%97 == 0 {
			return result.Answer{Kind: result.Rejected}
		}
		return right(input)
	})
	cfg.Workers = 1
	run := mustRun(t, cfg)
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Relation == relation.Repeated })
	if i < 0 {
		t.Fatalf("not found: %s", kinds(run))
	}
	if f := run.Findings[i]; !bytes.Equal(f.Input, f.Partner) || f.Given == f.PartnerGiven || f.Requirement == "" {
		t.Errorf("%+v", f)
	}
}

// TestLadders: who is slow or dies is found, with a clock that is counted; who
// has a limit is not.
func TestLadders(t *testing.T) {
	timed := func(p planted, cost func(n int) time.Duration) planted {
		return func(input []byte) result.Answer {
			a := p(input)
			a.Elapsed = cost(len(input))
			return a
		}
	}
	linear := func(n int) time.Duration { return time.Microsecond + time.Duration(100*n) }
	echo := planted(func(input []byte) result.Answer { return result.Answer{Kind: result.OK, Bytes: input} })
	upTo := func(most int, kind result.AnswerKind) planted {
		return func(input []byte) result.Answer {
			if len(input) > most {
				return result.Answer{Kind: kind, Message: "boom"}
			}
			return result.Answer{Kind: result.OK, Bytes: input}
		}
	}
	for _, c := range []struct {
		name    string
		subject planted
		outcome result.Outcome // "" for no finding
	}{
		{"linear", timed(echo, linear), ""},
		{"refuses", timed(upTo(5000, result.Rejected), linear), ""},
		{"dies", timed(upTo(5000, result.Crashed), linear), result.Crash},
		{"hangs", timed(upTo(5000, result.Hung), linear), result.Hang},
	} {
		cfg := Config{Entries: []Entry{entryOf("planted", c.subject)}, Inputs: [][]byte{[]byte("0")}, Ladders: []string{"string", "members"}}
		run := mustRun(t, cfg)
		s := run.Footer.Scores[0]
		if len(s.Ladders) != 2 || s.Ladders[0].Name != "string" || len(s.Ladders[0].Rungs) < 4 {
			t.Errorf("%s: %+v", c.name, s.Ladders)
			continue
		}
		found := slices.DeleteFunc(slices.Clone(run.Findings), func(f result.Finding) bool { return f.Ladder == "" })
		if c.outcome == "" {
			if len(found) > 0 {
				t.Errorf("%s: %s", c.name, kinds(run))
			}
			continue
		}
		if len(found) != 2 || found[0].Outcome != c.outcome || found[0].Effect != result.DenialOfService || !json.Valid(found[0].Input) && found[0].InputSize == len(found[0].Input) {
			t.Errorf("%s: %s", c.name, kinds(run))
		}
	}
}

func exchange(op result.Op, input string, a result.Answer) relation.Exchange {
	return relation.Exchange{Question: result.Question{Op: op, Input: []byte(input)}, Answer: a}
}

// opening gives a runner whose implementations have been opened.
func opening(t *testing.T, cfg Config) *runner {
	t.Helper()
	r := newRunner(cfg, nil)
	r.open(t.Context())
	return r
}

// TestDepart: an answer that a verdict says is wrong is a failure as any other.
func TestDepart(t *testing.T) {
	shallow := planted(func(input []byte) result.Answer { return result.Answer{Kind: result.Rejected} })
	serious := info{right, result.Info{Reasons: true}}
	for _, c := range []struct {
		name     string
		ctx      context.Context
		exchange relation.Exchange
		departs  bool
	}{
		{"right", t.Context(), exchange(result.OpCanon, "[ ]", ok("[]")), false},
		{"wrong", t.Context(), exchange(result.OpCanon, "[ ]", ok("[ ]")), true},
		{"another operation", t.Context(), exchange(result.OpVerify, "[ ]", ok("[ ]")), false},
		{"ended", ended(t), exchange(result.OpCanon, "[ ]", ok("[ ]")), false},
		{"refused", t.Context(), exchange(result.OpCanon, "1", refusal("")), true},
		{"too deep", t.Context(), exchange(result.OpCanon, "[[1]]", refusal("")), false},
		{"reason", t.Context(), exchange(result.OpCanon, "[", refusal("duplicate_name")), true},
	} {
		r := opening(t, Config{Entries: []Entry{{Open: opened(serious)}, entryOf("shallow", shallow)}})
		entry := 1
		if c.name == "reason" {
			entry = 0
		}
		if got := r.depart(c.ctx, entry, 0, c.exchange, 7, []byte("p")); got != c.departs || (r.failures.len() == 1) != c.departs {
			t.Errorf("%s departs: %v, %d are noted", c.name, got, r.failures.len())
		}
		for _, b := range r.failures.sorted() {
			if f := b.shortest; f.number != 7 || string(f.partner) != "p" || string(f.input) != string(c.exchange.Question.Input) || f.verdict.Kind == "" {
				t.Errorf("%s is noted as %+v", c.name, f)
			}
		}
	}
}

// TestAttributed: of two answers each is judged, and a collision gives each its
// partner, except where only the partner must be refused.
func TestAttributed(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second relation.Exchange
		effect        result.Effect
		found         bool
		noted         string
	}{
		{"none is wrong", exchange(result.OpCanon, "1", ok("1")), exchange(result.OpCanon, "2", ok("2")), result.Collision, false, ""},
		{"the first", exchange(result.OpCanon, "1", ok("2")), exchange(result.OpCanon, "2", ok("2")), result.Collision, true, "1 with 2"},
		{"the second", exchange(result.OpCanon, "1", ok("1")), exchange(result.OpCanon, "2", ok("1")), result.Collision, true, "2 with 1"},
		{"both", exchange(result.OpCanon, "1", ok("3")), exchange(result.OpCanon, "[2]", ok("3")), result.Collision, true, "1 with [2], [2] with 1"},
		{"no collision", exchange(result.OpCanon, "1", ok("2")), exchange(result.OpCanon, "2", ok("2")), result.Split, true, "1 with "},
		{"one answer", exchange(result.OpCanon, "1", ok("2")), relation.Exchange{}, result.Collision, true, "1 with "},
		{"the other is refusable", exchange(result.OpCanon, "1", ok("2")), exchange(result.OpCanon, "+1", ok("2")), result.Collision, true, "+1 with 1, 1 with "},
		{"both are refusable", exchange(result.OpCanon, "01", ok("2")), exchange(result.OpCanon, "+1", ok("2")), result.Collision, true, "+1 with 01, 01 with +1"},
		{"another operation", exchange(result.OpVerify, "1", ok("2")), exchange(result.OpCanon, "2", ok("2")), result.Collision, false, ""},
	} {
		r := opening(t, Config{Entries: []Entry{entryOf("one", right)}})
		if got := r.attributed(t.Context(), 0, 0, &relation.Breach{First: c.first, Second: c.second, Effect: c.effect, Number: 4}); got != c.found {
			t.Errorf("%s: attributed %v", c.name, got)
		}
		var noted []string
		for _, b := range r.failures.sorted() {
			noted = append(noted, string(b.shortest.input)+" with "+string(b.shortest.partner))
			if b.cases[0] != 4 {
				t.Errorf("%s: noted in %v", c.name, b.cases)
			}
		}
		slices.Sort(noted)
		if got := strings.Join(noted, ", "); got != c.noted {
			t.Errorf("%s: noted are %s, want %s", c.name, got, c.noted)
		}
	}
}

// TestBreachesOfAKind: the first of those with the least evidence stands for all.
func TestBreachesOfAKind(t *testing.T) {
	r := opening(t, Config{Entries: []Entry{entryOf("one", right)}})
	breach := func(name, first, second, input string, number uint64) relation.Breach {
		return relation.Breach{Relation: relation.Relation{Name: name}, Input: []byte(input), Number: number, Effect: result.Split,
			First: exchange(result.OpCanon, first, ok("")), Second: exchange(result.OpCanon, second, ok(""))}
	}
	for i, c := range []struct {
		breach   relation.Breach
		shortest uint64
	}{
		{breach("a", "aa", "aa", "b", 9), 9}, {breach("a", "aaa", "aa", "a", 8), 9}, {breach("a", "aa", "aaa", "a", 7), 9}, {breach("a", "aaa", "a", "b", 6), 9},
		{breach("a", "a", "aaa", "a", 5), 5}, {breach("a", "aa", "a", "c", 4), 4}, {breach("a", "a", "aa", "c", 3), 4}, {breach("b", "a", "a", "c", 2), 4},
	} {
		if r.breach(0, c.breach); r.breaches[breached{0, "a", result.Split}].shortest.Number != c.shortest {
			t.Errorf("after %d of them: %+v", i+1, r.breaches[breached{0, "a", result.Split}])
		}
	}
	kind := r.breaches[breached{0, "a", result.Split}]
	if kind.count != 7 || !slices.Equal(kind.cases, []uint64{3, 4, 5, 6, 7}) || len(r.breaches) != 2 {
		t.Errorf("%+v of %d", kind, len(r.breaches))
	}
}

// TestRelatedOnlyAsLongAsThereIsTime: each kind is given its share of tries, in
// an order that does not depend on the machine.
func TestRelatedOnlyAsLongAsThereIsTime(t *testing.T) {
	value, _ := relation.Lookup("value")
	for _, c := range []struct {
		name   string
		ctx    context.Context
		effort effort
		tries  []int
		left   int
	}{
		{"enough", t.Context(), effort{tries: 20_000}, []int{1000, 1000}, 18_000},
		{"for one and a half", t.Context(), effort{tries: 1500}, []int{1000, 500}, 0},
		{"for one", t.Context(), effort{tries: 1}, []int{1}, 0},
		{"none", t.Context(), effort{}, nil, 0},
		{"too little", t.Context(), effort{tries: -1}, nil, 0},
		{"no time", t.Context(), effort{tries: 5, whole: time.Hour}, nil, 5},
		{"ended", ended(t), effort{tries: 5}, nil, 5},
	} {
		var tries []int
		r := opening(t, Config{Entries: []Entry{entryOf("dead", right), entryOf("one", right)}, Minimize: func(input []byte, _ func([]byte) bool, most int) []byte {
			tries = append(tries, most)
			return input
		}})
		for entry := range 2 {
			for _, effect := range []result.Effect{result.Split, result.Collision} {
				r.breach(entry, relation.Breach{Relation: value, Effect: effect, Input: []byte(effect), First: exchange(result.OpCanon, string(effect), ok(""))})
			}
		}
		r.kill(0, "gone")
		efforts := []effort{{tries: 9}, c.effort}
		found := r.related(c.ctx, efforts)
		if !slices.Equal(tries, c.tries) || efforts[1].tries != c.left || efforts[0].tries != 9 {
			t.Errorf("%s: %v tries, %+v are left", c.name, tries, efforts)
		}
		if len(found) != 4 || found[0].Subject != "dead" || found[0].Effect != result.Collision || found[3].Effect != result.Split {
			t.Errorf("%s: found are %+v", c.name, found)
		}
	}
	ordered := []breached{{0, "a", "b"}, {0, "a", "c"}, {0, "b", "a"}, {1, "a", "a"}}
	for i, b := range ordered {
		for j, c := range ordered {
			if got := b.compare(c); got != min(max(i-j, -1), 1) {
				t.Errorf("%+v and %+v: %d", b, c, got)
			}
		}
	}
}

// TestBrokenRelation: what a finding tells of a breach, and how it is shown again.
func TestBrokenRelation(t *testing.T) {
	value, _ := relation.Lookup("value")
	repeated, _ := relation.Lookup(relation.Repeated)
	r := opening(t, Config{Entries: []Entry{entryOf("one", right)}, Seed: 3})
	long := strings.Repeat("1", 257)
	two := func(b relation.Breach) relation.Breach {
		b.First, b.Second = exchange(result.OpCanon, "a", ok("xy")), exchange(result.OpVerify, "b", ok("xz"))
		return b
	}
	for _, c := range []struct {
		name   string
		breach relation.Breach
		told   string
	}{
		{"two", two(relation.Breach{Relation: value, Input: []byte("a"), Effect: result.Collision, After: []byte("c"), Number: 4}),
			`a ok xy differs at 1, b verify ok xz after c; touchstone check --peer one --input 61 --relations on`},
		{"one", relation.Breach{Relation: value, Input: []byte("a"), After: []byte("c"), First: exchange(result.OpCanon, "a", ok("xy")), Second: relation.Exchange{Answer: ok("z")}},
			`a ok xy differs at -1,     after ; touchstone check --peer one --input 61 --relations on`},
		{"refused", relation.Breach{Relation: value, Input: []byte("a"), First: exchange(result.OpCanon, "a", refusal("r")), Second: exchange(result.OpCanon, "b", ok("z"))},
			`a reject r differs at -1, b canon ok z after ; touchstone check --peer one --input 61 --relations on`},
		{"the other refused", relation.Breach{Relation: value, Input: []byte("a"), First: exchange(result.OpCanon, "a", ok("z")), Second: exchange(result.OpCanon, "b", refusal(""))},
			`a ok z differs at -1, b canon reject  after ; touchstone check --peer one --input 61 --relations on`},
		{"empty", two(relation.Breach{Relation: value}), `a ok xy differs at 1, b verify ok xz after ; touchstone check --peer one --input - --relations on`},
		{"pair", two(relation.Breach{Relation: value, Pair: true, Input: []byte("a"), Number: 4}), `a ok xy differs at 1, b verify ok xz after ; touchstone check --peer one --seed 3 --case 4 --relations on`},
		{"long", two(relation.Breach{Relation: value, Input: []byte(long), Number: 4}), `a ok xy differs at 1, b verify ok xz after ; touchstone check --peer one --seed 3 --case 4 --relations on`},
		{"not so long", two(relation.Breach{Relation: value, Input: []byte(long[1:]), Number: 4}),
			`a ok xy differs at 1, b verify ok xz after ; touchstone check --peer one --input ` + strings.Repeat("31", 256) + ` --relations on`},
		{"repeated", two(relation.Breach{Relation: repeated, Input: []byte("a"), Number: 4}), `a ok xy differs at 1, b verify ok xz after ; touchstone check --peer one --seed 3 --case 4 --relations on`},
	} {
		f := r.brokenRelation(0, &breaches{count: 6, cases: []uint64{1, 2}}, c.breach)
		told := fmt.Sprintf("%s %s %s differs at %d, %s %s %s %s after %s; %s", []byte(f.Input), f.Given, cmp.Or(string(f.Actual), f.ReasonGiven), f.Differ,
			[]byte(f.Partner), f.PartnerOp, f.PartnerGiven, []byte(f.PartnerActual), []byte(f.After), f.Replay)
		if told != c.told {
			t.Errorf("%s:\n%s, want\n%s", c.name, told, c.told)
		}
		if f.Relation != c.breach.Relation.Name || f.Requirement != c.breach.Relation.Clause || f.Count != 6 || len(f.Cases) != 2 || f.InputSize != 1 || f.Effect != c.breach.Effect ||
			f.Outcome != result.Diverged || f.Op != result.OpCanon || f.Signature != "breaks the relation "+f.Relation+": "+c.breach.Relation.Text {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// TestRelateShares: relations are asked of the documents of the implementation's
// share, by their numbers, and of all inputs; crashes on the way are failures.
func TestRelateShares(t *testing.T) {
	var seen []string
	cfg := testConfig(entryOf("one", func(input []byte) result.Answer {
		seen = append(seen, string(input))
		if string(input) == "16" {
			return result.Answer{Kind: result.Crashed}
		}
		return right(input)
	}))
	cfg.Cases, cfg.Relations, cfg.RelateInputs, cfg.First, cfg.Workers = 0, 5, true, 13, 1
	cfg.Entries[0].Every, cfg.Entries[0].Batch = 3, 2
	cfg.Inputs = [][]byte{[]byte("91"), []byte("92"), []byte("93")}
	buffer := []byte{}
	cfg.Generator = func(uint64) func(uint64) []byte {
		return func(number uint64) []byte { buffer = fmt.Append(buffer[:0], number); return buffer }
	}
	run := mustRun(t, cfg)
	for _, text := range []string{"91", "92", "93", "15"} {
		if !slices.Contains(seen, text) {
			t.Errorf("%s is not asked, but %v", text, seen)
		}
	}
	for _, text := range []string{"13", "14", "16", "17", "18"} {
		if slices.Contains(seen, text) {
			t.Errorf("%s is asked", text)
		}
	}
	// Of inputs there are no pairs: what is asked often enough of each is known.
	if tally := run.Footer.Scores[0].Relations[relation.Repeated]; tally.Asked != 4 {
		t.Errorf("%+v", tally)
	}
	cfg.Entries[0].Every, cfg.RelateInputs = 1, false
	run = mustRun(t, cfg)
	i := slices.IndexFunc(run.Findings, func(f result.Finding) bool { return f.Outcome == result.Crash && string(f.Input) == "16" })
	if i < 0 {
		t.Errorf("found %+v", run.Findings)
	}
}

// verifying answers whether a text is canonical, always with no.
type verifying struct{ info }

func (v verifying) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	answers := v.info.Ask(ctx, questions)
	for i, q := range questions {
		if q.Op == result.OpVerify {
			answers[i] = ok("0")
		}
	}
	return answers
}

// TestBreachesOfTheirOwn: what no verdict explains is reported, and of inputs the
// number.
func TestBreachesOfTheirOwn(t *testing.T) {
	cfg := testConfig(Entry{Name: "one", Open: opened(verifying{info{right, result.Info{Ops: []result.Op{result.OpCanon, result.OpVerify}}}})})
	cfg.Cases, cfg.Inputs, cfg.RelateInputs = 0, [][]byte{[]byte("[]"), []byte("[1]")}, true
	run := mustRun(t, cfg)
	if !slices.ContainsFunc(run.Findings, func(f result.Finding) bool {
		return f.Relation != "" && slices.Equal(f.Cases, []uint64{0, 1}) && (f.Op == result.OpVerify || f.PartnerOp == result.OpVerify)
	}) {
		t.Errorf("found %s", kinds(run))
	}
}
