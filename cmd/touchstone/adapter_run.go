package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// runFlags are the flags of "adapter run".
type runFlags struct {
	dir, reportDir   string
	setUp            bool
	list, noBaseline bool
	update, smoke    bool
	cases            int
}

func newAdapterRunCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [ID]...",
		Short: "judge the implementations that adapters come with",
		Long: `Runs "touchstone check" on each implementation that the manifests under
adapters/ describe, or on those named, against its baseline. One whose check
takes minutes is asked the smoke set of vectors alone, unless it is named. One
whose needs are missing is skipped by name; TOUCHSTONE_CI=1 makes that an error.

Exit status: the gravest of the checks', in the order 5, 64, 3, 1, 4.`,
		Example: `  touchstone adapter run --list
  touchstone adapter run --set-up canonicalize-5.1.0`,
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := readManifests(f.dir)
			if err != nil {
				return usageError(err)
			}
			if f.list {
				return listAdapters(cmd.OutOrStdout(), all)
			}
			if f.update && f.smoke {
				return usageError(errors.New("--update needs the whole check, and --smoke asks few vectors"))
			}
			chosen, err := chooseAdapters(all, args)
			if err != nil {
				return usageError(err)
			}
			return runAdapters(cmd, f, chosen, len(args) > 0)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", "adapters", "the `FOLDER` of the manifests")
	flags.StringVar(&f.reportDir, "report-dir", "reports/out/adapters", "the `FOLDER` for each check's results")
	flags.BoolVar(&f.setUp, "set-up", false, "run the set-up of what is not ready")
	flags.BoolVar(&f.list, "list", false, "list the implementations and what they lack here")
	flags.BoolVar(&f.noBaseline, "no-baseline", false, "know nothing: every finding is new")
	flags.BoolVar(&f.update, "update", false, "make the baselines fit what is found, and look at what changed")
	flags.BoolVar(&f.smoke, "smoke", false, "ask everyone the smoke set of vectors alone")
	flags.IntVar(&f.cases, "cases", 2000, "how many cases to generate")
	return cmd
}

func chooseAdapters(all []anyAdapter, ids []string) ([]anyAdapter, error) {
	if len(ids) == 0 {
		return all, nil
	}
	var chosen []anyAdapter
	for _, id := range ids {
		i := slices.IndexFunc(all, func(a anyAdapter) bool { return a.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("there is no adapter %q; see touchstone adapter run --list", id)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func listAdapters(out io.Writer, all []anyAdapter) error {
	for _, a := range all {
		if _, err := fmt.Fprintf(out, "%-27s %-11s %-33s %s\n", a.ID, a.Language, a.Title, cmp.Or(a.missing(), "ready")); err != nil {
			return err
		}
	}
	return nil
}

// gravity orders exit statuses, the gravest last.
var gravity = []int{exitConforms, exitStale, exitFindings, exitNoStart, exitUsage, exitInternal, exitInterrupted}

func runAdapters(cmd *cobra.Command, f runFlags, all []anyAdapter, named bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if f.reportDir, err = filepath.Abs(f.reportDir); err != nil {
		return err
	}
	worst, done := exitConforms, map[string]bool{}
	for _, a := range all {
		if f.setUp && a.missing() != "" && a.family.SetUp != "" && !done[a.family.dir] {
			done[a.family.dir] = true
			if err := setUp(cmd, a.family); err != nil {
				return exitWith(exitNoStart, err)
			}
		}
		if lack := a.missing(); lack != "" {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: skipped: %s\n", a.ID, lack)
			if os.Getenv("TOUCHSTONE_CI") == "1" {
				worst = graver(worst, exitNoStart)
			}
			continue
		}
		slow := a.Slow && !named
		if slow && f.update {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: skipped: its check takes minutes: name it to update its baseline\n", a.ID)
			continue
		}
		one := f
		one.smoke = f.smoke || slow
		status, err := one.check(cmd, self, a)
		if err == nil && f.update && status != exitNoStart {
			status, err = f.fit(cmd, self, a)
		}
		if err != nil {
			return err
		}
		worst = graver(worst, status)
	}
	if worst != exitConforms {
		return exitWith(worst, errors.New("not every implementation is as its baseline says"))
	}
	return nil
}

func graver(a, b int) int {
	if slices.Index(gravity, b) > slices.Index(gravity, a) {
		return b
	}
	return a
}

func setUp(cmd *cobra.Command, f *family) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", f.dir, f.SetUp)
	set := exec.CommandContext(cmd.Context(), "sh", "-c", f.SetUp)
	set.Dir, set.Stdout, set.Stderr = f.dir, cmd.ErrOrStderr(), cmd.ErrOrStderr()
	if err := set.Run(); err != nil {
		return fmt.Errorf("setting up %s: %w", f.dir, err)
	}
	return nil
}

// check checks one and gives the exit status of the check.
func (f runFlags) check(cmd *cobra.Command, self string, a anyAdapter) (int, error) {
	args := []string{"check", "--quiet", "--name", a.ID, "--report-dir", filepath.Join(f.reportDir, a.ID)}
	if a.Mode != "exec" {
		args = append(args, "--wire")
	}
	args = append(args, "--timeout", "5s")
	if f.smoke {
		args = append(args, "--smoke")
	} else {
		cases := f.cases
		if a.Cases > 0 {
			cases = min(cases, a.Cases)
		}
		args = append(args, "--cases", strconv.Itoa(cases))
	}
	if _, err := os.Stat(a.baselinePath()); err == nil && !f.noBaseline {
		args = append(args, "--baseline", a.ID+".baseline")
	}
	for status := range a.Statuses {
		args = append(args, "--refuse-status", status)
	}
	return verb(cmd, self, a.family.dir, append(append(args, "--"), a.Command...))
}

// fit makes the baseline of one fit the results of its check.
func (f runFlags) fit(cmd *cobra.Command, self string, a anyAdapter) (int, error) {
	results := filepath.Join(f.reportDir, a.ID, "results.jsonl")
	return verb(cmd, self, a.family.dir, []string{"baseline", "update", "--results", results, a.ID + ".baseline"})
}

// verb runs another verb of this command in a folder and gives its status.
func verb(cmd *cobra.Command, self, dir string, args []string) (int, error) {
	run := exec.CommandContext(cmd.Context(), self, args...)
	run.Dir, run.Stdout, run.Stderr = dir, cmd.OutOrStdout(), cmd.ErrOrStderr()
	// Interrupted, it keeps what was found and ends what it has started.
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) }
	run.WaitDelay = 20 * time.Second
	err := run.Run()
	var ended *exec.ExitError
	switch {
	case cmd.Context().Err() != nil:
		return exitInterrupted, cmd.Context().Err()
	case err == nil:
		return exitConforms, nil
	case errors.As(err, &ended) && slices.Contains(gravity, ended.ExitCode()):
		return ended.ExitCode(), nil
	default:
		return exitInternal, fmt.Errorf("touchstone %s: %w", strings.Join(args, " "), err)
	}
}
