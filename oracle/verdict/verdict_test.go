package verdict_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// TestTheTableOfChoices holds each row of docs/choices.md: a verdict a profile,
// "accept", "reject" or "either", with the canonical form.
func TestTheTableOfChoices(t *testing.T) {
	for _, c := range []struct{ name, src, rfc8785, ijson, rfc0016, canonical string }{
		{"byte order mark", "\ufeff[1]", "either", "either", "either", "[1]"},
		{"U+FEFF elsewhere", "[1\ufeff]", "reject", "reject", "reject", ""},
		{"two byte order marks", "\ufeff\ufeff1", "reject", "reject", "reject", ""},
		{"U+FEFF in a string", "\"\ufeff\"", "accept", "accept", "accept", "\"\ufeff\""},
		{"noncharacter in a value", `["\uffff"]`, "either", "reject", "accept", "[\"\uffff\"]"},
		{"noncharacter in a name", `{"\ufdd0":1}`, "either", "reject", "accept", "{\"\ufdd0\":1}"},
		{"noncharacter, top level", `"\uffff"`, "either", "either", "accept", "\"\uffff\""},
		{"-0", "-0", "either", "either", "reject", "0"},
		{"-0e5", "[-0e5]", "either", "either", "reject", "[0]"},
		{"-1e-400", "-1e-400", "either", "either", "reject", "0"},
		{"1e-400", "1e-400", "either", "either", "accept", "0"},
		{"1e400", "1e400", "reject", "reject", "reject", ""},
		{"1e20", "1e20", "accept", "accept", "accept", "100000000000000000000"},
		{"appendix B", "295147905179352830000", "accept", "accept", "accept", "295147905179352830000"},
		{"2^53+1", "9007199254740993", "either", "either", "accept", "9007199254740992"},
		{"lone surrogate", `"\ud800"`, "reject", "reject", "reject", ""},
		{"lone surrogate in a name", `{"\udc00":1}`, "reject", "reject", "reject", ""},
		{"raw surrogate", "\"\xed\xa0\x80\"", "reject", "reject", "reject", ""},
		{"duplicate", `{"a":1,"\u0061":1}`, "reject", "reject", "reject", ""},
		{"names of one normal form", "{\"\u00e9\":1,\"e\u0301\":2}", "accept", "accept", "accept", "{\"e\u0301\":2,\"\u00e9\":1}"},
		{"U+0000 names", `{"\u0000":1,"":2}`, "accept", "accept", "accept", "{\"\":2,\"\\u0000\":1}"},
		{"empty", "", "reject", "reject", "reject", ""},
		{"blank", " \n", "reject", "reject", "reject", ""},
		{"scalar", "true", "accept", "accept", "accept", "true"},
		{"depth 1000", nest(1000), "accept", "accept", "accept", nest(1000)},
		{"depth 1001", nest(1001), "either", "either", "either", nest(1001)},
		{"overflow at one neighbour", "1.79769313486231580794e308", "either", "either", "either", "1.7976931348623157e+308"},
	} {
		all := verdict.All([]byte(c.src))
		for p, want := range map[reject.Profile]string{reject.RFC8785: c.rfc8785, reject.IJSON: c.ijson, reject.RFC0016: c.rfc0016} {
			v := all[p]
			if string(v.Kind) != want {
				t.Errorf("%s under %s: %s, want %s", c.name, p, v.Kind, want)
			}
			if (want == "accept") != (len(v.Reasons) == 0) {
				t.Errorf("%s under %s: %s with reasons %v", c.name, p, v.Kind, v.Reasons)
			}
			if want == "reject" {
				if v.Canonical != nil || v.Right([]byte(c.canonical)) {
					t.Errorf("%s under %s: refused and yet with a form", c.name, p)
				}
			} else if string(v.Canonical) != c.canonical || !v.Right([]byte(c.canonical)) || v.Right([]byte(c.canonical+" ")) || v.Right(nil) {
				t.Errorf("%s under %s: form %.60q", c.name, p, v.Canonical)
			}
		}
	}
}

func nest(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestEitherNeighbourIsRightBeyondTwentyDigits(t *testing.T) {
	v := verdict.Of(reject.RFC8785, []byte(`[9007199254740993.00001,1,9007199254740993.00001]`))
	for out, right := range map[string]bool{
		"[9007199254740994,1,9007199254740994]":  true,
		"[9007199254740992,1,9007199254740994]":  true,
		"[9007199254740992,1,9007199254740992]":  true,
		"[9007199254740996,1,9007199254740992]":  false,
		"[9007199254740992,2,9007199254740992]":  false,
		"[9007199254740992,1,9007199254740992":   false,
		"[9007199254740992,1,9007199254740992]]": false,
		"[":                                      false,
		"":                                       false,
		"[9":                                     false,
	} {
		if v.Right([]byte(out)) != right {
			t.Errorf("%s: right is %v", out, !right)
		}
	}
}

// What is owed is what is beyond the range in any case, and not what may be.
func TestOwedIsWhatMustBeRefused(t *testing.T) {
	greatest, _ := new(big.Float).SetFloat64(math.MaxFloat64).Int(nil)
	halfway := new(big.Int).Add(greatest, new(big.Int).Lsh(big.NewInt(1), 970))
	below := new(big.Int).Sub(halfway, big.NewInt(1)).String()
	v := verdict.Of(reject.RFC8785, []byte(`[`+below+`,"\udc00",1e309,1e310]`))
	var at []int
	for _, e := range v.Owed {
		at = append(at, e.Offset)
	}
	if len(v.Faults) != 3 || v.Faults[0].Offset != 1 || !slices.Equal(at, []int{len(below) + 3, len(below) + 11}) {
		t.Errorf("faults %v, owed %v at %v", v.Faults, v.Owed, at)
	}
}

func TestReasonsAndRequirementsAreTheProfiles(t *testing.T) {
	v := verdict.Of(reject.RFC0016, []byte(`{"a":-0,"a":"\uffff"}`))
	if len(v.Reasons) != 2 || v.Reasons[0] != reject.NegativeZero || v.Reasons[1] != reject.DuplicateName {
		t.Fatalf("got %v", v.Reasons)
	}
	if v.Faults[0].Requirement != "rfc0016/domain/negative-zero" || v.Faults[1].Requirement != "rfc0016/domain/unique-names" {
		t.Errorf("got %v", v.Faults)
	}
	if !v.May(reject.DuplicateName) || v.May(reject.Syntax) {
		t.Error("May does not tell the reasons")
	}
}

func TestWhatAProfileAcceptsGivesItself(t *testing.T) {
	for _, src := range []string{`{"b":[1e21,"\u00e9\u2028"],"a":-0}`, `[9007199254740993,1e-7]`, `"\uffff"`} {
		for _, v := range verdict.All([]byte(src)) {
			if v.Kind == verdict.Reject {
				continue
			}
			again := verdict.Of(v.Profile, v.Canonical)
			if again.Kind == verdict.Reject || string(again.Canonical) != string(v.Canonical) {
				t.Errorf("%s under %s: %q gives %s %q", src, v.Profile, v.Canonical, again.Kind, again.Canonical)
			}
		}
	}
}
