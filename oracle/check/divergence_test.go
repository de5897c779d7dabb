package check

import (
	"bytes"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// TestDivergence holds each wrong output to the clause that its text breaks.
func TestDivergence(t *testing.T) {
	for _, c := range []struct{ name, want, have, clause, words string }{
		{"empty", `{}`, ``, "rfc8259/2/one-value", "the output is empty"},
		{"byte order mark", `{}`, "\uFEFF{}", "rfc8785/3.2.4/utf-8", "the output begins with a byte order mark"},
		{"blank behind colon", `{"a":1}`, `{"a": 1}`, "rfc8785/3.2.1/no-white-space", "white space between tokens"},
		{"line feed at the end", `{"a":1}`, "{\"a\":1}\n", "rfc8785/3.2.1/no-white-space", "white space between tokens"},
		{"goes on", `[]`, `[][]`, "rfc8259/2/trailing-data", "the output goes on behind the value"},
		{"cut in array", `[1,2]`, `[1,2`, "rfc8259/5/array", "the output is cut short"},
		{"cut in object", `{"a":1}`, `{"a"`, "rfc8259/4/object", "the output is cut short"},
		{"array sorted", `[2,1]`, `[1,2]`, "rfc8785/3.2.3/array-order", "array elements in another order"},
		{"code points", "{\"\U0001F600\":1,\"\uE000\":2}", "{\"\uE000\":2,\"\U0001F600\":1}", "rfc8785/3.2.3/code-units", "members sorted by code points instead of code units"},
		{"integers first", `{" ":0,"1":1}`, `{"1":1," ":0}`, "rfc8785/3.2.3/code-units", "integer-like names come first"},
		{"escaped spelling", "{\"\\b\":1,\"A\":2}", "{\"A\":2,\"\\b\":1}", "rfc8785/3.2.3/unescaped", "members sorted by their escaped spelling"},
		{"input order", `{"a":1,"b":2,"c":3}`, `{"b":2,"c":3,"a":1}`, "rfc8785/3.2.3/code-units", "members not sorted by code units"},
		{"input order within", `[{"a":1,"b":2}]`, `[{"b":2,"a":1}]`, "rfc8785/3.2.3/recursive", "members of a nested object not sorted by code units"},
		{"solidus escaped", `["/"]`, `["\/"]`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"U+2028 escaped", "[\"\u2028\"]", `["\u2028"]`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"DEL escaped", "[\"\x7f\"]", `["\u007f"]`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"upper-case digits", `["\u001f"]`, `["\u001F"]`, "rfc8785/3.2.2.2/control-escape", `a control character that is not written as \u and four lower-case digits`},
		{"raw control", `["\u0001"]`, "[\"\x01\"]", "rfc8785/3.2.2.2/control-escape", `a control character that is not written as \u and four lower-case digits`},
		{"long escape for a short one", `["\n"]`, `["\u000a"]`, "rfc8785/3.2.2.2/short-escape", "a control character that is not written by its short escape"},
		{"quote as u escape", `["\""]`, `["\u0022"]`, "rfc8785/3.2.2.2/quote-and-backslash", "a quotation mark or backslash in another spelling"},
		{"normalized", "[\"e\u0301\"]", "[\"\u00e9\"]", "rfc8785/3.1/as-is", "a string is altered"},
		{"replaced", "[\"\U0001F600\"]", "[\"\uFFFD\"]", "rfc8785/3.1/as-is", "characters replaced by U+FFFD"},
		{"not UTF-8", "[\"\u00e9\"]", "[\"\xe9\"]", "rfc8785/3.2.4/utf-8", "the output is not UTF-8"},
		{"name altered", `{"a":1}`, `{"b":1}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"member lost", `{"__proto__":1}`, `{}`, "rfc8259/4/object", "a member is lost"},
		{"first member lost", `{"__proto__":0,"a":0}`, `{"a":0}`, "rfc8259/4/object", "a member is lost"},
		{"last member lost", `{"a":0,"b":0}`, `{"a":0}`, "rfc8259/4/object", "a member is lost"},
		{"only element lost", `[1]`, `[]`, "rfc8259/5/array", "an element is lost"},
		{"element added", `[1]`, `[1,2]`, "rfc8259/5/array", "an element that the input has not"},
		{"member added", `{"a":1}`, `{"a":1,"b":2}`, "rfc8259/4/object", "a member that the input has not"},
		{"element lost", `[1,2]`, `[1]`, "rfc8259/5/array", "an element is lost"},
		{"sign of zero kept", `[0]`, `[-0]`, "rfc8785/B/negative-zero", "negative zero keeps its sign"},
		{"point kept", `[1]`, `[1.0]`, "ecma262/6.1.6.1.20/layout", "the right digits in another layout"},
		{"plain at 1e21", `[1e+21]`, `[1000000000000000000000]`, "ecma262/6.1.6.1.20/layout", "the right digits in another layout"},
		{"capital E", `[1e+21]`, `[1E+21]`, "ecma262/6.1.6.1.20/layout", "the right digits in another layout"},
		{"padded exponent", `[1e-7]`, `[1e-07]`, "ecma262/6.1.6.1.20/layout", "the right digits in another layout"},
		{"too many digits", `[0.1]`, `[0.10000000000000001]`, "ecma262/6.1.6.1.20/shortest", "more digits than needed"},
		{"too few digits", `[0.30000000000000004]`, `[0.3]`, "ecma262/6.1.6.1.20/shortest", "so few digits that they are another number's"},
		{"not the closest", `[5e-324]`, `[4e-324]`, "rfc8785/3.2.2.3/note-2", "as few digits as possible, but not the closest ones"},
		{"neighbour", `[9007199254740993e10]`, `[9007199254740995e10]`, "ecma262/7.1.4.1/rounding", "the digits of a neighbouring double"},
		{"another number", `[1]`, `[2]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"becomes zero", `[9]`, `[0]`, "ecma262/7.1.4.1/rounding", "a number that is not zero became 0"},
		{"power of ten", `[1e+23]`, `[1e+22]`, "rfc8785/3.2.2.3/number-to-string", "the right digits at another power of ten"},
		{"sign lost", `[-1]`, `[1]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"infinity", `[1]`, `[Infinity]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"number to string", `[1]`, `["1"]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"string to number", `["1"]`, `[1]`, "rfc8785/3.1/as-is", "a string became something else"},
		{"literal", `[true]`, `[True]`, "rfc8785/3.2.2.1/literals", "a literal in another spelling"},
		{"literal to string", `[null]`, `[""]`, "rfc8785/3.2.2.1/literals", "a literal became something else"},
		{"blank first", `[]`, ` []`, "rfc8785/3.2.1/no-white-space", "white space between tokens"},
		{"cut at the top", `[]`, `[`, "rfc8259/5/array", "the output is cut short"},
		{"goes on with a blank", `[]`, `[] `, "rfc8785/3.2.1/no-white-space", "white space between tokens"},
		{"goes on long", `[]`, `[]` + strings.Repeat("0", 9000), "rfc8259/2/trailing-data", "the output goes on behind the value"},
		{"cut in a string", `{"a":"bc"}`, `{"a":"b`, "rfc8259/4/object", "the output is cut short"},
		{"cut at the end of a string", `["b"]`, `["b`, "rfc8259/5/array", "the output is cut short"},
		{"cut in a name", `{"ab":1,"c":2}`, `{"ab":1,"`, "rfc8259/4/object", "the output is cut short"},
		{"bracket for bracket", `[1]`, `[1}`, "rfc8259/5/array", "the structure is changed"},
		{"member altered and out of order", `{"a":1,"b":2}`, `{"c":1,"a":2}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"scalar became another", `true`, `"a"`, "rfc8785/3.2.2.1/literals", "a literal became something else"},
		{"scalar became an array", `1`, `[1]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"array became a scalar", `[1]`, `1`, "rfc8259/2/one-value", "the structure is changed"},
		{"array became an object", `[[]]`, `[{}]`, "rfc8259/5/array", "the structure is changed"},
		{"array in an object became an object", `{"a":[]}`, `{"a":{}}`, "rfc8259/4/object", "the structure is changed"},
		{"value became a name", `{"a":"b"}`, `{"a","b"}`, "rfc8259/4/object", "a member that the input has not"},
		{"colon for a comma", `["a","b"]`, `["a":"b"]`, "rfc8259/5/array", "the structure is changed"},
		{"comma for a colon", `{"a":1}`, `{"a",1}`, "rfc8259/4/object", "the structure is changed"},
		{"string for a number", `{"a":1}`, `{"a":"1"}`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"arrays in an array in another order", `[{"a":4},[1,2],3]`, `[[1,2],{"a":4},3]`, "rfc8785/3.2.3/array-order", "array elements in another order"},
		{"array within sorted", `{"a":[3,2,[0,1]]}`, `{"a":[2,3,[0,1]]}`, "rfc8785/3.2.3/array-order", "array elements in another order"},
		{"elements twice", `[1,1,2]`, `[1,2,2]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"element within lost", `[[1,2],3]`, `[[1],3]`, "rfc8259/5/array", "an element is lost"},
		{"element within added", `[[1],3]`, `[[1,2],3]`, "rfc8259/5/array", "an element that the input has not"},
		{"array emptied", `[[1],3]`, `[[],3]`, "rfc8259/5/array", "an element is lost"},
		{"member altered and lost", `{"a":1,"b":2}`, `{"c":1}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"member altered and added", `{"a":1}`, `{"b":1,"c":2}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"member twice for two", `{"a":1,"b":2}`, `{"a":1,"a":2}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"member twice and lost", `{"a":1,"b":2,"c":3}`, `{"b":1,"b":2}`, "rfc8785/3.1/as-is", "a string is altered"},
		{"member of an inner object lost", `[{"a":1,"b":{"c":1}}]`, `[{"a":1,"b":{}}]`, "rfc8259/4/object", "a member is lost"},
		{"value of a member", `{"a":1,"b":2}`, `{"a":2,"b":1}`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"name escaped", `{"a/":1,"b":2}`, `{"a\/":1,"b":2}`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"names beyond the index of an array", `{"10":1,"9":2}`, `{"9":2,"10":1}`, "rfc8785/3.2.3/code-units", "integer-like names come first"},
		{"one name a prefix", `{"a":1,"aa":2}`, `{"aa":2,"a":1}`, "rfc8785/3.2.3/code-units", "members not sorted by code units"},
		{"faulty bytes", "[\"\u00e9\"]", "[\"\xc3\"]", "rfc8785/3.2.4/utf-8", "the output is not UTF-8"},
		{"replacement of a replacement", "[\"\uFFFDa\"]", "[\"\uFFFDb\"]", "rfc8785/3.1/as-is", "a string is altered"},
		{"replacement lost", "[\"\uFFFDa\"]", "[\"a\"]", "rfc8785/3.1/as-is", "a string is altered"},
		{"backslash as u escape", `["a\\b"]`, `["a\u005cb"]`, "rfc8785/3.2.2.2/quote-and-backslash", "a quotation mark or backslash in another spelling"},
		{"second half of an escape", `["\u001fab"]`, `["\u001fa\u0062"]`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"behind a short escape", `["\nu"]`, `["\n\u0075"]`, "rfc8785/3.2.2.2/as-is", "a character is escaped that is written as it is"},
		{"tab in capital letters", `["a\tb"]`, `["a\u0009b"]`, "rfc8785/3.2.2.2/short-escape", "a control character that is not written by its short escape"},
		{"escape behind an escape", `["\\\u001f"]`, `["\\\u001F"]`, "rfc8785/3.2.2.2/control-escape", `a control character that is not written as \u and four lower-case digits`},
		{"zero with a point", `[0]`, `[0.0]`, "ecma262/6.1.6.1.20/layout", "the right digits in another layout"},
		{"zero for a literal", `[0]`, `[null]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"not a number", `[0]`, `[NaN]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"beyond the range", `[1]`, `[1e999]`, "rfc8785/3.2.2.3/number-to-string", "a number became something else"},
		{"minus one for zero", `[0]`, `[-1]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"minus zero for one", `[1]`, `[-0]`, "ecma262/7.1.4.1/rounding", "a number that is not zero became 0"},
		{"sign of a great one lost", `[-1e+22]`, `[1e+21]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"power of ten below zero", `[-1e+22]`, `[-1e+21]`, "rfc8785/3.2.2.3/number-to-string", "the right digits at another power of ten"},
		{"close by", `[1000000000]`, `[999999999]`, "ecma262/7.1.4.1/rounding", "the digits of a neighbouring double"},
		{"not so close by", `[1000000000]`, `[999999998]`, "rfc8785/3.2.2.3/number-to-string", "another number"},
		{"close by below zero", `[-1.0000000005]`, `[-1]`, "ecma262/6.1.6.1.20/shortest", "so few digits that they are another number's"},
		{"as many other digits", `[1.000000002]`, `[1.000000001]`, "ecma262/7.1.4.1/rounding", "the digits of a neighbouring double"},
		{"capital literal", `null`, `Null`, "rfc8785/3.2.2.1/literals", "a literal in another spelling"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := divergence([]byte(c.want), []byte(c.have))
			if (d != Departure{c.clause, c.words}) {
				t.Errorf("%.50s instead of %s: %+v, want %s, %s", c.have, c.want, d, c.clause, c.words)
			}
			if _, ok := reject.LookupRequirement(d.Requirement); !ok {
				t.Errorf("there is no %s", d.Requirement)
			}
		})
	}
}

// TestOrders: surrogates are the greatest code points of those in one unit, and
// only the decimal digits of an array's index are one.
func TestOrders(t *testing.T) {
	units := func(s string) []uint16 { return decode([]byte(s)) }
	for _, c := range []struct {
		a, b                 string
		points, integersLike int
	}{
		{"", "", 0, 0}, {"a", "b", -1, -1}, {"b", "a", 1, 1}, {"a", "ab", -1, -1}, {"ab", "a", 1, 1}, {"aa", "ab", -1, -1},
		{`\ud800`, `\ue000`, 1, -1}, {`\udfff`, `\uffff`, 1, -1}, {`\ud7ff`, `\ud800`, -1, -1}, {`\udc00`, `\ud800`, 1, 1}, {`\ue000`, `\uffff`, -1, -1},
		{"9", "10", 1, -1}, {"10", "9", -1, 1}, {"7", "7", 0, 0}, {"a", "1", 1, 1}, {" ", "1", -1, 1}, {"1", " ", 1, -1},
		{"01", "1", -1, 1}, {"4294967294", "5", -1, 1}, {"4294967295", "5", -1, 1}, {"5", "4294967295", 1, -1}, {"4294967295", "49", -1, 1}, {"50", "4294967295", 1, -1},
		{"4294967295", "4294967296", -1, -1}, {"18446744073709551617", "2", -1, 1}, {"+1", "1", -1, 1}, {"/", "1", -1, 1}, {":", "9", 1, 1},
	} {
		if got := compareCodePoints(units(c.a), units(c.b)); got != c.points {
			t.Errorf("%s and %s as code points: %d, want %d", c.a, c.b, got, c.points)
		}
		if got := compareIntegerLike(units(c.a), units(c.b)); got != c.integersLike {
			t.Errorf("%s and %s as a property names: %d, want %d", c.a, c.b, got, c.integersLike)
		}
	}
	for name, want := range map[string]bool{"0": true, "00": false, "": false, "4294967294": true, "4294967295": false, "4294967296": false, "-1": false, "1.5": false} {
		if _, is := arrayIndex(units(name)); is != want {
			t.Errorf("%q is an index: %v", name, is)
		}
	}
}

// TestUnitAt: where a character or an escape begins, at every byte of it.
func TestUnitAt(t *testing.T) {
	const quoted = `"a\n\u001f\"b\\`
	for at, want := range []int{1, 1, 2, 2, 4, 4, 4, 4, 4, 4, 10, 10, 12, 13, 13} {
		if got := unitAt([]byte(quoted), at); string(got) != quoted[want:] {
			t.Errorf("what stands at %d begins at %s, want %s", at, got, quoted[want:])
		}
	}
}

func TestSignificant(t *testing.T) {
	for number, want := range map[string]string{
		"0": "", "-0.0": "", "100": "1", "0.00120": "12", "-1.5E+300": "15", "1e21": "1", "9.05e-7": "905", "1234567890": "123456789",
	} {
		if got := significant(number); got != want {
			t.Errorf("the digits of %s are %s, want %s", number, got, want)
		}
	}
}

// FuzzDivergence: whatever an implementation prints in the place of a canonical form, it is given a clause of
// the catalogue, and nothing panics.
func FuzzDivergence(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\u0001",null]}`), []byte(`{"a":[1,"`))
	f.Add([]byte(`[1]`), []byte("[\\\"}]]{,"))
	f.Fuzz(func(t *testing.T, want, have []byte) {
		if canonical, err := reference.Canonicalize(want); err != nil || !bytes.Equal(canonical, want) || bytes.Equal(want, have) {
			return
		}
		if d := divergence(want, have); clauseGroup(d.Requirement) == "protocol" || d.Signature == "" {
			t.Errorf("%q instead of %q: %+v", have, want, d)
		}
	})
}
