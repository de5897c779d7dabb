//go:build !purego && (amd64 || arm64)

package canon

import (
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
