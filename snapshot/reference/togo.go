package reference

import (
	"errors"
	"math"
	"unicode/utf8"
)

// ErrInexpressible says that a graph has no Go value: it has a hole, a
// property that is not plain, a prototype, a host, or an empty array twice.
var ErrInexpressible = errors.New("reference: Go has no value for this graph")

// ToGo builds the Go value of a graph: an index used twice is the same map or
// the same slice. Lone units become faulty UTF-8. It gives ErrInexpressible
// where Go has no such value.
func ToGo(g *Graph) (any, error) {
	b := goBuilder{graph: g, built: make(map[int]any)}
	return b.build(g.Root)
}

type goBuilder struct {
	graph *Graph
	built map[int]any
}

func (b *goBuilder) build(i int) (any, error) {
	n := &b.graph.Nodes[i]
	if v, ok := b.built[i]; ok {
		if n.Kind == Array && n.Length == 0 {
			return nil, ErrInexpressible
		}
		return v, nil
	}
	switch n.Kind {
	case Literal:
		switch n.Text {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, nil
	case Number:
		return math.Float64frombits(n.Bits), nil
	case String:
		return wtf8(n.Units), nil
	case Object:
		return b.object(i, n)
	case Array:
		return b.array(i, n)
	}
	return nil, ErrInexpressible
}

func (b *goBuilder) object(i int, n *Node) (any, error) {
	if n.Proto == ProtoInstance {
		return nil, ErrInexpressible
	}
	object := make(map[string]any)
	b.built[i] = object
	for _, p := range n.Members {
		if p.Flag != Plain {
			return nil, ErrInexpressible
		}
		v, err := b.build(p.Node)
		if err != nil {
			return nil, err
		}
		object[wtf8(p.Name)] = v
	}
	return object, nil
}

func (b *goBuilder) array(i int, n *Node) (any, error) {
	if n.Proto != ProtoArray || len(n.Elements) < int(n.Length) || len(n.Extra) > 0 {
		return nil, ErrInexpressible
	}
	array := make([]any, n.Length)
	b.built[i] = array
	for k, e := range n.Elements {
		if e.Flag != Plain {
			return nil, ErrInexpressible
		}
		v, err := b.build(e.Node)
		if err != nil {
			return nil, err
		}
		array[k] = v
	}
	return array, nil
}

// wtf8 encodes units as UTF-8, and a lone one by the same rule of three bytes,
// which makes faulty UTF-8, so that no two lists of units become one string.
func wtf8(units []uint16) string {
	var out []byte
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		switch {
		case i+1 < len(units) && u >= 0xD800 && u <= 0xDBFF && units[i+1] >= 0xDC00 && units[i+1] <= 0xDFFF:
			out = utf8.AppendRune(out, 0x10000+(u-0xD800)<<10+rune(units[i+1])-0xDC00)
			i++
		case u >= 0xD800 && u <= 0xDFFF:
			out = append(out, 0xED, 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
		default:
			out = utf8.AppendRune(out, u)
		}
	}
	return string(out)
}
