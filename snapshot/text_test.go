package snapshot_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

var textCases = []struct {
	name, text, canonical string
	reason                reject.Reason
	offset                int
	pointer, requirement  string
}{
	{name: "object", text: ` {"b" : [1e2, "\u20ac"], "a":{}} `, canonical: `{"a":{},"b":[100,"€"]}`},
	{name: "scalar", text: `"x"`, canonical: `"x"`},
	{name: "rounded", text: `9007199254740993`, canonical: `9007199254740992`},
	{name: "underflow", text: `1e-400`, canonical: `0`},
	{name: "noncharacter", text: `"\uffff"`, canonical: "\"\uffff\""},
	{name: "names are data", text: `{"__proto__":{"a":1},"constructor":2}`, canonical: `{"__proto__":{"a":1},"constructor":2}`},
	{name: "name of NUL", text: `{"\u0000":1,"":2}`, canonical: `{"":2,"\u0000":1}`},
	{name: "empty", text: ``, reason: reject.Syntax, requirement: "rfc8259/2/one-value"},
	{name: "blank", text: "\n ", reason: reject.Syntax, offset: 2, requirement: "rfc8259/2/one-value"},
	{name: "trailing comma", text: `{"a":[1,]}`, reason: reject.Syntax, offset: 8, pointer: "/*/1", requirement: "rfc8259/5/array"},
	{name: "mark", text: "\uFEFF1", reason: reject.BOM, requirement: "rfc8259/8.1/byte-order-mark"},
	{name: "faulty", text: "[\"\xff\"]", reason: reject.InvalidUTF8, offset: 2, pointer: "/0", requirement: "rfc8259/8.1/utf-8"},
	{name: "lone", text: `{"a":"\ud800"}`, reason: reject.LoneSurrogate, offset: 6, pointer: "/*", requirement: "rfc0016/domain/surrogates"},
	{name: "lone name", text: `{"\udc00":1}`, reason: reject.LoneSurrogate, offset: 2, requirement: "rfc0016/domain/surrogates"},
	{name: "duplicate", text: `{"a":1,"\u0061":2}`, reason: reject.DuplicateName, offset: 7, pointer: "/*", requirement: "rfc0016/domain/unique-names"},
	{name: "negative zero", text: `{"a":[-0]}`, reason: reject.NegativeZero, offset: 6, pointer: "/*/0", requirement: "rfc0016/domain/negative-zero"},
	{name: "negative zero by a fraction", text: `-0.0`, reason: reject.NegativeZero, requirement: "rfc0016/domain/negative-zero"},
	{name: "negative zero by underflow", text: `-1e-400`, reason: reject.NegativeZero, requirement: "rfc0016/domain/negative-zero"},
	{name: "overflow", text: `1e400`, reason: reject.NumberOverflow, requirement: "rfc0016/domain/finite"},
}

func TestDecode(t *testing.T) {
	for _, c := range textCases {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(c.text)
			s, err := snapshot.Decode(text)
			if c.reason == reject.None {
				if err != nil || s.CanonicalJSON() != c.canonical {
					t.Fatalf("got %q, %v", s.CanonicalJSON(), err)
				}
				for i := range text { // nothing is shared with the text
					text[i] = 'x'
				}
				if s.CanonicalJSON() != c.canonical {
					t.Error("the snapshot shares memory with the text")
				}
				return
			}
			if err == nil || !s.IsZero() {
				t.Fatalf("accepted as %q", s.CanonicalJSON())
			}
			reason, refusal := reasonOf(t, err)
			if reason != c.reason || refusal.Offset != c.offset || refusal.Pointer != c.pointer || refusal.Requirement != c.requirement {
				t.Errorf("got %v, offset %d, %q, %s", reason, refusal.Offset, refusal.Pointer, refusal.Requirement)
			}
			if refusal.Line < 1 || refusal.Column < 1 {
				t.Errorf("line %d, column %d", refusal.Line, refusal.Column)
			}
		})
	}
}

func TestDecodeOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		options snapshot.Options
		text    string
		reason  reject.Reason
	}{
		{"lossless refuses rounding", snapshot.Options{Lossless: true}, `[9007199254740993]`, reject.InexactNumber},
		{"lossless takes what keeps its value", snapshot.Options{Lossless: true}, `[0.10, 1e20, 295147905179352830000]`, reject.None},
		{"depth", snapshot.Options{MaxDepth: 2}, `[[[]]]`, reject.LimitDepth},
		{"depth reached", snapshot.Options{MaxDepth: 3}, `[[[]]]`, reject.None},
		{"default depth", snapshot.Options{}, strings.Repeat("[", 1001) + strings.Repeat("]", 1001), reject.LimitDepth},
		{"input", snapshot.Options{MaxInput: 3}, `[10]`, reject.LimitSize},
		{"input reached", snapshot.Options{MaxInput: 4}, `[10]`, reject.None},
		{"default input", snapshot.Options{}, `"` + strings.Repeat("a", 16<<20) + `"`, reject.LimitSize},
		{"input without a limit", snapshot.Options{MaxInput: -1}, `"` + strings.Repeat("a", 16<<20) + `"`, reject.None},
		{"output", snapshot.Options{MaxOutput: 20}, `1e20`, reject.LimitSize},
		{"output reached", snapshot.Options{MaxOutput: 21}, `1e20`, reject.None},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.options.Decode([]byte(c.text))
			if c.reason == reject.None {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if reason, _ := reasonOf(t, err); reason != c.reason {
				t.Errorf("got %v, want %v", reason, c.reason)
			}
		})
	}
	_, err := snapshot.Options{ShowNames: true}.Decode([]byte(`{"se/cret":[1,-0]}`))
	if _, refusal := reasonOf(t, err); refusal.Pointer != "/se~1cret/1" {
		t.Errorf("with names: %q", refusal.Pointer)
	}
	_, err = snapshot.Decode([]byte(`{"secret":[1,"secret\ud800"]}`))
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("payload in %v", err)
	}
}

