package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The reader shown in vectors.md runs as it stands. Python's own json module,
// which is no canonicalizer, fails some vectors and passes most.
func TestVectorReaderRuns(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal("python3 is missing")
		}
		t.Skip("python3 is missing: the reader of vectors.md is not run")
	}
	page, err := os.ReadFile("vectors.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("vectors.md shows no reader")
	}
	script := string(block[1]) + `
import json

def naive(text):
    try:
        value = json.loads(text)
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except RecursionError:
        raise ValueError

def refuse(text):
    raise ValueError

print("naive:", check(sys.argv[1], naive))
print("refuse:", check(sys.argv[1], refuse))
`
	file := filepath.Join(t.TempDir(), "check.py")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, file, "../vectors/vectors.tsv").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"appendix-b-1e21 is to accept\n", "duplicate-plain is to reject\n", "order-bmp-above-surrogates is to accept\n", "naive: ", "refuse: "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the reader does not print %q", want)
		}
	}
	for _, never := range []string{"structure-empty-array is to reject", "grammar-empty-text is to"} {
		if strings.Contains(string(out), never) {
			t.Errorf("the reader prints %q", never)
		}
	}
}
