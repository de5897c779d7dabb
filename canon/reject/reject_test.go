package reject_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func TestReasonNamesRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range reject.Reasons() {
		if seen[r.String()] {
			t.Errorf("%s appears twice", r)
		}
		seen[r.String()] = true
		got, err := reject.ParseReason(r.String())
		if err != nil || got != r {
			t.Errorf("ParseReason(%q) = %v, %v", r, got, err)
		}
		if r.Meaning() == "" || r.Advice() == "" {
			t.Errorf("%s lacks a meaning or an advice", r)
		}
	}
	if len(seen) != 26 {
		t.Errorf("%d reasons, the closed list has 26", len(seen))
	}
	if _, err := reject.ParseReason("no_such"); err == nil {
		t.Error("an unknown reason was read")
	}
}

func TestEveryClauseIsInTheCatalogue(t *testing.T) {
	for _, r := range reject.Reasons() {
		for _, p := range reject.Profiles() {
			req, ok := reject.LookupRequirement(r.Clause(p))
			if !ok {
				t.Errorf("%s under %s: no catalogue entry %q", r, p, r.Clause(p))
				continue
			}
			found := false
			for _, have := range req.Reasons {
				found = found || have == r
			}
			if !found {
				t.Errorf("%s under %s: %s does not list it", r, p, req.ID)
			}
		}
	}
}

func TestLimitsAreReasonsOfTheirOwn(t *testing.T) {
	limits := []reject.Reason{reject.LimitDepth, reject.LimitSize, reject.LimitCount}
	for _, r := range reject.Reasons() {
		if r.IsLimit() != slices.Contains(limits, r) {
			t.Errorf("%s: IsLimit is %v", r, r.IsLimit())
		}
	}
}

func TestWhatIsInNoListHasNoNameAndNoClause(t *testing.T) {
	for _, r := range []reject.Reason{reject.Reason(len(reject.Reasons()) + 1), 255} {
		if text, err := r.MarshalText(); err == nil {
			t.Errorf("reason %d is written %s", uint8(r), text)
		}
		if want := fmt.Sprintf("reason(%d)", uint8(r)); r.String() != want || r.Clause(reject.RFC8785) != "" {
			t.Errorf("%s, want %s, with the clause %q", r, want, r.Clause(reject.RFC8785))
		}
	}
	for _, p := range []reject.Profile{reject.Profile(len(reject.Profiles())), 255} {
		if text, err := p.MarshalText(); err == nil {
			t.Errorf("profile %d is written %s", uint8(p), text)
		}
		if want := fmt.Sprintf("profile(%d)", uint8(p)); p.String() != want || reject.Syntax.Clause(p) != "" {
			t.Errorf("%s, want %s, with the clause %q", p, want, reject.Syntax.Clause(p))
		}
	}
	if clause := reject.None.Clause(reject.RFC0016); clause != "" {
		t.Errorf("no reason has the clause %q", clause)
	}
}

func TestNamesRoundTripAsText(t *testing.T) {
	for _, p := range reject.Profiles() {
		var got reject.Profile
		text, err := p.MarshalText()
		if err != nil || string(text) != p.String() || got.UnmarshalText(text) != nil || got != p {
			t.Errorf("%s: written %s, %v, read as %s", p, text, err, got)
		}
	}
	for _, r := range append(reject.Reasons(), reject.None) {
		var got reject.Reason
		text, err := r.MarshalText()
		if err != nil || string(text) != r.String() || got.UnmarshalText(text) != nil || got != r {
			t.Errorf("%s: written %s, %v, read as %s", r, text, err, got)
		}
	}
	if p, err := reject.ParseProfile("no_such"); err == nil {
		t.Errorf("an unknown profile was read as %s", p)
	}
}

