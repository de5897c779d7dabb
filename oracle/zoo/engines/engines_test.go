package engines_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"pgregory.net/rapid"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/engines"
)

var gopterChecks = flag.Int("gopter.checks", 100, "documents that gopter draws")

// victim starts the creature that the environment names.
func victim(tb testing.TB) *engines.Victim {
	name := os.Getenv(engines.Variable)
	if name == "" {
		tb.Skip("run by: tools/zoo-engines.sh")
	}
	v, err := engines.NewVictim(name)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// rapidSource lets rapid make the choices.
type rapidSource struct{ t *rapid.T }

func (s rapidSource) Choose(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "choice") }

func TestRapid(t *testing.T) {
	v := victim(t)
	rapid.Check(t, func(t *rapid.T) {
		if err := v.Document(rapidSource{t}); err != nil {
			t.Fatal(err)
		}
	})
}

// gopterSource lets gopter's random numbers make the choices.
type gopterSource struct{ p *gopter.GenParameters }

func (s gopterSource) Choose(n int) int { return s.p.Rng.Intn(n) }

func TestGopter(t *testing.T) {
	v := victim(t)
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = *gopterChecks
	properties := gopter.NewProperties(parameters)
	asked := gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		err := v.Document(gopterSource{p})
		return gopter.NewGenResult(&err, gopter.NoShrinker)
	})
	properties.Property("right", prop.ForAll(func(err *error) bool {
		if *err != nil {
			t.Error(*err)
		}
		return *err == nil
	}, asked))
	properties.TestingRun(t)
}

func FuzzCreature(f *testing.F) {
	v := victim(f)
	f.Add([]byte(`{"a":[1,"b"]}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := v.Input(input); err != nil {
			t.Fatal(err)
		}
	})
}

// A victim tells when it was found, and always the same from then on; the
// control is never found.
func TestVictim(t *testing.T) {
	v, err := engines.NewVictim("order-none")
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Input([]byte(`[]`)); err != nil {
		t.Error(err)
	}
	err = v.Input([]byte(`{"b":1,"a":2}`))
	if err == nil || !strings.Contains(err.Error(), `killed after 2 executions: gave other bytes, asked "{\"b\":1,\"a\":2}"`) {
		t.Errorf("got %v", err)
	}
	if again := v.Document(grammar.NewBytes(nil)); again != err {
		t.Errorf("then %v", again)
	}
	control, err := engines.NewVictim("control")
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(300) {
		if err := control.Document(grammar.NewSeeded(1, i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := engines.NewVictim("unicorn"); err == nil {
		t.Error("a creature that is none was started")
	}
}
