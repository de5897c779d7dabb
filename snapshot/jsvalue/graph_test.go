package jsvalue_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestGraphVectors asks every graph vector of the judge, of the Go value that
// the graph builds, and of its JavaScript value.
func TestGraphVectors(t *testing.T) {
	asked, inGo := 0, 0
	for _, v := range vectors.All() {
		if v.Op != vectors.OpGraph || v.Status == vectors.Retired {
			continue
		}
		asked++
		t.Run(v.ID, func(t *testing.T) {
			g, err := reference.Parse(v.Input)
			if err != nil {
				t.Fatal(err)
			}
			want := v.Expect[reject.RFC0016]
			t.Run("judge", func(t *testing.T) { judgedAs(t, want, reference.Judge(g)) })
			t.Run("javascript", func(t *testing.T) {
				vm := goja.New()
				value, err := jsvalue.Build(vm, g)
				if err != nil {
					t.Fatal(err)
				}
				s, err := jsvalue.Of(vm, value, snapshot.Options{})
				judge(t, want, s, err)
				if err == nil {
					proposed(t, v, s)
				}
			})
			value, err := reference.ToGo(g)
			if errors.Is(err, reference.ErrInexpressible) {
				return
			}
			inGo++
			s, err := snapshot.Of(value)
			if want.Verdict == vectors.Accept {
				if err != nil || !want.Right([]byte(s.CanonicalJSON())) {
					t.Errorf("in Go: %q, %v", s.CanonicalJSON(), err)
				}
				return
			}
			var refusal *reject.Error
			if !errors.As(err, &refusal) || !slices.Contains(want.Reasons, refusal.Reason) {
				t.Errorf("in Go: %q, %v; want %v", s.CanonicalJSON(), err, want.Reasons)
			}
		})
	}
	if asked < 100 || inGo < 40 {
		t.Errorf("only %d graphs were asked, %d of them in Go", asked, inGo)
	}
}

// A symbol is no name: one that is described like an element or like the length
// is a property beside them.
func TestSymbolsAreNoNames(t *testing.T) {
	vm := goja.New()
	v, err := vm.RunString(`let a = ["x"]; a[Symbol("0")] = 1; a[Symbol("length")] = 2; a`)
	if err != nil {
		t.Fatal(err)
	}
	g, err := jsvalue.ToGraph(vm, v)
	if err != nil {
		t.Fatal(err)
	}
	n := g.Nodes[g.Root]
	if len(n.Elements) != 1 || len(n.Extra) != 2 || n.Extra[0].Flag != reference.Symbol || n.Extra[1].Flag != reference.Symbol {
		t.Errorf("%+v", n)
	}
}

func judgedAs(t *testing.T, want vectors.Expectation, got *reference.Judgement) {
	t.Helper()
	kind := vectors.Either
	if got.Rejects() {
		kind = vectors.Reject
	} else if got.Accepts() {
		kind = vectors.Accept
	}
	if kind != want.Verdict || !bytes.Equal(got.Canonical, want.Output) {
		t.Errorf("the judge says %s, %q; want %s, %q", kind, got.Canonical, want.Verdict, want.Output)
	}
	for _, r := range got.Reasons() {
		if !slices.Contains(want.Reasons, r) && r != reject.InvalidUTF8 {
			t.Errorf("the judge gives the reason %v, want %v", r, want.Reasons)
		}
	}
}
