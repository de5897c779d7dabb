package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTokens: a piece is told by its kind (s blank, p punctuation, w word, t
// text, n name), its bytes, and the token that opens its container.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ out, want string }{
		{``, ``},
		{`{}`, `p{^-1 p}^0`},
		{`[]`, `p[^-1 p]^0`},
		{`0`, `w0^-1`},
		{`[1,-2.5e+3,true]`, `p[^-1 w1^0 p,^0 w-2.5e+3^0 p,^0 wtrue^0 p]^0`},
		{`{"a":"b","c":"d"}`, `p{^-1 n"a"^0 p:^0 t"b"^0 p,^0 n"c"^0 p:^0 t"d"^0 p}^0`},
		{`{"a":["b","c"],"d":{"e":"f"},"g":0}`, `p{^-1 n"a"^0 p:^0 p[^0 t"b"^3 p,^3 t"c"^3 p]^3 p,^0 n"d"^0 p:^0 p{^0 n"e"^11 p:^11 t"f"^11 p}^11 p,^0 n"g"^0 p:^0 w0^0 p}^0`},
		{`[{"a":0},"b"]`, `p[^-1 p{^0 n"a"^1 p:^1 w0^1 p}^1 p,^0 t"b"^0 p]^0`},
		{"[\"a\",\"b\"] \t\r\n\"c\"", "p[^-1 t\"a\"^0 p,^0 t\"b\"^0 p]^0 s \t\r\n^-1 t\"c\"^-1"},
		{`"a","b"`, `t"a"^-1 p,^-1 t"b"^-1`},
		{`]]["a",}"b"`, `p]^-1 p]^-1 p[^-1 t"a"^2 p,^2 p}^2 t"b"^-1`},
		{`{}"a"`, `p{^-1 p}^0 t"a"^-1`},
		{`{]"a"`, `p{^-1 p]^0 t"a"^-1`},
		{`{"a" "b"`, `p{^-1 n"a"^0 s ^0 t"b"^0`},
		{`["a\"b","\\"]`, `p[^-1 t"a\"b"^0 p,^0 t"\\"^0 p]^0`},
		{`["a`, `p[^-1 t"a^0`},
		{`["a\`, `p[^-1 t"a\^0`},
		{`["a\"`, `p[^-1 t"a\"^0`},
		{`"`, `t"^-1`},
		{`ab"c"d:e f{g}h[i]j,k`, `wab^-1 t"c"^-1 wd^-1 p:^-1 we^-1 s ^-1 wf^-1 p{^-1 wg^7 p}^7 wh^-1 p[^-1 wi^11 p]^11 wj^-1 p,^-1 wk^-1`},
	} {
		var told []string
		at := 0
		for _, token := range tokens([]byte(c.out)) {
			kind := "spwt"[token.kind : token.kind+1]
			if token.name {
				kind = "n"
			}
			told = append(told, fmt.Sprintf("%s%s^%d", kind, token.bytes, token.open))
			if token.start != at {
				t.Errorf("%q: %q starts at %d", c.out, token.bytes, token.start)
			}
			at += len(token.bytes)
		}
		if got := strings.Join(told, " "); got != c.want {
			t.Errorf("%q is\n%s, want\n%s", c.out, got, c.want)
		}
	}
}

// TestDecode: what is no escape stands for itself, and a faulty byte is no
// character.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		quoted string
		want   []uint16
	}{
		{`""`, []uint16{}},
		{`"`, []uint16{}},
		{`"a`, []uint16{'a'}},
		{`"\"\\\/\b\f\n\r\t"`, []uint16{'"', '\\', '/', 8, 12, 10, 13, 9}},
		{`"\u0041\uD83d\ude00\uffff"`, []uint16{'A', 0xD83D, 0xDE00, 0xFFFF}},
		{`"\u00e"`, []uint16{'\\', 'u', '0', '0', 'e'}},
		{`"\u00eg"`, []uint16{'\\', 'u', '0', '0', 'e', 'g'}},
		{`"\v1"`, []uint16{'\\', 'v', '1'}},
		{`"\v00410"`, []uint16{'\\', 'v', '0', '0', '4', '1', '0'}},
		{`"\`, []uint16{'\\'}},
		{"\"\u00e9\U0001F600\"", []uint16{0xE9, 0xD83D, 0xDE00}},
		{"\"\uFFFDa\"", []uint16{0xFFFD, 'a'}},
		{"\"\xff\xc3a\"", []uint16{0xDCFF, 0xDCC3, 'a'}},
		{"\"\xf0\x9f\x98\"", []uint16{0xDCF0, 0xDC9F, 0xDC98}},
	} {
		if got := decode([]byte(c.quoted)); !slices.Equal(got, c.want) {
			t.Errorf("%s is %04x, want %04x", c.quoted, got, c.want)
		}
	}
}
