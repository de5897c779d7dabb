package kill

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A Death is how a creature was found.
type Death struct {
	Cases int    // needed; 0 if it was not found
	How   string // what it did wrong
}

// A Row is what was found out about one creature.
type Row struct {
	Creature zoo.Creature
	// Vectors are the ids of the vectors that kill it.
	Vectors []string
	// Wrong is what it did wrong with them, each once.
	Wrong []string
	// Generated and Relations have an entry for each seed.
	Generated, Relations []Death
}

// A Table is a measurement of the whole zoo.
type Table struct {
	Rows      []Row
	Vectors   int     // asked
	Alone     []Alone // the vectors that kill somebody whom no other vector kills
	Idle      int     // vectors that kill nobody
	Cases     int     // generated, at most, for each seed
	Faultless int     // of these, put to those without a fault
	Checks    int     // of relations, at most, for each seed
	Seeds     []uint64
	Coverage  []string // a few vectors that kill everybody the vectors kill
	// Interrupted: what was not found may not have been looked for.
	Interrupted bool
	Engines     *Engines // nil: engines were not asked
}

// An Alone is a vector with those that it alone kills.
type Alone struct {
	Vector string
	Kills  []string
}

// A Config says what to measure.
type Config struct {
	Seeds []uint64
	Cases int // generated for each seed; 0 leaves them out
	// Faultless is how many of these are put to those without a fault, which no
	// case takes out of the run; 0 means all.
	Faultless int
	Checks    int                                 // of relations for each seed; 0 leaves them out
	Workers   int                                 // 0 means 1
	Progress  func(phase string, done, total int) // may be nil; may be called by several goroutines at once
	Quick     bool                                // leave a creature alone once a vector has killed it
	Creatures []zoo.Creature                      // nil for all
	// Measured: take the generated cases and the relations from a measurement,
	// with its seeds and budgets, and ask the vectors alone. May be nil.
	Measured *Measured
	Engines  *Engines // goes into the table; may be nil
}

