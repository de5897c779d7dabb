package canon

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNamesAscend holds namesAscend to the order of code units, for names that
// have a prefix and for those that have none.
func TestNamesAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(88, 23))
	pieces := []string{"a", "b", "abcdefg", "abcdefgh", "!", "\u007f", "\u0080", "\u07ff", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff", `\u0001`, `\n`, `\\`, ""}
	w := new(writer)
	w.start(&defaultRules, nil)
	for range rounds(30_000) {
		common := ""
		for range r.IntN(5) {
			common += pieces[r.IntN(len(pieces))]
		}
		x, y := common, common
		for range r.IntN(3) {
			x += pieces[r.IntN(len(pieces))]
			y += pieces[r.IntN(len(pieces))]
		}
		// What stands behind the names differs, and must not matter.
		tails := []string{`":0,"`, `":1,"`, `" 1,"`}
		text := `{"` + x + tails[r.IntN(3)] + y + tails[r.IntN(3)] + "}"
		a, b := 1, len(x)+6
		w.copied = append([]byte(text), make([]byte, textSlack)...)
		w.in, w.source = textOf(w.copied), w.copied
		prefix := func(at int, name string) uint64 {
			if r.IntN(4) == 0 || strings.Contains(name, `\`) {
				return 0
			}
			return prefixOf(load64(w.in, at+1), len(name))
		}
		first, second := prefix(a, x), prefix(b, y)
		if got, want := w.namesAscend(a, b, first, second), compareUnits([]byte(x+`"`), []byte(y+`"`)) < 0; got != want {
			t.Fatalf("%s, prefixes %#x and %#x: %v", text, first, second, got)
		}
	}
}

// TestMembersInOrderAreValid: an object of members in canonical form is canonical if
// their names ascend, whatever they begin with.
func TestMembersInOrderAreValid(t *testing.T) {
	pieces := []string{"a", "b", "abcdefgh", "\u007f", "\u00e9", "\ud7ff", "\ue000", "\U00010000", `\u0001`, `\n`, `\\`, `\"`, "", "!"}
	r := rand.New(rand.NewPCG(8785, 323))
	eachKernel(func() {
		accepted := 0
		for range rounds(6_000) {
			text, ascend := []byte("{"), true
			common, before := pieces[r.IntN(len(pieces))], []byte(nil)
			for k := range 1 + r.IntN(3) {
				if k > 0 {
					text = append(text, ',')
				}
				name := ""
				for range r.IntN(3) {
					name += pieces[r.IntN(len(pieces))]
				}
				if r.IntN(2) == 0 {
					name = common + name
				}
				ascend = ascend && (k == 0 || compareUnits(before, []byte(name+`"`)) < 0)
				before = []byte(name + `"`)
				text = append(append(append(text, '"'), before...), ":0"...)
			}
			text = append(text, '}')
			if got := Valid(text); got != ascend {
				t.Fatalf("Valid(%s) is %v", text, got)
			}
			if ascend {
				accepted++
			}
		}
		if accepted < rounds(1_000) {
			t.Errorf("only %d are in order", accepted)
		}
	})
}

// TestValidNeedsNoSlowPass: what validFast says stands, but of a text that may nest
// deeper than it goes.
func TestValidNeedsNoSlowPass(t *testing.T) {
	for _, depth := range []int{0, 1, maxRecursion, maxRecursion + 1, -1} {
		r := Options{MaxDepth: depth}.rules()
		if valid, ok := validFast(&r, []byte(`["a",1]`)); !valid || !ok {
			t.Errorf("depth %d: a canonical text gives %v, %v", depth, valid, ok)
		}
		if valid, ok := validFast(&r, []byte(`["a", 1]`)); valid || ok != (r.depth <= maxRecursion) {
			t.Errorf("depth %d: another text gives %v, %v", depth, valid, ok)
		}
	}
}

// TestWhatIsWrittenIsCompared: writtenAt looks at all the bytes that it is asked
// of, and at no other.
func TestWhatIsWrittenIsCompared(t *testing.T) {
	const size = 60
	w := numberWriter()
	in, out := make([]byte, size), make([]byte, size+10)
	for n := range 30 {
		for differ := range size {
			for i := range in {
				in[i] = byte(i)
			}
			copy(out[10:], in)
			out[10+differ] ^= 1 << (differ % 8)
			w.in, w.out = textOf(in), textOf(out)
			const p = 7
			if got, want := w.writtenAt(p, p+10, n), bytes.Equal(in[p:p+n], out[p+10:p+10+n]); got != want {
				t.Fatalf("%d bytes from %d on, and another one at %d: %v", n, p, differ, got)
			}
		}
	}
}

// TestScalarsAreVerified: a number or literal is verified if it is its own
// canonical form.
func TestScalarsAreVerified(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(13, 16))}
	w := numberWriter()
	canonical := 0
	for range rounds(20_000) {
		s := r.number(1 + r.IntN(20))
		if form := canonicalNumber(s); number.MatchString(s) && r.IntN(2) == 0 && form != "" {
			s = form
		}
		w.give("[" + s + "]")
		w.grown = false
		want := -1
		if number.MatchString(s) && canonicalNumber(s) == s {
			want = 1 + len(s)
			canonical++
		}
		if got := w.verifyScalar(1); got != want {
			t.Fatalf("%s is verified up to %d, want %d", s, got, want)
		}
	}
	if canonical < rounds(5000) {
		t.Errorf("only %d are canonical", canonical)
	}
}
