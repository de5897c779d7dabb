package law

import (
	"errors"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// placed refuses at an offset, with the line and the column that it has.
func placed(src string, offset int, r reject.Reason) *reject.Error {
	return reject.At("test", []byte(src), offset, r, r.Clause(reject.RFC8785))
}

func TestErrorPlaceNoticesEachWrongPlace(t *testing.T) {
	const src = "[1,\n2,}"
	moved := func(change func(*reject.Error)) error {
		e := placed(src, 6, reject.Syntax)
		change(e)
		return e
	}
	long := "}" + strings.Repeat(" ", mostCompleted+10)
	for _, c := range []struct {
		name, src string
		told      map[string]any
		noticed   bool
	}{
		{"right", src, map[string]any{src: moved(func(*reject.Error) {})}, false},
		{"another line", src, map[string]any{src: moved(func(e *reject.Error) { e.Line++ })}, true},
		{"another column", src, map[string]any{src: moved(func(e *reject.Error) { e.Column++ })}, true},
		{"before the text", src, map[string]any{src: moved(func(e *reject.Error) { e.Offset = -1 })}, true},
		{"before the text, and said to be its beginning", src, map[string]any{src: moved(func(e *reject.Error) { e.Offset, e.Line, e.Column = -1, 1, 1 })}, true},
		{"at the beginning", "x", map[string]any{"x": placed("x", 0, reject.Syntax)}, false},
		{"behind the text", src, map[string]any{src: moved(func(e *reject.Error) { e.Offset = len(src) + 1 })}, true},
		{"no reason", src, map[string]any{src: errOther}, false},
		{"a limit", src, map[string]any{src: &reject.Error{Reason: reject.LimitSize, Offset: -1}}, false},
		{"the end of what is not whole", "[1", map[string]any{"[1": placed("[1", 2, reject.Syntax)}, false},
		{"the end, with another reason", "[-0", map[string]any{"[-0": placed("[-0", 3, reject.NegativeZero)}, true},
		{"behind what cannot be completed", "[}]", map[string]any{"[}]": placed("[}]", 2, reject.Syntax)}, true},
		{"the most that is completed", long, map[string]any{long: placed(long, mostCompleted, reject.Syntax), long[:mostCompleted+1]: errOther}, true},
		{"more than is completed", long, map[string]any{long: placed(long, mostCompleted+1, reject.Syntax), long[:mostCompleted+2]: errOther}, false},
		{"accepted up to there", "[1]x", map[string]any{"[1]x": placed("[1]x", 3, reject.Syntax), "[1]x"[:4]: turnsOf(placed("[1]x", 3, reject.Syntax), "[1]")}, true},
		{"refused before, without what follows", "[1 x]", map[string]any{"[1 x]": placed("[1 x]", 3, reject.Syntax), "[1 x": placed("[1 x", 0, reject.Syntax)}, true},
		{"refused there, without what follows", "[1 x]", map[string]any{"[1 x]": placed("[1 x]", 3, reject.Syntax), "[1 x": placed("[1 x", 3, reject.Syntax)}, false},
		{"refused without a place", "[1 x]", map[string]any{"[1 x]": placed("[1 x]", 3, reject.Syntax), "[1 x": errOther}, false},
		{"accepted", "1", map[string]any{"1": "1"}, false},
	} {
		told := table(c.told)
		im := answers(func(src []byte) ([]byte, error) {
			if next, ok := c.told[string(src)].(func() (string, error)); ok {
				out, err := next()
				return []byte(out), err
			}
			return told(src)
		})
		expect(t, c.name, checkErrorPlace(im, []byte(c.src)), c.noticed)
	}
}

// turnsOf refuses first and accepts then.
func turnsOf(err error, out string) func() (string, error) {
	first := true
	return func() (string, error) {
		if first {
			first = false
			return "", err
		}
		return out, nil
	}
}

func TestPieceIsWhatAReasonSpeaksOf(t *testing.T) {
	for _, c := range []struct {
		reason reject.Reason
		rest   string
		want   int
	}{
		{reject.Syntax, "xyz", 1}, {reject.LoneSurrogate, `\ud800"`, 6},
		{reject.DuplicateName, `"abc":1`, 5}, {reject.NumberOverflow, `1e400,`, 5}, {reject.DuplicateName, "", 1},
	} {
		if got := pieceLength(c.reason, []byte(c.rest)); got != c.want {
			t.Errorf("%s of %q: %d, want %d", c.reason, c.rest, got, c.want)
		}
	}
}

func TestPrefixesThatCanBeCompleted(t *testing.T) {
	for prefix, want := range map[string]bool{
		"": true, "[": true, "[1,": true, `{"a":{"b":[`: true, `{"a`: true, `{"a"`: true, `{"a":1,`: true, "t": true, "-": true, "1e": true,
		`{"a":1,"a"`: true, "[1e400": true, `"\ud800`: true, `"\udc0`: true, `"\ud800\`: true, "\"\xc3": true, "\"\xff": false,
		"]": false, "[}": false, "[1 2": false, "x": false, "01": false, `{"a":1,"a":`: false, "[1e400,": false,
		`"\udc00`: false, `"\ud800x`: false, `"\q`: false,
	} {
		if got := completable([]byte(prefix)); got != want {
			t.Errorf("%q: %v", prefix, got)
		}
	}
}

func TestErrorPayloadNoticesTheMarkerAnywhere(t *testing.T) {
	for _, c := range []struct {
		name    string
		im      answers
		noticed bool
	}{
		{"silent", gives("", errOther), false},
		{"of a thousand bytes", gives("", errors.New(strings.Repeat("x", 1000))), false},
		{"longer", gives("", errors.New(strings.Repeat("x", 1001))), true},
		{"but for its first letter", gives("", errors.New(marker[1:])), true},
		{"in a field", gives("", hiding{text: marker}), true},
		{"of the last text alone", func(src []byte) ([]byte, error) {
			if strings.HasSuffix(string(src), marker) {
				return nil, errors.New(string(src))
			}
			return src, nil
		}, true},
	} {
		expect(t, c.name, checkErrorPayload(c.im, []byte("7")), c.noticed)
	}
}

// hiding says nothing and holds something.
type hiding struct{ text string }

func (hiding) Error() string { return "no" }
