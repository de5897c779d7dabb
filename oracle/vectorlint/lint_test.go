package vectorlint_test

import (
	"os"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/vectorlint"
)

func peers(p reject.Profile) []vectorlint.Engine {
	var engines []vectorlint.Engine
	for _, one := range peer.All() {
		engines = append(engines, one.Open(peer.Options{Profile: p}))
	}
	return engines
}

func TestSuiteIsClean(t *testing.T) {
	problems, err := vectorlint.Lint(t.Context(), os.DirFS("../../vectors"), peers)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
