package check

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

func ok(out string) result.Answer { return result.Answer{Kind: result.OK, Bytes: []byte(out)} }

func refusal(reason string) result.Answer {
	return result.Answer{Kind: result.Rejected, Reason: reason}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile reject.Profile
		input   string
		answer  result.Answer
		reasons bool
		want    result.Outcome
	}{
		{"right", reject.RFC8785, `[ 1.0 ]`, ok(`[1]`), false, result.Pass},
		{"other bytes", reject.RFC8785, `[1.0]`, ok(`[1.0]`), false, result.Diverged},
		{"refused", reject.RFC8785, `[1]`, refusal(""), false, result.Refused},
		{"refused for a limit", reject.RFC8785, `[1]`, refusal("limit_depth"), true, result.Refused},
		{"rightly refused", reject.RFC8785, `[01]`, refusal("syntax"), true, result.Pass},
		{"accepted", reject.RFC8785, `[01]`, ok(`[1]`), false, result.Accepted},
		{"accepted with the same bytes", reject.RFC8785, `["` + "\xff" + `"]`, ok(`["` + "\xff" + `"]`), false, result.Accepted},
		{"wrong reason", reject.RFC8785, `[01]`, refusal("duplicate_name"), true, result.WrongReason},
		{"unknown reason", reject.RFC8785, `[01]`, refusal("because"), true, result.WrongReason},
		{"no reason", reject.RFC8785, `[01]`, refusal("-"), true, result.Pass},
		{"a limit is everyone's own", reject.RFC8785, `[01]`, refusal("limit_size"), true, result.Pass},
		{"wrong reason of who has no list", reject.RFC8785, `[01]`, refusal("duplicate_name"), false, result.Pass},
		{"either, refused", reject.RFC8785, `[-0]`, refusal(""), false, result.Pass},
		{"either, refused for what reason ever", reject.RFC8785, `[-0]`, refusal("syntax"), true, result.Pass},
		{"either, right", reject.RFC8785, `[-0]`, ok(`[0]`), false, result.Pass},
		{"either, other bytes", reject.RFC8785, `[-0]`, ok(`[-0]`), false, result.Diverged},
		{"either, crash", reject.RFC8785, `[-0]`, result.Answer{Kind: result.Crashed}, false, result.Crash},
		{"either, hang", reject.RFC8785, `[-0]`, result.Answer{Kind: result.Hung}, false, result.Hang},
		{"the domain refuses", reject.RFC0016, `[-0]`, ok(`[0]`), false, result.Accepted},
		{"either neighbour beyond 20 digits", reject.RFC8785, `[9007199254740993.00000000000000000000001]`, ok(`[9007199254740992]`), false, result.Pass},
		{"no other neighbour", reject.RFC8785, `[9007199254740993.00000000000000000000001]`, ok(`[9007199254740996]`), false, result.Diverged},
		{"not served", reject.RFC8785, `[1]`, result.Answer{Kind: result.Skipped}, false, result.Skip},
		{"garbage", reject.RFC8785, `[1]`, result.Answer{Kind: result.ProtocolError}, false, result.Protocol},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdict.Of(c.profile, []byte(c.input))
			if got := Judge(v, c.answer, c.reasons); got != c.want {
				t.Errorf("%s under %s: %s, want %s", c.input, c.profile, got, c.want)
			}
		})
	}
}

// TestDiagnoseBlamesWhatIsOwed: an optional fault before a binding one is not
// blamed.
func TestDiagnoseBlamesWhatIsOwed(t *testing.T) {
	input := []byte(`[-0,01]`)
	v := verdict.Of(reject.RFC8785, input)
	d := Diagnose(v, input, ok(`[0,1]`), result.Accepted)
	if d.Requirement != "rfc8259/6/number" || d.Signature != "a number with a leading zero" {
		t.Errorf("%+v", d)
	}
}

