package jsvalue_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestVectors asks every JavaScript vector. Where the verdict is either, this
// package refuses.
func TestVectors(t *testing.T) {
	asked := 0
	for _, v := range vectors.All() {
		if v.Op != vectors.OpJS || v.Status == vectors.Retired {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			program, err := jsvalue.ParseProgram(v.Input)
			if err != nil {
				t.Fatal(err)
			}
			s, err := jsvalue.Evaluate(context.Background(), program, snapshot.Options{})
			if errors.Is(err, jsvalue.ErrNotServed) {
				if program.Needs == "" || program.Needs == "rawjson" {
					t.Error("not served")
				}
				return
			}
			asked++
			judge(t, v.Expect[reject.RFC0016], s, err)
		})
	}
	if asked < 200 {
		t.Errorf("only %d vectors were asked", asked)
	}
}

func judge(t *testing.T, want vectors.Expectation, s snapshot.Snapshot, err error) {
	t.Helper()
	if want.Verdict == vectors.Accept {
		if err != nil || !want.Right([]byte(s.CanonicalJSON())) {
			t.Errorf("got %q, %v", s.CanonicalJSON(), err)
		}
		return
	}
	var refusal *reject.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("got %q, %v; want a refusal for %v", s.CanonicalJSON(), err, want.Reasons)
	}
	if !slices.Contains(want.Reasons, refusal.Reason) {
		t.Errorf("refused for %v, want %v", refusal.Reason, want.Reasons)
	}
	if refusal.Package != "jsvalue" || refusal.Offset != -1 {
		t.Errorf("the error is not the package's: %+v", refusal)
	}
}
