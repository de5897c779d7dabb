// Package planted has the kill table of package toolcall: its tests run on a
// copy of the package that holds one planted fault, and the named ones must fail.
package planted

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// build compiles the tests of package toolcall on a copy that holds every fault,
// and gives the program. The copy is made anew from the sources, so it cannot
// grow old: an edit that does not apply exactly once is fatal.
func build(t *testing.T) string {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal("the go command is missing")
		}
		t.Skip("the go command is missing")
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	apply := func(name string, e edit) {
		if texts[e.file] == "" {
			text, err := os.ReadFile(filepath.Join(source, e.file))
			if err != nil {
				t.Fatal(err)
			}
			texts[e.file] = string(text)
		}
		if n := strings.Count(texts[e.file], e.old); n != 1 {
			t.Fatalf("%s: in %s this stands %d times:\n%s", name, e.file, n, e.old)
		}
		texts[e.file] = strings.Replace(texts[e.file], e.old, e.new, 1)
	}
	for _, e := range always {
		apply("support", e)
	}
	for _, f := range faults {
		for _, e := range f.edits {
			apply(f.name, e)
		}
	}
	texts["planted_support.go"] = support

	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range texts {
		changed := filepath.Join(folder, file)
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(source, file)] = changed
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "planted.test")
	if err := os.WriteFile(overlayFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(goTool, "test", "-c", "-vet=off", "-overlay", overlayFile, "-o", program, ".")
	c.Dir = source
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// run gives the tests that fail with a fault, of those that the pattern names.
func run(t *testing.T, program, fault, pattern string) []string {
	t.Helper()
	c := exec.Command(program, "-test.timeout=30s", "-test.run="+pattern)
	c.Env = append(os.Environ(), "TOUCHSTONE_PLANTED="+fault)
	c.Dir = ".."
	out, err := c.CombinedOutput()
	var names []string
	for _, match := range failed.FindAllStringSubmatch(string(out), -1) {
		names = append(names, match[1])
	}
	if (err != nil) != (len(names) > 0) || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%q: %v, and these fail: %v\n%s", fault, err, names, out[max(0, len(out)-3000):])
	}
	return names
}

func TestKillTable(t *testing.T) {
	if len(faults) < 21 {
		t.Fatalf("%d faults", len(faults))
	}
	program := build(t)
	if names := run(t, program, "", "."); len(names) > 0 {
		t.Fatalf("without a fault these fail: %v", names)
	}
	seen := map[string]bool{"": true}
	for _, f := range faults {
		if seen[f.name] || f.what == "" || f.killers == "" {
			t.Errorf("%q: a name twice, or something is missing", f.name)
		}
		seen[f.name] = true
		t.Run(f.name, func(t *testing.T) {
			// Each alone: a test that the fault makes panic would end the others too.
			for killer := range strings.FieldsSeq(f.killers) {
				test, _, _ := strings.Cut(killer, "/")
				if names := run(t, program, f.name, "^"+test+"$"); !slices.Contains(names, killer) {
					t.Errorf("%s: %s passes; these fail: %v", f.what, killer, names)
				}
			}
		})
	}
}

// Every test of a row or an invariant is shown to fail by some fault.
func TestEveryRowAndInvariantHasAFault(t *testing.T) {
	killers := map[string]bool{}
	for _, f := range faults {
		for killer := range strings.FieldsSeq(f.killers) {
			test, _, _ := strings.Cut(killer, "/")
			killers[test] = true
		}
	}
	names := regexp.MustCompile(`func (Test(?:Matrix|Invariant)\w+)\(`)
	found := 0
	for _, file := range []string{"../matrix_test.go", "../invariant_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range names.FindAllStringSubmatch(string(text), -1) {
			if found++; !killers[match[1]] {
				t.Errorf("no fault is listed that %s finds", match[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d tests", found)
	}
}
