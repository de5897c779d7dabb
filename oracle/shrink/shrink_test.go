package shrink_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/shrink"
)

const tries = 20_000

// refusedFor is the condition that the reference refuses a text for a reason.
func refusedFor(r reject.Reason) func([]byte) bool {
	return func(src []byte) bool {
		_, err := reference.Canonicalize(src)
		return errors.Is(err, r)
	}
}

// form is a condition on texts that have a canonical form.
func form(holds func(canonical string) bool) func([]byte) bool {
	return func(src []byte) bool {
		out, err := reference.Canonicalize(src)
		return err == nil && holds(string(out))
	}
}

// number is a condition on the first number of a text, however spelled.
func number(holds func(float64) bool) func([]byte) bool {
	return func(src []byte) bool {
		if !json.Valid(src) {
			return false
		}
		for _, t := range grammar.Tokens(nil, src) {
			if t.Kind == grammar.Word {
				if f, err := strconv.ParseFloat(string(src[t.From:t.To]), 64); err == nil && holds(f) {
					return true
				}
			}
		}
		return false
	}
}

// longString is the condition that a text holds a string of n characters.
func longString(n int) func([]byte) bool {
	return form(func(s string) bool {
		for _, t := range grammar.Tokens(nil, []byte(s)) {
			if t.Kind == grammar.Quoted && utf8.RuneCountInString(s[t.From:t.To]) >= n+2 {
				return true
			}
		}
		return false
	})
}

func depth(src []byte) int {
	most, d := 0, 0
	for _, c := range src {
		switch c {
		case '[', '{':
			d++
			most = max(most, d)
		case ']', '}':
			d--
		}
	}
	return most
}

const large = `{
  "users": [{"name": "Zoë", "id": 12345678901234567890, "tags": ["a", "b", "\u00e9\ud83d\ude00"], "ok": true},
            {"name": "Amélie", "id": -0.000, "tags": [], "ok": false}],
  "nested": {"x": {"y": {"z": [1, 2.50, 3e5, 1e-7, {"deep": null}]}}, "\ue000": 1, "😀": 2},
  "text": "The quick brown fox\njumps over the \"lazy\" dog <&> \u0000\u001f\u007f\\/"
}`

