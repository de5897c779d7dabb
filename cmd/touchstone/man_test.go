package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A manual page has the sections that readers look for, each flag and each verb
// below, and no line that roff would take for an instruction by accident.
func TestManualPages(t *testing.T) {
	instruction := regexp.MustCompile(`^\.(TH "[A-Z-]+" 1 "" "touchstone [^"]*" "Touchstone"|SH [A-Z ]+|TP|PP|br|nf|fi)$`)
	everyCommand(func(cmd *cobra.Command) {
		text := string(manualPage(cmd))
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS"} {
			if strings.Count(text, ".SH "+section+"\n") != 1 {
				t.Errorf("%s: the section %s does not stand there once", cmd.CommandPath(), section)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(text, bold("--"+f.Name)) {
				t.Errorf("%s: --%s is missing", cmd.CommandPath(), f.Name)
			}
		})
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() && !strings.Contains(text, roff(pageName(below))+"(1)") {
				t.Errorf("%s does not refer to %s", cmd.CommandPath(), below.Name())
			}
		}
		for line := range strings.SplitSeq(text, "\n") {
			if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !instruction.MatchString(line) {
				t.Errorf("%s: roff would read %q", cmd.CommandPath(), line)
			}
		}
	})
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"plain":          "plain",
		`\u0000`:         `\eu0000`,
		".SH fake":       `\&.SH fake`,
		"a\n.b\n'c":      "a\n\\&.b\n\\(aqc",
		"--flag":         `\-\-flag`,
		"'a' `b` ^ ~ \"": "\\(aqa\\(aq \\`b\\` \\(ha \\(ti \\(dq",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}

// What formats manual pages has no complaint about any.
func TestManualPagesAreRoff(t *testing.T) {
	dir := t.TempDir()
	if err := writeManual(new(bytes.Buffer), newRootCommand(), dir); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	formatters := [][]string{{"mandoc", "-Wwarning", "-Tlint"}, {"groff", "-man", "-ww", "-z"}, {"man", "--warnings", "-Tutf8", "-l"}}
	for _, f := range formatters {
		if _, err := exec.LookPath(f[0]); err != nil {
			continue
		}
		for _, page := range pages {
			cmd := exec.Command(f[0], append(f[1:len(f):len(f)], page)...)
			cmd.Env = append(os.Environ(), "MANROFFSEQ=", "LC_ALL=C.UTF-8", "MANPAGER=cat", "MANWIDTH=80")
			var complaints bytes.Buffer
			cmd.Stderr = &complaints
			if f[0] == "mandoc" {
				cmd.Stdout = &complaints
			}
			err := cmd.Run()
			if err != nil || complaints.Len() > 0 {
				t.Errorf("%s of %s: %v\n%s", f[0], filepath.Base(page), err, complaints.String())
			}
		}
		return
	}
	t.Skip("there is no mandoc, groff or man")
}
