package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

//go:embed templates
var templates embed.FS

// A language has a template: an adapter that works as it is.
type language struct {
	name, file string
	build      string // what to run first, "" for nothing
	command    string // how to start it
}

var languages = []language{
	{"go", "adapter.go", "go build -o adapter adapter.go", "./adapter"},
	{"javascript", "adapter.mjs", "", "node adapter.mjs"},
	{"typescript", "adapter.ts", "", "node adapter.ts"},
	{"python", "adapter.py", "", "python3 adapter.py"},
	{"rust", "adapter.rs", "rustc -O adapter.rs", "./adapter"},
	{"java", "Adapter.java", "", "java Adapter.java"},
	{"c", "adapter.c", "cc -O2 -o adapter adapter.c", "./adapter"},
	{"ruby", "adapter.rb", "", "ruby adapter.rb"},
	{"shell", "adapter.sh", "", "sh adapter.sh"},
}

func (l language) source() []byte {
	text, err := templates.ReadFile("templates/" + l.file + ".txt")
	if err != nil {
		panic(err) // a test holds the table and the files together
	}
	return text
}

func languageNames() string {
	var names []string
	for _, l := range languages {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

func newAdapterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adapter",
		Short: "adapters for implementations in other languages: new, check, run",
		Long: `An adapter lets the oracle ask an implementation in another language by the line
protocol: one process answers any number of questions. docs/protocol.md
specifies it. A program that reads one document and writes its canonical form
needs no adapter: see "touchstone check --help".`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.Help(); err != nil {
				return err
			}
			return usageError(errors.New("name one of new, check, run"))
		},
	}
	cmd.AddCommand(newAdapterNewCommand(), newAdapterCheckCommand(), newAdapterRunCommand())
	return cmd
}

func newAdapterNewCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "new LANGUAGE",
		Short: "write a working adapter to begin with",
		Long: `Writes an adapter of under forty lines that works as it is, and says how to start
it. Put your implementation where it says so. An existing file is left alone.

LANGUAGE is one of ` + languageNames() + `.`,
		Example: `  touchstone adapter new python`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, l := range languages {
				if l.name == args[0] {
					return writeAdapter(cmd.OutOrStdout(), dir, l)
				}
			}
			return usageError(fmt.Errorf("there is no template for %q: choose one of %s", args[0], languageNames()))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "the `FOLDER` to write to")
	return cmd
}

func writeAdapter(out io.Writer, dir string, l language) error {
	name := filepath.Join(dir, l.file)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return usageError(err)
	}
	_, err = file.Write(l.source())
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "wrote %s; now try\n", name)
	if l.build != "" {
		fmt.Fprintf(out, "  %s\n", l.build)
	}
	_, err = fmt.Fprintf(out, "  touchstone adapter check -- %s\n  touchstone check --wire -- %s\n", l.command, l.command)
	return err
}

func newAdapterCheckCommand() *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "check -- COMMAND [ARG]...",
		Short: "play the golden transcripts to an adapter",
		Long: `Starts COMMAND once for each golden transcript of docs/protocol.md, plays it, and
says where the conversation went another way. What is tried is the adapter, not
the implementation behind it: the documents are ones that everybody gets right.

Exit status: 0 the adapter speaks the protocol; 1 it does not; 3 it could not be
started.`,
		Example: `  touchstone adapter check -- node adapter.mjs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := commandAfterDash(cmd, args)
			if err != nil {
				return err
			}
			if len(command) == 0 {
				return usageError(errors.New("a command is missing: touchstone adapter check -- COMMAND"))
			}
			return checkAdapter(cmd, command, process.Options{CaseLimit: limit, Adopt: true})
		},
	}
	cmd.Flags().DurationVar(&limit, "timeout", 10*time.Second, "the most time for one reply")
	return cmd
}

func checkAdapter(cmd *cobra.Command, command []string, o process.Options) error {
	failed := 0
	for _, t := range wire.Transcripts() {
		err := process.Replay(cmd.Context(), command, t, o)
		var start *process.StartError
		word, note := "ok", ""
		switch {
		case cmd.Context().Err() != nil:
			return cmd.Context().Err()
		case errors.As(err, &start):
			return exitWith(exitNoStart, err)
		case errors.Is(err, process.ErrNotAnnounced):
			word, note = "skip", " (needs "+needs(t)+")"
		case err != nil:
			word, note = "FAIL", "\n       "+err.Error()
			failed++
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%-5s  %-17s %s%s\n", word, t.Name, t.Title, note)
	}
	if failed > 0 {
		return exitWith(exitFindings, fmt.Errorf("%d transcripts went another way; they stand in docs/protocol.md", failed))
	}
	return nil
}

func needs(t wire.Transcript) string {
	var all []string
	for _, n := range t.Needs {
		all = append(all, n.String())
	}
	return strings.Join(all, ", ")
}
