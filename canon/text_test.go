package canon

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// changesOf is the slow twin of changes: it gives what is written too.
func changesOf(s string, q, stop int) (out []byte, from, count int) {
	unit := func(at int) (rune, bool) {
		if at+6 > len(s) || s[at] != '\\' || s[at+1] != 'u' {
			return 0, false
		}
		u, err := strconv.ParseUint(s[at+2:at+6], 16, 16)
		return rune(u), err == nil
	}
	for {
		switch rest := s[q:]; {
		case strings.HasPrefix(rest, `\u`):
			r, ok := unit(q)
			if !ok || 0xDC00 <= r && r < 0xE000 {
				return nil, -1, 0
			}
			if 0xD800 <= r && r < 0xDC00 {
				low, ok := unit(q + 6)
				if !ok || low < 0xDC00 || low > 0xDFFF {
					return nil, -1, 0
				}
				r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
				q, count = q+6, count+1
			}
			out = appendUnit(out, r)
			q, count = q+6, count+1
		case strings.HasPrefix(rest, `\/\/\/\/`):
			out = append(out, "////"...)
			q, count = q+8, count+4
		case strings.HasPrefix(rest, `\/`):
			out = append(out, '/')
			q, count = q+2, count+1
		default:
			return out, q, count
		}
		if q > stop {
			return out, q, count
		}
	}
}

// TestEscapesAreChanged holds changes to its slow twin.
func TestEscapesAreChanged(t *testing.T) {
	w := numberWriter()
	buffer := make([]byte, 0, 1<<12)
	check := func(s string, q, stop int) {
		buffer = append(append(buffer[:0], s...), make([]byte, textSlack)...)
		w.in = textOf(buffer)
		out, want, wantCount := changesOf(s, q, stop)
		wantTo := 5 + len(out)
		if want < 0 {
			wantTo = -1
		}
		from, to, count := w.changes(w.out, q, 5, stop)
		if from != want || to != wantTo || count != wantCount || want >= 0 && string(piece(w.out, 5, to)) != string(out) {
			t.Fatalf("%q from %d on, not beyond %d: %d escapes up to %d, %d; want %d up to %d, %q", s, q, stop, count, from, to, wantCount, want, out)
		}
	}
	for u := 0; u < 0x10000; u += 20 / rounds(20) { // every code unit, and a pair of each half
		for _, format := range []string{`\u%04x"`, `\u%04X`} {
			s := fmt.Sprintf(format, u)
			check(s, 0, 100)
			if u >= 0xD800 && u < 0xE000 {
				check(fmt.Sprintf(`\ud83d`+format, u), 0, 100)
				check(fmt.Sprintf(`\uDBFF`+format, u), 0, 100)
				check(s[:6]+`\ude01`, 0, 100)
				check(s[:6]+`\uDFFF`, 0, 100)
			}
		}
	}
	for b := range 256 { // bytes that are no digits
		for at := range 6 {
			for _, s := range []string{`\u1a2B`, `\uD83D\uDE00`, `\ud83d\udE0f`} {
				faulty := []byte(s)
				faulty[at+len(s)-6] = byte(b)
				check(string(faulty)+"0", 0, 100)
			}
		}
	}
	r := rand.New(rand.NewPCG(16, 3222))
	pieces := []string{`\/`, `\/\/\/\/`, `\u0041`, `\u00e9`, `\u20AC`, `\ud83d\ude00`, `\u0000`, `\u001F`, `\u0022`, `\n`, "x", `"`, `\ud800`, `\udc00`, `\u`, `\u12`, `\ud83d\u0041`, `\ud83d\/`}
	for range rounds(30_000) {
		s := "[" + strings.Repeat("y", r.IntN(3))
		q := len(s)
		for range 1 + r.IntN(12) {
			s += pieces[r.IntN(len(pieces))%(1+r.IntN(len(pieces)))]
		}
		for stop := q - 1; stop <= len(s); stop += 1 + r.IntN(4) {
			check(s, q, stop)
		}
	}
}

