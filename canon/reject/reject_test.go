package reject_test

import (
	"errors"
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
