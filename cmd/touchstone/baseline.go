package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func newBaselineCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "the findings that are known of an implementation: show, lint, update",
		Long: `A baseline is a text file of the findings that are known of an implementation,
each with the reason and where it was reported. A finding that is not in it
fails a check, and so does an entry that no longer matches what happens. The
format stands in docs/reports.md.`,
		RunE: needsVerb,
	}
	cmd.AddCommand(newBaselineShowCommand(), newBaselineLintCommand(), newBaselineUpdateCommand())
	return cmd
}

func newBaselineShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show PEER",
		Short: "show the baseline of a built-in implementation",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := peer.Lookup(args[0]); err != nil {
				return usageError(err)
			}
			file, err := baseline.Builtin(args[0])
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(file.Text())
			return err
		},
	}
}

func newBaselineLintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lint FILE...",
		Short: "read baselines and say what is wrong with them",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				text, err := os.ReadFile(path)
				if err != nil {
					return usageError(err)
				}
				file, err := baseline.Parse(path, text)
				if err != nil {
					return exitWith(exitFindings, err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d entries\n", path, len(file.Entries()))
			}
			return nil
		},
	}
}

func newBaselineUpdateCommand() *cobra.Command {
	var results, subject string
	cmd := &cobra.Command{
		Use:   "update [FILE]",
		Short: "make baselines fit the results of a check",
		Long: `Rewrites FILE, which may be new, to fit the results of a complete check:
entries that no longer match go, outcomes that changed are corrected, and what
is new comes at the end as unreported. Comments, order, reasons and links stay.
Look at what it added: a reason must be true by the text of a clause.

Without FILE, the baselines of the built-in implementations in the results are
rewritten in the source tree that the command is run in.`,
		Example: `  touchstone check --no-baseline -- ./canonicalize
  touchstone baseline update mine.baseline`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := readResults(results, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if !run.Header.Complete || len(run.Footer.Scores) == 0 {
				return usageError(fmt.Errorf("%s is not of a complete check: run touchstone check without --vector, --input and --case", results))
			}
			targets, err := updateTargets(run, subject, args)
			if err != nil {
				return usageError(err)
			}
			for _, t := range targets {
				changed, err := updateBaseline(run, t.subject, t.path)
				if err != nil {
					return err
				}
				if changed {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: rewritten\n", t.path)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&results, "results", defaultResults, "results of the check")
	cmd.Flags().StringVar(&subject, "subject", "", "the implementation in the results, if there are several")
	return cmd
}

type updateTarget struct{ subject, path string }

func updateTargets(run *result.Run, subject string, args []string) ([]updateTarget, error) {
	var names []string
	for _, s := range run.Footer.Scores {
		if s.NoStart == "" && (subject == "" || s.Subject == subject) {
			names = append(names, s.Subject)
		}
	}
	switch {
	case len(names) == 0:
		return nil, errors.New("the results have no such implementation")
	case len(args) == 1 && len(names) > 1:
		return nil, errors.New("the results are of several implementations: choose one with --subject")
	case len(args) == 1:
		return []updateTarget{{names[0], args[0]}}, nil
	}
	var targets []updateTarget
	for _, name := range names {
		path := filepath.FromSlash(baseline.BuiltinPath(name))
		switch _, err := os.Stat(path); {
		case err != nil && !slices.ContainsFunc(run.Findings, func(f result.Finding) bool { return f.Subject == name }):
			continue // none is needed
		case err != nil:
			return nil, fmt.Errorf("%s has no baseline here: name a FILE, or run this in the source tree: %w", name, err)
		}
		targets = append(targets, updateTarget{name, path})
	}
	return targets, nil
}

// updateBaseline rewrites one file and tells whether it changed.
func updateBaseline(run *result.Run, subject, path string) (bool, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, usageError(err)
	}
	file, err := baseline.Parse(path, text)
	if err != nil {
		return false, usageError(err)
	}
	profile, err := reject.ParseProfile(run.Header.Profile)
	if err != nil {
		return false, usageError(err)
	}
	var vectors []result.VectorResult
	for _, v := range run.Vectors {
		if v.Subject == subject {
			vectors = append(vectors, v)
		}
	}
	var findings []result.Finding
	for _, f := range run.Findings {
		if f.Subject == subject {
			findings = append(findings, f)
		}
	}
	updated := file.Update(profile, vectors, findings)
	if string(updated) == string(text) {
		return false, nil
	}
	return true, writeFile(path, updated)
}

// writeFile replaces a file whole or not at all.
func writeFile(path string, text []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return usageError(err)
	}
	return os.Rename(temporary, path)
}
