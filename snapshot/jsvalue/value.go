package jsvalue

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// Of takes the snapshot of v, a value of vm, by the domain for JavaScript
// values. Everything is copied. A refusal is a *reject.Error whose Package is
// "jsvalue" and whose Type is a JavaScript brand.
//
// The limits are those of snapshot.Options. An array that is too long for
// MaxOutput is refused before its elements are listed.
func Of(vm *goja.Runtime, v goja.Value, o snapshot.Options) (snapshot.Snapshot, error) {
	r := realms.Get().(*realm)
	defer realms.Put(r)
	w := walk{
		realm: r, options: o, depth: o.Depth(), budget: o.Output(),
		record: vm.NewObject().Prototype(), array: vm.NewArray().Prototype(),
		open: make(map[*goja.Object]bool),
	}
	tree, refusal := w.value(v, 1)
	if refusal != nil {
		refusal.Pointer = w.pointer()
		return snapshot.Snapshot{}, refusal
	}
	s, err := o.Of(tree)
	var late *reject.Error
	if errors.As(err, &late) {
		mine := *late
		mine.Package = "jsvalue"
		return snapshot.Snapshot{}, &mine
	}
	return s, err
}

// A walk reads one value into a detached tree of Go values.
type walk struct {
	realm     *realm
	options   snapshot.Options
	depth     int // the limit
	budget    int // bytes that may still be read, counted as the canonical form at least has them
	record    *goja.Object
	array     *goja.Object
	open      map[*goja.Object]bool // what was entered; true while it is open
	templates templates
	trail     []string // the pointer's tokens from the fault outward
}

func refuse(reason reject.Reason, brand string) *reject.Error {
	return &reject.Error{
		Package: "jsvalue", Reason: reason, Requirement: reason.Clause(reject.RFC0016),
		Offset: -1, Type: brand,
	}
}

func (w *walk) value(v goja.Value, depth int) (any, *reject.Error) {
	w.budget--
	switch v := v.(type) {
	case goja.String:
		return w.string(v)
	case *goja.Symbol:
		return nil, refuse(reject.UnsupportedType, "symbol")
	case *goja.Object:
		return w.object(v, depth)
	}
	switch {
	case v == nil || goja.IsUndefined(v):
		return nil, refuse(reject.UnsupportedType, "undefined")
	case goja.IsNull(v):
		return nil, nil
	case goja.IsBigInt(v):
		return nil, refuse(reject.UnsupportedType, "bigint")
	case goja.IsNumber(v):
		return number(v.ToFloat())
	}
	return v.ToBoolean(), nil // nothing else is a primitive
}

func number(f float64) (any, *reject.Error) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return nil, refuse(reject.NonFiniteNumber, "number")
	case f == 0 && math.Signbit(f):
		return nil, refuse(reject.NegativeZero, "number")
	}
	return f, nil
}

func (w *walk) string(s goja.String) (any, *reject.Error) {
	if w.budget -= s.Length(); w.budget < 0 {
		return nil, w.tooLarge()
	}
	t, ok := text(s)
	if !ok {
		return nil, refuse(reject.LoneSurrogate, "string")
	}
	return t, nil
}

func (w *walk) object(o *goja.Object, depth int) (any, *reject.Error) {
	kind, name := brandOf(o)
	switch kind {
	case functionBrand:
		return nil, refuse(reject.UnsupportedType, name)
	case hostBrand:
		return nil, refuse(reject.HostObject, name)
	}
	o = w.templates.identity(o)
	if open, entered := w.open[o]; open {
		return nil, refuse(reject.Cycle, name)
	} else if entered {
		return nil, refuse(reject.RepeatedReference, name)
	}
	w.open[o] = true
	if depth > w.depth {
		refusal := refuse(reject.LimitDepth, name)
		refusal.Detail = "the limit is " + strconv.Itoa(w.depth)
		return nil, refusal
	}
	var tree any
	var refusal *reject.Error
	if kind == arrayBrand {
		tree, refusal = w.elements(o, depth)
	} else {
		tree, refusal = w.members(o, depth)
	}
	w.open[o] = false
	return tree, refusal
}

