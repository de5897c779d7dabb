package fuzz_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/touchstone-oracle/touchstone/fuzz"
)

// TestMerge is the working half of "touchstone corpus merge": built with
// coverage, it keeps those files of one folder that cover something new.
func TestMerge(t *testing.T) {
	name, from, into := os.Getenv("TOUCHSTONE_MERGE_TARGET"), os.Getenv("TOUCHSTONE_MERGE_FROM"), os.Getenv("TOUCHSTONE_MERGE_INTO")
	if name == "" {
		t.Skip("run by: touchstone corpus merge")
	}
	if testing.CoverMode() == "" {
		t.Fatal("built without coverage")
	}
	target, err := fuzz.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := fuzz.Seeds(name)
	if err != nil {
		t.Fatal(err)
	}
	check := target.Checker()
	for _, seed := range seeds {
		if err := check(seed); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		before := testing.Coverage()
		if err := check(text); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		if testing.Coverage() <= before {
			continue
		}
		kept++
		if err := os.MkdirAll(into, 0o755); err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256(text)
		if err := os.WriteFile(filepath.Join(into, hex.EncodeToString(digest[:8])), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("merged: %d of %d inputs cover something new", kept, len(files))
}
