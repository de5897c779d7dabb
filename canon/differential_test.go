package canon_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// seeds are texts that the mutations of the differential test start from.
var seeds = []string{
	`{"b":[1,2.50,{"y":null,"x":true}],"a":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"}`,
	`[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,1e400,1e-400,123456789012345678]`,
	"{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\u0080\":6,\"\u00f6\":7,\"\uffff\":8}",
	"  [ \"\\ud83d\\ude00\\uD83D\\uDE00\U0001F600\" , \t{ } , [ ] , false ]\r\n",
	`{"a":{"a":{"a":[[[{"b":1,"a":2},{"b":1,"a":2}]]]}},"aa":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","ab":0}`,
	`{"long name one":1,"long name two":2,"long name":3,"long nam":4,"long name ones":5,"":6,"1":7,"10":8,"2":9}`,
	"\"\u00e9\u4e2d\U00010000\ufffd\"", "-12.34e-56", "true", "\uFEFF{}", `{"":{"":{"":[0]}}}`,
}

// splices are what mutations put into a text.
var splices = []string{
	`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, ` `, "\n", "\t", "\v", "\x00", "\x1f", "\x7f", "\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80",
	"\xf0\x9f\x98\x80", "\xff", "\u00a0", "\uFEFF", "\uffff", `\u`, `\ud800`, `\udc00`, `\uD83D\uDE00`, `\u0061`, `\u0000`, `\n`, `\/`, `\"`,
	`0`, `1`, `9`, `-`, `+`, `.`, `e`, `E`, `e5`, `e-7`, `00`, `000000`, `12345678`, `.5`, `1e308`, `true`, `null`, `fals`, `"a":1,`, `"a"`, `,"b":2`,
	`{"a":1}`, `[1]`, `""`, `//`, `'`, `/`, `NaN`, `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, `          `,
}

func mutate(r *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range r.IntN(4) {
		at := r.IntN(len(text) + 1)
		end := min(len(text), at+r.IntN(1+r.IntN(8)))
		with := ""
		if r.IntN(4) > 0 {
			with = splices[r.IntN(len(splices))]
		}
		if r.IntN(16) == 0 {
			from := r.IntN(len(text) + 1)
			with = string(text[from:min(len(text), from+r.IntN(40))])
		}
		text = append(text[:at:at], append([]byte(with), text[end:]...)...)
	}
	return text
}

// agree is the law: the fast derivation and the reference say the same of a
// text, in the bytes or in reason, offset, line, column and clause.
func agree(src []byte) error {
	want, wantErr := reference.Canonicalize(src)
	got, gotErr := canon.Canonicalize(src)
	var err error
	canon.EachKernel(func() {
		if fast, ok := canon.FastAppend(canon.Options{}, nil, src); ok != (wantErr == nil) || !bytes.Equal(fast, want) {
			err = fmt.Errorf("%q gives %q, %v on the fast path\nreference %q, %v", src, fast, ok, want, wantErr)
		}
		if canon.Valid(src) != (wantErr == nil && bytes.Equal(src, want)) {
			err = fmt.Errorf("Valid(%q) is wrong", src)
		}
		if wantErr == nil && !canon.Valid(want) {
			err = fmt.Errorf("Valid(%q) is false", want)
		}
	})
	if err != nil {
		return err
	}
	if wantErr == nil {
		if plain := canon.PlainAppend(nil, src); !bytes.Equal(plain, want) {
			return fmt.Errorf("%q gives %q on the plain path\nreference %q", src, plain, want)
		}
	}
	if wantErr == nil || gotErr == nil {
		if (wantErr == nil) != (gotErr == nil) || !bytes.Equal(got, want) {
			return fmt.Errorf("%q gives %q, %v\nreference %q, %v", src, got, gotErr, want, wantErr)
		}
		return nil
	}
	var a, b *reject.Error
	if !errors.As(gotErr, &a) || !errors.As(wantErr, &b) {
		return fmt.Errorf("%q: an error is of another type", src)
	}
	g, w := *a, *b
	g.Package, w.Package, g.Detail, w.Detail = "", "", "", ""
	if g != w {
		return fmt.Errorf("%q refused with\n%v\nreference\n%v", src, gotErr, wantErr)
	}
	return nil
}

func TestAgreesWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(8785, 1))
	rounds := 30_000
	if testing.Short() {
		rounds /= 40
	}
	for range rounds {
		src := mutate(r, []byte(seeds[r.IntN(len(seeds))]))
		if err := agree(src); err != nil {
			t.Fatal(err)
		}
	}
	// Texts that are longer than a window of the index, at every place of it.
	for range rounds / 30 {
		src := mutate(r, []byte(seeds[r.IntN(len(seeds))]))
		for range 1 + r.IntN(3) {
			pad := `["` + strings.Repeat("x", 4096*r.IntN(3)+4030-r.IntN(120)) + `",`
			if r.IntN(3) == 0 {
				pad = "[" + strings.Repeat(" ", 4096*r.IntN(2)+4060-r.IntN(120)) + `0,`
			}
			if r.IntN(3) == 0 {
				pad = "[" + strings.Repeat(`"\"\u0001",`, 350+r.IntN(40))
			}
			src = append(append([]byte(pad), src...), ']')
		}
		if err := agree(src); err != nil {
			t.Fatal(err)
		}
	}
	for _, depth := range []int{999, 1000, 1001, 1002} {
		for _, src := range []string{
			strings.Repeat("[", depth) + strings.Repeat("]", depth),
			strings.Repeat(`{"b":0,"a":`, depth) + "1" + strings.Repeat("}", depth),
			strings.Repeat(`[{"":`, depth/2) + strings.Repeat("}]", depth/2),
		} {
			if err := agree([]byte(src)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