func (w *walk) members(o *goja.Object, depth int) (any, *reject.Error) {
	if p := o.Prototype(); p != nil && p != w.record {
		return nil, refuse(reject.NonPlainObject, "Object")
	}
	keys, err := w.realm.keys(o)
	if err != nil {
		return nil, refuse(reject.HostObject, "Object")
	}
	tree := make(map[string]any, len(keys))
	for _, key := range keys {
		name, isString := key.(goja.String)
		if !isString {
			return nil, refuse(reject.SymbolKey, "Object")
		}
		if w.budget -= name.Length(); w.budget < 0 {
			return nil, w.tooLarge()
		}
		member, ok := text(name)
		if !ok {
			w.blame("*")
			return nil, refuse(reject.LoneSurrogate, "string")
		}
		value, refusal := w.own(o, key, depth)
		if refusal != nil {
			w.blameName(member)
			return nil, refusal
		}
		tree[member] = value
	}
	return tree, nil
}

// own reads what stands under an own key, if it is an enumerable data property.
func (w *walk) own(o *goja.Object, key goja.Value, depth int) (any, *reject.Error) {
	p, found := w.realm.own(o, key)
	switch {
	case !found:
		return nil, refuse(reject.HostObject, "Object") // no ordinary object lists a key that it has not
	case p.value == nil:
		return nil, refuse(reject.AccessorProperty, "accessor")
	case !p.enumerable:
		return nil, refuse(reject.NonEnumerableProperty, "Object")
	}
	return w.value(p.value, depth+1)
}

func (w *walk) elements(o *goja.Object, depth int) (any, *reject.Error) {
	if o.Prototype() != w.array {
		return nil, refuse(reject.NonPlainArray, "Array")
	}
	p, _ := w.realm.own(o, w.realm.vm.ToValue("length"))
	if n := p.value.ToInteger(); n > int64(w.budget/2) { // "0," for each element
		return nil, w.longArray(o, n)
	}
	length := int(p.value.ToInteger())
	keys, err := w.realm.keys(o)
	if err != nil {
		return nil, refuse(reject.HostObject, "Array")
	}
	if refusal := w.arrayKeys(keys, length); refusal != nil {
		return nil, refusal
	}
	tree := make([]any, length)
	for i := range tree {
		value, refusal := w.own(o, w.index(i), depth)
		if refusal != nil {
			w.blame(strconv.Itoa(i))
			return nil, refusal
		}
		tree[i] = value
	}
	return tree, nil
}

// arrayKeys holds an array's own keys to its length and its elements.
func (w *walk) arrayKeys(keys []goja.Value, length int) *reject.Error {
	elements := 0
	extra := false
	for _, key := range keys {
		name, isString := key.(goja.String)
		if !isString {
			return refuse(reject.SymbolKey, "Array")
		}
		switch s := name.String(); {
		case isIndex(s, int64(length)):
			elements++
		case s != "length":
			extra = true
		}
	}
	switch {
	case elements < length:
		return refuse(reject.SparseArray, "Array")
	case extra:
		return refuse(reject.ArrayExtraProperty, "Array")
	}
	return nil
}

// isIndex reports whether a key is that of one of length elements.
func isIndex(key string, length int64) bool {
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n >= 0 && n < length && strconv.FormatInt(n, 10) == key
}

// longArray refuses an array that cannot fit: as sparse if one of its first
// elements is missing, else for its size.
func (w *walk) longArray(o *goja.Object, length int64) *reject.Error {
	const looked = 1000
	for i := range min(length, looked) {
		if _, found := w.realm.own(o, w.index(int(i))); !found {
			return refuse(reject.SparseArray, "Array")
		}
	}
	return w.tooLarge()
}

func (w *walk) index(i int) goja.Value { return w.realm.vm.ToValue(i) }

func (w *walk) tooLarge() *reject.Error {
	refusal := refuse(reject.LimitSize, "")
	refusal.Detail = "the limit is " + strconv.Itoa(w.options.Output()) + " bytes of canonical form"
	return refusal
}

func (w *walk) blame(token string) { w.trail = append(w.trail, token) }

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func (w *walk) blameName(name string) {
	if w.options.ShowNames {
		w.blame(pointerEscape.Replace(name))
	} else {
		w.blame("*")
	}
}

// pointer turns the trail into a JSON Pointer.
func (w *walk) pointer() string {
	var b strings.Builder
	for _, token := range slices.Backward(w.trail) {
		b.WriteByte('/')
		b.WriteString(token)
	}
	return b.String()
}
