package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
)

// defaultResults is where check leaves its results.
const defaultResults = "reports/out/results.jsonl"

func newReportCommand() *cobra.Command {
	var out []string
	var public bool
	var previous string
	cmd := &cobra.Command{
		Use:   "report [RESULTS]",
		Short: "render the results of a check again; compare or merge results",
		Long: `Reads RESULTS, as written by touchstone check (` + defaultResults + ` if left
out), and writes index.html beside it, or what --out asks for. HTML and Markdown
say what changed since the run of --previous; if that is left out, since the last
whole run in the same folder, which check keeps there as previous.jsonl.

With --public, findings that are neither public nor reported are left out and
counted.`,
		Example: `  touchstone report
  touchstone report results.jsonl --out markdown=report.md --out sarif=r.sarif`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := defaultResults
			if len(args) > 0 {
				path = args[0]
			}
			run, err := readResults(path, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			last, err := readPrevious(previous, path, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if public {
				run = reports.Public(run)
				if last != nil {
					last = reports.Public(last)
				}
			}
			if len(out) == 0 {
				out = []string{"html=" + filepath.Join(filepath.Dir(path), "index.html")}
			}
			return renderAll(cmd.OutOrStdout(), run, last, out)
		},
	}
	cmd.Flags().StringVar(&previous, "previous", "", "the `RESULTS` to compare with")
	cmd.Flags().StringArrayVar(&out, "out", nil, "FORMAT=PATH; PATH - is standard output; formats: "+strings.Join(reports.FormatNames(), ", ")+" (repeatable)")
	cmd.Flags().BoolVar(&public, "public", false, "leave out findings that are neither public nor reported")
	cmd.AddCommand(newReportDiffCommand(), newReportMergeCommand(), newReportLatestCommand())
	return cmd
}

// readResults reads a results file; one that was cut is read as far as it goes,
// with a warning.
func readResults(path string, warnings io.Writer) (*result.Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError(err)
	}
	defer file.Close()
	run, err := reports.Read(bufio.NewReader(file))
	if errors.Is(err, reports.ErrCut) {
		fmt.Fprintf(warnings, "touchstone: %s: %v\n", path, err)
		return run, nil
	}
	if err != nil {
		return nil, usageError(fmt.Errorf("%s: %w", path, err))
	}
	return run, nil
}

// readPrevious reads the run to compare with: the one that is named, or what a
// check has kept beside the results; nil if there is none.
func readPrevious(named, results string, warnings io.Writer) (*result.Run, error) {
	if named != "" {
		return readResults(named, warnings)
	}
	if filepath.Base(results) != "results.jsonl" {
		return nil, nil
	}
	return wholeRun(filepath.Join(filepath.Dir(results), previousResults)), nil
}

func renderAll(stdout io.Writer, run, last *result.Run, out []string) error {
	s := &sinks{stdout: stdout, last: last}
	defer s.abandon()
	for _, one := range out {
		if err := s.add(one); err != nil {
			return usageError(err)
		}
	}
	return s.render(run)
}

func newReportDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "what is new, gone or changed between two results",
		Long: `Compares two results of touchstone check. The status is 1 if AFTER has a finding
or a wrong vector that BEFORE has not. Implementations that only one of them has
are noted and not compared; none in common is an error.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			before, err := readResults(args[0], cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			after, err := readResults(args[1], cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			diff := reports.Compare(before, after)
			if err := diff.Write(cmd.OutOrStdout()); err != nil {
				return err
			}
			if diff.Common == 0 {
				return usageError(errors.New("no implementation is in both results; nothing was compared"))
			}
			if diff.Worse() {
				return exitWith(exitFindings, nil)
			}
			return nil
		},
	}
}

func newReportMergeCommand() *cobra.Command {
	var out []string
	cmd := &cobra.Command{
		Use:   "merge RESULTS...",
		Short: "join the results of several implementations or shards into one report",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all []*result.Run
			for _, path := range args {
				run, err := readResults(path, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				all = append(all, run)
			}
			run, err := reports.Merge(all)
			if err != nil {
				return usageError(err)
			}
			return renderAll(cmd.OutOrStdout(), run, nil, out)
		},
	}
	cmd.Flags().StringArrayVar(&out, "out", []string{"jsonl=-"}, "FORMAT=PATH (repeatable)")
	return cmd
}
