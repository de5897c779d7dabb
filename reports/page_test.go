package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestDoubles: the bits of a number of a document are those of the double that
// is nearest, whatever its size; what is no number has none.
func TestDoubles(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // the bits; empty for none
	}{
		{"1", "3ff0000000000000"}, {"-0", "8000000000000000"}, {"-0.0e5", "8000000000000000"}, {"0.1", "3fb999999999999a"},
		{"9007199254740993", "4340000000000000"}, {"5e-324", "0000000000000001"}, {"2.4703282292062327e-324", "0000000000000000"},
		{"2.4703282292062328e-324", "0000000000000001"}, {"1.7976931348623157e308", "7fefffffffffffff"}, {"1e400", "7ff0000000000000"}, {"-1e400", "fff0000000000000"},
		{"1E+2", "4059000000000000"}, {"01", ""}, {"+1", ""}, {"1.", ""}, {".5", ""}, {"1e", ""}, {"--1", ""}, {"1e5001", ""}, {"1e99999999999999999999", ""}, {strings.Repeat("1", 1001), ""},
	} {
		all := doublesIn("input", []byte(`{"7":[`+c.text+`]}`))
		switch {
		case c.want == "" && len(all) > 0:
			t.Errorf("%.30s: %+v", c.text, all)
		case c.want != "" && (len(all) != 1 || all[0].Bits != c.want || len(all[0].Sign+all[0].Exponent+all[0].Fraction) != 64):
			t.Errorf("%s: %+v, want %s", c.text, all, c.want)
		}
	}
	if all := doublesIn("input", []byte(`["\"1",2,"unclosed 3`)); len(all) != 1 || all[0].Text != "2" {
		t.Errorf("%+v", all)
	}
	num := &result.Finding{Op: result.OpNum, Input: result.Hex{0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a}}
	if all := doubles(num); len(all) != 1 || all[0].Text != "0.1" || all[0].Bits != "3fb999999999999a" {
		t.Errorf("%+v", all)
	}
}

// TestViewTables: answers stand below each other, as do the two documents of a
// collision, with their first difference marked.
func TestViewTables(t *testing.T) {
	f := &result.Finding{
		Input: result.Hex("[é]"), Expected: result.Hex(`["ab"]`), Given: result.OK, Actual: result.Hex(`["ax"]`), Differ: 3,
		Partner: result.Hex("[è]"), Fault: &result.Fault{Offset: 1},
	}
	tables := viewTables(f)
	if len(tables) != 2 || tables[0].Label != "input and other input" || tables[0].ASCII || tables[1].Label != "right and given" || !tables[1].ASCII {
		t.Fatalf("%+v", tables)
	}
	if !tables[0].Views[0].Cells[1].Mark || !tables[0].Views[1].Cells[1].Mark || !tables[1].Views[0].Cells[3].Mark || !tables[1].Views[1].Cells[3].Mark {
		t.Errorf("unmarked: %+v", tables)
	}
	refused := viewTables(&result.Finding{Input: result.Hex("\x80"), Given: result.Rejected, Differ: -1, Fault: &result.Fault{}})
	if len(refused) != 1 || refused[0].ASCII || !refused[0].Views[0].Cells[0].Mark {
		t.Errorf("%+v", refused)
	}
}

