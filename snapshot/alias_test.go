package snapshot

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unsafe"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// overlapsAny is the quadratic twin of taken.enterSlice.
func overlapsAny(all [][]any, s []any) bool {
	for _, o := range all {
		for i := range o {
			for j := range s {
				if &o[i] == &s[j] {
					return true
				}
			}
		}
	}
	return false
}

// TestWindowsAgreeWithTheTwin enters random windows of one array.
func TestWindowsAgreeWithTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		array := make([]any, 40)
		var taken taken
		var entered [][]any
		for range 20 {
			from := random.IntN(len(array))
			s := array[from:min(len(array), from+1+random.IntN(1+round%6))]
			number, reason := taken.enterSlice(s)
			if got, want := reason != reject.None, overlapsAny(entered, s); got != want {
				t.Fatalf("round %d: window of %d from %d: refused %v, want %v", round, len(s), from, got, want)
			}
			if reason == reject.Cycle {
				t.Fatal("a cycle although every slice is closed")
			}
			if reason == reject.None {
				entered = append(entered, s)
				taken.leaveSlice(number)
			}
		}
	}
}

// TestAnOpenWindowMakesACycle: of several windows that a slice covers, an open
// one decides.
func TestAnOpenWindowMakesACycle(t *testing.T) {
	array := make([]any, 30)
	for open := range 30 {
		var taken taken
		for i := range array {
			number, _ := taken.enterSlice(array[i : i+1])
			if i != open {
				taken.leaveSlice(number)
			}
		}
		if _, reason := taken.enterSlice(array); reason != reject.Cycle {
			t.Errorf("window %d open: %v", open, reason)
		}
	}
}

// TestManyWindows: a hundred thousand windows, entered by ascending,
// descending and mixed addresses, build a tree that is shallow. The bound is
// five times what a random tree of that size has, and a list would have 100,000.
// A thousand come first, which a list ends soon.
func TestManyWindows(t *testing.T) {
	for _, n := range []int{1000, 100_000} {
		array := make([]any, n)
		for name, order := range map[string]func(i int) int{
			"ascending":  func(i int) int { return i },
			"descending": func(i int) int { return n - 1 - i },
			"mixed":      func(i int) int { return i * 7919 % n },
		} {
			var taken taken
			for i := range n {
				k := order(i)
				if _, reason := taken.enterSlice(array[k : k+1]); reason != reject.None {
					t.Fatalf("%s: %v", name, reason)
				}
			}
			if height := taken.height(taken.root); height > 200 {
				t.Fatalf("%d %s: the tree is %d high", n, name, height)
			}
			inOrder := taken.addresses(taken.root, nil)
			if len(inOrder) != n || !slices.IsSorted(inOrder) {
				t.Fatalf("%d %s: the tree is out of order", n, name)
			}
		}
	}
}

func (t *taken) height(i int32) int {
	if i == 0 {
		return 0
	}
	return 1 + max(t.height(t.spans[i].left), t.height(t.spans[i].right))
}

func (t *taken) addresses(i int32, all []uintptr) []uintptr {
	if i == 0 {
		return all
	}
	s := t.spans[i]
	return t.addresses(s.right, append(t.addresses(s.left, all), uintptr(unsafe.Pointer(s.first))))
}

// TestDiamondAnswersAtOnce: sixty levels, each holding the next twice, have
// 2^60 paths; the first repetition ends the walk. Two levels come first: should
// that fail, the sixty would never end.
func TestDiamondAnswersAtOnce(t *testing.T) {
	for _, levels := range []int{2, 60} {
		array, object, window := any([]any{}), any(map[string]any{}), any(nil)
		for range levels {
			array = []any{array, array}
			object = map[string]any{"a": object, "b": object}
			backing := []any{window, window, window}
			window = []any{backing[:2], backing[1:]}
		}
		for _, value := range []any{array, object, window} {
			_, err := Of(value)
			if r, ok := err.(*reject.Error); !ok || r.Reason != reject.RepeatedReference {
				t.Fatalf("%d levels: %v", levels, err)
			}
		}
	}
}

