package snapshot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

type (
	namedString string
	namedMap    map[string]any
	namedSlice  []any
	namedFloat  float64
)

// deep nests a list n levels.
func deep(n int) any {
	value := any([]any{})
	for range n - 1 {
		value = []any{value}
	}
	return value
}

func twice(v any) any { return []any{v, v} }

func selfMap() any {
	m := map[string]any{}
	m["a"] = []any{m}
	return m
}

func selfSlice() any {
	s := make([]any, 1)
	s[0] = s
	return s
}

// windows gives two windows of one array of eight.
func windows(a, b, c, d int) any {
	array := make([]any, 8)
	return []any{array[a:b], array[c:d]}
}

// goCases are Go values with what the domain says of them: canonical, or the
// reason and pointer of the refusal.
var goCases = []struct {
	name      string
	value     any
	canonical string
	reason    reject.Reason
	pointer   string
}{
	{name: "nil", value: nil, canonical: `null`},
	{name: "true", value: true, canonical: `true`},
	{name: "false", value: false, canonical: `false`},
	{name: "string", value: "a\u2028\"\\\n\x01€😀", canonical: "\"a\u2028\\\"\\\\\\n\\u0001€😀\""},
	{name: "empty string", value: "", canonical: `""`},
	{name: "string faulty", value: "\xff", reason: reject.InvalidUTF8},
	{name: "string surrogate bytes", value: []any{"\xed\xa0\x80"}, reason: reject.InvalidUTF8, pointer: "/0"},
	{name: "name faulty", value: map[string]any{"\xff": 1}, reason: reject.InvalidUTF8, pointer: "/*"},
	{name: "noncharacter", value: "\uffff", canonical: "\"\uffff\""},
	{name: "float", value: 1e21, canonical: `1e+21`},
	{name: "zero", value: 0.0, canonical: `0`},
	{name: "negative zero", value: math.Copysign(0, -1), reason: reject.NegativeZero},
	{name: "least double", value: 5e-324, canonical: `5e-324`},
	{name: "NaN", value: []any{1, math.NaN()}, reason: reject.NonFiniteNumber, pointer: "/1"},
	{name: "infinity", value: math.Inf(1), reason: reject.NonFiniteNumber},
	{name: "minus infinity", value: math.Inf(-1), reason: reject.NonFiniteNumber},
	{name: "int", value: int(-7), canonical: `-7`},
	{name: "int8", value: int8(-128), canonical: `-128`},
	{name: "int16", value: int16(300), canonical: `300`},
	{name: "int32", value: int32(-70000), canonical: `-70000`},
	{name: "int64 greatest exact", value: int64(1<<53 - 1), canonical: `9007199254740991`},
	{name: "int64 least exact", value: int64(-1<<53 + 1), canonical: `-9007199254740991`},
	{name: "int64 2^53", value: int64(1 << 53), reason: reject.InexactNumber},
	{name: "int64 -2^53", value: int64(-1 << 53), reason: reject.InexactNumber},
	{name: "int64 2^60", value: int64(1 << 60), reason: reject.InexactNumber},
	{name: "int64 least", value: int64(math.MinInt64), reason: reject.InexactNumber},
	{name: "uint", value: uint(7), canonical: `7`},
	{name: "uint8", value: uint8(255), canonical: `255`},
	{name: "uint16", value: uint16(65535), canonical: `65535`},
	{name: "uint32", value: uint32(1 << 31), canonical: `2147483648`},
	{name: "uint64 greatest exact", value: uint64(1<<53 - 1), canonical: `9007199254740991`},
	{name: "uint64 2^53", value: uint64(1 << 53), reason: reject.InexactNumber},
	{name: "uint64 greatest", value: uint64(math.MaxUint64), reason: reject.InexactNumber},
	{name: "json.Number", value: json.Number("1.50"), canonical: `1.5`},
	{name: "json.Number exponent", value: json.Number("1e20"), canonical: `100000000000000000000`},
	{name: "json.Number big but exact", value: json.Number("295147905179352830000"), canonical: `295147905179352830000`},
	{name: "json.Number inexact", value: json.Number("9007199254740993"), reason: reject.InexactNumber},
	{name: "json.Number 2^60", value: json.Number("1152921504606846976"), reason: reject.InexactNumber},
	{name: "json.Number zero", value: json.Number("0.000e9"), canonical: `0`},
	{name: "json.Number negative zero", value: json.Number("-0.0"), reason: reject.NegativeZero},
	{name: "json.Number underflow", value: json.Number("1e-400"), reason: reject.InexactNumber},
	{name: "json.Number overflow", value: json.Number("1e400"), reason: reject.NumberOverflow},
	{name: "json.Number empty", value: json.Number(""), reason: reject.Syntax},
	{name: "json.Number blank", value: json.Number(" 1"), reason: reject.Syntax},
	{name: "json.Number blank behind", value: json.Number("1\n"), reason: reject.Syntax},
	{name: "json.Number plus", value: json.Number("+1"), reason: reject.Syntax},
	{name: "json.Number leading zero", value: json.Number("01"), reason: reject.Syntax},
	{name: "json.Number string", value: json.Number(`"1"`), reason: reject.Syntax},
	{name: "json.Number null", value: json.Number("null"), reason: reject.Syntax},
	{name: "json.Number NaN", value: json.Number("NaN"), reason: reject.Syntax},
	{name: "json.Number hexadecimal", value: json.Number("0x10"), reason: reject.Syntax},
	{name: "json.Number two", value: json.Number("1,2"), reason: reject.Syntax},
	{name: "empty map", value: map[string]any{}, canonical: `{}`},
	{name: "empty slice", value: []any{}, canonical: `[]`},
	{name: "order", value: map[string]any{"\ue000": 1, "😀": 2, "b": 3, "a": 4, "ab": 5, "": 6},
		canonical: `{"":6,"a":4,"ab":5,"b":3,"😀":2,"` + "\ue000" + `":1}`},
	{name: "names are data", value: map[string]any{"__proto__": map[string]any{"x": 1}, "constructor": nil, "prototype": 1},
		canonical: `{"__proto__":{"x":1},"constructor":null,"prototype":1}`},
	{name: "nested", value: map[string]any{"a": []any{map[string]any{"b": "c"}, nil}}, canonical: `{"a":[{"b":"c"},null]}`},
	{name: "nil map", value: map[string]any(nil), reason: reject.TypedNil},
	{name: "nil slice", value: []any{[]any(nil)}, reason: reject.TypedNil, pointer: "/0"},
	{name: "nil pointer", value: (*int)(nil), reason: reject.TypedNil},
	{name: "nil bytes", value: []byte(nil), reason: reject.TypedNil},
	{name: "nil pointer to a marshaler", value: (*big.Int)(nil), reason: reject.TypedNil},
	{name: "nil func", value: (func())(nil), reason: reject.UnsupportedType},
	{name: "nil chan", value: (chan int)(nil), reason: reject.UnsupportedType},
	{name: "same map twice", value: twice(map[string]any{"a": 1}), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "same empty map twice", value: twice(map[string]any{}), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "same slice twice", value: twice([]any{1}), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "empty slices are no aliases", value: twice([]any{}), canonical: `[[],[]]`},
	{name: "empty windows are no aliases", value: windows(0, 8, 3, 3), canonical: `[[null,null,null,null,null,null,null,null],[]]`},
	{name: "same map in two members", value: func() any {
		m := map[string]any{}
		return map[string]any{"a": m, "b": map[string]any{"c": m}}
	}(), reason: reject.RepeatedReference, pointer: "/*/*"},
	{name: "overlap by one element", value: windows(0, 3, 2, 5), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "overlap from before", value: windows(2, 5, 0, 3), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "window inside", value: windows(0, 8, 3, 4), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "window around", value: windows(3, 4, 0, 8), reason: reject.RepeatedReference, pointer: "/1"},
	{name: "adjacent windows", value: windows(0, 3, 3, 8), canonical: `[[null,null,null],[null,null,null,null,null]]`},
	{name: "adjacent windows reversed", value: windows(3, 8, 0, 3), canonical: `[[null,null,null,null,null],[null,null,null]]`},
	{name: "map in itself", value: selfMap(), reason: reject.Cycle, pointer: "/*/0"},
	{name: "slice in itself", value: selfSlice(), reason: reject.Cycle, pointer: "/0"},
	{name: "window of an open slice", value: func() any {
		s := make([]any, 3)
		s[1] = s[2:3]
		return s
	}(), reason: reject.Cycle, pointer: "/1"},
	{name: "window over an open slice and a closed one", value: func() any {
		array := make([]any, 4)
		array[2] = []any{array[0:3]}
		return []any{array[0:1], array[2:4]}
	}(), reason: reject.Cycle, pointer: "/1/0/0"},
	{name: "deepest", value: deep(1000), canonical: strings.Repeat("[", 1000) + strings.Repeat("]", 1000)},
	{name: "float32", value: float32(1), reason: reject.UnsupportedType},
	{name: "uintptr", value: uintptr(1), reason: reject.UnsupportedType},
	{name: "complex", value: complex(1, 0), reason: reject.UnsupportedType},
	{name: "big.Int", value: big.NewInt(1), reason: reject.UnsupportedType},
	{name: "big.Float", value: *big.NewFloat(1), reason: reject.UnsupportedType},
	{name: "time.Time", value: time.Unix(0, 0), reason: reject.UnsupportedType},
	{name: "json.RawMessage", value: json.RawMessage("1"), reason: reject.UnsupportedType},
	{name: "bytes", value: []byte("a"), reason: reject.UnsupportedType},
	{name: "array", value: [1]any{1}, reason: reject.UnsupportedType},
	{name: "struct", value: struct{ A int }{1}, reason: reject.UnsupportedType},
	{name: "pointer to struct", value: &struct{ A int }{1}, reason: reject.UnsupportedType},
	{name: "pointer to map", value: &map[string]any{}, reason: reject.UnsupportedType},
	{name: "named string", value: namedString("a"), reason: reject.UnsupportedType},
	{name: "named map", value: namedMap{}, reason: reject.UnsupportedType},
	{name: "named slice", value: namedSlice{}, reason: reject.UnsupportedType},
	{name: "named float", value: namedFloat(1), reason: reject.UnsupportedType},
	{name: "map of strings", value: map[string]string{}, reason: reject.UnsupportedType},
	{name: "map by any", value: map[any]any{}, reason: reject.UnsupportedType},
	{name: "slice of strings", value: []string{}, reason: reject.UnsupportedType},
	{name: "slice of maps", value: []map[string]any{}, reason: reject.UnsupportedType},
	{name: "func", value: func() {}, reason: reject.UnsupportedType},
	{name: "chan", value: make(chan int), reason: reject.UnsupportedType},
	{name: "error", value: io.EOF, reason: reject.UnsupportedType},
	{name: "rune is an int32", value: 'a', canonical: `97`},
	{name: "first fault by the order of names", value: map[string]any{"b": math.NaN(), "a": []any{func() {}}},
		reason: reject.UnsupportedType, pointer: "/*/0"},
	{name: "faulty name before values", value: map[string]any{"a": math.NaN(), "\xff": 1}, reason: reject.InvalidUTF8, pointer: "/*"},
}