// TestSnippet: in every language a test holds the input and says what is right.
func TestSnippet(t *testing.T) {
	run := smallRun("x")
	run.Header.Clauses = []result.Clause{{ID: "r", Source: "RFC 8785", Section: "3.1"}}
	for language := range manners {
		for _, verdict := range []string{"accept", "reject", "either"} {
			f := &result.Finding{Requirement: "r", Signature: "shows", Op: result.OpCanon, Input: result.Hex("[1.0]"), InputSize: 5, Verdict: verdict}
			if verdict != "reject" {
				f.Expected = result.Hex("[1]")
			}
			text := snippet(run, f, result.Subject{Language: strings.ToUpper(language)})
			if !strings.Contains(text, "RFC 8785 section 3.1: shows\n") || !strings.Contains(text, "5b312e305d") || strings.Contains(text, "5b315d") != (verdict != "reject") ||
				strings.Contains(text, "%in") || strings.Contains(text, "%out") ||
				!strings.Contains(text, manners[language].comment+map[string]string{"accept": "[1.0] gives [1]", "reject": "[1.0] must be refused", "either": "[1.0] gives [1], or is refused"}[verdict]+"\n") {
				t.Errorf("%s, %s: %s", language, verdict, text)
			}
		}
	}
	for _, f := range []result.Finding{
		{Op: result.OpCanon, Input: result.Hex("cut"), InputSize: 1000}, {Op: result.OpVerify}, {Op: result.OpCanon, Relation: "x"}, {Op: result.OpCanon, Ladder: "x"},
	} {
		if text := snippet(run, &f, result.Subject{}); text != "" {
			t.Errorf("%+v has the test %s", f, text)
		}
	}
}

// TestNoDocumentLeavesItsComment: what a language reads within comments is not
// written into one, nor what is more than a line or long.
func TestNoDocumentLeavesItsComment(t *testing.T) {
	for input, want := range map[string]string{
		`[1]`:                               `[1] must be refused`,
		`"` + "\u20ac\n\u202e" + `"`:        "\"\u20ac‹U+000A›‹U+202E›\" must be refused",
		`"\u000a"`:                          "",
		`"?>"`:                              "",
		``:                                  "(nothing) must be refused",
		`"` + strings.Repeat("x", 80) + `"`: "\"x‹×80›\" must be refused",
	} {
		if got := inWords(&result.Finding{Input: result.Hex(input), InputSize: len(input), Verdict: "reject"}); got != want {
			t.Errorf("%q: %s, want %s", input, got, want)
		}
	}
	if got := inWords(&result.Finding{Input: result.Hex(`1`), InputSize: 1, Expected: result.Hex(`"\b"`), Verdict: "accept"}); got != "" {
		t.Error(got)
	}
}

