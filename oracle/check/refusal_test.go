package check

import (
	"slices"
	"strings"
	"testing"
)

func TestTraits(t *testing.T) {
	if all := scalarRoot | fraction | longNumber | escapes | nonASCII | emptyName | deep; all != 1<<7-1 {
		t.Errorf("the seven traits are %b", all)
	}
	for _, c := range []struct {
		input string
		want  traits
	}{
		{``, 0}, {` `, 0}, {`[]`, 0}, {` {}`, 0}, {"\ufeff\t\r\n []", 0},
		{`0`, scalarRoot}, {` "a"`, scalarRoot}, {`]`, scalarRoot},
		{`[1.5]`, fraction}, {`[1e5]`, fraction}, {`[-1E5]`, fraction}, {`[true]`, 0}, {`[.5]`, 0},
		{`[123456789012345]`, 0}, {`[1234567890123456]`, longNumber}, {`[1.23456789012345]`, fraction | longNumber}, {`[1.5,123456789012345678]`, fraction | longNumber},
		{`["\n"]`, escapes}, {`["n"]`, 0}, {`["é"]`, nonASCII}, {"[\"\x7f\"]", nonASCII}, {`["~"]`, 0}, {`["é\n"]`, escapes | nonASCII},
		{`{"":0}`, emptyName}, {`{"a":""}`, 0}, {`[""]`, 0}, {`{"a":0}`, 0},
		{strings.Repeat("[", 32) + strings.Repeat("]", 32), 0},
		{strings.Repeat("[", 33) + strings.Repeat("]", 33), deep},
		{strings.Repeat(`{"a":`, 33) + `0`, deep},
		{strings.Repeat(`[],{},`, 33), 0},
		{`[` + strings.Repeat(`[],`, 33) + `{}]`, 0},
		{`{"":1.5,"a":"\n","é":[1.5,1234567890123456,"é","\n",{"":` + strings.Repeat("[", 33), fraction | longNumber | escapes | nonASCII | emptyName | deep},
		{`1.5 [123456789012345678,"\n\u00e9é",{"":["",` + strings.Repeat("[", 33), scalarRoot | fraction | longNumber | escapes | nonASCII | emptyName | deep},
		{strings.Repeat("[", 33) + `{"":["é\n",1.5,1234567890123456`, fraction | longNumber | escapes | nonASCII | emptyName | deep},
		{`["é\n",1234567890123456,1.5`, fraction | longNumber | escapes | nonASCII},
		{`["é","\n",{"":0}]`, escapes | nonASCII | emptyName},
	} {
		if got := traitsOf([]byte(c.input)); got != c.want {
			t.Errorf("%.60s has %07b, want %07b", c.input, got, c.want)
		}
	}
}

// TestSortOfMessage: what changes with the input is no part of it.
func TestSortOfMessage(t *testing.T) {
	for message, want := range map[string]string{
		"": "", "bad token 'x' at 12": "bad token  at ", `a"b"c`: "ac", "a`b`c": "ac", "a'b\"c": "ac", "a'b": "a",
		"AZaz@[`{": "AZaz", "[{`": "", "@AZ[": "AZ", "é_1-x": "x",
		strings.Repeat("a", 61): strings.Repeat("a", 60), strings.Repeat("0", 61) + "a": "a",
	} {
		if got := sortOfMessage(message); got != want {
			t.Errorf("%q is of the sort %q, want %q", message, got, want)
		}
	}
}

// TestRefusalClause: blamed is the first piece that must be another for the
// document to be accepted, and nothing is asked that is known.
func TestRefusalClause(t *testing.T) {
	no := []string{"no"}
	for _, c := range []struct {
		input         string
		accepts       []string // when it is one of these
		clause, words string
		asked         []string
	}{
		{`0`, []string{`[0]`}, "rfc8259/2/one-value", "a JSON text that is neither object nor array is refused", []string{`[0]`}},
		{`0`, []string{`7`}, "rfc8259/6/number", "a number is refused", []string{`[0]`, `7`}},
		{`0`, no, "rfc8259/2/one-value", "a JSON text is refused", []string{`[0]`, `7`}},
		{`[]`, no, "rfc8259/5/array", "an array is refused", nil},
		{`{}`, no, "rfc8259/4/object", "an object is refused", nil},
		{``, no, "rfc8259/2/one-value", "a JSON text is refused", nil},
		{`"[`, no, "rfc8259/2/one-value", "a JSON text is refused", []string{`["[]`, `"k"`}},
		{`[ 1 ,true]`, []string{`[1 ,true]`}, "rfc8259/2/white-space", "white space is refused", []string{`[1 ,true]`}},
		{`[ 1 ,true]`, []string{`[ 1,true]`}, "rfc8259/2/white-space", "white space is refused", []string{`[1 ,true]`, `[ 7 ,true]`, `[ 1,true]`}},
		{`[7,8,true]`, []string{`[7,8,7]`}, "rfc8259/3/literals", "a literal is refused", []string{`[7,7,true]`, `[7,8,7]`}},
		{`{"":"a"}`, []string{`{"k":"a"}`}, "rfc8259/4/object", "an empty member name is refused", []string{`{"k":"a"}`}},
		{`{"b":"k"}`, []string{`{"k":"k"}`}, "rfc8259/4/object", "a member name is refused", []string{`{"k":"k"}`}},
		{`{"\n":"k"}`, []string{`{"k":"k"}`}, "rfc8259/7/escape", "an escape is refused", []string{`{"k":"k"}`}},
		{`{"é":"k"}`, []string{`{"k":"k"}`}, "rfc8259/8.1/utf-8", "a character of UTF-8 is refused", []string{`{"k":"k"}`}},
		{"[\"\x7f\"]", []string{`["k"]`}, "rfc8259/8.1/utf-8", "a character of UTF-8 is refused", []string{`["k"]`}},
		{`["~"]`, []string{`["k"]`}, "rfc8259/7/string", "a string is refused", []string{`["k"]`}},
		{`[""]`, []string{`["k"]`}, "rfc8259/7/string", "a string is refused", []string{`["k"]`}},
		{`["\n"]`, []string{`["k"]`}, "rfc8259/7/escape", "an escape is refused", []string{`["k"]`}},
	} {
		var asked []string
		d := refusalClause([]byte(c.input), func(doc []byte) bool {
			asked = append(asked, string(doc))
			return slices.Contains(c.accepts, string(doc))
		})
		if (d != Departure{c.clause, c.words}) || !slices.Equal(asked, c.asked) {
			t.Errorf("%s: %+v after asking %q, want %s, %s after %q", c.input, d, asked, c.clause, c.words, c.asked)
		}
	}
	asked := 0
	refusalClause([]byte("["+strings.Repeat("1,", 400)+"1]"), func([]byte) bool { asked++; return false })
	if asked != 250 {
		t.Errorf("of 500 pieces %d are asked for", asked)
	}
}

// TestTwins: they are as long as the refused document, as wide, and there are
// none of a short one.
func TestTwins(t *testing.T) {
	if got := twins([]byte(strings.Repeat(",", 4095))); got != nil {
		t.Errorf("%d twins of a short one", len(got))
	}
	got := twins([]byte("[" + strings.Repeat("1,", 2000) + strings.Repeat("1", 95)))
	want := []string{`["` + strings.Repeat("a", 4096) + `"]`, `[` + strings.Repeat("0,", 2000) + `0]`}
	if len(got) != 2 || string(got[0]) != want[0] || string(got[1]) != want[1] {
		t.Errorf("the twins are %.100q", got)
	}
}
