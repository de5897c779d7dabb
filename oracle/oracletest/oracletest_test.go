package oracletest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// fake is a testing.T that remembers what it was told.
type fake struct {
	testing.TB
	errors, logs []string
}

func (*fake) Helper() {}
func (f *fake) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}
func (f *fake) Logf(format string, args ...any) {
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

// small keeps these tests quick.
var small = Options{Cases: 300, Relations: 40}

// TestFaultlessPasses: our fast path and a function that is slower and right
// fail nothing.
func TestFaultlessPasses(t *testing.T) {
	small.Run(t, canon.Canonicalize)
	var f fake
	small.Run(&f, reference.Canonicalize)
	if len(f.errors) > 0 {
		t.Errorf("the reference fails: %s", f.errors[0])
	}
	if len(f.logs) == 0 || !strings.Contains(f.logs[len(f.logs)-1], "300 generated documents, seed 1") {
		t.Errorf("it does not say what was asked: %q", f.logs)
	}
}

// faults are canonicalizers with one fault each, and what an error must say.
var faults = []struct {
	name string
	make func() func([]byte) ([]byte, error)
	says []string
}{
	{"a line feed behind", behind(func(out []byte) []byte { return append(out, '\n') }),
		[]string{"split, diverged, rfc8785/3.2.1/no-white-space", `input    "0"`, `right    "0"`, `given    "0\n"`}},
	{"true is false", behind(func(out []byte) []byte { return bytes.ReplaceAll(out, []byte("true"), []byte("false")) }),
		[]string{"collision, diverged, rfc8785/3.2.2.1/literals", `input    "true"`, `same as  "false"`}},
	{"a comment read", before(func(in []byte) []byte { return bytes.ReplaceAll(in, []byte("/**/"), nil) }),
		[]string{"accepted, rfc8259/2/white-space", "right    refuse (syntax) at offset"}},
	{"panics", before(func(in []byte) []byte {
		if bytes.Contains(in, []byte(`\u`)) {
			panic("escapes")
		}
		return in
	}), []string{"denial-of-service, crash, ", "given    a panic", `message  "panic: escapes"`, "stack"}},
	{"refuses scalars", before(func(in []byte) []byte {
		if in = bytes.TrimLeft(in, " \t\r\n"); len(in) > 0 && in[0] != '{' && in[0] != '[' {
			return nil
		}
		return in
	}), []string{"refusal, refused, rfc8259/2/one-value", "given    refused"}},
	{"forgets", func() func([]byte) ([]byte, error) {
		asked := 0
		return func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if asked++; err == nil && asked > 3000 && asked%50 == 0 {
				out = []byte("0")
			}
			return out, err
		}
	}, []string{"the relation repeated"}},
}

func behind(change func([]byte) []byte) func() func([]byte) ([]byte, error) {
	return func() func([]byte) ([]byte, error) {
		return func(in []byte) ([]byte, error) {
			out, err := reference.Canonicalize(in)
			if err == nil {
				out = change(out)
			}
			return out, err
		}
	}
}

func before(change func([]byte) []byte) func() func([]byte) ([]byte, error) {
	return func() func([]byte) ([]byte, error) {
		return func(in []byte) ([]byte, error) { return reference.Canonicalize(change(in)) }
	}
}

// TestPlantedFaultsFail: each fault fails the test with an error that shows it.
func TestPlantedFaultsFail(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			var f fake
			small.Run(&f, c.make())
			if !slices.ContainsFunc(f.errors, func(e string) bool {
				return !slices.ContainsFunc(c.says, func(part string) bool { return !strings.Contains(e, part) })
			}) {
				t.Errorf("no error says all of %q:\n%s", c.says, strings.Join(f.errors, "\n"))
			}
		})
	}
}

