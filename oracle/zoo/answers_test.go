package zoo_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

var update = flag.Bool("update", false, "write testdata/answers.tsv anew, to be reviewed")

// Every creature departs from the control where its text says, how it says, and
// nowhere else: testdata/answers.tsv has for each how many probes it answers
// otherwise, a digest of these answers, and the shortest such probe with the
// answer. The first that does not ends the test, since a fault in what all share
// can make every one of them hang.
func TestEveryCreatureDepartsAsItIsKnownTo(t *testing.T) {
	const file = "testdata/answers.tsv"
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for line := range strings.Lines(string(table)) {
		name, _, _ := strings.Cut(line, "\t")
		told[name] = line
	}
	control := newAsked(zoo.Control())
	answered := map[string]answer{}
	right := func(text string) answer {
		a, ok := answered[text]
		if !ok {
			a = control.ask(text)
			answered[text] = a
		}
		return a
	}
	var all strings.Builder
	for i, c := range zoo.All() {
		if testing.Short() && !*update && i%8 != 0 { // under the race detector all take a minute
			delete(told, c.Name)
			continue
		}
		if !t.Run(c.Name, func(t *testing.T) {
			beside := right
			if c.Name == "control" {
				beside = func(string) answer { return answer{} } // it departs from silence
			}
			line := departures(c, beside) + "\n"
			if all.WriteString(line); !*update && line != told[c.Name] {
				t.Errorf("it is\n%s%s has\n%sIf that is what it is to do: go test -run EveryCreature ./oracle/zoo -update", line, file, told[c.Name])
			}
		}) {
			return
		}
		delete(told, c.Name)
	}
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(told) > 0 {
		t.Errorf("%s has creatures that there are not: %v", file, slices.Sorted(maps.Keys(told)))
	}
}

// The control gives what the reference gives, with every probe. Of two faults in
// one text each may name another.
func TestControlIsRightWithProbes(t *testing.T) {
	ask := newAsked(zoo.Control())
	for _, text := range probesOf(zoo.Control()) {
		want, err := reference.Canonicalize([]byte(text))
		got := ask.ask(text)
		if refused := strings.HasPrefix(got.told, "refuses: "); refused != (err != nil) || !refused && got.told != string(want) {
			t.Fatalf("%.80q gives %.200q; the reference %.200q, %v", text, got.told, want, err)
		}
	}
}

type answer struct {
	told  string
	steps int64
}

// An asked is a creature that is asked one text after the other, and started
// again after a crash.
type asked struct {
	creature  zoo.Creature
	im        zoo.Individual
	last, was []byte // the answer before, and what it was then
}

func newAsked(c zoo.Creature) *asked { return &asked{creature: c, im: c.New()} }

func (a *asked) ask(text string) (told answer) {
	src := []byte(text)
	before := a.im.Work()
	defer func() {
		if r := recover(); r != nil {
			if mistake, ours := r.(runtime.Error); ours {
				panic(mistake) // no planted fault crashes so
			}
			told.told = fmt.Sprint("crashes: ", r)
			a.im, a.last, a.was = a.creature.New(), nil, nil
		}
	}()
	out, err := a.im.Canonicalize(src)
	told.steps = a.im.Work() - before
	if reason, ok := err.(reject.Reason); ok {
		told.told = "refuses: " + reason.String()
	} else {
		told.told = string(out)
	}
	if string(src) != text {
		told.told += " changes the text"
	}
	if !bytes.Equal(a.last, a.was) {
		told.told += " changes the answer before"
	}
	a.last, a.was = out, bytes.Clone(out)
	return told
}

// mostHung is how often a creature hangs before it is asked no more.
const mostHung = 12

func departures(c zoo.Creature, right func(text string) answer) string {
	ask := newAsked(c)
	h := fnv.New64a()
	n, hung := 0, 0
	var shortest, its string
	for i, text := range probesOf(c) {
		a, r := ask.ask(text), right(text)
		work := bits.Len64(uint64(max(a.steps, 1)/max(r.steps, 1))) - 1
		if work >= 4 && r.steps > 0 && !strings.HasPrefix(r.told, "refuses: ") { // which the control stops early
			a.told = fmt.Sprintf("works 2^%d times as much: %s", work, a.told)
		}
		if a.told == r.told {
			continue
		}
		fmt.Fprintf(h, "%d %s\n", i, a.told)
		if n++; n == 1 || len(text) < len(shortest) {
			shortest, its = text, a.told
		}
		if strings.Contains(a.told, zoo.Hung) {
			if hung++; hung == mostHung {
				break
			}
		}
	}
	return fmt.Sprintf("%s\t%d\t%016x\t%.80q\t%.80q", c.Name, n, h.Sum64(), shortest, its)
}
