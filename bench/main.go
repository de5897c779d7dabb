// Command bench measures canonicalizers, and what else reads or writes JSON,
// one after the other in each of several rounds, and writes ratios with their
// spread. See README.md.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/bench/documents"
	"github.com/touchstone-oracle/touchstone/canon"
)

type settings struct {
	sets, engines, groups, docs, out string
	rounds                           int
	slice                            time.Duration
	seed                             uint64
	curve                            bool
}

func main() {
	var s settings
	flag.StringVar(&s.groups, "groups", "large,small,canonical,hostile,given", "groups of sets, separated by commas")
	flag.StringVar(&s.sets, "sets", "", "only sets whose name contains one of these words, separated by commas")
	flag.StringVar(&s.engines, "engines", "", "only these engines, separated by commas; "+baseline+" always runs")
	flag.StringVar(&s.docs, "docs", "", "measure the *.json files of this folder too; a list of strings is a set of documents")
	flag.StringVar(&s.out, "out", "", "write bench.json, bench.md and bench.svg into this folder")
	flag.IntVar(&s.rounds, "rounds", 9, "rounds")
	flag.DurationVar(&s.slice, "slice", 10*time.Millisecond, "CPU time of an engine in a round")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the generated documents")
	flag.BoolVar(&s.curve, "curve", false, "measure one object of up to a million members too")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	if s.rounds < 1 || s.slice <= 0 {
		return fmt.Errorf("rounds and slice must be positive")
	}
	sets, err := allSets(s)
	if err != nil {
		return err
	}
	sets = slices.DeleteFunc(sets, func(x documents.Set) bool {
		return !listed(s.groups, func(word string) bool { return word == x.Group }) ||
			s.sets != "" && !listed(s.sets, func(word string) bool { return strings.Contains(x.Name, word) })
	})
	if len(sets) == 0 {
		return fmt.Errorf("no set is left by -groups and -sets")
	}
	all := slices.DeleteFunc(engines(), func(e engine) bool {
		return s.engines != "" && e.name != baseline && !listed(s.engines, func(word string) bool { return word == e.name })
	})
	r := &report{Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Baseline: baseline, Rounds: s.rounds}
	for i, x := range sets {
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(sets), x.Name)
		r.Results = append(r.Results, measure(all, x, s.rounds, s.slice)...)
	}
	pairs := slices.DeleteFunc(documents.Pairs(), func(p documents.Pair) bool {
		return !slices.ContainsFunc(sets, func(x documents.Set) bool { return x.Name == p.Hostile.Name })
	})
	if e := slices.IndexFunc(all, func(e engine) bool { return e.name == "canon" }); e >= 0 {
		r.Pairs = measurePairs(all[e], pairs, s.rounds, s.slice)
	}
	if s.curve {
		r.Curve = curve(s.rounds)
		r.Extremes = extremes(s.rounds)
	}
	fmt.Print(r.markdown())
	return r.write(s.out)
}

func listed(words string, is func(string) bool) bool {
	return slices.ContainsFunc(strings.Split(words, ","), is)
}

func allSets(s settings) ([]documents.Set, error) {
	large, err := documents.Large(func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	sets := append(large, documents.Small(s.seed)...)
	canonical, err := documents.Canonical(sets)
	if err != nil {
		return nil, err
	}
	sets = append(append(sets, canonical...), documents.Hostile()...)
	if s.docs != "" {
		given, err := documents.Folder(s.docs)
		if err != nil {
			return nil, err
		}
		sets = append(sets, given...)
	}
	return sets, nil
}

// curve shows what sorting costs.
func curve(rounds int) (points []point) {
	o := canon.Options{MaxInput: -1}
	for n := 10; n <= 1_000_000; n *= 10 {
		doc := documents.Wide(n)
		e := engine{name: "canon", run: func(src []byte) error {
			_, err := o.Canonicalize(src)
			return err
		}}
		s := documents.Set{Docs: [][]byte{doc}}
		passesOfOne := max(1, 1_000_000/n/10)
		var times []float64
		for range min(rounds, 5) {
			times = append(times, float64(passes(e, s, passesOfOne))/float64(passesOfOne)/float64(len(doc)))
		}
		_, median, _ := quartiles(times)
		points = append(points, point{n, median})
	}
	return points
}

// extremes shows that neither length nor depth costs more than the bytes.
func extremes(rounds int) (results []extreme) {
	const million = 1_000_000
	o := canon.Options{MaxInput: -1}
	for _, x := range []struct {
		what    string
		doc     []byte
		refused bool
	}{
		{"100 MB of records", documents.Records(100 * million), false},
		{"a million open arrays, refused", bytes.Repeat([]byte("["), million), true},
		{"a million open objects, refused", bytes.Repeat([]byte(`{"a":`), million), true},
	} {
		var out []byte
		e := engine{run: func(src []byte) (err error) {
			out, err = o.Append(out[:0], src)
			return err
		}}
		s := documents.Set{Name: x.what, Docs: [][]byte{x.doc}}
		if refused := firstError(e, s) != nil; refused != x.refused {
			panic(x.what) // the documents are ours
		}
		var times []float64
		for range min(rounds, 5) {
			times = append(times, passes(e, s, 1).Seconds()*1e9/float64(len(x.doc)))
		}
		_, median, _ := quartiles(times)
		results = append(results, extreme{x.what, len(x.doc), median})
	}
	return results
}

// write writes the files of a run.
func (r *report) write(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	files := map[string]string{"bench.json": string(text) + "\n", "bench.md": r.markdown(), "bench.svg": r.svg()}
	for name, content := range files {
		if content == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
