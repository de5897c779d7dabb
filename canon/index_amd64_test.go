//go:build !purego

package canon

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// TestKernelsAgree compares each kernel with its twin in plain Go: the copy, the
// entries, and what one block leaves to the next.
func TestKernelsAgree(t *testing.T) {
	const alphabet = "\"\"\"\\\\{}[]:,  \t\n0aZ\x00\x0c\x1a\x1f\x7f\x80\xc3\xed\xee\xff"
	r := rand.New(rand.NewPCG(64, 1))
	type result struct {
		entries []uint32
		state   scan
		copied  []byte
	}
	read := func(k kernel, src []byte, window int) result {
		useKernel = k
		defer func() { useKernel = bestKernel }()
		entries, in := make([]uint32, len(src)+2*entrySlack), make([]byte, len(src))
		n, s := 0, scan{}
		for from := 0; from < len(src); from += window {
			n += indexBlocks(src, in, from, min(from+window, len(src)), entries[n:], &s)
		}
		for _, word := range []*uint64{&s.control, &s.wide, &s.high} {
			*word = min(*word, 1)
		}
		s.scalar &^= s.quoted // inside a string nobody asks
		return result{entries[:n], s, in}
	}
	if bestKernel == kernelGeneric {
		t.Skip("this processor has no AVX2")
	}
	for range 20_000 {
		src := make([]byte, blockSize*(1+r.IntN(6)))
		dense := 1 + r.IntN(12)
		quoted, escaped := false, false
		for i := range src {
			src[i] = 'x'
			if r.IntN(dense) == 0 {
				src[i] = alphabet[r.IntN(len(alphabet))]
			}
			// Outside strings these make no text, and the kernels may differ.
			if !quoted && bytes.IndexByte([]byte("\\\x0c\x1a"), src[i]) >= 0 {
				src[i] = ' '
			}
			switch {
			case escaped:
				escaped = false
			case src[i] == '"':
				quoted = !quoted
			case src[i] == '\\':
				escaped = true
			}
		}
		window := blockSize * (1 + r.IntN(3))
		want := read(kernelGeneric, src, window)
		for k := kernelAVX2; k <= bestKernel; k++ {
			got := read(k, src, window)
			if !slices.Equal(got.entries, want.entries) || got.state != want.state || !bytes.Equal(got.copied, src) {
				t.Fatalf("kernel %d reads %q as\n%v %+v\ntwin %v %+v", k, src, got.entries, got.state, want.entries, want.state)
			}
		}
	}
}

// TestUTF8KernelAgrees compares utf8AVX2 with unicode/utf8: all sequences of
// three bytes beyond ASCII at all places of a block's end, and random ones.
func TestUTF8KernelAgrees(t *testing.T) {
	if bestKernel == kernelGeneric {
		t.Skip("this processor has no AVX2")
	}
	text := bytes.Repeat([]byte{' '}, 3*blockSize)
	check := func() {
		if got, want := validUTF8(text), utf8.Valid(text); got != want {
			t.Fatalf("validUTF8(%q) = %v", text, got)
		}
	}
	edges := []byte{0x20, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges[:18] {
					copy(text[blockSize-2:], []byte{a, b, c, d})
					check()
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(8, 1))
	for range 50_000 {
		for i := range text {
			text[i] = ' '
		}
		at := r.IntN(len(text) - 4)
		for i := at; i < len(text); {
			if i += utf8.EncodeRune(text[i:], rune(r.IntN(0x110000)))%4 + 0; r.IntN(3) == 0 {
				break
			}
			i++
			if i+4 > len(text) {
				break
			}
		}
		check()
		text[at] ^= byte(1 << r.IntN(8))
		check()
		text[len(text)-1-r.IntN(3)] = byte(0xC0 + r.IntN(64))
		check()
	}
}
