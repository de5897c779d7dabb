package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/numbers"
)

// numberEngines are the writers of doubles that can be checked; the first is
// the default.
var numberEngines = []struct {
	name   string
	format numbers.Format
}{
	{"canon", func(dst []byte, bits uint64) ([]byte, error) {
		return canon.AppendNumber(dst, math.Float64frombits(bits))
	}},
	{"reference", func(dst []byte, bits uint64) ([]byte, error) {
		text, ok := reference.NumberToString(bits)
		if !ok {
			return dst, errors.New("reference: not a finite number")
		}
		return append(dst, text...), nil
	}},
}

func numberEngine(name string) (numbers.Format, error) {
	var names []string
	for _, e := range numberEngines {
		if e.name == name {
			return e.format, nil
		}
		names = append(names, e.name)
	}
	return nil, usageError(fmt.Errorf("%q is not an engine that writes numbers: choose %s", name, strings.Join(names, " or ")))
}

func newNumbersCommand() *cobra.Command {
	var engine, against string
	var write, quiet bool
	job := numbers.Job{}
	cmd := &cobra.Command{
		Use:   "numbers",
		Short: "check the published digests of the ES6 number sequence",
		Long: `Generates the number sequence that was published with RFC 8785, has an engine
write every number of it, and compares size and SHA-256 after 1,000, 10,000, ...
100,000,000 lines with the published ones. Status 1 if one differs.

With --against a second engine writes the same numbers, and the first line on
which the two differ is named; beyond 100,000,000 lines no digest is published,
so that only such a comparison says anything.`,
		Example: `  touchstone numbers --lines 1000000
  touchstone numbers --engine reference --against canon --lines 100000
  touchstone numbers --lines 1000 --write >es6-1000.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if job.Format, err = numberEngine(engine); err != nil {
				return err
			}
			if against != "" {
				if job.Against, err = numberEngine(against); err != nil {
					return err
				}
			}
			if job.Lines < 1 {
				return usageError(fmt.Errorf("--lines %d: at least 1 line", job.Lines))
			}
			if job.Workers < 0 {
				return usageError(fmt.Errorf("--workers %d: not a number of goroutines", job.Workers))
			}
			out := cmd.OutOrStdout()
			if write {
				job.Out, out = out, cmd.ErrOrStderr()
			}
			meter := newMeter(cmd.ErrOrStderr(), "lines", job.Lines)
			if !quiet {
				job.Progress = func(lines, _ int64) { meter.set(lines) }
			}
			report, err := job.Run(cmd.Context())
			meter.end()
			writeNumbers(out, engine, report)
			if err != nil {
				return err
			}
			if !report.Right() {
				return exitWith(exitFindings, errors.New(numbersAdvice(report, against)))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&engine, "engine", numberEngines[0].name, "who writes the numbers: canon or reference")
	flags.StringVar(&against, "against", "", "compare every line with this engine's")
	flags.Int64Var(&job.Lines, "lines", 1_000_000, "how many lines, from the first")
	flags.IntVar(&job.Workers, "workers", 0, "goroutines that write numbers; 0: one a processor")
	flags.BoolVarP(&quiet, "quiet", "q", false, "no progress")
	flags.BoolVar(&write, "write", false, "write the lines to standard output, the report to standard error")
	return cmd
}

// writeNumbers shows a report: a line for each checkpoint and one for the end.
func writeNumbers(out io.Writer, engine string, r numbers.Report) {
	for _, c := range r.Checks {
		word := "as published"
		if !c.Right() {
			word = fmt.Sprintf("WRONG, published are %d bytes and %s", c.Published.Bytes, c.Published.SHA256)
		}
		fmt.Fprintf(out, "%-9s %11d lines %12d bytes  %s  %s\n", engine, c.Published.Lines, c.Bytes, c.SHA256, word)
	}
	if n := len(r.Checks); n == 0 || r.Checks[n-1].Published.Lines != r.Lines {
		fmt.Fprintf(out, "%-9s %11d lines %12d bytes  %s  no digest is published\n", engine, r.Lines, r.Bytes, r.SHA256)
	}
	if d := r.Difference; d != nil {
		fmt.Fprintf(out, "line %d, bits %#016x: got %q", d.Line, d.Bits, d.Got)
		if d.Want != "" {
			fmt.Fprintf(out, ", the other engine writes %q", d.Want)
		}
		if d.Err != nil {
			fmt.Fprintf(out, ", error: %q", d.Err.Error())
		}
		fmt.Fprintln(out)
	}
}

func numbersAdvice(r numbers.Report, against string) string {
	if r.Difference != nil {
		return fmt.Sprintf("numbers: the engines part at line %d (rfc8785/3.2.2.3/number-to-string)", r.Difference.Line)
	}
	if against == "" {
		return "numbers: a digest is not the published one: find the first wrong line with --against"
	}
	return "numbers: a digest is not the published one, and both engines agree"
}
