package relation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
)

// function is a subject made of a function.
type function func(op result.Op, input []byte) ([]byte, error)

func (function) Info() result.Info { return result.Info{Ops: result.Ops()} }

func (f function) Ask(_ context.Context, questions []result.Question) []result.Answer {
	answers := make([]result.Answer, len(questions))
	for i, q := range questions {
		switch out, err := f(q.Op, q.Input); {
		case errors.Is(err, errUnknown):
			answers[i] = result.Answer{Kind: result.Skipped}
		case err != nil:
			answers[i] = result.Answer{Kind: result.Rejected}
		default:
			answers[i] = result.Answer{Kind: result.OK, Bytes: out}
		}
	}
	return answers
}

var errUnknown = errors.New("not served")

// canonical is the reference as a subject of one operation.
func canonical(op result.Op, input []byte) ([]byte, error) {
	if op != result.OpCanon {
		return nil, errUnknown
	}
	return reference.Canonicalize(input)
}

// after plants a fault behind the reference.
func after(change func(out []byte) []byte) function {
	return func(op result.Op, input []byte) ([]byte, error) {
		out, err := canonical(op, input)
		if err != nil {
			return nil, err
		}
		return change(out), nil
	}
}

func documents(n int) []Document {
	var g grammar.Generator
	all := make([]Document, n)
	for i := range all {
		all[i] = Document{uint64(i), bytes.Clone(g.Document(grammar.NewSeeded(1, uint64(i))))}
	}
	return all
}