// reasonOf gives the reason of a refusal, and fails the test if the error has
// not the form that the package promises.
func reasonOf(t *testing.T, err error) (reject.Reason, *reject.Error) {
	t.Helper()
	var refusal *reject.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("the error is no *reject.Error: %v", err)
	}
	if refusal.Package != "snapshot" || !strings.HasPrefix(err.Error(), "snapshot: ") {
		t.Errorf("the error is not the package's: %v", err)
	}
	if _, known := reject.LookupRequirement(refusal.Requirement); !known {
		t.Errorf("no such requirement: %q", refusal.Requirement)
	}
	return refusal.Reason, refusal
}

func TestOf(t *testing.T) {
	names := map[string]bool{}
	for _, c := range goCases {
		if names[c.name] {
			t.Fatalf("two cases are named %q", c.name)
		}
		names[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			s, err := snapshot.Of(c.value)
			if c.reason == reject.None {
				if err != nil || s.CanonicalJSON() != c.canonical {
					t.Fatalf("got %q, %v; want %q", s.CanonicalJSON(), err, c.canonical)
				}
				return
			}
			if err == nil {
				t.Fatalf("accepted as %q; want %v", s.CanonicalJSON(), c.reason)
			}
			reason, refusal := reasonOf(t, err)
			if reason != c.reason || refusal.Pointer != c.pointer || refusal.Offset != -1 {
				t.Errorf("got %v at %q (offset %d); want %v at %q", reason, refusal.Pointer, refusal.Offset, c.reason, c.pointer)
			}
			if !s.IsZero() {
				t.Error("a snapshot beside the error")
			}
		})
	}
}

