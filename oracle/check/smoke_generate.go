//go:build ignore

// Writes smoke.txt: the vectors that find most of the zoo's planted faults,
// each chosen because it finds the most that those before it leave; of equal
// ones the shortest. It takes a minute.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/zoo/kill"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// most is how many are chosen: a slow interpreter answers as many in seconds.
// None is longer than longest bytes, so that a finding is a text to look at.
const most, longest = 40, 2048

func main() {
	table, err := kill.Measure(context.Background(), kill.Config{Workers: runtime.NumCPU()})
	if err != nil {
		log.Fatal(err)
	}
	short := slices.DeleteFunc(vectors.All(), func(v vectors.Vector) bool { return len(v.Input) > longest })
	left := map[string][]string{} // by vector, the faults that it finds
	faults := 0
	for _, row := range table.Rows {
		if row.Creature.Faulty() {
			faults++
			for _, id := range row.Vectors {
				left[id] = append(left[id], row.Creature.Name)
			}
		}
	}
	var b strings.Builder
	found := map[string]bool{}
	for range most {
		best := slices.MinFunc(short, func(v, w vectors.Vector) int {
			return cmp.Or(len(left[w.ID])-len(left[v.ID]), len(v.Input)-len(w.Input), cmp.Compare(v.ID, w.ID))
		})
		for _, name := range left[best.ID] {
			found[name] = true
		}
		for id, names := range left {
			left[id] = slices.DeleteFunc(names, func(name string) bool { return found[name] })
		}
		fmt.Fprintln(&b, best.ID)
	}
	header := fmt.Sprintf("# Written by smoke_generate.go: %d vectors of at most %d bytes that find %d of the zoo's %d planted faults.\n", most, longest, len(found), faults)
	if err := os.WriteFile("smoke.txt", []byte(header+b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
