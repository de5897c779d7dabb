package kill

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Engines is how many executions engines that know nothing but one planted fault
// needed to find it.
type Engines struct {
	Budget  string // as the file's first line words it
	columns map[string][4]string
}

// engineNames are the columns, in the order of the file.
var engineNames = [4]string{"rapid", "gopter", "go fuzz", "libFuzzer"}

// ReadEngines reads what tools/zoo-engines.sh wrote: a line of budgets, then for
// each creature its name and the executions of each engine, separated by tabs;
// "-" is not found, nothing is not asked.
func ReadEngines(r io.Reader) (*Engines, error) {
	e := &Engines{columns: make(map[string][4]string)}
	lines := bufio.NewScanner(r)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "# ") {
		return nil, fmt.Errorf("kill: the first line of the engines' figures is not their budget: %w", io.ErrUnexpectedEOF)
	}
	e.Budget = strings.TrimPrefix(lines.Text(), "# ")
	for n := 2; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 1+len(engineNames) {
			return nil, fmt.Errorf("kill: line %d has %d columns, want %d", n, len(fields), 1+len(engineNames))
		}
		for _, word := range fields[1:] {
			if _, err := strconv.Atoi(word); err != nil && word != "-" && word != "" {
				return nil, fmt.Errorf("kill: line %d: %.20q is no number of executions", n, word)
			}
		}
		e.columns[fields[0]] = [4]string(fields[1:])
	}
	return e, lines.Err()
}

// write adds a section to a table.
func (e *Engines) write(b *strings.Builder, rows []Row) {
	fmt.Fprintf(b, "\n## What engines need\n\nEach engine looks for one fault, from one trivial seed and without the vectors; rapid, gopter and half of the fuzzers' inputs\nmake the choices of `oracle/grammar`. Executions needed; `-` is not found. Budget: %s.\n\n", e.Budget)
	fmt.Fprintf(b, "| fault | %s |\n|---|%s\n", strings.Join(engineNames[:], " | "), strings.Repeat("---|", len(engineNames)))
	for _, r := range rows {
		if columns, asked := e.columns[r.Creature.Name]; asked {
			fmt.Fprintf(b, "| %s | %s |\n", r.Creature.Name, strings.Join(columns[:], " | "))
		}
	}
}

// accused lists what an engine holds against who has no fault.
func (e *Engines) accused(rows []Row) []string {
	var all []string
	for _, r := range rows {
		for i, word := range e.columns[r.Creature.Name] {
			if !r.Creature.Faulty() && word != "-" && word != "" {
				all = append(all, fmt.Sprintf("%s, by %s after %s executions", r.Creature.Name, engineNames[i], word))
			}
		}
	}
	return all
}