// TestOfAgreesWithTheJudge asks the second derivation about every case.
func TestOfAgreesWithTheJudge(t *testing.T) {
	for _, c := range goCases {
		t.Run(c.name, func(t *testing.T) { agree(t, c.value) })
	}
}

// agree fails the test if Of and the judge differ about a value.
func agree(t *testing.T, value any) {
	t.Helper()
	verdict := reference.Judge(reference.FromGo(value))
	s, err := snapshot.Of(value)
	if err == nil {
		if verdict.Rejects() || s.CanonicalJSON() != string(verdict.Canonical) {
			t.Fatalf("Of gives %q; the judge says %v, %q", s.CanonicalJSON(), verdict.Reasons(), verdict.Canonical)
		}
		return
	}
	reason, refusal := reasonOf(t, err)
	if verdict.Accepts() || !slices.Contains(verdict.Reasons(), reason) {
		t.Fatalf("Of refuses for %v at %s; the judge says %v", reason, refusal.Pointer, verdict.Reasons())
	}
	same := func(f reference.Fault) bool { return f.Reason == reason && f.Pointer == refusal.Pointer }
	if !slices.ContainsFunc(verdict.Faults, same) {
		t.Errorf("Of blames %v at %q; the judge's faults are %v", reason, refusal.Pointer, verdict.Faults)
	}
}

