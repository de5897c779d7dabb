package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/touchstone-oracle/touchstone/canon/reference"
)

// FromGo maps a Go value to a graph. The same map is the same node, and so are
// slices of the same memory and length; other slices carry their memory, by
// which Judge tells overlaps. Members stand in the canonical order. No method of the value is called.
func FromGo(value any) *Graph {
	m := mapper{known: make(map[identity]int)}
	root := m.node(value)
	return &Graph{Root: root, Nodes: m.nodes}
}

// identity tells containers apart; length is 0 for maps.
type identity struct {
	at     uintptr
	length int
}

type mapper struct {
	nodes []Node
	known map[identity]int
}

// add reserves a node, so that what is inside it can lead back to it.
func (m *mapper) add(n Node) int {
	m.nodes = append(m.nodes, n)
	return len(m.nodes) - 1
}

func (m *mapper) node(value any) int {
	switch v := value.(type) {
	case nil:
		return m.add(Node{Kind: Literal, Text: "null"})
	case bool:
		return m.add(Node{Kind: Literal, Text: fmt.Sprint(v)})
	case float64:
		return m.add(Node{Kind: Number, Bits: math.Float64bits(v)})
	case string:
		units, faulty := unitsOf(v)
		return m.add(Node{Kind: String, Units: units, Faulty: faulty})
	case json.Number:
		return m.add(Node{Kind: Decimal, Text: string(v)})
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return m.add(Node{Kind: Integer, Text: fmt.Sprint(v)})
	case map[string]any:
		if v != nil {
			return m.object(v)
		}
	case []any:
		if v != nil {
			return m.array(v)
		}
	}
	n := Node{Kind: Foreign, Text: reflect.TypeOf(value).String()}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer:
		if v.IsNil() {
			n.Kind = TypedNil
		}
	}
	return m.add(n)
}

func unitsOf(s string) (units []uint16, faulty bool) {
	if !utf8.ValidString(s) {
		return nil, true
	}
	return utf16.Encode([]rune(s)), false
}

func (m *mapper) object(object map[string]any) int {
	id := identity{at: reflect.ValueOf(object).Pointer()}
	if i, ok := m.known[id]; ok {
		return i
	}
	i := m.add(Node{Kind: Object, Proto: ProtoObject})
	m.known[id] = i
	names := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		return cmp.Or(reference.CompareNames(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))), strings.Compare(a, b))
	})
	var members []Property
	for _, name := range names {
		units, faulty := unitsOf(name)
		members = append(members, Property{Name: units, Faulty: faulty, Node: m.node(object[name])})
	}
	m.nodes[i].Members = members
	return i
}

func (m *mapper) array(array []any) int {
	if len(array) == 0 {
		return m.add(Node{Kind: Array, Proto: ProtoArray})
	}
	first := uintptr(unsafe.Pointer(&array[0]))
	id := identity{first, len(array)}
	if i, ok := m.known[id]; ok {
		return i
	}
	memory := &Range{first, first + unsafe.Sizeof(array[0])*uintptr(len(array))}
	i := m.add(Node{Kind: Array, Proto: ProtoArray, Length: uint32(len(array)), Memory: memory})
	m.known[id] = i
	var elements []Element
	for k, value := range array {
		elements = append(elements, Element{Index: uint32(k), Node: m.node(value)})
	}
	m.nodes[i].Elements = elements
	return i
}
