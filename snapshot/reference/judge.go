package reference

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// MaxDepth is the nesting beyond which a refusal is as right as the bytes.
const MaxDepth = 1000

// A Fault is one way in which a value leaves the domain.
type Fault struct {
	Reason  reject.Reason
	Clause  string // the requirement that is broken
	Pointer string // JSON Pointer, names as "*"
	Open    bool   // RFC-0016's text leaves it open whether this is a fault
}

// A Judgement is what the domain says of a value.
type Judgement struct {
	// Faults are all there are, in the order of the nodes.
	Faults []Fault
	// Canonical is the canonical form of the value if no fault is firm; nil
	// otherwise.
	Canonical []byte
	// Depth is the deepest nesting of containers.
	Depth int
}

// Rejects reports whether the value must be refused.
func (j *Judgement) Rejects() bool {
	return slices.ContainsFunc(j.Faults, func(f Fault) bool { return !f.Open })
}

// Accepts reports whether the value must be taken. If neither holds, both
// answers are right.
func (j *Judgement) Accepts() bool { return len(j.Faults) == 0 }

// Reasons lists the reasons that a refusal may give, each once, by the order of
// the closed list.
func (j *Judgement) Reasons() []reject.Reason {
	var all []reject.Reason
	for _, f := range j.Faults {
		if !slices.Contains(all, f.Reason) {
			all = append(all, f.Reason)
		}
	}
	slices.Sort(all)
	return all
}

// Judge examines a value. The graph must be well-formed, as Parse and FromGo
// give it.
func Judge(g *Graph) *Judgement {
	w := &walk{graph: g, state: make([]state, len(g.Nodes))}
	var text strings.Builder
	w.visit(g.Root, "", 1, &text)
	if !w.verdict.Rejects() {
		w.verdict.Canonical = canonical(text.String())
	}
	return &w.verdict
}

type state uint8

const (
	fresh state = iota
	open
	closed
)

type walk struct {
	graph   *Graph
	state   []state
	slices  []int // the nodes with memory that were entered
	verdict Judgement
}

func (w *walk) fault(reason reject.Reason, pointer string) {
	w.verdict.Faults = append(w.verdict.Faults, Fault{reason, reason.Clause(reject.RFC0016), pointer, false})
}

func (w *walk) openFault(reason reject.Reason, pointer string) {
	w.fault(reason, pointer)
	w.verdict.Faults[len(w.verdict.Faults)-1].Open = true
}

// visit notes the faults of a node and below, and writes it as JSON text. What
// it writes of a value that is refused means nothing.
func (w *walk) visit(i int, at string, depth int, text *strings.Builder) {
	switch n := &w.graph.Nodes[i]; n.Kind {
	case Literal:
		text.WriteString(n.Text)
	case Number:
		w.number(n.Bits, at, text)
	case Integer:
		w.integer(n.Text, at, text)
	case Decimal:
		w.decimal(n.Text, at, text)
	case String:
		if n.Faulty {
			w.fault(reject.InvalidUTF8, at)
		}
		w.units(n.Units, at, text)
	case TypedNil:
		w.fault(reject.TypedNil, at)
	case Foreign:
		w.fault(reject.UnsupportedType, at)
	case Host:
		w.host(i, at)
	case Object, Array:
		if w.entered(i, at) {
			return
		}
		w.state[i] = open
		w.verdict.Depth = max(w.verdict.Depth, depth)
		if depth > MaxDepth {
			w.openFault(reject.LimitDepth, at)
		}
		if n.Kind == Object {
			w.object(n, at, depth, text)
		} else {
			w.array(n, at, depth, text)
		}
		w.state[i] = closed
	}
}

// "numbers must be finite and must not be negative zero"
func (w *walk) number(bits uint64, at string, text *strings.Builder) {
	if bits == 1<<63 {
		w.fault(reject.NegativeZero, at)
	}
	digits, finite := reference.NumberToString(bits)
	if !finite {
		w.fault(reject.NonFiniteNumber, at)
	}
	text.WriteString(digits)
}

// A Go integer is the number of the snapshot or is refused: beyond 2^53-1 a
// double may stand for several integers.
func (w *walk) integer(decimal string, at string, text *strings.Builder) {
	n, ok := new(big.Int).SetString(decimal, 10)
	if !ok || n.CmpAbs(big.NewInt(1<<53-1)) > 0 {
		w.fault(reject.InexactNumber, at)
	}
	text.WriteString(decimal)
}

// A json.Number keeps its decimal value or is refused.
func (w *walk) decimal(number string, at string, text *strings.Builder) {
	if !isNumber(number) {
		w.fault(reject.Syntax, at)
		return
	}
	n := reference.ParseNumber(number)
	switch {
	case n.Overflow:
		w.fault(reject.NumberOverflow, at)
	case n.NegativeZero:
		w.fault(reject.NegativeZero, at)
	}
	if !n.Exact && !n.Overflow {
		w.fault(reject.InexactNumber, at)
	}
	text.WriteString(number)
}

