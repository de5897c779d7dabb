package law

import (
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
)

func TestNumbersOfMoreThanTwentyDigitsAreLong(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("0", 20): false, strings.Repeat("0", 21): true,
		strings.Repeat("9", 20): false, strings.Repeat("9", 21): true,
		"1234567890.1234567890": false, "1234567890.12345678901": true,
		"1234567890,12345678901": false, "1234567890e12345678901": false,
		strings.Repeat("/", 21): false, strings.Repeat(":", 21): false,
		"[12345678901234567890,123456789012345678901]": true,
	} {
		if got := hasLongNumber([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A double that a number of many digits may be rounded to is no other value.
func TestDifferentValuesLeavesLongNumbersOut(t *testing.T) {
	same := gives("1", nil)
	expect(t, "a number", checkDifferent(same, []byte("5")), true)
	expect(t, "a long number", checkDifferent(same, []byte(strings.Repeat("5", 21))), false)
	expect(t, "no value", checkDifferent(same, []byte("[")), false)
}

func TestNestingNoticesEachFrame(t *testing.T) {
	honest := answers(reference.Canonicalize)
	for _, f := range append(around, prototypes...) {
		whole := f.before + "7" + f.after
		for name, c := range map[string]struct {
			answer  any
			noticed bool
		}{
			"other bytes": {"[8]", true}, "refused": {errOther, true}, "a limit": {errSize, false},
		} {
			im := table(map[string]any{whole: c.answer})
			expect(t, whole+", "+name, within(im, []byte("7"), append(around, prototypes...)), c.noticed)
		}
		// After a frame that is refused for a limit the next one is asked.
		im := table(map[string]any{whole: errSize, `[[[{"":7}]]]`: "[]"})
		expect(t, whole+" and another", within(im, []byte("7"), around), true)
	}
	for _, c := range []struct {
		name, src string
		alone     any
		noticed   bool
	}{
		{"accepted inside alone", "7", errOther, true},
		{"a limit outside alone", "7", errSize, false},
		{"a byte order mark", "\ufeff7", "7", false},
		{"a piece", `1],[2`, "1", false},
		{"a beginning", `[`, "[]", false},
		{"two values", `1 2`, "1", false},
	} {
		expect(t, c.name, within(table(map[string]any{c.src: c.alone}), []byte(c.src), around), c.noticed)
	}
	expect(t, "honest", within(honest, []byte(`{"b":1,"a":[]}`), around), false)
	expect(t, "honest and refused", within(honest, []byte(`{"a":1,"a":[]}`), around), false)
}

func TestRepeatedNoticesEachChange(t *testing.T) {
	shared := []byte("7")
	for name, im := range map[string]answers{
		"other bytes": turns("7", "x", "8"), "a refusal": turns("7", "x", errOther), "no refusal": turns(errOther, "x", "7"),
		"at the second time": turns("7", "x", "7", "x", "8"),
		"the answer itself": func(src []byte) ([]byte, error) {
			if string(src) != "7" {
				shared[0] = '8'
				return nil, errOther
			}
			return shared, nil
		},
		"an answer that comes back": func(src []byte) ([]byte, error) {
			if string(src) == "7" {
				return []byte("7"), nil
			}
			return nil, errOther
		},
	} {
		expect(t, name, checkRepeated(im, []byte("7")), name != "an answer that comes back")
	}
}

// turns answers in turn.
func turns(all ...any) answers {
	return func([]byte) ([]byte, error) {
		next := all[0]
		all = all[1:]
		if s, ok := next.(string); ok {
			return []byte(s), nil
		}
		return nil, next.(error)
	}
}

func TestValueNoticesAnotherValueAndNoJSON(t *testing.T) {
	for _, c := range []struct {
		name, src, out string
		noticed        bool
	}{
		{"the same", `[1]`, `[1.0]`, false}, {"another", `[1]`, `[2]`, true}, {"no JSON", `[1]`, `[1`, true},
		{"no JSON before", `[1`, `[2]`, false}, {"a long number", "[" + strings.Repeat("1", 21) + "]", `[2]`, false},
		{"not UTF-8", "[1]", "\"\xff\"", true},
	} {
		expect(t, c.name, checkValue(gives(c.out, nil), []byte(c.src)), c.noticed)
	}
	expect(t, "a refusal", checkValue(gives("x", errOther), []byte("1")), false)
}

func TestFixedPointAndRoundTripNoticeEachAnswer(t *testing.T) {
	for _, c := range []struct {
		name        string
		again       any
		fixed, trip bool
	}{
		{"itself", `[1]`, false, false}, {"another", `[2]`, true, true}, {"a refusal", errOther, true, true}, {"a limit", errDepth, false, false},
	} {
		im := table(map[string]any{"[1.0]": "[1]", "[1]": c.again})
		expect(t, "fixed point, "+c.name, checkFixedPoint(im, []byte("[1.0]")), c.fixed)
		expect(t, "round trip, "+c.name, checkRoundTrip(im, []byte("[1.0]")), c.trip)
	}
	refusing := gives("x", errOther)
	expect(t, "fixed point of none", checkFixedPoint(refusing, []byte("1")), false)
	expect(t, "round trip of none", checkRoundTrip(refusing, []byte("1")), false)
	expect(t, "round trip of no JSON", checkRoundTrip(gives("x", nil), []byte("1")), false)
}