// TestTheErrorNamesTheType: type and names of an error, never values.
func TestTheErrorNamesTheType(t *testing.T) {
	value := map[string]any{"secret/~name": []any{struct{ Secret string }{"secret value"}}}
	_, err := snapshot.Of(value)
	_, refusal := reasonOf(t, err)
	if refusal.Type != "struct { Secret string }" || refusal.Pointer != "/*/0" || strings.Contains(err.Error(), "secret") {
		t.Errorf("got type %q, pointer %q, %v", refusal.Type, refusal.Pointer, err)
	}
	_, err = snapshot.Options{ShowNames: true}.Of(value)
	if _, refusal = reasonOf(t, err); refusal.Pointer != "/secret~1~0name/0" {
		t.Errorf("with names: pointer %q", refusal.Pointer)
	}
	_, err = snapshot.Options{ShowNames: true}.Of(map[string]any{"a\xffb": 1, "a\xfeb": 1})
	if _, refusal = reasonOf(t, err); refusal.Pointer != "/a\uFFFDb" || refusal.Detail != "in a name" {
		t.Errorf("a faulty name: pointer %q, detail %q", refusal.Pointer, refusal.Detail)
	}
	for range 20 { // whatever the order of the map, the least name by bytes is blamed
		_, err = snapshot.Options{ShowNames: true}.Of(map[string]any{"c\xff": 1, "a\xff": 1, "b\xff": 1, "0": math.NaN()})
		if _, refusal = reasonOf(t, err); refusal.Pointer != "/a\uFFFD" {
			t.Fatalf("of three faulty names: %q", refusal.Pointer)
		}
	}
	_, err = snapshot.Of(struct {
		A struct{ LongLongLongLongLongLongLongLong, AnotherLongLongLongLongLongLong, YetAnotherLongLongLongLongLong int }
	}{})
	if _, refusal = reasonOf(t, err); len(refusal.Type) > 130 {
		t.Errorf("the type is not cut: %d bytes", len(refusal.Type))
	}
}

// A caller counts the calls of every method that formats or encodes a value.
type caller struct{ calls *int }

