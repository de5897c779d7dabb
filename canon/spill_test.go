package canon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// spilledNames are names of many kinds, none twice.
func spilledNames(r *rand.Rand, count int) []string {
	pieces := []string{"", "a", "b", "abcdefgh", "abcdefghi", `\u0061`, `\/`, `\"`, `\n`, "é", "\ue000", "\U0001F600", `\ud83d\ude00`, "zzzzzzzz"}
	names := make([]string, count)
	for k := range names {
		names[k] = pieces[r.IntN(len(pieces))] + fmt.Sprint(k*7919%count) + pieces[r.IntN(len(pieces))]
		if r.IntN(3) == 0 {
			names[k] = fmt.Sprint(k) + names[k] + "~" // or they begin alike
		}
	}
	return names
}

func objectOf(names []string, value string) string {
	var b strings.Builder
	for k, name := range names {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s":%s`, name, value)
	}
	return "{" + b.String() + "}"
}

// TestManyMembers: objects of as many members as spill and more, alone, in each
// other and beside each other, in order and in none.
func TestManyMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 26))
	counts := []int{memberRoom, 3*memberRoom + 5}
	if !testing.Short() {
		counts = append(counts, memberRoom-1, memberRoom+1, 20*memberRoom)
	}
	for _, count := range counts {
		names := spilledNames(r, count)
		inner := objectOf(names[:count/3], "1e1")
		texts := []string{
			objectOf(names, "0"),
			objectOf(names, `{"b":2.0,"a":["\/"]}`),
			string(writePlain(nil, []byte(objectOf(names, "1")))),
			`{"z":` + objectOf(names, "1.0") + `,"y":0}`,
			objectOf(names[:count/2], "0")[:1] + `"inner":` + inner + "," + objectOf(names, inner[:0]+"true")[1:],
			"[" + objectOf(names[:count/2+1], "0") + "," + objectOf(names[count/2:], "-0.0") + "]",
			strings.TrimSuffix(objectOf(names[:count/2], "0"), "}") + `,"é":` + objectOf(names, "5e-7") + `,"a":{"c":1,"b":2}}`,
		}
		if count > 4*memberRoom {
			texts = texts[1:2]
		}
		for _, text := range texts {
			wantAppend(t, text)
		}
		// One name twice, wherever they stand.
		for range 4 {
			twice := append([]string(nil), names...)
			i, k := r.IntN(count), r.IntN(count-1)
			if k >= i {
				k++
			}
			twice[i] = twice[k]
			text := objectOf(twice, "0")
			eachKernel(func() {
				if _, ok := appendFast(&defaultRules, nil, []byte(text)); ok {
					t.Fatalf("of %d members %d and %d have one name, and that is accepted", count, i, k)
				}
			})
		}
	}
}

// TestSpilledMembersOfSmallObjects: objects in each other, whose members together
// are more than there is room for.
func TestSpilledMembersOfSmallObjects(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 27))
	for _, each := range []int{1, 2, 30, 70, 500} {
		text := "1.0"
		for depth := 0; depth < 900 && depth*each < 3*memberRoom; depth++ {
			names := spilledNames(r, each)
			if depth%3 == 0 {
				names = spilledNames(r, each)[:1]
			}
			outer := objectOf(names, "1e3")
			text = strings.TrimSuffix(outer, "}") + `,"_":` + text + "}"
		}
		wantAppend(t, text)
		wantAppend(t, "["+text+","+text+"]")
	}
}

// TestSortingWithoutLuck: where every split goes wrong, the standard library
// sorts.
func TestSortingWithoutLuck(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 28))
	names := spilledNames(r, 3*memberRoom)
	text := objectOf(names, "0")
	for _, splits := range []int{0, 1, 2, 40} {
		w := new(writer)
		w.start(&defaultRules, []byte(text))
		copy(w.copied, text)
		var spans []span
		at := 1
		for _, name := range names {
			spans = append(spans, span{uint32(at), uint32(at + len(name) + 4)})
			at += len(name) + 5
		}
		r.Shuffle(len(spans), func(i, k int) { spans[i], spans[k] = spans[k], spans[i] })
		if !w.sortSpans(spans, splits) || !w.spansAscend(spans) {
			t.Errorf("with %d splits: not in order", splits)
		}
		for _, s := range spans {
			if text[s.start] != '"' || s.end-s.start != uint32(strings.IndexByte(text[s.start:], ':')+2) {
				t.Fatalf("a span is torn: %v", s)
			}
		}
		spans[len(spans)/2] = spans[1]
		if w.sortSpans(spans, splits) {
			t.Errorf("with %d splits: one name twice is accepted", splits)
		}
	}
}

