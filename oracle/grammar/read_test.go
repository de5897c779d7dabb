package grammar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// What is read, told by the plainest spelling; what is no JSON text, by none.
func TestTextsAreRead(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for text, want := range map[string]string{
		"": "", " ": "", "\t\r\n null ": "null", "true": "true", "false": "false", "nul": "", "nulll": "", "tru": "", "True": "", "nil": "",
		"1 2": "", "\ufeff1": "", "\v1": "", "null\x00": "",
		"[]": "[]", "[ ]": "[]", "[1,2]": "[1,2]", "[ 1 , 2 ]": "[1,2]", "[1 2]": "", "[1,]": "", "[,1]": "", "[": "", "[1": "", "[1,": "", "]": "", "[1}": "",
		"{}": "{}", "{ }": "{}", `{"a":1}`: `{"a":1}`, `{ "a" : 1 }`: `{"a":1}`, `{"a":1,"b":2}`: `{"b":2,"a":1}`, `{"a":1,"a":2}`: `{"a":2,"a":1}`,
		`{"a"1}`: "", `{"a":}`: "", `{"a":1,}`: "", `{1:1}`: "", `{a:1}`: "", `{"a":1`: "", `{"a`: "", `{"a":1]`: "",
		`""`: `""`, `"a`: "", `"`: "", "\"\x1f\"": "", "\"\x20\x7f\"": "\"\x20\x7f\"", `"é€😀"`: `"é€😀"`, "\"\xff\"": "", "\"\x00\"": "",
		`"\"\\\/\b\f\n\r\t"`: `"\"\\/\b\f\n\r\t"`, `"\a"`: "", `"\`: "", `"\"`: "", `"\u"`: "", `"\u12"`: "", `"\u123"`: "", `"\u1234`: "",
		`"\u00e9\u00E9\u004a\u004A"`: `"ééJJ"`, `"\u0000\u001f"`: `"\u0000\u001f"`, `"\ud83d\ude00"`: `"😀"`, `"\ud800\udc00\udbff\udfff"`: "\"\U00010000\U0010ffff\"",
		`"\ud83d"`: `"\ud83d"`, `"\ude00"`: `"\ude00"`, `"\udbff\udbff\udfff"`: "\"\\udbff\U0010ffff\"", `"\ud83d\ue000"`: "\"\\ud83d\ue000\"", `"\ud800\ud7ff"`: "\"\\ud800\ud7ff\"",
		`"\udc00\udc00"`: `"\udc00\udc00"`, `"\ud7ff\udc00"`: "\"\ud7ff\\udc00\"", `"\ud83dx"`: `"\ud83dx"`, `"\ud83d\n"`: `"\ud83d\n"`, `"\ud83d\u12"`: "", `"\ud83d`: "",
		`"\u00g0"`: "", `"\u00:0"`: "", `"\u00/0"`: "", "\"\\u00`0\"": "", `"\u00G0"`: "", `"\u00@0"`: "", `"\u0A9f"`: "\"\u0a9f\"", `"\u90aF"`: "\"\u90af\"",
		"0": "0", "-0": "-0", "00": "", "01": "", "-01": "", "-": "", "-a": "", "+1": "", "1": "1", "9": "9", "10": "10", "-12.50": "-12.50", "0.5": "0.5", "0.05": "0.05", "00.5": "",
		"1.": "", ".5": "", "1.e1": "", "1e1": "10", "1E1": "10", "1e+1": "10", "1e-1": "0.1", "1e": "", "1e+": "", "1e-": "", "1e+-1": "", "1.5e2": "150", "15e-1": "1.5", "1e21": "1e21", "1e20": "1" + strings.Repeat("0", 20),
		"1e-6": "0.000001", "1e-7": "1e-7", "0e5": "0", "0e9": "0", "-0e9": "-0", "0.0e9": "0", "0e10": "0e10", "0e-9": "0", "0e-10": "0e-10", "0.000": "0", "0x1": "", "1a": "", "1/": "", "1:": "", "0.0120": "0.0120",
		"1e99999999999999999999": "1e1000000000", "-1.5e-99999999999999999999": "-1.5e-1000000000", "1e1000000001": "1e1000000000", "1e999999999": "1e999999999",
		deep(1000): deep(1000), deep(1101): deep(1101), deep(1102): "",
	} {
		var g grammar.Generator
		out, ok := g.Respell(&grammar.Replay{}, []byte(text))
		if ok != (want != "") || string(out) != want {
			t.Errorf("%.50q is read as %.50q, %v, want %.50q", text, out, ok, want)
		}
		if _, ok := g.Alter(&grammar.Replay{}, []byte(text)); ok != (want != "") {
			t.Errorf("%.50q: altered: %v", text, ok)
		}
	}
}

