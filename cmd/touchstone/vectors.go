package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/vectorlint"
	"github.com/touchstone-oracle/touchstone/reports"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func newVectorsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vectors",
		Short: "list, show, export and lint the test vectors",
		RunE:  needsVerb,
	}
	cmd.AddCommand(newVectorsListCommand(), newVectorsShowCommand(), newVectorsExportCommand(), newVectorsLintCommand())
	return cmd
}

func newVectorsListCommand() *cobra.Command {
	var topic, flag, clause string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the vectors: id, verdict of each profile, title",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found := 0
			for _, v := range vectors.All() {
				if !selected(v, topic, flag, clause) {
					continue
				}
				found++
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\t%s\n", v.ID, verdicts(v), v.Title); err != nil {
					return err
				}
			}
			if found == 0 {
				return usageError(errors.New("no vector is selected"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&topic, "topic", "", "of one topic only")
	cmd.Flags().StringVar(&flag, "flag", "", "with this flag only")
	cmd.Flags().StringVar(&clause, "clause", "", "about requirements whose id begins so")
	return cmd
}

func selected(v vectors.Vector, topic, flag, clause string) bool {
	has := func(all []string, match func(string) bool) bool {
		for _, s := range all {
			if match(s) {
				return true
			}
		}
		return false
	}
	return (topic == "" || v.Topic == topic) &&
		(flag == "" || has(v.Flags, func(s string) bool { return s == flag })) &&
		(clause == "" || has(v.Clauses, func(s string) bool { return strings.HasPrefix(s, clause) }))
}

// verdicts gives the verdict of each profile, in one word where all agree.
func verdicts(v vectors.Vector) string {
	var words []string
	same := true
	for _, p := range reject.Profiles() {
		if e, judged := v.Expect[p]; judged {
			words = append(words, e.Verdict)
			same = same && e.Verdict == words[0]
		}
	}
	if same {
		return words[0]
	}
	return strings.Join(words, ",")
}

func newVectorsShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID...",
		Short: "show vectors: input, outputs, verdicts, clauses, flags and what they are for",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			for _, id := range ids {
				v, found := vectors.Lookup(id)
				if !found {
					return usageError(fmt.Errorf("there is no vector %q; see %q", id, "touchstone vectors list"))
				}
				if err := showVector(cmd.OutOrStdout(), v); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func showVector(out io.Writer, v vectors.Vector) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s, since %s, %s)\n  %s\n", v.ID, v.Topic, v.Op, v.Since, v.Status, v.Title)
	if v.Note != "" {
		fmt.Fprintf(&b, "  %s\n", v.Note)
	}
	fmt.Fprintf(&b, "  input   %s\n", preview(v.Input))
	word := "output "
	for _, out := range v.Outputs() {
		fmt.Fprintf(&b, "  %s %s\n", word, preview(out))
		word = "     or"
	}
	for _, p := range reject.Profiles() {
		e, judged := v.Expect[p]
		if !judged {
			continue
		}
		fmt.Fprintf(&b, "  %-7s %s", p, e.Verdict)
		for _, r := range e.Reasons {
			fmt.Fprintf(&b, " %s", r)
		}
		if e.Offset >= 0 {
			fmt.Fprintf(&b, ", at offset %d", e.Offset)
		}
		b.WriteByte('\n')
	}
	for _, id := range v.Clauses {
		if r, known := reject.LookupRequirement(id); known {
			fmt.Fprintf(&b, "  clause  %s: %s\n", id, r.Text)
		}
	}
	for _, f := range vectors.Flags() {
		for _, name := range v.Flags {
			if name == f.Name {
				fmt.Fprintf(&b, "  flag    %s: an implementation that %s (%s)\n", f.Name, f.Bug, f.Effect)
			}
		}
	}
	for _, r := range v.Relations {
		fmt.Fprintf(&b, "  %-14s  %s\n", r.Kind, r.With)
	}
	fmt.Fprintf(&b, "  source  %s\n\n", v.Source)
	_, err := io.WriteString(out, b.String())
	return err
}

// preview gives bytes as quoted ASCII and as hex, cut to what is readable.
func preview(b []byte) string {
	const most = 120
	if len(b) <= most {
		return fmt.Sprintf("%+q  %s", b, hex.EncodeToString(b))
	}
	return fmt.Sprintf("%+q... (%d bytes)", b[:most], len(b))
}

func newVectorsExportCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "export [DIR]",
		Short: "write vectors.jsonl, vectors.tsv and MANIFEST.sha256 to a folder",
		Long: `Generates vectors.jsonl, vectors.tsv and MANIFEST.sha256 from the vectors in the
command, or from the source files in the folder --from, and writes them to DIR
("." if left out).`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			files := vectors.Files()
			if from != "" {
				files = os.DirFS(from)
			}
			generated, err := vectors.Export(files)
			if err != nil {
				return usageError(err)
			}
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return usageError(err)
			}
			for _, file := range generated {
				if err := os.WriteFile(filepath.Join(dir, file.Name), file.Text, 0o666); err != nil {
					return usageError(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "read the source files from this folder")
	return cmd
}

func newVectorsLintCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "hold the vectors against each other, the requirements and every built-in engine",
		Long: `Checks the vectors in the command, or those in the folder --from, and prints one
line for each rule that is broken. The status is 0 when there is none, else 1.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files := vectors.Files()
			if from != "" {
				files = os.DirFS(from)
			}
			problems, err := vectorlint.Lint(cmd.Context(), files, builtInEngines)
			if err != nil {
				return usageError(err)
			}
			for _, p := range problems {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), reports.Escape(p.String(), 500)); err != nil {
					return err
				}
			}
			if len(problems) > 0 {
				return exitWith(exitFindings, fmt.Errorf("%d problems in the vectors", len(problems)))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "read the source files from this folder")
	return cmd
}

// builtInEngines opens every built-in implementation for the linter.
func builtInEngines(p reject.Profile) []vectorlint.Engine {
	var engines []vectorlint.Engine
	for _, one := range peer.All() {
		engines = append(engines, one.Open(peer.Options{Profile: p}))
	}
	return engines
}