// TestDiscoveries: the curve goes up at the first case of each kind.
func TestDiscoveries(t *testing.T) {
	a, b, c := plus, zero, zero
	a.Cases, b.Cases, c.Cases = []uint64{0, 7}, []uint64{9}, []uint64{10}
	run := smallRun("x", a, b, c)
	if got := firstCases(run, "x", 10); len(got) != 2 || got[0] != 1 || got[1] != 10 {
		t.Errorf("%v", got)
	}
	all := discoveries(run)
	if len(all) != 1 || all[0].Caption != "x: 2 kinds by 10 cases; the last at case 10" {
		t.Fatalf("%+v", all)
	}
	if want := `d="M44.0 128.0H44.0V69.0H232.0V10.0H232.0"`; !strings.Contains(string(all[0].Picture), want) {
		t.Errorf("%s does not have %s", all[0].Picture, want)
	}
	if none := discoveries(smallRun("x", plus)); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

// TestPageSince: what came and went, with a link to what came.
func TestPageSince(t *testing.T) {
	var out bytes.Buffer
	if err := HTMLSince(&out, smallRun("x", zero), smallRun("x", plus)); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{
		"1 kind of finding came, 1 went", `<a href="#i0-1">x</a>: accepts what must be refused: zero`, "<li>x: accepts what must be refused: plus",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	out.Reset()
	if err := HTMLSince(&out, smallRun("x"), smallRun("y")); err != nil || strings.Contains(out.String(), "Since the previous run") {
		t.Errorf("a run of others is compared, %v", err)
	}
}

// manyRun has implementations with as much to tell of each as the worst have.
func manyRun(implementations, findings int) *result.Run {
	run := smallRun("x")
	run.Header.Subjects, run.Footer.Scores = nil, nil
	run.Header.Clauses = []result.Clause{{ID: "rfc8259/6/number", Source: "RFC 8259", Section: "6", Group: "numbers", Text: "A number is so."}}
	for i := range implementations {
		one := smallRun(fmt.Sprintf("implementation-%d", i))
		for k := range findings {
			f := plus
			f.Subject, f.Signature, f.Requirement = one.Header.Subjects[0].Name, fmt.Sprintf("kind %d of them", k), "rfc8259/6/number"
			f.Op, f.Verdict, f.Given, f.Differ, f.Cases = result.OpCanon, "accept", result.OK, 60, []uint64{uint64(k)}
			text := bytes.Repeat([]byte(`{"é":1.5,"x":12}`), 5)
			f.Input, f.InputSize, f.Expected, f.Actual = text, len(text), text, append(bytes.Clone(text[:60]), "2.5e-7"...)
			f.Known = &result.Known{Reason: strings.Repeat("a reason ", 10), Link: "https://example.org/issues/1"}
			run.Findings = append(run.Findings, f)
		}
		score := one.Footer.Scores[0]
		score.Findings, score.Relations = findings, map[string]result.Tally{"permuted": {Asked: 10, Passed: 9, Failed: 1}}
		score.Ladders = []result.Ladder{{Name: "deep", Unit: "levels", Exponent: 1.1, Rungs: []result.Rung{{Size: 10, Nanos: 100, Given: result.OK}, {Size: 100, Nanos: 1100, Given: result.OK}}}}
		run.Header.Subjects = append(run.Header.Subjects, result.Subject{Name: score.Subject, Language: "go", Version: "v1.2.3"})
		run.Footer.Scores = append(run.Footer.Scores, score)
	}
	return run
}

// TestPageSize: a page of 25 implementations with a dozen kinds each, of 85 bytes
// that are not ASCII, stays under 3 MB.
func TestPageSize(t *testing.T) {
	if n := len(render(t, "html", manyRun(25, 12))); n > 3_000_000 {
		t.Errorf("%d bytes", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

// TestDraft: a draft says to whom it goes, by which clause, what was given and
// what is right, and blames nobody.
func TestDraft(t *testing.T) {
	run := smallRun("x")
	run.Header.Clauses = []result.Clause{{ID: "r", Source: "RFC 8785", Section: "3.1", Text: "Names are unique."}}
	f := &result.Finding{
		Requirement: "r", Outcome: result.Accepted, Signature: "the same name twice", Op: result.OpCanon, Input: result.Hex(`{"a":1,"a":2}`), InputSize: 13,
		Verdict: "reject", Reasons: []string{"duplicate_name"}, Given: result.OK, Actual: result.Hex(`{"a":2}`), Partner: result.Hex(`{"a":2}`), PartnerVerdict: "accept",
	}
	subject := result.Subject{Name: "x", Version: "1.2", Language: "go", Layer: result.LayerValue, Report: "https://example.org/issues", Unclaimed: true}
	want := "To: https://example.org/issues\nTitle: accepts input that has no canonical form: the same name twice\n\n" +
		"RFC 8785 section 3.1: Names are unique.\n\n" +
		"Input (hex):    7b2261223a312c2261223a327d\nInput (text):   {\"a\":1,\"a\":2}\nExpected:       refuse (duplicate_name)\n" +
		"Actual:         {\"a\":2}\nActual (hex):   7b2261223a327d\nThe same bytes come from the input {\"a\":2}, so that one signature covers both.\n\n" +
		"As a test, where canonicalize goes from a document's bytes to the canonical form's:\n\n" +
		"// RFC 8785 section 3.1: the same name twice\n// {\"a\":1,\"a\":2} must be refused\ninput, _ := hex.DecodeString(\"7b2261223a312c2261223a327d\")\n" +
		"if got, err := canonicalize(input); err == nil {\n\tt.Errorf(\"accepted, gives %x\", got)\n}\n\n" +
		"The text was read by another parser first; the cause may lie there.\n\n" +
		"The project does not claim to follow this standard; this tells those who use it as if it did how it differs.\n\n" +
		"Seen with x 1.2.\nFound by Touchstone, suite s, profile rfc8785.\n"
	if got := draft(run, f, subject); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
