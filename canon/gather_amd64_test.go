//go:build !purego

package canon

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestMembersMoveAlike compares moveAVX2 with its slow twin: members of any
// sizes, of which any may move, and nothing around them changes.
func TestMembersMoveAlike(t *testing.T) {
	if bestKernel == kernelNone {
		t.Skip("this processor has no AVX2")
	}
	defer func() { useKernel = bestKernel }()
	r := rand.New(rand.NewPCG(32, 1))
	for range 20_000 {
		members, text := []member{}, []byte(`{`)
		for range 2 + r.IntN(9) {
			size := 4 + r.IntN(40)
			if r.IntN(4) == 0 {
				size = r.IntN(300)
			}
			members = append(members, member{start: uint32(len(text))})
			for range size {
				text = append(text, byte('a'+r.IntN(26)))
			}
			text = append(text, ',')
		}
		stop := len(text) - 1
		text[stop] = '}'
		for range outputSlack {
			text = append(text, byte(r.IntN(256)))
		}
		from := r.IntN(len(members) - 1)
		ranks := make([]uint8, len(members)-from)
		for i, k := range r.Perm(len(ranks)) {
			ranks[i] = uint8(from + k)
		}
		var moved [2][]byte
		for i, k := range []kernel{kernelNone, bestKernel} {
			useKernel = k
			moved[i] = bytes.Clone(text)
			w := &writer{copied: moved[i], body: textOf(moved[i])}
			w.move(append(members, member{})[:len(members)], ranks, int(members[from].start), stop)
			if want := max(stop-int(members[from].start), 2*smallObject) + outputSlack; len(w.scratch) != want {
				t.Fatalf("%d bytes of scratch, want %d", len(w.scratch), want)
			}
		}
		if !bytes.Equal(moved[0], moved[1]) {
			t.Fatalf("%q in the order of %v: %q, its twin %q", text, ranks, moved[1], moved[0])
		}
	}
}