// TestDiagnoseAcceptance: what was accepted is told apart within one clause.
func TestDiagnoseAcceptance(t *testing.T) {
	for _, c := range []struct{ input, out, clause, words string }{
		{`[+1]`, `[1]`, "rfc8259/6/number", "a number with a plus sign"},
		{`[.5]`, `[0.5]`, "rfc8259/6/number", "a number without digits before the point"},
		{`[5.]`, `[5]`, "rfc8259/6/number", "a number without digits behind the point"},
		{`[5.e1]`, `[50]`, "rfc8259/6/number", "a number without digits behind the point"},
		{`[1e]`, `[1]`, "rfc8259/6/number", "a number without digits in the exponent"},
		{`[NaN]`, `[null]`, "rfc8259/3/literals", "NaN or an infinity"},
		{`[TRUE]`, `[true]`, "rfc8259/3/literals", "a literal in capital letters"},
		{`[1,]`, `[1]`, "rfc8259/5/array", "a comma behind the last element or member"},
		{`{"a":1,}`, `{"a":1}`, "rfc8259/4/object", "a comma behind the last element or member"},
		{`[1,,2]`, `[1,2]`, "rfc8259/5/array", "two commas"},
		{`[1] x`, `[1]`, "rfc8259/2/trailing-data", "data behind the value: a letter"},
		{`[1/**/]`, `[1]`, "rfc8259/2/white-space", "a comment"},
		{"[\v1]", `[1]`, "rfc8259/2/white-space", "U+000B taken for white space"},
		{`['a']`, `["a"]`, "rfc8259/7/string", "a string in other quotes"},
		{"[\"\t\"]", `["\t"]`, "rfc8259/7/control-character", "an unescaped control character in a string"},
		{`["\x"]`, `["x"]`, "rfc8259/7/escape", "an escape that is none of RFC 8259's"},
		{`["\u12"]`, `["x"]`, "rfc8259/7/escape", `a \u escape without four hexadecimal digits`},
		{``, `null`, "rfc8259/2/one-value", "an empty or blank text"},
		{`["\ud800"]`, "[\"\uFFFD\"]", "rfc8785/3.2.2.2/lone-surrogate", "a surrogate escape without its other half; U+FFFD is written instead"},
		{"[\"\xff\"]", "[\"\xff\"]", "rfc8259/8.1/utf-8", "the bytes are not UTF-8; the output is not UTF-8"},
		{`{"a":1,"a":2}`, `{"a":2}`, "rfc8785/3.1/unique-names", "the same member name twice in one object, after unescaping"},
		{`[1e999]`, `[1.7976931348623157e+308]`, "rfc8785/3.1/double", "the number is beyond the range of a double"},
	} {
		v := verdict.Of(reject.RFC8785, []byte(c.input))
		d := Diagnose(v, []byte(c.input), ok(c.out), result.Accepted)
		if d.Requirement != c.clause || d.Signature != c.words {
			t.Errorf("%s accepted: %s, %q; want %s, %q", c.input, d.Requirement, d.Signature, c.clause, c.words)
		}
	}
}

func TestDeepest(t *testing.T) {
	for _, limit := range []int{0, 1, 2, 3, 4, 5, 6, 15, 16, 17, 63, 512, 999, 1000, 1001, 4095, 4096, 9998, 9999} {
		got := deepest(func(n int) bool { return n <= limit })
		if got != limit {
			t.Errorf("limit %d measured as %d", limit, got)
		}
	}
	if got := deepest(func(int) bool { return true }); got != result.Unlimited {
		t.Errorf("no limit measured as %d", got)
	}
}

func TestExplains(t *testing.T) {
	for _, c := range []struct {
		limits result.Limits
		depth  int
		want   bool
	}{
		{result.Limits{Arrays: 64, Objects: 64}, 65, true},
		{result.Limits{Arrays: 64, Objects: 64}, 64, false},
		{result.Limits{Arrays: result.Unlimited, Objects: 64}, 65, true},
		{result.Limits{Arrays: result.Unlimited, Objects: result.Unlimited}, 9000, false},
		{result.Limits{}, 1, false}, // who refuses [] has no depth limit
	} {
		if got := explains(c.limits, c.depth); got != c.want {
			t.Errorf("%+v, depth %d: %v", c.limits, c.depth, got)
		}
	}
}
