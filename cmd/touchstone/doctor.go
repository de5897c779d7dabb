package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// tool is a program, or a file that a package brings, which some part of the
// work needs.
type tool struct {
	name    string   // as in PATH, or of the package
	also    []string // other names that will do
	files   string   // for what is no program: a pattern that must match
	purpose string
	debian  string // the package
	needed  bool   // by make check and make test themselves
}

var tools = []tool{
	{name: "go", purpose: "builds everything (1.26 or later, from https://go.dev/dl/)", needed: true},
	{name: "git", purpose: "the source, and versions in reports", debian: "git", needed: true},
	{name: "make", purpose: "the targets of the Makefile", debian: "make", needed: true},
	{name: "node", purpose: "adapters in JavaScript", debian: "nodejs"},
	{name: "npm", purpose: "packages of adapters in JavaScript", debian: "npm"},
	{name: "python3", purpose: "adapters in Python, the vectors' second reader", debian: "python3"},
	{name: "canonicaljson", files: "/usr/lib/python3/dist-packages/canonicaljson.py", purpose: "an adapter in Python", debian: "python3-canonicaljson"},
	{name: "java", purpose: "adapters in Java", debian: "default-jdk-headless"},
	{name: "javac", purpose: "adapters in Java", debian: "default-jdk-headless"},
	{name: "jackson", files: "/usr/share/java/jackson-databind.jar", purpose: "an adapter in Java", debian: "libjackson2-databind-java"},
	{name: "gson", files: "/usr/share/java/gson.jar", purpose: "an adapter in Java", debian: "libgoogle-gson-java"},
	{name: "rustc", purpose: "adapters in Rust", debian: "rustc"},
	{name: "cargo", purpose: "adapters in Rust", debian: "cargo"},
	{name: "serde_json", files: "/usr/share/cargo/registry/serde_json-*", purpose: "an adapter in Rust", debian: "librust-serde-json-dev"},
	{name: "cc", also: []string{"gcc", "clang"}, purpose: "adapters in C, the race detector", debian: "gcc"},
	{name: "ruby", purpose: "adapters in Ruby", debian: "ruby"},
	{name: "php", purpose: "adapters in PHP", debian: "php-cli"},
	{name: "perl", purpose: "adapters in Perl", debian: "perl"},
	{name: "jq", purpose: "the jq adapter", debian: "jq"},
	{name: "xxd", purpose: "adapters in shell", debian: "xxd"},
	{name: "clang-19", also: []string{"clang"}, purpose: "make fuzz-libfuzzer", debian: "clang-19"},
	{name: "libfuzzer", files: "/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a", purpose: "make fuzz-libfuzzer", debian: "libclang-rt-19-dev"},
	{name: "valgrind", purpose: "make instructions", debian: "valgrind"},
	{name: "strace", purpose: "tests that crash between two writes", debian: "strace"},
	{name: "qemu-aarch64", also: []string{"qemu-aarch64-static"}, purpose: "tests of other processors", debian: "qemu-user"},
	{name: "xmllint", purpose: "tests of the JUnit report against its schema", debian: "libxml2-utils"},
	{name: "prove", purpose: "tests of the TAP report", debian: "perl"},
	{name: "chromium", also: []string{"chromium-browser", "google-chrome"}, purpose: "tests of the HTML report", debian: "chromium"},
	{name: "man", also: []string{"mandoc"}, purpose: "reads the manual pages", debian: "man-db"},
}

func newDoctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "say what is missing on this machine, and how to install it",
		Long: `Lists the programs that parts of Touchstone use, and says at the end how to
install those that are missing. The command itself needs none of them. The
status is 1 if one is missing that make check and make test need.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			width := columns(out)
			fmt.Fprintf(out, "touchstone %s, %s %s, %s\n", version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			missing := false
			var packages []string
			for _, t := range tools {
				if path := t.find(); path != "" {
					fmt.Fprintf(out, "found    %-12s %s\n", t.name, path)
					continue
				}
				word := "optional"
				if t.needed {
					word, missing = "MISSING", true
				}
				fmt.Fprintf(out, "%-8s %-12s %s\n", word, t.name, fold(t.purpose, strings.Repeat(" ", 22), width))
				if t.debian != "" && !slices.Contains(packages, t.debian) {
					packages = append(packages, t.debian)
				}
			}
			if len(packages) > 0 {
				fmt.Fprintf(out, "\nto install what is missing, on Debian and Ubuntu:\n  apt-get install %s\n", breakable(packages, width))
			}
			if missing {
				return exitWith(exitFindings, nil)
			}
			return nil
		},
	}
}

// breakable joins words into lines that a shell reads as one.
func breakable(words []string, width int) string {
	lines := strings.Split(fold(strings.Join(words, " "), "", width-22), "\n")
	return strings.Join(lines, " \\\n    ")
}

// find gives where the tool is, "" if it is not there.
func (t tool) find() string {
	if t.files != "" {
		if found, err := filepath.Glob(t.files); err == nil && len(found) > 0 {
			return found[0]
		}
		return ""
	}
	for _, name := range append([]string{t.name}, t.also...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
