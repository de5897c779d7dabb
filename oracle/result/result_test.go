package result

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestClosedLists(t *testing.T) {
	for _, o := range Outcomes() {
		if got, err := ParseOutcome(string(o)); got != o || err != nil {
			t.Errorf("%s: %s, %v", o, got, err)
		}
	}
	for _, e := range Effects() {
		if got, err := ParseEffect(string(e)); got != e || err != nil {
			t.Errorf("%s: %s, %v", e, got, err)
		}
	}
	if _, err := ParseOutcome("fine"); err == nil {
		t.Error("an outcome that is none")
	}
	if _, err := ParseEffect("doom"); err == nil {
		t.Error("an effect that is none")
	}
}

func TestHex(t *testing.T) {
	text, err := json.Marshal(Hex("\x00\xffA"))
	if err != nil || string(text) != `"00ff41"` {
		t.Errorf("%s, %v", text, err)
	}
	var h Hex
	if err := json.Unmarshal([]byte(`"00FF41"`), &h); err != nil || string(h) != "\x00\xffA" {
		t.Errorf("%x, %v", h, err)
	}
	if err := json.Unmarshal([]byte(`"0"`), &h); err == nil {
		t.Error("half a byte is read")
	}
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", -1}, {"a", "a", -1}, {"a", "", 0}, {"abc", "abd", 2}, {"ab", "abc", 2}} {
		if got := FirstDifference([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestGravestFirst: within an implementation a collision comes before all else.
func TestGravestFirst(t *testing.T) {
	findings := []Finding{
		{Subject: "b", Effect: Collision},
		{Subject: "a", Effect: Refusal},
		{Subject: "a", Effect: Split, Requirement: "z"},
		{Subject: "a", Effect: Split, Requirement: "y", InputSize: 2},
		{Subject: "a", Effect: Split, Requirement: "y", InputSize: 1},
		{Subject: "a", Effect: Collision},
	}
	slices.SortFunc(findings, CompareFindings)
	var got []string
	for _, f := range findings {
		got = append(got, f.Subject+string(f.Effect)+f.Requirement)
	}
	want := []string{"acollision", "asplity", "asplity", "asplitz", "arefusal", "bcollision"}
	if !slices.Equal(got, want) || findings[1].InputSize != 1 {
		t.Errorf("%v", got)
	}
}

func TestTally(t *testing.T) {
	var tally Tally
	for _, o := range []Outcome{Pass, Skip, Diverged, Crash, Pass} {
		tally.Add(o, false)
	}
	tally.Add(Refused, true)
	want := Tally{Asked: 6, Passed: 2, Failed: 2, Limited: 1, Skipped: 1}
	if tally != want {
		t.Errorf("%+v", tally)
	}
	if twice, want := tally.Plus(tally), (Tally{Asked: 12, Passed: 4, Failed: 4, Limited: 2, Skipped: 2}); twice != want {
		t.Errorf("%+v", twice)
	}
}

func TestReportedIsWhatABaselineLinks(t *testing.T) {
	for _, c := range []struct {
		known *Known
		want  bool
	}{
		{nil, false},
		{&Known{Reason: "order"}, false},
		{&Known{Reason: "order", Link: "https://example.org/1"}, true},
	} {
		if f := (Finding{Known: c.known}); f.Reported() != c.want {
			t.Errorf("%+v: reported is %v", c.known, !c.want)
		}
	}
}

func TestRunFindsWhatItHolds(t *testing.T) {
	r := &Run{
		Header: Header{Clauses: []Clause{{ID: "x", Text: "first"}, {ID: "y", Text: "second"}}},
		Footer: Footer{Scores: []Score{{Subject: "a", New: 2}, {Subject: "b", New: 3}}},
	}
	if s := r.Score("b"); s == nil || s.New != 3 || r.Score("c") != nil {
		t.Errorf("the score of b is %+v, that of c %+v", s, r.Score("c"))
	}
	if c, ok := r.Clause("y"); !ok || c.Text != "second" {
		t.Errorf("the clause y is %+v, %v", c, ok)
	}
	if c, ok := r.Clause("z"); ok {
		t.Errorf("the clause z is %+v", c)
	}
	if r.New() != 5 {
		t.Errorf("%d are new", r.New())
	}
}

// No size that was measured is negative.
func TestUnlimitedIsNoSize(t *testing.T) {
	text, err := json.Marshal(Limits{Probed: 9, Arrays: Unlimited, Objects: 9})
	if err != nil || string(text) != `{"probed":9,"arrays":-1,"objects":9}` {
		t.Errorf("%s, %v", text, err)
	}
}