// TestRunsOfEscapesAreChanged holds changes to its slow twin, with each kernel, for runs
// of escapes of one kind with another among them: every code unit, every byte that
// may be wrong in any of eight, and every place to stop at.
func TestRunsOfEscapesAreChanged(t *testing.T) {
	w := numberWriter()
	r := rand.New(rand.NewPCG(8, 48))
	unit := func(u int) string { return fmt.Sprintf([]string{`\u%04x`, `\u%04X`}[r.IntN(2)], u) }
	kinds := []func() string{
		func() string { return unit(0x80 + r.IntN(0x780)) },
		func() string { return unit(0x800 + r.IntN(0xD000)) },
		func() string { return unit(0xE000 + r.IntN(0x2000)) },
		func() string { return unit('a' + r.IntN(26)) },
		func() string { return unit(0x20 + r.IntN(0xC0)) },
		func() string { return unit(r.IntN(0x800)) },
		func() string { return unit(r.IntN(0xD800)) },
	}
	pair := func() string { return unit(0xD800+r.IntN(0x400)) + unit(0xDC00+r.IntN(0x400)) }
	run := func(kind int) string {
		s := ""
		for len(s) < 16*unicodeSize {
			switch {
			case kind == len(kinds):
				s += pair()
			case kind > len(kinds):
				s += kinds[r.IntN(len(kinds))]()
			default:
				s += kinds[kind]()
			}
		}
		return s
	}
	eachKernel(func() {
		check := func(s string, stop int) {
			buffer := append([]byte("["+s), make([]byte, textSlack)...)
			w.in = textOf(buffer)
			out, want, wantCount := changesOf("["+s, 1, stop)
			wantTo := 5 + len(out)
			if want < 0 {
				wantTo = -1
			}
			from, to, count := w.changes(w.out, 1, 5, stop)
			if from != want || to != wantTo || count != wantCount || want >= 0 && string(piece(w.out, 5, to)) != string(out) {
				t.Fatalf("%q, not beyond %d: %d escapes up to %d, %d; want %d up to %d, %q", s, stop, count, from, to, wantCount, want, out)
			}
		}
		at := func() int { return unicodeSize * r.IntN(9) }
		for u := 0; u < 0x10000; u += 20 / rounds(20) {
			s, i := run(u%(len(kinds)+2)), at()
			check(s[:i]+unit(u)+s[i+unicodeSize:], 1000)
			check(s[:i]+unit(0xD83D)+unit(u)+s[i:], 1000)
			check(s[:i]+unit(u)+unit(0xDE00)+s[i:], 1000)
		}
		for b := range 256 {
			for i := range 8 * unicodeSize {
				s := []byte(run((b + i) % (len(kinds) + 2)))
				s[i] = byte(b)
				check(string(s), 1000)
			}
		}
		for kind := range len(kinds) + 2 {
			s := run(kind)
			for stop := 0; stop <= len(s)+2; stop++ {
				check(s, stop)
				check(s[:stop/unicodeSize*unicodeSize/2]+`\/`+s, stop)
				check(s[:min(stop, len(s))], len(s))
			}
		}
	})
}

// TestCanonicalControlsAreKnown: of the escapes \u0000 to \u00ff, and of what is
// nearly one, isCanonicalControl knows those that the canonical form has.
func TestCanonicalControlsAreKnown(t *testing.T) {
	canonical := map[string]bool{}
	for r := range rune(' ') {
		if form := string(appendUnit(nil, r)); len(form) == 6 {
			canonical[form] = true
		}
	}
	if len(canonical) != 32-5 {
		t.Fatalf("%d characters have no short escape", len(canonical))
	}
	for a := 0; a < 256; a += 20 / rounds(20) {
		for b := range 256 {
			s := []byte{'x', '\\', 'u', '0', '0', byte(a), byte(b), '1', '2'}
			if got := isCanonicalControl(padded(string(s)), 1); got != canonical[string(s[1:7])] {
				t.Fatalf("%q: %v", s, got)
			}
		}
		for at := range 4 {
			s := []byte(`\u001f"`)
			s[at] = byte(a)
			if got := isCanonicalControl(padded(string(s)), 0); got != canonical[string(s[:6])] {
				t.Fatalf("%q: %v", s, got)
			}
		}
	}
}
