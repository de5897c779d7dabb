package canon

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
)

// guarded gives memory of a size that ends where a page begins which may be
// neither read nor written, as may the page before that in which it begins.
func guarded(t *testing.T, size int) []byte {
	page := os.Getpagesize()
	room := (size + page - 1) / page * page
	block, err := syscall.Mmap(-1, 0, page+room+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(block); err != nil {
			t.Error(err)
		}
	})
	end := page + room
	for _, guard := range [][]byte{block[:page], block[end:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return block[end-size : end : end]
}

// TestNothingBeyondTheTextIsTouched: src ends where a page begins that may not
// be read, dst where one begins that may not be written, at every length.
func TestNothingBeyondTheTextIsTouched(t *testing.T) {
	eachKernel(func() { nothingBeyondTheTextIsTouched(t) })
}

func nothingBeyondTheTextIsTouched(t *testing.T) {
	const most = 700
	source, target := guarded(t, most), guarded(t, most+outputSlack+8)
	texts := []string{
		`{"b":[1.50,123456789.123456789,{"y":null,"x":true}],"a":"\u20ac\u000F\u000aA"}`,
		"[\"" + strings.Repeat("x", 500) + "\",0.12345678901234567,1e5]",
		`{"` + strings.Repeat("n", 300) + `":1,"` + strings.Repeat("m", 300) + `":2}`,
		"\"\u00e9\u4e2d\U0001F600\"", "12345678", "1.5", "true", `"\ud83d\ude00"`, "[]", "1e21", `"\`, `"\u00`, "-", "0.", `{"a`, "\xf0\x9f",
		`{"a":1,"a":2}`,
	}
	for _, text := range texts {
		for cut := 0; cut <= len(text); cut++ {
			for pad := range 3 {
				src := source[most-cut-pad:]
				copy(src, strings.Repeat(" ", pad)+text[:cut])
				want, wantErr := Canonicalize(bytes.Clone(src))
				for _, room := range []int{0, len(want), len(src), len(src) + outputSlack, len(src) + outputSlack + 7} {
					dst := target[len(target)-room:][:0]
					got, err := Append(dst, src)
					if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
						t.Fatalf("%q with room %d: got %q, %v", src, room, got, err)
					}
				}
				if Valid(src) != (wantErr == nil && bytes.Equal(want, src)) {
					t.Fatalf("Valid(%q) is wrong", src)
				}
				if s, err := AppendString(nil, string(src)); err == nil && len(s) < 2 {
					t.Fatal("AppendString gives no string")
				}
			}
		}
	}
}

// TestNothingBeforeTheCopyIsTouched: the copy begins where a page ends that may be
// neither read nor written, and its first number grows.
func TestNothingBeforeTheCopyIsTouched(t *testing.T) {
	w := new(writer)
	w.copied = guarded(t, os.Getpagesize())
	w.body = textOf(w.copied)
	eachKernel(func() {
		for _, text := range []string{"1e5", "-1e5", "12e20", "-1e99", "[1e22]", "[1.5e9]", "[123e22]", "[7e-7,1]", "1234e22"} {
			w.start(&defaultRules, []byte(text))
			if got, ok := w.appendTo(nil); !ok || string(got) != string(writePlain(nil, []byte(text))) {
				t.Errorf("%s: %s, %v", text, got, ok)
			}
		}
	})
}
