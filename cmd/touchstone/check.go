package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/ladder"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
	"github.com/touchstone-oracle/touchstone/reports"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// The numbers of generated cases, if none is asked for: a minute's work at most.
const (
	casesBuiltIn = 200_000
	casesWire    = 20_000
	casesExec    = 500

	relatedBuiltIn = 500
	relatedWire    = 500
	relatedExec    = 4
)

// checkFlags are the flags of the verb check.
type checkFlags struct {
	profile    string
	peers      []string
	vectors    []string
	inputs     []string
	seed       uint64
	cases      int
	number     int64
	smoke      bool
	relations  string
	ladders    []string
	wire       bool
	name       string
	timeout    time.Duration
	statuses   []string
	baseline   string
	noBaseline bool
	reportDir  string
	out        []string
	workers    int
	quiet      bool
	verbose    bool
}

func newCheckCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] [-- COMMAND [ARG]...]",
		Short: "judge implementations: the vectors, then generated cases",
		Long: `Puts the vectors and then generated documents to the built-in implementations,
or to COMMAND, and shows what each gets wrong with the clause that it breaks.

COMMAND is run once for each document, which it reads from its standard input;
it writes the canonical form to its standard output and ends with status 0, or
refuses with status 1 (exec mode). With --wire it is started once and speaks the
line protocol, which is much faster. See docs/protocol.md. A program that takes
long to start is asked the forty vectors that find most with --smoke.

What COMMAND gets wrong is told on standard error when it is seen for the first
time; the summary at the end has it minimized.

All built-in implementations claim RFC 8785. Under the profiles ijson and rfc0016
those that claim it are asked, which are ours; --peer asks another, of which no
baseline knows what it does there.

Results stream to results.jsonl in the report folder; index.html beside it shows
the same. Findings that a baseline knows do not fail the check.

Exit status: 0 conforms; 1 findings that no baseline knows; 3 an implementation
would not start; 4 a baseline entry no longer matches; 5 internal, also a report
that could not be written; 64 usage; 130 interrupted, with what was found
written. Where several hold: 5, 64, 3, 1, 4.`,
		Example: `  touchstone check
  touchstone check --peer gowebpki --vector 'lone-*' --cases 0
  touchstone check -- python3 canonicalize.py
  touchstone check --wire -- node adapter.mjs
  touchstone check --out junit=junit.xml --out markdown=- -- ./canonicalize`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := commandAfterDash(cmd, args)
			if err != nil {
				return err
			}
			return runCheck(cmd, f, command)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.profile, "profile", "rfc8785", "which rules decide: rfc8785, ijson or rfc0016")
	flags.StringArrayVar(&f.peers, "peer", nil, "ask this built-in implementation only (repeatable)")
	flags.StringArrayVar(&f.vectors, "vector", nil, "ask only vectors whose id matches, with * and ? (repeatable; no generated cases)")
	flags.BoolVar(&f.smoke, "smoke", false, "ask only the forty vectors that find most (no generated cases)")
	flags.StringArrayVar(&f.inputs, "input", nil, "ask only this document, in hexadecimal digits (repeatable)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the generated cases")
	flags.IntVar(&f.cases, "cases", -1, fmt.Sprintf("how many cases to generate (-1: %d, by the line protocol %d, in exec mode %d)", casesBuiltIn, casesWire, casesExec))
	flags.Int64Var(&f.number, "case", -1, "ask only the generated case of this number")
	flags.StringVar(&f.relations, "relations", "auto", "metamorphic relations: auto reports a breach that no verdict explains, on every breach (and asks --input too), off asks none")
	flags.StringSliceVar(&f.ladders, "ladders", []string{"off"}, "resource ladders, time and failure against size: off, on for all, or some of "+strings.Join(ladder.Names(), ", "))
	flags.BoolVar(&f.wire, "wire", false, "COMMAND speaks the line protocol")
	flags.StringVar(&f.name, "name", "", "what to call COMMAND in reports")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Second, "the most time for one document")
	flags.StringArrayVar(&f.statuses, "refuse-status", nil, "exit status with which COMMAND refuses, instead of 1 (repeatable)")
	flags.StringVar(&f.baseline, "baseline", "", "file of the findings known of COMMAND, or of the one --peer")
	flags.BoolVar(&f.noBaseline, "no-baseline", false, "know nothing: every finding is new")
	flags.StringVar(&f.reportDir, "report-dir", "reports/out", "folder for results.jsonl and index.html, with --vector, --input and --case its folder replay; empty for none")
	flags.StringArrayVar(&f.out, "out", nil, "FORMAT=PATH, one more report; PATH - is standard output; formats: "+strings.Join(reports.FormatNames(), ", ")+" (repeatable)")
	flags.IntVar(&f.workers, "workers", 0, "how many questions at a time (0: one for each processor, at most 8)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only new findings and the totals; no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show known findings in full too")
	return cmd
}

