package canon_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// The tests in this file are named after the promises of the doc comments.

const (
	goodText  = "{\"b\": [1.50, {\"d\":1,\"c\":\"\\u00e9\"}],\n \"a\": \"\\/\"}"
	goodForm  = `{"a":"/","b":[1.5,{"c":"é","d":1}]}`
	faultText = `{"b":[1.50,{"d":1,"c":2}],"a":"\x"}`
)

// refusal is the error of an Append, nil if it is none of ours.
func refusal(o canon.Options, src string) *reject.Error {
	_, err := o.Append(nil, []byte(src))
	var e *reject.Error
	errors.As(err, &e)
	return e
}

func TestAppendAppends(t *testing.T) {
	got, err := canon.Append([]byte("before "), []byte(goodText))
	if err != nil || string(got) != "before "+goodForm {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestErrorLeavesDstAsItWas(t *testing.T) {
	for _, src := range []string{faultText, `[`, `{"a":1,"a":2}`, "\xff", strings.Repeat("[", 2000)} {
		dst := append(make([]byte, 0, 4096), "kept"...)
		got, err := canon.Append(dst, []byte(src))
		if err == nil || string(got) != "kept" || &got[0] != &dst[0] || cap(got) != cap(dst) {
			t.Errorf("%.20q: got %q, %v", src, got, err)
		}
	}
}

// Only the bytes between dst's length and its capacity may be written.
func TestAppendWritesInsideItsPartOnly(t *testing.T) {
	for _, src := range []string{goodText, faultText, goodForm, strings.Repeat(" ", 100) + goodText, "[1e20,1e20,1e20]"} {
		for room := range 160 {
			block := bytes.Repeat([]byte{0xA5}, 300)
			dst := block[50 : 60 : 60+room]
			got, err := canon.Append(dst, []byte(src))
			if src != faultText && (err != nil || !bytes.Equal(got[:10], dst)) {
				t.Fatalf("room %d: got %q, %v", room, got, err)
			}
			for i, b := range block {
				if (i < 60 || i >= 60+room) && b != 0xA5 {
					t.Fatalf("%q with room %d: byte %d outside dst's spare capacity was changed", src, room, i-60)
				}
			}
		}
	}
}

func TestSourceIsNeitherChangedNorKept(t *testing.T) {
	for _, text := range []string{goodText, goodForm, faultText} {
		src := []byte(text)
		out, err := canon.Canonicalize(src)
		if string(src) != text {
			t.Fatalf("src was changed to %q", src)
		}
		before, message := string(out), ""
		if err != nil {
			message = err.Error()
		}
		for i := range src {
			src[i] = '#'
		}
		if string(out) != before || err != nil && err.Error() != message {
			t.Errorf("the result of %q changed with src", text)
		}
	}
}

func TestResultsAreTheCallersOwn(t *testing.T) {
	first, err := canon.Canonicalize([]byte(goodText))
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		first[i] = '#'
	}
	second, err := canon.Canonicalize([]byte(goodText))
	if err != nil || string(second) != goodForm {
		t.Errorf("got %q, %v", second, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	var group sync.WaitGroup
	for k := range 8 {
		group.Go(func() {
			for n := range 300 {
				src := strings.Repeat("[", n%40) + goodText + strings.Repeat("]", n%40)
				want := strings.Repeat("[", n%40) + goodForm + strings.Repeat("]", n%40)
				if n%7 == k%7 {
					if _, err := canon.Canonicalize([]byte(faultText)); err == nil {
						t.Error("accepted a faulty text")
					}
				}
				if got, err := canon.Canonicalize([]byte(src)); err != nil || string(got) != want {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	group.Wait()
}

func TestCanonicalizeGivesNilOnError(t *testing.T) {
	if got, err := canon.Canonicalize([]byte(faultText)); got != nil || err == nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestValidIsTrueOfCanonicalTextsOnly(t *testing.T) {
	for src, want := range map[string]bool{
		goodForm: true, goodText: false, "": false, " ": false, "{}": true, "{} ": false, "[1,2]": true, "[1, 2]": false, "1.0": false,
		"1": true, "-0": false, `"\u0041"`: false, `"A"`: true, `"\u001F"`: false, `"\u001f"`: true, `"\/"`: false, `"\n"`: true, `"\u000a"`: false,
		`{"a":1,"a":1}`: false, `{"b":1,"a":1}`: false, `{"a":1,"b":1}`: true, "1e400": false, "1e21": false, "1e+21": true, "[": false,
		"\"\xff\"": false, `{"":0,"a":{"":0}}`: true, "true": true, "tru": false, "333333333.33333329": false, "333333333.3333333": true,
		"\"" + strings.Repeat("x", 300) + "\"": true, "123456789012345678": false, "123456789012345680": true, "0.000001": true, "1e-7": true,
	} {
		if got := canon.Valid([]byte(src)); got != want {
			t.Errorf("Valid(%q) = %v", src, got)
		}
	}
}

// Each limit accepts a text that just reaches it and refuses the next one,
// with its reason and place (RFC 8259 section 9).
func TestLimitsAreInclusive(t *testing.T) {
	for _, c := range []struct {
		name       string
		options    canon.Options
		good, over string
		reason     reject.Reason
		offset     int
	}{
		{"default depth", canon.Options{}, strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
			strings.Repeat("[", 1001) + strings.Repeat("]", 1001), reject.LimitDepth, 1000},
		{"depth", canon.Options{MaxDepth: 2}, `{"a":[]}`, `{"a":[{}]}`, reject.LimitDepth, 6},
		{"string bytes of a form", canon.Options{MaxStringBytes: 3}, `["abc"]`, `["abcd"]`, reject.LimitSize, 1},
		{"digits of a form", canon.Options{MaxDigits: 4}, `[12.34]`, `[12.345]`, reject.LimitCount, 1},
		{"members of a form", canon.Options{MaxMembers: 1}, `{"a":{"b":{}}}`, `{"a":1,"b":2}`, reject.LimitCount, 7},
		{"elements of a form", canon.Options{MaxElements: 1}, `[[[]]]`, `[1,2]`, reject.LimitCount, 3},
		{"depth of objects", canon.Options{MaxDepth: 2}, `[{}]`, `[{"a":{}}]`, reject.LimitDepth, 6},
		{"input", canon.Options{MaxInput: 4}, `[1 ]`, `[1  ]`, reject.LimitSize, 0},
		{"input of a form", canon.Options{MaxInput: 4}, `[12]`, `[123]`, reject.LimitSize, 0},
		{"output", canon.Options{MaxOutput: 21}, "1e20", "[1e20]", reject.LimitSize, 0},
		{"members", canon.Options{MaxMembers: 2}, `[{"a":1,"b":2},{"c":1,"d":2}]`, `{"a":1,"b":2, "c":3}`, reject.LimitCount, 14},
		{"elements", canon.Options{MaxElements: 2}, `[[1,2],[3,4]]`, `[1,2, 3]`, reject.LimitCount, 6},
		{"string bytes", canon.Options{MaxStringBytes: 3}, `["abc","\u20ac"]`, `["\u20aca"]`, reject.LimitSize, 1},
		{"name bytes", canon.Options{MaxStringBytes: 3}, `{"abc":1}`, `{"abcd":1}`, reject.LimitSize, 1},
		{"digits", canon.Options{MaxDigits: 4}, `[12.34,0e100]`, `[12.34e5]`, reject.LimitCount, 1},
	} {
		if form, err := c.options.Canonicalize([]byte(c.good)); err != nil || !c.options.Valid(form) {
			t.Errorf("%s: %s, %v", c.name, form, err)
		}
		if e := refusal(c.options, c.over); e == nil || e.Reason != c.reason || e.Offset != c.offset || e.Detail == "" {
			t.Errorf("%s: got %v", c.name, e)
		}
		if c.options.Valid([]byte(c.over)) {
			t.Errorf("%s: Valid beyond the limit", c.name)
		}
	}
	short := canon.Options{MaxOutput: 4} // what is appended counts, not what was there
	if got, err := short.Append([]byte("before"), []byte("[ 12 ]")); err != nil || string(got) != "before[12]" {
		t.Errorf("output behind other bytes: got %q, %v", got, err)
	}
	if got, err := short.Append([]byte("before"), []byte("[123]")); err == nil || string(got) != "before" {
		t.Errorf("output behind other bytes, beyond the limit: got %q, %v", got, err)
	}
	if e := refusal(canon.Options{}, strings.Repeat(" ", 16<<20)+"1"); e == nil || e.Reason != reject.LimitSize {
		t.Errorf("default input: got %v", e)
	}
}

func TestNegativeLimitIsNone(t *testing.T) {
	o := canon.Options{MaxDepth: -1, MaxInput: -1, MaxOutput: -1, MaxMembers: -1, MaxElements: -1, MaxStringBytes: -1, MaxDigits: -1}
	src := strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000)
	if got, err := o.Canonicalize([]byte(src)); err != nil || string(got) != src {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		src     string
		options canon.Options
		reason  reject.Reason
		offset  int
	}{
		{"[-0]", canon.Options{RefuseNegativeZero: true}, reject.NegativeZero, 1},
		{"[-0.0e5]", canon.Options{RefuseNegativeZero: true}, reject.NegativeZero, 1},
		{"[-1e-400]", canon.Options{RefuseNegativeZero: true}, reject.NegativeZero, 1},
		{"[-1e-400]", canon.Options{RefuseUnderflow: true}, reject.NumberUnderflow, 1},
		{"[1e-400]", canon.Options{RefuseUnderflow: true}, reject.NumberUnderflow, 1},
		{"[1,9007199254740993]", canon.Options{RefuseInexact: true}, reject.InexactNumber, 3},
		{"[1e-400]", canon.Options{RefuseInexact: true}, reject.InexactNumber, 1},
		{"[0.1000000000000000055511151231257827]", canon.Options{RefuseInexact: true}, reject.InexactNumber, 1},
		{"[\"a\uFFFE\"]", canon.Options{RefuseNoncharacters: true}, reject.Noncharacter, 3},
		{`{"\ufdd0":1}`, canon.Options{RefuseNoncharacters: true}, reject.Noncharacter, 2},
		{`["\ud83f\udfff"]`, canon.Options{RefuseNoncharacters: true}, reject.Noncharacter, 2},
	} {
		if e := refusal(c.options, c.src); e == nil || e.Reason != c.reason || e.Offset != c.offset {
			t.Errorf("%q: got %v", c.src, e)
		}
		if c.options.Valid([]byte(c.src)) {
			t.Errorf("Valid(%q) against a refusal", c.src)
		}
		if e := refusal(canon.Options{}, c.src); e != nil {
			t.Errorf("%q without the refusal: %v", c.src, e)
		}
	}
	strict := canon.Options{RefuseNegativeZero: true, RefuseUnderflow: true, RefuseNoncharacters: true, RefuseInexact: true}
	src := "[0,0.0,0e9,0.10,1e20,295147905179352830000,5e-324,1.50e2,\"\uFDCF\uFDF0\uFFFD\"]"
	if _, err := strict.Canonicalize([]byte(src)); err != nil {
		t.Error(err)
	}
}

// Of several faults the one with the least offset is told.
func TestLeastOffsetWins(t *testing.T) {
	for src, want := range map[string]struct {
		reason reject.Reason
		offset int
	}{
		`{"a":1,"a":x}`:                  {reject.DuplicateName, 7},
		`{"a":1,"b":x,"a":1}`:            {reject.Syntax, 11},
		`{"a":1,"\u0061":"` + "\xff\"}":  {reject.DuplicateName, 7},
		`[1e400,1e400x]`:                 {reject.NumberOverflow, 1},
		`[1e400.5]`:                      {reject.Syntax, 6},
		`["\ud800\x"]`:                   {reject.LoneSurrogate, 2},
		`["\x\ud800"]`:                   {reject.Syntax, 3},
		`{"a":{"b":1,"b":2},"a":3,"a":`:  {reject.DuplicateName, 12},
		`{"a":{"c":1},"a":{"b":1,"b":2}`: {reject.DuplicateName, 13},
		"\uFEFF[":                        {reject.BOM, 0},
		"[\uFEFF]":                       {reject.Syntax, 1},
		"[\xff":                          {reject.InvalidUTF8, 1},
		"tr\xffe":                        {reject.InvalidUTF8, 2},
		"\"\xe2\x82":                     {reject.InvalidUTF8, 1},
		`"\ud800`:                        {reject.Syntax, 7},
	} {
		if e := refusal(canon.Options{}, src); e == nil || e.Reason != want.reason || e.Offset != want.offset {
			t.Errorf("%q: got %v", src, e)
		}
	}
}

func TestErrorHoldsNothingOfTheText(t *testing.T) {
	for _, src := range []string{`{"secret":"secret` + "\x01", `{"secret":1,"secret":2}`, `{"secret":[secret]}`, `{"a":1e999}`} {
		if e := refusal(canon.Options{}, src); e == nil || strings.Contains(e.Error(), "secret") || e.Package != "canon" {
			t.Errorf("%q: got %v", src, e)
		}
	}
}

func TestAppendNumberRefusesNonFinite(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		got, err := canon.AppendNumber([]byte("x"), f)
		var e *reject.Error
		if string(got) != "x" || !errors.As(err, &e) || e.Reason != reject.NonFiniteNumber || e.Offset != -1 {
			t.Errorf("%v: got %q, %v", f, got, err)
		}
	}
}

// The first faulty byte is told, and U+FFFD itself is none.
func TestAppendStringRefusesFaultyUTF8(t *testing.T) {
	got, err := canon.AppendString([]byte("x"), "a\n\uFFFD\xed\xa0\x80")
	var e *reject.Error
	if string(got) != "x" || !errors.As(err, &e) || e.Reason != reject.InvalidUTF8 || e.Offset != 5 || e.Line != 2 || e.Column != 4 {
		t.Errorf("got %q, %v", got, err)
	}
}

// Every character by itself, in every position of a block, as it must be
// escaped (RFC 8785 section 3.2.2.2).
func TestAppendStringEscapesWhatMustBe(t *testing.T) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	const hex = "0123456789abcdef"
	for _, r := range "\x00\x01\x07\b\t\n\v\f\r\x0e\x1f !\"#/\\a\x7f\u0080\u2028\uFFFE\U0001F600\U0010FFFF" {
		want := string(r)
		if s, ok := short[r]; ok {
			want = s
		} else if r < ' ' {
			want = `\u00` + string(hex[r>>4]) + string(hex[r&15])
		}
		for n := range 70 {
			pad := strings.Repeat("z", n)
			got, err := canon.AppendString(nil, pad+string(r)+pad)
			if err != nil || string(got) != `"`+pad+want+pad+`"` {
				t.Fatalf("%q behind %d bytes: got %q, %v", r, n, got, err)
			}
		}
	}
}

// Members are sorted by UTF-16 code units at every size of an object, and
// duplicates are always found (RFC 8785 sections 3.1 and 3.2.3).
func TestMembersAreSortedAtEverySize(t *testing.T) {
	name := func(k int) string { return string(rune('a'+k/26%26)) + string(rune('a'+k%26)) + "common tail" }
	for n := range 200 {
		var src, want []string
		for k := range n {
			src = append(src, `"`+name(k*7919%n)+`":[]`)
			want = append(want, `"`+name(k)+`":[]`)
		}
		text := "{" + strings.Join(src, " , ") + "}"
		got, err := canon.Canonicalize([]byte(text))
		if err != nil || string(got) != "{"+strings.Join(want, ",")+"}" {
			t.Fatalf("%d members: got %q, %v", n, got, err)
		}
		if n < 2 {
			continue
		}
		for _, twice := range []int{0, (n - 1) / 2, n - 2} {
			again := append([]string{}, src...)
			again[n-1] = again[twice]
			e := refusal(canon.Options{}, "{"+strings.Join(again, ",")+"}")
			if e == nil || e.Reason != reject.DuplicateName || e.Offset != 1+len(strings.Join(again[:n-1], ","))+1 {
				t.Fatalf("%d members, the last like number %d: got %v", n, twice, e)
			}
		}
	}
}