// Each condition has one expected minimum, to the byte.
func TestMinima(t *testing.T) {
	for name, c := range map[string]struct {
		input string
		keep  func([]byte) bool
		want  string
	}{
		"anything":          {large, func([]byte) bool { return true }, ""},
		"JSON":              {large, json.Valid, "0"},
		"an object":         {large, func(b []byte) bool { return json.Valid(b) && bytes.ContainsRune(b, '{') }, "{}"},
		"one byte":          {"abc\xffdef" + large, func(b []byte) bool { return bytes.IndexByte(b, 0xff) >= 0 }, "\xff"},
		"invalid UTF-8":     {"[\"\u00e9\xc3\", 1]", func(b []byte) bool { return !utf8.Valid(b) }, "\xc3"},
		"faulty string":     {"{\"a\":[\"xyz\xed\xa0\x80\", 1]}", refusedFor(reject.InvalidUTF8), "\xed"},
		"syntax":            {large[:len(large)-3] + "x", refusedFor(reject.Syntax), ""},
		"unclosed":          {large[:len(large)-1], func(b []byte) bool { return !json.Valid(b) && depth(b) >= 3 }, "[[["},
		"duplicate":         {`{"q":[{"abc":[1,2,3],"x":5,"abc":"value","abcd":{}}]}`, refusedFor(reject.DuplicateName), `{"":0,""`},
		"duplicate, closed": {`{"q":[{"abc":[1,2,3],"x":5,"abc":"value","abcd":{}}]}`, func(b []byte) bool { return json.Valid(b) && refusedFor(reject.DuplicateName)(b) }, `{"":0,"":0}`},
		"duplicate by escape": {`{"abc":[1,2,3],"x":5,"a\u0062c":"value"}`, func(b []byte) bool {
			return json.Valid(b) && refusedFor(reject.DuplicateName)(b) && bytes.Contains(b, []byte(`\u`))
		}, `{"0":0,"\u0030":0}`},
		"lone surrogate":     {`{"a":["x\ud83d\ude00\ude00y", {"b":1}]}`, func(b []byte) bool { return json.Valid(b) && refusedFor(reject.LoneSurrogate)(b) }, `"\ud800"`},
		"overflow":           {`{"a":[1,2,-123.456e4321]}`, refusedFor(reject.NumberOverflow), `1e309`},
		"negative zero":      {`{"a":[1,2,-0.000e+17]}`, number(func(f float64) bool { return f == 0 && math.Signbit(f) }), `-0`},
		"beyond 2^53":        {large, number(func(f float64) bool { return f > 1<<53 }), `1e16`},
		"not an integer":     {large, number(func(f float64) bool { return f != math.Trunc(f) }), `0.1`},
		"nine characters":    {large, longString(9), `"000000000"`},
		"five levels":        {large, form(func(s string) bool { return depth([]byte(s)) >= 5 }), `[[[[[]]]]]`},
		"two hundred levels": {strings.Repeat(`{"ab": [1, `, 111) + "2" + strings.Repeat("]}", 111), func(b []byte) bool { return json.Valid(b) && depth(b) >= 200 }, strings.Repeat("[", 200) + strings.Repeat("]", 200)},
		"UTF-16 order":       {large, form(func(s string) bool { i := strings.Index(s, "😀"); return i > 0 && strings.Index(s, "\ue000") > i }), "{\"\ue000\":0,\"😀\":0}"},
		"two members":        {large, form(func(s string) bool { var v map[string]any; return json.Unmarshal([]byte(s), &v) == nil && len(v) >= 2 }), `{"":0,"0":0}`},
		"a control":          {large, form(func(s string) bool { return strings.Contains(s, `\u00`) }), `"\u0000"`},
		"does not hold":      {large, func([]byte) bool { return false }, large},
	} {
		t.Run(name, func(t *testing.T) {
			got := shrink.Minimize([]byte(c.input), c.keep, tries)
			if string(got) != c.want {
				t.Errorf("got  %.200q\nwant %.200q", got, c.want)
			}
		})
	}
}

// No more tries are made than allowed, and what has been found by then counts.
func TestTriesAreBounded(t *testing.T) {
	for _, most := range []int{0, 1, 2, 10, 100} {
		n := 0
		got := shrink.Minimize([]byte(large), func(b []byte) bool { n++; return len(b) > 40 }, most)
		if n != most {
			t.Errorf("%d tries, %d allowed", n, most)
		}
		if most == 100 && len(got) != 41 {
			t.Errorf("%d bytes after 100 tries", len(got))
		}
	}
}

// The input is neither changed nor shared.
func TestInputIsLeftAlone(t *testing.T) {
	input := []byte(large)
	got := shrink.Minimize(input, func(b []byte) bool { return len(b) >= len(large) }, tries)
	got[0] = 'x'
	if string(input) != large {
		t.Error("the input was changed")
	}
}

// What comes out keeps the condition, is a minimum again, and is the same each
// time, for any bytes.
func TestMinimaStay(t *testing.T) {
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	for i := range uint64(300) {
		s.Reset(21, i)
		input := bytes.Clone(g.Document(s))
		_, err := reference.Canonicalize(input)
		var want *reject.Error
		if !errors.As(err, &want) {
			continue
		}
		keep := func(b []byte) bool {
			_, err := reference.Canonicalize(b)
			var e *reject.Error
			return errors.As(err, &e) && e.Reason == want.Reason && e.Requirement == want.Requirement
		}
		got := shrink.Minimize(input, keep, tries)
		if !keep(got) {
			t.Fatalf("%q became %q, which is refused for another reason", input, got)
		}
		if len(got) > 40 {
			t.Errorf("%q is long for %s", got, want.Requirement)
		}
		if again := shrink.Minimize(got, keep, tries); len(again) != len(got) {
			t.Errorf("%q could still become %q", got, again)
		}
		if twin := shrink.Minimize(input, keep, tries); !bytes.Equal(twin, got) {
			t.Errorf("%q became %q and %q", input, got, twin)
		}
	}
}
