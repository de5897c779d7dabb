// Command gate counts the instructions a byte of canon under valgrind's
// callgrind and compares them with a committed file. Counts differ by a few in a
// thousand from run to run, unlike times. valgrind shows the program a processor
// without AVX-512.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/bench/documents"
	"github.com/touchstone-oracle/touchstone/canon"
)

// gateFile holds instructions per byte, and how many bytes importing canon adds
// to a program.
type gateFile struct {
	Go       string             `json:"go"`
	Platform string             `json:"platform"`
	Size     int64              `json:"addedBytes"`
	Append   map[string]float64 `json:"append"`
	Valid    map[string]float64 `json:"valid"`
}

// gateTolerance is how much more than the committed number is allowed.
const gateTolerance = 0.02

// sizeTolerance is the same for the bytes that are added, which go in pages.
const sizeTolerance = 0.1

// gatePasses is how often a set is run under callgrind.
const gatePasses = 3

// gateDocuments bounds the documents of a small set, since callgrind is slow.
const gateDocuments = 200

// gateNames are the sets that the gate counts: the core sets and two more.
var gateNames = append([]string{"golang_source", "string_escaped"}, documents.Core...)

// gateSet gives one of them.
func gateSet(name string) (documents.Set, error) {
	large, err := documents.Large(func(n string) bool { return n == name })
	if err != nil {
		return documents.Set{}, err
	}
	for _, s := range append(large, documents.Small(1)...) {
		if s.Name == name {
			s.Docs = s.Docs[:min(len(s.Docs), gateDocuments)]
			return s, nil
		}
	}
	return documents.Set{}, fmt.Errorf("no set %q", name)
}

// gate compares the counts with the file at path, or writes them there: all, or
// those of one set.
func gate(path, only string, update bool, out io.Writer) error {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return fmt.Errorf("the gate needs valgrind: %w", err)
	}
	var committed gateFile
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &committed)
	}
	if err != nil && !(update && errors.Is(err, os.ErrNotExist)) {
		return fmt.Errorf("%s: %w", path, err)
	}
	counted := gateFile{Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Append: map[string]float64{}, Valid: map[string]float64{}}
	if counted.Size, err = addedBytes(); err != nil {
		return err
	}
	fmt.Fprintf(out, "importing canon adds %d bytes to a program, committed %d\n", counted.Size, committed.Size)
	worse := 0
	if !update && float64(counted.Size) > float64(committed.Size)*(1+sizeTolerance) {
		worse++
	}
	for _, name := range gateNames {
		if only != "" && name != only {
			maps.Copy(counted.Append, kept(committed.Append, name))
			maps.Copy(counted.Valid, kept(committed.Valid, name))
			continue
		}
		s, err := gateSet(name)
		if err != nil {
			return err
		}
		for _, row := range []struct {
			operation       string
			counted, before map[string]float64
		}{{"append", counted.Append, committed.Append}, {"valid", counted.Valid, committed.Valid}} {
			n, err := count(valgrind, s, row.operation)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", row.operation, s.Name, err)
			}
			row.counted[s.Name] = n
			before, known := row.before[s.Name]
			verdict := ""
			switch {
			case update:
			case !known:
				verdict, worse = "  not in the file", worse+1
			case n > before*(1+gateTolerance):
				verdict, worse = "  more than before", worse+1
			case n < before*(1-gateTolerance):
				verdict = "  less than before: commit it"
			}
			fmt.Fprintf(out, "%-18s %-7s %8.3f instructions a byte, committed %8.3f%s\n", s.Name, row.operation, n, before, verdict)
		}
	}
	if update {
		text, err := json.MarshalIndent(counted, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if worse > 0 {
		return fmt.Errorf("%d counts are beyond %s by more than %v %% (counted with %s, committed with %s)",
			worse, path, gateTolerance*100, counted.Go, committed.Go)
	}
	return nil
}

// kept gives one count as it was, if there was one.
func kept(counts map[string]float64, name string) map[string]float64 {
	if n, ok := counts[name]; ok {
		return map[string]float64{name: n}
	}
	return nil
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count gives the instructions a byte of one operation on a set.
func count(valgrind string, s documents.Set, operation string) (float64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	// Append and Valid are inlined into their callers; these are not.
	symbol := "*canon.*rules*." + operation
	root, err := documents.GoRoot()
	if err != nil {
		return 0, err
	}
	var log bytes.Buffer
	for try := 1; ; try++ { // valgrind itself crashes now and then
		log.Reset()
		cmd := exec.Command(valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect="+symbol,
			self, "-worker", s.Name+"/"+operation)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off", "GOROOT="+root)
		cmd.Stdout, cmd.Stderr = &log, &log
		if err = cmd.Run(); err == nil {
			break
		}
		if try == 3 {
			return 0, fmt.Errorf("%w: %s", err, tail(log.Bytes()))
		}
	}
	found := collected.FindSubmatch(log.Bytes())
	if found == nil {
		return 0, fmt.Errorf("valgrind tells no count: %s", tail(log.Bytes()))
	}
	n, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("nothing was counted: is there a function %s?", symbol)
	}
	if operation == "valid" {
		canonical, err := documents.Canonical([]documents.Set{s})
		if err != nil {
			return 0, err
		}
		s = canonical[0]
	}
	return n / float64(gatePasses*s.Size()), nil
}

func tail(log []byte) []byte { return log[max(0, len(log)-400):] }

// gateWorker is what runs under valgrind.
func gateWorker(job string) error {
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	name, operation, _ := strings.Cut(job, "/")
	s, err := gateSet(name)
	if err != nil {
		return err
	}
	out := make([]byte, 0, 4<<20)
	do := func(src []byte) error {
		out, err = canon.Append(out[:0], src)
		return err
	}
	if operation == "valid" {
		canonical, err := documents.Canonical([]documents.Set{s})
		if err != nil {
			return err
		}
		s = canonical[0]
		do = func(src []byte) error {
			if !canon.Valid(src) {
				return errors.New("not canonical")
			}
			return nil
		}
	}
	growStack(100)
	for range gatePasses {
		for _, d := range s.Docs {
			if err := do(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	path := flag.String("file", "bench/gate/instructions.json", "the committed counts")
	only := flag.String("set", "", "only this set")
	update := flag.Bool("update", false, "write the file")
	worker := flag.String("worker", "", "what runs under valgrind: a set and an operation")
	flag.Parse()
	err := error(nil)
	if *worker != "" {
		err = gateWorker(*worker)
	} else {
		err = gate(*path, *only, *update, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// growStack makes the goroutine's stack large, so that it need not grow, and be
// entered twice, while instructions are counted.
//
//go:noinline
func growStack(n int) byte {
	var frame [1024]byte
	frame[n] = 1
	if n > 0 {
		return growStack(n-1) + frame[n]
	}
	return frame[n]
}
