package fuzz_test

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tools/fuzz.sh tells of a failure so much that its output alone is enough to
// have it again: the message, without what could steer a terminal, and the
// input's bytes.
func TestFuzzScriptTellsTheInput(t *testing.T) {
	for _, name := range []string{"bash", "git", "go"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("TOUCHSTONE_CI") == "1" {
				t.Fatal(err)
			}
			t.Skipf("there is no %s", name)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"fuzz.sh", "artifact.sh"} {
		text, err := os.ReadFile(filepath.Join("..", "tools", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "tools", name), string(text))
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/bad\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "part", "bad_test.go"), "package part\n\nimport \"testing\"\n\nfunc FuzzBad(f *testing.F) {"+`
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1 {
			t.Fatalf("too long \x1b[31m%d", len(b))
		}
	})
}
`)
	script := exec.Command("bash", "-c", "git init -q . && exec bash tools/fuzz.sh 2000")
	script.Dir = dir
	script.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOMAXPROCS=2")
	out, err := script.CombinedOutput()
	if err == nil || script.ProcessState.ExitCode() != 1 {
		t.Fatalf("the script ended with %v:\n%s", err, out)
	}
	if text := string(out); !strings.Contains(text, "too long ?[31m") || strings.Contains(text, "\x1b") || !strings.Contains(text, "fuzz.sh: failed: part/FuzzBad") {
		t.Errorf("the message is not told, or as it is:\n%s", out)
	}
	found := regexp.MustCompile(`artifact: (\S+), \d+ bytes\nbase64: (\S+)\n`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("no artifact in\n%s", out)
	}
	want, err := os.ReadFile(filepath.Join(dir, string(found[1])))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := base64.StdEncoding.DecodeString(string(found[2])); err != nil || string(got) != string(want) {
		t.Errorf("the bytes are %q, %v, want %q", got, err, want)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
