package law

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

func canNumber(im Implementation) bool { _, ok := im.(NumberAppender); return ok }

// checkNumber reads the input as doubles of eight bytes each.
func checkNumber(im Implementation, input []byte) error {
	for part := range slices.Chunk(input, 8) {
		var eight [8]byte
		copy(eight[:], part)
		b := binary.BigEndian.Uint64(eight[:])
		got, err := im.(NumberAppender).AppendNumber([]byte("x"), math.Float64frombits(b))
		want, finite := reference.NumberToString(b)
		switch {
		case !finite && err == nil:
			return fmt.Errorf("%016x gives %q and is not finite", b, got)
		case finite && (err != nil || string(got) != "x"+want):
			return fmt.Errorf("%016x gives %q, %v; exact arithmetic %q", b, got, err, want)
		case finite && want != numberText(math.Float64frombits(b)):
			return fmt.Errorf("%016x: exact arithmetic gives %q, strconv %q", b, want, numberText(math.Float64frombits(b)))
		}
	}
	return nil
}

func canString(im Implementation) bool { _, ok := im.(StringAppender); return ok }

func checkString(im Implementation, input []byte) error {
	got, err := im.(StringAppender).AppendString([]byte("x"), string(input))
	if !utf8.Valid(input) {
		if err == nil {
			return fmt.Errorf("the string %s is not UTF-8 and gives %s", show(input), show(got))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("the string %s is refused: %v", show(input), err)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(input)); err != nil {
		return err
	}
	want, err := im.Canonicalize(text.Bytes())
	if isLimit(err) {
		return nil
	}
	if err != nil || string(got) != "x"+string(want) {
		return fmt.Errorf("the string %s gives %s; as a text it gives %s, %v", show(input), show(got), show(want), err)
	}
	return nil
}

func canJudge(im Implementation) bool { _, ok := im.(Judge); return ok }

// checkNegativeZero puts a negative zero, spelled by the input, in the place of
// the numbers of the input, and asks the strict domain.
func checkNegativeZero(im Implementation, input []byte) error {
	strict := im.(Judge).Strict()
	zero := negativeZero(source(input, 4))
	_, err := strict.Canonicalize([]byte(zero))
	if e, ok := refusal(err); err == nil || ok && e.Reason != reject.NegativeZero {
		return fmt.Errorf("%s gives %v", zero, err)
	}
	if t, ok := firstNumber(input); ok {
		text := []byte(string(input[:t.From]) + zero + string(input[t.To:]))
		if _, err := strict.Canonicalize(text); err == nil {
			return fmt.Errorf("%s is accepted", show(text))
		}
	}
	return nil
}

// firstNumber finds the first number of a JSON text.
func firstNumber(input []byte) (grammar.Token, bool) {
	if json.Valid(input) {
		for _, t := range grammar.Tokens(nil, input) {
			if t.Kind == grammar.Word && strings.IndexByte("-0123456789", input[t.From]) >= 0 {
				return t, true
			}
		}
	}
	return grammar.Token{}, false
}

// negativeZero spells one.
func negativeZero(s *grammar.Seeded) string {
	zeros := func() string { return strings.Repeat("0", s.Choose(24)) }
	text := "-0"
	if s.Choose(2) == 1 {
		text += ".0" + zeros()
		if s.Choose(4) == 3 { // not zero, and rounds to it
			return text + strings.Repeat("0", 330) + "1"
		}
	}
	if s.Choose(2) == 1 {
		text += []string{"e", "E", "e+", "e-", "E+00"}[s.Choose(5)] + fmt.Sprint(s.Choose(1000))
	}
	return text
}

// guardByte stands before and behind the room that Append is given.
const guardByte = 0xA5

func canAppend(im Implementation) bool { _, ok := im.(Appender); return ok }

func checkAppend(im Implementation, input []byte) error {
	a := im.(Appender)
	want, wantErr := im.Canonicalize(input)
	want = bytes.Clone(want)
	src := bytes.Clone(input)
	const before, guard = 5, 32
	for _, room := range []int{0, 1, len(want) / 2, len(want), len(want) + 40} {
		whole := bytes.Repeat([]byte{guardByte}, before+room+guard)
		dst := whole[: before : before+room]
		got, err := a.Append(dst, src)
		if !bytes.Equal(src, input) {
			return fmt.Errorf("src was %s and is %s", show(input), show(src))
		}
		if changed(whole[:before]) || changed(whole[before+room:]) {
			return fmt.Errorf("%s: bytes before or behind the room of %d were changed", show(input), room)
		}
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("%s: Append gives %v, Canonicalize %v", show(input), err, wantErr)
		}
		if err != nil {
			if len(got) != before || &got[0] != &dst[0] {
				return fmt.Errorf("%s is refused, and %d bytes are given back for %d", show(input), len(got), before)
			}
			continue
		}
		whole = append(bytes.Repeat([]byte{guardByte}, before), want...)
		if !bytes.Equal(got, whole) {
			return fmt.Errorf("%s: Append gives %s, Canonicalize %s", show(input), show(got), show(want))
		}
		clear(src) // nothing of it is kept
		if !bytes.Equal(got, whole) {
			return fmt.Errorf("%s: the result changes with src", show(input))
		}
		copy(src, input)
	}
	return nil
}

// changed reports whether some byte is no longer the one that guards.
func changed(part []byte) bool {
	return bytes.Count(part, []byte{guardByte}) != len(part)
}

func canValidate(im Implementation) bool { _, ok := im.(Validator); return ok }

func checkValid(im Implementation, input []byte) error {
	v := im.(Validator)
	out, err := im.Canonicalize(input)
	if want := err == nil && bytes.Equal(out, input); v.Valid(input) != want {
		return fmt.Errorf("Valid(%s) is %v; its canonical form is %s, %v", show(input), !want, show(out), err)
	}
	if err == nil && !v.Valid(out) {
		return fmt.Errorf("Valid(%s) is false; it is a canonical form", show(out))
	}
	return nil
}