func (c caller) MarshalJSON() ([]byte, error)            { *c.calls++; return []byte("1"), nil }
func (c caller) MarshalText() ([]byte, error)            { *c.calls++; return []byte("1"), nil }
func (c caller) String() string                          { *c.calls++; return "1" }
func (c caller) GoString() string                        { *c.calls++; return "1" }
func (c caller) Error() string                           { *c.calls++; return "1" }
func (c caller) Format(f fmt.State, _ rune)              { *c.calls++ }
func (c caller) Unwrap() error                           { *c.calls++; return nil }
func (c caller) UnmarshalJSON([]byte) error              { *c.calls++; return nil }
func (c caller) MarshalJSONTo(io.Writer) error           { *c.calls++; return nil }
func (c caller) AppendText(b []byte) ([]byte, error)     { *c.calls++; return b, nil }
func (c caller) MarshalBinary() (data []byte, err error) { *c.calls++; return nil, nil }

// TestNoUserCodeIsCalled: not for the verdict, the error or its text.
func TestNoUserCodeIsCalled(t *testing.T) {
	calls := 0
	for _, value := range []any{caller{&calls}, &caller{&calls}, []any{caller{&calls}}, map[string]any{"a": &caller{&calls}}, (*caller)(nil)} {
		_, err := snapshot.Of(value)
		if _, refusal := reasonOf(t, err); !strings.Contains(refusal.Type, "caller") {
			t.Errorf("type %q", refusal.Type)
		}
		_ = err.Error()
		reference.Judge(reference.FromGo(value))
	}
	_, err := snapshot.As[caller](must(snapshot.Of("a")))
	if err == nil || calls != 0 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	_ = err.Error()
	if calls != 0 {
		t.Errorf("%d calls", calls)
	}
}

func must(s snapshot.Snapshot, err error) snapshot.Snapshot {
	if err != nil {
		panic(err)
	}
	return s
}

func TestOfLimits(t *testing.T) {
	for _, c := range []struct {
		name    string
		options snapshot.Options
		value   any
		reason  reject.Reason
	}{
		{"depth 1000 is the default", snapshot.Options{}, deep(1001), reject.LimitDepth},
		{"depth as set", snapshot.Options{MaxDepth: 3}, deep(3), reject.None},
		{"beyond the depth as set", snapshot.Options{MaxDepth: 3}, deep(4), reject.LimitDepth},
		{"maps count", snapshot.Options{MaxDepth: 1}, map[string]any{"a": map[string]any{}}, reject.LimitDepth},
		{"maps that just fit", snapshot.Options{MaxDepth: 2}, map[string]any{"a": map[string]any{}}, reject.None},
		{"without a limit", snapshot.Options{MaxDepth: -1}, deep(100_000), reject.None},
		{"never deeper than 100,000", snapshot.Options{MaxDepth: -1}, deep(100_001), reject.LimitDepth},
		{"nor if asked", snapshot.Options{MaxDepth: math.MaxInt}, deep(100_001), reject.LimitDepth},
		{"output as set", snapshot.Options{MaxOutput: 5}, "abc", reject.None},
		{"string beyond the output", snapshot.Options{MaxOutput: 5}, "abcd", reject.LimitSize},
		{"scalar beyond the output", snapshot.Options{MaxOutput: 3}, 1234, reject.LimitSize},
		{"scalar that just fits", snapshot.Options{MaxOutput: 4}, 1234, reject.None},
		{"map beyond the output", snapshot.Options{MaxOutput: 7}, map[string]any{"ab": 1.5}, reject.LimitSize},
		{"array that just fits", snapshot.Options{MaxOutput: 7}, []any{1, 2, 3}, reject.None},
		{"array beyond the output", snapshot.Options{MaxOutput: 6}, []any{1, 2, 3}, reject.LimitSize},
		{"output without a limit", snapshot.Options{MaxOutput: -1}, strings.Repeat("a", 65<<20), reject.None},
		{"output of 64 MiB is the default", snapshot.Options{}, strings.Repeat("a", 65<<20), reject.LimitSize},
		{"a long json.Number", snapshot.Options{MaxOutput: 8}, json.Number("0." + strings.Repeat("0", 100)), reject.LimitSize},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.options.Of(c.value)
			if c.reason == reject.None {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			reason, refusal := reasonOf(t, err)
			if reason != c.reason || refusal.Requirement != "rfc8259/9/limits" {
				t.Errorf("got %v (%s), want %v", reason, refusal.Requirement, c.reason)
			}
		})
	}
}