// isNumber: the text is a number by RFC 8259 section 6, and nothing else.
func isNumber(text string) bool {
	if text == "" || !strings.Contains("-0123456789", text[:1]) || strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	return reference.Examine([]byte(text)).First(reject.Syntax, reject.InvalidUTF8) == nil
}

// "strings must not contain lone UTF-16 surrogate code units"
func (w *walk) units(units []uint16, at string, text *strings.Builder) {
	if lone(units) {
		w.fault(reject.LoneSurrogate, at)
	}
	text.WriteByte('"')
	for _, u := range units {
		fmt.Fprintf(text, `\u%04x`, u)
	}
	text.WriteByte('"')
}

func lone(units []uint16) bool {
	high := func(u uint16) bool { return u >= 0xD800 && u <= 0xDBFF }
	low := func(u uint16) bool { return u >= 0xDC00 && u <= 0xDFFF }
	for i, u := range units {
		paired := high(u) && i+1 < len(units) && low(units[i+1]) || low(u) && i > 0 && high(units[i-1])
		if (high(u) || low(u)) && !paired {
			return true
		}
	}
	return false
}

// "undefined, bigint, symbols, functions, Date, RegExp, Map, Set, typed arrays,
// class instances, and other host objects are rejected"
func (w *walk) host(i int, at string) {
	brand := w.graph.Nodes[i].Text
	if typeHosts[brand] {
		w.fault(reject.UnsupportedType, at)
	} else {
		w.fault(reject.HostObject, at)
	}
	if !primitiveHosts[brand] && w.state[i] != fresh {
		w.fault(reject.RepeatedReference, at)
	}
	w.state[i] = closed
}

// "cycles, and repeated object references are rejected"
func (w *walk) entered(i int, at string) bool {
	before := w.state[i]
	memory := w.graph.Nodes[i].Memory
	for _, j := range w.slices {
		if j != i && memory.overlaps(w.graph.Nodes[j].Memory) && before != open {
			before = max(before, closed)
			if w.state[j] == open {
				before = open
			}
		}
	}
	switch before {
	case open:
		w.fault(reject.Cycle, at)
	case closed:
		w.fault(reject.RepeatedReference, at)
	default:
		if memory != nil {
			w.slices = append(w.slices, i)
		}
		return false
	}
	return true
}

// "objects must be plain records with Object.prototype or a null prototype"
func (w *walk) object(n *Node, at string, depth int, text *strings.Builder) {
	if n.Proto == ProtoInstance {
		w.fault(reject.NonPlainObject, at)
	}
	text.WriteByte('{')
	for i, p := range n.Members {
		if i > 0 {
			text.WriteByte(',')
		}
		w.property(p, at, depth, text)
	}
	text.WriteByte('}')
}

// "object properties must be own, enumerable, string-keyed data properties"
func (w *walk) property(p Property, at string, depth int, text *strings.Builder) {
	at = below(at, "*", depth)
	if p.Faulty {
		w.fault(reject.InvalidUTF8, at)
	}
	if p.Flag == Symbol {
		w.fault(reject.SymbolKey, at)
	} else {
		w.units(p.Name, at, text)
	}
	text.WriteByte(':')
	w.behind(p.Flag, p.Node, at, depth, text)
}

// below lengthens a pointer, down to MaxDepth.
func below(at, token string, depth int) string {
	if depth > MaxDepth {
		return at
	}
	return at + "/" + token
}

// behind visits what a property leads to, unless that would take a call.
func (w *walk) behind(flag Flag, node int, at string, depth int, text *strings.Builder) {
	switch flag {
	case Getter, Setter:
		w.fault(reject.AccessorProperty, at)
		return
	case Hidden:
		w.fault(reject.NonEnumerableProperty, at)
	}
	w.visit(node, at, depth+1, text)
}

// "arrays must be dense and must not contain additional own properties"
func (w *walk) array(n *Node, at string, depth int, text *strings.Builder) {
	switch n.Proto {
	case ProtoArray:
	case ProtoInstance:
		w.fault(reject.NonPlainArray, at)
	default:
		w.openFault(reject.NonPlainArray, at)
	}
	if len(n.Elements) < int(n.Length) {
		w.fault(reject.SparseArray, at)
	}
	text.WriteByte('[')
	for i, e := range n.Elements {
		if i > 0 {
			text.WriteByte(',')
		}
		w.behind(e.Flag, e.Node, below(at, strconv.FormatUint(uint64(e.Index), 10), depth), depth, text)
	}
	text.WriteByte(']')
	for _, p := range n.Extra {
		w.fault(reject.ArrayExtraProperty, at)
		w.property(p, at, depth, new(strings.Builder))
	}
}

// canonical gives the canonical form of JSON text that is known to have one.
func canonical(text string) []byte {
	x := reference.Examine([]byte(text))
	if x.Canonical == nil {
		panic("reference: the text of a value in the domain has no canonical form")
	}
	return x.Canonical
}
