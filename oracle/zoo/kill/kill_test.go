package kill_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/kill"
)

// The vectors find every planted fault, one in eight of which is asked here;
// neither they nor generated cases nor relations accuse the control or a behavior
// that the standards leave open. make zoo-smoke asks everybody, make zoo measures
// the rest of the table.
func TestZoo(t *testing.T) {
	var some []zoo.Creature
	for i, c := range zoo.All() {
		if !c.Faulty() || i%8 == 0 {
			some = append(some, c)
		}
	}
	table, err := kill.Measure(context.Background(), kill.Config{Seeds: []uint64{1}, Cases: 500, Checks: 40, Workers: 2, Quick: true, Creatures: some})
	if err != nil {
		t.Fatal(err)
	}
	ofVectors, ofCases, ofRelations := table.Survivors()
	for _, name := range ofVectors {
		t.Errorf("no vector finds %s", name)
	}
	for _, who := range table.Accused() {
		t.Errorf("accused without a fault: %s", who)
	}
	// A generator that hardly finds anything any more would pass unnoticed.
	if n := len(table.Rows); len(ofCases) > n/2 || len(ofRelations) > n*4/5 {
		t.Errorf("of %d, %d cases miss %d, %d relations miss %d", n, table.Cases, len(ofCases), table.Checks, len(ofRelations))
	}
}

// A table of one creature has what was measured of it, and writes it.
func TestTable(t *testing.T) {
	c, _ := zoo.Lookup("order-none")
	d, _ := zoo.Lookup("deep-crash")
	table, err := kill.Measure(context.Background(), kill.Config{Seeds: []uint64{1, 2, 3}, Cases: 50, Checks: 50, Creatures: []zoo.Creature{c, d, zoo.Control()}})
	if err != nil {
		t.Fatal(err)
	}
	row := table.Rows[0]
	if len(row.Vectors) == 0 || kill.Median(row.Generated) == 0 || kill.Median(row.Relations) == 0 {
		t.Errorf("unsorted members are not found: %+v", row)
	}
	if _, ofCases, _ := table.Survivors(); !slices.Equal(ofCases, []string{"deep-crash"}) {
		t.Errorf("50 cases miss %v", ofCases)
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# The kill table", "| order-none |", "| deep-crash | crashes at 500 levels |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// A measurement that is written and read again gives the same table.
func TestMeasured(t *testing.T) {
	c, _ := zoo.Lookup("order-none")
	cfg := kill.Config{Seeds: []uint64{1, 2}, Cases: 50, Checks: 50, Creatures: []zoo.Creature{c, zoo.Control()}}
	table, err := kill.Measure(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var lines, want, got strings.Builder
	if err := table.WriteMeasured(&lines); err != nil {
		t.Fatal(err)
	}
	m, err := kill.ReadMeasured(strings.NewReader(lines.String()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := kill.Measure(context.Background(), kill.Config{Measured: m, Creatures: cfg.Creatures})
	if err != nil {
		t.Fatal(err)
	}
	if table.Write(&want) != nil || again.Write(&got) != nil || want.String() != got.String() {
		t.Errorf("from\n%s\ncame\n%s\nwant\n%s", lines.String(), got.String(), want.String())
	}
	d, _ := zoo.Lookup("deep-crash")
	if _, err := kill.Measure(context.Background(), kill.Config{Measured: m, Creatures: []zoo.Creature{d}}); err == nil || !strings.Contains(err.Error(), "deep-crash") {
		t.Errorf("a creature that was not measured: %v", err)
	}
	for _, bad := range []string{"", "x", "# cases=1 faultless=1 checks=1 seeds=1\na\t1\t1", "# cases=1 faultless=1 checks=1 seeds=1,2\na\t1\t1 2\t", "# cases=1 faultless=1 checks=1 seeds=1\na\t0\t1\t"} {
		if _, err := kill.ReadMeasured(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// Those without a fault may be asked less, and the table says so.
func TestFaultless(t *testing.T) {
	c, _ := zoo.Lookup("deep-crash")
	cfg := kill.Config{Seeds: []uint64{1}, Cases: 3000, Faultless: 20, Creatures: []zoo.Creature{c, zoo.Control()}, Quick: true}
	last := 0
	cfg.Progress = func(phase string, done, _ int) {
		if phase == "generated cases" {
			last = done
		}
	}
	table, err := kill.Measure(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "accused 0 times, by 20 cases of each seed.") {
		t.Error(b.String())
	}
	// It dies of case 2,443; nobody is left to go on for.
	if n := table.Rows[0].Generated[0].Cases; n == 0 || n == 3000 || last != 3000 {
		t.Errorf("died after %d cases, %d were counted as done", n, last)
	}
}

// What engines needed stands in the table, and accuses whom it must not.
func TestEngines(t *testing.T) {
	c, _ := zoo.Lookup("order-none")
	e, err := kill.ReadEngines(strings.NewReader("# executions=9 rapid=1\norder-none\t1\t-\t3\t\ncontrol\t-\t-\t-\t7\nother\t1\t1\t1\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := kill.Measure(context.Background(), kill.Config{Creatures: []zoo.Creature{c, zoo.Control()}, Engines: e, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"executions=9 rapid=1", "| order-none | 1 | - | 3 |  |\n", "| control | - | - | - | 7 |\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	if accused := table.Accused(); len(accused) != 1 || accused[0] != "control, by libFuzzer after 7 executions" {
		t.Errorf("accused: %q", accused)
	}
	for _, bad := range []string{"", "order-none\t1\t1\t1\t1", "# x\norder-none\t1", "# x\norder-none\t1\t1\t1\tmany"} {
		if _, err := kill.ReadEngines(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// The median counts a seed that found nothing as worse than every other.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		cases []int
		want  int
	}{{nil, 0}, {[]int{5}, 5}, {[]int{0}, 0}, {[]int{9, 1, 5}, 5}, {[]int{0, 1, 5}, 5}, {[]int{0, 0, 5}, 0}} {
		var d []kill.Death
		for _, n := range c.cases {
			d = append(d, kill.Death{Cases: n})
		}
		if got := kill.Median(d); got != c.want {
			t.Errorf("median of %v is %d, want %d", c.cases, got, c.want)
		}
	}
}

// An interrupt ends the measurement with an error.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := kill.Measure(ctx, kill.Config{Seeds: []uint64{1}, Cases: 5000, Creatures: []zoo.Creature{zoo.Control()}}); err == nil {
		t.Error("no error")
	}
}
