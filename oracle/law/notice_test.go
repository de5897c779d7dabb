package law

import (
	"errors"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// answers is an implementation that answers as it is told.
type answers func([]byte) ([]byte, error)

func (f answers) Canonicalize(src []byte) ([]byte, error) { return f(src) }

// speaking is one that speaks the list of reasons.
type speaking struct{ answers }

func (speaking) SpeaksReasons() {}

// gives answers the same to all.
func gives(out string, err error) answers {
	return func([]byte) ([]byte, error) { return []byte(out), err }
}

// table answers some inputs as it is told and the others as the reference does.
func table(told map[string]any) answers {
	return func(src []byte) ([]byte, error) {
		switch a := told[string(src)].(type) {
		case string:
			return []byte(a), nil
		case error:
			return nil, a
		}
		return reference.Canonicalize(src)
	}
}

// refuses is a refusal that is right but for what change does to it.
func refuses(src string, change func(*reject.Error)) error {
	_, err := reference.Canonicalize([]byte(src))
	var e *reject.Error
	if !errors.As(err, &e) {
		e = &reject.Error{Package: "test", Reason: reject.Syntax}
	}
	changed := *e
	change(&changed)
	return &changed
}

var (
	errOther = errors.New("no reason of the list")
	errSize  = &reject.Error{Reason: reject.LimitSize}
	errDepth = &reject.Error{Reason: reject.LimitDepth}
)

// expect holds what a law says against what it should say.
func expect(t *testing.T, name string, err error, noticed bool) {
	t.Helper()
	if (err != nil) != noticed {
		t.Errorf("%s: %v", name, err)
	}
}

func TestLexicalNoticesEverySpellingThatIsNotCanonical(t *testing.T) {
	for out, want := range map[string]string{
		`null`: "", `[]`: "", `{}`: "", `[true,false,{"":[{}]}]`: "", `"\" \\\b\f\n\r\t\u0000\u000b\u001f/é😀"`: "",
		`{"":0,"a":1,"b":2}`: "", "{\"\U0001F600\":1,\"\ue000\":2}": "", `[0,9,10,-1,0.5,1e-7,1e+21,1.5e+300]`: "",
		``:                                "not the text of a number at offset 0",
		`[`:                               "not the text of a number at offset 1",
		`[1`:                              "no comma at offset 2",
		`[1,]`:                            "not the text of a number at offset 3",
		`[1, 2]`:                          "not the text of a number at offset 3",
		`{"a" 1}`:                         "no colon at offset 4",
		`{a":1}`:                          "no string at offset 1",
		`1 2`:                             "something follows the value at offset 1",
		`{"b":1,"a":2}`:                   "names out of order",
		`{"a":1,"a":2}`:                   "names out of order",
		"{\"\ue000\":1,\"\U0001F600\":2}": "names out of order",
		`"abc`:                            "a string without end at offset 4",
		"\"\x1f\"":                        "a control that is not escaped at offset 1",
		"\"\xff\"":                        "not UTF-8",
		`"\u0008"`:                        "an escape that is none of the canonical form at offset 1",
		`"\u000B"`:                        "an escape that is none of the canonical form at offset 1",
		`"\u0020"`:                        "an escape that is none of the canonical form at offset 1",
		`"\/"`:                            "an escape that is none of the canonical form at offset 1",
		`1.0`:                             "not the text of a number at offset 0",
		`01`:                              "not the text of a number at offset 0",
		`-0`:                              "not the text of a number at offset 0",
		`-`:                               "not the text of a number at offset 0",
		`1e400`:                           "not the text of a number at offset 0",
		`1e21`:                            "not the text of a number at offset 0",
		`0.10000000000000001`:             "not the text of a number at offset 0",
	} {
		err := checkLexical(gives(out, nil), []byte("input"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", out, err, want)
		}
	}
	expect(t, "a refusal", checkLexical(gives("[ ]", errOther), nil), false)
}

func TestErrorsShowThreeHundredBytes(t *testing.T) {
	a := strings.Repeat("a", 300)
	if got := show([]byte(a)); got != `"`+a+`"` {
		t.Errorf("300 bytes: %s", got)
	}
	if got := show([]byte(a + "bb")); got != `"`+a+`" and 2 bytes more` {
		t.Errorf("302 bytes: %s", got)
	}
}

func TestReferenceLawNoticesEachDeparture(t *testing.T) {
	const bad = "[\n{\"a\":1,}]"
	as := func(change func(*reject.Error)) error { return refuses(bad, change) }
	for _, c := range []struct {
		name, src string
		answer    any
		noticed   bool
	}{
		{"the same", bad, as(func(*reject.Error) {}), false},
		{"another package", bad, as(func(e *reject.Error) { e.Package = "canon" }), false},
		{"another reason", bad, as(func(e *reject.Error) { e.Reason = reject.BOM }), true},
		{"another offset", bad, as(func(e *reject.Error) { e.Offset++ }), true},
		{"another line", bad, as(func(e *reject.Error) { e.Line++ }), true},
		{"another column", bad, as(func(e *reject.Error) { e.Column++ }), true},
		{"another pointer", bad, as(func(e *reject.Error) { e.Pointer = "" }), true},
		{"another requirement", bad, as(func(e *reject.Error) { e.Requirement = "" }), true},
		{"no reason", bad, errOther, true},
		{"a limit of size", bad, errSize, false},
		{"a limit of depth", bad, errDepth, true},
		{"accepted", bad, "1", true},
		{"refused", "1", errOther, true},
		{"other bytes", "1", "2", true},
		{"the same bytes", "1", "1", false},
	} {
		im := speaking{table(map[string]any{c.src: c.answer})}
		expect(t, c.name, checkReference(im, []byte(c.src)), c.noticed)
	}
	partly := speaking{answers(func(src []byte) ([]byte, error) { return src[:1], as(func(*reject.Error) {}) })}
	expect(t, "bytes beside an error", checkReference(partly, []byte(bad)), false)
}

func TestReferenceLawLeavesOpenWhatTheVerdictDoes(t *testing.T) {
	deep := strings.Repeat("[", reference.MaxDepth+1) + strings.Repeat("]", reference.MaxDepth+1)
	for _, c := range []struct {
		name, src string
		answer    any
		noticed   bool
	}{
		{"a right one is refused", "1", errOther, true},
		{"a wrong one is accepted", "[", "[", true},
		{"a wrong one is refused", "[", errOther, false},
		{"other bytes", "1", "2", true},
		{"-0 is refused", "-0", errOther, false},
		{"-0 is accepted", "-0", "0", false},
		{"-0 stays", "-0", "-0", true},
		{"deeper than anyone knows", deep, deep, false},
	} {
		expect(t, c.name, checkReference(table(map[string]any{c.src: c.answer}), []byte(c.src)), c.noticed)
	}
}

func TestRelationsNoticeTwoAnswers(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b    any
		noticed bool
	}{
		{"equal", "x", "x", false}, {"two", "x", "y", true},
		{"both refused", errOther, errOther, false},
		{"one refused", "x", errOther, true}, {"the other refused", errOther, "x", true},
		{"a limit", errSize, "x", false}, {"a limit of the other", "x", errSize, false},
	} {
		im := table(map[string]any{"a": c.a, "b": c.b})
		expect(t, c.name, sameAnswer(im, []byte("a"), []byte("b")), c.noticed)
		equal := c.a == "x" && c.b == "x"
		expect(t, c.name+", of a pair", CheckPair(im, []byte("a"), []byte("b"), grammar.Same), c.noticed)
		expect(t, c.name+", of a pair that differs", CheckPair(im, []byte("a"), []byte("b"), grammar.Different), equal)
		expect(t, c.name+", different values", otherAnswer(im, []byte("a"), []byte("b")), equal)
	}
	for _, errs := range [][]error{{errOther, nil}, {nil, errOther}, {errOther, errOther}} {
		im := answers(func(src []byte) ([]byte, error) { return []byte("x"), errs[src[0]-'a'] })
		expect(t, "equal bytes beside an error", otherAnswer(im, []byte("a"), []byte("b")), false)
	}
}
