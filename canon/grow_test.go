package canon

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestManyNumbersThatGrow: more than are written elsewhere, of one length and of
// many, also in objects of which some spill.
func TestManyNumbersThatGrow(t *testing.T) {
	for _, x := range []string{"1e20", "-1e20", "7e-5", "12e99", "-123e-300", "1234567e14"} {
		for _, count := range []int{10, 1000, 5000} {
			mixed := strings.Repeat(x+",1.0,", count) + strings.Repeat("5e7,"+x+`,"\/",`, count)
			wantAppend(t, "["+mixed+"0]")
			wantAppend(t, `{"z":[`+mixed+`0],"y":0}`)
			wantAppend(t, "["+strings.Repeat(`{"b":`+x+`,"a":[-2.50,`+x+`]},`, count)+"0]")
		}
		wantAppend(t, `{"z":[`+strings.Repeat(x+",", 3000)+`0],`+objectOf(spilledNames(rand.New(rand.NewPCG(4, 30)), 2*memberRoom), x)[1:])
	}
}

// TestNumbersAreWrittenElsewhere at any place, if there is room, and else where
// they stand.
func TestNumbersAreWrittenElsewhere(t *testing.T) {
	for _, x := range []string{"1e20", "7e-5", "123e-300", "1234567e14", "1234567.1234567e0000010", "1234567.1234567e5", "1e0000016", "12e0000003"} {
		size := len(writePlain(nil, []byte(x)))
		for _, sign := range []string{"", "-"} {
			for _, used := range []int{0, 2, 252, 254, 256, 510, 2<<14 - 2, 2 << 14, 2<<21 - 2*outputSlack} {
				for _, c := range []struct {
					room int // elsewhere
					text int // its size
				}{{outputSlack, 0}, {outputSlack + 1, 1 << 22}, {outputSlack - 1, 0}} {
					if used > 1<<16 && x != "1e20" {
						continue
					}
					text := "[" + sign + x + ",1.5]"
					w := new(writer)
					w.start(&defaultRules, []byte(text))
					copy(w.copied, text)
					w.out, w.in, w.inPlace = w.body, w.body, true
					w.used, w.elsewhere, w.size = used, make([]byte, used+c.room), c.text
					end, to := w.shortNumber(1, 1)
					if end != 1+len(sign+x) || to > end {
						t.Fatalf("%s: up to %d in the text, %d in the copy", text, end, to)
					}
					w.grow(w.body, 0)
					w.output = make([]byte, 100)
					w.to, w.limit = textOf(w.output), len(w.output)-outputSlack
					if got := string(w.output[:w.emit(0, 0, len(text))]); got != "["+sign+string(writePlain(nil, []byte(x)))+",1.5]" {
						t.Errorf("%s, %+v behind %d: %s", text, c, used, got)
					}
					if got := len(w.elsewhere) - used; c.room >= outputSlack && got != c.room {
						t.Errorf("%s, %+v behind %d: there is room for %d now", text, c, used, got)
					}
					grown := size > len(x) && len(w.elsewhere) >= used+outputSlack
					want := used
					if grown {
						want += (2 + len(sign) + size + 1) &^ 1
					}
					if w.used != want {
						t.Errorf("%s, %+v behind %d: %d are used, want %d", text, c, used, w.used, want)
					}
				}
			}
		}
	}
}

// TestRoomElsewhere: it grows by a quarter, from a moderate text's size on, up to
// what there is memory for, or can be told in three bytes.
func TestRoomElsewhere(t *testing.T) {
	for _, c := range []struct {
		have, used, size, starts int
		want                     int
		ok                       bool
	}{
		{0, 0, 1 << 20, 0, moderateText, true},
		{3276, 3000, 1 << 20, 0, moderateText, true},
		{3280, 3280, 1 << 20, 0, 4100, true},
		{8000, 8000, 1 << 20, 0, 10000, true},
		{0, 0, 1000, 0, 1250 + outputSlack, true},
		{0, 0, 1000, 1, 250 + outputSlack, true},
		{1250 + outputSlack, 1250, 1000, 0, 1250 + outputSlack, false},
		{1249 + outputSlack, 1250, 1000, 0, 1250 + outputSlack, true},
		{1249 + outputSlack, 1251, 1000, 0, 1250 + outputSlack, false},
		{250 + outputSlack, 0, 1000, 1, 250 + outputSlack, false},
		{2000, 0, 1000, 0, 2000, false},
		{4<<20 - 1, 0, 1 << 30, 0, 4 << 20, true},
		{4 << 20, 0, 1 << 30, 0, 4 << 20, false},
	} {
		w := &writer{elsewhere: make([]byte, c.have), size: c.size, starts: make([]uint32, c.starts)}
		w.used = c.used
		if c.have > 0 {
			w.elsewhere[c.have-1] = 7
		}
		ok := w.moreElsewhere()
		if ok != c.ok || len(w.elsewhere) != c.want || c.have > 0 && w.elsewhere[c.have-1] != 7 {
			t.Errorf("%+v: %v, %d", c, ok, len(w.elsewhere))
		}
	}
}
