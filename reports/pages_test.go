package reports

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

var pagesFolder = flag.String("pages", "", "folder in which the pages for the tests in a browser are left")

// TestPages renders the pages that are looked at in a browser: hostile strings
// everywhere, many implementations, nothing at all, and what changed. With
// -pages they are left for it.
func TestPages(t *testing.T) {
	before := hostileRun()
	before.Findings = before.Findings[2:]
	before.Findings[0].Outcome, before.Vectors[0].Outcome = result.Hang, result.Crash
	for _, c := range []struct {
		name          string
		run, previous *result.Run
	}{
		{"hostile", hostileRun(), before},
		{"many", manyRun(25, 1), nil},
		{"public", Public(hostileRun()), nil},
		{"empty", &result.Run{Header: result.Header{Format: result.Format}}, nil},
	} {
		var out bytes.Buffer
		if err := HTMLSince(&out, c.run, c.previous); err != nil {
			t.Fatal(err)
		}
		if *pagesFolder == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(*pagesFolder, c.name+".html"), out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
