package law

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// writing is an implementation with functions of pieces.
type writing struct {
	answers
	number func(dst []byte, f float64) ([]byte, error)
	str    func(dst []byte, s string) ([]byte, error)
	append func(dst, src []byte) ([]byte, error)
	valid  func(src []byte) bool
	strict Implementation
}

func (w writing) AppendNumber(dst []byte, f float64) ([]byte, error) { return w.number(dst, f) }
func (w writing) AppendString(dst []byte, s string) ([]byte, error)  { return w.str(dst, s) }
func (w writing) Append(dst, src []byte) ([]byte, error)             { return w.append(dst, src) }
func (w writing) Valid(src []byte) bool                              { return w.valid(src) }
func (w writing) Strict() Implementation                             { return w.strict }

func TestNumberNoticesEachDoubleOfTheInput(t *testing.T) {
	var asked []float64
	right := func(dst []byte, f float64) ([]byte, error) {
		asked = append(asked, f)
		text, ok := reference.NumberToString(math.Float64bits(f))
		if !ok {
			return dst, errOther
		}
		return append(dst, text...), nil
	}
	input := binary.BigEndian.AppendUint64(nil, math.Float64bits(1.5))
	input = append(binary.BigEndian.AppendUint64(input, math.Float64bits(math.Inf(1))), 0x40)
	expect(t, "right", checkNumber(writing{number: right}, input), false)
	if !slices.Equal(asked, []float64{1.5, math.Inf(1), 2}) {
		t.Errorf("asked for %v", asked)
	}
	for name, wrong := range map[string]func(dst []byte, f float64) ([]byte, error){
		"infinity":    func(dst []byte, f float64) ([]byte, error) { return append(dst, "1.5"[:3]...), nil },
		"refused":     func(dst []byte, f float64) ([]byte, error) { return append(dst, "1.5"...), errOther },
		"other bytes": func(dst []byte, f float64) ([]byte, error) { return append(dst, "1.50"...), nil },
		"without dst": func(dst []byte, f float64) ([]byte, error) { return []byte("1.5"), nil },
	} {
		part := input[:8]
		if name == "infinity" {
			part = input
		}
		expect(t, name, checkNumber(writing{number: wrong}, part), true)
	}
}

