package snapshot

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// Of takes the snapshot of a Go value under the default Options.
func Of(value any) (Snapshot, error) { return Options{}.Of(value) }

// Of takes the snapshot of a Go value; the package's documentation lists the
// types. Everything is copied. The value is only read, and must not be changed
// by others while it is.
//
// The same value always gives the same error: that of the first fault, where
// the names of a map are first checked for UTF-8 in the order of their bytes
// and the members then visited in the order of the canonical form.
func (o Options) Of(value any) (Snapshot, error) {
	w := writers.Get().(*writer)
	w.options, w.depth, w.limit = o, o.Depth(), o.Output()
	refusal := w.value(value, 1)
	if refusal == nil && len(w.out) > w.limit {
		refusal = w.tooLarge()
	}
	var s Snapshot
	if refusal == nil {
		s = Snapshot{string(w.out)}
	} else {
		refusal.Pointer = pointerOf(w.trail)
	}
	w.reset()
	writers.Put(w)
	if refusal != nil {
		return Snapshot{}, refusal
	}
	return s, nil
}

// A writer writes the canonical form of one Go value.
type writer struct {
	options Options
	depth   int // the limit
	limit   int // on len(out)
	out     []byte
	names   []string // of the maps that are open, sorted map by map
	taken   taken
	trail   []string // the pointer's tokens from the fault outward
}

var writers = sync.Pool{New: func() any { return new(writer) }}

func (w *writer) reset() {
	w.taken.reset()
	clear(w.names)
	clear(w.trail)
	w.names, w.trail, w.out = w.names[:0], w.trail[:0], w.out[:0]
	if cap(w.out) > keepable {
		w.out = nil
	}
	if cap(w.names) > keepable/16 {
		w.names = nil
	}
}

// maxExact is the greatest integer up to which every integer is a double that
// no other integer rounds to.
const maxExact = 1<<53 - 1

func (w *writer) value(value any, depth int) *reject.Error {
	switch v := value.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case string:
		return w.string(v)
	case float64:
		return w.float(v)
	case map[string]any:
		return w.object(v, depth)
	case []any:
		return w.array(v, depth)
	case json.Number:
		return w.decimal(string(v))
	case int:
		return w.signed(int64(v), value)
	case int64:
		return w.signed(v, value)
	case int32:
		return w.signed(int64(v), value)
	case int16:
		return w.signed(int64(v), value)
	case int8:
		return w.signed(int64(v), value)
	case uint:
		return w.unsigned(uint64(v), value)
	case uint64:
		return w.unsigned(v, value)
	case uint32:
		return w.unsigned(uint64(v), value)
	case uint16:
		return w.unsigned(uint64(v), value)
	case uint8:
		return w.unsigned(uint64(v), value)
	default:
		return foreign(value)
	}
	return nil
}

// foreign describes a value of a type outside the set. Reflection reads the
// type, and whether a pointer is nil; no method of the value is called.
func foreign(value any) *reject.Error {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer:
		if v.IsNil() {
			return typed(reject.TypedNil, value)
		}
	}
	return typed(reject.UnsupportedType, value)
}

func typed(reason reject.Reason, value any) *reject.Error {
	refusal := refuse(reason)
	refusal.Type = shorten(reflect.TypeOf(value).String())
	return refusal
}

// shorten cuts the names of types without a name, which can be of any length.
func shorten(name string) string {
	const most = 120
	if len(name) > most {
		return strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}

func (w *writer) string(s string) *reject.Error {
	out, err := canon.AppendString(w.out, s)
	if err != nil {
		return typed(reject.InvalidUTF8, s)
	}
	w.out = out
	return w.bounded()
}

func (w *writer) float(f float64) *reject.Error {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return typed(reject.NonFiniteNumber, f)
	case f == 0 && math.Signbit(f):
		return typed(reject.NegativeZero, f)
	}
	w.out, _ = canon.AppendNumber(w.out, f) // it refuses only what is not finite
	return nil
}

func (w *writer) signed(n int64, value any) *reject.Error {
	if n > maxExact || n < -maxExact {
		return typed(reject.InexactNumber, value)
	}
	w.out = strconv.AppendInt(w.out, n, 10)
	return nil
}

