package main

import (
	"fmt"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"
)

// tool is a program that some part of the work needs.
type tool struct {
	name    string   // as in PATH
	also    []string // other names that will do
	purpose string
	install string
	needed  bool // by make check and make test themselves
}

var tools = []tool{
	{name: "go", purpose: "builds everything", install: "https://go.dev/dl/ (1.26 or later)", needed: true},
	{name: "git", purpose: "the source, and versions in reports", install: "apt-get install git", needed: true},
	{name: "make", purpose: "the targets of the Makefile", install: "apt-get install make", needed: true},
	{name: "node", purpose: "adapters in JavaScript", install: "apt-get install nodejs"},
	{name: "python3", purpose: "adapters in Python", install: "apt-get install python3"},
	{name: "java", purpose: "adapters in Java", install: "apt-get install default-jdk"},
	{name: "rustc", purpose: "adapters in Rust", install: "apt-get install rustc"},
	{name: "cc", also: []string{"gcc", "clang"}, purpose: "adapters in C, the race detector", install: "apt-get install gcc"},
	{name: "clang", purpose: "the libFuzzer shim", install: "apt-get install clang"},
	{name: "ruby", purpose: "adapters in Ruby", install: "apt-get install ruby"},
	{name: "php", purpose: "adapters in PHP", install: "apt-get install php-cli"},
	{name: "jq", purpose: "the jq adapter", install: "apt-get install jq"},
	{name: "xmllint", purpose: "tests of the JUnit report against its schema", install: "apt-get install libxml2-utils"},
	{name: "chromium", also: []string{"chromium-browser", "google-chrome"}, purpose: "tests of the HTML report", install: "apt-get install chromium"},
}

func newDoctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "what is missing on this machine, and how to install it",
		Long: `Lists the programs that parts of Touchstone use. The command itself needs none
of them. The status is 1 if one is missing that make check and make test need.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "touchstone %s, %s %s, %s\n", version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			missing := false
			for _, t := range tools {
				if path := t.find(); path != "" {
					fmt.Fprintf(out, "found    %-9s %s\n", t.name, path)
					continue
				}
				word := "optional"
				if t.needed {
					word, missing = "MISSING", true
				}
				fmt.Fprintf(out, "%-8s %-9s %s: %s\n", word, t.name, t.purpose, t.install)
			}
			if missing {
				return exitWith(exitFindings, nil)
			}
			return nil
		},
	}
}

// find gives where the tool is, "" if it is not there.
func (t tool) find() string {
	for _, name := range append([]string{t.name}, t.also...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