// commandAfterDash splits off what stands behind "--"; before it nothing may
// stand.
func commandAfterDash(cmd *cobra.Command, args []string) ([]string, error) {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	} else if dash == len(args) {
		return nil, usageError(errors.New("a command is missing behind --"))
	}
	if dash > 0 {
		return nil, usageError(fmt.Errorf("unknown argument %q: a command under test stands behind --", args[0]))
	}
	return args[dash:], nil
}

// narrow reports whether a few cases are asked instead of all.
func (f checkFlags) narrow() bool { return len(f.vectors) > 0 || len(f.inputs) > 0 || f.number >= 0 }

func runCheck(cmd *cobra.Command, f checkFlags, command []string) error {
	cfg, err := f.config(command)
	if err != nil {
		return usageError(err)
	}
	if f.narrow() && !cmd.Flags().Changed("report-dir") {
		f.reportDir = filepath.Join(f.reportDir, "replay") // a replay leaves the report that it comes from alone
	}
	sinks, err := openSinks(cmd, f.reportDir, f.out)
	if err != nil {
		return usageError(err)
	}
	defer sinks.abandon()
	cfg.Emit = sinks.record
	progress := newCheckProgress(cmd.ErrOrStderr())
	if !f.quiet {
		cfg.Progress = progress.show
	}
	if !f.quiet && len(command) > 0 {
		w := newWatch(cmd.ErrOrStderr(), cfg, progress)
		cfg.Progress, cfg.Found = w.show, w.found
	}
	if cfg.Profile != reject.RFC8785 && len(command)+len(f.peers) == 0 && !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "profile %s: asked are those that claim it; --peer asks another\n", cfg.Profile)
	}
	debug.SetGCPercent(400) // short-lived documents: memory for a fifth of the time
	run, err := check.Run(cmd.Context(), cfg)
	progress.end()
	if errors.Is(err, check.ErrNothing) {
		return usageError(err)
	}
	if err != nil {
		return err
	}
	options := reports.TerminalOptions{Colour: colourful(cmd.OutOrStdout()), Quiet: f.quiet, Verbose: f.verbose}
	if err := sinks.finish(run, options); err != nil {
		return err
	}
	return statusOfRun(run)
}

// statusOfRun gives the exit status; what was wrong has been printed.
func statusOfRun(run *result.Run) error {
	if run.Footer.Interrupted {
		return exitWith(exitInterrupted, nil) // also where nothing was found so far
	}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			return exitWith(exitNoStart, nil)
		}
	}
	switch {
	case run.New() > 0:
		return exitWith(exitFindings, nil)
	case len(run.Footer.Stale) > 0:
		return exitWith(exitStale, nil)
	}
	return nil
}

// config turns the flags into what a run needs. Its errors are the user's.
func (f *checkFlags) config(command []string) (check.Config, error) {
	cfg := check.Config{Seed: f.seed, Generator: generator, Minimize: shrink.Minimize, Workers: f.workers}
	var err error
	if cfg.Profile, err = reject.ParseProfile(f.profile); err != nil {
		return cfg, err
	}
	if err := f.consistent(command); err != nil {
		return cfg, err
	}
	if cfg.Workers <= 0 {
		cfg.Workers = defaultWorkers()
	}
	if err := f.choose(&cfg, command); err != nil {
		return cfg, err
	}
	cfg.Header = provenance()
	cfg.Entries, err = f.entries(cfg, command)
	return cfg, err
}

