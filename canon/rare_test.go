package canon

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// numberWriter gives a writer of numbers, which reads the text that give gives it.
func numberWriter() *writer {
	w := new(writer)
	w.start(&defaultRules, nil)
	w.out = textOf(make([]byte, 2000))
	w.body = w.out
	return w
}

// written gives the number in w.out[3:o], as emit would.
func (w *writer) written(o int) string {
	if byteAt(w.out, 2) == ',' {
		return string(piece(w.out, 3, o))
	}
	behind, n := w.expand(textOf(w.draft), 0, 2)
	if behind != o {
		return "a text of another length"
	}
	return string(w.draft[1:n])
}

func (w *writer) give(s string) {
	w.in, w.size = padded(s), len(s)
	putByte(w.out, 2, ',')
}

// A numberMaker makes the texts of numbers of any shape, and of what is nearly a
// number.
type numberMaker struct{ *rand.Rand }

func (r numberMaker) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(10))
	}
	if n > 0 && r.IntN(2) == 0 {
		at := r.IntN(n)
		for i := range b[at : at+1+r.IntN(n-at)] {
			b[at+i] = '0'
		}
	}
	return string(b)
}

func (r numberMaker) number(most int) string {
	s := []string{"", "-"}[r.IntN(2)]
	if r.IntN(3) == 0 {
		s += "0"
	} else {
		s += string(byte('1'+r.IntN(9))) + r.digits(r.IntN(most))
	}
	if r.IntN(3) > 0 {
		s += "." + r.digits(1+r.IntN(most))
	}
	if r.IntN(2) == 0 {
		s += []string{"e", "E"}[r.IntN(2)] + []string{"", "+", "-"}[r.IntN(3)]
		switch r.IntN(8) {
		case 0:
			s += r.digits(1 + r.IntN(9))
		case 1:
			s += strconv.Itoa(270 + r.IntN(70))
		default:
			s += strconv.Itoa(r.IntN(30))
		}
	}
	if r.IntN(8) == 0 { // not as it should be
		at := r.IntN(len(s) + 1)
		s = s[:at] + []string{"-", "+", ".", "e", "0", "x", ""}[r.IntN(7)] + s[at+r.IntN(len(s)-at+1):]
	}
	return s
}

// TestShortNumbers: shortNumber writes the numbers that it says, and no others.
func TestShortNumbers(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(7, 7))}
	w, taken := numberWriter(), 0
	try := func(s string, behind byte) {
		w.give("[" + s + string(rune(behind)))
		end, o := w.shortNumber(1, 3)
		parts := number.FindStringSubmatch(s)
		want := parts != nil && ends[behind]
		if want {
			d := decimalOf([]byte(s))
			last := d.point - len(d.digits)
			want = len(parts[2]) <= 7 && len(parts[3]) <= 7 && len(strings.TrimLeft(parts[4], "+-")) <= 4 &&
				len(d.digits) > 0 && leastKept <= last && last <= greatestKept
		}
		if !want {
			if end >= 0 {
				t.Fatalf("%q before %q is written as %q", s, behind, piece(w.out, 3, o))
			}
			return
		}
		taken++
		if form := canonicalNumber(s); end != 1+len(s) || o < 0 || w.written(o) != form {
			t.Fatalf("%q before %q: from %d to %d, want %s", s, behind, end, o, form)
		}
	}
	const behinds = ",,,,,,]} \t\n\rx0.e-+\x00"
	for range rounds(60_000) {
		try(r.number(9), behinds[r.IntN(len(behinds))])
	}
	if taken < rounds(10_000) {
		t.Errorf("only %d are taken", taken)
	}
	for _, s := range []string{
		"1e290", "1e291", "10e290", "10e289", "1e-323", "1e-324", "1.5e-322", "1.5e-323", "12345670e-324", "1234567.1234567e-316", "1234567.1234567e-317", "1.1e291", "1.1e292",
		"0.0000001", "0.1234567e-316", "0.0000001e-316", "0.0000001e-317", "0e5", "0.0", "7e0000", "7e+0000", "7e-0000", "7e00000", "7e+00000", "7e1234", "7e9999", "7e-9999", "7e12345", "7e123456", "7e1234567", "7e12345678", "9999999.9999999", "1000000", "-1000000.0000000",
	} {
		try(s, ',')
	}
}

// checkRead holds decimalText.read to the digits as text.
func checkRead(s string, behind byte) error {
	var n decimalText
	end := n.read(padded("[ "+s+string(rune(behind))), 2) // what stands at 1 ends a number
	parts := number.FindStringSubmatch(s)
	if parts == nil || !ends[behind] {
		if end >= 0 {
			return fmt.Errorf("%q before %q is read as a number", s, behind)
		}
		return nil
	}
	want := decimalText{negative: parts[1] == "-"}
	all := strings.TrimLeft(parts[2]+parts[3], "0")
	first, rest := all[:min(19, len(all))], all[min(19, len(all)):]
	want.nextCount = min(16, len(rest))
	// What follows the point is read in one piece with what stands before it if
	// that ends where a piece does.
	if before := len(strings.TrimLeft(parts[2], "0")) - 19; before > 0 && before < 16 && before != 8 {
		want.nextCount = before
	}
	if want.nextCount > 0 {
		next, err := strconv.ParseUint(rest[:want.nextCount], 10, 64)
		if err != nil {
			return err
		}
		want.next = next
		want.more = strings.Trim(rest[want.nextCount:], "0") != ""
	}
	kept := strings.TrimRight(first, "0")
	if kept != "" {
		digits, err := strconv.ParseUint(kept, 10, 64)
		if err != nil {
			return err
		}
		want.digits = digits
	}
	if power := strings.TrimLeft(parts[4], "+-"); len(power) < 10 {
		e := 0
		if power != "" {
			parsed, err := strconv.Atoi(parts[4])
			if err != nil {
				return err
			}
			e = parsed
		}
		want.exponent = e - len(parts[3]) + len(rest)
		if kept != "" {
			want.exponent += len(first) - len(kept)
		}
	} else {
		want.exponent = n.exponent // where it is cut, see TestExponentsAreCutFarBeyondAnyText
	}
	if end != 2+len(s) || n != want {
		return fmt.Errorf("%q before %q is read up to %d as %+v, want %+v", s, behind, end, n, want)
	}
	if n.cut() != (strings.Trim(rest, "0") != "") {
		return fmt.Errorf("%q: cut is %v", s, n.cut())
	}
	return nil
}