func (w *writer) unsigned(n uint64, value any) *reject.Error {
	if n > maxExact {
		return typed(reject.InexactNumber, value)
	}
	w.out = strconv.AppendUint(w.out, n, 10)
	return nil
}

// decimal writes a json.Number: the text of a number as RFC 8259 has it, whose
// value its canonical form keeps.
func (w *writer) decimal(text string) *reject.Error {
	const number = "0123456789+-.eE"
	if text == "" || strings.Trim(text, number) != "" {
		return typed(reject.Syntax, json.Number(""))
	}
	out, err := canon.Options{
		RefuseNegativeZero: true, RefuseInexact: true, MaxInput: w.limit,
	}.Append(w.out, []byte(text))
	var refusal *reject.Error
	switch {
	case err == nil:
		w.out = out
	case !errors.As(err, &refusal):
		return typed(reject.Syntax, json.Number(""))
	case refusal.Reason == reject.NumberUnderflow:
		return typed(reject.InexactNumber, json.Number(""))
	default:
		return typed(refusal.Reason, json.Number(""))
	}
	return nil
}

func (w *writer) object(object map[string]any, depth int) *reject.Error {
	if object == nil {
		return typed(reject.TypedNil, object)
	}
	if reason := w.taken.enterMap(object); reason != reject.None {
		return typed(reason, object)
	}
	if depth > w.depth {
		return w.tooDeep()
	}
	from := len(w.names)
	for name := range object {
		w.names = append(w.names, name)
	}
	to := len(w.names)
	if refusal := w.checkNames(w.names[from:to]); refusal != nil {
		return refusal
	}
	slices.SortFunc(w.names[from:to], compareNames)
	w.out = append(w.out, '{')
	for i := from; i < to; i++ {
		if i > from {
			w.out = append(w.out, ',')
		}
		name := w.names[i]
		w.out, _ = canon.AppendString(w.out, name) // checked above
		w.out = append(w.out, ':')
		if refusal := w.value(object[name], depth+1); refusal != nil {
			w.blameName(name)
			return refusal
		}
	}
	w.out = append(w.out, '}')
	clear(w.names[from:])
	w.names = w.names[:from]
	w.taken.leaveMap(object)
	return w.bounded()
}

// checkNames refuses a name that is not UTF-8: of several the least by bytes.
func (w *writer) checkNames(names []string) *reject.Error {
	least, found := "", false
	for _, name := range names {
		if !utf8.ValidString(name) && (!found || name < least) {
			least, found = name, true
		}
	}
	if !found {
		return nil
	}
	w.blameName(strings.ToValidUTF8(least, "\uFFFD"))
	refusal := refuse(reject.InvalidUTF8)
	refusal.Type, refusal.Detail = "string", "in a name"
	return refusal
}

func (w *writer) array(array []any, depth int) *reject.Error {
	if array == nil {
		return typed(reject.TypedNil, array)
	}
	number := int32(0)
	if len(array) > 0 {
		var reason reject.Reason
		if number, reason = w.taken.enterSlice(array); reason != reject.None {
			return typed(reason, array)
		}
	}
	if depth > w.depth {
		return w.tooDeep()
	}
	w.out = append(w.out, '[')
	for i, element := range array {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if refusal := w.value(element, depth+1); refusal != nil {
			w.trail = append(w.trail, strconv.Itoa(i))
			return refusal
		}
	}
	w.out = append(w.out, ']')
	if number != 0 {
		w.taken.leaveSlice(number)
	}
	return w.bounded()
}

// bounded holds the output to its limit while it grows, so that no value can
// make much more of it first.
func (w *writer) bounded() *reject.Error {
	if len(w.out) > w.limit {
		return w.tooLarge()
	}
	return nil
}

func (w *writer) tooLarge() *reject.Error {
	refusal := refuse(reject.LimitSize)
	refusal.Detail = "the limit is " + strconv.Itoa(w.limit) + " bytes of canonical form"
	return refusal
}

func (w *writer) tooDeep() *reject.Error {
	refusal := refuse(reject.LimitDepth)
	refusal.Detail = "the limit is " + strconv.Itoa(w.depth)
	return refusal
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func (w *writer) blameName(name string) {
	if w.options.ShowNames {
		w.trail = append(w.trail, pointerEscape.Replace(name))
	} else {
		w.trail = append(w.trail, "*")
	}
}
