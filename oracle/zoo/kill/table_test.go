package kill

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/vectors"
)

func creature(t *testing.T, name string) zoo.Creature {
	t.Helper()
	c, ok := zoo.Lookup(name)
	if !ok {
		t.Fatalf("no creature %s", name)
	}
	return c
}

// made is a table of every kind of row.
func made(t *testing.T) *Table {
	return &Table{
		Vectors: 7, Idle: 2, Cases: 50, Faultless: 20, Checks: 9, Seeds: []uint64{3, 5, 8},
		Coverage: []string{"v-long", "v2"}, Alone: []Alone{{"v2", []string{"order-none", "utf8-drop"}}, {"v9", []string{"deep-null"}}},
		Rows: []Row{
			{Creature: creature(t, "control"), Generated: make([]Death, 3), Relations: make([]Death, 3)},
			{Creature: creature(t, "limits-depth"), Generated: make([]Death, 3), Relations: make([]Death, 3)},
			{
				Creature: creature(t, "order-none"), Vectors: []string{"v-long", "v2", "v1", "v3"}, Wrong: []string{gaveOther},
				Generated: []Death{{1, gaveOther}, {50, gaveOther}, {7, gaveOther}}, Relations: []Death{{}, {2, "spelling"}, {1, "values"}},
			},
			{
				Creature: creature(t, "deep-null"), Vectors: []string{"v9"}, Wrong: []string{gaveOther, accepted},
				Generated: []Death{{10, gaveOther}, {}, {12, gaveOther}}, Relations: make([]Death, 3),
			},
			{Creature: creature(t, "utf8-drop"), Vectors: []string{"v2"}, Wrong: []string{accepted}, Generated: []Death{{1, "a"}, {2, "a"}, {9, "a"}}, Relations: make([]Death, 3)},
			{Creature: creature(t, "chance-hang"), Wrong: []string{refused, tookWork, changedInput, changedAnswer, "panic"}, Generated: make([]Death, 3), Relations: []Death{{}, {}, {4, "x|y_z"}}},
		},
	}
}

const written = `# The kill table

4 canonicalizers with one planted fault each, a control and 1 open behaviors.

| by | found | of | budget |
|---|---|---|---|
| vectors | 3 | 4 | 7 texts |
| generated cases, every seed | 2 | 4 | 50 cases, seeds 3, 5, 8 |
| metamorphic relations, some seed | 2 | 4 | 9 checks, seeds 3, 5, 8 |

The control and the open behaviors were accused 0 times, by 20 cases of each seed.
`

// A table is written as it was measured, with what survives of each kind.
func TestTableIsWritten(t *testing.T) {
	var b strings.Builder
	table := made(t)
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasPrefix(text, written) {
		t.Errorf("it begins\n%.900s\nwant\n%s", text, written)
	}
	for _, want := range []string{
		"\n## Order\n\n| fault | what it does | vectors | cases | relations | relation |\n|---|---|---|---|---|---|\n| order-none | keeps the order of the text | 4: `v2` `v1` `v3` | 7 | 2 | spelling |\n",
		"\n| deep-null | writes null for what is nested deeper than 32 | 1: `v9` | 12 | - |  |\n",
		"\n| chance-hang | hangs at one of 500 requests | - | - | - | x\\|y\\_z |\n",
		"\n## What relations do not see\n\n",
		"\n- deep-null: shows in one generated case of some 12, more than the checks of a seed; it gives other bytes that are alike in every spelling, have a meaning of their own and are canonical again, or takes texts that must be refused, which no relation says of any text\n",
		"\n- utf8-drop: takes texts that must be refused, which no relation says of any text\n",
		"\n2 vectors suffice for everything that the vectors find:\n\n- `v-long`\n- `v2`\n",
		"\n2 of 7 vectors alone find a fault. 5 find none that no other vector finds, 2 of these none at all:",
		"\n- `v2`: order-none, utf8-drop\n- `v9`: deep-null\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, not := range []string{"Interrupted", "## Names", "What engines need", "- order-none:", "- chance-hang:", "| control"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is in\n%s", not, text)
		}
	}
	ofVectors, ofCases, ofRelations := table.Survivors()
	if !slices.Equal(ofVectors, []string{"chance-hang"}) || !slices.Equal(ofCases, []string{"deep-null", "chance-hang"}) || !slices.Equal(ofRelations, []string{"deep-null", "utf8-drop"}) {
		t.Errorf("%v, %v and %v survive", ofVectors, ofCases, ofRelations)
	}
	table.Interrupted, table.Faultless = true, 50
	b.Reset()
	if table.Write(&b); !strings.Contains(b.String(), "\n\nInterrupted: what was not found may not have been looked for.\n\n") || !strings.Contains(b.String(), "accused 0 times.\n") {
		t.Errorf("interrupted, with all cases for everyone:\n%.900s", b.String())
	}
	table.Cases, table.Checks, table.Faultless = 0, 0, 0
	b.Reset()
	table.Write(&b)
	for _, not := range []string{"generated cases, every", "metamorphic", "do not see", "cases of each seed"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("of vectors alone it says %q", not)
		}
	}
	if _, ofCases, ofRelations := table.Survivors(); ofCases != nil || ofRelations != nil {
		t.Errorf("%v and %v survive what was not asked", ofCases, ofRelations)
	}
}

