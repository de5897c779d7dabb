package lifecycle

import (
	"flag"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/scenario"
)

// TestRapidMachine lets rapid choose the steps.
func TestRapidMachine(t *testing.T) {
	taken, target := 0, steps(t)
	if err := flag.Set("rapid.checks", strconv.Itoa(max(1, target/100))); err != nil {
		t.Fatal(err)
	}
	for taken < target {
		rapid.Check(t, func(rt *rapid.T) {
			choose := func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "choice") }
			m, err := newMachine(setting(choose))
			if err != nil {
				rt.Fatal(err)
			}
			defer m.session.Close()
			var n names
			act := map[string]func(*rapid.T){}
			for i, name := range weighted {
				action := actions[name]
				act[fmt.Sprint(name, i)] = func(rt *rapid.T) {
					choose := func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "choice") }
					s := action(choose, n)
					n = n.after(s)
					if wrong := m.play(s); wrong != "" {
						rt.Fatal(wrong)
					}
				}
			}
			rt.Repeat(act)
			taken += m.steps
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d steps", taken)
}

// A machine that is wrong is found: the model is told of another policy.
func TestMachineFindsADifference(t *testing.T) {
	m, err := newMachine(setting(func(int) int { return 0 }))
	if err != nil {
		t.Fatal(err)
	}
	defer m.session.Close()
	if _, err := m.model.Do([]byte(`{"do":"change","tool":"pay","policy":{"does":"deny"}}`)); err != nil {
		t.Fatal(err)
	}
	text := `{}`
	if m.play(scenario.Step{Do: "call", As: "a", Tool: "pay", Arguments: &text, Invocation: "i", Call: "c"}) == "" {
		t.Error("two traces that differ are taken for the same")
	}
}
