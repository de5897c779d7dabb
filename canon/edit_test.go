package canon

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// wantAppend holds Append to the slow twin for a text without fault, with room in
// dst for nothing, for just the result, for a little more, and for much; and
// nothing is written beyond that room.
func wantAppend(t *testing.T, text string) {
	t.Helper()
	want := writePlain(nil, []byte(text))
	for _, room := range []int{0, len(want), len(want) + 1, len(want) + 40, len(want) + outputSlack + 1} {
		buffer := bytes.Repeat([]byte{0xEE}, room+outputSlack)
		got, ok := appendFast(&defaultRules, buffer[:0:room], []byte(text))
		if !ok || !bytes.Equal(got, want) {
			t.Fatalf("%.300s, room %d: %v, %.300q, want %.300q", text, room, ok, got, want)
		}
		if room >= len(want) && &got[0] != &buffer[0] {
			t.Fatalf("%.300s: room for %d bytes is not used", text, room)
		}
		if len(bytes.Trim(buffer[room:], "\xEE")) > 0 {
			t.Fatalf("%.300s: written beyond the room for %d bytes", text, room)
		}
	}
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
	eachKernel(func() {
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
					wantAppend(t, `[{"d":`+x+`,"c":`+list+far+"}]")
				}
			}
		}
	})
}

// TestNumbersThatBarelyGrow: by zeros at the beginning of the exponent their text
// is as long as it is to become, or a little shorter or longer.
func TestNumbersThatBarelyGrow(t *testing.T) {
	eachKernel(func() {
		for _, x := range []string{"1", "1.5", "1234567", "1234567.8", "1234567.12", "1234567.1234567", "0.1234567"} {
			for zeros := range 7 {
				for e := -12; e <= 22; e++ {
					sign := "-"[:min(1, max(0, -e))]
					text := fmt.Sprintf("%se%s%s%d", x, sign, strings.Repeat("0", zeros), max(e, -e))
					wantAppend(t, "["+text+",-"+text+",1]")
				}
			}
		}
	})
}

// TestWhatIsMendedLast: texts where something becomes shorter, or longer, or both,
// at every distance from the blocks in which they are copied.
func TestWhatIsMendedLast(t *testing.T) {
	pieces := []string{`"\/"`, `1.50`, `"\u0041\u0042"`, `1e20`, `-5E-6`, `"` + strings.Repeat(`\u0061`, 60) + `"`, "1." + strings.Repeat("0", 70), "0e-9", `"\u00e9\ud83d\ude00\u001F"`}
	eachKernel(func() {
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
			}
		}
	})
}

// TestLongStringsAreWrittenInParts: strings longer than what is written at once,
// with runs of every length around that between their escapes.
func TestLongStringsAreWrittenInParts(t *testing.T) {
	eachKernel(func() {
		for _, run := range []int{0, 1, 31, 32, 33, editRoom - 7, editRoom - 1, editRoom, editRoom + 1, 2*editRoom - 1, 2 * editRoom, 2*editRoom + 1, 5 * editRoom} {
			for _, escape := range []string{`\/`, `\u0041`, `\ud83d\ude00`, `\/\/\/\/\/`, `\u001f`, `\u00e9\n\/`, strings.Repeat(`\u0062`, editRoom/6), strings.Repeat(`\/`, editRoom)} {
				x := strings.Repeat("x", run)
				wantAppend(t, `["`+x+escape+x+x+escape+escape+x+`\\",1]`)
				wantAppend(t, `{"`+x+escape+`b":0,"`+escape+x+`":"`+escape+x+escape+`"}`)
			}
		}
	})
}