func TestCatalogue(t *testing.T) {
	groups := map[reject.Group]int{}
	for _, g := range reject.Groups() {
		groups[g] = 0
	}
	seen := map[string]bool{}
	for _, r := range reject.Requirements() {
		if seen[r.ID] {
			t.Errorf("%s twice", r.ID)
		}
		seen[r.ID] = true
		if parts := strings.Split(r.ID, "/"); len(parts) != 3 || r.Text == "" || r.Source == "" || r.Section == "" {
			t.Errorf("%s is not complete", r.ID)
		}
		if _, known := groups[r.Group]; !known {
			t.Errorf("%s: unknown group %q", r.ID, r.Group)
		}
		groups[r.Group]++
	}
	for g, n := range groups {
		if n == 0 {
			t.Errorf("group %s is empty", g)
		}
	}
}

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, src     string
		offset        int
		line, column  int
		hidden, shown string
	}{
		{"top", `-0`, 0, 1, 1, "", ""},
		{"element", `[1,-0]`, 3, 1, 4, "/1", "/1"},
		{"first element", `[-0]`, 1, 1, 2, "/0", "/0"},
		{"after an element", `[1 2]`, 3, 1, 4, "", ""},
		{"member", `{"a":-0}`, 5, 1, 6, "/*", "/a"},
		{"before a colon", `{"a" 1}`, 5, 1, 6, "/*", "/a"},
		{"in a name", `{"a":1,"\ud800":2}`, 8, 1, 9, "", ""},
		{"after a member", `{"a":1 "b"}`, 7, 1, 8, "", ""},
		{"deep", `{"a/b":[{"c~":[[],-0]}]}`, 18, 1, 19, "/*/0/*/1", "/a~1b/0/c~0/1"},
		{"escaped names", `{"\u0061\ud83d\ude00\n":-0}`, 24, 1, 25, "/*", "/a\U0001F600\n"},
		{"second line", "[\n1,\n -0]", 6, 3, 2, "/1", "/1"},
		{"end of text", `{"a":[1,`, 8, 1, 9, "/*/1", "/a/1"},
		{"beyond the text", `[`, 99, 1, 2, "/0", "/0"},
		{"negative offset", `[`, -5, 1, 1, "", ""},
		{"closed too often", `]]]}`, 4, 1, 5, "", ""},
		{"after a nested array", `[[1,2],3]`, 7, 1, 8, "/1", "/1"},
		{"behind a nested array", `[1,[2,3] 4]`, 9, 1, 10, "", ""},
		{"behind a nested object", `[{"a":1} 4]`, 9, 1, 10, "", ""},
		{"comma in an object", `{"a":[1],"b":2}`, 13, 1, 14, "/*", "/b"},
		{"value in a member", `{"a":"b" 1}`, 9, 1, 10, "", ""},
		{"in a value", `{"a":"b"}`, 7, 1, 8, "/*", "/a"},
		{"behind a name", `{"a":1}`, 4, 1, 5, "/*", "/a"},
		{"behind a string", `["b"]`, 4, 1, 5, "", ""},
		{"commas at the top", `,,[1,2]`, 5, 1, 6, "/1", "/1"},
		{"strings at the top", `"a"["b","c"]`, 9, 1, 10, "/1", "/1"},
		{"escaped quotation mark", `{"a\"\\":["\\\"",1]}`, 17, 1, 18, "/*/1", `/a"\/1`},
		{"in a literal", `[true]`, 3, 1, 4, "/0", "/0"},
		{"behind true", `[true]`, 5, 1, 6, "", ""},
		{"behind false", `[false]`, 6, 1, 7, "", ""},
		{"behind null", `[null]`, 5, 1, 6, "", ""},
		{"behind no literal", `[nule]`, 5, 1, 6, "/0", "/0"},
		{"in digits", `[10]`, 2, 1, 3, "/0", "/0"},
		{"before a fraction", `[1.5]`, 2, 1, 3, "/0", "/0"},
		{"before an exponent", `[1e5]`, 2, 1, 3, "/0", "/0"},
		{"in an exponent", `[1e5]`, 3, 1, 4, "/0", "/0"},
		{"behind a minus", `[-]`, 2, 1, 3, "/0", "/0"},
		{"behind 0", `[0]`, 2, 1, 3, "", ""},
		{"behind 9", `[9]`, 2, 1, 3, "", ""},
		{"behind a number", `[1x]`, 2, 1, 3, "", ""},
		{"number at the end", `[1`, 2, 1, 3, "", ""},
		{"no number at the end", `[1.`, 3, 1, 4, "/0", "/0"},
		{"number with more behind", `[1 ,2]`, 3, 1, 4, "", ""},
		{"not UTF-8", "[\xff\xff,1]", 4, 1, 5, "/1", "/1"},
		{"escapes that mean nothing", `{"\x\u12\u12G4":1}`, 16, 1, 17, "/*", `/\x\u12\u12G4`},
		{"short escapes", `{"\"\\\/\b\f\n\r\t":1}`, 20, 1, 21, "/*", "/\"\\~1\b\f\n\r\t"},
		{"lone surrogates", `{"\ud83dde00\ude00\ud83d":1}`, 26, 1, 27, "/*", "/\uFFFDde00\uFFFD\uFFFD"},
		{"surrogates at the edges", `{"\ud800\udc00\udbff\udfff":1}`, 28, 1, 29, "/*", "/\U00010000\U0010FFFF"},
	} {
		p := reject.Locate([]byte(c.src), c.offset)
		if p.Line != c.line || p.Column != c.column || p.Pointer != c.hidden {
			t.Errorf("%s: got %+v", c.name, p)
		}
		e := reject.At("test", []byte(c.src), c.offset, reject.NegativeZero, "x")
		if got := e.PointerIn([]byte(c.src)); c.offset >= 0 && got != c.shown {
			t.Errorf("%s: PointerIn gives %q", c.name, got)
		}
	}
}

func TestPointerOfADuplicateNamesTheLaterMember(t *testing.T) {
	src := []byte(`[{"a":1,"\u0061":2}]`)
	e := reject.At("canon", src, 8, reject.DuplicateName, reject.DuplicateName.Clause(reject.RFC8785))
	if got := e.PointerIn(src); got != "/0/a" {
		t.Errorf("got %q", got)
	}
	if e.Pointer != "/0/*" {
		t.Errorf("got %q", e.Pointer)
	}
}

