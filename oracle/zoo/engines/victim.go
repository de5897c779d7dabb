package engines

import (
	"fmt"
	"sync"

	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/zoo"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/kill"
)

// Variable is the environment variable that names the creature which an engine
// looks at.
const Variable = "TOUCHSTONE_ZOO_CREATURE"

// A Victim is a creature that an engine puts texts to. Safe for concurrent use.
type Victim struct {
	mu    sync.Mutex
	judge *kill.Judge
	calls int
	first error // how it was found
	input func([]byte) error
}

// NewVictim starts the creature of a name.
func NewVictim(name string) (*Victim, error) {
	c, ok := zoo.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("engines: there is no creature %q", name)
	}
	v := &Victim{judge: kill.NewJudge(c)}
	v.input = fuzz.AlsoAsChoices(v.text)
	return v, nil
}

// Input takes what a fuzzer made: as a text, and half of the inputs as choices
// for the grammar too. Once the creature is found the error is always the first
// one, and tells how many executions it took.
func (v *Victim) Input(data []byte) error {
	return v.execute(func() error { return v.input(data) })
}

// Document takes the document that a source of choices makes.
func (v *Victim) Document(s grammar.Source) error {
	return v.execute(func() error { return v.text(grammar.Document(s)) })
}

func (v *Victim) execute(check func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls++
	if v.first == nil {
		if err := check(); err != nil {
			v.first = fmt.Errorf("killed after %d executions: %w", v.calls, err)
		}
	}
	return v.first
}

func (v *Victim) text(text []byte) error {
	if how := v.judge.Check(text); how != "" {
		return fmt.Errorf("%s, asked %+.200q", how, text)
	}
	return nil
}
