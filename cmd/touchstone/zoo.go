package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/kill"
)

func newZooCommand() *cobra.Command {
	cfg := kill.Config{}
	var out, save, from string
	var strict bool
	cmd := &cobra.Command{
		Use:   "zoo [NAME...]",
		Short: "find out which planted faults are caught, by what, and how soon",
		Long: `Asks every canonicalizer of the zoo, of which each has one planted fault: the
vectors alone, generated cases alone, metamorphic relations alone. Writes the
kill table as Markdown. NAME limits it to some creatures.

Status 1 if a vector is missing, if --strict is given and generated cases miss
a fault, or if one without a fault is accused.`,
		Example: `  touchstone zoo --seeds 1 --cases 50000 --checks 0
  touchstone zoo --seeds 1,2,3,4,5 --cases 1000000 --checks 20000 --out oracle/zoo/TABLE.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				c, ok := zoo.Lookup(name)
				if !ok {
					return usageError(fmt.Errorf("there is no creature %q", name))
				}
				cfg.Creatures = append(cfg.Creatures, c)
			}
			if cfg.Cases < 0 || cfg.Checks < 0 || len(cfg.Seeds) == 0 {
				return usageError(errors.New("--cases and --checks are at least 0, and there is at least one of --seeds"))
			}
			if from != "" {
				measured, err := readMeasured(from)
				if err != nil {
					return usageError(err)
				}
				cfg.Measured = measured
			}
			table, err := measureZoo(cmd, cfg)
			if err != nil {
				return err
			}
			if save != "" {
				if err := writeZoo(cmd, table.WriteMeasured, save); err != nil {
					return err
				}
			}
			if err := writeZoo(cmd, table.Write, out); err != nil {
				return err
			}
			return zooStatus(table, strict)
		},
	}
	f := cmd.Flags()
	cfg.Seeds = []uint64{1}
	f.Var((*seedsFlag)(&cfg.Seeds), "seeds", "seeds of the generated cases, separated by commas")
	f.IntVar(&cfg.Cases, "cases", 50_000, "generated cases for each seed, at most")
	f.IntVar(&cfg.Checks, "checks", 20_000, "checks of relations for each seed, at most")
	f.IntVar(&cfg.Workers, "workers", runtime.NumCPU(), "how many seeds or creatures at once")
	f.StringVar(&out, "out", "-", "where the table goes")
	f.StringVar(&save, "save", "", "write what cases and relations needed into `FILE`")
	f.StringVar(&from, "from", "", "take that from `FILE`, and ask the vectors alone")
	f.BoolVar(&strict, "strict", false, "generated cases must find every fault with every seed")
	return cmd
}

func measureZoo(cmd *cobra.Command, cfg kill.Config) (*kill.Table, error) {
	progress := newCheckProgress(cmd.ErrOrStderr())
	defer progress.end()
	var mu sync.Mutex
	cfg.Progress = func(phase string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		progress.show(check.Progress{Phase: phase, Done: done, Total: total})
	}
	return kill.Measure(cmd.Context(), cfg)
}

func readMeasured(name string) (*kill.Measured, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return kill.ReadMeasured(file)
}

func writeZoo(cmd *cobra.Command, write func(io.Writer) error, out string) error {
	if out == "-" {
		return write(cmd.OutOrStdout())
	}
	file, err := os.Create(out)
	if err != nil {
		return usageError(err)
	}
	if err := write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// zooStatus turns what must not be into an error.
func zooStatus(table *kill.Table, strict bool) error {
	ofVectors, ofCases, _ := table.Survivors()
	accused := table.Accused()
	var wrong []string
	if len(ofVectors) > 0 {
		wrong = append(wrong, "no vector finds "+strings.Join(ofVectors, ", "))
	}
	if strict && len(ofCases) > 0 {
		wrong = append(wrong, "generated cases do not find "+strings.Join(ofCases, ", "))
	}
	if len(accused) > 0 {
		wrong = append(wrong, "accused without a fault: "+strings.Join(accused, "; "))
	}
	if len(wrong) > 0 {
		return exitWith(exitFindings, errors.New(strings.Join(wrong, "\n")))
	}
	return nil
}

// seedsFlag reads numbers separated by commas.
type seedsFlag []uint64

func (s *seedsFlag) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]uint64(*s)), " ", ","), "[]")
}

func (s *seedsFlag) Type() string { return "numbers" }

func (s *seedsFlag) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		var n uint64
		if _, err := fmt.Sscanf(part, "%d", &n); err != nil || fmt.Sprint(n) != part {
			return fmt.Errorf("%q is not a number", part)
		}
		*s = append(*s, n)
	}
	return nil
}
