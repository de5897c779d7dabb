package check

import (
	"bytes"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// TestDiagnose: each failed answer breaks a clause, in words of ours.
func TestDiagnose(t *testing.T) {
	deep := strings.Repeat("[", 101) + strings.Repeat("]", 101)
	for _, c := range []struct {
		profile       reject.Profile
		input         string
		outcome       result.Outcome
		given         string
		clause, words string
	}{
		{reject.RFC8785, `[1]`, result.Refused, ``, "rfc8259/2/one-value", "a JSON text is refused"},
		{reject.RFC8785, `[1]`, result.Protocol, ``, "", "no answer by the protocol"},
		{reject.RFC8785, `[01]`, result.Protocol, ``, "", "no answer by the protocol"},
		{reject.RFC8785, `[01]`, result.WrongReason, ``, "rfc8259/6/number", "refused for a reason that does not apply"},
		{reject.RFC8785, `[1]`, result.Crash, ``, "rfc8259/9/limits", "dies on a JSON text"},
		{reject.RFC8785, `[1]`, result.Hang, ``, "rfc8259/9/limits", "gives no answer to a JSON text"},
		{reject.RFC8785, `[01]`, result.Crash, ``, "rfc8259/6/number", "dies on a text that it should refuse: not a JSON text"},
		{reject.RFC8785, `{"":1,"":1}`, result.Hang, ``, "rfc8785/3.1/unique-names", "gives no answer to a text that it should refuse: the same member name twice in one object, after unescaping"},
		{reject.RFC8785, deep, result.Crash, ``, "rfc8259/9/limits", "dies on a deeply nested text"},
		{reject.RFC8785, deep[1:201], result.Crash, ``, "rfc8259/9/limits", "dies on a JSON text"},
		{reject.RFC8785, `{"a":1}`, result.Diverged, `{}`, "rfc8259/4/object", "a member is lost"},
		{reject.RFC0016, `{"a":1}`, result.Diverged, `{}`, "rfc0016/domain/names-are-data", "a member is lost"},
		{reject.RFC0016, `[1]`, result.Diverged, `[2]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		// Of several faults the one that the output shows.
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":0}`, "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":1e309}`, "rfc8785/3.1/double", "the number is beyond the range of a double"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":Infinity}`, "rfc8785/3.1/double", "the number is beyond the range of a double"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":x}`, "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":"\x"}`, "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":1e309}` + strings.Repeat(" ", 8*15+64<<10-10), "rfc8785/3.1/double", "the number is beyond the range of a double"},
		{reject.RFC8785, `{"":0,"":1e309}`, result.Accepted, `{"":1e309}` + strings.Repeat(" ", 8*15+64<<10-9), "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{reject.RFC8785, `{"":"\ud800","":1e309}`, result.Accepted, "{\"\":\"\xff\",\"\":0}", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; the output is not UTF-8"},
		{reject.RFC8785, `{"":1e309,"a":"\ud800"}`, result.Accepted, "{\"\":\"\xff\"}", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; the output is not UTF-8"},
		{reject.RFC8785, `["\ud800",1e309]`, result.Accepted, `["\ud800",Infinity]`, "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half"},
		{reject.RFC8785, `{"":0,"":0}x`, result.Accepted, `{"":0,}`, "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{reject.RFC8785, `{"":0,"":0}x`, result.Accepted, `{"":0}y`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		// What stands in the place of half a surrogate pair.
		{reject.RFC8785, `["\ud800"]`, result.Accepted, `["\ufffd"]`, "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; U+FFFD is written instead"},
		{reject.RFC8785, `["\ud800"]`, result.Accepted, `["\uFFFd"]`, "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; U+FFFD is written instead"},
		{reject.RFC8785, `["\ud800"]`, result.Accepted, `["\ud800"]`, "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half"},
		{reject.RFC8785, `["\ud800\ufffd"]`, result.Accepted, "[\"\uFFFD\"]", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; U+FFFD is written instead"},
		{reject.RFC8785, "[\"\\ud800\uFFFD\\ufffd\"]", result.Accepted, "[\"\uFFFD\"]", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half"},
		{reject.RFC8785, `["\ud800"]`, result.Accepted, "[\"\xed\xa0\x80\"]", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; the output is not UTF-8"},
		{reject.RFC8785, "[\"\xff\"]", result.Accepted, `["a"]`, "rfc8259/8.1/utf-8", "the bytes are not UTF-8"},
		{reject.RFC8785, `[1e309]`, result.Accepted, "[\"\xff\"]", "rfc8785/3.1/double", "the number is beyond the range of a double"},
	} {
		v := verdict.Of(c.profile, []byte(c.input))
		d := Diagnose(v, []byte(c.input), ok(c.given), c.outcome)
		if (d != Departure{c.clause, c.words}) {
			t.Errorf("%.60s, %s %.60s: %+v, want %s, %s", c.input, c.outcome, c.given, d, c.clause, c.words)
		}
	}
	// The vector of another operation has no faults of its own: syntax stands for them.
	if got := owed(verdict.Verdict{Profile: reject.RFC0016, Kind: verdict.Reject}); got.Reason != reject.Syntax || got.Requirement != reject.Syntax.Clause(reject.RFC0016) {
		t.Errorf("owed is %+v", got)
	}
}

// TestAcceptedSyntax: what is wrong with a text that was accepted, told apart
// within a clause.
func TestAcceptedSyntax(t *testing.T) {
	for _, c := range []struct{ input, clause, words string }{
		{`[+1]`, "rfc8259/6/number", "a number with a plus sign"},
		{`[--1]`, "rfc8259/6/number", "a number with two signs"},
		{`[1._0]`, "rfc8259/6/number", "a number with an underscore"},
		{`[0x1F]`, "rfc8259/5/array", "a letter directly behind a value"},
		{`[01]`, "rfc8259/6/number", "a number with a leading zero"},
		{`[-09]`, "rfc8259/6/number", "a number with a leading zero"},
		{`[.5]`, "rfc8259/6/number", "a number without digits before the point"},
		{`[5.]`, "rfc8259/6/number", "a number without digits behind the point"},
		{`[5.E3]`, "rfc8259/6/number", "a number without digits behind the point"},
		{`[5e]`, "rfc8259/6/number", "a number without digits in the exponent"},
		{`[5e+]`, "rfc8259/6/number", "a number without digits in the exponent"},
		{`[-]`, "rfc8259/6/number", "a sign without digits"},
		{`[-Infinity]`, "rfc8259/6/number", "NaN or an infinity"},
		{`[-NaN]`, "rfc8259/6/number", "NaN or an infinity"},
		{`[NaN]`, "rfc8259/3/literals", "NaN or an infinity"},
		{`[Infinity]`, "rfc8259/3/literals", "NaN or an infinity"},
		{`[TRUE]`, "rfc8259/3/literals", "a literal in capital letters"},
		{`[False]`, "rfc8259/3/literals", "a literal in capital letters"},
		{`[nULL]`, "rfc8259/3/literals", "a literal in capital letters"},
		{`[undefined]`, "rfc8259/3/literals", "a word that is no literal"},
		{`[1/**/]`, "rfc8259/2/white-space", "a comment"},
		{`[1#`, "rfc8259/2/white-space", "a comment"},
		{"[\v]", "rfc8259/2/white-space", "U+000B taken for white space"},
		{"[\u00a0]", "rfc8259/2/white-space", "U+00A0 taken for white space"},
		{`0 0`, "rfc8259/2/trailing-data", "data behind the value: a digit"},
		{`0 9`, "rfc8259/2/trailing-data", "data behind the value: a digit"},
		{`0 a`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		{`0 z`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		{`0 A`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		{`0 Z`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		{`0 /`, "rfc8259/2/white-space", "a comment"},
		{`0 :`, "rfc8259/2/trailing-data", "data behind the value: :"},
		{`0 @`, "rfc8259/2/trailing-data", "data behind the value: @"},
		{`0 !`, "rfc8259/2/trailing-data", "data behind the value: !"},
		{`0 ~`, "rfc8259/2/trailing-data", "data behind the value: ~"},
		{"0 \x7f", "rfc8259/2/trailing-data", "data behind the value: U+007F"},
		{"0 \U0001F600", "rfc8259/2/trailing-data", "data behind the value: U+1F600"},
		{"0 \uFFFD", "rfc8259/2/trailing-data", "data behind the value: U+FFFD"},
		{"[\"\x01\"]", "rfc8259/7/control-character", "an unescaped control character in a string"},
		{`["\`, "rfc8259/7/escape", "an escape that is cut short"},
		{`["\u12`, "rfc8259/7/escape", "an escape that is cut short"},
		{`["\u12"]`, "rfc8259/7/escape", `a \u escape without four hexadecimal digits`},
		{`["\u"]`, "rfc8259/7/escape", `a \u escape without four hexadecimal digits`},
		{`["\u123g"]`, "rfc8259/7/escape", `a \u escape without four hexadecimal digits`},
		{`["\x"]`, "rfc8259/7/escape", "an escape that is none of RFC 8259's"},
		{`["\U0000"]`, "rfc8259/7/escape", "an escape that is none of RFC 8259's"},
		{`["a`, "rfc8259/7/string", "a string that is not closed"},
		{`['a']`, "rfc8259/7/string", "a string in other quotes"},
		{``, "rfc8259/2/one-value", "an empty or blank text"},
		{" \t\r\n", "rfc8259/2/one-value", "an empty or blank text"},
		{`[`, "rfc8259/5/array", "the text ends too early"},
		{`[1,]`, "rfc8259/5/array", "a comma behind the last element or member"},
		{"[1, \t\r\n]", "rfc8259/5/array", "a comma behind the last element or member"},
		{`{"a":1,}`, "rfc8259/4/object", "a comma behind the last element or member"},
		{`[1,,2]`, "rfc8259/5/array", "two commas"},
		{`[,1]`, "rfc8259/5/array", ", where the grammar has none"},
		{`[1 2]`, "rfc8259/5/array", "a digit where the grammar has none"},
		{`["a""b"]`, "rfc8259/5/array", `" where the grammar has none`},
		{`[1"b"]`, "rfc8259/5/array", `" directly behind a value`},
		{`{"a" 1}`, "rfc8259/4/object", "a digit where the grammar has none"},
		{`{a:1}`, "rfc8259/4/object", "a letter where the grammar has none"},
		{`{"a":1,:}`, "rfc8259/4/object", ": where the grammar has none"},
		{`[1}`, "rfc8259/5/array", "} directly behind a value"},
		{`]`, "rfc8259/2/one-value", "] where the grammar has none"},
		{`}`, "rfc8259/2/one-value", "} where the grammar has none"},
	} {
		v := verdict.Of(reject.RFC8785, []byte(c.input))
		if d := Diagnose(v, []byte(c.input), ok(`0`), result.Accepted); (d != Departure{c.clause, c.words}) {
			t.Errorf("%q accepted: %+v, want %s, %s", c.input, d, c.clause, c.words)
		}
	}
}

// TestWordsOfWords: a word is told by its bytes alone.
func TestWordsOfWords(t *testing.T) {
	for _, c := range []struct{ word, number, literal string }{
		{"", "a sign without digits", "a word that is no literal"},
		{"-", "a sign without digits", "a word that is no literal"},
		{"+1", "a number with a plus sign", "a word that is no literal"},
		{"--1", "a number with two signs", "a word that is no literal"},
		{"-1_0", "a number with an underscore", "a word that is no literal"},
		{"0x1", "a number in another base", "a word that is no literal"},
		{"0b1", "a number in another base", "a word that is no literal"},
		{"0O7", "a number in another base", "a word that is no literal"},
		{"1x1", "a number that RFC 8259 does not know", "a word that is no literal"},
		{"-00", "a number with a leading zero", "a word that is no literal"},
		{"09", "a number with a leading zero", "a word that is no literal"},
		{"19", "a number that RFC 8259 does not know", "a word that is no literal"},
		{"0", "a number that RFC 8259 does not know", "a word that is no literal"},
		{"0.e", "a number without digits behind the point", "a word that is no literal"},
		{".", "a number without digits before the point", "a word that is no literal"},
		{"1e-", "a number without digits in the exponent", "a word that is no literal"},
		{"1e1", "a number that RFC 8259 does not know", "a word that is no literal"},
		{"-INFinity", "NaN or an infinity", "NaN or an infinity"},
		{"+nan", "a number with a plus sign", "NaN or an infinity"},
		{"nano", "NaN or an infinity", "a word that is no literal"},
		{"-TRUE", "a number without digits in the exponent", "a literal in capital letters"},
	} {
		if got := numberWords(c.word); got != c.number {
			t.Errorf("%q as a number is %s, want %s", c.word, got, c.number)
		}
		if got := literalWords(c.word); got != c.literal {
			t.Errorf("%q as a literal is %s, want %s", c.word, got, c.literal)
		}
	}
}

func TestCharacter(t *testing.T) {
	for text, want := range map[string]string{
		"": "the end of the text", "\xff": "a faulty byte", "\xf0\x9f": "a faulty byte", "\uFFFD": "U+FFFD", "0": "a digit", "9": "a digit",
		"a": "a letter", "zz": "a letter", "A": "a letter", "Z": "a letter", "/": "/", ":": ":", "@": "@", "[": "[", "`": "`", "{": "{",
		" ": "U+0020", "!": "!", "~": "~", "\x7f": "U+007F", "\x00": "U+0000", "é": "U+00E9",
	} {
		if got := character([]byte(text)); got != want {
			t.Errorf("%q begins with %s, want %s", text, got, want)
		}
	}
}

// TestWordAround: forty bytes to either side, no more.
func TestWordAround(t *testing.T) {
	for _, c := range []struct {
		input string
		at    int
		want  string
	}{
		{"", 0, ""},
		{"[1.5e+3]", 1, "1.5e+3"},
		{"[1.5e+3]", 4, "1.5e+3"},
		{"[1.5e+3]", 7, "1.5e+3"},
		{"[1.5e+3]", 0, ""},
		{"[1.5e+3]", 8, ""},
		{"09azAZ+-._", 5, "09azAZ+-._"},
		{"/0", 2, "0"}, {":0", 2, "0"}, {"@0", 2, "0"}, {"[0", 2, "0"}, {"`0", 2, "0"}, {"{0", 2, "0"},
		{strings.Repeat("0", 50) + strings.Repeat("1", 50), 50, strings.Repeat("0", 40) + strings.Repeat("1", 40)},
	} {
		if got := wordAround([]byte(c.input), c.at); got != c.want {
			t.Errorf("around %d of %q stands %q, want %q", c.at, c.input, got, c.want)
		}
	}
}

// TestInfinite: an infinity or NaN is seen at any place of an output, one beyond
// its ends included.
func TestInfinite(t *testing.T) {
	for _, c := range []struct {
		out  string
		at   int
		want bool
	}{
		{"Infinity", -1, true}, {"Infinity", 0, true}, {"Infinity", 8, true}, {"Infinity", 9, true}, {"[-NaN]", 1, true}, {"[-NaN]", 6, false},
		{"[1]", 1, false}, {"", 0, false}, {"nil", 0, false},
	} {
		if got := infinite([]byte(c.out), c.at); got != c.want {
			t.Errorf("at %d of %q: %v", c.at, c.out, got)
		}
	}
}

func TestInHexEscape(t *testing.T) {
	for _, c := range []struct {
		input string
		at    int
		want  bool
	}{
		{`\u`, 2, true}, {`\u1`, 3, true}, {`\u123`, 5, true}, {`\u1234`, 6, true}, {`\u12345`, 7, false},
		{`u`, 1, false}, {`\`, 1, false}, {`\n`, 2, false}, {`\u\n`, 4, false}, {`au1`, 3, false}, {`\uu`, 3, true}, {``, 0, false}, {`\u1`, 1, false},
	} {
		if got := inHexEscape([]byte(c.input), c.at); got != c.want {
			t.Errorf("at %d of %s: %v", c.at, c.input, got)
		}
	}
}

// TestSyntaxWordsAtTheEnds: a fault beyond the ends of a text is one at its end.
func TestSyntaxWordsAtTheEnds(t *testing.T) {
	at := func(offset int, clause, input string) string {
		return syntaxWords(&reject.Error{Reason: reject.Syntax, Requirement: clause, Offset: offset}, []byte(input))
	}
	for _, c := range []struct{ got, want string }{
		{at(-1, "rfc8259/5/array", "a"), "a letter where the grammar has none"},
		{at(9, "rfc8259/5/array", "a"), "the text ends too early"},
		{at(1, "rfc8259/2/white-space", "["), "the end of the text taken for white space"},
		{at(0, "rfc8259/2/white-space", "#"), "a comment"},
		{at(0, "rfc8259/5/array", "]"), "] where the grammar has none"},
		{at(1, "rfc8259/5/array", " ]"), "] where the grammar has none"},
		{at(1, "rfc8259/5/array", ",0"), "a digit where the grammar has none"},
		{at(1, "rfc8259/2/one-value", "[ "), "U+0020 where the grammar has none"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestReplacements(t *testing.T) {
	if got := replacements([]byte("\uFFFD\\ufffd\\uFFFD\\uFfFdx")); got != 4 {
		t.Errorf("%d are counted", got)
	}
	if got := replacements(bytes.Repeat([]byte("\uFFFD"), 3)); got != 3 {
		t.Errorf("%d are counted", got)
	}
}
