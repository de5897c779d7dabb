package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
)

// The cases of a chunk, after which a hunt notes how far it is: seconds of
// work.
const (
	chunkBuiltIn = 20_000
	chunkWire    = 2_000
	chunkExec    = 50
)

// huntFlags are the flags of the verb hunt.
type huntFlags struct {
	checkFlags
	shard string
	cases int64
	time  time.Duration
	state string
	fresh bool
}

func newHuntCommand() *cobra.Command {
	var f huntFlags
	cmd := &cobra.Command{
		Use:   "hunt [flags] [-- COMMAND [ARG]...]",
		Short: "look for departures in generated cases, for as long as you like",
		Long: `Puts generated documents to the built-in implementations, or to COMMAND, until the
budget is used up. Each kind of departure is minimized, shown and written to the
state file when it is first seen, and so is how far the hunt is: an interrupt
loses nothing, and the same command goes on where the last one ended.

Several machines share a hunt by shards: --shard 1/4 to --shard 4/4 with one seed
ask different cases.

Exit status: 0 nothing new; 1 departures that no baseline knows; 130
interrupted.`,
		Example: `  touchstone hunt --peer cyberphone --no-baseline --time 2m
  touchstone hunt --seed 7 --shard 3/16 --cases 10000000
  touchstone hunt --wire -- node adapter.mjs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := commandAfterDash(cmd, args)
			if err != nil {
				return err
			}
			h, err := f.hunt(cmd, command)
			if err != nil {
				return usageError(err)
			}
			defer h.state.close()
			return h.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	f.cases = 1_000_000
	flags.StringVar(&f.profile, "profile", "rfc8785", "which rules decide: rfc8785, ijson or rfc0016")
	flags.StringArrayVar(&f.peers, "peer", nil, "hunt in this built-in implementation only (repeatable)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the cases")
	flags.StringVar(&f.shard, "shard", "1/1", "which part of how many")
	flags.Int64Var(&f.cases, "cases", f.cases, "how many cases this shard asks in all, earlier runs included; 0: no end")
	flags.DurationVar(&f.time, "time", 0, "how long this run may take, about; 0: no end")
	flags.StringVar(&f.state, "state", "", "file of findings and progress (default reports/out/hunt-SEED-SHARD.jsonl)")
	flags.BoolVar(&f.fresh, "fresh", false, "begin again: forget what the state file holds")
	flags.BoolVar(&f.wire, "wire", false, "COMMAND speaks the line protocol")
	flags.StringVar(&f.name, "name", "", "what to call COMMAND in reports")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Second, "the most time for one document")
	flags.StringArrayVar(&f.statuses, "refuse-status", nil, "exit status with which COMMAND refuses, instead of 1 (repeatable)")
	flags.StringVar(&f.baseline, "baseline", "", "file of the findings known of COMMAND, or of the one --peer")
	flags.BoolVar(&f.noBaseline, "no-baseline", false, "know nothing: every finding is new")
	flags.IntVar(&f.workers, "workers", 0, "how many questions at a time (0: one for each processor, at most 8)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only what no baseline knows and the totals; no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show texts in full, and how often each feature was drawn")
	return cmd
}

// hunt is a campaign that is under way.
type hunt struct {
	cfg      check.Config
	shard    int64 // from 0
	shards   int64
	chunk    int64
	cases    int64
	deadline time.Time // zero: none
	state    *huntState
	out      io.Writer
	meter    *meter // nil: no progress is shown
	quiet    bool
	most     int // bytes of a text that are shown

	mu         sync.Mutex
	histograms []*grammar.Histogram // of the chunk's workers
}

// hunt turns the flags into a campaign. Its errors are the user's.
func (f *huntFlags) hunt(cmd *cobra.Command, command []string) (*hunt, error) {
	f.number, f.relations = -1, "off"
	f.checkFlags.cases = 1
	cfg, err := f.config(command)
	if err != nil {
		return nil, err
	}
	cfg.Vectors, cfg.Complete = nil, false
	h := &hunt{cfg: cfg, cases: f.cases, chunk: chunkBuiltIn, out: cmd.OutOrStdout(), quiet: f.quiet, most: 200}
	if f.verbose {
		h.most = -1
	}
	if n, _ := fmt.Sscanf(f.shard, "%d/%d", &h.shard, &h.shards); n != 2 || fmt.Sprintf("%d/%d", h.shard, h.shards) != f.shard || h.shard < 1 || h.shard > h.shards {
		return nil, fmt.Errorf("--shard %q: give a part and how many there are, such as 3/16", f.shard)
	}
	h.shard--
	if f.cases < 0 || f.time < 0 {
		return nil, errors.New("--cases and --time are not less than nothing")
	}
	if f.cases == 0 && f.time == 0 && !isTerminal(os.Stdin) {
		return nil, errors.New("a hunt without end needs someone to end it: give --cases or --time")
	}
	if f.time > 0 {
		h.deadline = time.Now().Add(f.time)
	}
	switch {
	case f.wire:
		h.chunk = chunkWire
	case len(command) > 0:
		h.chunk = chunkExec
	}
	path := f.state
	if path == "" {
		path = filepath.Join("reports", "out", fmt.Sprintf("hunt-%d-%dof%d.jsonl", f.seed, h.shard+1, h.shards))
	}
	if h.state, err = openHuntState(path, h.header(), f.fresh); err != nil {
		return nil, err
	}
	if !f.quiet {
		h.meter = newMeter(cmd.ErrOrStderr(), "cases", h.cases)
		h.meter.first, h.meter.deadline = h.state.asked, h.deadline
	}
	return h, nil
}

func (h *hunt) header() huntHeader {
	head := huntHeader{Format: 1, Seed: h.cfg.Seed, Shard: h.shard + 1, Shards: h.shards, Chunk: h.chunk, Profile: h.cfg.Profile.String()}
	for _, e := range h.cfg.Entries {
		head.Subjects = append(head.Subjects, e.Name)
	}
	return head
}

// run asks chunk after chunk.
func (h *hunt) run(ctx context.Context) error {
	debug.SetGCPercent(400) // as check does
	h.cfg.Generator = h.generator
	if h.state.asked > 0 {
		fmt.Fprintf(h.out, "going on after %d cases and %d kinds of departure\n", h.state.asked, len(h.state.seen))
	}
	for ctx.Err() == nil && (h.cases == 0 || h.state.asked < h.cases) && (h.deadline.IsZero() || time.Now().Before(h.deadline)) {
		n := h.next()
		if err := h.oneChunk(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		if err := h.state.noteChunk(n, h.features()); err != nil {
			return err
		}
	}
	h.clear()
	return h.summary(ctx)
}

// next chooses the cases that come next: the chunks of all shards alternate.
func (h *hunt) next() (cases int64) {
	chunk, within := h.state.asked/h.chunk, h.state.asked%h.chunk
	cases = h.chunk - within
	if h.cases > 0 {
		cases = min(cases, h.cases-h.state.asked)
	}
	h.cfg.First = uint64((chunk*h.shards+h.shard)*h.chunk + within)
	h.cfg.Cases = int(cases)
	return cases
}

// oneChunk asks one chunk and notes what is new.
func (h *hunt) oneChunk(ctx context.Context) error {
	before := h.state.asked
	h.cfg.Progress = func(now check.Progress) {
		if h.meter == nil {
			return
		}
		if now.Phase == "generated cases" {
			before = h.state.asked + int64(now.Done)
		}
		h.meter.note = found(len(h.state.seen))
		h.meter.set(before)
	}
	h.cfg.Emit = func(result.Record) error { return nil }
	h.histograms = nil
	run, err := check.Run(ctx, h.cfg)
	if err != nil {
		return err
	}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			fmt.Fprintf(h.out, "%s would not start: %s\n", s.Subject, escaped(s.NoStart))
			return exitWith(exitNoStart, nil)
		}
	}
	for i := range run.Findings {
		finding := &run.Findings[i]
		if ctx.Err() != nil && h.state.hasLike(finding) {
			continue // neither minimized nor its effect proved: most likely what is known
		}
		number, isNew, err := h.state.noteFinding(finding)
		if err != nil {
			return err
		}
		if isNew && (finding.Known == nil || !h.quiet) {
			h.clear()
			showHunted(h.out, number, finding, h.most)
		}
	}
	return nil
}

// found words how much was found so far.
func found(kinds int) string {
	switch kinds {
	case 0:
		return ""
	case 1:
		return "1 kind of departure"
	}
	return fmt.Sprintf("%d kinds of departure", kinds)
}

// clear takes the line of progress away.
func (h *hunt) clear() {
	if h.meter != nil {
		h.meter.end()
	}
}

// generator is the grammar's documents, counted by their features.
func (h *hunt) generator(seed uint64) func(number uint64) []byte {
	var g grammar.Generator
	source := grammar.NewSeeded(seed, 0)
	counts := new(grammar.Histogram)
	h.mu.Lock()
	h.histograms = append(h.histograms, counts)
	h.mu.Unlock()
	return func(number uint64) []byte {
		source.Reset(seed, number)
		text := g.Document(source)
		counts.Add(len(text), g.Features())
		return text
	}
}

func (h *hunt) features() map[string]int64 {
	var sum grammar.Histogram
	for _, one := range h.histograms {
		sum.Merge(one)
	}
	counts := sum.Counts()
	for _, f := range []grammar.Feature{grammar.PairSame, grammar.PairDifferent} { // documents are put one by one
		delete(counts, f.String())
	}
	return counts
}

// summary says what the hunt has found in all its runs.
func (h *hunt) summary(ctx context.Context) error {
	fmt.Fprintf(h.out, "%d cases, %d kinds of departure, %d of them new; %s\n", h.state.asked, len(h.state.seen), h.state.unknown, h.state.path)
	var never []string
	for name, n := range h.state.features {
		if n == 0 {
			never = append(never, name)
		}
	}
	if len(never) > 0 && h.state.asked > 0 {
		slices.Sort(never)
		names := strings.Join(never[:min(4, len(never))], ", ")
		if len(never) > 4 {
			names += ", …"
		}
		fmt.Fprintf(h.out, "%d of %d features were never drawn: %s\n", len(never), len(h.state.features), names)
	}
	if h.most < 0 {
		for _, name := range slices.Sorted(maps.Keys(h.state.features)) {
			fmt.Fprintf(h.out, "  %-26s %d\n", name, h.state.features[name])
		}
	}
	switch {
	case ctx.Err() != nil:
		return exitWith(exitInterrupted, ctx.Err())
	case h.state.unknown > 0:
		return exitWith(exitFindings, nil)
	}
	return nil
}

// showHunted prints a finding in a few lines, and so many bytes of each text.
func showHunted(out io.Writer, number int, f *result.Finding, most int) {
	known := ""
	if f.Known != nil {
		known = ", known"
	}
	fmt.Fprintf(out, "%d. %s: %s, %s, %s%s\n", number, escaped(f.Subject), f.Outcome, f.Effect, f.Requirement, known)
	fmt.Fprintf(out, "   %s\n   input    %s\n", escaped(f.Signature), reports.Escape([]byte(f.Input), most))
	if f.Expected != nil {
		fmt.Fprintf(out, "   expected %s\n", reports.Escape([]byte(f.Expected), most))
	}
	if f.Given == result.OK {
		fmt.Fprintf(out, "   given    %s\n", reports.Escape([]byte(f.Actual), most))
	} else {
		fmt.Fprintf(out, "   given    %s\n", f.Given)
	}
}

// escaped makes hostile text fit for a terminal, and cuts it.
func escaped[T string | []byte](text T) string { return reports.Escape(text, 200) }
