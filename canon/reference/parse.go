package reference

import (
	"strconv"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// MaxDepth is the nesting beyond which an examination ends: recursion and the
// pointers in errors stay bounded. It lies far beyond what any profile obliges
// an implementation to.
const MaxDepth = 100_000

// depthLimit is the nesting that canon and snapshot take by default, inclusive.
const depthLimit = 1000

type kind uint8

const (
	literalValue kind = iota
	numberValue
	stringValue
	arrayValue
	objectValue
)

// A value is a node of the document's tree.
type value struct {
	kind    kind
	literal string
	number  Number
	units   []uint16
	items   []*value
	members []member
}

type member struct {
	name  []uint16
	value *value
}

// parser reads a text by RFC 8259 and notes every reason against it, the first
// place for each.
type parser struct {
	src   []byte
	pos   int
	path  []string // pointer tokens of the value being read, names as "*"
	notes *Examination
}

// stop unwinds the descent at the first syntax fault. The parser alone throws
// and catches it.
type stop struct{}

// note records a reason at an offset unless it stands already: the parser moves
// forward, so that the first place is kept.
func (p *parser) note(r reject.Reason, offset int, requirement string) {
	if p.notes.First(r) == nil {
		p.notes.Faults = append(p.notes.Faults, p.refusal(r, offset, requirement))
	}
}

// refusal is the error for a reason at an offset, on the way to the value that
// is being read.
func (p *parser) refusal(r reject.Reason, offset int, requirement string) *reject.Error {
	line, column := 1, 1
	for _, b := range p.src[:offset] {
		column++
		if b == '\n' {
			line, column = line+1, 1
		}
	}
	var pointer strings.Builder
	for _, token := range p.path {
		pointer.WriteString("/" + token)
	}
	return &reject.Error{
		Package: "reference", Reason: r, Requirement: requirement, Offset: offset,
		Line: line, Column: column, Pointer: pointer.String(),
	}
}

func (p *parser) fault(r reject.Reason, offset int) { p.note(r, offset, r.Clause(reject.RFC8785)) }

// syntax ends the parse at the current offset.
func (p *parser) syntax(spot reject.Spot) {
	p.note(reject.Syntax, p.pos, reject.SyntaxClause(spot, p.src[p.pos:]))
	panic(stop{})
}

// peek gives the byte at the offset, or 0 at the end, which no token begins with.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// skip moves forward by n bytes.
func (p *parser) skip(n int) { p.pos = p.pos + n }

// all takes the bytes that are of a set, and tells whether there was one.
func (p *parser) all(set string) bool {
	start := p.pos
	for _, c := range p.src[start:] {
		if strings.IndexByte(set, c) < 0 {
			break
		}
		p.skip(1)
	}
	return p.pos > start
}

func (p *parser) space() { p.all(" \t\n\r") }

// text is JSON-text = ws value ws; nil if there was a syntax fault.
func (p *parser) text() (v *value) {
	defer func() {
		if caught := recover(); caught != nil {
			if _, mine := caught.(stop); !mine {
				panic(caught)
			}
			v = nil
		}
	}()
	if strings.HasPrefix(string(p.src[:min(3, len(p.src))]), "\ufeff") {
		p.fault(reject.BOM, 0)
		p.skip(3)
	}
	p.space()
	v = p.value(reject.SpotTop, 0)
	p.space()
	if p.pos < len(p.src) {
		p.syntax(reject.SpotEnd)
	}
	return v
}

// value reads one value; depth counts the containers around it.
func (p *parser) value(spot reject.Spot, depth int) *value {
	switch c := p.peek(); {
	case c == '{' || c == '[':
		p.enter(depth + 1)
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		units, _ := p.string(depth)
		return &value{kind: stringValue, units: units}
	case c == '-' || '0' <= c && c <= '9':
		return &value{kind: numberValue, number: p.number()}
	case c == 't':
		return p.literal("true")
	case c == 'f':
		return p.literal("false")
	case c == 'n':
		return p.literal("null")
	}
	p.syntax(spot)
	return nil
}

func (p *parser) enter(depth int) {
	giveWay(depth)
	p.notes.Depth = max(p.notes.Depth, depth)
	if depth > depthLimit {
		p.fault(reject.LimitDepth, p.pos)
	}
	if depth > MaxDepth {
		panic(stop{})
	}
}

func (p *parser) literal(word string) *value {
	for i := range len(word) {
		if p.peek() != word[i] {
			p.syntax(reject.SpotLiteral)
		}
		p.skip(1)
	}
	return &value{kind: literalValue, literal: word}
}

func (p *parser) push(token string) { p.path = append(p.path, token) }
func (p *parser) pop()              { p.path = p.path[:len(p.path)-1] }

func (p *parser) array(depth int) *value {
	v := &value{kind: arrayValue}
	p.skip(1)
	p.push("0")
	p.space()
	if p.peek() == ']' {
		p.skip(1)
		p.pop()
		return v
	}
	for {
		v.items = append(v.items, p.value(reject.SpotElement, depth))
		p.pop()
		p.space()
		switch p.peek() {
		case ',':
			p.skip(1)
			p.push(strconv.Itoa(len(v.items)))
			p.space()
		case ']':
			p.skip(1)
			return v
		default:
			p.syntax(reject.SpotArrayNext)
		}
	}
}

func (p *parser) object(depth int) *value {
	v := &value{kind: objectValue}
	seen := map[string]bool{}
	p.skip(1)
	p.space()
	if p.peek() == '}' {
		p.skip(1)
		return v
	}
	for {
		v.members = append(v.members, p.member(depth, seen))
		p.space()
		switch p.peek() {
		case ',':
			p.skip(1)
			p.space()
		case '}':
			p.skip(1)
			return v
		default:
			p.syntax(reject.SpotObjectNext)
		}
	}
}

func (p *parser) member(depth int, seen map[string]bool) member {
	if p.peek() != '"' {
		p.syntax(reject.SpotName)
	}
	start := p.pos
	name, wellFormed := p.string(depth)
	p.push("*")
	if wellFormed { // what ill-formed bytes stand for nobody knows
		key := string(appendUnitBytes(nil, name))
		if seen[key] {
			p.fault(reject.DuplicateName, start)
		}
		seen[key] = true
	}
	p.space()
	if p.peek() != ':' {
		p.syntax(reject.SpotColon)
	}
	p.skip(1)
	p.space()
	v := p.value(reject.SpotMember, depth)
	p.pop()
	return member{name, v}
}

// appendUnitBytes writes code units as bytes, so that they can be a map's key.
func appendUnitBytes(dst []byte, units []uint16) []byte {
	for _, u := range units {
		dst = append(dst, byte(u>>8), byte(u))
	}
	return dst
}

// string reads a string or a member name into code units. It is false if the
// string's bytes are not UTF-8.
func (p *parser) string(depth int) (units []uint16, wellFormed bool) {
	wellFormed = true
	p.skip(1)
	for {
		switch c := p.peek(); {
		case c == '"':
			p.skip(1)
			return units, wellFormed
		case c < 0x20: // the end of the text too
			p.syntax(reject.SpotString)
		case c == '\\':
			start := p.pos
			unit := p.escape()
			units = append(units, unit)
			switch {
			case isHigh(unit):
				if low, ok := p.low(start); ok {
					units = append(units, low)
					p.character(pair(unit, low), start, depth)
				}
			case isLow(unit):
				p.fault(reject.LoneSurrogate, start)
			default:
				p.character(rune(unit), start, depth)
			}
		default:
			length, point, ok := sequence(p.src[p.pos:])
			if ok {
				p.character(point, p.pos, depth)
				units = appendUnits(units, point)
			} else {
				p.fault(reject.InvalidUTF8, p.pos)
				wellFormed = false
			}
			p.skip(length)
		}
	}
}

// character notes a noncharacter; depth tells a top-level string from one in a
// container.
func (p *parser) character(point rune, offset, depth int) {
	if isNoncharacter(point) {
		p.notes.TopLevelString = depth == 0
		p.fault(reject.Noncharacter, offset)
	}
}

// escape reads one escape into its code unit.
func (p *parser) escape() uint16 {
	p.skip(1)
	c := p.peek()
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		p.skip(1)
		return uint16("\"\\/\b\f\n\r\t"[i])
	}
	if c != 'u' {
		p.syntax(reject.SpotEscape)
	}
	p.skip(1)
	unit := uint16(0)
	for range 4 {
		digit := strings.IndexByte(hexDigits, p.peek())
		switch {
		case digit < 0:
			p.syntax(reject.SpotEscape)
		case digit > 15:
			digit -= 6
		}
		unit = unit<<4 | uint16(digit)
		p.skip(1)
	}
	return unit
}

