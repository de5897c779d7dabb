package reference_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func TestCanonicalize(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"literals", ` [ null , true,false ]`, `[null,true,false]`},
		{"RFC 8785 section 3.2.3",
			"{\n\"numbers\": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n\"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\n\"literals\": [null, true, false]\n}",
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{"RFC 8785 section 3.2.3, order",
			`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
		{"prefix first", `{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		{"negative zero", `[-0,-0.0,-0e5,-1e-400]`, `[0,0,0,0]`},
		{"every escape", `"\"\\\/\b\f\n\r\t\u0000\u001F\u007f"`, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\""},
		{"every digit of an escape", `"\u0123\u4567\u89ab\ucdef\uABCD\uEF01\u000f\u000F"`, "\"\u0123\u4567\u89ab\ucdef\uabcd\uef01\\u000f\\u000f\""},
		{"edges of encodings", "\"\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0003ffff\U00040000\U0010ffff\"",
			"\"\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0003ffff\U00040000\U0010ffff\""},
		{"edges of encodings, escaped", `"\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff"`,
			"\"\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff\""},
		{"edges of numbers", `[0,9,-9,90E+10,9.9e-9]`, `[0,9,-9,900000000000,9.9e-9]`},
		{"names alike in the low byte", `{"\u0141":1,"A":2}`, "{\"A\":2,\"\u0141\":1}"},
		{"astral", `"\ud83d\ude00\uD83D\uDE00😀"`, `"😀😀😀"`},
		{"scalar", "\t-1.50e+2\r\n", `-150`},
		{"nested", `{"b":[{"d":1,"c":[]}],"a":{}}`, `{"a":{},"b":[{"c":[],"d":1}]}`},
		{"name as data", `{"__proto__":1,"constructor":2}`, `{"__proto__":1,"constructor":2}`},
	} {
		got, err := reference.Canonicalize([]byte(c.src))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v\nwant %s", c.name, got, err, c.want)
			continue
		}
		again, err := reference.Canonicalize(got)
		if err != nil || string(again) != c.want {
			t.Errorf("%s: its canonical form gives %s, %v", c.name, again, err)
		}
	}
}

// A number that only its cut at 20 digits, counted up, takes beyond the range is
// rounded to the nearest double, and does not hide one that overflows.
func TestCanonicalizeRoundsToTheNearest(t *testing.T) {
	halfway := new(big.Int).Lsh(big.NewInt(1<<54-1), 970) // 2^1024 - 2^970
	at, below := halfway.String(), new(big.Int).Sub(halfway, big.NewInt(1)).String()
	if got, err := reference.Canonicalize([]byte(below)); err != nil || string(got) != "1.7976931348623157e+308" {
		t.Errorf("just below halfway: got %s, %v", got, err)
	}
	for _, c := range []struct {
		src    string
		reason reject.Reason
		offset int
	}{
		{at, reject.NumberOverflow, 0},
		{"[" + at + "," + at + "]", reject.NumberOverflow, 1},
		{"[" + below + "," + at + "]", reject.NumberOverflow, len(below) + 2},
		{"[" + below + "," + at + "x", reject.NumberOverflow, len(below) + 2},
		{"[" + below + ",x," + at + "]", reject.Syntax, len(below) + 2},
	} {
		_, err := reference.Canonicalize([]byte(c.src))
		var refusal *reject.Error
		if !errors.As(err, &refusal) || refusal.Reason != c.reason || refusal.Offset != c.offset {
			t.Errorf("%.20s… of %d bytes: got %v, want %v at %d", c.src, len(c.src), err, c.reason, c.offset)
		}
	}
}

