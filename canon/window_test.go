//go:build !purego && (amd64 || arm64)

package canon

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMembersStayInTheirBuffer: an object has used nearly all the room that there
// need be when a window is read; then come as many bytes as may be read before
// there is more room, of members of objects in each other, which are the shortest.
func TestMembersStayInTheirBuffer(t *testing.T) {
	blanks := func(size int) string { return strings.Repeat(" ", -size&(windowSize-1)) } // to the end of a window
	eachKernel(func() {
		if useKernel == kernelNone {
			return
		}
		for _, depth := range []int{0, -1} {
			levels := defaultDepth - 1
			if depth < 0 {
				levels = 3 * windowSize / 4
			}
			shortest := strings.Repeat(`"":{`, levels) + strings.Repeat(`"":0,`, windowSize)
			for top := memberRoom - windowMembers - 60; top < memberRoom-windowMembers+10; top++ {
				const half = windowSize/2 - 1
				src := "{" + blanks(1+5*top) + strings.Repeat(`"":0,`, top) + shortest[:half] + blanks(half) + shortest[half:half+windowSize+half]

				w := new(writer)
				w.members = make([]member, memberRoom, 3*memberRoom)
				given := w.members
				r := Options{MaxDepth: depth}.rules()
				w.start(&r, []byte(src))
				if _, ok := w.appendTo(nil); ok {
					t.Fatal("a text without an end is accepted")
				}
				if slices.ContainsFunc(given[memberRoom:cap(given)], func(m member) bool { return m != member{} }) {
					t.Fatalf("kernel %d writes members behind its buffer, with %d before", useKernel, top)
				}
				if w.top > len(w.members) {
					t.Fatalf("kernel %d: %d members in a buffer for %d", useKernel, w.top, len(w.members))
				}
			}
		}
	})
}

// TestStringsStayInTheDraft: as much as can be at hand of escapes, some of which
// do not become shorter, behind as long a run as is held together with them.
func TestStringsStayInTheDraft(t *testing.T) {
	eachKernel(func() {
		if useKernel == kernelNone {
			return
		}
		for _, run := range []int{0, editRoom - 2, editRoom - 1, editRoom, editRoom + 1} {
			for k, escape := range []string{`\u001F`, `\u4e2d`, `\ud83d\ude00`, `\u001F`} {
				// Up to the run a window has been read, or it is the first.
				lead := strings.Repeat("y", max(0, windowSize-8-run)*(k&1^1))
				src := `["` + lead + `","` + strings.Repeat("x", run) + strings.Repeat(escape, 2*windowSize) + `"]`
				w := new(writer)
				w.start(&defaultRules, []byte(src))
				given := make([]byte, draftRoom+windowSize)
				w.draft = given[:draftRoom]
				if got, ok := w.appendTo(nil); !ok || !bytes.Equal(got, writePlain(nil, []byte(src))) {
					t.Fatalf("kernel %d: a run of %d and %s: %v", useKernel, run, escape, ok)
				}
				if len(bytes.Trim(given[draftRoom:], "\x00")) > 0 {
					t.Fatalf("kernel %d writes behind its draft, after a run of %d and %s", useKernel, run, escape)
				}
			}
		}
	})
}

