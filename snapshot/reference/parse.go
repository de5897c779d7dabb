package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reference"
)

// MaxText and MaxNodes bound a graph's text.
const (
	MaxText  = 16 << 20
	MaxNodes = 1 << 16
)

// Parse reads a value graph in its cross-language form. Whatever is malformed,
// a graph with nodes that nothing reaches too, is an error.
func Parse(text []byte) (*Graph, error) {
	if len(text) > MaxText {
		return nil, malformed("the text is longer than %d bytes", MaxText)
	}
	if _, err := reference.Canonicalize(text); err != nil {
		return nil, malformed("%w", err)
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil || top == nil {
		return nil, malformed("it is not an object")
	}
	if err := onlyKeys(top, "root", "nodes"); err != nil {
		return nil, err
	}
	g := &Graph{}
	var nodes []map[string]json.RawMessage
	if json.Unmarshal(top["nodes"], &nodes) != nil || len(nodes) == 0 {
		return nil, malformed("nodes is not a list of objects")
	}
	if len(nodes) > MaxNodes {
		return nil, malformed("it has more than %d nodes", MaxNodes)
	}
	r := reader{count: len(nodes)}
	g.Root = r.index(top["root"])
	for i, fields := range nodes {
		node, err := r.node(fields)
		if err = firstError(err, r.err); err != nil {
			return nil, malformed("node %d: %w", i, err)
		}
		g.Nodes = append(g.Nodes, node)
	}
	if i := slices.Index(g.reached(), false); i >= 0 {
		return nil, malformed("node %d is reached by nothing", i)
	}
	return g, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("reference: a malformed value graph: "+format, args...)
}

// reader reads the parts of nodes; the first fault stays in err.
type reader struct {
	count int
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func onlyKeys(fields map[string]json.RawMessage, known ...string) error {
	for key := range fields {
		if !slices.Contains(known, key) {
			return malformed("a key that is none of %s", strings.Join(known, ", "))
		}
	}
	return nil
}

// forms gives for each kind of node the keys it may have; the first is the one
// that tells the kind, and must be there.
var forms = []struct {
	kind Kind
	keys []string
}{
	{Literal, []string{"literal"}},
	{Number, []string{"number"}},
	{String, []string{"string"}},
	{Host, []string{"host"}},
	{Object, []string{"object", "proto"}},
	{Array, []string{"array", "length", "extra", "proto"}},
}

func (r *reader) node(fields map[string]json.RawMessage) (Node, error) {
	for _, form := range forms {
		raw, ok := fields[form.keys[0]]
		if !ok {
			continue
		}
		if err := onlyKeys(fields, form.keys...); err != nil {
			return Node{}, err
		}
		n := Node{Kind: form.kind}
		switch form.kind {
		case Literal:
			n.Text = r.oneOf(raw, "null", "true", "false")
		case Number:
			n.Bits = r.bits(raw)
		case String:
			n.Units = r.units(raw)
		case Host:
			n.Text = r.oneOf(raw, Hosts()...)
		case Object:
			n.Proto = r.proto(fields["proto"], ProtoObject, ProtoNull, ProtoInstance)
			n.Members = r.properties(raw)
		case Array:
			n.Proto = r.proto(fields["proto"], ProtoArray, ProtoNull, ProtoObject, ProtoForeign)
			r.array(&n, fields)
		}
		return n, nil
	}
	return Node{}, malformed("a node that is of no kind")
}

func (r *reader) array(n *Node, fields map[string]json.RawMessage) {
	for _, entry := range r.entries(fields["array"]) {
		index := r.unsigned(entry[0], math.MaxUint32-1)
		if k := len(n.Elements); k > 0 && index <= uint64(n.Elements[k-1].Index) {
			r.fail("the indices do not ascend")
		}
		n.Elements = append(n.Elements, Element{uint32(index), r.index(entry[1]), r.flag(entry, false)})
	}
	length := uint64(0)
	if k := len(n.Elements); k > 0 {
		length = uint64(n.Elements[k-1].Index) + 1
	}
	if raw, given := fields["length"]; given {
		least := length
		if length = r.unsigned(raw, math.MaxUint32); length < least {
			r.fail("the length is not beyond the last index")
		}
	}
	n.Length = uint32(length)
	if raw, given := fields["extra"]; given {
		n.Extra = r.properties(raw)
	}
	for _, p := range n.Extra {
		if name := ascii(p.Name); p.Flag != Symbol && (name == "length" || isIndex(name)) {
			r.fail("an extra property that an array cannot have beside its elements")
		}
	}
}

// isIndex: the name is that of an array's element (ECMA-262 section 6.1.7).
func isIndex(name string) bool {
	n, err := strconv.ParseUint(name, 10, 32)
	return err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == name
}

// ascii gives a name as a string, or "" if it has other characters.
func ascii(units []uint16) string {
	var b strings.Builder
	for _, u := range units {
		if u >= 0x80 {
			return ""
		}
		b.WriteByte(byte(u))
	}
	return b.String()
}

func (r *reader) properties(raw json.RawMessage) []Property {
	var all []Property
	seen := make(map[string]bool)
	for _, entry := range r.entries(raw) {
		p := Property{Name: r.units(entry[0]), Node: r.index(entry[1]), Flag: r.flag(entry, true)}
		if name := string(entry[0]); p.Flag != Symbol {
			if seen[name] {
				r.fail("the same name twice")
			}
			seen[name] = true
		}
		all = append(all, p)
	}
	return all
}

// entries reads a list of lists of two or three.
func (r *reader) entries(raw json.RawMessage) [][]json.RawMessage {
	var all [][]json.RawMessage
	if json.Unmarshal(raw, &all) != nil || all == nil {
		r.fail("not a list of lists")
		return nil
	}
	for _, entry := range all {
		if len(entry) != 2 && len(entry) != 3 {
			r.fail("an entry that has not two or three parts")
			return nil
		}
	}
	return all
}

func (r *reader) flag(entry []json.RawMessage, symbols bool) Flag {
	if len(entry) == 2 {
		return Plain
	}
	flags := []string{string(Hidden), string(Getter), string(Setter)}
	if symbols {
		flags = append(flags, string(Symbol))
	}
	return Flag(r.oneOf(entry[2], flags...))
}

func (r *reader) proto(raw json.RawMessage, allowed ...string) string {
	if raw == nil {
		return allowed[0]
	}
	return r.oneOf(raw, allowed...)
}

func (r *reader) text(raw json.RawMessage) string {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		r.fail("not a string where one must stand")
		return ""
	}
	return *s
}

func (r *reader) oneOf(raw json.RawMessage, allowed ...string) string {
	s := r.text(raw)
	if !slices.Contains(allowed, s) {
		r.fail("not one of %s", strings.Join(allowed, ", "))
	}
	return s
}

func (r *reader) index(raw json.RawMessage) int {
	return int(r.unsigned(raw, uint64(r.count-1)))
}

// unsigned reads a whole number in plain digits.
func (r *reader) unsigned(raw json.RawMessage, most uint64) uint64 {
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || n > most {
		r.fail("not a whole number from 0 to %d", most)
		return 0
	}
	return n
}

// bits reads the 16 hexadecimal digits of a double. Every NaN is one NaN.
func (r *reader) bits(raw json.RawMessage) uint64 {
	s := r.text(raw)
	bits, err := strconv.ParseUint(s, 16, 64)
	if err != nil || len(s) != 16 || strings.ToLower(s) != s {
		r.fail("not 16 lower-case hexadecimal digits")
	}
	if math.IsNaN(math.Float64frombits(bits)) {
		return math.Float64bits(math.NaN())
	}
	return bits
}

// units reads the hexadecimal digits of UTF-16 units, four for each.
func (r *reader) units(raw json.RawMessage) []uint16 {
	s := r.text(raw)
	if len(s)%4 != 0 || strings.Trim(s, "0123456789abcdef") != "" {
		r.fail("not four lower-case hexadecimal digits for each unit")
		return nil
	}
	units := make([]uint16, 0, len(s)/4)
	for ; s != ""; s = s[4:] {
		u, _ := strconv.ParseUint(s[:4], 16, 16) // hexadecimal as checked
		units = append(units, uint16(u))
	}
	return units
}

// reached marks the nodes that the root leads to.
func (g *Graph) reached() []bool {
	marks := make([]bool, len(g.Nodes))
	marks[g.Root] = true
	for todo := []int{g.Root}; len(todo) > 0; {
		n := &g.Nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, next := range n.targets() {
			if !marks[next] {
				marks[next] = true
				todo = append(todo, next)
			}
		}
	}
	return marks
}

// targets lists the nodes that a node leads to.
func (n *Node) targets() []int {
	var all []int
	for _, p := range n.Members {
		all = append(all, p.Node)
	}
	for _, e := range n.Elements {
		all = append(all, e.Node)
	}
	for _, p := range n.Extra {
		all = append(all, p.Node)
	}
	return all
}
