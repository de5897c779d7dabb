package jsvalue

import (
	"slices"
	"strconv"
	"sync"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// A realm is a runtime in which no script ever ran, with the two functions by
// which values of other runtimes are read. What these return are objects of
// this realm: in the value's own one, making a descriptor would run a setter
// that a script put on Object.prototype.
type realm struct {
	vm         *goja.Runtime
	ownKeys    goja.Callable
	descriptor goja.Callable
}

var realms = sync.Pool{New: func() any { return newRealm() }}

func newRealm() *realm {
	vm := goja.New()
	reflection := vm.GlobalObject().Get("Reflect").ToObject(vm)
	function := func(name string) goja.Callable {
		f, ok := goja.AssertFunction(reflection.Get(name))
		if !ok {
			panic("jsvalue: the engine has no Reflect." + name)
		}
		return f
	}
	return &realm{vm: vm, ownKeys: function("ownKeys"), descriptor: function("getOwnPropertyDescriptor")}
}

// keys lists an object's own property keys, strings before symbols.
func (r *realm) keys(o *goja.Object) ([]goja.Value, error) {
	list, err := r.ownKeys(goja.Undefined(), o)
	if err != nil {
		return nil, err
	}
	array := list.ToObject(r.vm)
	keys := make([]goja.Value, array.Get("length").ToInteger())
	for i := range keys {
		keys[i] = array.Get(strconv.Itoa(i))
	}
	return keys, nil
}

// A property is an own property as its descriptor tells it.
type property struct {
	value      goja.Value // nil for an accessor
	enumerable bool
}

// own reads the descriptor of an own property; false if there is none.
func (r *realm) own(o *goja.Object, key goja.Value) (property, bool) {
	d, err := r.descriptor(goja.Undefined(), o, key)
	if err != nil || goja.IsUndefined(d) {
		return property{}, false
	}
	fields := d.ToObject(r.vm)
	return property{fields.Get("value"), fields.Get("enumerable").ToBoolean()}, true
}

// text turns a JavaScript string into a Go string; false if it has a lone
// surrogate.
func text(s goja.String) (string, bool) {
	if plain := s.String(); len(plain) == s.Length() {
		return plain, true // ASCII: one byte for each unit
	}
	units := unitsOf(s)
	runes := utf16.Decode(units)
	if !slices.Equal(utf16.Encode(runes), units) { // a lone one is decoded to U+FFFD
		return "", false
	}
	return string(runes), true
}

// unitsOf gives a string's UTF-16 code units.
func unitsOf(s goja.String) []uint16 {
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return units
}
