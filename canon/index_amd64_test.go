//go:build !purego

package canon

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// eachKernel calls f for every way to read a text that this processor has.
func eachKernel(f func()) {
	defer func() { useKernel = bestKernel }()
	for useKernel = kernelNone; useKernel <= bestKernel; useKernel++ {
		f()
	}
}

// entriesOf is the kernels' slow twin: it reads one byte after another.
func entriesOf(text []byte, at int, s *scan) (entries []uint32) {
	for i, b := range text {
		escaped, scalar, list := s.escaped, uint64(0), false
		s.escaped = 0
		switch {
		case s.quoted != 0 && escaped != 0:
			list = bytes.IndexByte([]byte(`"\bfnrt`), b) < 0
		case s.quoted != 0 && b == '\\':
			s.escaped, s.backslash = 1, 1
		case b == '"':
			s.quoted, list = ^s.quoted, true
		case s.quoted == 0 && bytes.IndexByte([]byte("{}[]:,"), b) >= 0:
			list = true
		case s.quoted == 0 && bytes.IndexByte([]byte(" \t\n\r"), b) < 0:
			scalar, list = 1, s.scalar == 0
		}
		s.scalar = scalar
		if s.quoted != 0 && b < ' ' {
			s.control = 1
		}
		if b >= 0x80 {
			s.wide = 1
		}
		if list {
			entries = append(entries, uint32(at+i))
		}
	}
	return entries
}

// TestKernelsAgree compares each kernel with its slow twin: the copy, the
// entries, and what one window leaves to the next. The last one is of any size.
func TestKernelsAgree(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no AVX2")
	}
	defer func() { useKernel = bestKernel }()
	const alphabet = "\"\"\"\\\\/bfnrtuvRBa2dj{}[]:,  \t\n0aZ\x00\x0c\x1a\x1f\x7f\x80\xc3\xed\xee\xff"
	r := rand.New(rand.NewPCG(64, 1))
	for range 20_000 {
		src := make([]byte, 1+r.IntN(blockSize*6))
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
		padded := append(bytes.Clone(src), bytes.Repeat([]byte{' '}, -len(src)&(blockSize-1))...)
		window := blockSize * (1 + r.IntN(3))
		for useKernel = kernelAVX2; useKernel <= bestKernel; useKernel++ {
			entries, in := make([]uint32, len(src)+2*entrySlack), make([]byte, len(padded))
			got, want := scan{}, scan{}
			for from := 0; from < len(src); from += window {
				to := min(from+window, len(src))
				n := indexText(src, in, from, to, entries, &got)
				got.control, got.wide = min(got.control, 1), min(got.wide, 1)
				got.scalar &^= got.quoted // inside a string nobody asks
				listed := entriesOf(padded[from:(to+blockSize-1)&^(blockSize-1)], from, &want)
				if !slices.Equal(entries[:n], listed) || got != want {
					t.Fatalf("kernel %d reads %q from %d as\n%v %+v\ntwin %v %+v", useKernel, src, from, entries[:n], got, listed, want)
				}
			}
			if !bytes.Equal(in, padded) {
				t.Fatalf("kernel %d copies %q as %q", useKernel, src, in)
			}
		}
	}
}

// TestUTF8KernelAgrees compares utf8AVX2 with unicode/utf8: all sequences of
// three bytes beyond ASCII at all places of a block's end, and random ones.
func TestUTF8KernelAgrees(t *testing.T) {
	if bestKernel == kernelNone {
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