// Tokens and values of texts that are JSON, and of some that nearly are.
func TestOutlines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                  nil,
		" \t\r\n":           nil,
		"1 2":               {"-1:1", "-1:2"},
		"[1]":               {"-1:[1]", "0:1"},
		"[1":                {"-1:[1", "0:1"},
		"]1":                {"-1:1"},
		"]]{}":              {"-1:{}"},
		"[1]]2":             {"-1:[1]", "0:1", "-1:2"},
		`{"a":1}`:           {`-1:{"a":1}`, `0:"a"=1`},
		`{"a" : [] , b:2}`:  {`-1:{"a" : [] , b:2}`, `0:"a"=[]`, `0:b=2`},
		`{"a","b":1}`:       {`-1:{"a","b":1}`, `0:"a"`, `0:"b"=1`},
		`{"a":,1}`:          {`-1:{"a":,1}`, `0:1`},
		`{"a":}1`:           {`-1:{"a":}`, `-1:1`},
		`{"a":[1]}`:         {`-1:{"a":[1]}`, `0:"a"=[1]`, `1:1`},
		`{[1]:2}`:           {`-1:{[1]:2}`, `0:[1]`, `1:1`, `0:2`},
		`{[]:2}`:            {`-1:{[]:2}`, `0:[]`, `0:2`},
		`[1[:2`:             {`-1:[1[:2`, `0:1`, `0:[:2`, `2:2`},
		`1:2`:               {`-1:1=2`},
		`[]:2`:              {`-1:[]`, `-1:2`},
		`1 2::3`:            {`-1:1=3`},
		`:1`:                {`-1:1`},
		`[[1],2]`:           {`-1:[[1],2]`, `0:[1]`, `1:1`, `0:2`},
		`{"a":{"b":[{`:      {`-1:{"a":{"b":[{`, `0:"a"={"b":[{`, `1:"b"=[{`, `2:{`},
		"\"a\\\"b\"c\"d\\":  {`-1:"a\"b"`, `-1:c`, `-1:"d\`},
		"\"a\\\\\"1x\"":     {`-1:"a\\"`, `-1:1x`, `-1:"`},
		"tru\x00e\"a\n\"\v": {"-1:tru\x00e", "-1:\"a\n\"", "-1:\v"},
	} {
		var got []string
		parts := grammar.Outline([]byte(text))
		for i, p := range parts {
			name := ""
			if p.NameTo > p.NameFrom {
				name = text[p.NameFrom:p.NameTo] + "="
			}
			got = append(got, fmt.Sprintf("%d:%s%s", p.Parent, name, text[p.From:p.To]))
			if item := p.From - max(p.From-p.ItemFrom, 0); p.ItemTo != p.To || name != "" && p.ItemFrom != p.NameFrom || name == "" && item != p.From {
				t.Errorf("%q: part %d is the item %q", text, i, text[p.ItemFrom:p.ItemTo])
			}
			var items []int
			for k, q := range parts {
				if q.Parent == i {
					items = append(items, k)
				}
			}
			if !slices.Equal(items, p.Items) || (p.Open != 0) != (text[p.From] == '[' || text[p.From] == '{') {
				t.Errorf("%q: part %d opens with %q and holds %v", text, i, p.Open, p.Items)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has the parts %q, want %q", text, got, want)
		}
	}
	kinds := map[grammar.TokenKind]string{grammar.Blank: "blank", grammar.Mark: "mark", grammar.Quoted: "quoted", grammar.Word: "word"}
	text := " \t\r\n{}[],:\"a\\\"\"1.5e-7\"\\\\\"tru\x00\v \"a\\"
	var got []string
	for _, token := range grammar.Tokens(nil, []byte(text)) {
		got = append(got, kinds[token.Kind]+text[token.From:token.To])
	}
	want := []string{"blank \t\r\n", "mark{", "mark}", "mark[", "mark]", "mark,", "mark:", `quoted"a\""`, "word1.5e-7", `quoted"\\"`, "wordtru\x00\v", "blank ", `quoted"a\`}
	if !slices.Equal(got, want) {
		t.Errorf("the tokens are\n%q, want\n%q", got, want)
	}
}

// Bytes are choices: as many as the ways need, none when they are used up.
func TestBytesAreChoices(t *testing.T) {
	for n, want := range map[int][3]int{
		1: {0, 0, 0}, 2: {1, 0, 1}, 256: {1, 2, 3}, 257: {0x0102 % 257, 0x0304 % 257, 5}, 1 << 16: {0x0102, 0x0304, 5},
		1<<16 + 1: {0x01020304 % (1<<16 + 1), 5, 0}, 1 << 30: {0x01020304, 5, 0},
	} {
		b := grammar.NewBytes([]byte{1, 2, 3, 4, 5})
		if got := [3]int{b.Choose(n), b.Choose(n), b.Choose(n)}; got != want {
			t.Errorf("of %d ways: %v, want %v", n, got, want)
		}
		b.Reset([]byte{7})
		if got := b.Choose(n); got != 7%n {
			t.Errorf("of %d ways after Reset: %d", n, got)
		}
	}
	r := grammar.Replay{Choices: []int{-1, 0, 2, 3}}
	for i, want := range []int{0, 0, 2, 2, 0} {
		if got := r.Choose(3); got != want {
			t.Errorf("choice %d is replayed as %d, want %d", i, got, want)
		}
	}
}

// Strings are altered by one character; one with an accent may become two.
func TestStringsAreAltered(t *testing.T) {
	for _, c := range []struct {
		text    string
		at, way int
		want    string
	}{
		{`""`, 0, 0, `" "`}, {`"aéb"`, 1, 0, `"aéba"`}, {`"aéb"`, 1, 1, `"aé"`}, {`"aéb"`, 1, 2, "\"a\ufffcb\""}, {`"aéb"`, 2, 2, `"aéB"`},
		{`"aéb"`, 1, 3, "\"ae\u0301b\""}, {`"abéxyz"`, 2, 3, "\"abe\u0301xyz\""}, {`"abé"`, 2, 3, "\"abe\u0301\""}, {"\"\U00010000\"", 0, 2, `"\u0000"`}, {`"é"`, 0, 3, "\"e\u0301\""}, {`"aéb"`, 0, 3, `"ééb"`},
	} {
		var g grammar.Generator
		if out, ok := g.Alter(&grammar.Replay{Choices: []int{0, c.at, c.way}}, []byte(c.text)); !ok || string(out) != c.want {
			t.Errorf("%s becomes %s at %d by way %d, want %s", c.text, out, c.at, c.way, c.want)
		}
	}
}

// Characters of long strings are not spelled each its own way; the noncharacters
// are not drawn among others.
func TestCharactersAreChosen(t *testing.T) {
	const mixed, more, highBMP, any = 70, 0, 75, 2
	letters := strings.Repeat("a", 199)
	for _, c := range []struct {
		alter   bool
		text    string
		choices []int
		want    string
	}{
		{false, letters + "a", []int{0, mixed, 6}, `\u0061` + letters}, {false, letters + "aa", []int{0, mixed, 6}, letters + "aa"},
		{true, "a", []int{0, 0, more, highBMP, any, 0x1DCF}, "a\uFDCF"}, {true, "a", []int{0, 0, more, highBMP, any, 0x1DD0}, "a\uE000"},
		{true, "a", []int{0, 0, more, highBMP, any, 0x1DEF}, "a\uE000"}, {true, "a", []int{0, 0, more, highBMP, any, 0x1DF0}, "a\uFDF0"},
	} {
		var g grammar.Generator
		write := g.Respell
		if c.alter {
			write = g.Alter
		}
		if out, ok := write(&grammar.Replay{Choices: c.choices}, []byte(`"`+c.text+`"`)); !ok || string(out) != `"`+c.want+`"` {
			t.Errorf("%s becomes %s, want %s", c.text, out, c.want)
		}
	}
}
