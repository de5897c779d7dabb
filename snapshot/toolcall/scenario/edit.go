package scenario

import (
	"math"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// An Edit changes one place of a value; exactly one of its kinds is set. A path
// is a list of names and indexes; an edit whose place is not there, or not of
// that kind, does nothing.
type Edit struct {
	Set          []any `json:"set,omitempty"` // to To; a member that is missing is added
	To           any   `json:"to,omitempty"`
	Delete       []any `json:"delete,omitempty"`       // a member
	NegativeZero []any `json:"negativeZero,omitempty"` // becomes -0
	Host         []any `json:"host,omitempty"`         // becomes an object that JSON has no place for
	Cycle        []any `json:"cycle,omitempty"`        // becomes the whole value
	Alias        []any `json:"alias,omitempty"`        // becomes the same object as From
	From         []any `json:"from,omitempty"`
}

// A host is what JSON has no place for.
type host struct{}

// apply makes edits on a live value.
func apply(value any, edits []Edit) {
	for _, e := range edits {
		switch {
		case e.Set != nil:
			put(value, e.Set, fresh(e.To))
		case e.Delete != nil:
			parent, last := split(value, e.Delete)
			object, _ := parent.(map[string]any)
			if name, ok := last.(string); ok {
				delete(object, name)
			}
		case e.NegativeZero != nil:
			put(value, e.NegativeZero, math.Copysign(0, -1))
		case e.Host != nil:
			put(value, e.Host, host{})
		case e.Cycle != nil:
			put(value, e.Cycle, value)
		case e.Alias != nil:
			if from, ok := find(value, e.From); ok {
				put(value, e.Alias, from)
			}
		}
	}
}

func find(value any, path []any) (any, bool) {
	for _, token := range path {
		switch container := value.(type) {
		case map[string]any:
			name, ok := token.(string)
			if !ok {
				return nil, false
			}
			if value, ok = container[name]; !ok {
				return nil, false
			}
		case []any:
			index, ok := element(container, token)
			if !ok {
				return nil, false
			}
			value = container[index]
		default:
			return nil, false
		}
	}
	return value, true
}

// element gives the index that a token names in an array, if it names one.
func element(array []any, token any) (int, bool) {
	index, ok := token.(float64)
	if !ok || index < 0 || index >= float64(len(array)) || index != math.Trunc(index) {
		return 0, false
	}
	return int(index), true
}

// split finds the container in which a path ends, nil if there is none, and
// gives the token that is left.
func split(value any, path []any) (parent, last any) {
	if len(path) == 0 {
		return nil, nil
	}
	parent, _ = find(value, path[:len(path)-1])
	return parent, path[len(path)-1]
}

func put(value any, path []any, to any) {
	parent, last := split(value, path)
	switch container := parent.(type) {
	case map[string]any:
		if name, ok := last.(string); ok {
			container[name] = to
		}
	case []any:
		if index, ok := element(container, last); ok {
			container[index] = to
		}
	}
}

// fresh copies a value of the scenario's text.
func fresh(v any) any {
	s, err := snapshot.Options{MaxDepth: -1}.Of(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return s.View()
}