func TestTextsOfNumbersAtTheEdgesOfTheirLayouts(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", -1: "-1", 1.5: "1.5", 0.5: "0.5", 1e20: "100000000000000000000", 1e21: "1e+21", -1.5e21: "-1.5e+21", 123456: "123456", 123.456: "123.456",
		1e-6: "0.000001", 1e-7: "1e-7", 1.25e-7: "1.25e-7", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		if got := numberText(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}

func TestStringNoticesEachAnswer(t *testing.T) {
	for _, c := range []struct {
		name, in, out string
		err           error
		whole         any
		noticed       bool
	}{
		{"right", "<a", `x"<a"`, nil, `"<a"`, false},
		{"other bytes", "<a", `x"<b"`, nil, `"<a"`, true},
		{"refused", "<a", "", errOther, `"<a"`, true},
		{"refused as a text", "<a", `x"<a"`, nil, errOther, true},
		{"a limit as a text", "<a", `x"<b"`, nil, errSize, false},
		{"not UTF-8", "\xff", `x"?"`, nil, `"?"`, true},
		{"not UTF-8, refused", "\xff", "", errOther, `"?"`, false},
	} {
		im := writing{
			answers: table(map[string]any{"\"<a\"\n": c.whole}),
			str:     func([]byte, string) ([]byte, error) { return []byte(c.out), c.err },
		}
		expect(t, c.name, checkString(im, []byte(c.in)), c.noticed)
	}
}

// refusing refuses texts that begin with -0 for a reason, and accepts others if it is lax.
func refusing(err error, lax bool) Implementation {
	return answers(func(src []byte) ([]byte, error) {
		if strings.HasPrefix(string(src), "-0") || !lax {
			return nil, err
		}
		return src, nil
	})
}

func TestNegativeZeroIsPutWhereTheFirstNumberStands(t *testing.T) {
	zero := &reject.Error{Reason: reject.NegativeZero}
	for _, c := range []struct {
		name, input string
		strict      Implementation
		noticed     bool
	}{
		{"refused everywhere", `[true,"1",9]`, refusing(zero, false), false},
		{"accepted", `[]`, answers(reference.Canonicalize), true},
		{"accepted inside", `[true,"1",9]`, refusing(zero, true), true},
		{"accepted instead of a negative one", `[-5]`, refusing(zero, true), true},
		{"no number", `[true,"1",null]`, refusing(zero, true), false},
		{"no text", `[true,1`, refusing(zero, true), false},
		{"refused for another reason", `[]`, refusing(&reject.Error{Reason: reject.Syntax}, false), true},
		{"refused without a reason", `[]`, refusing(errOther, false), false},
	} {
		expect(t, c.name, checkNegativeZero(writing{strict: c.strict}, []byte(c.input)), c.noticed)
	}
}

func TestEverySpellingOfNegativeZeroIsDrawn(t *testing.T) {
	seen := map[string]bool{}
	for i := range 1000 {
		text := negativeZero(source(fmt.Append(nil, i), 4))
		n := reference.ParseNumber(text)
		if !n.NegativeZero {
			t.Fatalf("%s is another number", text)
		}
		seen[fmt.Sprint(strings.Contains(text, "."), strings.ContainsAny(text, "eE"), n.Underflow)] = true
	}
	for _, kind := range []string{"false false false", "true false false", "false true false", "true true false", "true false true"} {
		if !seen[kind] {
			t.Errorf("a fraction, an exponent, not zero: %s is never drawn", kind)
		}
	}
	if len(seen) != 5 {
		t.Errorf("%v are drawn", seen)
	}
}

func TestAppendNoticesEachBreach(t *testing.T) {
	fresh := func(first byte, rest string) []byte {
		return append([]byte{first, guardByte, guardByte, guardByte, guardByte}, rest...)
	}
	roomy := func(dst []byte) bool { return cap(dst) > len(dst) }
	for _, c := range []struct {
		name, input, says string // says nothing if the law is kept
		append            func(dst, src []byte) ([]byte, error)
	}{
		{"right", "[1]", "", func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }},
		{"right elsewhere", "[1]", "", func(dst, src []byte) ([]byte, error) { return fresh(guardByte, "[1]"), nil }},
		{"refused", "[1", "", func(dst, src []byte) ([]byte, error) { return dst, errOther }},
		{"src changes", "[1]", "src was", func(dst, src []byte) ([]byte, error) { src[0] = '!'; return append(dst, "[1]"...), nil }},
		{"before the room", "[1]", "before or behind", func(dst, src []byte) ([]byte, error) { dst[0] = '!'; return fresh(guardByte, "[1]"), nil }},
		{"behind the room", "[1]", "before or behind", func(dst, src []byte) ([]byte, error) {
			unsafe.Slice(&dst[0], cap(dst)+1)[cap(dst)] = '!'
			return fresh(guardByte, "[1]"), nil
		}},
		{"refused alone", "[1]", "Append gives no reason", func(dst, src []byte) ([]byte, error) { return dst, errOther }},
		{"accepted alone", "[1", "Canonicalize", func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }},
		{"refused without dst", "[1", "given back", func(dst, src []byte) ([]byte, error) { return nil, errOther }},
		{"refused with a copy", "[1", "given back", func(dst, src []byte) ([]byte, error) { return fresh(guardByte, ""), errOther }},
		{"refused with more", "[1", "given back", func(dst, src []byte) ([]byte, error) { return append(dst, '['), errOther }},
		{"refused with a copy where there is room", "[1", "given back", func(dst, src []byte) ([]byte, error) {
			if roomy(dst) {
				dst = fresh(guardByte, "")
			}
			return dst, errOther
		}},
		{"nothing", "[1]", "Append gives", func(dst, src []byte) ([]byte, error) { return nil, nil }},
		{"another beginning", "[1]", "Append gives", func(dst, src []byte) ([]byte, error) { return fresh('!', "[1]"), nil }},
		{"other bytes", "[1]", "Append gives", func(dst, src []byte) ([]byte, error) { return append(dst, "[2]"...), nil }},
	} {
		err := checkAppend(writing{answers: reference.Canonicalize, append: c.append}, []byte(c.input))
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestAppendIsAskedWithEveryKindOfRoom(t *testing.T) {
	var rooms []int
	err := checkAppend(writing{answers: reference.Canonicalize, append: func(dst, src []byte) ([]byte, error) {
		rooms = append(rooms, cap(dst)-len(dst))
		return append(dst, src...), nil
	}}, []byte("[1,2,3,4]"))
	if err != nil || !slices.Equal(rooms, []int{0, 1, 4, 9, 49}) {
		t.Errorf("%v, %v", rooms, err)
	}
}

func TestValidNoticesBothAnswers(t *testing.T) {
	for _, c := range []struct {
		name, input string
		valid       func([]byte) bool
		noticed     bool
	}{
		{"right", "[1]", func([]byte) bool { return true }, false},
		{"right of another spelling", "[1.0]", func(src []byte) bool { return string(src) == "[1]" }, false},
		{"right of a refusal", "[1", func([]byte) bool { return false }, false},
		{"canonical and false", "[1]", func([]byte) bool { return false }, true},
		{"another spelling and true", "[1.0]", func([]byte) bool { return true }, true},
		{"a refusal and true", "[1", func([]byte) bool { return true }, true},
		{"its form and false", "[1.0]", func([]byte) bool { return false }, true},
	} {
		expect(t, c.name, checkValid(writing{answers: reference.Canonicalize, valid: c.valid}, []byte(c.input)), c.noticed)
	}
}

func TestRefusalsAreRead(t *testing.T) {
	if _, ok := refusal(errors.New("x")); ok || isLimit(errOther) || isLimit(nil) || !isLimit(errDepth) || isLimit(&reject.Error{Reason: reject.Syntax}) {
		t.Error("an error is taken for another")
	}
}