// Whoever has no fault and is found nevertheless is told with the case.
func TestAccused(t *testing.T) {
	table := made(t)
	table.Rows[0].Vectors = []string{"v1", "v2"}
	table.Rows[1].Generated[1] = Death{6, "gave other bytes"}
	table.Rows[1].Relations[2] = Death{1, "values"}
	slices.Reverse(table.Rows) // the faulty first, who do not matter
	want := []string{
		"limits-depth, by case 5 of seed 5: gave other bytes", "limits-depth, by relation 0 of seed 8: values",
		"control, by the vector v1", "control, by the vector v2",
	}
	if got := table.Accused(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Why no relation finds a fault follows from all that it does wrong.
func TestWhy(t *testing.T) {
	table := &Table{Checks: 9}
	for wrong, want := range map[string]string{
		refused:       "refuses texts whatever their spelling, and who refuses both sides keeps a relation",
		tookWork:      "works too much, which is counted and related to nothing",
		changedInput:  "changed its input, which no relation looks at",
		changedAnswer: "changed an answer that it had given, which no relation looks at",
		"boom":        "crashes on texts that a relation hardly ever asks",
	} {
		for cases, before := range map[int]string{0: "", 9: "", 10: "shows in one generated case of some 10, more than the checks of a seed; it "} {
			if got := table.why(Row{Wrong: []string{wrong}, Generated: []Death{{Cases: cases}}}); got != before+want {
				t.Errorf("%s after %d cases: %q", wrong, cases, got)
			}
		}
	}
}

// What is read of a measurement is what was written, and fills another table.
func TestMeasuredLines(t *testing.T) {
	table := made(t)
	table.Rows[2].Relations[1].How = "a\tb"
	var b strings.Builder
	if err := table.WriteMeasured(&b); err != nil {
		t.Fatal(err)
	}
	want := "# cases=50 faultless=20 checks=9 seeds=3,5,8\ncontrol\t- - -\t- - -\t\nlimits-depth\t- - -\t- - -\t\norder-none\t1 50 7\t- 2 1\ta b\ndeep-null\t10 - 12\t- - -\t\nutf8-drop\t1 2 9\t- - -\t\nchance-hang\t- - -\t- - 4\tx|y_z\n"
	if b.String() != want {
		t.Errorf("written is\n%s", b.String())
	}
	m, err := ReadMeasured(strings.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.rows["order-none"]; !reflect.DeepEqual(got, Row{Generated: []Death{{1, ""}, {50, ""}, {7, ""}}, Relations: []Death{{}, {2, "a b"}, {1, "a b"}}}) {
		t.Errorf("read is %+v", got)
	}
	for text, says := range map[string]string{
		want + "x\t1\t1":           "line 8 has 3 fields, want 4",
		want + "x\t1 1 1\t1 1\t":   "line 8: 2 numbers for 3 seeds",
		want + "x\t1 1 1\t1 0 1\t": `line 8: "0" is not a number of cases`,
		want + "x\t1 1 z\t1 1 1\t": `line 8: "z" is not a number of cases`,
	} {
		if _, err := ReadMeasured(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}

// All creatures that a measurement does not have are named, and the others get
// what it has.
func TestTake(t *testing.T) {
	m := &Measured{Seeds: []uint64{1}, rows: map[string]Row{"order-none": {Generated: []Death{{3, ""}}}}}
	table := &Table{Rows: []Row{{Creature: creature(t, "deep-null")}, {Creature: creature(t, "order-none")}, {Creature: creature(t, "utf8-drop")}}}
	if err := table.take(m); err == nil || err.Error() != "kill: the measurement does not have deep-null, utf8-drop" {
		t.Errorf("got %v", err)
	}
	if got := table.Rows[1].Generated; !slices.Equal(got, []Death{{3, ""}}) {
		t.Errorf("it has %v", got)
	}
}

// A creature that crashes by a mistake of ours ends the measurement instead of
// counting as found.
func TestMistakesAreNotFaults(t *testing.T) {
	mistaken := func(act func()) (caught any) {
		defer func() { caught = recover() }()
		act()
		return nil
	}
	var none []int
	j := &Judge{individual: &said{mistake: func() { none[0]++ }}}
	for name, act := range map[string]func(){
		"an answer":  func() { j.ask(nil) },
		"a relation": func() { guarded(func() error { none[0]++; return nil }) },
	} {
		if _, ok := mistaken(act).(runtime.Error); !ok {
			t.Errorf("%s that is a mistake counts", name)
		}
	}
	if how := guarded(func() error { panic("planted") }); how != "planted" {
		t.Errorf("a planted crash is %q", how)
	}
}

// A line of the engines' figures that is none is told with its number.
func TestEngineLines(t *testing.T) {
	for text, says := range map[string]string{
		"# b\na\t1\t1\t1\t1\nb\t1\t1\t1": "line 3 has 4 columns, want 5", "# b\na\t1\tx\t1\t1": `line 2: "x" is no number`,
	} {
		if _, err := ReadEngines(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}

// A few vectors are chosen that kill everybody, the one that kills most first,
// and of equals the first.
func TestCover(t *testing.T) {
	all := []vectors.Vector{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	if got := cover(all, [][]int{{1}, {1, 2, 3}, {3, 4, 5}, {4, 5}, nil}); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("chosen are %v", got)
	}
	if got := cover(all, [][]int{nil, {1}, {2, 1}, {3}, {3}}); !slices.Equal(got, []string{"c", "d"}) {
		t.Errorf("chosen are %v", got)
	}
}

// The depth of a text is its deepest nesting, not the count of its brackets.
func TestDepth(t *testing.T) {
	for text, want := range map[string]int{`1`: 0, `[]`: 1, `[[],[]]`: 2, `{"a":[{}],"b":{}}`: 3, `"[[["`: 0, `[{"[":[]},[[1]]]`: 3} {
		if got := depth([]byte(text)); got != want {
			t.Errorf("%s is %d deep, not %d", text, got, want)
		}
	}
}

// An answer is wrong by what it is, and a refusal only where it is owed none and
// not below the depth that the creature goes.
func TestJudge(t *testing.T) {
	if got := measureDepth(zoo.Control()); got != 1000 {
		t.Errorf("the control goes %d deep", got)
	}
	if got := measureDepth(creature(t, "limits-depth")); got != 256 {
		t.Errorf("limits-depth goes %d deep", got)
	}
	if got := measureDepth(creature(t, "arrays-refused")); got != 1000 {
		t.Errorf("who refuses arrays goes %d deep in objects", got)
	}
	for size, want := range map[int]int64{0: 16 * 64 * 7, 64: 16 * 128 * 8, 960: 16 * 1024 * 11, 959: 16 * 1023 * 10} {
		if got := mostWork(size); got != want {
			t.Errorf("%d bytes explain %d steps, not %d", size, got, want)
		}
	}
	yes, no := func([]byte) bool { return true }, func([]byte) bool { return false }
	for name, c := range map[string]struct {
		says  said
		right is
		want  string
	}{
		"right":                    {said{}, is{accept: true, right: yes}, ""},
		"other bytes":              {said{}, is{accept: true, right: no}, gaveOther},
		"accepted":                 {said{}, is{refuse: true, right: yes}, accepted},
		"refused rightly":          {said{err: reject.Syntax}, is{refuse: true, right: no}, ""},
		"refused":                  {said{err: reject.Syntax}, is{accept: true, depth: 5, right: yes}, refused},
		"refused what is too deep": {said{err: reject.Syntax}, is{accept: true, depth: 6, right: yes}, ""},
		"refused what is open":     {said{err: reject.Syntax}, is{right: yes}, ""},
		"crashed":                  {said{crash: "boom"}, is{refuse: true, right: no}, "boom"},
		"all the work":             {said{work: mostWork(2)}, is{accept: true, right: yes}, ""},
		"too much work":            {said{work: mostWork(2) + 1}, is{accept: true, right: yes}, tookWork},
		"work for its answer":      {said{out: "1234", work: mostWork(6)}, is{accept: true, right: yes}, ""},
		"changed input":            {said{changes: true}, is{accept: true, right: yes}, changedInput},
	} {
		says := c.says
		says.done = 1000
		j := &Judge{individual: &says, depth: 5}
		if got := j.check([]byte("[]"), c.right); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
	s := &said{out: "ab"}
	j := &Judge{individual: s}
	j.check([]byte("1"), is{right: yes})
	if j.last[0] = 'x'; j.check([]byte("2"), is{right: yes}) != changedAnswer {
		t.Error("an answer that changes passes")
	}
}

// said is an individual with one answer.
type said struct {
	out     string
	err     error
	crash   string
	work    int64 // for each request
	done    int64
	changes bool
	mistake func()
}

func (s *said) Work() int64 { return s.done }

func (s *said) Canonicalize(src []byte) ([]byte, error) {
	s.done += s.work
	if s.changes {
		src[0] = 'x'
	}
	if s.mistake != nil {
		s.mistake()
	}
	if s.crash != "" {
		panic(s.crash)
	}
	return []byte(s.out), s.err
}

// The laws take a creature's refusal as they know it.
func TestImplementation(t *testing.T) {
	_, err := implementation{zoo.Control().New()}.Canonicalize([]byte("["))
	var e *reject.Error
	if !errors.As(err, &e) || e.Reason != reject.Syntax || e.Package != "zoo" {
		t.Errorf("got %v", err)
	}
	if out, err := (implementation{zoo.Control().New()}).Canonicalize([]byte("[1 ]")); string(out) != "[1]" || err != nil {
		t.Errorf("got %s, %v", out, err)
	}
}

// Progress is told by phases, each up to its total, and budgets are what the
// table says.
func TestProgress(t *testing.T) {
	var told []string
	cfg := Config{
		Seeds: []uint64{1, 2}, Cases: 250, Faultless: 251, Checks: 2, Quick: true,
		Creatures: []zoo.Creature{zoo.Control(), creature(t, "final-newline")},
		Progress:  func(phase string, done, total int) { told = append(told, fmt.Sprintf("%s %d/%d", phase, done, total)) },
	}
	table, err := Measure(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"vectors 1/2", "vectors 2/2", "generated cases 100/500", "generated cases 200/500", "generated cases 250/500", "generated cases 350/500", "generated cases 450/500", "generated cases 500/500", "relations 1/2", "relations 2/2"}
	if !slices.Equal(told, want) {
		t.Errorf("told were %q", told)
	}
	if table.Faultless != 250 || table.Interrupted || len(table.Rows[0].Vectors) != 0 || len(table.Rows[1].Vectors) != 1 || len(table.Rows[1].Wrong) != 1 {
		t.Errorf("%+v", table)
	}
	if g := table.Rows[1].Generated; g[0].Cases == 0 || g[1].Cases == 0 || table.Rows[0].Generated[0].Cases != 0 {
		t.Errorf("%+v", table.Rows)
	}

	if want := []Alone{{table.Rows[1].Vectors[0], []string{"final-newline"}}}; !reflect.DeepEqual(table.Alone, want) || table.Idle != table.Vectors-1 || !slices.Equal(table.Coverage, table.Rows[1].Vectors) {
		t.Errorf("alone are %v, idle %d of %d, and %v suffice", table.Alone, table.Idle, table.Vectors, table.Coverage)
	}

	// With nobody left the rest of the cases counts as done, and what is 0 is not asked.
	told = nil
	cfg.Seeds, cfg.Cases, cfg.Faultless, cfg.Checks = []uint64{1}, 350, 150, 0
	if table, _ = Measure(context.Background(), cfg); table.Faultless != 150 {
		t.Errorf("%d for those without a fault", table.Faultless)
	}
	want = []string{"vectors 1/2", "vectors 2/2", "generated cases 100/350", "generated cases 350/350"}
	if !slices.Equal(told, want) {
		t.Errorf("told were %q", told)
	}
	// Those without a fault leave after their budget and not a case later.
	told = nil
	cfg.Faultless = 100
	if Measure(context.Background(), cfg); !slices.Equal(told, []string{"vectors 1/2", "vectors 2/2", "generated cases 350/350"}) {
		t.Errorf("told were %q", told)
	}
	cfg.Cases, cfg.Checks = 0, 1
	told = nil
	if table, _ = Measure(context.Background(), cfg); table.Faultless != 0 || !slices.Equal(told, []string{"vectors 1/2", "vectors 2/2", "relations 1/2", "relations 2/2"}) {
		t.Errorf("%d for those without a fault; told were %q", table.Faultless, told)
	}
	table, err = Measure(context.Background(), Config{Seeds: []uint64{1}, Cases: 120, Creatures: []zoo.Creature{zoo.Control()}})
	if err != nil || table.Faultless != 120 {
		t.Errorf("without anybody who is told: %v, %d", err, table.Faultless)
	}
}

// Every vector of a text that is not retired is asked, and each thing that goes
// wrong is told once.
func TestByVectors(t *testing.T) {
	want := 0
	for _, v := range vectors.All() {
		if v.Op == vectors.OpCanon && v.Status != vectors.Retired {
			want++
		}
	}
	table, err := Measure(context.Background(), Config{Creatures: []zoo.Creature{creature(t, "order-none"), creature(t, "utf8-drop"), creature(t, "order-reversed")}})
	if err != nil || table.Vectors != want {
		t.Errorf("%d of %d vectors are asked: %v", table.Vectors, want, err)
	}
	killed := map[string]int{}
	for _, r := range table.Rows {
		for _, id := range r.Vectors {
			killed[id]++
		}
	}
	if r := table.Rows[0]; len(r.Vectors) < 20 || !slices.Equal(r.Wrong, []string{gaveOther}) {
		t.Errorf("%d vectors find unsorted members, by %q", len(r.Vectors), r.Wrong)
	}
	if table.Idle != want-len(killed) || table.Alone != nil {
		t.Errorf("%d are idle, not %d; alone are %v", table.Idle, want-len(killed), table.Alone)
	}
}

// The relations are asked one after the other, and after the last of them a pair.
func TestRelationsTakeTurns(t *testing.T) {
	relations := law.Relations()
	pairs := 0
	for _, name := range []string{"order-top-only", "hex-boundary", "duplicate-neighbours"} {
		for seed := range uint64(4) {
			d := byRelations(context.Background(), creature(t, name), seed, 60)
			if d.Cases == 0 {
				continue
			}
			turn, pair := (d.Cases-1)%(len(relations)+1), strings.HasPrefix(d.How, "pair, ")
			if pair {
				pairs++
			}
			if pair != (turn == len(relations)) || !pair && d.How != relations[turn].Name {
				t.Errorf("%s, seed %d: found by %q in turn %d", name, seed, d.How, turn)
			}
		}
	}
	if pairs == 0 {
		t.Error("no pair finds anything")
	}
}

// One case in 2,048 asks how work grows.
func TestGrowthIsAsked(t *testing.T) {
	table, err := Measure(context.Background(), Config{Seeds: []uint64{5}, Cases: 4096, Quick: true, Creatures: []zoo.Creature{creature(t, "slow-duplicates")}})
	if err != nil {
		t.Fatal(err)
	}
	if d := table.Rows[0].Generated[0]; d.Cases == 0 || d.Cases%2048 != 0 {
		t.Errorf("found by case %d: %s", d.Cases, d.How)
	}
}

// What was measured is interrupted as well as what is.
func TestInterruptedMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cfg := Config{Seeds: []uint64{1}, Checks: 5, Creatures: []zoo.Creature{creature(t, "final-newline")}}
	table, err := Measure(ctx, cfg)
	if !errors.Is(err, context.Canceled) || !table.Interrupted || table.Rows[0].Vectors != nil || table.Rows[0].Relations[0].Cases != 0 {
		t.Errorf("%v, %+v", err, table)
	}
	cfg.Measured = &Measured{Seeds: cfg.Seeds, rows: map[string]Row{"final-newline": {}}}
	if table, err := Measure(ctx, cfg); !errors.Is(err, context.Canceled) || !table.Interrupted {
		t.Errorf("%v, %+v", err, table)
	}
}

// A median of as many as found it and as did not is worse than any.
func TestMedianOfTwo(t *testing.T) {
	if got := Median([]Death{{Cases: 5}, {}}); got != 0 {
		t.Errorf("got %d", got)
	}
	if got := Median([]Death{{Cases: math.MaxInt - 1}}); got != math.MaxInt-1 {
		t.Errorf("got %d", got)
	}
}