func TestVerify(t *testing.T) {
	for _, text := range []string{`{"a":1,"b":[]}`, `null`, `"x"`} {
		s, err := snapshot.Verify([]byte(text))
		if err != nil || s.CanonicalJSON() != text {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, at := range map[string]string{
		`{"b":1,"a":2}`: "offset 2", `[1 ]`: "offset 2", ` 1`: "offset 0", `1.0`: "offset 1", `1 `: "offset 1", `1e2`: "offset 1",
	} {
		s, err := snapshot.Verify([]byte(text))
		if !errors.Is(err, snapshot.ErrNotCanonical) || !strings.Contains(err.Error(), at) || !s.IsZero() {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err := snapshot.Verify([]byte(`[-0]`))
	if reason, _ := reasonOf(t, err); reason != reject.NegativeZero {
		t.Errorf("got %v", err)
	}
}

func TestEqual(t *testing.T) {
	a := must(snapshot.Decode([]byte(`{"a":1.0,"b":"\u0041"}`)))
	b := must(snapshot.Of(map[string]any{"b": "A", "a": 1}))
	c := must(snapshot.Of(map[string]any{"b": "a", "a": 1}))
	if !snapshot.Equal(a, b) || a != b || snapshot.Equal(a, c) {
		t.Error("equality is not that of canonical forms")
	}
	var zero snapshot.Snapshot
	if snapshot.Equal(zero, must(snapshot.Of(nil))) || !snapshot.Equal(zero, snapshot.Snapshot{}) {
		t.Error("the zero Snapshot equals a value")
	}
	if zero.View() != nil || zero.CanonicalJSON() != "" || !zero.IsZero() || a.IsZero() {
		t.Error("the zero Snapshot holds something")
	}
	if got := string(a.AppendCanonical([]byte("x"))); got != `x{"a":1,"b":"A"}` {
		t.Errorf("appended: %s", got)
	}
}

var viewTexts = []string{
	`null`, `true`, `false`, `0`, `-1`, `123456789012345`, `-12345678901234`, `1234567890123456`, `9007199254740993`, `1e300`, `1.5e-7`,
	`-0.25`, `100000000000000000000`, `1e21`, `5e-324`, `""`, `"a"`, `"\"\\\b\f\n\r\t\u0000\u001f\u007f/"`, `"€😀\u2028"`, `"\\"`, `"\\\\\""`,
	`[]`, `{}`, `[[]]`, `[{}]`, `{"a":[]}`, `{"a":{"b":{"c":[1,[2,[3,{"d":null}]],"x"]}},"\"":"\\","\n":false}`,
	`[1,2,3,"a","b",true,false,null]`, `{"":""}`, `{"__proto__":{"x":1}}`, `[[1,2],[3,[4,5]],6]`,
}

// TestViewAgrees holds the decoder of canonical text to encoding/json.
func TestViewAgrees(t *testing.T) {
	for _, text := range viewTexts {
		s := must(snapshot.Decode([]byte(text)))
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if got := s.View(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: view %#v, want %#v", text, got, want)
		}
		if again := must(snapshot.Of(s.View())); again != s {
			t.Errorf("%s: the snapshot of a view is %s", text, again.CanonicalJSON())
		}
	}
}

// TestViewIsFresh: changing a view changes nothing else.
func TestViewIsFresh(t *testing.T) {
	s := must(snapshot.Decode([]byte(`{"a":[1,{"b":[]}],"c":"x"}`)))
	before := s.CanonicalJSON()
	first := s.View().(map[string]any)
	first["a"].([]any)[1].(map[string]any)["b"] = "changed"
	first["a"].([]any)[0] = "changed"
	delete(first, "c")
	if got := must(snapshot.Of(s.View())); got != s || s.CanonicalJSON() != before {
		t.Errorf("a later view is %s", got.CanonicalJSON())
	}
	copied := s.AppendCanonical(nil)
	clear(copied)
	if s.CanonicalJSON() != before {
		t.Error("the bytes are shared")
	}
}

// TestOfDetaches: changing the value afterwards changes nothing.
func TestOfDetaches(t *testing.T) {
	inner := []any{1, 2}
	value := map[string]any{"a": inner}
	s := must(snapshot.Of(value))
	inner[0] = "changed"
	value["b"] = 1
	if s.CanonicalJSON() != `{"a":[1,2]}` {
		t.Errorf("got %s", s.CanonicalJSON())
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	shared := must(snapshot.Decode([]byte(`{"a":[1,{"b":"x"}],"c":"\n"}`)))
	value := map[string]any{"a": []any{1, map[string]any{"b": "x"}}, "c": "\n"}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				s, err := snapshot.Of(value)
				if err != nil || s != shared {
					t.Errorf("got %v, %v", s, err)
				}
				view := shared.View().(map[string]any)
				view["a"].([]any)[0] = "mine"
				if _, err := snapshot.Of([]any{value, value}); err == nil {
					t.Error("an alias was accepted")
				}
				if again, err := snapshot.Decode([]byte(shared.CanonicalJSON())); err != nil || again != shared {
					t.Errorf("got %v, %v", again, err)
				}
			}
		})
	}
	wait.Wait()
}

// TestProposalHash: the two hashes that are published for AIOC 0.2.8.
func TestProposalHash(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:              "539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502",
		`{"q":"x","n":1}`: "1a3592016b86e3d083c4d04e0520313beea8085cc2a4bdd7c904b6e9624932dc",
	} {
		got, err := snapshot.ProposalHash("Support Agent", "search_docs", must(snapshot.Decode([]byte(text))))
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	s := must(snapshot.Of(1))
	if _, err := snapshot.ProposalHash("a\xff", "b", s); err == nil {
		t.Error("an agent's name that is not UTF-8 was taken")
	}
	if _, err := snapshot.ProposalHash("a", "\xed\xa0\x80", s); err == nil {
		t.Error("a tool's name that is not UTF-8 was taken")
	}
	if _, err := snapshot.ProposalHash("a", "b", snapshot.Snapshot{}); !errors.Is(err, snapshot.ErrNoSnapshot) {
		t.Errorf("the zero Snapshot: %v", err)
	}
}

// TestAllocations: a Decode allocates the canonical form and nothing else.
func TestAllocations(t *testing.T) {
	text := []byte(`{"query":"find € things","limit":10,"filters":[{"name":"lang","value":"en"},{"name":"x","value":1.5}],"deep":{"a":{"b":[]}}}`)
	if n := testing.AllocsPerRun(200, func() { must(snapshot.Decode(text)) }); n > 1 {
		t.Errorf("Decode: %v allocations", n)
	}
	value := must(snapshot.Decode(text)).View()
	if n := testing.AllocsPerRun(200, func() { must(snapshot.Of(value)) }); n > 1 {
		t.Errorf("Of: %v allocations", n)
	}
}
