package zoo_test

import (
	"encoding/json"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// There are enough creatures, in every part, each with a name of its own.
func TestPopulation(t *testing.T) {
	parts := map[zoo.Part]int{}
	names := map[string]bool{}
	open, faulty := 0, 0
	for _, c := range zoo.All() {
		if names[c.Name] || c.Text == "" {
			t.Errorf("%q: twice, or not explained", c.Name)
		}
		names[c.Name] = true
		parts[c.Part]++
		if c.Open {
			open++
		}
		if c.Faulty() {
			faulty++
		}
		if found, ok := zoo.Lookup(c.Name); !ok || found.Part != c.Part {
			t.Errorf("Lookup does not find %s", c.Name)
		}
	}
	for _, p := range zoo.Parts() {
		if parts[p] < 5 {
			t.Errorf("%d faults in %s", parts[p], p)
		}
	}
	if faulty < 100 || open < 5 || faulty+open+1 != len(names) {
		t.Errorf("%d faulty, %d open, %d in all", faulty, open, len(names))
	}
	if _, ok := zoo.Lookup("unicorn"); ok {
		t.Error("Lookup finds what is not there")
	}
}

// The control gives what the reference gives.
func TestControlIsRight(t *testing.T) {
	control := zoo.Control().New()
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for i := range uint64(20_000) {
		s.Reset(41, i)
		text := g.Document(s)
		got, err := control.Canonicalize(text)
		want, wantErr := reference.Canonicalize(text)
		if (err == nil) != (wantErr == nil) || string(got) != string(want) {
			t.Fatalf("%q gives %q, %v; the reference %q, %v", text, got, err, want, wantErr)
		}
	}
}

// Every faulty creature still does something right, but for those that spoil
// every answer: a fault that shows in every text says little about who finds it.
func TestFaultsAreParticular(t *testing.T) {
	for _, c := range zoo.All() {
		im, right := c.New(), 0
		for _, text := range []string{`{"a":"b"}`, `"a"`, `[[true]]`, `{}`, `1.5`, `true`, `["x","y"]`} {
			if out, err := im.Canonicalize([]byte(text)); err == nil && string(out) == text {
				right++
			}
		}
		if spoils := c.Name == "bom-written" || c.Name == "final-newline"; (right == 0) != spoils {
			t.Errorf("%s does %d things right", c.Name, right)
		}
	}
}

// Two individuals of one creature share no state.
func TestIndividualsAreApart(t *testing.T) {
	for _, c := range zoo.All() {
		fresh := answers(c.New())
		used := c.New()
		answers(used)
		if again := answers(c.New()); again != fresh {
			t.Errorf("%s answers %s and then %s", c.Name, fresh, again)
		}
	}
}

func answers(im zoo.Individual) (all string) {
	defer func() {
		if recover() != nil {
			all += " crash"
		}
	}()
	for _, text := range []string{`{"b":[1,"\u00e9"],"a":1e21}`, `{"a":1,"a":2}`, `["\ud800"]`, `[0.1,-0]`, "[1,\u00a02]"} {
		out, err := im.Canonicalize([]byte(text))
		if err == nil && !json.Valid(out) {
			all += " invalid"
		}
		all += string(out) + ";"
	}
	return all
}
