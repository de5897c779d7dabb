package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/baseline"
)

// TestManifests: every manifest is valid, every implementation that is checked
// unless it is named has a baseline that can be read, and no baseline is without
// an implementation.
func TestManifests(t *testing.T) {
	const dir = "../../adapters"
	all, err := readManifests(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 25 {
		t.Errorf("only %d implementations", len(all))
	}
	known := map[string]bool{}
	for _, a := range all {
		text, err := os.ReadFile(a.baselinePath())
		if a.Slow && errors.Is(err, fs.ErrNotExist) {
			continue // who names it sees every finding
		}
		if err != nil {
			t.Error(err)
			continue
		}
		known[a.baselinePath()] = true
		if _, err := baseline.Parse(a.baselinePath(), text); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.baseline"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[file] {
			t.Errorf("%s is the baseline of nothing", file)
		}
	}
}

// TestManifestRefused: what a manifest gets wrong is said with its file.
func TestManifestRefused(t *testing.T) {
	const good = `{"id":"a","title":"t","language":"l","layer":"text","lineage":"l","homepage":"h","report":"r","needs":["sh"],"command":["c"]}`
	for text, want := range map[string]string{
		`{"adapters":[` + good + `]}`:              "",
		`{"adapters":[` + good + `,` + good + `]}`: "the id a stands twice",
		`{"colour":1}`:                             "unknown field",
		`{"adapters":[` + strings.Replace(good, `"a"`, `"A b"`, 1) + `]}`:                 `"A b" is no id`,
		`{"adapters":[` + strings.Replace(good, `"text"`, `"both"`, 1) + `]}`:             "layer must be",
		`{"adapters":[` + strings.Replace(good, `["sh"]`, `[]`, 1) + `]}`:                 "needs is missing",
		`{"adapters":[` + strings.Replace(good, `["c"]`, `[]`, 1) + `]}`:                  "command is missing",
		`{"adapters":[` + strings.Replace(good, `{`, `{"mode":"x",`, 1) + `]}`:            "mode must be",
		`{"adapters":[` + strings.Replace(good, `{`, `{"statuses":{"1":"ok"},`, 1) + `]}`: "only reject",
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "f"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "f", "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		all, err := readManifests(dir)
		switch {
		case want == "" && (err != nil || len(all) != 1 || all[0].missing() != ""):
			t.Errorf("%v, %v", all, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if _, err := readManifests(t.TempDir()); err == nil {
		t.Error("a folder without manifests is taken")
	}
}

// TestGraver: the exit statuses' order is the command's own.
func TestGraver(t *testing.T) {
	for _, c := range [][3]int{{0, 4, 4}, {4, 1, 1}, {1, 3, 3}, {3, 64, 64}, {64, 5, 5}, {1, 4, 1}, {0, 0, 0}} {
		if got := graver(c[0], c[1]); got != c[2] {
			t.Errorf("%d and %d give %d", c[0], c[1], got)
		}
	}
}
