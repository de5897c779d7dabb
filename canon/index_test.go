//go:build !purego && (amd64 || arm64)

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

// packedOf is the kernels' slow twin: it reads one byte after another, and
// appends what is no white space outside strings to in.
func packedOf(text, in []byte, s *scan) (packed []byte, entries []uint32) {
	for _, b := range text {
		escaped, list := s.escaped, false
		s.escaped = 0
		blank := s.quoted == 0 && bytes.IndexByte([]byte(" \t\n\r"), b) >= 0
		scalar := s.quoted == 0 && !blank && bytes.IndexByte([]byte(`{}[]:,"`), b) < 0
		switch {
		case s.quoted != 0 && escaped != 0:
			list = bytes.IndexByte([]byte(`"\bfnrt`), b) < 0
		case s.quoted != 0 && b == '\\':
			s.escaped, s.backslash = 1, 1
		case b == '"':
			list = s.quoted != 0
			s.quoted = ^s.quoted
		}
		if s.quoted != 0 && b < ' ' || scalar && s.blank != 0 && len(in) > 0 && bytes.IndexByte([]byte(`{}[]:,"`), in[len(in)-1]) < 0 {
			s.fault = 1
		}
		if s.blank = 0; blank {
			s.blank = 1
		}
		if b >= 0x80 {
			s.wide = 1
		}
		if list {
			entries = append(entries, uint32(len(in)))
		}
		if !blank {
			in = append(in, b)
		}
	}
	return in, entries
}

// TestKernelsAgree compares each kernel with its slow twin: the copy, the
// entries, and what one window leaves to the next. The last one is of any size.
func TestKernelsAgree(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no kernel")
	}
	defer func() { useKernel = bestKernel }()
	const alphabet = "\"\"\"\\\\/bfnrtuvRBa2dj{}[]:,  \t\n0aZ\x00\x0c\x1a\x1f\x7f\x80\xc3\xed\xee\xff"
	r := rand.New(rand.NewPCG(64, 1))
	for range 20_000 {
		src := make([]byte, 1+r.IntN(blockSize*6))
		dense, rest := 1+r.IntN(12), "x  "[r.IntN(3)]
		quoted, escaped := false, false
		for i := range src {
			src[i] = rest
			if r.IntN(dense) == 0 {
				src[i] = alphabet[r.IntN(len(alphabet))]
			}
			// Outside strings these make no text, and the kernels may differ.
			if !quoted && (src[i] == '\\' || src[i] < ' ' && bytes.IndexByte([]byte("\t\n\r"), src[i]) < 0) {
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
		for useKernel = kernelNone + 1; useKernel <= bestKernel; useKernel++ {
			entries, in := make([]uint32, len(src)+entrySlack), make([]byte, len(padded)+blockSize)
			got, want := scan{}, scan{}
			length, copied := 0, []byte{}
			for from := 0; from < len(src); from += window {
				to := min(from+window, len(src))
				n, packed := indexText(src[from:to], in, length, entries, &got)
				length += packed
				got.fault, got.wide = min(got.fault, 1), min(got.wide, 1)
				var listed []uint32
				copied, listed = packedOf(padded[from:(to+blockSize-1)&^(blockSize-1)], copied, &want)
				if !slices.Equal(entries[:n], listed) || got != want {
					t.Fatalf("kernel %d reads %q from %d as\n%v %+v\ntwin %v %+v", useKernel, src, from, entries[:n], got, listed, want)
				}
				if !bytes.Equal(in[:length], copied) {
					t.Fatalf("kernel %d copies %q as %q", useKernel, src, in[:length])
				}
			}
		}
	}
}

// TestUTF8KernelAgrees compares the kernel that the processor has with unicode/utf8: all sequences of
// three bytes beyond ASCII at all places of a block's end, and random ones.
func TestUTF8KernelAgrees(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no kernel")
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

// TestKernelsAreUsed: a text is read by an index if there is a kernel for one.
func TestKernelsAreUsed(t *testing.T) {
	eachKernel(func() {
		for name, read := range map[string]func(*writer) bool{
			"appendTo": func(w *writer) bool { _, ok := w.appendTo(nil); return ok },
			"accepts":  (*writer).accepts,
			"verify":   (*writer).verify,
		} {
			w := new(writer)
			w.start(&defaultRules, []byte(`["a"]`))
			if ok := read(w); !ok || w.ended != (useKernel != kernelNone) {
				t.Errorf("%s with kernel %d: %v, read by an index: %v", name, useKernel, ok, w.ended)
			}
		}
	})
}

// TestEntriesAreHeld: a writer holds on to its entries too.
func TestEntriesAreHeld(t *testing.T) {
	w := writer{index: index{entries: make([]uint32, 11, 12)}}
	if got := w.held() - new(writer).held(); got != 44 {
		t.Errorf("%d bytes, want 44", got)
	}
}
