package snapshot

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Rule sharpens how As fills a struct.
type Rule uint8

const (
	// RefuseUnknown refuses an object with a name that no field has.
	RefuseUnknown Rule = 1 << iota
	// RefuseMissing refuses an object without the name of some field, unless
	// the field's tag says omitempty or omitzero, or its type is a pointer.
	RefuseMissing
)

// A FillError says why a snapshot does not fit a Go type. It holds nothing of
// the snapshot: names in Pointer are "*" unless a field of the type has them.
type FillError struct {
	Pointer string // JSON Pointer of the value that does not fit
	Type    string // the Go type that should take it
	Problem string // what is wrong, without values
}

// Error says what does not fit, and where.
func (e *FillError) Error() string {
	where := "at the top"
	if e.Pointer != "" {
		where = "at " + e.Pointer
	}
	return "snapshot: " + e.Problem + " (" + e.Type + "), " + where
}

// As decodes a view of the snapshot into a new T. Nothing of the result shares
// a container with anything else.
//
// Names are matched to fields exactly: upper and lower case differ, and nothing
// is folded. A field's name is that of its json tag, else its own; "-" leaves a
// field out, and so does being unexported. T is built of bool, string, integers,
// floats, structs, slices, arrays, maps with string keys, pointers and any.
// Embedded fields, json.Number, and types that decode themselves in
// encoding/json, are refused, since no code of T is run: wrap such a field in the handler.
//
// Integers are filled from whole numbers within 2^53-1 in magnitude that the
// type holds; float32 only without rounding; an array only from as many
// elements. null fits any, pointers, slices and maps, and no other type.
//
// A value that does not fit gives a *FillError, and the zero T.
func As[T any](s Snapshot, rules ...Rule) (T, error) {
	var into, none T
	f := filler{}
	for _, rule := range rules {
		f.rules |= rule
	}
	if s.IsZero() {
		return none, &FillError{Type: reflect.TypeFor[T]().String(), Problem: "the zero Snapshot holds no value"}
	}
	if err := f.fill(reflect.ValueOf(&into).Elem(), s.View()); err != nil {
		err.Pointer = pointerOf(f.trail)
		return none, err
	}
	return into, nil
}

type filler struct {
	rules Rule
	trail []string // from the fault outward
}

// ownDecoding lists the methods by which a type decodes itself elsewhere; to
// fill such a type by its fields would bypass what its author wanted.
var ownDecoding = []string{"UnmarshalJSON", "UnmarshalText", "UnmarshalJSONFrom"}

func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return slices.ContainsFunc(ownDecoding, func(name string) bool {
		_, has := p.MethodByName(name)
		return has
	})
}

func (f *filler) fill(to reflect.Value, from any) *FillError {
	t := to.Type()
	if decodesItself(t) || t == reflect.TypeFor[json.Number]() { // a string whose text encoding/json makes a number
		return misfit(t, "a type that decodes itself is not filled")
	}
	switch to.Kind() {
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return misfit(t, "an interface with methods is not filled")
		}
		if from != nil {
			to.Set(reflect.ValueOf(from))
		}
		return nil
	case reflect.Pointer:
		if from == nil {
			return nil
		}
		to.Set(reflect.New(t.Elem()))
		return f.fill(to.Elem(), from)
	}
	switch v := from.(type) {
	case nil:
		if to.Kind() == reflect.Slice || to.Kind() == reflect.Map {
			return nil
		}
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(v)
			return nil
		}
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
	case float64:
		return fillNumber(to, v)
	case []any:
		switch to.Kind() {
		case reflect.Slice:
			to.Set(reflect.MakeSlice(t, len(v), len(v)))
			return f.fillElements(to, v)
		case reflect.Array:
			if t.Len() != len(v) {
				return misfit(t, "the array has another length")
			}
			return f.fillElements(to, v)
		}
	case map[string]any:
		switch {
		case to.Kind() == reflect.Struct:
			return f.fillStruct(to, v)
		case to.Kind() == reflect.Map && t.Key().Kind() == reflect.String && !decodesItself(t.Key()):
			return f.fillMap(to, v)
		}
	}
	return misfit(t, "the value is "+kindOf(from)+", which the type does not hold")
}