// Where no name stands, a duplicate's place is that of anything else.
func TestPlaceOfADuplicateWithoutAName(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
		want   string
	}{
		{`{"a":1,2}`, 7, ""},
		{`{"a":1,"b`, 7, ""},
		{`{"a":1,`, 7, ""},
		{`{"a":1,"b"`, 7, "/*"},
		{`["a"]`, 1, "/0"},
		{`"a"`, 0, ""},
		{`{"a":1`, 99, ""},
	} {
		if e := reject.At("canon", []byte(c.src), c.offset, reject.DuplicateName, ""); e.Pointer != c.want {
			t.Errorf("%s at %d: got %q, want %q", c.src, c.offset, e.Pointer, c.want)
		}
	}
}

func TestErrorOfAValueHasNoOffset(t *testing.T) {
	e := &reject.Error{Package: "snapshot", Reason: reject.Cycle, Offset: -1, Pointer: "/*", Type: "map[string]any"}
	const want = "snapshot: a container holds itself (map[string]any), in /* [cycle]: break the cycle"
	if e.Error() != want || e.PointerIn([]byte(`{"a":1}`)) != "/*" {
		t.Errorf("got  %s, in %s\nwant %s", e, e.PointerIn([]byte(`{"a":1}`)), want)
	}
	if text := (&reject.Error{Offset: -1}).Error(); text != "no reason given [-]" {
		t.Errorf("got %s", text)
	}
}

func TestPointerInAnErrorTextIsCutInTheMiddle(t *testing.T) {
	whole := "/" + strings.Repeat("1", 59) + strings.Repeat("2", 59) + "/"
	for pointer, want := range map[string]string{
		whole:       whole,
		whole + "3": whole[:60] + "…" + whole[61:] + "3",
	} {
		if text := (&reject.Error{Pointer: pointer}).Error(); text != "no reason given, in "+want+" [-]" {
			t.Errorf("of %d bytes: got %s", len(pointer), text)
		}
	}
}

func TestErrorTextIsWholeAndHoldsNoPayload(t *testing.T) {
	src := []byte("{\"secret\":\n[\"hidden\",-0]}")
	e := reject.At("canon", src, 21, reject.NegativeZero, reject.NegativeZero.Clause(reject.RFC0016))
	const want = "canon: the number is negative zero, at offset 21 (line 2, column 11), in /*/1 [negative_zero, rfc0016/domain/negative-zero]: write 0"
	if e.Error() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
	if !errors.Is(e, reject.NegativeZero) || errors.Is(e, reject.Syntax) {
		t.Error("errors.Is does not tell the reason")
	}
	deep := reject.At("canon", []byte(strings.Repeat("[", 100000)), 100000, reject.Syntax, "")
	if len(deep.Error()) > 400 {
		t.Errorf("%d bytes of error text", len(deep.Error()))
	}
}

func TestSyntaxClause(t *testing.T) {
	for _, c := range []struct {
		spot reject.Spot
		rest string
		want string
	}{
		{reject.SpotTop, "", "rfc8259/2/one-value"},
		{reject.SpotTop, "}", "rfc8259/2/one-value"},
		{reject.SpotTop, "NaN", "rfc8259/3/literals"},
		{reject.SpotTop, "a", "rfc8259/3/literals"},
		{reject.SpotTop, "Z", "rfc8259/3/literals"},
		{reject.SpotTop, "@", "rfc8259/2/one-value"},
		{reject.SpotTop, "{", "rfc8259/2/one-value"},
		{reject.SpotMember, "'a'", "rfc8259/7/string"},
		{reject.SpotElement, "+1", "rfc8259/6/number"},
		{reject.SpotElement, "]", "rfc8259/5/array"},
		{reject.SpotElement, "// c", "rfc8259/2/white-space"},
		{reject.SpotArrayNext, "\u00a0", "rfc8259/2/white-space"},
		{reject.SpotArrayNext, ":", "rfc8259/5/array"},
		{reject.SpotName, "a", "rfc8259/4/object"},
		{reject.SpotColon, ",", "rfc8259/4/object"},
		{reject.SpotObjectNext, "", "rfc8259/4/object"},
		{reject.SpotEnd, "1", "rfc8259/2/trailing-data"},
		{reject.SpotEnd, "\ufeff", "rfc8259/2/white-space"},
		{reject.SpotString, "\n", "rfc8259/7/control-character"},
		{reject.SpotString, "", "rfc8259/7/string"},
		{reject.SpotEscape, "x", "rfc8259/7/escape"},
		{reject.SpotNumber, "1", "rfc8259/6/number"},
		{reject.SpotLiteral, "", "rfc8259/3/literals"},
	} {
		got := reject.SyntaxClause(c.spot, []byte(c.rest))
		if got != c.want {
			t.Errorf("SyntaxClause(%d, %q) = %s, want %s", c.spot, c.rest, got, c.want)
		}
		if _, ok := reject.LookupRequirement(got); !ok {
			t.Errorf("%s is not in the catalogue", got)
		}
	}
}
