package canon

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestNumbersAreThoseOfAppendixB holds RFC 8785 appendix B.
func TestNumbersAreThoseOfAppendixB(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		got, err := AppendNumber(nil, math.Float64frombits(bits))
		if err != nil || string(got) != want {
			t.Errorf("%016x: got %s, %v, want %s", bits, got, err, want)
		}
	}
}

// TestNumbersAreLaidOutAsConverted: a number's text gives what the double that
// strconv reads from it gives, whichever way it is written.
func TestNumbersAreLaidOutAsConverted(t *testing.T) {
	r := rand.New(rand.NewPCG(1985, 754))
	tries := rounds(50_000)
	if thorough() {
		tries = 2_000_000
	}
	for range tries {
		digits := strconv.FormatUint(r.Uint64()>>r.IntN(64)|1, 10)
		digits += strings.Repeat("0", r.IntN(4)*r.IntN(3))
		if r.IntN(4) == 0 {
			digits += strings.Repeat("9", r.IntN(20))
		}
		text := digits
		if at := r.IntN(len(digits) + 1); at > 0 && at < len(digits) {
			text = digits[:at] + "." + digits[at:]
		} else if at == 0 {
			text = "0." + strings.Repeat("0", r.IntN(2)*r.IntN(10)) + digits
		}
		if r.IntN(2) == 0 {
			text += "e" + strconv.Itoa(r.IntN(640)-330)
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		want, err := AppendNumber(nil, f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Canonicalize([]byte(text)); err != nil || string(got) != string(want) {
			t.Fatalf("%s gives %s, %v; its double gives %s", text, got, err, want)
		}
		if valid := Valid([]byte(text)); valid != (text == string(want)) {
			t.Fatalf("Valid(%s) is %v", text, valid)
		}
	}
}

// TestDecimalLengths: a number without an exponent is as long as is told before.
func TestDecimalLengths(t *testing.T) {
	out := textOf(make([]byte, outputSlack))
	for n := 1; n <= 17; n++ {
		for point := -5; point <= 21; point++ {
			d0, d1, d2, _ := textOfDigits(12345678912345678 / tens[17-n])
			if got, want := decimalLength(n, point), putText(out, 0, d0, d1, d2, n, point); got != want {
				t.Errorf("%d digits, %d before the point: %d bytes, want %d", n, point, got, want)
			}
		}
	}
}
