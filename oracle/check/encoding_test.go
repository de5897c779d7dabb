package check

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// TestAcceptedFault: what was accepted is named by the clause that it breaks: the
// encoding of the whole before what it looks like as UTF-8, and of several faults
// the one that the output still shows.
func TestAcceptedFault(t *testing.T) {
	const (
		utf8     = "rfc8259/8.1/utf-8"
		twice    = "rfc8785/3.1/unique-names"
		beyond   = "rfc8785/3.1/double"
		lone     = "rfc8785/3.2.2.2/lone-surrogate"
		blank    = "rfc8259/2/white-space"
		sameName = "the same member name twice in one object, after unescaping"
	)
	for _, c := range []struct{ input, output, clause, words string }{
		{"[\x001\x00]\x00", `[1]`, utf8, "a text in UTF-16LE instead of UTF-8"},
		{"\x00[\x001\x00]", `[1]`, utf8, "a text in UTF-16BE instead of UTF-8"},
		{"\xff\xfe[\x00]\x00", `[]`, utf8, "a text in UTF-16LE instead of UTF-8"},
		{"\xfe\xff\x00[\x00]", `[]`, utf8, "a text in UTF-16BE instead of UTF-8"},
		{"[\x00\x00\x00]\x00\x00\x00", `[]`, utf8, "a text in UTF-32LE instead of UTF-8"},
		{"\x00\x00\x00[\x00\x00\x00]", `[]`, utf8, "a text in UTF-32BE instead of UTF-8"},
		{"[\x00 ]", `[]`, blank, "U+0000 taken for white space"},
		{"[]\x00", `[]`, blank, ""},
		{`{"":0,"":1e309}`, `{"":Infinity}`, beyond, ""},
		{`{"":0,"":-1e309}`, `{"":-Infinity}`, beyond, ""},
		{`{"":0,"":1e309}`, `{"":NaN}`, beyond, ""},
		{`{"":0,"":1e309}`, `{"":1e309}`, beyond, ""},
		{`{"":1e309,"":0}`, `{"":1,"":0}`, twice, sameName},
		{`{"":0,"":1e309}`, `{"":0}`, twice, sameName},
		{`{"":0,"":"\ud800"}`, "{\"\":\"\xed\xa0\x80\"}", lone, ""},
		{`["\ud800",{"a":1,"a":2}]`, `["\ud800",{"a":2}]`, lone, ""},
	} {
		v := verdict.Of(reject.RFC8785, []byte(c.input))
		d := Diagnose(v, []byte(c.input), result.Answer{Kind: result.OK, Bytes: []byte(c.output)}, result.Accepted)
		if d.Requirement != c.clause || c.words != "" && d.Signature != c.words {
			t.Errorf("%q gives %q: %s, %q", c.input, c.output, d.Requirement, d.Signature)
		}
	}
}

// TestOtherEncoding: a code unit of UTF-32 goes up to U+10FFFF, and what has no
// zero byte is in none of them.
func TestOtherEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "[]": "", "\x00": "", "[\x00]\x00": "UTF-16LE", "[\x00]": "", "\xfe\xff\x00[\x00]": "UTF-16BE",
		"\"\x00\x00\x00\xff\xff\x10\x00\"\x00\x00\x00": "UTF-32LE", "\"\x00\x00\x00\x00\x00\x11\x00\"\x00\x00\x00": "",
		"\x00\x00\x00\"\x00\x10\xff\xff\x00\x00\x00\"": "UTF-32BE", "\x00\x00\x00\"\x00\x11\x00\x00\x00\x00\x00\"": "",
		"\"\x00\x3d\xd8\x00\xde\"\x00": "UTF-16LE",
	} {
		if got := otherEncoding([]byte(text)); got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
}
