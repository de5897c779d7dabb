package grammar_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

const documents = 200_000

// run draws documents and pairs of one seed and counts their features.
func run(seed uint64, n int, each func(doc []byte, f grammar.Set)) *grammar.Histogram {
	var g grammar.Generator
	var h grammar.Histogram
	s := grammar.NewSeeded(0, 0)
	for i := range n {
		s.Reset(seed, uint64(i))
		doc := g.Document(s)
		h.Add(len(doc), g.Features())
		if each != nil {
			each(doc, g.Features())
		}
	}
	return &h
}

// Every feature is drawn, each by itself or in a pair.
func TestEveryFeatureIsDrawn(t *testing.T) {
	h := run(1, documents, nil)
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for i := range 1000 {
		s.Reset(2, uint64(i))
		a, b, _ := g.Pair(s)
		h.Add(len(a)+len(b), g.Features())
	}
	for _, f := range grammar.Features() {
		if h.Count(f) == 0 {
			t.Errorf("%s was never drawn in %d documents", f, documents)
		}
	}
	if t.Failed() || testing.Verbose() {
		for _, f := range grammar.Features() {
			t.Logf("%-26s %8d", f, h.Count(f))
		}
	}
}

// The mean length is near 150 bytes.
func TestMeanLength(t *testing.T) {
	h := run(3, documents, nil)
	if mean := float64(h.Bytes) / float64(h.Documents); mean < 120 || mean > 180 {
		t.Errorf("mean length %.1f bytes, want about 150", mean)
	} else {
		t.Logf("mean length %.1f bytes", mean)
	}
}

// A document without a fault put in is JSON, and with one it mostly is not.
func TestFaultsAreFaults(t *testing.T) {
	bad := make(map[string][2]int) // valid, invalid by feature
	run(4, documents/4, func(doc []byte, f grammar.Set) {
		faulty := false
		for _, feature := range f.List() {
			if name := feature.String(); strings.HasPrefix(name, "bad-") {
				faulty = true
				n := bad[name]
				if valid(doc) {
					n[0]++
				} else {
					n[1]++
				}
				bad[name] = n
			}
		}
		if !faulty && !valid(doc) {
			t.Fatalf("no fault was put in, but this is not JSON: %q", doc)
		}
	})
	// Surrogates and duplicates pass the grammar: they break other rules.
	for name, n := range bad {
		passes := strings.Contains(name, "duplicate") || name == "bad-lone-high" || name == "bad-lone-low" || name == "bad-reversed-pair"
		if share := float64(n[0]) / float64(n[0]+n[1]); passes != (share > 0.9) && (share > 0.5 || passes) {
			t.Errorf("%s: %d of %d documents are JSON", name, n[0], n[0]+n[1])
		}
	}
}

func valid(doc []byte) bool { return utf8.Valid(doc) && json.Valid(doc) }

// One seed and stream give one document; the next stream gives another.
func TestSeededIsReproducible(t *testing.T) {
	same := 0
	for i := range uint64(1000) {
		a := grammar.Document(grammar.NewSeeded(7, i))
		if b := grammar.Document(grammar.NewSeeded(7, i)); !bytes.Equal(a, b) {
			t.Fatalf("stream %d: %q and %q", i, a, b)
		}
		if bytes.Equal(a, grammar.Document(grammar.NewSeeded(7, i+1))) {
			same++
		}
	}
	if same > 100 {
		t.Errorf("%d of 1000 streams give what their neighbour gives", same)
	}
}

// What the choices give again is the same document, from every kind of Source.
func TestReplay(t *testing.T) {
	for i := range uint64(2000) {
		r := &grammar.Record{From: grammar.NewSeeded(8, i)}
		want := grammar.Document(r)
		if got := grammar.Document(&grammar.Replay{Choices: r.Choices}); !bytes.Equal(got, want) {
			t.Fatalf("replayed %q, want %q", got, want)
		}
	}
}

// stubborn is a Source that always gives the last choice, or the n-th of n+1.
type stubborn struct{ num, den, n int }

func (s *stubborn) Choose(n int) int {
	s.n++
	return n * s.num / s.den * (n - 1) / n
}

