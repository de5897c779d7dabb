package snapshot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

type order struct {
	Amount  int              `json:"amount"`
	SKUs    []string         `json:"skus"`
	Note    *string          `json:"note"`
	Price   float64          `json:"price,omitempty"`
	Tags    map[string]uint8 `json:",omitempty"`
	Extra   any              `json:"extra,omitzero"`
	Pair    [2]bool          `json:"pair,omitempty"`
	Nested  *order           `json:"nested"`
	Ignored int              `json:"-"`
	hidden  int
	Lines   []struct{ A int8 } `json:"lines,omitempty"`
}

func fill[T any](text string, rules ...snapshot.Rule) (T, error) {
	return snapshot.As[T](must(snapshot.Decode([]byte(text))), rules...)
}

func TestAs(t *testing.T) {
	got, err := fill[order](`{"amount":-5,"skus":["a","b"],"note":"n","price":1.5,"Tags":{"x":255},"extra":[1,{"a":null}],
		"pair":[true,false],"nested":{"amount":1,"skus":null},"lines":[{"A":1},{"A":-128}]}`, snapshot.RefuseUnknown, snapshot.RefuseMissing)
	if err != nil {
		t.Fatal(err)
	}
	note := "n"
	want := order{Amount: -5, SKUs: []string{"a", "b"}, Note: &note, Price: 1.5, Tags: map[string]uint8{"x": 255},
		Extra: []any{1.0, map[string]any{"a": nil}}, Pair: [2]bool{true, false}, Nested: &order{Amount: 1},
		Lines: []struct{ A int8 }{{1}, {-128}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.hidden != 0 {
		t.Error("an unexported field was filled")
	}
}

// TestAsIsCaseSensitive: encoding/json would fill amount from each of these.
func TestAsIsCaseSensitive(t *testing.T) {
	for _, text := range []string{`{"AMOUNT":1}`, `{"Amount":1}`, `{"amount ":1}`} {
		got, err := fill[struct {
			Amount int `json:"amount"`
		}](text)
		if err != nil || got.Amount != 0 {
			t.Errorf("%s filled %d, %v", text, got.Amount, err)
		}
	}
	got, err := fill[struct {
		SKUs string `json:"skus"`
	}](`{"skus":"right","ſkus":"U+017F"}`)
	if err != nil || got.SKUs != "right" {
		t.Errorf("got %q, %v", got.SKUs, err)
	}
}

// TestAsRefuses: every misfit, with its place, and without values.
func TestAsRefuses(t *testing.T) {
	type (
		one   struct{ A int }
		tilde struct {
			A int8 `json:"a/b"`
		}
		embedding struct{ one }
		twoNames  struct {
			A int `json:"B"`
			B int
		}
	)
	for _, c := range []struct {
		name    string
		fill    func() error
		pointer string
		problem string
	}{
		{"fraction", check[int](`1.5`), "", "not an integer"},
		{"beyond exact", check[int64](`9007199254740992`), "", "not an integer"},
		{"beyond exact negative", check[int64](`-9007199254740992`), "", "not an integer"},
		{"beyond exact unsigned", check[uint64](`9007199254740992`), "", "not an integer"},
		{"negative unsigned", check[uint](`-1`), "", "not an integer"},
		{"fraction unsigned", check[uint](`0.5`), "", "not an integer"},
		{"int8", check[int8](`128`), "", "not an integer"},
		{"int8 negative", check[int8](`-129`), "", "not an integer"},
		{"uint8", check[uint8](`256`), "", "not an integer"},
		{"huge", check[int](`1e300`), "", "not an integer"},
		{"uintptr", check[uintptr](`1`), "", "a number"},
		{"float32", check[float32](`0.1`), "", "no exact place"},
		{"number for string", check[string](`1`), "", "a number"},
		{"string for number", check[int](`"1"`), "", "a string"},
		{"string for a number's text", check[json.Number](`"x"`), "", "decodes itself"},
		{"number for a number's text", check[json.Number](`1`), "", "decodes itself"},
		{"a number's text in a struct", check[struct{ A json.Number }](`{"A":1}`), "/A", "decodes itself"},
		{"boolean for string", check[string](`true`), "", "a boolean"},
		{"null for string", check[string](`null`), "", "null"},
		{"null for a struct", check[one](`null`), "", "null"},
		{"null for an array", check[[1]int](`null`), "", "null"},
		{"null for an element", check[[]int](`[1,null]`), "/1", "null"},
		{"array for a map", check[map[string]int](`[]`), "", "an array"},
		{"object for a slice", check[[]int](`{}`), "", "an object"},
		{"array of another length", check[[2]int](`[1]`), "", "another length"},
		{"array's element", check[[2]int](`[1,"x"]`), "/1", "a string"},
		{"map by int", check[map[int]int](`{"1":1}`), "", "an object"},
		{"map's element", check[map[string]int](`{"secret":"x"}`), "/*", "a string"},
		{"struct's field", check[[]one](`[{"A":1},{"A":"secret"}]`), "/1/A", "a string"},
		{"escaped field", check[tilde](`{"a/b":"x"}`), "/a~1b", "a string"},
		{"behind a pointer", check[*[]*int](`[1,"x"]`), "/1", "a string"},
		{"embedded", check[embedding](`{"A":1}`), "", "embedded"},
		{"two fields of a name", check[twoNames](`{"B":1}`), "", "two fields"},
		{"time", check[time.Time](`"2020-01-01T00:00:00Z"`), "", "decodes itself"},
		{"field of time", check[struct{ T *time.Time }](`{"T":"2020-01-01T00:00:00Z"}`), "/T", "decodes itself"},
		{"map by a type that decodes itself", check[map[textKey]int](`{"a":1}`), "", "an object"},
		{"interface", check[fmt.Stringer](`"a"`), "", "interface with methods"},
		{"func", check[func()](`{}`), "", "an object"},
		{"chan", check[chan int](`1`), "", "a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var misfit *snapshot.FillError
			if err := c.fill(); !errors.As(err, &misfit) {
				t.Fatalf("got %v", err)
			}
			if misfit.Pointer != c.pointer || !strings.Contains(misfit.Problem, c.problem) || misfit.Type == "" {
				t.Errorf("got %+v", misfit)
			}
			if text := misfit.Error(); strings.Contains(text, "secret") || !strings.HasPrefix(text, "snapshot: ") || !strings.Contains(text, c.pointer) {
				t.Errorf("text %q", text)
			}
		})
	}
	_, err := snapshot.As[any](snapshot.Snapshot{})
	if err == nil {
		t.Error("the zero Snapshot was filled")
	}
}

func check[T any](text string) func() error {
	return func() error {
		got, err := fill[T](text)
		if err != nil && !reflect.ValueOf(&got).Elem().IsZero() {
			return errors.New("something was filled beside the error")
		}
		return err
	}
}

type textKey string

func (*textKey) UnmarshalText([]byte) error { panic("called") }

// TestAsTakes: the edges of what fits.
func TestAsTakes(t *testing.T) {
	takes(t, `9007199254740991`, int64(1<<53-1))
	takes(t, `-9007199254740991`, int64(-1<<53+1))
	takes(t, `9007199254740991`, uint64(1<<53-1))
	takes(t, `127`, int8(127))
	takes(t, `-128`, int8(-128))
	takes(t, `255`, uint8(255))
	takes(t, `0`, uint(0))
	takes(t, `1e2`, 100)
	takes(t, `0.5`, float32(0.5))
	takes(t, `0.1`, 0.1)
	takes[any](t, `null`, nil)
	takes[*int](t, `null`, nil)
	takes[[]int](t, `null`, nil)
	takes[map[string]int](t, `null`, nil)
	takes(t, `[]`, []int{})
	takes(t, `{}`, map[string]int{})
	takes(t, `"x"`, namedString("x"))
	takes(t, `{"x":1}`, map[namedString]int{"x": 1})
	takes(t, `{"a":1,"b":[true]}`, any(map[string]any{"a": 1.0, "b": []any{true}}))
	takes(t, `{"a":1}`, struct{ A int }{}) // unknown and missing names are taken unless refused
	takes(t, `[[1],[2,3]]`, [][]int{{1}, {2, 3}})
}

func takes[T any](t *testing.T, text string, want T) {
	t.Helper()
	got, err := fill[T](text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s into %T: got %v, %v", text, want, got, err)
	}
}

func TestAsRules(t *testing.T) {
	type target struct {
		A int
		B *int
		C int `json:",omitempty"`
		D int `json:"d,omitzero"`
	}
	for _, c := range []struct {
		text    string
		rules   []snapshot.Rule
		problem string
	}{
		{`{"A":1,"X":2}`, nil, ""},
		{`{"A":1,"X":2}`, []snapshot.Rule{snapshot.RefuseMissing}, ""},
		{`{"A":1,"X":2}`, []snapshot.Rule{snapshot.RefuseUnknown}, "no field has"},
		{`{"A":1}`, []snapshot.Rule{snapshot.RefuseUnknown, snapshot.RefuseMissing}, ""},
		{`{"A":1,"X":2}`, []snapshot.Rule{snapshot.RefuseUnknown, snapshot.RefuseMissing}, "no field has"},
		{`{"a":1}`, []snapshot.Rule{snapshot.RefuseMissing, snapshot.RefuseUnknown}, `"A" is missing`},
		{`{"a":1}`, []snapshot.Rule{snapshot.RefuseMissing}, `"A" is missing`},
		{`{"a":1}`, []snapshot.Rule{snapshot.RefuseMissing | snapshot.RefuseUnknown}, `"A" is missing`},
		{`{}`, []snapshot.Rule{snapshot.RefuseUnknown}, ""},
	} {
		_, err := fill[target](c.text, c.rules...)
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s by %v: %v", c.text, c.rules, err)
		}
	}
}

// TestAsIsDetached: what is filled shares nothing with later fills.
func TestAsIsDetached(t *testing.T) {
	s := must(snapshot.Decode([]byte(`{"a":[1,2]}`)))
	first, _ := snapshot.As[map[string][]any](s)
	first["a"][0] = "changed"
	second, err := snapshot.As[map[string]any](s)
	if err != nil || !reflect.DeepEqual(second, map[string]any{"a": []any{1.0, 2.0}}) {
		t.Errorf("got %v, %v", second, err)
	}
}