// TestTokensAtWindowEnds: tokens, whole and faulty, at every place of a window's
// end and of the last place from which enough is at hand, behind as much white
// space or as many entries as there can be, give what they give without windows.
func TestTokensAtWindowEnds(t *testing.T) {
	defer func() { useKernel = bestKernel }()
	zeros := func(n int) string { return strings.Repeat("0", n) }
	tokens := []string{
		"false", "1.0", "-0", "1e20", "123456789012345678", "0.12345678901234567", "1" + zeros(lookahead-1) + "e-200", "0." + zeros(lookahead) + "1",
		"9007199254740993." + zeros(windowSize) + "1", "1e" + zeros(lookahead) + "7", "1 2", "- 1", "tru", "1. 0",
		`"é€😀"`, `"\u00e9\ud83d\ude00\/\/\/\/\/\u0001\n\u001F"`, `"\\\\\"\\"`, `"\ud83d"`, `"\ud83dx\udc00"`, `"\u00g0"`, "\"\xf0\x9f\x98\"", "\"\xed\xa0\x80\"",
		"\"\x01\"", `"a`, `"\`, `"\u00`, `{"b":1,"a":{"d":1.0,"c":"\/"}}`, `{"é😀":1,"€":2,"":3}`, `{"\u0062":1,"a":2,"b":3}`, `{"a" 1}`, "[[[{}]]]",
	}
	for _, end := range []string{`\u00e9\ud83d\ude00\/\/\/\/\/\u0001\n\u001F\ud83d\ude00`, `\u0001\n\u001f\\\u0000`, `\ud83d\u00e9`, `\u0001\x`, "é€😀", "é\xf0\x9f\x98", "\xf0", "\xe4", "\xc3", "\xff", "\xe4\xb8", "\x80", `\u00e9` + "\xa9", "\xc3" + `\u00a9`} {
		tokens = append(tokens, `"`+strings.Repeat("x", 2*lookahead)+end+`"`) // the walk meets the window's end in it
		tokens = append(tokens, `"\/`+strings.Repeat("x", 2*lookahead)+end+`"`)
	}
	fills := []string{" ", `"",`, `"\/",`, "0,", "1.0,"}
	tails := []string{"]", "", ",1.0" + strings.Repeat(" ", windowSize) + "]", "," + strings.Repeat(`"\/",1.0,`, 200) + `"é"]`}
	for k, token := range tokens {
		for back := -1; back <= len(token)+1; back++ {
			if 64 < back && back < len(token)-64 || back >= windowSize {
				continue
			}
			for i, end := range []int{windowSize, 2*windowSize - lookahead} {
				fill, tail := fills[(k+back+1)%len(fills)], tails[(back+1+i)%len(tails)]
				head := "[" + strings.Repeat(" ", (end-back-1)%len(fill)) + strings.Repeat(fill, (end-back-1)/len(fill))
				src := []byte(head + token + tail)
				useKernel = kernelNone
				want, accepted := appendFast(&defaultRules, nil, src)
				for useKernel = kernelNone + 1; useKernel <= bestKernel; useKernel++ {
					got, ok := appendFast(&defaultRules, nil, src)
					if ok != accepted || !bytes.Equal(got, want) {
						t.Fatalf("kernel %d: %.60q %d bytes before %d gives %v, without windows %v", useKernel, token, back, end, ok, accepted)
					}
					if Valid(src) != (ok && bytes.Equal(src, want)) || ok && !Valid(want) {
						t.Fatalf("kernel %d: %.60q %d bytes before %d: Valid is wrong", useKernel, token, back, end)
					}
				}
			}
		}
	}
}