// Every Source comes to an end, within the length promised.
func TestAnySourceEnds(t *testing.T) {
	for den := 1; den <= 64; den++ {
		for num := 0; num <= den; num++ {
			s := &stubborn{num: num, den: den}
			if doc := grammar.Document(s); len(doc) > 1<<20 || s.n > 1<<20 {
				t.Errorf("choices %d/%d: %d bytes after %d choices", num, den, len(doc), s.n)
			}
		}
	}
	// No choices left is the simplest document.
	if doc := grammar.Document(grammar.NewBytes(nil)); string(doc) != "null" {
		t.Errorf("no choices give %q", doc)
	}
}

// Pairs keep their promise, judged by encoding/json where it can judge.
func TestPairs(t *testing.T) {
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	judged := [2]int{}
	for i := range 50_000 {
		s.Reset(9, uint64(i))
		a, b, r := g.Pair(s)
		if !valid(a) {
			t.Fatalf("the first of a pair is not JSON: %q", a)
		}
		if !valid(b) || bytes.Contains(bytes.ToLower(b), []byte(`\ud`)) {
			if r == grammar.Same && !valid(b) {
				t.Fatalf("%s: only one is JSON: %q and %q", r, a, b)
			}
			continue
		}
		x, errX := decode(a)
		y, errY := decode(b)
		if errX != nil || errY != nil || longInteger(a) || longInteger(b) {
			continue // beyond the range of a double, or more than strconv reads right
		}
		if equal := reflect.DeepEqual(x, y); equal != (r == grammar.Same) && !hasDuplicate(b) {
			t.Fatalf("%s, but encoding/json says %v:\n%q\n%q", r, equal, a, b)
		}
		judged[r]++
	}
	if judged[0] < 10_000 || judged[1] < 10_000 {
		t.Errorf("only %v pairs were judged", judged)
	}
}

// longInteger reports whether more digits stand in a row than strconv counts
// before a point.
func longInteger(doc []byte) bool {
	row := 0
	for _, c := range doc {
		if row++; c < '0' || c > '9' {
			row = 0
		}
		if row > 800 {
			return true
		}
	}
	return false
}

func decode(doc []byte) (v any, err error) {
	err = json.Unmarshal(doc, &v)
	return v, err
}

// hasDuplicate reports whether an object has fewer members than were written.
func hasDuplicate(doc []byte) bool {
	d := json.NewDecoder(bytes.NewReader(doc))
	var names []map[string]bool
	isName := []bool{}
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{', '[':
				names = append(names, nil)
				if v == '{' {
					names[len(names)-1] = map[string]bool{}
				}
				isName = append(isName, v == '{')
				continue
			}
			names, isName = names[:len(names)-1], isName[:len(isName)-1]
		case string:
			if n := len(names) - 1; n >= 0 && names[n] != nil && isName[n] {
				if names[n][v] {
					return true
				}
				names[n][v] = true
				isName[n] = false
				continue
			}
		}
		if n := len(names) - 1; n >= 0 && names[n] != nil {
			isName[n] = true
		}
	}
}

// A document is written without allocating, once the memory is there.
func TestDocumentDoesNotAllocate(t *testing.T) {
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	i := uint64(0)
	draw := func() {
		s.Reset(10, i%5000)
		g.Document(s)
		i++
	}
	for range 5000 {
		draw()
	}
	if n := testing.AllocsPerRun(5000, draw); n > 0 {
		t.Errorf("%.3f allocations a document", n)
	}
}

// Each weight is explained, and no two ways of a table have one name.
func TestWeightsAreExplained(t *testing.T) {
	seen := make(map[string]bool)
	for _, w := range grammar.Weights() {
		if w.Why == "" || w.Share <= 0 || w.Share >= 1 {
			t.Errorf("%s, %s: share %v, why %q", w.Table, w.Name, w.Share, w.Why)
		}
		if key := w.Table + "\x00" + w.Name; seen[key] {
			t.Errorf("%s: %s stands twice", w.Table, w.Name)
		} else {
			seen[key] = true
		}
	}
}

