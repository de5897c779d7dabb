package process

import (
	"fmt"
	"strings"
	"testing"
)

// TestTail: the last 64 KiB are kept, whatever the pieces.
func TestTail(t *testing.T) {
	var all strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&all, i)
	}
	text := all.String()
	for _, piece := range []int{1, 1000, 1 << 16, 1<<16 + 1, len(text)} {
		for _, n := range []int{0, 10, 1 << 16, 1<<16 + 1, len(text)} {
			var kept tail
			for at := 0; at < n; at += piece {
				if took, err := kept.Write([]byte(text[at:min(n, at+piece)])); took != min(n, at+piece)-at || err != nil {
					t.Fatalf("%d of %d bytes taken, error %v", took, piece, err)
				}
			}
			if got := kept.String(); got != text[max(0, n-1<<16):n] {
				t.Errorf("%d bytes in pieces of %d: kept %d bytes", n, piece, len(got))
			}
		}
	}
}
