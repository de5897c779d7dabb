package relation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A text's graph has a node for each value, in the order of the text.
func TestGraph(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[1,"é😀"],"":true}`: `{"root":0,"nodes":[{"object":[["0061",1],["",4]]},{"array":[[0,2],[1,3]],"length":2},{"number":"3ff0000000000000"},{"string":"00e9d83dde00"},{"literal":"true"}]}`,
		`[]`:                     `{"root":0,"nodes":[{"array":[],"length":0}]}`,
		`{}`:                     `{"root":0,"nodes":[{"object":[]}]}`,
		` -0 `:                   `{"root":0,"nodes":[{"number":"8000000000000000"}]}`,
		`[1e400]`:                "",
		`["\ud800"]`:             "",
		`{"\ud800":1}`:           "",
		``:                       "",
	} {
		graph, ok := graphOf([]byte(text))
		if string(graph) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v", text, graph, ok)
		}
	}
	for n, want := range map[int]bool{4999: true, 5000: false} { // and the array itself
		if _, ok := graphOf([]byte("[" + strings.Repeat("0,", n-1) + "0]")); ok != want {
			t.Errorf("a graph of %d elements: %v", n, ok)
		}
	}
}

// A script's string is ASCII, with an escape for every other unit.
func TestScriptString(t *testing.T) {
	if got := scriptString([]byte("\x1f !\"#[\\]~\x7f\u0080é😀")); got != `"\u001f !\u0022#[\u005c]~\u007f\u0080\u00e9\ud83d\ude00"` {
		t.Errorf("got %s", got)
	}
}

// What is too long, too deep or no JSON is not changed.
func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat(" ", 64<<10-1) + "1": true, strings.Repeat(" ", 64<<10) + "1": false, "\"\xff\"": false, "[": false, `"\ud800"`: true,
	} {
		if plain([]byte(text)) != want {
			t.Errorf("%d bytes, %.9q: %v", len(text), text, !want)
		}
	}
	for depth, want := range map[int]bool{499: false, 500: false, 501: true, 600: true} {
		inner := `{"b":0,"a":0}`
		if got := reversed([]byte(strings.Repeat("[", depth) + inner + strings.Repeat("]", depth))); (got == nil) != (depth > 499) {
			t.Errorf("an object %d levels deep: %.20q", depth, got)
		}
		if got := deep(grammar.Outline([]byte(strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth)))); got != want {
			t.Errorf("%d levels: %v", depth, got)
		}
	}
}

// A number is taken apart into digits and a power of ten.
func TestTakeApart(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0e0", "-0": "-0e0", "1": "1e0", "-12.50": "-1250e-2", "0.001": "1e-3", "1e5": "1e5", "1E+05": "1e5", "1.5e-7": "15e-8", "00": "0e0",
		"1e999999": "1e999999", "1e+999999": "1e999999", "1e9999999": "1e9999999", "1e99999999": "", "1e+9999999": "", "1ex": "", "100": "100e0", "-0.0e3": "-0e2", "0.0": "0e-1",
	} {
		d, ok := takeApart([]byte(text))
		got := ""
		if ok {
			sign := ""
			if d.negative {
				sign = "-"
			}
			got = fmt.Sprintf("%s%se%d", sign, d.digits, d.exponent)
		}
		if got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
	for c, want := range map[byte]bool{'/': false, '0': true, '9': true, ':': false, '-': true, '+': false} {
		if startsNumber(c) != want {
			t.Errorf("%q: %v", c, !want)
		}
	}
}

// Of the numbers that a text has three are asked alone and as doubles.
func TestNumberRoute(t *testing.T) {
	var asked []string
	s := function(func(op result.Op, input []byte) ([]byte, error) {
		asked = append(asked, fmt.Sprintf("%s %x", op, input))
		if op == result.OpNum {
			return []byte("1"), nil
		}
		if string(input) == "[5]" {
			return nil, errRefused
		}
		return reference.Canonicalize(input)
	})
	one, _ := Lookup("number-route")
	m := minimizer{ctx: t.Context(), s: s, left: 9}
	hold := func(text string) error {
		asked = nil
		return alone(&trial{relation: one, input: []byte(text)}, m.ask).err
	}
	if err := hold(`[1,"2",null,01,1e400,1.0,1,1]`); err != nil || len(asked) != 6 {
		t.Errorf("%v; asked were %q", err, asked)
	}
	if err := hold(`[1,3,1]`); err == nil || !strings.Contains(err.Error(), `"3" gives "[3]"; as a double "1"`) || len(asked) != 4 {
		t.Errorf("%v; asked were %q", err, asked)
	}
	if err := hold(`[5,4]`); err == nil || len(asked) != 3 { // whoever refuses one is asked the next
		t.Errorf("%v; asked were %q", err, asked)
	}
	if err := hold(`["a",nan,0x1p1,null]`); err != nil || len(asked) != 0 {
		t.Errorf("%v; asked were %q", err, asked)
	}
}

// Verify must say yes of the form alone.
func TestVerifyRoute(t *testing.T) {
	one, _ := Lookup("verify-route")
	for says, want := range map[byte]bool{0: true, 1: true} { // always no, always yes
		s := function(func(op result.Op, input []byte) ([]byte, error) {
			if op == result.OpVerify {
				return []byte{says}, nil
			}
			return reference.Canonicalize(input)
		})
		m := minimizer{ctx: t.Context(), s: s}
		if b := alone(&trial{relation: one, input: []byte("[1 ]")}, m.ask).breach(); (b != nil) != want {
			t.Errorf("always %d: %+v", says, b)
		}
	}
}

// exchange is a question about a text with its answer, "!" for a refusal.
func exchange(text, answer string) Exchange {
	e := Exchange{result.Question{Op: result.OpCanon, Input: []byte(text)}, result.Answer{Kind: result.OK, Bytes: []byte(answer)}}
	if answer == "!" {
		e.Answer = result.Answer{Kind: result.Rejected}
	}
	return e
}

// A breach is what the first and the last answer show; who refuses one of them
// breaks only what must be accepted again, and not a text that is longer.
func TestBreach(t *testing.T) {
	for name, c := range map[string]struct {
		own, lost bool
		fine      bool
		log       []Exchange
		want      result.Effect // none: no breach
		two       bool
		refused   bool
	}{
		"two answers":                      {log: []Exchange{exchange("1 ", "1"), exchange("x", "y"), exchange("1", "2")}, want: result.Split, two: true},
		"one answer":                       {log: []Exchange{exchange("1 ", "1")}, want: result.Split},
		"no answer":                        {},
		"nothing wrong":                    {fine: true, log: []Exchange{exchange("1 ", "1"), exchange("1", "1")}},
		"lost":                             {lost: true, log: []Exchange{exchange("1 ", "1"), exchange("1", "2")}},
		"the first refused":                {log: []Exchange{exchange("1 ", "!"), exchange("1", "2")}, refused: true},
		"the last refused":                 {log: []Exchange{exchange("1 ", "2"), exchange("1", "!")}, refused: true},
		"its own refused":                  {own: true, log: []Exchange{exchange("1 ", "2"), exchange("1", "!")}, want: result.InvalidOutput, two: true, refused: true},
		"its own of the same size":         {own: true, log: []Exchange{exchange("12", "2"), exchange("11", "!")}, want: result.InvalidOutput, two: true, refused: true},
		"its own refused, which is longer": {own: true, log: []Exchange{exchange("1", "22"), exchange("22", "!")}, refused: true},
		"its own given":                    {own: true, log: []Exchange{exchange("1", "2"), exchange("2", "3")}, want: result.Split, two: true},
	} {
		tr := &trial{relation: Relation{Name: "r", Clause: "c", Effect: result.Split, own: c.own}, lost: c.lost, log: c.log, err: errRefused}
		if c.fine {
			tr.err = nil
		}
		b := tr.breach()
		if (b != nil) != (c.want != "") || b != nil && (b.Effect != c.want || b.Two() != c.two || b.Relation.Clause != "c") {
			t.Errorf("%s: %+v", name, b)
		}
		if tr.refused() != c.refused {
			t.Errorf("%s: refused is %v", name, !c.refused)
		}
	}
}

// A breach counts under what its texts show.
func TestClause(t *testing.T) {
	for _, c := range []struct {
		relation string
		one, two Exchange
		want     string
	}{
		{"lexical", exchange("1", "\xff"), Exchange{}, "rfc8785/3.2.4/utf-8"},
		{"lexical", exchange("1", "1 "), Exchange{}, "c"},
		{"value", exchange("1", "\xff"), Exchange{}, "c"},
		{Spelling, exchange(`{"a":1,"a":2}`, ""), exchange("1", ""), "rfc8785/3.1/unique-names"},
		{Values, exchange(`1`, ""), exchange(`[{"a":1,"b":{"\u0061":2,"a":1}}]`, ""), "rfc8785/3.1/unique-names"},
		{Values, exchange(`["a","a"]`, ""), exchange(`{"a":1,"b":{"a":1}}`, ""), "c"},
		{"escapes", exchange(`{"a":1,"a":2}`, ""), exchange("1", ""), "c"},
	} {
		if got := clause(&Breach{Relation: Relation{Name: c.relation, Clause: "c"}, First: c.one, Second: c.two}); got != c.want {
			t.Errorf("%s of %s and %s: %s", c.relation, c.one.Question.Input, c.two.Question.Input, got)
		}
	}
}

// Answers contradict each other if both are clear and differ.
func TestDiffer(t *testing.T) {
	ok := func(s string) result.Answer { return result.Answer{Kind: result.OK, Bytes: []byte(s)} }
	no, hang := result.Answer{Kind: result.Rejected, Bytes: nil}, result.Answer{Kind: result.Hung}
	for _, c := range []struct {
		a, b result.Answer
		want bool
	}{{ok("1"), ok("1"), false}, {ok("1"), ok("2"), true}, {ok(""), no, true}, {no, ok(""), true}, {no, no, false}, {hang, ok("1"), false}, {ok("1"), hang, false}, {hang, no, false}} {
		if differ(c.a, c.b) != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, !c.want)
		}
	}
	hash := exchange("1", "3")
	hash.Question.Op = result.OpHash
	if _, _, ok := contradiction([]Exchange{exchange("1", "2"), exchange("2", "2")}, []Exchange{exchange("1", "2"), exchange("3", "4"), hash}); ok {
		t.Error("a contradiction that is none")
	}
	if a, b, ok := contradiction([]Exchange{exchange("1", "2"), exchange("2", "2")}, []Exchange{exchange("2", "2"), exchange("2", "4")}); !ok || string(a.Answer.Bytes) != "2" || string(b.Answer.Bytes) != "4" {
		t.Errorf("%v, %v, %v", a, b, ok)
	}
}

// The answer to a text is held against that behind a faulty one, and against
// that when it is asked at once again.
func TestCompare(t *testing.T) {
	hung := Exchange{exchange("1", "").Question, result.Answer{Kind: result.Hung}}
	again := []Exchange{exchange("[[", "!"), exchange("1", "1"), exchange("1", "1")}
	for name, c := range map[string]struct {
		first, second, third Exchange
		want                 result.Tally
		after                string
	}{
		"alike":                {exchange("1", "1"), again[1], again[2], result.Tally{Asked: 1, Passed: 1}, ""},
		"behind a faulty text": {exchange("1", "1"), exchange("1", "2"), again[2], result.Tally{Asked: 1, Failed: 1}, "[["},
		"the second time":      {exchange("1", "1"), again[1], exchange("1", "2"), result.Tally{Asked: 1, Failed: 1}, "1"},
		"the first time":       {exchange("1", "2"), again[1], again[2], result.Tally{Asked: 1, Failed: 1}, "[["},
		"refused, then not":    {exchange("1", "!"), again[1], again[2], result.Tally{Asked: 1, Failed: 1}, "[["},
		"refused always":       {exchange("1", "!"), exchange("1", "!"), exchange("1", "!"), result.Tally{Asked: 1, Passed: 1}, ""},
		"hung at first":        {hung, again[1], again[2], result.Tally{Asked: 1, Skipped: 1}, ""},
		"hung, then as it was": {exchange("1", "1"), hung, again[2], result.Tally{Asked: 1, Passed: 1}, ""},
		"hung, then otherwise": {exchange("1", "1"), hung, exchange("1", "2"), result.Tally{Asked: 1, Failed: 1}, "1"},
	} {
		later := []Exchange{again[0], c.second, c.third}
		var questions []result.Question
		var answers []result.Answer
		for _, e := range later {
			questions, answers = append(questions, e.Question), append(answers, e.Answer)
		}
		r := &runner{report: Report{Tallies: map[string]result.Tally{}}}
		r.compare(c.first.Question, c.first.Answer, 1, questions, answers)
		if got := r.report.Tallies[Repeated]; got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
		if n := len(r.report.Breaches); n != c.want.Failed || n == 1 && string(r.report.Breaches[0].After) != c.after {
			t.Errorf("%s: %+v", name, r.report.Breaches)
		}
	}
}

// Questions are put in batches of 64 at most, of all documents mixed, and no
// more than 128 trials stand at one.
func TestBatches(t *testing.T) {
	s := &batches{}
	Run(t.Context(), s, documents(70), Options{Seed: 1})
	if slices.Max(s.sizes) > 3*64 || !slices.Contains(s.sizes, 64) {
		t.Errorf("batches of %v", s.sizes)
	}
	// The probes of 70 documents: all of 64, then thrice as many, then the rest.
	probed := s.sizes[len(s.sizes)-4:]
	if !slices.Equal(probed, []int{64, 192, 6, 18}) {
		t.Errorf("probes of %v", probed)
	}
	for _, n := range s.sizes[:len(s.sizes)-4] {
		if n > 64 {
			t.Errorf("a batch of %d", n)
		}
	}
}

// Once 128 trials stand at a question, half of them are answered.
func TestTrialsStandTogether(t *testing.T) {
	s := &batches{}
	r := &runner{ctx: t.Context(), s: s, report: Report{Tallies: map[string]result.Tally{}}}
	one := Relation{Name: "one", hold: func(a *asker, input []byte) error { a.Canonicalize(input); return nil }}
	for range 127 {
		r.begin(one, []byte("1"), 0, false)
	}
	if len(s.sizes) != 0 {
		t.Errorf("asked too early: %v", s.sizes)
	}
	if r.begin(one, []byte("1"), 0, false); !slices.Equal(s.sizes, []int{64}) || len(r.trials) != 64 {
		t.Errorf("batches of %v, %d trials are left", s.sizes, len(r.trials))
	}
	if r.drain(0); !slices.Equal(s.sizes, []int{64, 64}) || r.report.Tallies["one"].Passed != 128 {
		t.Errorf("batches of %v, %+v", s.sizes, r.report.Tallies["one"])
	}
}

type batches struct{ sizes []int }

func (*batches) Info() result.Info { return result.Info{} }

func (b *batches) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	b.sizes = append(b.sizes, len(questions))
	return function(canonical).Ask(ctx, questions)
}

// A shuffle draws one place less than there are, from the last one on.
func TestShuffled(t *testing.T) {
	source := &grammar.Replay{Choices: []int{0, 2, 1, 7}}
	if got := shuffled(source, 4); !slices.Equal(got, []int{3, 1, 2, 0}) || len(source.Choices) != 1 {
		t.Errorf("%v, with %v left", got, source.Choices)
	}
	if got := shuffled(&grammar.Replay{Choices: []int{1, 1, 0}}, 4); !slices.Equal(got, []int{2, 0, 3, 1}) {
		t.Errorf("%v", got)
	}
}

// Texts of more than 64 KiB are not asked again and again.
func TestProbesAreBounded(t *testing.T) {
	for n, want := range map[int]int{64 << 10: 4, 64<<10 + 1: 0} { // once, twice, and a faulty one
		text := `"` + strings.Repeat("a", n-2) + `"`
		asked := 0
		r := &runner{ctx: t.Context(), s: function(func(op result.Op, input []byte) ([]byte, error) { asked++; return canonical(op, input) }), report: Report{Tallies: map[string]result.Tally{}}}
		r.probe([]Document{{1, []byte(text)}})
		if asked != want {
			t.Errorf("%d bytes are asked about %d times", n, asked)
		}
	}
}

// Of one relation forty breaches are kept, and all are counted.
func TestFewBreachesAreKept(t *testing.T) {
	var all []Document
	for i := range 60 {
		all = append(all, Document{uint64(i), fmt.Appendf(nil, "%d", i)})
	}
	report := run(t, after(func(out []byte) []byte { return append(out, '\n') }), all)
	kept := 0
	for _, b := range report.Breaches {
		if b.Relation.Name == "lexical" {
			kept++
		}
	}
	if failed := report.Tallies["lexical"].Failed; kept != 40 || failed != 60 {
		t.Errorf("%d are kept, %d counted", kept, failed)
	}
	asked := 0
	fickle := canonOnly(func(in []byte) ([]byte, error) {
		asked++
		return fmt.Appendf(nil, "%d", asked), nil
	})
	r := &runner{ctx: t.Context(), s: fickle, o: Options{Seed: 1}, report: Report{Tallies: map[string]result.Tally{}}}
	if r.probe(all); len(r.report.Breaches) != 40 || r.report.Tallies[Repeated].Failed != 60 {
		t.Errorf("%d are kept, %d counted", len(r.report.Breaches), r.report.Tallies[Repeated].Failed)
	}
	for _, b := range r.report.Breaches {
		if len(b.After) > 0 && !slices.Contains(faulty, string(b.After)) && !bytes.Equal(b.After, b.Input) {
			t.Errorf("asked before was %q", b.After)
		}
	}
}

// An output of another value is a collision if the implementation gives it for
// itself too, and of no other relation.
func TestPartner(t *testing.T) {
	value := func(name, answer string) *Breach {
		return &Breach{Relation: Relation{Name: name}, Effect: result.InvalidOutput, First: exchange("1 ", answer)}
	}
	gives := func(answers ...string) func([]result.Question) []result.Answer {
		return func(q []result.Question) []result.Answer {
			var all []result.Answer
			for _, a := range answers {
				all = append(all, exchange("", a).Answer)
			}
			return all
		}
	}
	for name, c := range map[string]struct {
		breach *Breach
		ask    func([]result.Question) []result.Answer
		want   result.Effect
	}{
		"a collision":      {value("value", "2"), gives("2"), result.Collision},
		"another":          {value("value", "2"), gives("3"), result.InvalidOutput},
		"refused":          {value("value", "2"), gives("!"), result.InvalidOutput},
		"no answer":        {value("value", "2"), gives(), result.InvalidOutput},
		"two answers":      {value("value", "2"), gives("2", "2"), result.InvalidOutput},
		"another relation": {value("lexical", "2"), gives("2"), result.InvalidOutput},
		"itself refused":   {value("value", "!"), gives(""), result.InvalidOutput},
	} {
		if b := withPartner(c.breach, c.ask); b.Effect != c.want || b.Two() != (c.want == result.Collision) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// A breach of the law of all spellings is left out where a single change shows
// it with the same document.
func TestExplained(t *testing.T) {
	of := func(name string, number uint64, pair bool) Breach {
		return Breach{Relation: Relation{Name: name}, Number: number, Pair: pair}
	}
	r := &runner{report: Report{Breaches: []Breach{of("escapes", 1, false), of("white-space", 2, true), of("lexical", 3, false)}}}
	for _, c := range []struct {
		b    Breach
		want bool
	}{
		{of(Spelling, 1, false), true}, {of(Spelling, 1, true), false}, {of(Spelling, 2, false), false}, {of(Spelling, 3, false), false}, {of(Spelling, 4, false), false}, {of("value", 1, false), false},
	} {
		if r.explained(c.b) != c.want {
			t.Errorf("%s of %d: %v", c.b.Relation.Name, c.b.Number, !c.want)
		}
	}
}

// Reasons that are limits are told to the laws as such.
func TestAnswersForLaws(t *testing.T) {
	for reason, want := range map[string]string{"limit_depth": "limit_depth", "syntax": "refused", "": "refused", "no such": "refused"} {
		var got error
		one := Relation{hold: func(a *asker, _ []byte) error { _, got = a.Canonicalize([]byte("1")); return nil }}
		alone(&trial{relation: one}, func([]result.Question) []result.Answer {
			return []result.Answer{{Kind: result.Rejected, Reason: reason}}
		})
		limit, isLimit := got.(*reject.Error)
		if isLimit != (want != "refused") || isLimit && limit.Reason.String() != want {
			t.Errorf("%q is %v", reason, got)
		}
	}
}

// Arguments of more than 4 KiB make no scenario, and the trace without its raw
// text is what is compared.
func TestTraces(t *testing.T) {
	for n, want := range map[int]int{4 << 10: 1, 4<<10 + 1: 0} {
		for _, name := range []string{"trace-spelling", "trace-binding"} {
			asked := 0
			one, _ := Lookup(name)
			m := minimizer{ctx: t.Context(), s: function(func(op result.Op, input []byte) ([]byte, error) {
				if op == result.OpLifecycle {
					asked++
					return nil, errRefused
				}
				return reference.Canonicalize(input)
			})}
			alone(&trial{relation: one, input: []byte(`"` + strings.Repeat("a", n-2) + `"`)}, m.ask)
			if asked != want {
				t.Errorf("%s of %d bytes asks %d scenarios", name, n, asked)
			}
		}
	}
	if got := string(withoutRaw([]byte(`[{"rawArguments":"x","at":"a1"},{"event":"e<"}]`))); got != `[{"at":"a1"},{"event":"e<"}]` {
		t.Errorf("without the raw text: %s", got)
	}
	for _, none := range []string{"x", "{}", "null"} {
		if got := string(withoutRaw([]byte(none))); got != none {
			t.Errorf("%s became %s", none, got)
		}
	}
	var all []event
	json.Unmarshal([]byte(`[{"at":"a","proposalHash":"2"},{"at":"a","proposalHash":"1"},{"at":"a","proposalHash":"2"},{"at":"b","proposalHash":"3"},{"at":"a"}]`), &all)
	if got := hashesAt(all, `"a"`); got != `"1" "2"` {
		t.Errorf("hashes are %s", got)
	}
}
