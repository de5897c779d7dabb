package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
)

// sinks are where a run's results go: the stream of records, and the reports
// that are rendered at the end. Files are opened before anything is asked, so
// that a run does not end in vain.
type sinks struct {
	stdout  io.Writer
	stderr  io.Writer
	dir     string
	stream  *os.File
	buffer  *bufio.Writer
	renders []render
	last    *result.Run // the run before this one, for formats that show what changed; nil if there is none
	spoken  bool        // some report goes to standard output, which the summary then leaves alone
}

// render is one report to be written at the end.
type render struct {
	format reports.Format
	file   *pendingFile // nil for standard output
	path   string
}

func openSinks(cmd *cobra.Command, dir string, out []string) (*sinks, error) {
	s := &sinks{stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), dir: dir}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		var err error
		if s.last, err = keepPrevious(dir); err != nil {
			return nil, err
		}
		if s.stream, err = os.Create(filepath.Join(dir, "results.jsonl")); err != nil {
			return nil, err
		}
		s.buffer = bufio.NewWriter(s.stream)
		out = append([]string{"html=" + filepath.Join(dir, "index.html")}, out...)
	}
	for _, one := range out {
		if err := s.add(one); err != nil {
			s.abandon()
			return nil, err
		}
	}
	return s, nil
}

// previousResults is what the results of the last whole run become when the
// next one begins.
const previousResults = "previous.jsonl"

// keepPrevious renames the results of the last run, if it was not cut, and reads
// those of the last whole run; nil if there are none to be read.
func keepPrevious(dir string) (*result.Run, error) {
	last, previous := filepath.Join(dir, "results.jsonl"), filepath.Join(dir, previousResults)
	if run := wholeRun(last); run != nil {
		return run, os.Rename(last, previous)
	}
	return wholeRun(previous), nil
}

// wholeRun reads results; nil if they cannot be read, or of a run that did not
// end by itself.
func wholeRun(path string) *result.Run {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	run, err := reports.Read(bufio.NewReader(file))
	if err != nil || run.Footer.Interrupted {
		return nil
	}
	return run
}

func (s *sinks) add(out string) error {
	name, path, ok := strings.Cut(out, "=")
	format, known := reports.LookupFormat(name)
	if !ok || path == "" || !known {
		return fmt.Errorf("--out %q: give FORMAT=PATH with one of the formats %s", out, strings.Join(reports.FormatNames(), ", "))
	}
	r := render{format: format, path: path}
	if path == "-" {
		if s.spoken {
			return fmt.Errorf("--out %q: standard output is taken already", out)
		}
		s.spoken = true
	} else {
		file, err := createPending(path)
		if err != nil {
			return err
		}
		r.file = file
	}
	s.renders = append(s.renders, r)
	return nil
}

// record writes a record as it comes.
func (s *sinks) record(record result.Record) error {
	if s.stream == nil {
		return nil
	}
	if err := reports.WriteRecord(s.buffer, record); err != nil {
		return fmt.Errorf("writing %s: %w", s.stream.Name(), err)
	}
	if record.Vector == nil {
		return s.buffer.Flush()
	}
	return nil
}

// finish renders everything.
func (s *sinks) finish(run *result.Run, o reports.TerminalOptions) error {
	if s.stream != nil {
		err := s.buffer.Flush()
		if closeErr := s.stream.Close(); err == nil {
			err = closeErr
		}
		s.stream = nil
		if err != nil {
			return err
		}
	}
	if err := s.render(run); err != nil {
		return err
	}
	out := s.stdout
	if s.spoken {
		out, o.Colour = s.stderr, false
	}
	if err := reports.Terminal(out, run, o); err != nil {
		return err
	}
	if s.dir != "" && !o.Quiet {
		fmt.Fprintf(out, "details: %s\n", filepath.Join(s.dir, "index.html"))
	}
	return nil
}

// render writes the reports. Those that are whole stay when one fails.
func (s *sinks) render(run *result.Run) error {
	for len(s.renders) > 0 {
		r := s.renders[0]
		if err := r.write(run, s.last, s.stdout); err != nil {
			return fmt.Errorf("writing the report %s=%s: %w", r.format.Name, r.path, err)
		}
		s.renders = s.renders[1:]
	}
	return nil
}

func (r render) write(run, last *result.Run, stdout io.Writer) error {
	render := func(w io.Writer) error {
		if last != nil && r.format.Since != nil {
			return r.format.Since(w, run, last)
		}
		return r.format.Render(w, run)
	}
	if r.file == nil {
		return render(stdout)
	}
	b := bufio.NewWriter(r.file)
	err := render(b)
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return err
	}
	return r.file.commit()
}

// abandon closes what was not finished and leaves the files as they were.
func (s *sinks) abandon() {
	if s.stream != nil {
		s.stream.Close()
	}
	for _, r := range s.renders {
		if r.file != nil {
			r.file.abandon()
		}
	}
}

// colourful reports whether a stream shows colours: a terminal, unless the user
// wants none (https://no-color.org).
func colourful(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(out)
}

// checkProgress shows how far a check is, phase by phase.
type checkProgress struct {
	out   io.Writer
	phase string
	meter *meter
}

func newCheckProgress(out io.Writer) *checkProgress { return &checkProgress{out: out} }

func (p *checkProgress) show(now check.Progress) {
	if p.phase != now.Phase {
		p.end()
		p.phase = now.Phase
		p.meter = newMeter(p.out, now.Phase, int64(now.Total))
	}
	if now.Findings > 0 {
		p.meter.note = fmt.Sprintf("%d kinds of failure so far", now.Findings)
	}
	p.meter.set(int64(now.Done))
}

func (p *checkProgress) end() {
	if p.meter != nil {
		p.meter.end()
	}
}