// Histograms count documents, bytes and features; merged and restored ones what
// the parts counted.
func TestHistogram(t *testing.T) {
	var g grammar.Generator
	g.Document(grammar.NewBytes(nil))
	scalar := g.Features()
	var h, twice, restored grammar.Histogram
	h.Add(4, scalar)
	h.Add(3, grammar.Set{})
	twice.Add(5, scalar)
	twice.Merge(&h)
	restored.Restore(h.Counts())
	if h.Documents != 2 || h.Bytes != 7 || twice.Documents != 3 || twice.Bytes != 12 {
		t.Errorf("%d documents of %d bytes, merged %d of %d", h.Documents, h.Bytes, twice.Documents, twice.Bytes)
	}
	want := []grammar.Feature{grammar.TopScalar, grammar.Literal, grammar.SpaceNone, grammar.EscapeNone}
	if got := scalar.List(); !slices.Equal(got, want) {
		t.Errorf("null has the features %v, want %v", got, want)
	}
	for _, f := range grammar.Features() {
		n := int64(0)
		if slices.Contains(want, f) {
			n = 1
		}
		if scalar.Has(f) != (n == 1) || h.Count(f) != n || twice.Count(f) != 2*n || restored.Count(f) != n || h.Counts()[f.String()] != n {
			t.Errorf("%s: %v, %d, merged %d, restored %d, want %d", f, scalar.Has(f), h.Count(f), twice.Count(f), restored.Count(f), n)
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	total := 0
	for i := 0; b.Loop(); i++ {
		s.Reset(1, uint64(i))
		total += len(g.Document(s))
	}
	b.SetBytes(int64(total / b.N))
}

// Mutants are within the limit, often JSON still, and the original is left alone;
// every kind of text has some.
func TestMutate(t *testing.T) {
	var g, m grammar.Generator
	s := grammar.NewSeeded(0, 0)
	jsons, changed := 0, 0
	const n = 20_000
	for i := range uint64(n) {
		s.Reset(12, i)
		doc := bytes.Clone(g.Document(s))
		kept := bytes.Clone(doc)
		const limit = 300
		mutant := m.Mutate(s, doc, limit)
		if !bytes.Equal(doc, kept) || len(mutant) > limit {
			t.Fatalf("%q became %q, of %d bytes, the original %q", kept, mutant, len(mutant), doc)
		}
		if json.Valid(mutant) {
			jsons++
		}
		if !bytes.Equal(mutant, doc) {
			changed++
		}
	}
	if jsons < n/5 || changed < n*9/10 {
		t.Errorf("of %d mutants %d are JSON, %d differ", n, jsons, changed)
	}
}

// Outline finds values, names and items in texts and in what is none.
func TestOutline(t *testing.T) {
	src := []byte(` {"a":[1,"x"] , "b" : {}`)
	var got []string
	for _, p := range grammar.Outline(src) {
		got = append(got, string(src[p.NameFrom:p.NameTo])+"|"+string(src[p.From:p.To])+"|"+string(src[p.ItemFrom:p.ItemTo]))
	}
	want := []string{`|{"a":[1,"x"] , "b" : {}|{"a":[1,"x"] , "b" : {}`, `"a"|[1,"x"]|"a":[1,"x"]`, `|1|1`, `|"x"|"x"`, `"b"|{}|"b" : {}`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	run(13, 20_000, func(doc []byte, _ grammar.Set) {
		at := 0
		for _, token := range grammar.Tokens(nil, doc) {
			if token.From != at || token.To <= at {
				t.Fatalf("%q: a gap before offset %d", doc, token.From)
			}
			at = token.To
		}
		if at != len(doc) {
			t.Fatalf("%q: the tokens end at %d", doc, at)
		}
		for i, p := range grammar.Outline(doc) {
			if p.From < p.ItemFrom || p.To > p.ItemTo || p.To > len(doc) || p.Parent >= i {
				t.Fatalf("%q: part %d is %+v", doc, i, p)
			}
		}
	})
}

// Another spelling is the same value, an altered text another one.
func TestRespellAndAlter(t *testing.T) {
	var g, r grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for i := range uint64(30_000) {
		s.Reset(14, i)
		doc := bytes.Clone(g.Document(s))
		other, ok := r.Respell(s, doc)
		if want := valid(doc); ok != want && !g.Features().Has(grammar.DeepNesting) {
			t.Fatalf("Respell(%q) reports %v", doc, ok)
		}
		if !ok {
			continue
		}
		x, errX := decode(doc)
		y, errY := decode(other)
		if (errX == nil) != (errY == nil) || errX == nil && !reflect.DeepEqual(x, y) && !hasDuplicate(doc) && len(doc) < 700 {
			t.Fatalf("%q was spelled %q", doc, other)
		}
		other, _ = r.Alter(s, doc)
		if y, errY = decode(other); errX == nil && errY == nil && reflect.DeepEqual(x, y) && !hasDuplicate(doc) && !bytes.Contains(bytes.ToLower(doc), []byte(`\ud`)) {
			t.Fatalf("%q was altered to %q", doc, other)
		}
	}
}
