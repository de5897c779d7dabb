package law

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// held is a snapshot by functions.
type held struct {
	text   func() string
	append func([]byte) []byte
	view   func() any
}

func (h held) CanonicalJSON() string             { return h.text() }
func (h held) AppendCanonical(dst []byte) []byte { return h.append(dst) }
func (h held) View() any                         { return h.view() }

// honest is a right snapshot of a canonical text.
func honest(text string) held {
	return held{
		text:   func() string { return text },
		append: func(dst []byte) []byte { return append(dst, text...) },
		view: func() (v any) {
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				panic(err)
			}
			return v
		},
	}
}

// snapping makes snapshots by functions.
type snapping struct {
	answers
	decode func([]byte) (Snapshot, error)
	of     func(any) (Snapshot, error)
}

func (s snapping) Decode(src []byte) (Snapshot, error) { return s.decode(src) }
func (s snapping) Of(v any) (Snapshot, error)          { return s.of(v) }

func TestDomainNoticesEachAnswer(t *testing.T) {
	at := func(offset int, r reject.Reason) error { return &reject.Error{Reason: r, Offset: offset} }
	// The first one is beyond the range only if it is cut at 20 digits.
	greatest, _ := new(big.Float).SetFloat64(math.MaxFloat64).Int(nil)
	halfway := new(big.Int).Add(greatest, new(big.Int).Lsh(big.NewInt(1), 970))
	below := halfway.Sub(halfway, big.NewInt(1)).String()
	mayOverflow := "[" + below + ",1e309]"
	for _, c := range []struct {
		name, src string
		out       string
		err       error
		noticed   bool
	}{
		{"accepted", "[1.0]", "[1]", nil, false},
		{"other bytes", "[1.0]", "[1.0]", nil, true},
		{"outside and accepted", "[-0]", "[0]", nil, true},
		{"inside and refused", "[1]", "", at(1, reject.NegativeZero), true},
		{"outside and refused", "[-0]", "", at(1, reject.NegativeZero), false},
		{"refused for another reason", "[-0]", "", at(1, reject.Syntax), true},
		{"refused without a reason", "[-0]", "", errOther, true},
		{"refused elsewhere", "[-0]", "", at(0, reject.NegativeZero), true},
		{"either, refused", "\ufeff1", "", at(0, reject.BOM), false},
		{"either, accepted", "\ufeff1", "1", nil, false},
		{"beyond the range, behind what may be", mayOverflow, "", at(311, reject.NumberOverflow), false},
		{"what may be beyond the range refused for it", mayOverflow, "", at(1, reject.NumberOverflow), true},
		{"refused by who cuts", "[" + below + "]", "", at(1, reject.NumberOverflow), false},
		{"beyond the range, behind another reason", "[-0,1e309]", "", at(1, reject.NegativeZero), false},
		{"the second of two reasons", "[-0,\"\\ud800\"]", "", at(5, reject.LoneSurrogate), false},
	} {
		im := snapping{decode: func([]byte) (Snapshot, error) { return honest(c.out), c.err }}
		expect(t, c.name, checkDomain(im, []byte(c.src)), c.noticed)
	}
	if offsetOf(verdict.Of(reject.RFC0016, []byte("1")), reject.Syntax, []byte("1")) != -1 {
		t.Error("a reason that does not apply has a place")
	}
}

