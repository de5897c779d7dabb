package zoo

import "slices"

// A Part is the part of a canonicalizer that a fault lies in.
type Part string

// The parts, in the order of the table.
const (
	Bytes      Part = "bytes"
	Strings    Part = "strings"
	Names      Part = "names"
	Order      Part = "order"
	Duplicates Part = "duplicates"
	NumbersIn  Part = "numbers in"
	NumbersOut Part = "numbers out"
	Structure  Part = "structure"
	Limits     Part = "limits"
	Speed      Part = "speed"
	State      Part = "state"
	None       Part = "none" // the control and the open behaviors
)

// Parts lists the parts of faults.
func Parts() []Part {
	return []Part{Bytes, Strings, Names, Order, Duplicates, NumbersIn, NumbersOut, Structure, Limits, Speed, State}
}

// A Creature is a canonicalizer with at most one fault.
type Creature struct {
	Name string // of the defect, permanent
	Part Part
	Text string // what it does wrong, or where it chooses otherwise
	// Open: it only makes a choice that the standards leave open.
	Open  bool
	plant func(b *behavior)
}

// Faulty reports whether the creature has a fault and must be found.
func (c Creature) Faulty() bool { return c.Part != None }

// An Individual is a running canonicalizer with a state of its own. Not safe
// for concurrent use. Its Canonicalize may panic, as software does.
type Individual interface {
	Canonicalize(src []byte) ([]byte, error)
	Work() int64 // steps so far
}

// New starts a creature afresh.
func (c Creature) New() Individual {
	m := &machine{behavior: right(), memory: make(map[uint64]string)}
	if c.plant != nil {
		c.plant(&m.behavior)
	}
	return m
}

// Control is the creature without a fault.
func Control() Creature { return Creature{Name: "control", Part: None, Text: "does everything right"} }

// All lists the control, the open behaviors and the faulty creatures.
func All() []Creature {
	all := []Creature{Control()}
	for _, o := range openBehaviors {
		o.Part, o.Open = None, true
		all = append(all, o)
	}
	for _, part := range [][]Creature{
		byteFaults, stringFaults, escapeFaults, nameFaults, orderFaults, duplicateFaults, readFaults, printFaults, structureFaults, limitFaults, speedFaults, stateFaults,
	} {
		all = append(all, part...)
	}
	return all
}

// Lookup finds a creature by its name.
func Lookup(name string) (Creature, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Creature) bool { return c.Name == name })
	if i < 0 {
		return Creature{}, false
	}
	return all[i], true
}
