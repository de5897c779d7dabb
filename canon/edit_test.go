package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// wantAppend holds Append, with each kernel, to the slow twin for a text without
// fault, with room in dst for nothing, for a byte too few, for just the result, for a little more, and
// for much; and nothing is written beyond that room.
func wantAppend(t *testing.T, text string) {
	t.Helper()
	const before = 3 // bytes that dst has
	want := writePlain(nil, []byte(text))
	eachKernel(func() {
		for _, room := range []int{0, len(want) - 1, len(want), len(want) + 1, len(want) + 40, len(want) + outputSlack + 1} {
			buffer := bytes.Repeat([]byte{0xEE}, before+room+outputSlack)
			got, ok := appendFast(&defaultRules, buffer[:before:before+room], []byte(text))
			if !ok || !bytes.Equal(got[before:], want) {
				t.Fatalf("%.300s, room %d: %v, %.300q, want %.300q", text, room, ok, got, want)
			}
			if room >= len(want) && &got[0] != &buffer[0] {
				t.Fatalf("%.300s: room for %d bytes is not used", text, room)
			}
			if len(bytes.Trim(buffer[before+room:], "\xEE")) > 0 {
				t.Fatalf("%.300s: written beyond the room for %d bytes", text, room)
			}
		}
	})
}

// TestNumbersThatGrow: numbers with an exponent, of all lengths and magnitudes,
// alone, in arrays, in members that move and in those that are put off.
func TestNumbersThatGrow(t *testing.T) {
	const digits = "12345678912345678"
	far := `,"b":"` + strings.Repeat("x", smallObject) + `","a":0`
	step := 2
	if testing.Short() {
		step = 5
	}
	for n := 1; n <= len(digits); n++ {
		for e := n*7%step - 323; e+n <= 309; e += step {
			x := fmt.Sprintf("%se%d", digits[:n], e)
			if cut := (e + 323) / step % n; cut > 0 && (e+n)&8 != 0 {
				x = fmt.Sprintf("%s.%se%d", digits[:cut], digits[cut:n], e+n-cut)
			}
			list := fmt.Sprintf("[%s,-%s,1,-%s]", x, x, x)
			switch (e + n) >> 1 & 3 {
			case 0:
				wantAppend(t, x)
				wantAppend(t, "-"+x)
			case 1:
				wantAppend(t, list)
			case 2:
				wantAppend(t, `{"c":`+x+`,"b":`+list+`,"a":-`+x+"}")
			default:
				wantAppend(t, `{"o":{"d":`+x+`,"c":`+list+far+`},"n":0}`)
			}
		}
	}
}

// TestNumbersThatBarelyGrow: by zeros at the beginning of the exponent their text
// is as long as it is to become, or a little shorter or longer.
func TestNumbersThatBarelyGrow(t *testing.T) {
	for _, x := range []string{"1", "1.5", "1234567", "1234567.8", "1234567.12", "1234567.1234567", "0.1234567"} {
		for zeros := range 7 {
			for e := -12; e <= 22; e++ {
				sign := "-"[:min(1, max(0, -e))]
				text := fmt.Sprintf("%se%s%s%d", x, sign, strings.Repeat("0", zeros), max(e, -e))
				wantAppend(t, "["+text+",-"+text+",1]")
			}
		}
	}
}

// TestWhatIsMendedLast: texts where something becomes shorter, or longer, or both,
// at every distance from the blocks in which they are copied.
func TestWhatIsMendedLast(t *testing.T) {
	pieces := []string{`"\/"`, `1.50`, `"\u0041\u0042"`, `1e20`, `-5E-6`, `"` + strings.Repeat(`\u0061`, 60) + `"`, "1." + strings.Repeat("0", 70), "0e-9", `"\u00e9\ud83d\ude00\u001F"`}
	for k, piece := range pieces {
		for before := range 2*blockSize + 3 {
			if testing.Short() && before%4 != k%4 {
				continue
			}
			fill := `"` + strings.Repeat("a", before) + `"`
			for _, more := range []string{"", "," + piece, "," + fill + "," + pieces[(k+before)%len(pieces)]} {
				wantAppend(t, "["+fill+","+piece+more+"]")
				wantAppend(t, `{"b":`+fill+`,"a":[`+piece+more+"]}")
			}
			if before%8 == 0 {
				wantAppend(t, `{"o":{"c":`+fill+`,"b":"`+strings.Repeat("x", smallObject)+`","a":[`+piece+","+fill+"]}}")
			}
		}
	}
}

// An emitter makes pieces of a copy to emit.
type emitter struct {
	*rand.Rand
	*writer
}