func TestViewsNoticesEachBreach(t *testing.T) {
	const text = `{"a":[1,{"b":"x"}],"c":null}`
	lasting := honest(text).view()
	for _, c := range []struct {
		name   string
		change func(h *held)
		decode func(first Snapshot, src []byte) (Snapshot, error)
		of     func(any) (Snapshot, error)
		says   string // nothing if the law is kept
	}{
		{name: "right"},
		{name: "refused", decode: func(Snapshot, []byte) (Snapshot, error) { return nil, errOther }},
		{name: "two views", change: func(h *held) {
			n := 0.0
			h.view = func() any { n++; return n }
		}, says: "two views differ"},
		{name: "another view", change: func(h *held) { h.view = honest("[]").view }, says: "not what the canonical form says"},
		{name: "one view", change: func(h *held) { h.view = func() any { return lasting } }, says: "changing a view"},
		{name: "one array", change: func(h *held) {
			inner := honest(`[1,{"b":"x"}]`).view()
			h.view = func() any { return map[string]any{"a": inner, "c": nil} }
		}, says: "changing a view"},
		{name: "one array in one array", change: func(h *held) {
			inner := honest(`{"b":"x"}`).view()
			h.view = func() any { return map[string]any{"a": []any{1.0, inner}, "c": nil} }
		}, says: "changing a view"},
		{name: "one view from the third on", change: func(h *held) {
			n, fresh := 0, h.view
			h.view = func() any {
				if n++; n > 2 {
					return "destroyed"
				}
				return fresh()
			}
		}, says: "changing a view"},
		{name: "no JSON", change: func(h *held) { h.text, h.view = func() string { return "x" }, func() any { return nil } }, says: "not what the canonical form says"},
		{name: "its memory", change: func(h *held) {
			own := []byte("x" + text)
			h.text, h.append = func() string { return string(own[1:]) }, func([]byte) []byte { return own }
		}, says: "the snapshot was changed"},
		{name: "refused again", decode: func(first Snapshot, src []byte) (Snapshot, error) {
			if string(src) == text {
				return nil, errOther
			}
			return first, nil
		}, says: "does not decode to itself"},
		{name: "another one", decode: func(first Snapshot, src []byte) (Snapshot, error) {
			if string(src) == text {
				return honest("[]"), nil
			}
			return first, nil
		}, says: "does not decode to itself"},
		{name: "view refused", of: func(any) (Snapshot, error) { return nil, errOther }, says: "of a view"},
		{name: "view of another", of: func(any) (Snapshot, error) { return honest("[]"), nil }, says: "of a view"},
	} {
		h := honest(text)
		if c.change != nil {
			c.change(&h)
		}
		im := snapping{
			decode: func(src []byte) (Snapshot, error) {
				if c.decode != nil {
					return c.decode(h, src)
				}
				return h, nil
			},
			of: func(any) (Snapshot, error) {
				if c.of != nil {
					return c.of(nil)
				}
				return h, nil
			},
		}
		err := checkViews(im, []byte(" "+text))
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// Which containers are put twice, and what may be said of them.
func TestAliasesNoticesWhatIsTaken(t *testing.T) {
	asked := func(refuse func(v any) error) (snapping, *int) {
		n := new(int)
		return snapping{of: func(v any) (Snapshot, error) {
			*n++
			if err := refuse(v); err != nil {
				return nil, err
			}
			return honest("1"), nil
		}}, n
	}
	plain := func(v any) bool { // neither twice nor in itself
		if list, ok := v.([]any); ok {
			return len(list) < 2
		}
		object, _ := v.(map[string]any)
		_, cyclic := object["\x00self"]
		return !cyclic
	}
	for _, c := range []struct {
		name, input string
		reason      error
		noticed     bool
		asked       int
	}{
		{"a reference", `{"a":1}`, reject.RepeatedReference, false, 3},
		{"a cycle", `{"a":1}`, reject.Cycle, false, 3},
		{"a depth", `{"a":1}`, reject.LimitDepth, false, 3},
		{"another reason", `{"a":1}`, reject.Syntax, true, 3},
		{"no container", `1`, reject.Syntax, false, 1},
		{"no text", `{`, reject.Syntax, false, 0},
		{"an empty array", `[]`, reject.Syntax, false, 1},
		{"an array", `[1]`, reject.RepeatedReference, false, 2},
		{"an array, another reason", `[1]`, reject.Syntax, true, 2},
	} {
		im, n := asked(func(v any) error {
			if plain(v) {
				return nil
			}
			return c.reason
		})
		expect(t, c.name, checkAliases(im, []byte(c.input)), c.noticed)
		if *n != c.asked {
			t.Errorf("%s: asked %d times, want %d", c.name, *n, c.asked)
		}
	}
	im, n := asked(func(any) error { return errOther })
	expect(t, "refused as it is", checkAliases(im, []byte(`{"a":1}`)), false)
	if *n != 1 {
		t.Errorf("a value that is refused is asked %d times", *n)
	}
	im, _ = asked(func(v any) error {
		if list, ok := v.([]any); ok && len(list) == 2 {
			return reject.RepeatedReference
		}
		return nil
	})
	expect(t, "a cycle is taken", checkAliases(im, []byte(`{"a":1}`)), true)
}

func TestContainersAreEightAtMost(t *testing.T) {
	for text, want := range map[string]int{
		`1`: 0, `[]`: 0, `{}`: 1, `[1]`: 1, `[[],[2],{}]`: 3, `{"a":[[{"b":0}]]}`: 4,
		`[{},{},{},{},{},{},{}]`: 8, `[{},{},{},{},{},{},{},{}]`: 8, `{"a":[{},{},{},{},{},{},{},{},{}]}`: 8,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got := len(containers(v, nil)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestCheckAllTellsTheLawThatIsBroken(t *testing.T) {
	err := CheckAll(speaking{gives("[1]", nil)}, []byte("[2]"))
	if err == nil || !strings.HasPrefix(err.Error(), "reference: ") {
		t.Errorf("%v", err)
	}
	// The work of a heavy law is not done.
	heavy := working{new(int64), func(src []byte) int64 { return int64(len(src)) }}
	if err := CheckAll(heavy, []byte("[")); err != nil || *heavy.done > 1000 {
		t.Errorf("%v, %d bytes", err, *heavy.done)
	}
	if err := CheckAll(answers(canon.Canonicalize), []byte(`{"b":1,"a":[1e21,"\u00e9"]}`)); err != nil {
		t.Error(err)
	}
}
