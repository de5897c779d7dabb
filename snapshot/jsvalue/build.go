package jsvalue

import (
	"fmt"
	"math"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// hostSource makes a value of each brand. Proxies are made with traps that
// throw, so that a reader that runs one is found out.
var hostSource = map[string]string{
	"undefined":    `undefined`,
	"bigint":       `1n`,
	"symbol":       `Symbol("s")`,
	"function":     `(function(){})`,
	"date":         `new Date(0)`,
	"regexp":       `/x/g`,
	"map":          `new Map([["a",1]])`,
	"set":          `new Set([1])`,
	"weakmap":      `new WeakMap()`,
	"error":        `new Error("e")`,
	"promise":      `Promise.resolve(1)`,
	"bytes":        `new ArrayBuffer(4)`,
	"typedarray":   `new Uint8Array([1,2])`,
	"boxednumber":  `new Number(1)`,
	"boxedstring":  `new String("s")`,
	"boxedboolean": `new Boolean(true)`,
	"proxy":        `new Proxy({}, new Proxy({}, {get() { throw new Error("a trap ran") }}))`,
	"arguments":    `(function(){ return arguments })(1, 2)`,
	"generator":    `(function*(){ yield 1 })()`,
}

// Build makes the JavaScript value of a graph in vm, in which no script may
// have run. It can express every graph: an index used twice is the same object.
func Build(vm *goja.Runtime, g *reference.Graph) (goja.Value, error) {
	define, ok := goja.AssertFunction(vm.GlobalObject().Get("Object").ToObject(vm).Get("defineProperty"))
	if !ok {
		return nil, fmt.Errorf("jsvalue: the engine has no Object.defineProperty")
	}
	b := builder{vm: vm, graph: g, define: define, built: make(map[int]goja.Value)}
	v := b.build(g.Root)
	return v, b.err
}

type builder struct {
	vm     *goja.Runtime
	graph  *reference.Graph
	define goja.Callable
	built  map[int]goja.Value
	err    error // the first that the engine gave
}

func (b *builder) note(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) build(i int) goja.Value {
	if v, ok := b.built[i]; ok {
		return v
	}
	n := &b.graph.Nodes[i]
	switch n.Kind {
	case reference.Object:
		return b.object(i, n)
	case reference.Array:
		return b.array(i, n)
	}
	v := b.leaf(n)
	b.built[i] = v
	return v
}

func (b *builder) leaf(n *reference.Node) goja.Value {
	switch n.Kind {
	case reference.Literal:
		if n.Text == "null" {
			return goja.Null()
		}
		return b.vm.ToValue(n.Text == "true")
	case reference.Number:
		return b.vm.ToValue(math.Float64frombits(n.Bits))
	case reference.String:
		return goja.StringFromUTF16(n.Units)
	case reference.Host:
		return b.script(hostSource[n.Text])
	}
	b.note(fmt.Errorf("jsvalue: a node of a kind that exists in Go only"))
	return goja.Undefined()
}

func (b *builder) script(source string) goja.Value {
	v, err := b.vm.RunString(source)
	b.note(err)
	return v
}

func (b *builder) object(i int, n *reference.Node) goja.Value {
	o := b.vm.NewObject()
	switch n.Proto {
	case reference.ProtoNull:
		b.note(o.SetPrototype(nil))
	case reference.ProtoInstance:
		o = b.script(`new (class {})()`).ToObject(b.vm)
	}
	b.built[i] = o
	for _, p := range n.Members {
		b.property(o, p)
	}
	return o
}

func (b *builder) array(i int, n *reference.Node) goja.Value {
	o := b.vm.NewArray()
	b.built[i] = o
	b.note(o.Set("length", n.Length))
	for _, e := range n.Elements {
		b.defineAs(o, b.vm.ToValue(e.Index), e.Flag, b.build(e.Node))
	}
	for _, p := range n.Extra {
		b.property(o, p)
	}
	switch n.Proto {
	case reference.ProtoNull:
		b.note(o.SetPrototype(nil))
	case reference.ProtoObject:
		b.note(o.SetPrototype(b.vm.NewObject().Prototype()))
	case reference.ProtoForeign:
		b.note(o.SetPrototype(goja.New().NewArray().Prototype()))
	}
	return o
}

func (b *builder) property(o *goja.Object, p reference.Property) {
	key := goja.Value(goja.StringFromUTF16(p.Name))
	if p.Flag == reference.Symbol {
		key = goja.NewSymbol(key.String())
	}
	b.defineAs(o, key, p.Flag, b.build(p.Node))
}

// defineAs defines a property by its descriptor, so that no setter runs and
// __proto__ is a name as any other.
func (b *builder) defineAs(o *goja.Object, key goja.Value, flag reference.Flag, value goja.Value) {
	d := b.vm.NewObject()
	set := func(name string, v any) { b.note(d.Set(name, v)) }
	set("configurable", true)
	set("enumerable", flag != reference.Hidden)
	switch flag {
	case reference.Getter:
		set("get", func(goja.FunctionCall) goja.Value { return value })
	case reference.Setter:
		set("set", func(goja.FunctionCall) goja.Value { return goja.Undefined() })
	default:
		set("value", value)
		set("writable", true)
	}
	_, err := b.define(goja.Undefined(), o, key, d)
	b.note(err)
}