// TestHang: a call that does not come back is a finding, and the rest is asked
// all the same.
func TestHang(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	var f fake
	Options{Cases: -1, Limit: 100 * time.Millisecond}.Run(&f, func(in []byte) ([]byte, error) {
		if string(in) == "1e400" {
			<-release
		}
		return reference.Canonicalize(in)
	})
	s := &subject{canonicalize: func([]byte) ([]byte, error) { <-release; return nil, nil }, limit: time.Millisecond}
	if a := s.ask(nil); a.Kind != "hang" {
		t.Errorf("a hang is %q", a.Kind)
	}
	s.canonicalize = reference.Canonicalize
	s.limit = time.Hour
	if a := s.ask([]byte("1.0")); string(a.Bytes) != "1" {
		t.Errorf("after a hang %q", a.Bytes)
	}
	if !slices.ContainsFunc(f.errors, func(e string) bool { return strings.Contains(e, "denial-of-service, hang, ") }) {
		t.Errorf("the hang is not found: %q", f.errors)
	}
}

// TestBaseline: what is known is no error; what is known and gone is one, and
// so is a baseline that cannot be read.
func TestBaseline(t *testing.T) {
	one, ok := vectors.Lookup("number-plus")
	if !ok {
		t.Fatal("the vector is gone")
	}
	plus := func(in []byte) ([]byte, error) {
		if bytes.Equal(in, one.Input) {
			in = bytes.ReplaceAll(in, []byte("+"), nil)
		}
		return reference.Canonicalize(in)
	}
	var f fake
	Options{Cases: -1}.Run(&f, plus)
	if len(f.errors) != 1 {
		t.Fatalf("the fault is found %d times", len(f.errors))
	}
	known := []byte("vector number-plus accepted | a plus sign is read | unreported\n")
	var g fake
	Options{Cases: -1, Baseline: known}.Run(&g, plus)
	if len(g.errors) != 0 || !slices.ContainsFunc(g.logs, func(l string) bool { return strings.HasPrefix(l, "known: ") }) {
		t.Errorf("with the baseline %q; logs %q", g.errors, g.logs)
	}
	var stale fake
	Options{Cases: -1, Baseline: known}.Run(&stale, reference.Canonicalize)
	if len(stale.errors) != 1 || !strings.Contains(stale.errors[0], "baseline, line 1") {
		t.Errorf("stale entries: %q", stale.errors)
	}
	var faulty fake
	Options{Baseline: []byte("nonsense\n")}.Run(&faulty, reference.Canonicalize)
	if len(faulty.errors) != 1 || !strings.Contains(faulty.errors[0], "oracletest: baseline") {
		t.Errorf("a faulty baseline: %q", faulty.errors)
	}
}

// TestReasons: whoever says that its reasons are of the list is held to them.
func TestReasons(t *testing.T) {
	wrong := func(in []byte) ([]byte, error) {
		out, err := reference.Canonicalize(in)
		if err != nil {
			err = fmt.Errorf("no: %w", reject.DuplicateName)
		}
		return out, err
	}
	var silent, speaking fake
	Options{Cases: -1}.Run(&silent, wrong)
	Options{Cases: -1, Reasons: true}.Run(&speaking, wrong)
	if len(silent.errors) != 0 || len(speaking.errors) == 0 {
		t.Errorf("%d errors where reasons are not judged, %d where they are", len(silent.errors), len(speaking.errors))
	}
}

// TestProfile: the strict domain refuses what RFC 8785 leaves open.
func TestProfile(t *testing.T) {
	var f fake
	Options{Cases: -1, Profile: reject.RFC0016}.Run(&f, canon.Canonicalize)
	if !slices.ContainsFunc(f.errors, func(e string) bool { return strings.Contains(e, "negative-zero") }) {
		t.Errorf("-0 is not found: %q", f.errors)
	}
}

// TestInputIsACopy: what the function does to its document stays its own.
func TestInputIsACopy(t *testing.T) {
	var f fake
	small.Run(&f, func(in []byte) ([]byte, error) {
		out, err := reference.Canonicalize(in)
		clear(in)
		return out, err
	})
	if len(f.errors) > 0 {
		t.Errorf("accused: %s", f.errors[0])
	}
}
