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
	m := newMinimizer(input, func([]byte) bool { asked++; return false }, tries)
	m.spend(m.bytes)
	if m.left == 0 || m.work >= 0 || asked > tries {
		t.Errorf("%d asked, %d tries and %d bytes left", asked, m.left, m.work)
	}
}
