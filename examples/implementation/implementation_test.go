package implementation

import (
	"bytes"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func TestVectors(t *testing.T) {
	judged := 0
	for _, v := range vectors.All() {
		expect, ok := v.Expect[reject.RFC8785]
		if v.Op != vectors.OpCanon || v.Status != vectors.Stable || !ok {
			continue
		}
		judged++
		out, err := Canonicalize(bytes.Clone(v.Input))
		switch {
		case err != nil && expect.Verdict == vectors.Accept:
			t.Errorf("%s (%s): refused: %v", v.ID, v.Title, err)
		case err == nil && !expect.Right(out):
			t.Errorf("%s (%s): gave %q, the verdict is %s %q", v.ID, v.Title, out, expect.Verdict, expect.Output)
		}
	}
	if judged == 0 {
		t.Fatal("no vector was judged")
	}
}
