package main

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/numbers"
)

// command runs a command line without input.
func runCommand(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = run(context.Background(), args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

func TestNumbersChecksTheDigests(t *testing.T) {
	for _, engine := range numberEngines {
		status, out, errOut := runCommand("numbers", "--engine", engine.name, "--lines", "1000")
		if status != 0 || errOut != "" || strings.Count(out, "as published") != 1 {
			t.Errorf("%s: status %d, %q, %q", engine.name, status, out, errOut)
		}
	}
}

func TestNumbersBetweenCheckpointsSaysSo(t *testing.T) {
	status, out, _ := runCommand("numbers", "--lines", "1500")
	if status != 0 || strings.Count(out, "as published") != 1 || !strings.Contains(out, "1500 lines") || !strings.Contains(out, "no digest is published") {
		t.Errorf("status %d, %q", status, out)
	}
}

func TestNumbersWritesLines(t *testing.T) {
	status, out, errOut := runCommand("numbers", "--lines", "3", "--write")
	if status != 0 || out != "0,0\n8000000000000000,0\n1,5e-324\n" || !strings.Contains(errOut, "3 lines") {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
}

func TestNumbersAgainst(t *testing.T) {
	status, out, errOut := runCommand("numbers", "--engine", "reference", "--against", "canon", "--lines", "1000")
	if status != 0 || errOut != "" {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
}

func TestNumbersShowsWhatIsWrong(t *testing.T) {
	report := numbers.Report{
		Checks:     []numbers.Check{{Published: numbers.Published()[0], Bytes: 7, SHA256: "00"}},
		Difference: &numbers.Difference{Line: 5, Bits: math.Float64bits(1), Got: "\x1b1", Want: "1"},
	}
	var out bytes.Buffer
	writeNumbers(&out, "mine", report)
	for _, want := range []string{"WRONG, published are 37967 bytes", "line 5, bits 0x3ff0000000000000", `got "\x1b1"`, `writes "1"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
	if report.Right() {
		t.Error("right")
	}
}

func TestNumbersRefusesBadUse(t *testing.T) {
	for _, args := range []string{"--engine nobody", "--against nobody", "--lines 0", "--lines -5", "--lines x", "--workers -1", "file", "--nothing"} {
		status, out, errOut := runCommand(append([]string{"numbers"}, strings.Fields(args)...)...)
		if status != exitUsage || out != "" || !strings.HasPrefix(errOut, "touchstone: ") {
			t.Errorf("numbers %s: status %d, %q, %q", args, status, out, errOut)
		}
	}
}

func TestNumbersEndsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errOut bytes.Buffer
	status := run(ctx, []string{"numbers", "--lines", "1000000000"}, strings.NewReader(""), &out, &errOut)
	if status != exitInterrupted {
		t.Errorf("status %d, %q", status, errOut.String())
	}
}
