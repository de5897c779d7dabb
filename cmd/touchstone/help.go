package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// teach gives a command and all below it the manners that they share: help that
// fits the terminal, and complaints that say what to do.
func teach(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		writeUsage(cmd.OutOrStderr(), cmd, columns(cmd.OutOrStderr()))
		return nil
	})
	cmd.SuggestionsMinimumDistance = 2
	takes := cmd.Args
	switch {
	case isGroup(cmd):
		cmd.Args = unknownVerb
		if !cmd.Runnable() {
			cmd.RunE = needsVerb
		}
	case takes != nil:
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := takes(cmd, args); err != nil {
				return usageError(fmt.Errorf("%w: the usage is %s", err, cmd.UseLine()))
			}
			return nil
		}
	}
	for _, below := range cmd.Commands() {
		teach(below)
	}
}

// isGroup reports whether a command does nothing itself, and takes verbs alone.
func isGroup(cmd *cobra.Command) bool { return cmd.HasSubCommands() && cmd.Use == cmd.Name() }

// unknownVerb refuses arguments of a command that only has commands below it,
// and names what may have been meant.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %q; see %q", args[0], cmd.CommandPath(), cmd.CommandPath()+" --help")
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		err = fmt.Errorf("unknown command %q for %q; did you mean %s?", args[0], cmd.CommandPath(), strings.Join(like, " or "))
	}
	return usageError(err)
}

// lookUp finds the command that verbs name, one below the other.
func lookUp(root *cobra.Command, verbs []string) (*cobra.Command, error) {
	cmd := root
	for i, verb := range verbs {
		var next *cobra.Command
		for _, below := range cmd.Commands() {
			if below.Name() == verb {
				next = below
			}
		}
		if next == nil {
			return nil, unknownVerb(cmd, verbs[i:])
		}
		cmd = next
	}
	return cmd, nil
}

func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]...",
		Short: "show the help of a verb",
		RunE: func(cmd *cobra.Command, verbs []string) error {
			about, err := lookUp(cmd.Root(), verbs)
			if err != nil {
				return err
			}
			writeHelp(cmd.OutOrStdout(), about)
			return nil
		},
	}
}

// needsVerb is what a command does that only has commands below it: its help,
// and the status of a usage error.
func needsVerb(cmd *cobra.Command, _ []string) error {
	if err := cmd.Help(); err != nil {
		return err
	}
	var names []string
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	return usageError(errors.New("name one of " + strings.Join(names, ", ")))
}

func writeHelp(out io.Writer, cmd *cobra.Command) {
	width := columns(out)
	about := cmd.Long
	if about == "" {
		about = strings.ToUpper(cmd.Short[:1]) + cmd.Short[1:] + "."
	}
	fmt.Fprintf(out, "%s\n\n", paragraphs(about, width))
	writeUsage(out, cmd, width)
}

func writeUsage(out io.Writer, cmd *cobra.Command, width int) {
	fmt.Fprintf(out, "Usage:\n")
	if !isGroup(cmd) {
		fmt.Fprintf(out, "  %s\n", fold(cmd.UseLine(), "      ", width))
	}
	if cmd.HasSubCommands() {
		fmt.Fprintf(out, "  %s COMMAND [flags]\n\nCommands:\n", cmd.CommandPath())
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() {
				pad := below.NamePadding() + 1
				fmt.Fprintf(out, "  %-*s%s\n", pad, below.Name(), fold(below.Short, strings.Repeat(" ", pad+2), width))
			}
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		fmt.Fprintf(out, "\nFlags:\n%s", flagUsages(flags, width))
	}
	if flags := cmd.InheritedFlags(); flags.HasAvailableFlags() {
		fmt.Fprintf(out, "\nFlags of every command:\n%s", flagUsages(flags, width))
	}
	if cmd.HasSubCommands() {
		fmt.Fprintf(out, "\n%s\n", fold(fmt.Sprintf(`"%s COMMAND --help" tells more about a command.`, cmd.CommandPath()), "", width))
	}
}

// paragraphs lays a text out for a width: a paragraph with a line that is too
// long is folded anew, unless it is set in, as examples are.
func paragraphs(text string, width int) string {
	all := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, paragraph := range all {
		fits := true
		for line := range strings.SplitSeq(paragraph, "\n") {
			fits = fits && len(line) <= width
		}
		if !fits && !strings.HasPrefix(paragraph, " ") {
			all[i] = fold(paragraph, "", width)
		}
	}
	return strings.Join(all, "\n\n")
}

// flagUsages lists flags: on one side what is typed, on the other what it does,
// or below it where there is no room beside.
func flagUsages(flags *pflag.FlagSet, width int) string {
	var b strings.Builder
	most := min(32, width/2)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := flagWords(f)
		typed := "      --" + f.Name
		if f.Shorthand != "" {
			typed = "  -" + f.Shorthand + ", --" + f.Name
		}
		if value != "" {
			typed += " " + value
		}
		if len(typed) >= most {
			typed += "\n" + strings.Repeat(" ", most)
		} else {
			typed += strings.Repeat(" ", most-len(typed))
		}
		b.WriteString(typed + fold(usage, strings.Repeat(" ", most), width) + "\n")
	})
	return b.String()
}

// flagWords gives what a flag's value is called, nothing if it has none, and what
// the flag does, with its default.
func flagWords(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	switch value {
	case "stringArray", "strings":
		value = "string"
	}
	switch f.DefValue {
	case "", "false", "[]", "0s":
	default:
		usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
	}
	return value, usage
}
