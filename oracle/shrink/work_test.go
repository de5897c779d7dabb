package shrink

import (
	"bytes"
	"testing"
)

// TestRepeatedTextsAreBounded: a long run of one byte gives few different
// candidates, each of which is made over and over.
func TestRepeatedTextsAreBounded(t *testing.T) {
	const tries = 200
	input := bytes.Repeat([]byte("["), 100_000)
	asked := 0
	m := minimizer{best: input, keep: func([]byte) bool { asked++; return false }, left: tries, work: tries * 400_000, tried: map[uint64]struct{}{}}
	m.bytes()
	if m.left != 0 || m.work >= 0 || asked > tries {
		t.Errorf("%d asked, %d tries and %d bytes left", asked, m.left, m.work)
	}
}
