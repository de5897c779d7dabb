package documents_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// parameters are the same each time: seeds are no regression tests, budgets are
// counts.
func parameters(tests int) *gopter.TestParameters {
	p := gopter.DefaultTestParametersWithSeed(1785)
	p.MinSuccessfulTests = tests
	return p
}

// holds runs one property.
func holds(t *testing.T, tests int, name string, p gopter.Prop) {
	t.Helper()
	properties := gopter.NewProperties(parameters(tests))
	properties.Property(name, p)
	properties.TestingRun(t)
}

// values draws Go values as a decoder makes them, by gopter's own generators.
func values(depth int) gopter.Gen {
	scalars := []gopter.Gen{
		gen.Const(nil).Map(func(any) *any { return box(nil) }),
		gen.Bool().Map(func(b bool) *any { return box(b) }),
		gen.Float64().Map(func(f float64) *any { return box(f) }),
		gen.Float64Range(-1e6, 1e6).Map(func(f float64) *any { return box(f) }),
		gen.AnyString().Map(func(s string) *any { return box(valid(s)) }),
		gen.AlphaString().Map(func(s string) *any { return box(s) }),
	}
	if depth == 0 {
		return gen.OneGenOf(scalars...)
	}
	inner := values(depth - 1)
	lists := gen.SliceOfN(3, inner).Map(func(items []*any) *any {
		list := []any{}
		for _, item := range items {
			list = append(list, *item)
		}
		return box(list)
	})
	objects := gen.MapOf(gen.AnyString(), inner).Map(func(members map[string]*any) *any {
		object := map[string]any{}
		for name, value := range members {
			if len(object) < 5 {
				object[valid(name)] = *value
			}
		}
		return box(object)
	})
	return gen.OneGenOf(append(scalars, lists, objects, lists, objects)...)
}

// box holds any value, since gopter cannot pass a nil on.
func box(v any) *any { return &v }

// valid replaces what is not UTF-8, as ranging over a string does.
func valid(s string) string { return string([]rune(s)) }

// The canonical form of a value is the form of any text of it, and decodes to it.
func TestValues(t *testing.T) {
	holds(t, 300, "a value and its form", prop.ForAll(func(v *any) string {
		text, err := json.Marshal(*v)
		if err != nil {
			return ""
		}
		out, err := canon.Canonicalize(text)
		if err != nil {
			return fmt.Sprintf("%s is refused: %v", text, err)
		}
		var back any
		if err := json.Unmarshal(out, &back); err != nil {
			return fmt.Sprintf("%s does not decode: %v", out, err)
		}
		return cmp.Diff(*v, back)
	}, values(3)))
}

// Doubles of gopter's own, and any bits.
func TestNumbers(t *testing.T) {
	number, _ := law.Lookup("number")
	check := func(b uint64) string {
		if err := number.Check(fuzz.Canon{}, binary.BigEndian.AppendUint64(nil, b)); err != nil {
			return err.Error()
		}
		return ""
	}
	holds(t, 2000, "doubles", prop.ForAll(func(f float64) string { return check(math.Float64bits(f)) }, gen.Float64()))
	holds(t, 2000, "bits", prop.ForAll(check, gen.UInt64()))
}

// Strings of gopter's own.
func TestStrings(t *testing.T) {
	str, _ := law.Lookup("string")
	holds(t, 2000, "strings", prop.ForAll(func(s string) string {
		if err := str.Check(fuzz.Canon{}, []byte(s)); err != nil {
			return err.Error()
		}
		return ""
	}, gen.AnyString()))
}

// The relations, with the grammar's choices made by gopter.
func TestRelations(t *testing.T) {
	documents := gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(grammar.Document(gopterSource{p}), gopter.NoShrinker)
	})
	for _, l := range law.Relations() {
		holds(t, 200, l.Name, prop.ForAll(func(document []byte) string {
			if err := l.Check(fuzz.Canon{}, document); err != nil {
				return err.Error()
			}
			return ""
		}, documents))
	}
}

// The state machine of a snapshot: views are taken, changed, dropped, and taken
// again; the snapshot never changes.
type holder struct {
	snap  snapshot.Snapshot
	views []any
}

const held = `{"a":[1,{"b":"text"},[]],"c":{"d":null,"e":1e21},"f":"\u20ac"}`

// The model is how many views there are; the result of each command is the
// canonical form at that time, which is always the same.
var snapshotCommands = &commands.ProtoCommands{
	NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
		s, err := snapshot.Decode([]byte(held))
		if err != nil {
			panic(err)
		}
		return &holder{snap: s}
	},
	InitialStateGen: gen.Const(0),
	GenCommandFunc: func(state commands.State) gopter.Gen {
		if state.(int) == 0 {
			return gen.Const(takeView)
		}
		return gen.OneConstOf(takeView, spoilView, dropView, snapshotView)
	},
}

func command(name string, change func(h *holder) string, next func(views int) int) *commands.ProtoCommand {
	return &commands.ProtoCommand{
		Name:             name,
		RunFunc:          func(sut commands.SystemUnderTest) commands.Result { return change(sut.(*holder)) },
		NextStateFunc:    func(state commands.State) commands.State { return next(state.(int)) },
		PreConditionFunc: func(state commands.State) bool { return name == "take" || state.(int) > 0 },
		PostConditionFunc: func(_ commands.State, result commands.Result) *gopter.PropResult {
			if result.(string) != canonicalHeld {
				return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{cmp.Diff(canonicalHeld, result.(string))}}
			}
			return &gopter.PropResult{Status: gopter.PropTrue}
		},
	}
}

const canonicalHeld = `{"a":[1,{"b":"text"},[]],"c":{"d":null,"e":1e+21},"f":"€"}`

var (
	takeView = command("take", func(h *holder) string {
		h.views = append(h.views, h.snap.View())
		return h.snap.CanonicalJSON()
	}, func(n int) int { return n + 1 })
	spoilView = command("spoil", func(h *holder) string {
		last := h.views[len(h.views)-1].(map[string]any)
		last["a"] = "spoiled"
		if c, ok := last["c"].(map[string]any); ok {
			delete(c, "d")
		}
		return h.snap.CanonicalJSON()
	}, func(n int) int { return n })
	dropView = command("drop", func(h *holder) string {
		h.views = h.views[:len(h.views)-1]
		return h.snap.CanonicalJSON()
	}, func(n int) int { return n - 1 })
	snapshotView = command("snapshot", func(h *holder) string {
		fresh := h.snap.View()
		s, err := snapshot.Of(fresh)
		if err != nil {
			return err.Error()
		}
		if !reflect.DeepEqual(fresh, s.View()) {
			return "the view of a view's snapshot differs"
		}
		return s.CanonicalJSON()
	}, func(n int) int { return n })
)

func TestSnapshotCommands(t *testing.T) {
	holds(t, 100, "a snapshot never changes", commands.Prop(snapshotCommands))
}