func TestNumbersAreRead(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(19, 16))}
	const behinds = ",,,,,,]} \t\n\rx0.e-+\x00"
	for range rounds(40_000) {
		if err := checkRead(r.number(1+r.IntN(60)), behinds[r.IntN(len(behinds))]); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < 80; n += 20 / rounds(20) { // digits, zeros at either side, and the point at every place
		for at := range n + 1 {
			for _, s := range []string{
				strings.Repeat("7", at) + "." + strings.Repeat("3", n-at), "1" + strings.Repeat("0", at) + "." + strings.Repeat("0", n-at),
				"0." + strings.Repeat("0", at) + strings.Repeat("9", n-at), strings.Repeat("1234567890", 8)[:at] + strings.Repeat("0", n-at),
				"1" + strings.Repeat("0", n) + "." + strings.Repeat("0", at) + "1", "5" + strings.Repeat("0", at) + "1" + strings.Repeat("0", n-at),
			} {
				if err := checkRead(s, ','); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestNumbersOfManyDigitsAreRounded holds decimalText.double, by the three ways
// it has, to strconv, also close to where doubles part.
func TestNumbersOfManyDigitsAreRounded(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(19, 53))}
	for range rounds(5_000) {
		s := r.number(1 + r.IntN(40))
		if r.IntN(2) == 0 { // close to a middle
			digits, e := middleOf(r.Uint64N(infinity - 1))
			b := []byte((digits + strings.Repeat("0", 60))[:20+r.IntN(40)])
			b[18+r.IntN(len(b)-18)] = byte('0' + r.IntN(10))
			texts := spellings(string(b), e)
			s = texts[r.IntN(len(texts))]
		}
		var n decimalText
		in := padded(s + ",")
		if n.read(in, 0) < 0 || n.exponent > 400 || n.exponent < -800 {
			continue
		}
		want := doubleOf(s)
		if got := n.double(in, 0); got != want {
			t.Fatalf("%q gives %#x, want %#x", s, got, want)
		}
	}
}

// TestScalars holds scalar, changedScalar and rareScalar, with any refusals, to
// what judgeNumber and strconv say of a number.
func TestScalars(t *testing.T) {
	r := numberMaker{rand.New(rand.NewPCG(3, 16))}
	w := numberWriter()
	accepted, refused := 0, 0
	for k := range rounds(24_000) {
		w.negativeZero, w.underflow, w.inexact = k&1 != 0, k&2 != 0, k&4 != 0
		s := r.number(1 + r.IntN(24))
		if r.IntN(8) == 0 { // to zero, or nearly
			s = []string{"0.0", "-0", "-0.0e7", "1e-400", "-1.5e-330", "-2e-324", "3e-324", "0e5", "1e999", "-1e309", "1.0e308", "123456789012345678e291"}[r.IntN(12)]
		}
		w.give("[" + s + ",")
		end, double := asItStands(w.in, 1)
		wantEnd, form := -1, ""
		if number.MatchString(s) && w.rules.judgeNumber([]byte(s)) == reject.None {
			wantEnd, form = 1+len(s), canonicalNumber(s)
			accepted++
		} else {
			refused++
		}
		check := func(name string, behind, o int) {
			if wantEnd < 0 && (behind != -1 || o != -1) || wantEnd > 0 && (behind != wantEnd || o < 0 || w.written(o) != form) {
				t.Fatalf("%s of %q, refusals %b: up to %d, %d, want %d, %s", name, s, k&7, behind, o, wantEnd, form)
			}
		}
		behind, o := w.rareScalar(1, 3)
		check("rareScalar", behind, o)
		if end < 0 {
			behind, o = w.changedScalar(1, 3, end, double)
			check("changedScalar", behind, o)
		}
	}
	if accepted < rounds(8_000) || refused < rounds(4_000) {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

// TestScalarsOfManyBytesAreRefused: a limit of digits counts the bytes of what
// does not stay as it stands.
func TestScalarsOfManyBytesAreRefused(t *testing.T) {
	w := numberWriter()
	for _, s := range []string{"1.50", "1e20", "0.30000000000000001", "12345678901234567890123", "-1.0"} {
		w.give("[" + s + ",")
		for digits := range len(s) + 2 {
			w.digits = digits
			wantEnd := -1
			if digits >= len(s) {
				wantEnd = 1 + len(s)
			}
			if end, o := (bare{w}).scalar(1, 3); end != wantEnd || (o < 0) != (end < 0) {
				t.Errorf("%s with a limit of %d: up to %d, %d", s, digits, end, o)
			}
		}
	}
}
