package law

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// generators are used by the laws that draw; each use begins afresh.
var generators = sync.Pool{New: func() any { return new(grammar.Generator) }}

func checkFixedPoint(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if err != nil {
		return nil
	}
	again, err := im.Canonicalize(out)
	if err != nil && !isLimit(err) {
		return fmt.Errorf("%s gives %s, which is refused: %v", show(input), show(out), err)
	}
	if err == nil && !bytes.Equal(again, out) {
		return fmt.Errorf("%s gives %s, which gives %s", show(input), show(out), show(again))
	}
	return nil
}

// checkValue decodes with encoding/json, which is no canonicalizer: what it
// merges or replaces must have been refused before, and other laws say so.
func checkValue(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if err != nil {
		return nil
	}
	want, ok := decode(input)
	if !ok || hasLongNumber(input) {
		return nil
	}
	got, ok := decode(out)
	if !ok {
		return fmt.Errorf("%s gives %s, which encoding/json does not decode", show(input), show(out))
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s gives %s, which is another value", show(input), show(out))
	}
	return nil
}

func decode(text []byte) (v any, ok bool) {
	return v, utf8.Valid(text) && json.Unmarshal(text, &v) == nil
}

// hasLongNumber reports whether a number has more than 20 digits. ECMA-262
// lets an implementation round those to either neighbour, and encoding/json
// reads some numbers of more than 800 digits wrongly altogether: strconv counts
// no more than 800 of them before the point (Go 1.26).
func hasLongNumber(text []byte) bool {
	const exact = 20
	run := 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			if run++; run > exact {
				return true
			}
		case c != '.':
			run = 0
		}
	}
	return false
}

func checkRoundTrip(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if err != nil {
		return nil
	}
	v, ok := decode(out)
	if !ok {
		return nil // checkValue says so
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil // deeper than encoding/json writes
	}
	again, err := im.Canonicalize(text)
	if isLimit(err) {
		return nil
	}
	if err != nil || !bytes.Equal(again, out) {
		return fmt.Errorf("%s gives %s; decoded and encoded as %s it gives %s, %v", show(input), show(out), show(text), show(again), err)
	}
	return nil
}

func checkSpelling(im Implementation, input []byte) error {
	g := generators.Get().(*grammar.Generator)
	defer generators.Put(g)
	other, ok := g.Respell(source(input, 1), input)
	if !ok {
		return nil
	}
	return sameAnswer(im, input, other)
}

// sameAnswer is the relation of two spellings of one value.
func sameAnswer(im Implementation, a, b []byte) error {
	out, err := im.Canonicalize(a)
	out = bytes.Clone(out)
	again, errAgain := im.Canonicalize(b)
	if isLimit(err) || isLimit(errAgain) {
		return nil
	}
	if (err == nil) != (errAgain == nil) || !bytes.Equal(out, again) {
		return fmt.Errorf("%s gives %s, %v; spelled %s it gives %s, %v", show(a), show(out), err, show(b), show(again), errAgain)
	}
	return nil
}

func checkDifferent(im Implementation, input []byte) error {
	g := generators.Get().(*grammar.Generator)
	defer generators.Put(g)
	other, ok := g.Alter(source(input, 2), input)
	if !ok || hasLongNumber(input) {
		return nil // the next double may be what a number of many digits rounds to
	}
	return otherAnswer(im, input, other)
}

// otherAnswer is the relation of two different values.
func otherAnswer(im Implementation, a, b []byte) error {
	out, err := im.Canonicalize(a)
	out = bytes.Clone(out)
	other, errOther := im.Canonicalize(b)
	if err == nil && errOther == nil && bytes.Equal(out, other) {
		return fmt.Errorf("%s and %s are different and both give %s", show(a), show(b), show(out))
	}
	return nil
}

// CheckPair holds a pair of the grammar against its relation.
func CheckPair(im Implementation, a, b []byte, r grammar.Relation) error {
	if r == grammar.Same {
		return sameAnswer(im, a, b)
	}
	return otherAnswer(im, a, b)
}

// frame is a text that a value can be put into, and its canonical form.
type frame struct{ before, after, canonBefore, canonAfter string }

var around = []frame{
	{"[", "]", "[", "]"},
	{"[0 ,", " , \"\\u0061\"]", "[0,", ",\"a\"]"},
	{"{\"a\": ", "}", "{\"a\":", "}"},
	{"{\"b\":1,\"\\u0061\":", ",\"\\ud83d\\ude00\":[ ],\"\ue000\":2.0}", "{\"a\":", ",\"b\":1,\"😀\":[],\"\ue000\":2}"},
	{"[[[{\"\":", "}]]]", "[[[{\"\":", "}]]]"},
}

func checkNesting(im Implementation, input []byte) error { return within(im, input, around) }

func checkNamesAreData(im Implementation, input []byte) error { return within(im, input, prototypes) }

var prototypes = []frame{
	{`{"__proto__":`, `}`, `{"__proto__":`, `}`},
	{`{"constructor":{"prototype":`, `},"__proto__":null}`, `{"__proto__":null,"constructor":{"prototype":`, `}}`},
	{`{"toJSON":`, `,"hasOwnProperty":1,"length":-1}`, `{"hasOwnProperty":1,"length":-1,"toJSON":`, `}`},
}

// within puts the input into other texts: the form of the whole is made of the
// form of the part.
func within(im Implementation, input []byte, around []frame) error {
	out, err := im.Canonicalize(input)
	if isLimit(err) || bytes.HasPrefix(input, []byte("\ufeff")) || !json.Valid(input) {
		return nil
	}
	out = bytes.Clone(out)
	for _, a := range around {
		text := []byte(a.before + string(input) + a.after)
		whole, errWhole := im.Canonicalize(text)
		if isLimit(errWhole) {
			continue
		}
		if (err == nil) != (errWhole == nil) {
			return fmt.Errorf("%s gives %s, %v; inside %s it gives %s, %v", show(input), show(out), err, show(text), show(whole), errWhole)
		}
		if err == nil && string(whole) != a.canonBefore+string(out)+a.canonAfter {
			return fmt.Errorf("%s gives %s; inside %s it gives %s", show(input), show(out), show(text), show(whole))
		}
	}
	return nil
}

// others are put between two askings of one input: right ones and faulty ones.
var others = []string{`{"b":[1,{"z":"\u00e9","a":-0}],"a":1e21}`, `{"a":1,"a":2}`, `["\ud800"]`, "\"\xff", `[[[[`, `{"":`, `1e400`, `"x"`}

func checkRepeated(im Implementation, input []byte) error {
	first, err := im.Canonicalize(input)
	kept := bytes.Clone(first)
	s := source(input, 3)
	for range 2 {
		other := []byte(others[s.Choose(len(others))])
		im.Canonicalize(other)
		again, errAgain := im.Canonicalize(input)
		if (err == nil) != (errAgain == nil) || !bytes.Equal(again, kept) {
			return fmt.Errorf("%s gives %s, %v; after %q it gives %s, %v", show(input), show(kept), err, other, show(again), errAgain)
		}
		if !bytes.Equal(first, kept) {
			return fmt.Errorf("the answer to %s was %s and is %s after another question", show(input), show(kept), show(first))
		}
	}
	return nil
}
