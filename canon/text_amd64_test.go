//go:build !purego

package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// eightsOf is the slow twin of unicodeAVX2.
func eightsOf(s []byte, last int) (out []byte, read int) {
	for more := true; more; more = read <= last {
		var units []rune
		for p := read; p < read+8*unicodeSize; p += unicodeSize {
			u, err := strconv.ParseUint(string(s[p+2:p+unicodeSize]), 16, 16)
			if s[p] != '\\' || s[p+1] != 'u' || err != nil {
				return out, read
			}
			units = append(units, rune(u))
		}
		var pairs []rune
		for pair := range slices.Chunk(units, 2) {
			pairs = append(pairs, utf16.DecodeRune(pair[0], pair[1]))
		}
		changed := func(u rune) bool { return utf16.IsSurrogate(u) || u < ' ' || u == '"' || u == '\\' }
		switch {
		case !slices.Contains(pairs, utf8.RuneError):
			units = pairs
		case slices.ContainsFunc(units, changed):
			return out, read
		}
		for _, r := range units {
			out = utf8.AppendRune(out, r)
		}
		read += 8 * unicodeSize
	}
	return out, read
}

// TestEightEscapesAreChanged holds unicodeAVX2 to its slow twin, in what it reads, too:
// if it stopped early, its caller would write the same without it.
func TestEightEscapesAreChanged(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no AVX2")
	}
	const beyond = 12
	out := make([]byte, 100)
	check := func(s []byte, last int) {
		want, wantRead := eightsOf(s, last)
		for i := range out {
			out[i] = '#'
		}
		read, written := unicodeAVX2(&out[0], &s[0], last)
		if read != wantRead || !bytes.Equal(out[:written], want) {
			t.Fatalf("%s up to %d: %d bytes read, %q written; want %d, %q", s, last, read, out[:written], wantRead, want)
		}
		if rest := bytes.Trim(out[written+beyond:], "#"); len(rest) > 0 {
			t.Fatalf("%s up to %d: %q stands behind what is written", s, last, rest)
		}
	}
	r := rand.New(rand.NewPCG(8, 6))
	put := func(s []byte, at int, u int) {
		copy(s[unicodeSize*at:], fmt.Sprintf([]string{`\u%04x`, `\u%04X`}[r.IntN(2)], u))
	}
	ones, pairs := make([]byte, 8*unicodeSize), make([]byte, 8*unicodeSize)
	step := 20 / rounds(20)
	for u := 0; u < 0x10000; u += step { // every code unit, each beside some of any size
		for i := range 8 {
			put(ones, i, ']'+r.IntN(1<<(1+r.IntN(15))))
		}
		put(ones, r.IntN(8), u)
		check(ones, 0)
	}
	for high := 0xD800; high < 0xDC00; high++ { // every half of a pair
		for i := range 4 {
			put(pairs, 2*i, 0xD800+(high+r.IntN(1<<r.IntN(11)))%0x400)
			put(pairs, 2*i+1, 0xDC00+r.IntN(0x400))
		}
		at := r.IntN(4)
		put(pairs, 2*at, high)
		put(pairs, 2*(3-at)+1, high+0x400)
		check(pairs, 0)
		put(pairs, r.IntN(8), r.IntN(0x10000))
		check(pairs, 0)
	}
	for _, s := range []string{`\u00e9\u20AC\u0041\uFFFF\u07ff\u0800\u007F\u0080`, `\ud83d\ude00\uD800\uDC00\udbff\udfff\uDABC\uDDEF`} {
		for at := range s { // every byte in every place
			for b := range 256 {
				faulty := []byte(s)
				faulty[at] = byte(b)
				check(faulty, 0)
			}
		}
		long := []byte(s + s + s)
		for last := range 2*len(s) + 1 { // and where it stops
			check(long, last)
		}
	}
}

// TestEightEscapesAreLookedFor: where the eighth from a place on is one and begins at
// the place to stop at, or before.
func TestEightEscapesAreLookedFor(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no AVX2")
	}
	defer func() { useKernel = bestKernel }()
	before := strings.Repeat(" ", 100)
	for q := 100; q < 117; q++ {
		run := textOf([]byte(before + strings.Repeat("\\u0041", 10) + before))
		for stop := 100; stop < 200; stop++ {
			last := q + 7*unicodeSize
			want := (q-100)%unicodeSize == 0 && last <= stop
			if useKernel = bestKernel; hasEight(run, q, stop) != want {
				t.Errorf("at %d, stopping at %d: %t", q-100, stop-100, !want)
			}
			if useKernel = kernelNone; hasEight(run, q, stop) {
				t.Errorf("at %d without a kernel", q-100)
			}
		}
	}
}
