package jsvalue_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// A drawer makes random graphs: a tree, of which now and then a node refers
// to any other, has a hole, a flag or another prototype.
type drawer struct {
	*rand.Rand
	graph reference.Graph
	odd   int // one choice in so many leaves the domain; 0 for none
}

func (d *drawer) oddly() bool { return d.odd > 0 && d.IntN(d.odd) == 0 }

func (d *drawer) node(depth int) int {
	if len(d.graph.Nodes) > 0 && d.oddly() {
		return d.IntN(len(d.graph.Nodes))
	}
	i := len(d.graph.Nodes)
	d.graph.Nodes = append(d.graph.Nodes, reference.Node{})
	var n reference.Node
	kind := d.IntN(6)
	if depth == 0 {
		kind = d.IntN(3)
	}
	switch {
	case d.oddly() && d.IntN(2) == 0:
		hosts := reference.Hosts()
		n = reference.Node{Kind: reference.Host, Text: hosts[d.IntN(len(hosts))]}
	case kind == 0:
		n = reference.Node{Kind: reference.Literal, Text: []string{"null", "true", "false"}[d.IntN(3)]}
	case kind == 1:
		n = reference.Node{Kind: reference.Number, Bits: d.bits()}
	case kind == 2:
		n = reference.Node{Kind: reference.String, Units: d.units()}
	case kind == 3:
		n = d.array(depth)
	default:
		n = reference.Node{Kind: reference.Object, Proto: []string{reference.ProtoObject, reference.ProtoNull}[d.IntN(2)]}
		if d.oddly() {
			n.Proto = reference.ProtoInstance
		}
		n.Members = d.properties(depth)
	}
	d.graph.Nodes[i] = n
	return i
}

func (d *drawer) array(depth int) reference.Node {
	n := reference.Node{Kind: reference.Array, Proto: reference.ProtoArray}
	for range d.IntN(4) {
		if d.oddly() {
			n.Length++
		}
		n.Elements = append(n.Elements, reference.Element{Index: n.Length, Node: d.node(depth - 1), Flag: d.flag(false)})
		n.Length++
	}
	if d.oddly() {
		n.Proto = []string{reference.ProtoNull, reference.ProtoObject, reference.ProtoForeign}[d.IntN(3)]
	}
	if d.oddly() {
		n.Extra = []reference.Property{{Name: []uint16{'x'}, Node: d.node(depth - 1), Flag: d.flag(true)}}
	}
	return n
}

func (d *drawer) properties(depth int) []reference.Property {
	var all []reference.Property
	for range d.IntN(4) {
		p := reference.Property{Name: d.units(), Node: d.node(depth - 1), Flag: d.flag(true)}
		if !slices.ContainsFunc(all, func(q reference.Property) bool { return slices.Equal(q.Name, p.Name) }) {
			all = append(all, p)
		}
	}
	return all
}

func (d *drawer) flag(symbols bool) reference.Flag {
	flags := []reference.Flag{reference.Hidden, reference.Getter, reference.Setter, reference.Symbol}
	if !symbols {
		flags = flags[:3]
	}
	if d.oddly() {
		return flags[d.IntN(len(flags))]
	}
	return reference.Plain
}

func (d *drawer) bits() uint64 {
	if d.oddly() {
		return []uint64{1 << 63, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48}[d.IntN(4)]
	}
	for {
		if b := d.Uint64() >> d.IntN(64); b&(0x7FF<<52) != 0x7FF<<52 && b != 1<<63 {
			return b
		}
	}
}

func (d *drawer) units() []uint16 {
	parts := [][]uint16{{}, {'a'}, {'b'}, {0}, {'\n'}, {0xE9}, {0xE000}, {0xFFFF}, {0xD83D, 0xDE00}, {'1', '0'}, {'9'},
		{'_', '_', 'p', 'r', 'o', 't', 'o', '_', '_'}, {'l', 'e', 'n', 'g', 't', 'h'}}
	units := slices.Concat(parts[d.IntN(len(parts))], parts[d.IntN(len(parts))])
	if d.oddly() {
		units = append(units, uint16(0xD800+d.IntN(0x800)))
	}
	return units
}

// TestRandomGraphsAgree holds the JavaScript domain, the Go domain and the
// mapping back to the judge of graphs, on graphs of every kind of fault.
func TestRandomGraphsAgree(t *testing.T) {
	accepted, refused, open, rounds := 0, 0, 0, 3000
	if testing.Short() {
		rounds = 600
	}
	for seed := range uint64(rounds) {
		d := &drawer{Rand: rand.New(rand.NewPCG(seed, 3)), odd: int(seed % 6 * 6)}
		d.graph.Root = d.node(4)
		verdict := reference.Judge(&d.graph)
		if err := domainsAgree(&d.graph); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch {
		case verdict.Accepts():
			accepted++
		case verdict.Rejects():
			refused++
		default:
			open++
		}
	}
	if accepted < rounds/10 || refused < rounds/10 || open == 0 {
		t.Errorf("one-sided: %d accepted, %d refused, %d open", accepted, refused, open)
	}
}

// domainsAgree is the law of values: of one graph, the JavaScript value's
// snapshot, the Go value's where there is one, and the JavaScript value mapped
// back say what the judge says.
func domainsAgree(g *reference.Graph) error {
	verdict := reference.Judge(g)
	vm := goja.New()
	value, err := jsvalue.Build(vm, g)
	if err != nil {
		return err
	}
	s, err := jsvalue.Of(vm, value, snapshot.Options{})
	if err := compare(verdict, s, err); err != nil {
		return fmt.Errorf("in JavaScript: %w", err)
	}
	back, err := jsvalue.ToGraph(vm, value)
	if err != nil {
		return err
	}
	if again := reference.Judge(back); again.Rejects() != verdict.Rejects() || string(again.Canonical) != string(verdict.Canonical) || !slices.Equal(again.Reasons(), verdict.Reasons()) {
		return fmt.Errorf("mapped back: %v %q, want %v %q", again.Reasons(), again.Canonical, verdict.Reasons(), verdict.Canonical)
	}
	inGo, err := reference.ToGo(g)
	if err != nil {
		return nil // Go has no such value
	}
	s, err = snapshot.Of(inGo)
	if err := compare(reference.Judge(reference.FromGo(inGo)), s, err); err != nil {
		return fmt.Errorf("in Go: %w", err)
	}
	return nil
}

func compare(verdict *reference.Judgement, s snapshot.Snapshot, err error) error {
	if err == nil {
		if verdict.Rejects() || s.CanonicalJSON() != string(verdict.Canonical) {
			return fmt.Errorf("given %q; the judge says %v, %q", s.CanonicalJSON(), verdict.Reasons(), verdict.Canonical)
		}
		return nil
	}
	var refusal *reject.Error
	if !errors.As(err, &refusal) || !slices.Contains(verdict.Reasons(), refusal.Reason) {
		return fmt.Errorf("refused by %w; the judge says %v", err, verdict.Reasons())
	}
	return nil
}

// FuzzGraphs holds the law on graphs that grow out of the vectors.
func FuzzGraphs(f *testing.F) {
	for _, v := range vectors.All() {
		if v.Op == vectors.OpGraph {
			f.Add(v.Input)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		g, err := reference.Parse(text)
		if err != nil {
			return
		}
		if err := domainsAgree(g); err != nil {
			t.Error(err)
		}
	})
}