func names(breaches []Breach) []string {
	var all []string
	for _, b := range breaches {
		all = append(all, b.Relation.Name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func run(t *testing.T, s Subject, all []Document) Report {
	return Run(t.Context(), s, all, Options{Seed: 1, Pairs: true})
}

func digest(text []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(text)) }

// TestFaultless: nobody is accused who is right, each relation is held by
// something, and each question is counted.
func TestFaultless(t *testing.T) {
	asked := 0
	report := run(t, function(func(op result.Op, input []byte) ([]byte, error) { asked++; return canonical(op, input) }), documents(150))
	if len(report.Breaches) > 0 {
		t.Errorf("accused: %s", report.Breaches[0].String())
	}
	if asked != report.Questions {
		t.Errorf("%d questions asked, %d counted", asked, report.Questions)
	}
	for _, r := range All() {
		tally := report.Tallies[r.Name]
		if r.Needs == "" && tally.Passed < 20 {
			t.Errorf("%s was held %d times only", r.Name, tally.Passed)
		}
		if tally.Asked != tally.Passed+tally.Failed+tally.Skipped {
			t.Errorf("%s: %+v does not add up", r.Name, tally)
		}
	}
}

// TestPlanted: each fault breaks the relations that it must, with its effect,
// and the evidence becomes small.
func TestPlanted(t *testing.T) {
	swapped := func(input []byte) ([]byte, error) { // keeps the order of members
		out, err := reference.Canonicalize(input)
		if err == nil && len(input) > 0 && bytes.HasPrefix(input, []byte(`{"b"`)) && bytes.HasPrefix(out, []byte(`{"a":`)) {
			return append([]byte(`{"b":`), out[5:]...), nil
		}
		return out, err
	}
	for _, c := range []struct {
		name     string
		subject  function
		relation string
		effect   result.Effect
		most     int // bytes of the first text
	}{
		{"members in the order of the text", canonOnly(swapped), "member-order", result.Split, 40},
		{"white space kept", canonOnly(func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			return append(out, trailing(in)...), err
		}), "white-space", result.Split, 4},
		{"escapes kept", canonOnly(func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if err == nil && bytes.Contains(in, []byte(`\u0061`)) {
				out = bytes.ReplaceAll(out, []byte(`a`), []byte(`\u0061`))
			}
			return out, err
		}), "escapes", result.Split, 8},
		{"exponents kept", canonOnly(func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if err == nil && bytes.IndexByte(in, 'E') > 0 && len(out) > 0 && '0' < out[0] && out[0] <= '9' {
				out = append(out, "0"...)
			}
			return out, err
		}), "number-spelling", result.Split, 4},
		{"line feed behind", after(func(out []byte) []byte { return append(out, '\n') }), "lexical", result.InvalidOutput, 1},
		{"doubled backslashes each time", after(func(out []byte) []byte { return bytes.ReplaceAll(out, []byte(`\\`), []byte(`\\\\`)) }), "fixed-point", result.Split, 8},
		{"true is false", after(func(out []byte) []byte { return bytes.ReplaceAll(out, []byte("true"), []byte("false")) }), "value", result.Collision, 4},
		{"case folded", after(bytes.ToLower), Values, result.Collision, 40},
		{"refuses what it gave", canonOnly(func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if err == nil && bytes.Equal(in, out) && bytes.Contains(out, []byte("e+")) {
				return nil, errRefused
			}
			return out, err
		}), "fixed-point", result.InvalidOutput, 8},
		{"nested differently", canonOnly(func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if bytes.HasPrefix(out, []byte(`[[[`)) {
				out = bytes.ReplaceAll(out, []byte(`null`), []byte(`0`))
			}
			return out, err
		}), "nesting", result.Split, 4},
		{"a name interpreted", after(func(out []byte) []byte {
			return bytes.ReplaceAll(out, []byte(`{"__proto__":null,"c`), []byte(`{"c`))
		}), "names-are-data", result.Split, 1},
		{"verify always yes", withOp(result.OpVerify, func([]byte) ([]byte, error) { return []byte{1}, nil }), "verify-route", result.Split, 4},
		{"verify always no", withOp(result.OpVerify, func([]byte) ([]byte, error) { return []byte{0}, nil }), "verify-route", result.Split, 4},
		{"numbers by another route", withOp(result.OpNum, func([]byte) ([]byte, error) { return []byte("7"), nil }), "number-route", result.Split, 4},
		{"graphs by another route", withOp(result.OpGraph, func([]byte) ([]byte, error) { return []byte("7"), nil }), "graph-route", result.Split, 4},
		{"the spelling hashed", withOp(result.OpHash, func(in []byte) ([]byte, error) { return digest(in), nil }), "hash-spelling", result.Split, 100},
		{"nothing hashed", withOp(result.OpHash, func([]byte) ([]byte, error) { return digest(nil), nil }), "hash-binding", result.Collision, 100},
		{"agent and tool run together", withOp(result.OpHash, func(in []byte) ([]byte, error) {
			var p proposal
			if err := json.Unmarshal(in, &p); err != nil {
				return nil, err
			}
			return digest([]byte(p.Agent + p.Tool + p.Arguments)), nil
		}), "hash-binding", result.Collision, 100},
		{"proposals of the raw text", withOp(result.OpLifecycle, func(in []byte) ([]byte, error) {
			return fmt.Appendf(nil, `[{"at":"a1","event":"suspend","proposalHash":"%s"}]`, digest(in)), nil
		}), "trace-spelling", result.Split, 400},
		{"evidence for anybody", withOp(result.OpLifecycle, func([]byte) ([]byte, error) {
			return []byte(`[{"at":"b1","event":"handler"}]`), nil
		}), "trace-binding", result.Collision, 500},
		{"one proposal for all", withOp(result.OpLifecycle, func([]byte) ([]byte, error) {
			return []byte(`[{"at":"a1","event":"suspend","proposalHash":"00"},{"at":"b1","event":"outcome","proposalHash":"00"}]`), nil
		}), "trace-binding", result.Collision, 500},
		{"scripts by another route", withOp(result.OpJS, func([]byte) ([]byte, error) { return []byte("7"), nil }), "script-route", result.Split, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 60
			if c.relation == Values {
				n = 220 // few values differ in case alone
			}
			all := append(documents(n), Document{900, []byte(`{"b":1,"a":[null,true,{"\u0061\\":0}]}`)}, Document{901, []byte(`[1E400000,"` + "\u2028" + `"]`)}, Document{902, []byte("10")})
			report := run(t, c.subject, all)
			alike := slices.DeleteFunc(slices.Clone(report.Breaches), func(b Breach) bool { return b.Relation.Name != c.relation || b.Effect != c.effect })
			if len(alike) == 0 {
				t.Fatalf("%s with %s is not among %v", c.relation, c.effect, names(report.Breaches))
			}
			shortest := slices.MinFunc(alike, func(a, b Breach) int {
				return len(a.First.Question.Input) + len(a.Second.Question.Input) - len(b.First.Question.Input) - len(b.Second.Question.Input)
			})
			b := Minimize(t.Context(), c.subject, shortest, 1, shrink.Minimize, 1200)
			if b.Relation.Name != c.relation || b.Effect != c.effect {
				t.Errorf("minimized to %s with %s", b.Relation.Name, b.Effect)
			}
			if n := len(b.First.Question.Input); n > c.most {
				t.Errorf("%d bytes of evidence: %s", n, b.String())
			}
			if report.Tallies[c.relation].Failed == 0 {
				t.Error("not counted")
			}
			if _, ok := reject.LookupRequirement(b.Relation.Clause); !ok {
				t.Errorf("%q is no requirement", b.Relation.Clause)
			}
		})
	}
}

