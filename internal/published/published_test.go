// Package published holds implementations against what others have published
// about RFC 8785: the test files of two projects, read where the module cache
// has them, and the digests of the number sequence. It has tests only.
package published

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cyberphone "github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"
	"github.com/gowebpki/jcs"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/numbers"
)

// engines run every file; the last two are those whose authors published them,
// so that a mistake of the test itself would show.
var engines = []struct {
	name         string
	canonicalize func([]byte) ([]byte, error)
	refuses      string // files that it wrongly refuses
}{
	{"canon", canon.Canonicalize, ""},
	{"reference", reference.Canonicalize, ""},
	{"cyberphone", cyberphone.Transform, "false null simpleString true"}, // scalars at the top
	{"gowebpki", jcs.Transform, ""},
}

// sets are the file sets, each with the files that it must hold.
var sets = []struct {
	module string
	files  string
	hexes  string // left out of outhex by its authors: nothing to compare
}{
	{"github.com/cyberphone/json-canonicalization", "arrays french structures unicode values weird", ""},
	{"github.com/gowebpki/jcs", "arrays false french null simpleString structures true unicode values weird", "simpleString"},
}

// moduleFolder asks the go command where a required module's files are.
func moduleFolder(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list -m %s: %v: %s", module, err, exit.Stderr)
		}
		t.Fatalf("go list -m %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, elements ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inputs lists the names of a set's input files, without their extension.
func inputs(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "input", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".json"))
	}
	return names
}

func TestPublishedFiles(t *testing.T) {
	for _, set := range sets {
		folder := filepath.Join(moduleFolder(t, set.module), "testdata")
		names := inputs(t, folder)
		if want := strings.Fields(set.files); !slices.Equal(names, want) {
			t.Fatalf("%s holds %q, expected %q", folder, names, want)
		}
		for _, name := range names {
			input := read(t, folder, "input", name+".json")
			output := read(t, folder, "output", name+".json")
			for _, engine := range engines {
				t.Run(filepath.Base(set.module)+"/"+name+"/"+engine.name, func(t *testing.T) {
					got, err := engine.canonicalize(bytes.Clone(input))
					if slices.Contains(strings.Fields(engine.refuses), name) {
						if err == nil {
							t.Error("accepted: take it from the exceptions")
						}
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, output) {
						t.Errorf("got  %q\nwant %q", got, output)
					}
					if slices.Contains(strings.Fields(set.hexes), name) {
						return
					}
					text := strings.Join(strings.Fields(string(read(t, folder, "outhex", name+".txt"))), "")
					want, err := hex.DecodeString(text)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("outhex: got  %q\nwant %q", got, want)
					}
				})
			}
		}
	}
}

func TestPublishedNumberDigests(t *testing.T) {
	const lines = 1_000_000
	for _, writer := range []struct {
		name   string
		format numbers.Format
	}{
		{"canon", func(dst []byte, bits uint64) ([]byte, error) {
			return canon.AppendNumber(dst, math.Float64frombits(bits))
		}},
		{"reference", func(dst []byte, bits uint64) ([]byte, error) {
			text, ok := reference.NumberToString(bits)
			if !ok {
				return dst, errors.New("refused")
			}
			return append(dst, text...), nil
		}},
	} {
		t.Run(writer.name, func(t *testing.T) {
			r, err := numbers.Job{Format: writer.format, Lines: lines}.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if !r.Right() || r.Lines != lines || len(r.Checks) != 4 {
				t.Errorf("%+v", r)
			}
		})
	}
}
