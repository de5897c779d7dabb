package reference

// A Kind says what a node is.
type Kind uint8

// The kinds of node. The last four exist in process only, for Go values.
const (
	Literal  Kind = iota // null, true or false
	Number               // a double
	String               // UTF-16 units
	Object               // named properties
	Array                // indexed elements
	Host                 // a value that JSON has no place for, by its brand
	TypedNil             // a nil map, slice or pointer
	Foreign              // a type outside the closed set
	Integer              // a Go integer, in decimal
	Decimal              // a json.Number, its text
)

// A Flag marks a property that is not an enumerable data property under a string.
type Flag string

// The flags.
const (
	Plain  Flag = ""
	Hidden Flag = "hidden" // not enumerable
	Getter Flag = "getter" // an accessor that has a getter
	Setter Flag = "setter" // an accessor that has a setter only
	Symbol Flag = "symbol" // its key is a symbol; the name is the description
)

// Prototypes of objects and of arrays.
const (
	ProtoObject   = "object"   // Object.prototype
	ProtoNull     = "null"     // none
	ProtoInstance = "instance" // of a class; of arrays in process only
	ProtoArray    = "array"    // Array.prototype; arrays only
	ProtoForeign  = "foreign"  // the Array.prototype of another realm; arrays only
)

// Hosts lists the brands of host nodes, in the order of the documentation.
func Hosts() []string {
	return []string{
		"undefined", "bigint", "symbol", "function", "date", "regexp", "map", "set", "weakmap",
		"error", "promise", "bytes", "typedarray", "boxednumber", "boxedstring", "boxedboolean",
		"proxy", "arguments", "generator",
	}
}

// primitive hosts have no identity, so that the same node twice is no alias.
var primitiveHosts = map[string]bool{"undefined": true, "bigint": true, "symbol": true}

// typeHosts are refused as types without a JSON meaning; the other hosts for
// what they are.
var typeHosts = map[string]bool{"undefined": true, "bigint": true, "symbol": true, "function": true}

// A Graph is a value: the node at Root and what it reaches. A caller must not
// change a graph that others read.
type Graph struct {
	Root  int
	Nodes []Node
}

// A Node is one value. Which fields count depends on Kind.
type Node struct {
	Kind    Kind
	Text    string // Literal, Integer, Decimal: as written; Host: its brand; TypedNil, Foreign: the Go type
	Bits    uint64 // Number: IEEE 754
	Units   []uint16
	Faulty  bool // String: bytes from Go that are not UTF-8, Units then being empty
	Proto   string
	Members []Property // Object
	// Array: elements by ascending index, an index left out being a hole, and
	// own properties beside them.
	Elements []Element
	Length   uint32
	Extra    []Property
	// Memory is where a Go slice's elements stand; nil for arrays without.
	Memory *Range
}

// A Property leads from an object to a node under a name.
type Property struct {
	Name   []uint16
	Faulty bool // bytes from Go that are not UTF-8, Name then being empty
	Node   int
	Flag   Flag
}

// An Element leads from an array to a node under an index.
type Element struct {
	Index uint32
	Node  int
	Flag  Flag
}

// A Range is memory from From up to but without To.
type Range struct{ From, To uintptr }

func (r *Range) overlaps(s *Range) bool {
	return r != nil && s != nil && r.From < s.To && s.From < r.To
}
