package lifecycle

import (
	"encoding/json"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/scenario"
)

// A command is one step. gopter may leave out any of them when it shrinks:
// steps that name what came of one that was left out are refused by both.
type command struct{ step scenario.Step }

func (c command) Run(sut commands.SystemUnderTest) commands.Result {
	return sut.(*machine).play(c.step)
}

func (c command) NextState(s commands.State) commands.State { return s.(names).after(c.step) }

func (c command) PreCondition(commands.State) bool { return true }

func (c command) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if wrong := result.(string); wrong != "" {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{wrong}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

func (c command) String() string {
	text, _ := json.Marshal(c.step)
	return string(text)
}

// chooserOf draws from gopter's own source.
func chooserOf(p *gopter.GenParameters) chooser { return p.Rng.Intn }

// TestGopterMachine lets gopter choose the steps, each setting for a number of
// runs.
func TestGopterMachine(t *testing.T) {
	taken, target := 0, steps(t)
	endings := map[string]int{}
	for round := 0; taken < target; round++ {
		parameters := gopter.DefaultTestParametersWithSeed(int64(round) + 1)
		parameters.MinSuccessfulTests, parameters.MaxSize = 10, 60
		choices := 0
		s := setting(func(n int) int { choices++; return (round*7 + choices*choices) % n })
		properties := gopter.NewProperties(parameters)
		properties.Property("the library and the model agree", commands.Prop(&commands.ProtoCommands{
			NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
				m, err := newMachine(s)
				if err != nil {
					t.Fatal(err)
				}
				return m
			},
			DestroySystemUnderTestFunc: func(sut commands.SystemUnderTest) {
				m := sut.(*machine)
				taken += m.steps
				for ending, n := range m.endings {
					endings[ending] += n
				}
				m.session.Close()
			},
			InitialStateGen: gen.Const(names{}),
			GenCommandFunc: func(state commands.State) gopter.Gen {
				return func(p *gopter.GenParameters) *gopter.GenResult {
					choose := chooserOf(p)
					s := actions[one(choose, weighted...)](choose, state.(names))
					return gopter.NewGenResult(command{s}, gopter.NoShrinker)
				}
			},
		}))
		properties.TestingRun(t, gopter.ConsoleReporter(false))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d steps, %v", taken, endings)
	// The seeds are fixed, so how attempts end is too.
	if len(endings) < 15 {
		t.Errorf("attempts end in %d ways alone", len(endings))
	}
}
