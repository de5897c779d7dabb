package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// everyCommand calls do for each command that help lists.
func everyCommand(do func(cmd *cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		do(cmd)
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() {
				walk(below)
			}
		}
	}
	walk(newRootCommand())
}

// No line of help is longer than 80 columns; in a narrow terminal only examples
// are longer than it, which must stay lines to be copied.
func TestHelpFits(t *testing.T) {
	for _, width := range []string{"80", "40"} {
		t.Setenv("COLUMNS", width)
		most := map[string]int{"80": 80, "40": 40}[width]
		everyCommand(func(cmd *cobra.Command) {
			var b bytes.Buffer
			writeHelp(&b, cmd)
			examples := false
			for line := range strings.SplitSeq(b.String(), "\n") {
				if !strings.HasPrefix(line, " ") {
					examples = line == "Examples:"
				}
				words := len(strings.Fields(line))
				if n := utf8.RuneCountInString(line); n > most && words > 1 && (most == 80 || !examples) {
					t.Errorf("%s --help, at %d columns, has %d: %s", cmd.CommandPath(), most, n, line)
				}
			}
		})
	}
}

// Each verb says in its help what it does, and each flag what it is for.
func TestHelpTeaches(t *testing.T) {
	everyCommand(func(cmd *cobra.Command) {
		if cmd.Short == "" {
			t.Errorf("%s has no short text", cmd.CommandPath())
		}
		if strings.Contains(cmd.CommandPath(), " completion ") {
			return // cobra's own
		}
		if first := cmd.Short[:1]; cmd.HasParent() && cmd.Name() != "completion" && first != strings.ToLower(first) {
			t.Errorf("%s: %q begins with a capital", cmd.CommandPath(), cmd.Short)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(cmd.Example, "\n"), "\n") {
			if line != "" && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: the example %q is not set in", cmd.CommandPath(), line)
			}
		}
	})
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		text, indent string
		width        int
		want         string
	}{
		{"", "", 10, ""},
		{"one two", "", 10, "one two"},
		{"one two three", "", 7, "one two\nthree"},
		{"one two three", "  ", 9, "one two\n  three"},
		{"incomprehensibilities are", "", 10, "incomprehensibilities\nare"},
		{"ä ö ü ä", "", 5, "ä ö ü\nä"},
		{"a\n  b", "", 5, "a b"},
	} {
		if got := fold(c.text, c.indent, c.width); got != c.want {
			t.Errorf("fold(%q, %q, %d) = %q, want %q", c.text, c.indent, c.width, got, c.want)
		}
	}
}