// A number is refused for sure if no rounding that ECMA-262 section 7.1.4.1 allows
// is finite, and perhaps if one of them is not.
func TestOverflowOfOneNeighbour(t *testing.T) {
	const largest = "1.7976931348623157e+308"
	halfway := new(big.Int).Lsh(big.NewInt(1<<54-1), 970) // 2^1024 - 2^970
	at, below := halfway.String(), new(big.Int).Sub(halfway, big.NewInt(1)).String()
	for _, c := range []struct {
		src, canonical   string
		beyond, infinite int // where they are, or -1
	}{
		{at, largest, -1, 0},
		{"-" + at, "-" + largest, -1, 0},
		{below, largest, -1, -1},
		{"-" + below, "-" + largest, -1, -1},
		{"1e309", "", 0, 0},
		{"[1e309," + at + ",1e310]", "", 1, 1},
		{"[" + below + "," + at + ",1e309,1e310]", "", len(below) + len(at) + 3, len(below) + 2},
	} {
		x := reference.Examine([]byte(c.src))
		if x.First(reject.NumberOverflow) == nil || string(x.Canonical) != c.canonical || placeOf(x.Beyond) != c.beyond || placeOf(x.Infinite) != c.infinite {
			t.Errorf("%.24s… of %d bytes: %v, %s, beyond the range is %v, infinite is %v", c.src, len(c.src), x.Faults, x.Canonical, x.Beyond, x.Infinite)
		}
	}
	if x := reference.Examine([]byte("[9007199254740993.00001]")); len(x.Faults) != 1 || x.Faults[0].Reason != reject.InexactNumber {
		t.Errorf("a number within the range: %v", x.Faults)
	}
}

func placeOf(e *reject.Error) int {
	if e == nil {
		return -1
	}
	return e.Offset
}

func TestVariantsAreTheNumbersThatMayBeWrittenOtherwise(t *testing.T) {
	x := reference.Examine([]byte(`[1,9007199254740993.00001,2.00000000000000000000001]`))
	want := []reference.Variant{{Start: 3, End: 19, Others: []string{"9007199254740992"}}}
	if string(x.Canonical) != "[1,9007199254740994,2]" || !reflect.DeepEqual(x.Variants, want) {
		t.Errorf("%s: %+v", x.Canonical, x.Variants)
	}
}

