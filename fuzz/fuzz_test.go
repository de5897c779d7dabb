package fuzz_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/law"
)

// drive runs the target that has the fuzz function's name.
func drive(f *testing.F) {
	target, err := fuzz.Lookup(f.Name())
	if err != nil {
		f.Fatal(err)
	}
	seeds, err := fuzz.Seeds(target.Name)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	check := target.Checker()
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := check(input); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzReference(f *testing.F)    { drive(f) }
func FuzzFixedPoint(f *testing.F)   { drive(f) }
func FuzzLexical(f *testing.F)      { drive(f) }
func FuzzMeaning(f *testing.F)      { drive(f) }
func FuzzSpelling(f *testing.F)     { drive(f) }
func FuzzDifferent(f *testing.F)    { drive(f) }
func FuzzNesting(f *testing.F)      { drive(f) }
func FuzzRepeated(f *testing.F)     { drive(f) }
func FuzzNumber(f *testing.F)       { drive(f) }
func FuzzString(f *testing.F)       { drive(f) }
func FuzzErrorPlace(f *testing.F)   { drive(f) }
func FuzzErrorPayload(f *testing.F) { drive(f) }
func FuzzAppend(f *testing.F)       { drive(f) }
func FuzzLimits(f *testing.F)       { drive(f) }
func FuzzNegativeZero(f *testing.F) { drive(f) }
func FuzzDomain(f *testing.F)       { drive(f) }
func FuzzViews(f *testing.F)        { drive(f) }

// The table and the fuzz functions are the same targets, no name is a prefix of
// another, and together they check every law that is not heavy.
func TestTargets(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fuzz_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var functions []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Fuzz") {
			functions = append(functions, f.Name.Name)
		}
	}
	var names []string
	checked := map[string]bool{}
	for _, target := range fuzz.Targets() {
		names = append(names, target.Name)
		for _, l := range target.Laws {
			checked[l] = true
		}
	}
	if !slices.Equal(names, functions) {
		t.Errorf("the table has %v, the functions are %v", names, functions)
	}
	for _, a := range names {
		for _, b := range names {
			if a != b && strings.HasPrefix(b, a) {
				t.Errorf("%s is a prefix of %s", a, b)
			}
		}
	}
	for _, l := range law.All() {
		if checked[l.Name] == l.Heavy {
			t.Errorf("law %s: heavy %v, fuzzed %v", l.Name, l.Heavy, checked[l.Name])
		}
	}
}

// Seeds come from the vectors and from the corpus.
func TestSeeds(t *testing.T) {
	seeds, err := fuzz.Seeds("FuzzReference")
	if err != nil || len(seeds) < 500 {
		t.Errorf("%d seeds, %v", len(seeds), err)
	}
}

// An unknown target is an error.
func TestLookup(t *testing.T) {
	if _, err := fuzz.Lookup("Fuzz"); err == nil {
		t.Error("a target without a name is found")
	}
}
