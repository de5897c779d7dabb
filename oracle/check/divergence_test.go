package check

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// TestDivergence holds each wrong output to the clause that its text breaks.
func TestDivergence(t *testing.T) {
	for _, c := range []struct{ name, want, have, clause string }{
		{"empty", `{}`, ``, "rfc8259/2/one-value"},
		{"byte order mark", `{}`, "\uFEFF{}", "rfc8785/3.2.4/utf-8"},
		{"blank behind colon", `{"a":1}`, `{"a": 1}`, "rfc8785/3.2.1/no-white-space"},
		{"line feed at the end", `{"a":1}`, "{\"a\":1}\n", "rfc8785/3.2.1/no-white-space"},
		{"goes on", `[]`, `[][]`, "rfc8259/2/trailing-data"},
		{"cut in array", `[1,2]`, `[1,2`, "rfc8259/5/array"},
		{"cut in object", `{"a":1}`, `{"a"`, "rfc8259/4/object"},
		{"array sorted", `[2,1]`, `[1,2]`, "rfc8785/3.2.3/array-order"},
		{"code points", "{\"\U0001F600\":1,\"\uE000\":2}", "{\"\uE000\":2,\"\U0001F600\":1}", "rfc8785/3.2.3/code-units"},
		{"integers first", `{" ":0,"1":1}`, `{"1":1," ":0}`, "rfc8785/3.2.3/code-units"},
		{"escaped spelling", "{\"\\b\":1,\"A\":2}", "{\"A\":2,\"\\b\":1}", "rfc8785/3.2.3/unescaped"},
		{"input order", `{"a":1,"b":2,"c":3}`, `{"b":2,"c":3,"a":1}`, "rfc8785/3.2.3/code-units"},
		{"input order within", `[{"a":1,"b":2}]`, `[{"b":2,"a":1}]`, "rfc8785/3.2.3/recursive"},
		{"solidus escaped", `["/"]`, `["\/"]`, "rfc8785/3.2.2.2/as-is"},
		{"U+2028 escaped", "[\"\u2028\"]", `["\u2028"]`, "rfc8785/3.2.2.2/as-is"},
		{"DEL escaped", "[\"\x7f\"]", `["\u007f"]`, "rfc8785/3.2.2.2/as-is"},
		{"upper-case digits", `["\u001f"]`, `["\u001F"]`, "rfc8785/3.2.2.2/control-escape"},
		{"raw control", `["\u0001"]`, "[\"\x01\"]", "rfc8785/3.2.2.2/control-escape"},
		{"long escape for a short one", `["\n"]`, `["\u000a"]`, "rfc8785/3.2.2.2/short-escape"},
		{"quote as u escape", `["\""]`, `["\u0022"]`, "rfc8785/3.2.2.2/quote-and-backslash"},
		{"normalized", "[\"e\u0301\"]", "[\"\u00e9\"]", "rfc8785/3.1/as-is"},
		{"replaced", "[\"\U0001F600\"]", "[\"\uFFFD\"]", "rfc8785/3.1/as-is"},
		{"not UTF-8", "[\"\u00e9\"]", "[\"\xe9\"]", "rfc8785/3.2.4/utf-8"},
		{"name altered", `{"a":1}`, `{"b":1}`, "rfc8785/3.1/as-is"},
		{"member lost", `{"__proto__":1}`, `{}`, "rfc8259/4/object"},
		{"first member lost", `{"__proto__":0,"a":0}`, `{"a":0}`, "rfc8259/4/object"},
		{"last member lost", `{"a":0,"b":0}`, `{"a":0}`, "rfc8259/4/object"},
		{"only element lost", `[1]`, `[]`, "rfc8259/5/array"},
		{"element added", `[1]`, `[1,2]`, "rfc8259/5/array"},
		{"member added", `{"a":1}`, `{"a":1,"b":2}`, "rfc8259/4/object"},
		{"element lost", `[1,2]`, `[1]`, "rfc8259/5/array"},
		{"sign of zero kept", `[0]`, `[-0]`, "rfc8785/B/negative-zero"},
		{"point kept", `[1]`, `[1.0]`, "ecma262/6.1.6.1.20/layout"},
		{"plain at 1e21", `[1e+21]`, `[1000000000000000000000]`, "ecma262/6.1.6.1.20/layout"},
		{"capital E", `[1e+21]`, `[1E+21]`, "ecma262/6.1.6.1.20/layout"},
		{"padded exponent", `[1e-7]`, `[1e-07]`, "ecma262/6.1.6.1.20/layout"},
		{"too many digits", `[0.1]`, `[0.10000000000000001]`, "ecma262/6.1.6.1.20/shortest"},
		{"too few digits", `[0.30000000000000004]`, `[0.3]`, "ecma262/6.1.6.1.20/shortest"},
		{"not the closest", `[5e-324]`, `[4e-324]`, "rfc8785/3.2.2.3/note-2"},
		{"neighbour", `[9007199254740993e10]`, `[9007199254740995e10]`, "ecma262/7.1.4.1/rounding"},
		{"another number", `[1]`, `[2]`, "rfc8785/3.2.2.3/number-to-string"},
		{"becomes zero", `[9]`, `[0]`, "ecma262/7.1.4.1/rounding"},
		{"power of ten", `[1e+23]`, `[1e+22]`, "rfc8785/3.2.2.3/number-to-string"},
		{"sign lost", `[-1]`, `[1]`, "rfc8785/3.2.2.3/number-to-string"},
		{"infinity", `[1]`, `[Infinity]`, "rfc8785/3.2.2.3/number-to-string"},
		{"number to string", `[1]`, `["1"]`, "rfc8785/3.2.2.3/number-to-string"},
		{"string to number", `["1"]`, `[1]`, "rfc8785/3.1/as-is"},
		{"literal", `[true]`, `[True]`, "rfc8785/3.2.2.1/literals"},
		{"literal to string", `[null]`, `[""]`, "rfc8785/3.2.2.1/literals"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := divergence([]byte(c.want), []byte(c.have))
			if d.Requirement != c.clause {
				t.Errorf("%s instead of %s: clause %s (%s), want %s", c.have, c.want, d.Requirement, d.Signature, c.clause)
			}
			if _, ok := reject.LookupRequirement(d.Requirement); !ok || d.Signature == "" {
				t.Errorf("no such clause or no words: %+v", d)
			}
		})
	}
}

// FuzzDivergence: whatever an implementation prints, it is given a clause of
// the catalogue, and nothing panics.
func FuzzDivergence(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\u0001",null]}`), []byte(`{"a":[1,"`))
	f.Add([]byte(`[1]`), []byte("[\\\"}]]{,"))
	f.Fuzz(func(t *testing.T, want, have []byte) {
		if string(want) == string(have) || len(want) == 0 {
			return
		}
		if d := divergence(want, have); clauseGroup(d.Requirement) == "protocol" || d.Signature == "" {
			t.Errorf("%q instead of %q: %+v", have, want, d)
		}
	})
}
