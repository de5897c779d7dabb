package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/kill"
)

func newZooCommand() *cobra.Command {
	cfg := kill.Config{}
	var out, save, from, engines string
	var strict, quiet, list bool
	cmd := &cobra.Command{
		Use:   "zoo [NAME...]",
		Short: "find out which planted faults are caught, by what, and how soon",
		Long: `Asks every canonicalizer of the zoo, of which each has one planted fault: the
vectors alone, generated cases alone, metamorphic relations alone. Writes the
kill table as Markdown. NAME limits it to some creatures. An interrupt leaves
what was measured until then in a file with ".part" behind its name.

Status 1 if a vector is missing, if --strict is given and generated cases miss
a fault, or if one without a fault is accused.`,
		Example: `  touchstone zoo --seeds 1 --cases 50000 --checks 0
  touchstone zoo order-none deep-crash --seeds 1,2,3
  touchstone zoo --from oracle/zoo/measured.tsv --out oracle/zoo/TABLE.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return listCreatures(cmd.OutOrStdout(), args)
			}
			for _, name := range args {
				c, ok := zoo.Lookup(name)
				if !ok {
					return usageError(fmt.Errorf("there is no creature %q", name))
				}
				cfg.Creatures = append(cfg.Creatures, c)
			}
			if cfg.Cases < 0 || cfg.Checks < 0 || cfg.Workers < 0 || cfg.Faultless < 0 || len(cfg.Seeds) == 0 {
				return usageError(errors.New("--cases, --faultless, --checks and --workers are at least 0, and there is at least one of --seeds"))
			}
			if from != "" {
				measured, err := readMeasured(from)
				if err != nil {
					return usageError(err)
				}
				cfg.Measured = measured
			}
			if engines != "" {
				figures, err := readEngines(engines)
				if err != nil {
					return usageError(err)
				}
				cfg.Engines = figures
			}
			table, err := runZoo(cmd, cfg, out, save, quiet)
			if err != nil {
				return err
			}
			return zooStatus(table, strict)
		},
	}
	f := cmd.Flags()
	cfg.Seeds = []uint64{1}
	f.Var((*seedsFlag)(&cfg.Seeds), "seeds", "seeds of the generated cases, separated by commas")
	f.IntVar(&cfg.Cases, "cases", 50_000, "generated cases for each seed, at most")
	f.IntVar(&cfg.Faultless, "faultless", 0, "how many of these the creatures without a fault get, which none takes out of the run (0: all)")
	f.IntVar(&cfg.Checks, "checks", 20_000, "checks of relations for each seed, at most")
	f.IntVar(&cfg.Workers, "workers", 0, "how many seeds or creatures at once (0: one for each processor)")
	f.StringVar(&out, "out", "-", "where the table goes")
	f.StringVar(&save, "save", "", "write what cases and relations needed into `FILE`")
	f.StringVar(&from, "from", "", "take that from `FILE`, and ask the vectors alone")
	f.StringVar(&engines, "engines", "", "add what engines needed, as tools/zoo-engines.sh wrote it into `FILE`")
	f.BoolVar(&list, "list", false, "list the creatures and do nothing else")
	f.BoolVarP(&quiet, "quiet", "q", false, "no progress")
	f.BoolVar(&strict, "strict", false, "generated cases must find every fault with every seed")
	return cmd
}

// runZoo measures and writes the table, and the measurement if it is wanted.
func runZoo(cmd *cobra.Command, cfg kill.Config, out, save string, quiet bool) (*kill.Table, error) {
	files, err := createParts(out, save)
	if err != nil {
		return nil, usageError(err)
	}
	defer closeAll(files)
	if cfg.Workers == 0 {
		cfg.Workers = runtime.NumCPU()
	}
	debug.SetGCPercent(400) // as check does
	table, err := measureZoo(cmd, cfg, quiet)
	if err != nil && (table == nil || err != cmd.Context().Err()) {
		return nil, err
	}
	if err := writePart(cmd, table.Write, files[0]); err != nil {
		return nil, err
	}
	if err != nil { // an interrupt keeps what was measured, beside what stood there
		return nil, err
	}
	if err := rename(files[0], out); err != nil {
		return nil, err
	}
	if files[1] != nil {
		if err := writePart(cmd, table.WriteMeasured, files[1]); err != nil {
			return nil, err
		}
		if err := rename(files[1], save); err != nil {
			return nil, err
		}
	}
	return table, nil
}

func measureZoo(cmd *cobra.Command, cfg kill.Config, quiet bool) (*kill.Table, error) {
	progress := newCheckProgress(cmd.ErrOrStderr())
	defer progress.end()
	var mu sync.Mutex
	cfg.Progress = func(phase string, done, total int) {
		if quiet {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		progress.show(check.Progress{Phase: phase, Done: done, Total: total})
	}
	return kill.Measure(cmd.Context(), cfg)
}

// listCreatures writes the names, one a line, as other programs read them.
func listCreatures(out io.Writer, args []string) error {
	if len(args) > 0 {
		return usageError(errors.New("--list takes no names"))
	}
	for _, c := range zoo.All() {
		if _, err := fmt.Fprintln(out, c.Name); err != nil {
			return err
		}
	}
	return nil
}

func readEngines(name string) (*kill.Engines, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return kill.ReadEngines(file)
}

func readMeasured(name string) (*kill.Measured, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return kill.ReadMeasured(file)
}

// createParts opens a file NAME.part for each name before anything is measured,
// so that a run does not end in vain, and one that is interrupted leaves NAME
// alone; nil for standard output, and for none.
func createParts(names ...string) ([]*os.File, error) {
	var files []*os.File
	for _, name := range names {
		if name == "-" || name == "" {
			files = append(files, nil)
			continue
		}
		file, err := os.Create(name + ".part")
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// closeAll closes files, and removes those in which nothing was written.
func closeAll(files []*os.File) {
	for _, file := range files {
		if file == nil {
			continue
		}
		file.Close()
		if info, err := os.Stat(file.Name()); err == nil && info.Size() == 0 {
			os.Remove(file.Name())
		}
	}
}

// writePart writes to a file and closes it, or to standard output.
func writePart(cmd *cobra.Command, write func(io.Writer) error, file *os.File) error {
	if file == nil {
		return write(cmd.OutOrStdout())
	}
	if err := write(file); err != nil {
		return err
	}
	return file.Close()
}

// rename gives a file that is whole its name.
func rename(file *os.File, name string) error {
	if file == nil {
		return nil
	}
	return os.Rename(file.Name(), name)
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