func (f *checkFlags) consistent(command []string) error {
	switch {
	case len(command) == 0 && f.wire:
		return errors.New("--wire needs a command: touchstone check --wire -- COMMAND")
	case len(command) == 0 && (f.name != "" || len(f.statuses) > 0):
		return errors.New("--name and --refuse-status need a command: touchstone check -- COMMAND")
	case len(command) > 0 && len(f.peers) > 0:
		return errors.New("--peer chooses a built-in implementation, so no command can stand behind --")
	case f.wire && len(f.statuses) > 0:
		return errors.New("--refuse-status is for exec mode; the line protocol refuses in words")
	case f.baseline != "" && len(command) == 0 && len(f.peers) != 1:
		return errors.New("--baseline is of one implementation: name a command or one --peer")
	case f.baseline != "" && f.noBaseline:
		return errors.New("--baseline and --no-baseline contradict each other")
	case f.timeout <= 0:
		return errors.New("--timeout must be more than nothing")
	case f.cases < -1 || f.number < -1:
		return errors.New("--cases and --case count from 0")
	case !slices.Contains([]string{"auto", "on", "off"}, f.relations):
		return fmt.Errorf("--relations %q: give auto, on or off", shortened(f.relations))
	case f.smoke && (f.narrow() || f.cases > 0):
		return errors.New("--smoke chooses what is asked, so that --vector, --input, --case and --cases cannot")
	case f.cases >= 0 && f.number >= 0:
		return errors.New("--cases and --case contradict each other")
	case f.workers < 0 || f.workers > 256:
		return errors.New("--workers must be 0 to 256")
	}
	return nil
}

// choose chooses what is asked.
func (f *checkFlags) choose(cfg *check.Config, command []string) error {
	narrow := f.narrow()
	for _, digits := range f.inputs {
		if digits == "-" {
			digits = ""
		}
		input, err := hex.DecodeString(digits)
		if err != nil {
			return fmt.Errorf("--input %q: %w", shortened(digits), err)
		}
		cfg.Inputs = append(cfg.Inputs, input)
	}
	if len(cfg.Inputs) > 0 {
		cfg.Minimize = nil // whoever gives an input wants to see that one
	}
	if f.number >= 0 {
		cfg.First, cfg.Cases = uint64(f.number), 1
	}
	switch {
	case f.smoke:
		cfg.Vectors, cfg.Smoke = check.Smoke(), true
	case !narrow:
		cfg.Vectors, cfg.Complete = vectors.All(), true
		if len(command) > 0 {
			cfg.Vectors = soonest(cfg.Vectors)
		}
		cfg.Cases = casesBuiltIn
		if len(command) > 0 {
			cfg.Cases = casesExec
		}
		if f.wire {
			cfg.Cases = casesWire
		}
	}
	if f.cases >= 0 && f.number < 0 {
		cfg.Cases = f.cases
	}
	f.relate(cfg, command)
	if err := f.climb(cfg); err != nil {
		return err
	}
	for _, pattern := range f.vectors {
		before := len(cfg.Vectors)
		for _, v := range vectors.All() {
			ok, err := path.Match(pattern, v.ID)
			if err != nil {
				return fmt.Errorf("--vector %q is no pattern", pattern)
			}
			if ok && !slices.ContainsFunc(cfg.Vectors, func(w vectors.Vector) bool { return w.ID == v.ID }) {
				cfg.Vectors = append(cfg.Vectors, v)
			}
		}
		if len(cfg.Vectors) == before {
			return fmt.Errorf("no vector matches %q; see %q", pattern, "touchstone vectors list")
		}
	}
	return nil
}

// relate chooses how many documents the relations are asked of.
func (f *checkFlags) relate(cfg *check.Config, command []string) {
	if f.relations == "off" {
		return
	}
	cfg.EveryBreach = f.relations == "on"
	cfg.RelateInputs = cfg.EveryBreach
	most := relatedBuiltIn
	if len(command) > 0 {
		most = relatedExec
	}
	if f.wire {
		most = relatedWire
	}
	cfg.Relations = min(cfg.Cases, most)
}

// climb chooses the ladders.
func (f *checkFlags) climb(cfg *check.Config) error {
	switch {
	case slices.Equal(f.ladders, []string{"off"}):
		return nil
	case slices.Equal(f.ladders, []string{"on"}):
		cfg.Ladders = ladder.Names()
		return nil
	}
	for _, name := range f.ladders {
		if _, ok := ladder.Lookup(name); !ok {
			return fmt.Errorf("--ladders %q: give on, off, or some of %s", shortened(name), strings.Join(ladder.Names(), ", "))
		}
	}
	cfg.Ladders = f.ladders
	return nil
}

// soonest puts the vectors that find most first: somebody waits.
func soonest(all []vectors.Vector) []vectors.Vector {
	first := check.Smoke()
	chosen := map[string]bool{}
	for _, v := range first {
		chosen[v.ID] = true
	}
	return append(first, slices.DeleteFunc(slices.Clone(all), func(v vectors.Vector) bool { return chosen[v.ID] })...)
}

func shortened(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// generator gives documents by their number.
func generator(seed uint64) func(number uint64) []byte {
	var g grammar.Generator
	source := grammar.NewSeeded(seed, 0)
	return func(number uint64) []byte {
		source.Reset(seed, number)
		return g.Document(source)
	}
}