// TestWindowsTellOfEachOther: what one window leaves to the next, and what only
// one of them has, whichever it is.
func TestWindowsTellOfEachOther(t *testing.T) {
	defer func() { useKernel = bestKernel }()
	fill := func(n int) string { return strings.Repeat("a", n) }
	names := func(a, b string) string { return `{"` + a + `":0,"` + b + `":0}` }
	type pair struct{ text, want string } // no want if it must be refused
	var pairs []pair
	for _, c := range []string{"é", "€", "😀"} {
		for n := 1; n < len(c); n++ {
			for _, windows := range []int{1, 2, 3} {
				head := `["` + fill(windows*windowSize-2-n)
				for _, tail := range []string{fill(2*windowSize) + `"]`, `"]`, "é\"]", `",0]` + strings.Repeat(" ", 2*windowSize)} {
					whole := head + c + tail
					pairs = append(pairs, pair{whole, strings.TrimRight(whole, " ")}, pair{head + c[:n] + tail, ""}, pair{head + fill(n) + c[n:] + tail, ""})
				}
			}
		}
	}
	for _, end := range []string{"\xf0", "\xf0\x9f", "\xf0\x9f\x98", "\xe2\x82", "\xc3", "\xa9", "\xff"} {
		for _, head := range []string{"", "é"} {
			pairs = append(pairs, pair{`["` + head + fill(2*windowSize) + end + `"]`, ""})
		}
	}
	for _, x := range []pair{{names("\uffff", "😀"), names("😀", "\uffff")}, {names(`\u0062`, "a"), names("a", "b")}, {names(`b\\`, `\u0041`), names("A", `b\\`)}} {
		for _, n := range []int{windowSize / 2, windowSize + windowSize/2, 3 * windowSize} {
			pairs = append(pairs, pair{`["` + fill(n) + `",` + x.text + "]", `["` + fill(n) + `",` + x.want + "]"},
				pair{"[" + x.text + `,"` + fill(n) + `",` + x.text + "]", "[" + x.want + `,"` + fill(n) + `",` + x.want + "]"})
		}
	}
	for _, text := range []string{"", " ", strings.Repeat(" ", windowSize), strings.Repeat("\n", 3*windowSize)} {
		pairs = append(pairs, pair{text, ""}, pair{text + "[0" + text + "]" + text, "[0]"}, pair{text + "0" + text + "]", ""}, pair{"[0]" + text + "0", ""}, pair{`["` + text, ""})
	}
	for _, p := range pairs {
		for useKernel = kernelNone; useKernel <= bestKernel; useKernel++ {
			got, ok := appendFast(&defaultRules, nil, []byte(p.text))
			if ok != (p.want != "") || string(got) != p.want {
				t.Fatalf("kernel %d: %.20q…%.40q gives %v, %.20q…%.40q", useKernel, p.text, p.text[max(0, len(p.text)-40):], ok, got, got[max(0, len(got)-40):])
			}
			if Valid([]byte(p.text)) != (p.text == p.want && ok) || withinFast(&defaultRules, []byte(p.text)) != ok {
				t.Fatalf("kernel %d: of %.20q…%.40q Valid is wrong", useKernel, p.text, p.text[max(0, len(p.text)-40):])
			}
		}
	}
}

// TestFaultsInLongTexts: one byte of a text of several windows, with strings that
// are written otherwise all over, is replaced by one that is no UTF-8, or by any.
func TestFaultsInLongTexts(t *testing.T) {
	defer func() { useKernel = bestKernel }()
	r := rand.New(rand.NewPCG(4096, 8))
	pieces := []string{`\/`, `\u00e9`, `\ud83d\ude00`, "é", "中", "😀", "a", "aaaaaaaa", `\n`, `\"`, strings.Repeat("b", 700)}
	for range rounds(4_000) {
		var b strings.Builder
		b.WriteString(`["`)
		for size := windowSize/2 + r.IntN(3*windowSize); b.Len() < size; {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(30) == 0 {
				b.WriteString(`","`)
			}
		}
		b.WriteString(`"]`)
		src := []byte(b.String())
		at := r.IntN(len(src))
		switch r.IntN(3) {
		case 0:
			at = min(len(src)-1, windowSize*(1+r.IntN(3))-4+r.IntN(6))
		case 1:
			at = max(0, bytes.IndexByte(src[at:], '"')+at-1-r.IntN(3))
		}
		src[at] = []byte{0xC3, 0xE4, 0xF0, 0x80, 0xBF, 0xFF, byte(r.IntN(256))}[r.IntN(7)]
		accepted := defaultRules.check(src) == nil
		for useKernel = kernelNone; useKernel <= bestKernel; useKernel++ {
			got, ok := appendFast(&defaultRules, nil, src)
			if ok != accepted || ok && !bytes.Equal(got, writePlain(nil, src)) {
				t.Fatalf("kernel %d: %q at %d of %d bytes: %v, want %v", useKernel, src[at], at, len(src), ok, accepted)
			}
		}
	}
}