// Measure fills a table. Once the context is done it gives the context's error,
// and the table as far as it has come.
func Measure(ctx context.Context, cfg Config) (*Table, error) {
	if cfg.Creatures == nil {
		cfg.Creatures = zoo.All()
	}
	if cfg.Progress == nil {
		cfg.Progress = func(string, int, int) {}
	}
	if cfg.Faultless <= 0 {
		cfg.Faultless = cfg.Cases
	}
	t := &Table{Cases: cfg.Cases, Faultless: min(cfg.Faultless, cfg.Cases), Checks: cfg.Checks, Seeds: cfg.Seeds, Engines: cfg.Engines}
	for _, c := range cfg.Creatures {
		t.Rows = append(t.Rows, Row{Creature: c, Generated: make([]Death, len(cfg.Seeds)), Relations: make([]Death, len(cfg.Seeds))})
	}
	t.byVectors(ctx, cfg)
	if cfg.Measured != nil {
		if err := t.take(cfg.Measured); err != nil {
			return nil, err
		}
		t.Interrupted = ctx.Err() != nil
		return t, ctx.Err()
	}
	if cfg.Cases > 0 {
		var done atomic.Int64
		parallel(cfg.Workers, len(cfg.Seeds), func(s int) {
			t.byCases(ctx, s, func(n int) {
				cfg.Progress("generated cases", int(done.Add(int64(n))), len(cfg.Seeds)*cfg.Cases)
			})
		})
	}
	if cfg.Checks > 0 {
		var mu sync.Mutex
		done := 0
		parallel(cfg.Workers, len(t.Rows), func(i int) {
			for s := range t.Seeds {
				t.Rows[i].Relations[s] = byRelations(ctx, t.Rows[i].Creature, t.Seeds[s], t.Checks)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			cfg.Progress("relations", done, len(t.Rows))
		})
	}
	t.Interrupted = ctx.Err() != nil
	return t, ctx.Err()
}

// parallel calls do for 0 to n-1 on some workers.
func parallel(workers, n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range max(workers, 1) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// byVectors asks every creature every text, in the order of the suite.
func (t *Table) byVectors(ctx context.Context, cfg Config) {
	var all []vectors.Vector
	for _, v := range vectors.All() {
		if v.Op == vectors.OpCanon && v.Status != vectors.Retired {
			all = append(all, v)
		}
	}
	t.Vectors = len(all)
	rights := make([]is, len(all))
	for i, v := range all {
		e := v.Expect[reject.RFC8785]
		rights[i] = is{e.Verdict == vectors.Reject, e.Verdict == vectors.Accept, depth(v.Input), e.Right}
	}
	kills := make([][]bool, len(t.Rows)) // vectors by row
	var done atomic.Int64
	parallel(cfg.Workers, len(t.Rows), func(r int) {
		kills[r] = make([]bool, len(all))
		if ctx.Err() != nil {
			return
		}
		j := NewJudge(t.Rows[r].Creature)
		for i, v := range all {
			how := j.check(v.Input, rights[i])
			kills[r][i] = how != ""
			if kills[r][i] && !slices.Contains(t.Rows[r].Wrong, how) {
				t.Rows[r].Wrong = append(t.Rows[r].Wrong, how)
			}
			if kills[r][i] && cfg.Quick {
				break
			}
		}
		cfg.Progress("vectors", int(done.Add(1)), len(t.Rows))
	})
	killers := make([][]int, len(all)) // rows by vector
	for r := range kills {
		for i, killed := range kills[r] {
			if killed {
				t.Rows[r].Vectors = append(t.Rows[r].Vectors, all[i].ID)
				killers[i] = append(killers[i], r)
			}
		}
	}
	for i, k := range killers {
		if len(k) == 0 {
			t.Idle++
		}
		var only []string
		for _, r := range k {
			if c := t.Rows[r].Creature; len(t.Rows[r].Vectors) == 1 && c.Faulty() {
				only = append(only, c.Name)
			}
		}
		if only != nil {
			t.Alone = append(t.Alone, Alone{all[i].ID, only})
		}
	}
	t.Coverage = cover(all, killers)
}

// depth counts brackets: it is asked of texts that must be accepted alone.
func depth(text []byte) int {
	deepest, open := 0, 0
	for _, token := range grammar.Tokens(nil, text) {
		if token.Kind == grammar.Mark {
			switch text[token.From] {
			case '{', '[':
				open++
				deepest = max(deepest, open)
			case '}', ']':
				open--
			}
		}
	}
	return deepest
}

// cover chooses vectors greedily until everybody is killed who can be.
func cover(all []vectors.Vector, killers [][]int) []string {
	dead := make(map[int]bool)
	var chosen []string
	for {
		best, most := 0, 0
		for i, rows := range killers {
			n := 0
			for _, r := range rows {
				if !dead[r] {
					n++
				}
			}
			if n > most {
				best, most = i, n
			}
		}
		if most == 0 {
			return chosen
		}
		chosen = append(chosen, all[best].ID)
		for _, r := range killers[best] {
			dead[r] = true
		}
	}
}

// perGrowth: one generated case in so many asks how work grows, since no text
// of common length shows it.
const perGrowth = 2048

const perProgress = 100 // cases

// byCases asks everybody who is still alive generated texts of one seed.
func (t *Table) byCases(ctx context.Context, s int, progress func(more int)) {
	judges := make([]*Judge, len(t.Rows))
	alive := make([]int, len(t.Rows))
	for r := range t.Rows {
		if ctx.Err() != nil {
			return
		}
		judges[r], alive[r] = NewJudge(t.Rows[r].Creature), r
	}
	growth, _ := law.Lookup("growth")
	var g grammar.Generator
	source := grammar.NewSeeded(0, 0)
	for i := range t.Cases {
		source.Reset(t.Seeds[s], uint64(i))
		text := g.Document(source)
		right := ofVerdict(verdict.Of(reject.RFC8785, text))
		alive = slices.DeleteFunc(alive, func(r int) bool {
			how := judges[r].check(text, right)
			if how == "" && i%perGrowth == perGrowth-1 {
				how = guarded(func() error { return growth.Check(implementation{judges[r].individual}, text) })
			}
			if how == "" {
				return false
			}
			t.Rows[r].Generated[s] = Death{i + 1, how}
			return true
		})
		if i+1 == t.Faultless {
			alive = slices.DeleteFunc(alive, func(r int) bool { return !t.Rows[r].Creature.Faulty() })
		}
		if len(alive) == 0 {
			progress(t.Cases - i/perProgress*perProgress)
			return
		}
		if ctx.Err() != nil {
			return
		}
		if i%perProgress == perProgress-1 {
			progress(perProgress)
		}
	}
}

// guarded runs a law on something that may crash.
func guarded(check func() error) (how string) {
	defer func() {
		if r := recover(); r != nil {
			how = planted(r)
		}
	}()
	if err := check(); err != nil {
		return err.Error()
	}
	return ""
}

// byRelations checks one relation after the other, without any oracle.
func byRelations(ctx context.Context, c zoo.Creature, seed uint64, checks int) Death {
	im := implementation{c.New()}
	relations := law.Relations()
	var g grammar.Generator
	source := grammar.NewSeeded(0, 0)
	for i := range checks {
		if ctx.Err() != nil {
			return Death{}
		}
		source.Reset(seed, uint64(i))
		how := guarded(func() error {
			if k := i % (len(relations) + 1); k < len(relations) {
				if err := relations[k].Check(im, g.Document(source)); err != nil {
					return fmt.Errorf("%s", relations[k].Name)
				}
				return nil
			}
			a, b, r := g.Pair(source)
			if err := law.CheckPair(im, a, b, r); err != nil {
				return fmt.Errorf("pair, %s", r)
			}
			return nil
		})
		if how != "" {
			return Death{i + 1, how}
		}
	}
	return Death{}
}