// TestStartsSpill: behind those that have, and they grow by an eighth more than
// they must.
func TestStartsSpill(t *testing.T) {
	for _, c := range []struct{ before, room, top, capacity int }{{0, 0, 80, 90}, {20, 100, 80, 100}, {20, 99, 80, 112}, {5, 5, 0, 5}} {
		w := &writer{starts: make([]uint32, c.before, c.room), members: make([]member, c.top), top: c.top}
		for i := range w.starts {
			w.starts[i] = uint32(i)
		}
		for i := range w.members {
			w.members[i].start = uint32(c.before + i)
		}
		w.spill()
		if len(w.starts) != c.before+c.top || cap(w.starts) != c.capacity || w.top != 0 {
			t.Errorf("%+v: %d of %d, and %d are left", c, len(w.starts), cap(w.starts), w.top)
		}
		for i, start := range w.starts {
			if int(start) != i {
				t.Fatalf("%+v: %d at %d", c, start, i)
			}
		}
	}
}

// TestMemoryOfStartsIsGivenBack if it is more than twice what is left and some.
func TestMemoryOfStartsIsGivenBack(t *testing.T) {
	for _, c := range []struct {
		base, room int
		given      bool
	}{{0, 1024, false}, {0, 1025, true}, {1000, 3024, false}, {1000, 3025, true}} {
		w := &writer{starts: make([]uint32, c.base, c.room)[:c.base+10], top: 7}
		w.starts[c.base/2] = 9
		w.unspilled(c.base)
		if len(w.starts) != c.base || w.top != 0 || c.base > 0 && w.starts[c.base/2] != 9 {
			t.Errorf("%+v: %d are left, and %d", c, len(w.starts), w.top)
		}
		if given := cap(w.starts) < c.room; given != c.given {
			t.Errorf("%+v: room for %d is left", c, cap(w.starts))
		}
	}
}

// TestSpilledMembersAreClosed: an object whose members have spilled, in part or
// all, where there is room for few; behind members of other objects.
func TestSpilledMembersAreClosed(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 31))
	closed := 0
	for range rounds(4_000) {
		names := spilledNames(r, 2+r.IntN(90))
		r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		names = names[:1+r.IntN(len(names))]
		for i, name := range names { // as the walk leaves them in the copy
			names[i] = strings.Trim(string(writePlain(nil, []byte(`["`+name+`"]`))), "[]")
			names[i] = names[i][1 : len(names[i])-1]
		}
		twice := r.IntN(4) == 0 && len(names) > 1
		if k := r.Perm(len(names)); twice {
			names[k[0]] = names[k[1]]
		}
		switch r.IntN(4) {
		case 0:
			slices.Sort(names)
		case 1:
			slices.Sort(names)
			slices.Reverse(names)
		}
		text := objectOf(names, "0")
		if !twice && r.IntN(8) == 0 {
			text = string(writePlain(nil, []byte(text)))
		}
		w := &writer{members: make([]member, 8+r.IntN(3)*4)}
		w.start(&defaultRules, []byte(text))
		w.draft = make([]byte, draftRoom)
		copy(w.copied, text)
		before := r.IntN(20)
		w.starts = make([]uint32, before)
		staged := r.IntN(min(len(w.members), len(names)))
		at := 1
		for i, one := range strings.Split(text[1:len(text)-1], ",") {
			if i < len(names)-staged {
				w.starts = append(w.starts, uint32(at))
			} else {
				w.members[w.top] = w.memberFrom(uint32(at))
				w.top++
			}
			at += len(one) + 1
		}
		if ok := w.closeSpilled(before, len(text)-1, false); ok == twice {
			t.Fatalf("%s with room for %d: %v", text, len(w.members), ok)
		}
		if len(w.starts) != before || w.top != 0 {
			t.Fatalf("%s: %d and %d are left, not %d", text, len(w.starts), w.top, before)
		}
		if twice {
			continue
		}
		closed++
		if got, want := w.appendBody(nil, len(text)), writePlain(nil, []byte(text)); string(got) != string(want) {
			t.Fatalf("%s with room for %d: %s, want %s", text, len(w.members), got, want)
		}
	}
	if closed == 0 {
		t.Error("none was closed")
	}
}