func canonOnly(f func([]byte) ([]byte, error)) function {
	return func(op result.Op, input []byte) ([]byte, error) {
		if op != result.OpCanon {
			return nil, errUnknown
		}
		out, err := f(input)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
}

func withOp(op result.Op, serve func([]byte) ([]byte, error)) function {
	return func(asked result.Op, input []byte) ([]byte, error) {
		if asked == op {
			return serve(input)
		}
		return canonical(asked, input)
	}
}

// trailing gives the white space behind a text.
func trailing(text []byte) []byte { return text[len(bytes.TrimRight(text, " \t\r\n")):] }

// TestRefusalsAccuseNobody: who refuses some texts for no reason that can be
// seen breaks no relation.
func TestRefusalsAccuseNobody(t *testing.T) {
	moody := canonOnly(func(in []byte) ([]byte, error) {
		out, err := reference.Canonicalize(in)
		h := fnv.New32a()
		h.Write(in)
		// Its own output it takes: refusing that is no limit.
		if err == nil && !bytes.Equal(in, out) && h.Sum32()%3 == 0 {
			return nil, errRefused
		}
		return out, err
	})
	if report := run(t, moody, documents(300)); len(report.Breaches) > 0 {
		t.Errorf("accused: %s", report.Breaches[0].String())
	}
}

// TestEitherNeighbour: whoever rounds numbers of more than 20 digits the other
// way, or by their spelling, is not accused.
func TestEitherNeighbour(t *testing.T) {
	other := canonOnly(func(in []byte) ([]byte, error) {
		out, err := reference.Canonicalize(in)
		if err == nil && eitherWay(in) {
			return bytes.ReplaceAll(out, []byte("0.10000000000000002"), []byte("0.1")), nil
		}
		return out, err
	})
	report := run(t, other, []Document{{1, []byte("[0.10000000000000001249000902703306108713150024414063]")}, {2, []byte("[0.1]")}})
	if len(report.Breaches) > 0 {
		t.Errorf("accused: %s", report.Breaches[0].String())
	}
	for name, want := range map[string]result.Tally{"number-spelling": {Asked: 2, Passed: 1, Skipped: 1}, "lexical": {Asked: 2, Passed: 2}} {
		if got := report.Tallies[name]; got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for text, want := range map[string]bool{
		"12345678901234567890": false, "123456789012345678901": true, "1234567890123456789000000": false, "0.000000000000000000000001": false,
		`"123456789012345678901"`: false, "[0.123456789012345678901]": true, "1e5": false, "123456789012345678901e99999999": true,
		"0.12345678901234567891": false, "1e999999999999999999": false, "1e9999999999999999999": true,
	} {
		if got := eitherWay([]byte(text)); got != want {
			t.Errorf("eitherWay(%s) is %v", text, got)
		}
	}
}

// TestState: answers that depend on what was asked before are found, whatever
// they depend on.
func TestState(t *testing.T) {
	type state struct {
		asked, refused int
		last           []byte
	}
	for name, plant := range map[string]func(s *state, out []byte) []byte{
		"each 64th answer":    func(s *state, out []byte) []byte { return pick(s.asked%64 == 0, []byte("0"), out) },
		"after a refusal":     func(s *state, out []byte) []byte { return pick(s.refused == s.asked-1, append(out, ' '), out) },
		"the same twice":      func(s *state, out []byte) []byte { return pick(bytes.Equal(s.last, out), []byte("1"), out) },
		"after a long answer": func(s *state, out []byte) []byte { return pick(len(s.last) > 200, out[:1], out) },
		"from some time on":   func(s *state, out []byte) []byte { return pick(s.asked > 2000, append(out, '\n'), out) },
	} {
		t.Run(name, func(t *testing.T) {
			var s state
			subject := canonOnly(func(in []byte) ([]byte, error) {
				s.asked++
				right, err := reference.Canonicalize(in)
				if err != nil {
					s.refused = s.asked
					return nil, err
				}
				out := plant(&s, bytes.Clone(right))
				s.last = right
				return out, nil
			})
			report := run(t, subject, documents(128))
			i := slices.IndexFunc(report.Breaches, func(b Breach) bool { return b.Relation.Name == Repeated })
			if i < 0 {
				t.Fatalf("not found; broken are %v", names(report.Breaches))
			}
			b := report.Breaches[i]
			if !bytes.Equal(b.First.Question.Input, b.Second.Question.Input) || bytes.Equal(b.First.Answer.Bytes, b.Second.Answer.Bytes) && b.First.Answer.Kind == b.Second.Answer.Kind {
				t.Errorf("the evidence shows nothing: %s", b.String())
			}
			if again := Minimize(t.Context(), subject, b, 1, shrink.Minimize, 100); !bytes.Equal(again.Input, b.Input) {
				t.Error("what is about order was minimized")
			}
		})
	}
}

func pick(yes bool, a, b []byte) []byte {
	if yes {
		return a
	}
	return b
}

// TestSpellings: each change keeps the value, changes the bytes, and has
// something to change in most texts that have what it is about.
func TestSpellings(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{"reversed": reversed, "spaced": spaced, "escaped": escaped, "respelled": respelled} {
		changed := 0
		for _, d := range documents(2000) {
			want, err := reference.Canonicalize(d.Text)
			if err != nil || !plain(d.Text) {
				continue
			}
			other := change(d.Text)
			if other == nil {
				continue
			}
			changed++
			got, err := reference.Canonicalize(other)
			if err != nil || !bytes.Equal(got, want) || bytes.Equal(other, d.Text) && name != "spaced" {
				t.Fatalf("%s: %q became %q: %v", name, d.Text, other, err)
			}
		}
		if changed < 300 {
			t.Errorf("%s changed %d texts only", name, changed)
		}
	}
	for _, c := range []struct {
		change     func([]byte) []byte
		from, want string
	}{
		{reversed, `{"a":1, "b":{"c":[],"d":0} ,"e":2}`, `{"e":2, "b":{"d":0,"c":[]} ,"a":1}`},
		{reversed, `{"a":1,"a":2}`, ""},
		{reversed, `[1,2]`, ""},
		{spaced, "[ 1]", "\t\r\n [\t\r\n 1\t\r\n ]\n"},
		{escaped, `{"a":"é😀"}`, `{"\u0061":"\u00e9\uD83D\ude00"}`},
		{escaped, `"\ud800"`, ""},
		{respelled, `[-0.5,1e3,0,-0]`, `[-5.0E-1,1.0E3,0.0E0,-0.0E0]`},
	} {
		if got := c.change([]byte(c.from)); string(got) != c.want {
			t.Errorf("%s became %q, want %q", c.from, got, c.want)
		}
	}
}

// TestRoutesOfPeers: the graph of a text is one that the peers build to the same form,
// and so is the script.
func TestRoutesOfPeers(t *testing.T) {
	for _, name := range []string{"reference", "snapshot"} {
		s, err := peer.Open(name, peer.Options{Profile: reject.RFC0016})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		report := Run(t.Context(), withoutScripts{s}, documents(200), Options{Seed: 1})
		if len(report.Breaches) > 0 {
			t.Errorf("%s: %s", name, report.Breaches[0].String())
		}
		for _, route := range []string{"verify-route", "number-route", "graph-route", "hash-spelling", "hash-binding", "trace-spelling", "trace-binding"} {
			if report.Tallies[route].Passed < 40 {
				t.Errorf("%s: %s %+v", name, route, report.Tallies[route])
			}
		}
	}
	question := `{"expr":"JSON.parse(\"[1,\\u0022\\u00e9\\u005c\\u005c\\u0022]\")"}`
	got, ok := lastQuestion(result.OpJS, []byte(`[1,"é\\"]`))
	if !ok || string(got) != question {
		t.Errorf("the script is %s, want %s", got, question)
	}
}

// withoutScripts leaves out the operation that the peers answer in another
// process, which a test program is not.
type withoutScripts struct{ *peer.Subject }

func (s withoutScripts) Info() result.Info {
	i := s.Subject.Info()
	i.Ops = slices.DeleteFunc(slices.Clone(i.Ops), func(op result.Op) bool { return op == result.OpJS })
	return i
}

// lastQuestion gives what is asked of an operation about one text.
func lastQuestion(op result.Op, text []byte) (asked []byte, ok bool) {
	s := function(func(o result.Op, input []byte) ([]byte, error) {
		if o == op {
			asked, ok = input, true
		}
		return canonical(o, input)
	})
	Run(context.Background(), s, []Document{{0, text}}, Options{})
	return asked, ok
}

// TestLostAnswers: crashes, hangs and silence are nobody's breach, are seen by
// who observes, and end no other trial.
func TestLostAnswers(t *testing.T) {
	seen := 0
	report := Run(t.Context(), crashing{}, documents(100), Options{Observe: func(e Exchange) {
		if e.Answer.Kind == result.Crashed {
			seen++
		}
	}})
	if len(report.Breaches) > 0 || seen == 0 || report.Tallies["white-space"].Passed == 0 {
		t.Errorf("%d breaches, %d crashes seen, %+v", len(report.Breaches), seen, report.Tallies["white-space"])
	}
	if report := Run(t.Context(), silent{}, documents(10), Options{}); report.Questions != 0 || len(report.Breaches) != 0 {
		t.Errorf("silence: %+v", report)
	}
}

type crashing struct{}

func (crashing) Info() result.Info { return result.Info{} }
func (crashing) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	answers := function(canonical).Ask(ctx, questions)
	for i, q := range questions {
		if bytes.Contains(q.Input, []byte("a")) {
			answers[i] = result.Answer{Kind: result.Crashed}
		}
	}
	return answers[:len(answers)-len(answers)/8] // the rest is not answered at all
}

type silent struct{}

func (silent) Info() result.Info                                      { return result.Info{} }
func (silent) Ask(context.Context, []result.Question) []result.Answer { return nil }

// TestInterrupted: a run ends with its context, and its coroutines with it.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	s := function(func(op result.Op, input []byte) ([]byte, error) {
		if n++; n == 500 {
			cancel()
		}
		return canonical(op, input)
	})
	if report := Run(ctx, s, documents(300), Options{}); report.Questions > 600 {
		t.Errorf("%d questions after the end", report.Questions)
	}
}

// TestDeterministic: the same run gives the same report.
func TestDeterministic(t *testing.T) {
	subject := after(bytes.ToLower)
	one, other := run(t, subject, documents(60)), run(t, subject, documents(60))
	text := func(r Report) string {
		var b strings.Builder
		for _, x := range r.Breaches {
			b.WriteString(x.String())
		}
		tallies, _ := json.Marshal(r.Tallies)
		return b.String() + string(tallies)
	}
	if text(one) != text(other) {
		t.Error("two reports of one run")
	}
}

// TestTable: names are unique, and every clause is in the catalogue.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.Name] || r.Text == "" || r.Effect == "" {
			t.Errorf("%q: %+v", r.Name, r)
		}
		seen[r.Name] = true
		if found, ok := Lookup(r.Name); !ok || found.Name != r.Name {
			t.Errorf("looking up %s gives %q", r.Name, found.Name)
		}
		if _, ok := reject.LookupRequirement(r.Clause); !ok {
			t.Errorf("%s: %q is no requirement", r.Name, r.Clause)
		}
	}
	if _, ok := Lookup("no such relation"); ok {
		t.Error("a relation that is not")
	}
}
