package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/baseline"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/process"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// slowPeers see one generated case in so many: an interpreter takes as long as
// all others together, and the reference is where the verdicts come from.
var slowPeers = map[string]int{"goja": 8, "reference": 4}

// Minimizing asks this many questions at most of an implementation.
const (
	triesBuiltIn = 50_000
	triesWire    = 20_000
	triesExec    = 1_000
)

// patience is the time that minimizing the findings of a program takes at most.
func (f *checkFlags) patience() time.Duration {
	if f.smoke {
		return 20 * time.Second
	}
	return time.Minute
}

// batchExec is how many processes are started before progress shows.
const batchExec = 8

// entries gives the implementations that the flags name.
func (f *checkFlags) entries(cfg check.Config, command []string) ([]check.Entry, error) {
	if len(command) > 0 {
		entry, err := f.commandEntry(cfg, command)
		return []check.Entry{entry}, err
	}
	names := f.peers
	if len(names) == 0 {
		names = claimants(cfg.Profile)
	}
	var all []check.Entry
	for _, name := range names {
		p, err := peer.Lookup(name)
		if err != nil {
			return nil, err
		}
		known, err := f.known(name)
		if err != nil {
			return nil, err
		}
		options := peer.Options{Profile: cfg.Profile, CaseLimit: f.timeout}
		all = append(all, check.Entry{
			Name: name, Every: slowPeers[name], Tries: triesBuiltIn, Baseline: known,
			Open:   func(context.Context) (check.Subject, error) { return p.Open(options), nil },
			Replay: func(selection string) string { return "touchstone check --peer " + name + " " + selection },
		})
	}
	return all, nil
}

// claimants are the built-in implementations that claim a profile: all claim
// RFC 8785, ours alone the stricter ones.
func claimants(p reject.Profile) (names []string) {
	for _, one := range peer.All() {
		if p == reject.RFC8785 || one.Info().Ours {
			names = append(names, one.Name)
		}
	}
	return names
}

// known gives the baseline of a built-in implementation, or the file that the
// flags name.
func (f *checkFlags) known(name string) (*baseline.File, error) {
	switch {
	case f.noBaseline:
		return nil, nil
	case f.baseline == "" && name != "":
		return baseline.Builtin(name)
	case f.baseline == "":
		return nil, nil
	}
	text, err := os.ReadFile(f.baseline)
	if err != nil {
		return nil, err
	}
	return baseline.Parse(f.baseline, text)
}

// commandEntry is the program behind "--".
func (f *checkFlags) commandEntry(cfg check.Config, command []string) (check.Entry, error) {
	known, err := f.known("")
	if err != nil {
		return check.Entry{}, err
	}
	options := process.Options{Name: f.name, Profile: cfg.Profile, CaseLimit: f.timeout, Processes: 1, Adopt: true}
	if options.Statuses, err = f.statusMap(); err != nil {
		return check.Entry{}, err
	}
	entry := check.Entry{Name: f.name, Mode: result.ModeExec, Tries: triesExec, Baseline: known, Patience: f.patience(), Batch: batchExec}
	if entry.Name == "" {
		entry.Name = commandName(command)
	}
	open := func(ctx context.Context) (check.Subject, error) { return process.OpenExec(ctx, command, options) }
	flags := "touchstone check "
	if f.wire {
		entry.Mode, entry.Tries, entry.Batch, flags = result.ModeWire, triesWire, 0, flags+"--wire "
		open = func(ctx context.Context) (check.Subject, error) {
			w, err := process.OpenWire(ctx, command, options)
			var start *process.StartError
			if errors.As(err, &start) {
				start.Cause = fmt.Errorf("%w; without --wire a program is run once a document and speaks no protocol", start.Cause)
			}
			return w, err
		}
	}
	for _, status := range f.statuses {
		flags += "--refuse-status " + status + " "
	}
	entry.Open = open
	entry.Replay = func(selection string) string { return flags + selection + " -- " + shellQuoted(command) }
	return entry, nil
}

func (f *checkFlags) statusMap() (map[int]result.AnswerKind, error) {
	if len(f.statuses) == 0 {
		return nil, nil
	}
	m := map[int]result.AnswerKind{0: result.OK, exitUnsupported: result.Skipped}
	for _, s := range f.statuses {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 255 {
			return nil, fmt.Errorf("--refuse-status %q: give an exit status from 1 to 255", s)
		}
		m[n] = result.Rejected
	}
	return m, nil
}

// commandName calls a program by its file, an interpreter by its script.
func commandName(command []string) string {
	base := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	for _, arg := range command[1:] {
		if !strings.HasPrefix(arg, "-") && strings.ContainsRune(base(arg), '.') {
			return base(arg)
		}
	}
	return base(command[0])
}

// shellQuoted writes a command as a shell reads it.
func shellQuoted(command []string) string {
	var words []string
	for _, w := range command {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func defaultWorkers() int { return min(runtime.GOMAXPROCS(0), 8) }

// provenance is what a results file says of where it was made.
func provenance() result.Header {
	return result.Header{
		Version: version(), Suite: vectors.Digest(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
		Started: time.Now().UTC().Format(time.RFC3339),
	}
}

// version is the command's own: the module's, or the commit that it was built
// from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "development"
}
