package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// latestFlags are the flags of "report latest".
type latestFlags struct {
	adapters string
	results  string
	out      string
	cases    int
	again    bool
}

func newReportLatestCommand() *cobra.Command {
	var f latestFlags
	cmd := &cobra.Command{
		Use:   "latest",
		Short: "judge everybody who is ready and render the published report",
		Long: `Judges the built-in implementations and every implementation under adapters/ that
is ready, the slow ones too, and writes index.html, report.md and results.jsonl
into reports/latest. Findings that are neither public nor reported are left out
and counted.

Results that are there already are used if they are of the present vectors and
younger than the implementation's baseline and manifest, so that a second run
asks only what has changed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLatest(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.adapters, "dir", "adapters", "the `FOLDER` of the manifests")
	flags.StringVar(&f.results, "results", "reports/out", "the `FOLDER` for each check's results")
	flags.StringVar(&f.out, "out", "reports/latest", "the `FOLDER` of the published report")
	flags.IntVar(&f.cases, "cases", 2000, "how many cases to generate, for the built-in implementations ten times as many")
	flags.BoolVar(&f.again, "again", false, "ask everybody again")
	return cmd
}

func runLatest(cmd *cobra.Command, f latestFlags) error {
	all, err := readManifests(f.adapters)
	if err != nil {
		return usageError(err)
	}
	runs, err := f.judge(cmd, all)
	if err != nil {
		return err
	}
	merged, err := reports.Merge(runs)
	if err != nil {
		return err
	}
	for _, r := range runs {
		merged.Header.Started = max(merged.Header.Started, r.Header.Started)
	}
	introduce(merged, all)
	run := reports.Public(merged)
	run.Vectors = nil // thousands of lines that say what the scores say
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	kept := filepath.Join(f.out, "results.jsonl")
	last, err := f.published(kept, run)
	if err != nil {
		return err
	}
	out := []string{"html=" + filepath.Join(f.out, "index.html"), "markdown=" + filepath.Join(f.out, "report.md"), "jsonl=" + kept}
	if err := renderAll(cmd.OutOrStdout(), run, last, out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d implementations, %d kinds of finding shown, %d not: %s\n",
		len(run.Footer.Scores), len(run.Findings), run.Footer.Withheld, filepath.Join(f.out, "index.html"))
	return err
}

// published gives the report before this one, nil if there is none. It is kept
// aside, so that the same results rendered again are compared with the same.
func (f latestFlags) published(path string, run *result.Run) (*result.Run, error) {
	aside := filepath.Join(f.results, "latest", "published.jsonl")
	last := wholeRun(path)
	if last == nil || last.Header.Started == run.Header.Started {
		return wholeRun(aside), nil
	}
	return last, renderAll(io.Discard, last, nil, []string{"jsonl=" + aside})
}

// judge gives the results of everybody who is ready, the quick ones first, so
// that little is lost when it is interrupted.
func (f latestFlags) judge(cmd *cobra.Command, all []anyAdapter) ([]*result.Run, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	builtin := filepath.Join(here, f.results, "latest")
	ask := func(folder string, needs []string, check func() (int, error)) (*result.Run, error) {
		results := filepath.Join(folder, "results.jsonl")
		if run := wholeRun(results); !f.again && run != nil && current(run, results, needs) {
			return run, nil
		}
		if status, err := check(); err != nil {
			return nil, err
		} else if status == exitInternal || status == exitUsage || status == exitInterrupted {
			return nil, exitWith(status, fmt.Errorf("the check for %s did not end well", folder))
		}
		run := wholeRun(results)
		if run == nil {
			return nil, fmt.Errorf("%s is not whole", results)
		}
		return run, nil
	}
	run, err := ask(builtin, nil, func() (int, error) {
		return verb(cmd, self, here, []string{"check", "--quiet", "--cases", strconv.Itoa(10 * f.cases), "--report-dir", builtin})
	})
	if err != nil {
		return nil, err
	}
	runs := []*result.Run{run}
	adapters := runFlags{dir: f.adapters, reportDir: filepath.Join(here, f.results, "adapters"), cases: f.cases}
	quick := slices.SortedStableFunc(slices.Values(all), func(a, b anyAdapter) int { return cmp.Compare(btoi(a.Slow), btoi(b.Slow)) })
	for _, a := range quick {
		if lack := a.missing(); lack != "" {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: left out: %s\n", a.ID, lack)
			continue
		}
		needs := []string{a.baselinePath(), filepath.Join(a.family.dir, "manifest.json")}
		run, err := ask(filepath.Join(adapters.reportDir, a.ID), needs, func() (int, error) { return adapters.check(cmd, self, a) })
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// current reports whether results are of the whole present suite, and younger
// than what decides about them.
func current(run *result.Run, path string, needs []string) bool {
	if run.Header.Suite != vectors.Digest() || !run.Header.Complete {
		return false
	}
	results, err := os.Stat(path)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(needs, func(need string) bool {
		info, err := os.Stat(need)
		return err == nil && info.ModTime().After(results.ModTime())
	})
}

// introduce adds to implementations and their findings what manifests know of
// them.
func introduce(run *result.Run, all []anyAdapter) {
	for i := range run.Header.Subjects {
		s := &run.Header.Subjects[i]
		k := slices.IndexFunc(all, func(a anyAdapter) bool { return a.ID == s.Name })
		if k < 0 {
			continue
		}
		a := all[k]
		s.Language, s.Layer = cmp.Or(s.Language, a.Language), cmp.Or(s.Layer, result.Layer(a.Layer))
		s.Lineage, s.Homepage = cmp.Or(s.Lineage, a.Lineage), cmp.Or(s.Homepage, a.Homepage)
		s.Report, s.Unclaimed = a.Report, !a.Claims
		for j := range run.Findings {
			if f := &run.Findings[j]; f.Subject == s.Name && strings.HasPrefix(f.Replay, "touchstone ") {
				f.Replay = "cd " + filepath.ToSlash(a.family.dir) + " && " + f.Replay
			}
		}
	}
}
