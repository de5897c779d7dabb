package reports

import (
	"bytes"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func smallRun(subject string, findings ...result.Finding) *result.Run {
	run := &result.Run{Header: result.Header{Format: result.Format, Profile: "rfc8785", Suite: "s", Seed: 1, Cases: 10, Vectors: 2, Subjects: []result.Subject{{Name: subject}}}}
	score := result.Score{
		Subject: subject, Vectors: result.Tally{Asked: 2, Passed: 1, Failed: 1}, Generated: result.Tally{Asked: 10, Passed: 10},
		Groups: map[string]result.Tally{"numbers": {Asked: 2, Passed: 1, Failed: 1}}, Found: map[string]int{}, Outcomes: map[result.Outcome]int{result.Pass: 1},
	}
	for _, f := range findings {
		f.Subject = subject
		run.Findings = append(run.Findings, f)
		score.Findings++
		score.New++
		score.Found[f.Group]++
	}
	run.Footer = result.Footer{Scores: []result.Score{score}, Questions: 12}
	return run
}

var (
	plus = result.Finding{Requirement: "rfc8259/6/number", Group: "numbers", Outcome: result.Accepted, Effect: result.Collision, Signature: "plus", Input: result.Hex("[+1]"), InputSize: 4, Count: 2, Vectors: []string{"a"}}
	zero = result.Finding{Requirement: "rfc8259/6/number", Group: "numbers", Outcome: result.Accepted, Effect: result.Split, Signature: "zero", Input: result.Hex("[01]"), InputSize: 4, Count: 1, Vectors: []string{"b"}}
)

func TestCompare(t *testing.T) {
	before, after := smallRun("x", plus), smallRun("x", zero)
	before.Vectors = []result.VectorResult{{Subject: "x", Vector: "a", Outcome: result.Accepted}, {Subject: "x", Vector: "c", Outcome: result.Pass}}
	after.Vectors = []result.VectorResult{{Subject: "x", Vector: "a", Outcome: result.Pass}, {Subject: "x", Vector: "b", Outcome: result.Accepted}, {Subject: "x", Vector: "c", Outcome: result.Pass}, {Subject: "x", Vector: "d", Outcome: result.Pass}}
	after.Header.Suite = "t"
	d := Compare(before, after)
	if len(d.New) != 1 || d.New[0].Signature != "zero" || len(d.Gone) != 1 || d.Gone[0].Signature != "plus" || !d.Worse() || len(d.Notes) != 1 {
		t.Errorf("%+v", d)
	}
	if len(d.Vectors) != 2 || d.Vectors[0] != (Change{"x", "a", result.Accepted, result.Pass}) || d.Vectors[1] != (Change{"x", "b", "", result.Accepted}) {
		t.Errorf("%+v", d.Vectors)
	}
	var out bytes.Buffer
	if err := d.Write(&out); err != nil || !strings.Contains(out.String(), "+ x: split") || !strings.Contains(out.String(), "- x: collision") {
		t.Errorf("%v, %s", err, out.String())
	}
	if same := Compare(before, before); same.Worse() || len(same.Vectors) != 0 {
		t.Errorf("a run differs from itself: %+v", same)
	}
}

func TestMerge(t *testing.T) {
	a, b, c := smallRun("x", plus), smallRun("y", zero), smallRun("x", plus, zero)
	c.Header.Seed = 2
	a.Footer.Scores[0].Unasked, c.Footer.Scores[0].Unasked, c.Footer.Scores[0].Why, b.Footer.Scores[0].Withheld = 2, 3, "slow", 4
	m, err := Merge([]*result.Run{a, b, c})
	if err != nil {
		t.Fatal(err)
	}
	x := m.Score("x")
	if m.Header.Cases != 20 || len(m.Header.Subjects) != 2 || len(m.Findings) != 3 || m.Footer.Questions != 36 {
		t.Errorf("%+v", m)
	}
	if x.Findings != 2 || x.New != 2 || x.Found["numbers"] != 2 || x.Vectors.Asked != 4 || x.Groups["numbers"].Asked != 4 {
		t.Errorf("%+v", x)
	}
	if x.Unasked != 5 || x.Why != "slow" || m.Score("y").Withheld != 4 {
		t.Errorf("%+v, %+v", x, m.Score("y"))
	}
	if a.Score("x").Vectors.Asked != 2 || a.Score("x").Groups["numbers"].Asked != 2 {
		t.Error("merging changes what it merges")
	}
	other := smallRun("z")
	other.Header.Profile = "ijson"
	if _, err := Merge([]*result.Run{a, other}); err == nil {
		t.Error("two profiles are merged")
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing is merged")
	}
}

// TestPublic: what nobody has reported is counted, not shown.
func TestPublic(t *testing.T) {
	known, unreported, fresh := plus, plus, zero
	known.Known = &result.Known{Reason: "r", Link: "https://example.org/1"}
	unreported.Known = &result.Known{Reason: "r"}
	run := smallRun("x", known, unreported, fresh)
	p := Public(run)
	if len(p.Findings) != 1 || p.Footer.Withheld != 2 || len(run.Findings) != 3 || run.Footer.Withheld != 0 {
		t.Errorf("%+v", p)
	}
	if page := string(render(t, "html", p)); strings.Contains(page, "zero") || !strings.Contains(page, "1 kind of finding: 0 new, 1 known. 2 more not shown") {
		t.Error("the page shows what it must not, or does not count it")
	}
	for mode, want := range map[string]string{"": "check --peer x", result.ModeWire: "check --wire -- ./x", result.ModeExec: "check -- ./x"} {
		p.Header.Subjects[0].Mode, p.Header.Subjects[0].Command = mode, "./x"
		if page := string(render(t, "html", p)); !strings.Contains(page, "Who maintains it sees all by <code>touchstone "+want+"</code>") {
			t.Errorf("mode %q: who maintains it is not told how to see the rest", mode)
		}
	}
}

// TestPublicTellsNoInput: what a run says beside its findings does not give them
// away either.
func TestPublicTellsNoInput(t *testing.T) {
	known := plus
	known.Known = &result.Known{Reason: "r", Link: "https://example.org/1"}
	run := smallRun("x", known, zero, result.Finding{Ladder: "deep", Requirement: "r", Outcome: result.Slow, Effect: result.DenialOfService, Signature: "slow", Input: result.Hex("[[")})
	run.Vectors = []result.VectorResult{
		{Subject: "x", Vector: "a", Outcome: result.Accepted, Message: "secret", Digest: "secret"},
		{Subject: "x", Vector: "b", Outcome: result.Accepted}, {Subject: "x", Vector: "c", Outcome: result.Pass},
	}
	run.Footer.Stale = []result.Stale{{Subject: "x", Entry: "secret", Why: "secret"}}
	run.Footer.Scores[0].Relations = map[string]result.Tally{"secret": {Asked: 1, Failed: 1}}
	run.Footer.Scores[0].Ladders = []result.Ladder{{Name: "deep", Message: "secret"}, {Name: "wide"}}
	p := Public(run)
	if s := p.Score("x"); s.Withheld != 2 || s.Findings != 1 || s.New != 0 || len(s.Ladders) != 1 || s.Ladders[0].Name != "wide" {
		t.Errorf("%+v", s)
	}
	if len(p.Vectors) != 2 || p.Vectors[0].Vector != "a" || p.Vectors[1].Vector != "c" {
		t.Errorf("%+v", p.Vectors)
	}
	for _, f := range Formats() {
		if out := string(render(t, f.Name, p)); strings.Contains(out, "secret") || strings.Contains(out, "5b30315d") || strings.Contains(out, "[01]") {
			t.Errorf("%s tells it", f.Name)
		}
	}
}

// TestCompareOthers: implementations of one run alone are noted, not compared.
func TestCompareOthers(t *testing.T) {
	d := Compare(smallRun("x", plus), smallRun("y", zero))
	if d.Common != 0 || len(d.New) != 0 || len(d.Gone) != 0 || len(d.Notes) != 2 || !strings.Contains(d.Notes[0], "only the first run has them: x") {
		t.Errorf("%+v", d)
	}
	merged, err := Merge([]*result.Run{smallRun("x", plus), smallRun("y", zero)})
	if err != nil {
		t.Fatal(err)
	}
	merged.Header.Subjects[0].Version = "2"
	if d = Compare(smallRun("x"), merged); d.Common != 1 || len(d.New) != 1 || d.New[0].Subject != "x" || len(d.Notes) != 2 {
		t.Errorf("%+v", d)
	}
}

func TestTerminal(t *testing.T) {
	known := zero
	known.Known = &result.Known{Reason: "r"}
	known.Signature = strings.Repeat("many words ", 20)
	run := smallRun("x", plus, known)
	run.Footer.Scores[0].New = 1
	run.Header.Version, run.Header.Cases, run.Header.Inputs = "v0.0.0-20260101000000-0123456789ab", 200_000, 12
	run.Footer.Questions, run.Footer.Seconds, run.Footer.CasesPerSec, run.Footer.Interrupted = 1_172_878, 123.4, 123_456, true
	var out bytes.Buffer
	if err := Terminal(&out, run, TerminalOptions{}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Contains(text, "\x1b") {
		t.Error("colour that was not asked for")
	}
	for _, want := range []string{"1/2", "COLLISION", "[+1]", "5b2b315d", "1 new finding"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	out.Reset()
	if err := Terminal(&out, run, TerminalOptions{Colour: true}); err != nil || !strings.Contains(out.String(), "\x1b[31m") {
		t.Errorf("no colour, %v", err)
	}
}