const hexDigits = "0123456789abcdefABCDEF"

// low reads the low surrogate that must follow the high one whose escape began
// at start. The high one is lone as soon as a byte stands there that no escape
// of a low surrogate has; a text that ends before leaves it open.
func (p *parser) low(start int) (unit uint16, ok bool) {
	pattern := []string{`\`, "u", "dD", "cdefCDEF", hexDigits, hexDigits}
	for i, allowed := range pattern {
		at := p.pos + i
		if at >= len(p.src) {
			return 0, false
		}
		if strings.IndexByte(allowed, p.src[at]) < 0 {
			p.fault(reject.LoneSurrogate, start)
			return 0, false
		}
	}
	return p.escape(), true
}

// number reads a number. Its value is judged unless the text goes on as no
// number can, which is a fault of the number's grammar.
func (p *parser) number() Number {
	start := p.pos
	if p.peek() == '-' {
		p.skip(1)
	}
	if p.peek() == '0' {
		p.skip(1)
	} else {
		p.digits()
	}
	if p.peek() == '.' {
		p.skip(1)
		p.digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.skip(1)
		if c := p.peek(); c == '+' || c == '-' {
			p.skip(1)
		}
		p.digits()
	}
	if strings.IndexByte("0123456789.eE+-", p.peek()) >= 0 {
		p.syntax(reject.SpotNumber)
	}
	n := ParseNumber(string(p.src[start:p.pos]))
	p.judge(&n, start)
	return n
}

func (p *parser) digits() {
	if !p.all("0123456789") {
		p.syntax(reject.SpotNumber)
	}
}

// judge notes what stands against a number's value. A number beyond the range
// by its exact value, but within it if cut at 20 digits, may be either.
func (p *parser) judge(n *Number, start int) {
	if n.Overflow {
		p.fault(reject.NumberOverflow, start)
		refusal := p.refusal(reject.NumberOverflow, start, reject.NumberOverflow.Clause(reject.RFC8785))
		if p.notes.Infinite == nil {
			p.notes.Infinite = refusal
		}
		if len(n.Neighbours) == 0 {
			if p.notes.Beyond == nil {
				p.notes.Beyond = refusal
			}
			return
		}
		n.Bits = n.Neighbours[0] // it is finite, since it is another
		n.Text = mustText(n.Bits)
		return
	}
	if n.Underflow {
		p.fault(reject.NumberUnderflow, start)
	}
	if n.NegativeZero {
		p.fault(reject.NegativeZero, start)
	}
	if !n.Exact {
		p.fault(reject.InexactNumber, start)
	}
	p.notes.UnsafeInteger = p.notes.UnsafeInteger || n.UnsafeInteger
	for _, b := range n.Neighbours {
		if b&^signBit == infinity { // one neighbour is beyond the range: refusing is right too
			p.fault(reject.NumberOverflow, start)
		}
	}
}