func TestExaminationTellsWhatAProfileAsks(t *testing.T) {
	for _, c := range []struct {
		src              string
		unsafe, topLevel bool
	}{
		{`[1,1]`, false, false},
		{`[9007199254740993,1]`, true, false},
		{`[1,9007199254740993]`, true, false},
		{`[9007199254740993,9007199254740993]`, true, false},
		{"\"\uffff\"", false, true},
		{"[\"\uffff\"]", false, false},
		{"{\"\uffff\":1}", false, false},
	} {
		if x := reference.Examine([]byte(c.src)); x.UnsafeInteger != c.unsafe || x.TopLevelString != c.topLevel {
			t.Errorf("%s: an unsafe integer %v, a string alone %v", c.src, x.UnsafeInteger, x.TopLevelString)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{``, "syntax@0 rfc8259/2/one-value"},
		{` `, "syntax@1 rfc8259/2/one-value"},
		{`nul`, "syntax@3 rfc8259/3/literals"},
		{`nulx`, "syntax@3 rfc8259/3/literals"},
		{`NaN`, "syntax@0 rfc8259/3/literals"},
		{`[1,]`, "syntax@3 rfc8259/5/array"},
		{`[1 2]`, "syntax@3 rfc8259/5/array"},
		{`{"a" 1}`, "syntax@5 rfc8259/4/object"},
		{`{"a":1,}`, "syntax@7 rfc8259/4/object"},
		{`{a:1}`, "syntax@1 rfc8259/4/object"},
		{`1 2`, "syntax@2 rfc8259/2/trailing-data"},
		{"[1,\v2]", "syntax@3 rfc8259/2/white-space"},
		{`01`, "syntax@1 rfc8259/6/number"},
		{`00`, "syntax@1 rfc8259/6/number"},
		{`-`, "syntax@1 rfc8259/6/number"},
		{`1.`, "syntax@2 rfc8259/6/number"},
		{`1e`, "syntax@2 rfc8259/6/number"},
		{`1.2.3`, "syntax@3 rfc8259/6/number"},
		{`-01`, "syntax@2 rfc8259/6/number"},
		{`"a`, "syntax@2 rfc8259/7/string"},
		{"\"\n\"", "syntax@1 rfc8259/7/control-character"},
		{"\"\x00\"", "syntax@1 rfc8259/7/control-character"},
		{`"\x"`, "syntax@2 rfc8259/7/escape"},
		{`"\u12G4"`, "syntax@5 rfc8259/7/escape"},
		{`"\u12`, "syntax@5 rfc8259/7/escape"},
		{"\"\\\x00\"", "syntax@2 rfc8259/7/escape"},
		{`"\ud800"`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate"},
		{`"\udfff"`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate"},
		{`"\udbff"`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate"},
		{`"\udc00\ud800"`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate"},
		{`"\ud800\u0041"`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate"},
		{`"\ud800`, "syntax@7 rfc8259/7/string"},
		{`"\ud800\ud`, "syntax@10 rfc8259/7/escape"},
		{`"\ud800\ud8`, "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate; syntax@11 rfc8259/7/escape"},
		{`"\ud800` + "\xff\"", "lone_surrogate@1 rfc8785/3.2.2.2/lone-surrogate; invalid_utf8@7 rfc8259/8.1/utf-8"},
		{"\"\xed\xa0\x80\"", "invalid_utf8@1 rfc8259/8.1/utf-8"},
		{"\"\xc0\x80\"", "invalid_utf8@1 rfc8259/8.1/utf-8"},
		{"\"\xf4\x90\x80\x80\"", "invalid_utf8@1 rfc8259/8.1/utf-8"},
		{"[\xff]", "invalid_utf8@1 rfc8259/8.1/utf-8; syntax@1 rfc8259/5/array"},
		{"\xff", "invalid_utf8@0 rfc8259/8.1/utf-8; syntax@0 rfc8259/2/one-value"},
		{"[1}\xff", "syntax@2 rfc8259/5/array; invalid_utf8@3 rfc8259/8.1/utf-8"},
		{"\ufeff1", "bom@0 rfc8259/8.1/byte-order-mark"},
		{"\ufeff\ufeff1", "bom@0 rfc8259/8.1/byte-order-mark; syntax@3 rfc8259/2/white-space"},
		{"1\ufeff", "syntax@1 rfc8259/2/white-space"},
		{`{"a":1,"\u0061":2}`, "duplicate_name@7 rfc8785/3.1/unique-names"},
		{`{"a":1,"a":2`, "duplicate_name@7 rfc8785/3.1/unique-names; syntax@12 rfc8259/4/object"},
		{`{"a":{"b":1,"b":2},"a":1}`, "duplicate_name@12 rfc8785/3.1/unique-names"},
		{`[1e400]`, "number_overflow@1 rfc8785/3.1/double"},
		{`-1e-400`, "number_underflow@0 rfc7493/2.2/double-precision; negative_zero@0 rfc8785/B/negative-zero; inexact_number@0 rfc7493/2.2/double-precision"},
		{`-0x`, "negative_zero@0 rfc8785/B/negative-zero; syntax@2 rfc8259/2/trailing-data"},
		{"[\"\uffff\"]", "noncharacter@2 rfc7493/2.1/noncharacters"},
		{"[\"\ufdcf\ufdf0\U0001fffd\"]", ""},
		{"[\"\ufdef\"]", "noncharacter@2 rfc7493/2.1/noncharacters"},
		{"[\"\U0010fffe\"]", "noncharacter@2 rfc7493/2.1/noncharacters"},
		{`["\ud83f\udfff"]`, "noncharacter@2 rfc7493/2.1/noncharacters"},
		{`["\ufdd0","\ud83f\udffe"]`, "noncharacter@2 rfc7493/2.1/noncharacters"},
		{strings.Repeat("[", 1001) + strings.Repeat("]", 1001), "limit_depth@1000 rfc8259/9/limits"},
	} {
		var got []string
		for _, f := range reference.Examine([]byte(c.src)).Faults {
			got = append(got, fmt.Sprintf("%s@%d %s", f.Reason, f.Offset, f.Requirement))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%.40q:\ngot  %s\nwant %s", c.src, text, c.want)
		}
	}
}

func TestPlacesAreThoseThatLocateFinds(t *testing.T) {
	for _, src := range []string{
		"{\"a\":[1,\n{\"b\":-0}]}", `{"a":[0,0,[[],-0]]}`, `[1 2]`, `[[1],2 3]`, `{"a" 1}`, `{"a":{"b":1,"b":2}}`,
		`{"a":1,"\ud800":1}`, `[{"a":"\ud800"}]`, `[tru]`, "[1,\n\n x]", `{"a":1,}`, `[[],[1e400]]`, "\ufeff[-0]",
		"{\"a\":\"\xff\",\"b\":1}", `[1x]`, `[1`, `[01]`, `[1.]`, `[-]`, `[1.5.5]`, `[truex]`, `[true`, `[trux]`, `{"a":1`, `{"a":-0x}`, `{"a":nul`, `[1e5}`, "[1\xff]",
	} {
		for _, f := range reference.Examine([]byte(src)).Faults {
			want := reject.At("reference", []byte(src), f.Offset, f.Reason, f.Requirement)
			if *f != *want {
				t.Errorf("%q: got %+v\nwant %+v", src, f, want)
			}
		}
	}
}

func TestErrorIsAReason(t *testing.T) {
	_, err := reference.Canonicalize([]byte(`{"a":1,"a":2}`))
	var e *reject.Error
	if !errors.Is(err, reject.DuplicateName) || !errors.As(err, &e) || e.Offset != 7 {
		t.Errorf("got %v", err)
	}
}

func TestNestingBeyondMaxDepthEndsTheExamination(t *testing.T) {
	for _, open := range []string{"[", `{"a":`} {
		x := reference.Examine([]byte(strings.Repeat(open, reference.MaxDepth+100)))
		if x.First(reject.LimitDepth) == nil || x.Canonical != nil {
			t.Errorf("%s: got %v", open, x.Faults)
		}
	}
	src := strings.Repeat("[", reference.MaxDepth) + strings.Repeat("]", reference.MaxDepth)
	if x := reference.Examine([]byte(src)); string(x.Canonical) != src || x.Depth != reference.MaxDepth {
		t.Errorf("depth %d, %d bytes", x.Depth, len(x.Canonical))
	}
}

func TestSequenceIsUTF8(t *testing.T) {
	r := rand.New(rand.NewPCG(3629, 1))
	alphabet := []byte{0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF}
	for range 200000 {
		text := make([]byte, 1+r.IntN(6))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		x := reference.Examine(text)
		if found := x.First(reject.InvalidUTF8) != nil; found == utf8.Valid(text) {
			t.Fatalf("% x: invalid_utf8 is %v", text, found)
		}
	}
}

func TestKeepsNothingOfItsInput(t *testing.T) {
	src := []byte(`{"b":"text","a":1.50}`)
	x := reference.Examine(src)
	for i := range src {
		src[i] = 'x'
	}
	if string(x.Canonical) != `{"a":1.5,"b":"text"}` {
		t.Errorf("got %s", x.Canonical)
	}
}

func BenchmarkExamine(b *testing.B) {
	src := []byte(`{"path":"src/main.go","edits":[{"line":12,"text":"func main() {"},{"line":40,"text":"\u20ac"}],"dry":false,"ratio":0.25}`)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		reference.Examine(src)
	}
}