func (f *filler) fillElements(to reflect.Value, from []any) *FillError {
	for i, element := range from {
		if err := f.fill(to.Index(i), element); err != nil {
			f.trail = append(f.trail, strconv.Itoa(i))
			return err
		}
	}
	return nil
}

func (f *filler) fillMap(to reflect.Value, from map[string]any) *FillError {
	t := to.Type()
	to.Set(reflect.MakeMapWithSize(t, len(from)))
	for _, name := range sortedNames(from) {
		element := reflect.New(t.Elem()).Elem()
		if err := f.fill(element, from[name]); err != nil {
			f.trail = append(f.trail, "*")
			return err
		}
		to.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), element)
	}
	return nil
}

func (f *filler) fillStruct(to reflect.Value, from map[string]any) *FillError {
	t := to.Type()
	known := 0
	names := make(map[string]bool, t.NumField())
	for i := range t.NumField() {
		field := t.Field(i)
		name, optional, skip := fieldName(field)
		if skip {
			continue
		}
		if field.Anonymous {
			return misfit(t, "a struct with an embedded field is not filled")
		}
		if names[name] {
			return misfit(t, "two fields have the name "+strconv.Quote(name))
		}
		names[name] = true
		value, present := from[name]
		switch {
		case present:
			known++
			if err := f.fill(to.Field(i), value); err != nil {
				f.trail = append(f.trail, pointerEscape.Replace(name))
				return err
			}
		case f.rules&RefuseMissing != 0 && !optional:
			return misfit(t, "the name "+strconv.Quote(name)+" is missing")
		}
	}
	if f.rules&RefuseUnknown != 0 && known < len(from) {
		return misfit(t, "the object has a name that no field has")
	}
	return nil
}

// fieldName reads a field's json tag.
func fieldName(field reflect.StructField) (name string, optional, skip bool) {
	tag, has := field.Tag.Lookup("json")
	if tag == "-" || (!field.IsExported() && !field.Anonymous) {
		return "", false, true
	}
	name, rest, _ := strings.Cut(tag, ",")
	if !has || name == "" {
		name = field.Name
	}
	for option := range strings.SplitSeq(rest, ",") {
		optional = optional || option == "omitempty" || option == "omitzero"
	}
	return name, optional || field.Type.Kind() == reflect.Pointer, false
}

func fillNumber(to reflect.Value, f float64) *FillError {
	t := to.Type()
	switch {
	case to.CanFloat():
		if t.Bits() == 32 && float64(float32(f)) != f {
			return misfit(t, "the number has no exact place in the type")
		}
		to.SetFloat(f)
	case to.CanInt():
		if f != math.Trunc(f) || math.Abs(f) > maxExact || to.OverflowInt(int64(f)) {
			return misfit(t, "the number is not an integer that the type holds")
		}
		to.SetInt(int64(f))
	case to.CanUint() && to.Kind() != reflect.Uintptr:
		if f != math.Trunc(f) || f < 0 || f > maxExact || to.OverflowUint(uint64(f)) {
			return misfit(t, "the number is not an integer that the type holds")
		}
		to.SetUint(uint64(f))
	default:
		return misfit(t, "the value is a number, which the type does not hold")
	}
	return nil
}

func misfit(t reflect.Type, problem string) *FillError {
	return &FillError{Type: t.String(), Problem: problem}
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

// sortedNames makes errors the same every time.
func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, compareNames)
	return names
}

// pointerOf turns a trail of tokens, the innermost first, into a JSON Pointer.
func pointerOf(trail []string) string {
	var b strings.Builder
	for _, token := range slices.Backward(trail) {
		b.WriteByte('/')
		b.WriteString(token)
	}
	return b.String()
}