// token gives what stands in the copy, and what it must become.
func (e emitter) token() (stands, want string) {
	switch k := e.IntN(3); {
	case k == 0 && e.holes:
		return strings.Repeat("\x00", 1+e.IntN(90)>>e.IntN(6)), ""
	case k == 1 && e.grown:
		digits, point := "12345678912345678"[:1+e.IntN(17)], e.IntN(630)-321
		before, sign := e.IntN(3), "-"[:e.IntN(2)]
		out, padded := make([]byte, outputSlack), []byte(digits+strings.Repeat("0", 16))
		d0, d1 := load128(textOf(padded), 0)
		want := sign + string(out[:putText(textOf(out), 0, d0, d1, uint64(padded[16]), len(digits), point)])
		head := grownHead(len(digits), point)
		stands = "\x03\x02\x05"[before:before+1] + sign + string([]byte{byte(head), byte(head >> 8)}) + digits
		return stands, ":,["[before:before+1] + want
	}
	plain := make([]byte, 1+e.IntN(150)>>e.IntN(7))
	for i := range plain {
		plain[i] = byte(' ' + e.IntN(256-' '))
	}
	return string(plain), string(plain)
}

// TestPiecesAreEmitted: pieces of a copy that holds zeros, numbers that have grown,
// both or none, in any order, up to the end of the room.
func TestPiecesAreEmitted(t *testing.T) {
	type piece struct {
		start, end int
		want       string
	}
	w := new(writer)
	w.start(&defaultRules, make([]byte, 1<<14))
	eachKernel(func() {
		e := emitter{rand.New(rand.NewPCG(85, 3)), w}
		for range rounds(8_000) {
			w.holes, w.grown = e.IntN(4) > 0, e.IntN(3) == 0
			var pieces []piece
			at, size := e.IntN(9), 0
			for range 1 + e.IntN(30) {
				stands, want := e.token()
				if len(pieces) == 0 || e.IntN(6) == 0 {
					pieces = append(pieces, piece{at, at, ""})
				}
				p := &pieces[len(pieces)-1]
				at += copy(w.copied[at:], stands)
				p.end, p.want = at, p.want+want
				size += len(want)
			}
			copy(w.copied[at:], strings.Repeat(" ", textSlack))
			e.Shuffle(len(pieces), func(i, k int) { pieces[i], pieces[k] = pieces[k], pieces[i] })

			room := size + e.IntN(2)*e.IntN(2*outputSlack)
			buffer := bytes.Repeat([]byte{0xEE}, room+outputSlack)
			w.output = buffer[:room]
			w.to, w.limit = textOf(buffer), room-outputSlack
			o, want := 0, ""
			for _, p := range pieces {
				o = w.emit(o, p.start, p.end)
				if want += p.want; o != len(want) || string(buffer[:o]) != want {
					t.Fatalf("%q becomes %q, want %q", w.copied[p.start:p.end], buffer[:min(o, room)], want)
				}
			}
			if len(bytes.Trim(buffer[room:], "\xEE")) > 0 {
				t.Fatalf("%q is written beyond the room", want)
			}
		}
	})
}

// TestNumbersThatShrink: by every number of bytes, up to more than are filled at
// once.
func TestNumbersThatShrink(t *testing.T) {
	for n := range 3 * blockSize {
		zeros := strings.Repeat("0", n)
		for _, x := range []string{"1.0" + zeros, "-0.0" + zeros, "12.5" + zeros, "1e-0" + zeros, "1234567890.12345" + zeros, "0e0" + zeros + "1"} {
			wantAppend(t, "["+x+","+x+`,"a"]`)
			wantAppend(t, `{"b":`+x+`,"a":[`+x+"]}")
		}
	}
}

// TestLongStringsAreWrittenInParts: strings longer than what is written at once,
// with runs of every length around that between their escapes.
func TestLongStringsAreWrittenInParts(t *testing.T) {
	for _, run := range []int{0, 1, 31, 32, 33, editRoom - 7, editRoom - 1, editRoom, editRoom + 1, 2*editRoom - 1, 2 * editRoom, 2*editRoom + 1, 5 * editRoom} {
		for _, escape := range []string{`\/`, `\u0041`, `\ud83d\ude00`, `\/\/\/\/\/`, `\u001f`, `\u00e9\n\/`, strings.Repeat(`\u00e9\u4E2D`, 20), strings.Repeat(`\ud83d\ude00`, editRoom/12), strings.Repeat(`\u001f\u000b`, 9), strings.Repeat(`\u0062`, editRoom/6), strings.Repeat(`\/`, editRoom)} {
			x := strings.Repeat("x", run)
			wantAppend(t, `["`+x+escape+x+x+escape+escape+x+`\\",1]`)
			wantAppend(t, `{"`+x+escape+`b":0,"`+escape+x+`":"`+escape+x+escape+`"}`)
		}
	}
}

// TestRunsOfControlsStay: runs of escapes that the canonical form has, wherever in a
// text they stand, and what is written anew behind them.
func TestRunsOfControlsStay(t *testing.T) {
	for before := range 20 {
		for n := 1; n < 5; n++ {
			run := strings.Repeat("a", before) + strings.Repeat(`\u001f`, n)
			wantAppend(t, `["`+run+`"]`)
			wantAppend(t, `["`+run+`\/`+run+`\u0041",1.0]`)
		}
	}
}
