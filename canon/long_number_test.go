package canon_test

import (
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
)

// TestLongNumbers: the exponent makes good what hundreds of digits, or of
// zeros behind the point, add; strconv.ParseFloat miscounts both.
func TestLongNumbers(t *testing.T) {
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for _, text := range []string{
		"1" + zeros(799) + "e-799",
		"1" + zeros(800) + "e-800",
		"1" + zeros(800) + "e-491",
		"1" + zeros(5000) + "e-5000",
		"-9007199254740993" + zeros(700) + "1e-701",
		"-9007199254740993" + zeros(790) + "1e-791",
		"9007199254740993" + zeros(900) + "1e-901",
		"9007199254740993" + zeros(900) + "e-900",
		strings.Repeat("7", 900) + "e-850",
		strings.Repeat("7", 900) + "." + strings.Repeat("3", 900) + "e-850",
		"0." + zeros(120_000) + "1e120001",
		"0." + zeros(120_000) + "9007199254740993" + zeros(900) + "1e120016",
		"1" + zeros(120_000) + "e-120000",
		"0." + zeros(900) + "e100000",
		"-0" + "." + zeros(900),
		"1e-" + strings.Repeat("9", 900),
		"1e-" + zeros(900) + "1",
		"1e+" + zeros(900) + "1",
		"1" + zeros(320),
		"1" + zeros(900),
	} {
		got, gotErr := canon.Canonicalize([]byte(text))
		want, wantErr := reference.Canonicalize([]byte(text))
		if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%s… of %d bytes: %s, %v; the reference says %s, %v", text[:20], len(text), got, gotErr, want, wantErr)
		}
		if gotErr != nil {
			continue
		}
		if plain := canon.PlainAppend(nil, []byte(text)); string(plain) != string(want) {
			t.Errorf("%s… of %d bytes: %s on the plain path; the reference says %s", text[:20], len(text), plain, want)
		}
	}
}

// TestEveryShortNumber: canon and the reference agree on every text of up to six
// of the bytes that numbers are made of, whether it is a number or not.
func TestEveryShortNumber(t *testing.T) {
	const alphabet, most = "019.eE+-", 6
	numbers := 0
	var text [most]byte
	var try func(size int)
	try = func(size int) {
		if size > 0 {
			got, err := canon.Canonicalize(text[:size])
			want, wantErr := reference.Canonicalize(text[:size])
			if string(got) != string(want) || (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %s, %v; the reference says %s, %v", text[:size], got, err, want, wantErr)
			}
			if valid := canon.Valid(text[:size]); valid != (err == nil && string(want) == string(text[:size])) {
				t.Fatalf("Valid(%s) is %v, its form %s", text[:size], valid, want)
			}
			if err == nil {
				numbers++
			}
		}
		if size == most || testing.Short() && size == most-2 {
			return
		}
		for _, b := range []byte(alphabet) {
			text[size] = b
			try(size + 1)
		}
	}
	try(0)
	if numbers < 200 {
		t.Fatalf("only %d are numbers", numbers)
	}
}
