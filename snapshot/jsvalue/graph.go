package jsvalue

import (
	"errors"
	"math"
	"strconv"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// ErrTooMany says that a value has more nodes than a graph may have.
var ErrTooMany = errors.New("jsvalue: the value has more nodes than a graph holds")

// ToGraph maps a value of vm to a graph for the slow judge: it only writes down
// what the descriptors, prototypes and brands are, and leaves it to the judge
// what they mean. It runs no code of the value. Brands that the list of hosts
// has no name for keep the engine's.
func ToGraph(vm *goja.Runtime, v goja.Value) (*reference.Graph, error) {
	r := realms.Get().(*realm)
	defer realms.Put(r)
	m := mapper{
		realm: r, record: vm.NewObject().Prototype(), array: vm.NewArray().Prototype(),
		known: make(map[*goja.Object]int),
	}
	root, err := m.node(v)
	if err != nil {
		return nil, err
	}
	return &reference.Graph{Root: root, Nodes: m.nodes}, nil
}

type mapper struct {
	realm         *realm
	record, array *goja.Object // the realm's prototypes
	nodes         []reference.Node
	known         map[*goja.Object]int
	templates     templates
}

func (m *mapper) add(n reference.Node) (int, error) {
	if len(m.nodes) == reference.MaxNodes {
		return 0, ErrTooMany
	}
	m.nodes = append(m.nodes, n)
	return len(m.nodes) - 1, nil
}

func (m *mapper) host(brand string) (int, error) {
	return m.add(reference.Node{Kind: reference.Host, Text: brand})
}

func (m *mapper) node(v goja.Value) (int, error) {
	switch v := v.(type) {
	case goja.String:
		return m.add(reference.Node{Kind: reference.String, Units: unitsOf(v)})
	case *goja.Symbol:
		return m.host("symbol")
	case *goja.Object:
		return m.object(v)
	}
	switch {
	case goja.IsUndefined(v):
		return m.host("undefined")
	case goja.IsBigInt(v):
		return m.host("bigint")
	case goja.IsNumber(v):
		return m.add(reference.Node{Kind: reference.Number, Bits: math.Float64bits(v.ToFloat())})
	case goja.IsNull(v):
		return m.add(reference.Node{Kind: reference.Literal, Text: "null"})
	}
	return m.add(reference.Node{Kind: reference.Literal, Text: strconv.FormatBool(v.ToBoolean())})
}

func (m *mapper) object(o *goja.Object) (int, error) {
	o = m.templates.identity(o)
	if i, ok := m.known[o]; ok {
		return i, nil
	}
	kind, brand := brandOf(o)
	n := reference.Node{Kind: reference.Host, Text: brand}
	switch kind {
	case functionBrand:
		n.Text = "function"
	case recordBrand:
		n = reference.Node{Kind: reference.Object, Proto: m.recordProto(o.Prototype())}
	case arrayBrand:
		n = reference.Node{Kind: reference.Array, Proto: m.arrayProto(o.Prototype())}
	}
	i, err := m.add(n)
	if err != nil {
		return 0, err
	}
	m.known[o] = i
	if n.Kind != reference.Host {
		err = m.properties(i, o)
	}
	return i, err
}

func (m *mapper) recordProto(p *goja.Object) string {
	switch p {
	case nil:
		return reference.ProtoNull
	case m.record:
		return reference.ProtoObject
	}
	return reference.ProtoInstance
}

// arrayProto tells an instance of a subclass by the realm's Array.prototype
// further up its chain, which is followed as long as that runs nothing.
func (m *mapper) arrayProto(p *goja.Object) string {
	switch p {
	case nil:
		return reference.ProtoNull
	case m.record:
		return reference.ProtoObject
	case m.array:
		return reference.ProtoArray
	}
	for p != nil {
		if p == m.array {
			return reference.ProtoInstance
		}
		if kind, _ := brandOf(p); kind != recordBrand && kind != arrayBrand {
			return reference.ProtoForeign
		}
		p = p.Prototype()
	}
	return reference.ProtoForeign
}

// properties writes down an object's own properties.
func (m *mapper) properties(i int, o *goja.Object) error {
	keys, err := m.realm.keys(o)
	if err != nil {
		return err
	}
	n := m.nodes[i]
	length := int64(-1)
	if n.Kind == reference.Array {
		p, _ := m.realm.own(o, m.realm.vm.ToValue("length"))
		length = p.value.ToInteger()
		n.Length = uint32(length)
	}
	for _, key := range keys {
		flag, target, err := m.property(o, key)
		if err != nil {
			return err
		}
		name := key.String()
		switch {
		case flag != reference.Symbol && length >= 0 && isIndex(name, length):
			index, _ := strconv.ParseUint(name, 10, 32)
			n.Elements = append(n.Elements, reference.Element{Index: uint32(index), Node: target, Flag: flag})
		case flag != reference.Symbol && length >= 0 && name == "length":
		default:
			p := reference.Property{Node: target, Flag: flag}
			if s, ok := key.(goja.String); ok {
				p.Name = unitsOf(s)
			}
			if length >= 0 {
				n.Extra = append(n.Extra, p)
			} else {
				n.Members = append(n.Members, p)
			}
		}
	}
	m.nodes[i] = n
	return nil
}

// property tells a property's flag and the node of its value.
func (m *mapper) property(o *goja.Object, key goja.Value) (reference.Flag, int, error) {
	p, _ := m.realm.own(o, key)
	flag := reference.Plain
	if !p.enumerable {
		flag = reference.Hidden
	}
	if p.value == nil {
		flag = reference.Getter
	}
	if _, ok := key.(*goja.Symbol); ok {
		flag = reference.Symbol
	}
	if p.value == nil {
		i, err := m.host("undefined") // what stands behind an accessor is not looked at
		return flag, i, err
	}
	i, err := m.node(p.value)
	return flag, i, err
}
