package jsvalue_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
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
			if err == nil {
				proposed(t, v, s)
			}
		})
	}
	if asked < 200 {
		t.Errorf("only %d vectors were asked", asked)
	}
}

// proposed holds the digest and the proposal hash of an accepted vector.
func proposed(t *testing.T, v vectors.Vector, s snapshot.Snapshot) {
	t.Helper()
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(s.CanonicalJSON()))); got != v.Digest {
		t.Errorf("digest %s, want %s", got, v.Digest)
	}
	hash, err := snapshot.ProposalHash("Support Agent", "search_docs", s)
	if slow := reference.ProposalHash("Support Agent", "search_docs", s.CanonicalJSON()); err != nil || hash != v.Proposal || slow != v.Proposal {
		t.Errorf("proposal hash %s, by the judge %s, want %s (%v)", hash, slow, v.Proposal, err)
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

// TestTheJudgeAgrees maps the value of every JavaScript vector to a graph and
// asks the judge.
func TestTheJudgeAgrees(t *testing.T) {
	for _, v := range vectors.All() {
		if v.Op != vectors.OpJS || v.Status == vectors.Retired {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			program, err := jsvalue.ParseProgram(v.Input)
			if err != nil {
				t.Fatal(err)
			}
			err = jsvalue.Run(context.Background(), program, func(vm *goja.Runtime, value goja.Value) {
				g, err := jsvalue.ToGraph(vm, value)
				if err != nil {
					t.Fatal(err)
				}
				want := v.Expect[reject.RFC0016]
				got := reference.Judge(g)
				switch {
				case got.Rejects():
					if want.Verdict == vectors.Accept {
						t.Errorf("the judge refuses for %v", got.Reasons())
					}
				case want.Verdict == vectors.Reject || !want.Right(got.Canonical):
					t.Errorf("the judge gives %q", got.Canonical)
				case got.Accepts() && want.Verdict != vectors.Accept:
					t.Error("the judge has no doubt")
				}
				for _, r := range got.Reasons() {
					if !slices.Contains(want.Reasons, r) {
						t.Errorf("the judge's reason %v is none of %v", r, want.Reasons)
					}
				}
			})
			if err != nil && !errors.Is(err, jsvalue.ErrNotServed) {
				t.Fatal(err)
			}
		})
	}
}