// TestManyMaps: beyond a handful the maps are hashed; the answers stay.
func TestManyMaps(t *testing.T) {
	for n := 1; n < 3*fewMaps; n++ {
		maps := make([]any, n, n+1)
		for i := range maps {
			maps[i] = map[string]any{}
		}
		if _, err := Of(maps); err != nil {
			t.Fatalf("%d maps: %v", n, err)
		}
		for i := range n {
			_, err := Of(append(maps, maps[i]))
			if r, ok := err.(*reject.Error); !ok || r.Reason != reject.RepeatedReference || r.Pointer != fmt.Sprintf("/%d", n) {
				t.Errorf("map %d of %d again: %v", i, n, err)
			}
		}
		chain := map[string]any{}
		last := chain
		for range n {
			next := map[string]any{}
			last["a"] = next
			last = next
		}
		last["b"] = chain
		_, err := Of(chain)
		if r, ok := err.(*reject.Error); !ok || r.Reason != reject.Cycle || r.Pointer != strings.Repeat("/*", n+1) {
			t.Errorf("a ring of %d maps: %v", n+1, err)
		}
	}
}

// TestNothingIsKept: after a call, good or bad, the scratch space refers to
// nothing of the value.
func TestNothingIsKept(t *testing.T) {
	var maps []any
	for range 2000 {
		maps = append(maps, map[string]any{"a": []any{1}})
	}
	for _, value := range []any{maps, []any{maps, map[string]any{"b": func() {}}}} {
		w := writers.New().(*writer)
		w.depth, w.limit = 10, 1<<20
		w.value(value, 1)
		names, spans := w.names[:cap(w.names)], w.taken.spans
		w.reset()
		if len(w.taken.maps) != 0 || w.taken.count != 0 || len(w.names) != 0 || len(w.out) != 0 || len(w.trail) != 0 {
			t.Error("the writer is not empty")
		}
		for _, few := range w.taken.few {
			if few.at != nil {
				t.Error("a map is kept")
			}
		}
		for _, s := range spans[:len(spans):len(spans)] {
			if s.first != nil || s.end != nil {
				t.Fatal("a slice is kept")
			}
		}
		for _, name := range names {
			if name != "" {
				t.Fatal("a name is kept")
			}
		}
	}
	r := viewers.New().(*viewer)
	r.decode(`["a\n",null,true,false,[1,2,[3]],{"a":[4]}]`)
	for _, v := range r.stack[:cap(r.stack)] {
		if v != nil {
			t.Fatal("an element is kept")
		}
	}
	if r.text != "" {
		t.Error("the text is kept")
	}
}

// compareUnits is the slow twin of compareNames.
func compareUnits(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// TestCompareNames holds the two together on names of every length of UTF-8.
func TestCompareNames(t *testing.T) {
	runes := []rune{0, 'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xEFFF, 0xF000, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF}
	names := []string{""}
	for _, a := range runes {
		names = append(names, string(a))
		for _, b := range runes {
			names = append(names, string(a)+string(b), "x"+string(a)+string(b)+"y")
		}
	}
	for _, a := range names {
		for _, b := range names {
			if got, want := cmp.Compare(compareNames(a, b), 0), compareUnits(a, b); got != want {
				t.Fatalf("%+q and %+q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestShorten: names of types are cut beyond 120 bytes, and between characters.
func TestShorten(t *testing.T) {
	if name := strings.Repeat("a", 120); shorten(name) != name {
		t.Error("a name of 120 bytes is cut")
	}
	if got := shorten(strings.Repeat("a", 121)); got != strings.Repeat("a", 120)+"…" {
		t.Errorf("121 bytes: %q", got)
	}
	if got := shorten(strings.Repeat("a", 119) + "éé"); got != strings.Repeat("a", 119)+"…" {
		t.Errorf("a character on the edge: %q", got)
	}
}
