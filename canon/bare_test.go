package canon

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// bareOf gives a walk without an index that has read text.
func bareOf(text []byte) bare {
	w := bare{newWriter(&defaultRules, text)}
	w.begin()
	return w
}

// TestBareWellFormedAgrees compares wellFormed with utf8.Valid: for all pairs of
// first bytes with those behind them that make a difference, at each place in a
// block.
func TestBareWellFormedAgrees(t *testing.T) {
	at, valid := 0, 0
	for first := 0x7F; first <= 0xFF; first++ {
		for second := range 0x100 {
			for _, tail := range []string{"", "a", "\x80", "\xbf", "\x80\x80", "\xbf\xc0", "\x7f\xbf", "\xbf\x80\xc3\xa9", "\xe4\xb8\xad"} {
				text := append(bytes.Repeat([]byte("a"), at%40), byte(first), byte(second))
				text = append(text, tail...)
				at++
				w := bareOf(text)
				got, want := w.wellFormed(), utf8.Valid(text)
				if w.free(); got != want {
					t.Fatalf("%q: %v, want %v", text, got, want)
				}
				if want {
					valid++
				}
			}
		}
	}
	if valid == 0 {
		t.Error("no text was UTF-8")
	}
}

// keptEndOf is keptEnd's slow twin.
func keptEndOf(text []byte, p int) int {
	for {
		switch {
		case text[p] == '"' || text[p] < ' ':
			return p
		case text[p] != '\\':
			p++
		case bytes.IndexByte([]byte(`"\bfnrt`), text[p+1]) < 0:
			return p
		default:
			p += 2
		}
	}
}

func TestBareKeptEndAgrees(t *testing.T) {
	const alphabet = "\"\\\\\\\\/bfnrtu!#]^ ~ab\x00\x1f\x7f\x80\x81\x82\xa2\xdc\xff"
	r := rand.New(rand.NewPCG(16, 1))
	for range 20_000 {
		text := bytes.Repeat([]byte("aé"), r.IntN(20))
		for range r.IntN(40) {
			text = append(text, alphabet[r.IntN(len(alphabet))])
		}
		w := bareOf(text)
		end := keptEnd(w.in, 0)
		want := keptEndOf(append(text, " \x00\x00"...), 0)
		if w.free(); end != want {
			t.Fatalf("%q: %d, want %d", text, end, want)
		}
	}
}

// TestBareBlankEnd: white space ends at each byte that is none, however much there is.
func TestBareBlankEnd(t *testing.T) {
	for n := range 40 {
		for b := range 0x100 {
			if isBlank[b] {
				continue
			}
			for _, blank := range []string{" ", "\n", "\t \r"} {
				blanks := bytes.Repeat([]byte(blank), n)
				w := bareOf(append(blanks, byte(b), ' '))
				end := blankEnd(w.in, 0)
				if w.free(); end != len(blanks) {
					t.Fatalf("%d of %q and %#x: %d", n, blank, b, end)
				}
			}
		}
	}
}

// TestBareDepth: containers are as deep as is allowed, and not deeper, whatever they are
// in.
func TestBareDepth(t *testing.T) {
	const deepest = 5
	for depth := range 9 {
		for kinds := range 1 << depth {
			text := "0"
			for level := range depth {
				if kinds>>level&1 == 0 {
					text = "[" + text + "]"
				} else {
					text = `{"a":` + text + "}"
				}
			}
			w := bareOf([]byte(text))
			w.deepest = deepest
			writes, is := w.walk() == len(text), w.verify()
			if w.free(); writes != (depth <= deepest) || is != writes {
				t.Fatalf("%s: written %t, canonical %t", text, writes, is)
			}
		}
	}
}
