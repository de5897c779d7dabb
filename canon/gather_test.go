package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestHeldIsAllBuffers: what a writer holds is counted to the byte.
func TestHeldIsAllBuffers(t *testing.T) {
	w := writer{
		copied: make([]byte, 3), draft: make([]byte, 20), members: make([]member, 700), starts: make([]uint32, 1, 9000),
		gatherer: gatherer{kept: make([]span, 1, 2000), pending: make([]pending, 1, 30000), children: make([]int32, 1, 500_000), scratch: make([]byte, 7_000_000)},
	}
	size := func(of any) int { return int(reflect.TypeOf(of).Size()) }
	want := 23 + 700*size(member{}) + 9000*4 + 2000*size(span{}) + 30000*size(pending{}) + 500_000*4 + 7_000_000
	if got := w.held() - new(writer).held(); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	if got, least := new(writer).held(), size(w); got < least || got > 2*least {
		t.Errorf("without buffers %d bytes; the writer itself has %d", got, least)
	}
}

// arranger arranges objects by themselves.
type arranger struct {
	*testing.T
	*writer
}

// arrange arranges the members of such names and gives what the object becomes.
func (a arranger) arrange(names ...string) string {
	text := []byte(objectOf(names, "0"))
	a.start(&defaultRules, text)
	copy(a.copied, text)
	at := 1
	for i, name := range names {
		a.members[i] = a.memberFrom(uint32(at))
		at += len(name) + 5
	}
	a.top = len(names)
	if !a.writer.arrange(0, len(text)-1) {
		a.Fatalf("%s is refused", text)
	}
	return string(a.copied[:len(text)])
}

// remembered gives the one order of so many members.
func (a arranger) remembered(count int) *order {
	var found *order
	for i := range a.orders {
		if a.orders[i].count == count {
			if found != nil {
				a.Fatalf("more than one order of %d members", count)
			}
			found = &a.orders[i]
		}
	}
	return found
}

// TestOrdersAreRemembered: of the objects of few members, each for those that
// look like it, and those alone.
func TestOrdersAreRemembered(t *testing.T) {
	eachKernel(func() {
		a := arranger{t, new(writer)}
		const source, sorted = `{"b":0,"a":0}`, `{"a":0,"b":0}`
		first := a.arrange("b", "a")
		known := a.remembered(2)
		if first != sorted || known == nil {
			t.Fatalf("%s, and %v is remembered", first, known)
		}
		if a.arrange("b", "a"); a.remembered(2) != known {
			t.Error("the order of one object is remembered twice")
		}
		// An order that moves nothing shows when it is used.
		for name, spoil := range map[string]func(){
			source:                    func() {},
			sorted + ", another hash": func() { known.hash++ },
			sorted + ", three":        func() { known.count++ },
		} {
			known.from, known.to = 0, 0
			spoil()
			if got := a.arrange("b", "a"); !strings.HasPrefix(name, got) {
				t.Errorf("%s, want %s", got, name)
			}
		}

		// What moves is where ranks begin and end to differ.
		a.arrange("a", "b", "d", "c", "e")
		if known := a.remembered(5); known.from != 2 || known.to != 4 {
			t.Errorf("members %d to %d move, not 2 to 4", known.from, known.to)
		}
		if got := a.arrange("long name 1", "long name 2", "long name 3"); got != `{"long name 1":0,"long name 2":0,"long name 3":0}` {
			t.Error("what is in order becomes", got)
		}
		if known := a.remembered(3); known.from != known.to {
			t.Errorf("members %d to %d move, not none", known.from, known.to)
		}

		// The same prefixes may be those of other names.
		if got := a.arrange("long name 3", "long name 1", "long name 2"); got != `{"long name 1":0,"long name 2":0,"long name 3":0}` {
			t.Error("the order of other names is taken:", got)
		}
		a.arrange(`\n`, "b")
		if got := a.arrange(`z\n`, "b"); got != `{"b":0,"z\n":0}` {
			t.Error("the order of other names is taken:", got)
		}

		names := make([]string, rememberedOrder+1)
		for i := range names {
			names[i] = fmt.Sprint(9999 - i)
		}
		a.arrange(names...)
		a.arrange(names[1:]...)
		if a.remembered(rememberedOrder) == nil || a.remembered(rememberedOrder+1) != nil {
			t.Errorf("orders of up to %d members are to be remembered", rememberedOrder)
		}

		// Different objects have different places.
		*a.writer = writer{}
		for i := range 2 * rememberedOrders {
			a.arrange(fmt.Sprintf("b%d", i), fmt.Sprintf("a%d", i))
		}
		used := 0
		for i := range a.orders {
			used += a.orders[i].count / 2
		}
		if used < rememberedOrders/2 {
			t.Errorf("all orders share %d of %d places", used, rememberedOrders)
		}
	})
}

func TestPrefixes(t *testing.T) {
	for _, c := range []struct {
		name string
		want uint64
	}{
		{"abcdefgh", 0x6162636465666768}, {"a", 0x61 << 56}, {"ab", 0x6162 << 48}, {"abc", 0x616263 << 40}, {"abcd", 0x61626364 << 32},
		{"abcde", 0x6162636465 << 24}, {"abcdef", 0x616263646566 << 16}, {"abcdefg", 0x61626364656667 << 8}, {"", 0}, {"\x7f~no]", 0x7F7E6E6F5D000000},
		{`abcdefg\`, 0}, {`\n`, 0}, {`é\`, 0}, {"é", 0xC3A9000000000000}, {"\ud7ff\ue000a", 0xED9FBFF680806100}, {"\uf000", 0xF780800000000000}, {"😀", 0xF09F988000000000},
	} {
		prefix := uint64(0)
		for i := range 8 {
			prefix <<= 8
			if i < len(c.name) {
				prefix |= uint64(c.name[i])
			}
		}
		if got := oddPrefix(prefix); got != c.want {
			t.Errorf("%q: %#x, want %#x", c.name, got, c.want)
		}
		w := new(writer)
		w.start(&defaultRules, nil)
		copy(w.copied, `"`+c.name+`":0,"":0`)
		if got := w.memberFrom(0); got != (member{prefix: c.want}) && !strings.HasSuffix(c.name, `\`) {
			t.Errorf("%q in its place: %#x, want %#x", c.name, got.prefix, c.want)
		}
		if !strings.Contains(c.name, `\`) {
			word := load64(textOf([]byte(c.name+`"":0,"":0`)), 0)
			if got := prefixOf(word, len(c.name)); got != c.want {
				t.Errorf("%q without escapes: %#x, want %#x", c.name, got, c.want)
			}
		}
	}
}

// TestMembersCompareAsTheirNames holds compareMembers to compareNamesAt, for names
// that are equal, differ at any place, or end there, with anything behind them.
func TestMembersCompareAsTheirNames(t *testing.T) {
	r := rand.New(rand.NewPCG(87, 85))
	pieces := []string{"a", "a", "a", "b", "!", "#", `\"`, `\\`, `\u0061`, `\n`, "é", "\uffff", "\uee00", "\U00010000", "]"}
	tails := []string{`":0,`, `":1,`, `":"\"",`, `":"\\",`}
	w, sure := new(writer), 0
	for range rounds(50_000) {
		x := strings.Repeat("a", r.IntN(40))
		for range r.IntN(4) {
			x += pieces[r.IntN(len(pieces))]
		}
		y := x
		if r.IntN(2) == 0 {
			y = strings.Repeat("a", r.IntN(len(x)+1))
			if r.IntN(2) == 0 {
				y += pieces[r.IntN(len(pieces))]
			}
		}
		x, y = `"`+x+tails[r.IntN(len(tails))], `"`+y+tails[r.IntN(len(tails))]
		w.start(&defaultRules, []byte(x+y))
		copy(w.copied, x+y)
		want := compareNamesAt(w.copied, 0, len(x))
		if got := w.compareMembers(w.memberFrom(0), w.memberFrom(uint32(len(x)))); got != want {
			t.Fatalf("%s and %s: %d, want %d", x, y, got, want)
		}
		if got, ok := compareTails(w.body, 1, len(x)+1); ok {
			sure++
			if got != want {
				t.Fatalf("%s and %s: surely %d, want %d", x, y, got, want)
			}
		}
	}
	if sure < rounds(50_000)/2 {
		t.Errorf("of %d only %d are sure", rounds(50_000), sure)
	}
}

// putOffAs is a pending object as the tests tell it: its text, its members, and
// how many it is the outermost of.
type putOffAs struct {
	text    string
	members []string
	under   int
}

// TestWhatIsPutOff: which objects are put in order at once, without being noted,
// which are settled, and what is noted of the others.
func TestWhatIsPutOff(t *testing.T) {
	region := func(size int) string { return `"b":"` + strings.Repeat("x", size-12) + `","a":0` }
	noted := func(size, under int) putOffAs {
		text := region(size)
		return putOffAs{text, []string{`"a":0`, strings.TrimSuffix(text, `,"a":0`)}, under}
	}
	large := region(smallObject + 1)
	behind := func(count int) string {
		text := `{"o":{"b":1,"a":2`
		for i := range count {
			text += fmt.Sprintf(`,"c%d":{%s}`, i, large)
		}
		return text + "}}"
	}
	four := slices.Repeat([]putOffAs{noted(smallObject+1, 1)}, 4)
	five := slices.Repeat([]putOffAs{noted(smallObject+1, 1)}, 5)
	whole := putOffAs{text: strings.TrimSuffix(strings.TrimPrefix(behind(5), `{"o":{`), "}}"), members: []string{`"a":2`, `"b":1`}, under: 6}
	for i := range 5 {
		whole.members = append(whole.members, fmt.Sprintf(`"c%d":{%s}`, i, large))
	}
	long := `"c":"` + strings.Repeat("x", smallObject) + `"`
	for _, c := range []struct {
		name, text string
		noted      bool // whether anything ever was
		want       []putOffAs
	}{
		{"small", "{\"o\":{" + region(smallObject) + "}}", false, nil},
		{"beyond small", "{\"o\":{" + large + "}}", true, []putOffAs{noted(smallObject+1, 1)}},
		{"in no other, moderate", "{" + region(64<<10) + "}", true, nil},
		{"in no other, beyond moderate", "[{" + region(64<<10+1) + "}]", true, []putOffAs{noted(64<<10+1, 1)}},
		{"four behind", behind(4), true, four},
		{"five behind", behind(5), true, append(five, whole)},
		{"inside", `{"o":{"b":0,"a":{` + large + `}}}`, true, []putOffAs{
			noted(smallObject+1, 1), {`"b":0,"a":{` + large + `}`, []string{`"a":{` + large + `}`, `"b":0`}, 2},
		}},
		{"in the middle", `{"o":{"a":0,` + long + `,"b":0,"d":0}}`, true, []putOffAs{{long + `,"b":0`, []string{`"b":0`, long}, 1}}},
		{"in the middle, one behind", `{"o":{"a":0,` + long + `,"b":0,"d":{` + large + `}}}`, true, []putOffAs{
			noted(smallObject+1, 1),
			{`"a":0,` + long + `,"b":0,"d":{` + large + `}`, []string{`"a":0`, `"b":0`, long, `"d":{` + large + `}`}, 2},
		}},
		{"beside each other", `{"o":[{` + large + `},{` + large + `}]}`, true, []putOffAs{noted(smallObject+1, 1), noted(smallObject+1, 1)}},
	} {
		eachKernel(func() {
			w := new(writer)
			w.start(&defaultRules, []byte(c.text))
			if !w.accepts() {
				t.Fatalf("%s: refused", c.name)
			}
			if noted := cap(w.kept) > 0; noted != c.noted {
				t.Errorf("%s: whether anything was noted: %v", c.name, noted)
			}
			var got []putOffAs
			for _, p := range w.pending {
				object := putOffAs{text: string(w.copied[p.start:p.end]), under: int(p.under)}
				for _, s := range w.kept[p.kept : p.kept+p.count] {
					object.members = append(object.members, string(w.copied[s.start:s.end]))
				}
				got = append(got, object)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %.900v, want %.900v", c.name, got, c.want)
			}
		})
		wantAppend(t, c.text)
	}
}

// TestSettling: an object is put in order as soon as that costs no more than what
// was noted of it, and there is memory for that.
func TestSettling(t *testing.T) {
	for _, c := range []struct {
		size, members      int // of the object
		others, theirs     int // other objects before it, and the members of all of them
		text, base, starts int
		inside             int // other objects in it
		want               bool
	}{
		{1024, 2, 0, 0, 1 << 20, 1, 0, 0, true},
		{1025, 2, 0, 0, 1 << 20, 1, 0, 0, false},
		{65536, 2, 0, 0, 1 << 20, 0, 0, 0, true},
		{65537, 2, 0, 0, 1 << 20, 0, 0, 0, false},
		{65536, 2, 0, 0, 1 << 20, 0, 1, 0, false},
		{65536, 2, 0, 0, 1 << 20, 1, 0, 0, false},
		{65536, 2, 0, 0, 1 << 20, 1, 1, 0, false},
		// It has 8 bytes a member and 20 more noted of it.
		{1032, 62, 20, 136, 4000, 1, 0, 0, true},
		{1033, 62, 20, 136, 4000, 1, 0, 0, false},
		// All is more than half the text.
		{1032, 62, 20, 136, 4007, 1, 0, 0, true},
		{1032, 62, 20, 136, 4008, 1, 0, 0, false},
		{1032, 62, 19, 136, 4006, 1, 0, 0, false},
		{1032, 62, 20, 135, 4006, 1, 0, 0, false},
		// With the object itself it is at most one text and a half.
		{1032, 62, 100, 310, 4019, 1, 0, 0, true},
		{1032, 62, 100, 310, 4018, 1, 0, 0, false},
		{1032, 62, 101, 310, 4019, 1, 0, 0, false},
		{1032, 62, 100, 311, 4019, 1, 0, 0, false},
		// That of those in it counts as well.
		{1112, 62, 20, 136, 4000, 1, 0, 2, true},
		{1113, 62, 20, 136, 4000, 1, 0, 2, false},
	} {
		w := new(writer)
		w.start(&defaultRules, make([]byte, c.text))
		first := 10 * (c.others + 1)
		for i := range c.others {
			w.putOff(0, 10*i, 10*i+5)
		}
		w.kept = append(w.kept, make([]span, c.theirs)...)
		for i := range c.inside {
			w.putOff(0, first+3+i, first+3+i)
		}
		kept := w.putOff(c.members, first, first+c.size)
		for i := range kept { // they cover it, from the last one on
			end := first + c.size - 2*i
			kept[i] = span{uint32(end - 1), uint32(end)}
		}
		kept[len(kept)-1].start = uint32(first)
		for i := range c.size {
			w.copied[first+i] = byte('a' + i%26)
		}
		before := bytes.Clone(w.copied)
		w.starts = make([]uint32, c.starts)
		w.settle(c.base)
		if got := len(w.pending) == c.others; got != c.want || got != (len(w.kept) == c.theirs) {
			t.Errorf("%+v: %v, and %d objects with %d members are left", c, got, len(w.pending), len(w.kept))
		}
		var moved []byte
		for i := range c.members {
			if end := first + c.size - 2*i; i < c.members-1 {
				moved = append(moved, before[end-1], ',')
			} else {
				moved = append(moved, before[first:end]...)
			}
		}
		if !c.want {
			moved = before[first : first+c.size]
		}
		copy(before[first:], moved)
		if !bytes.Equal(before, w.copied) {
			t.Errorf("%+v: %.100q", c, w.copied)
		}
	}
}

// TestNotesGrowWhenTheyMust, by an eighth more than they must.
func TestNotesGrowWhenTheyMust(t *testing.T) {
	g := gatherer{kept: make([]span, 30, 80)}
	g.kept[29].end = 7
	for _, c := range []struct{ count, length, capacity int }{{50, 80, 80}, {1, 81, 91}, {10, 91, 91}, {9, 100, 112}} {
		kept := g.putOff(c.count, 0, 1)
		if len(kept) != c.count || len(g.kept) != c.length || cap(g.kept) != c.capacity || g.kept[29].end != 7 {
			t.Errorf("%+v: %d, %d of %d", c, len(kept), len(g.kept), cap(g.kept))
		}
	}
}

// TestScratchIsKept as long as it is large enough.
func TestScratchIsKept(t *testing.T) {
	var g gatherer
	for _, c := range []struct{ size, want int }{{10, 2*smallObject + outputSlack}, {2 * smallObject, 2*smallObject + outputSlack}, {2*smallObject + 1, 2*smallObject + 1 + outputSlack}} {
		first := g.room(c.size)
		if second := g.room(c.size); len(second) != c.want || &first[0] != &second[0] {
			t.Errorf("for %d bytes: %d, another one: %v", c.size, len(second), &first[0] != &second[0])
		}
	}
}

// TestMembersAreCopied with little beyond them, since no more room need be there.
func TestMembersAreCopied(t *testing.T) {
	in := bytes.Repeat([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), 40)
	for size := range 2 * 256 {
		out := make([]byte, 1500)
		const at, from = 5, 3
		behind := copyMember(textOf(out), at, textOf(in), span{from, uint32(from + size)})
		if behind != at+size+1 || string(out[at:behind]) != string(in[from:from+size])+"," {
			t.Fatalf("of %d bytes: %q up to %d", size, out, behind)
		}
		if i := max(behind, at+size+63); len(bytes.Trim(append(out[:at:at], out[i:]...), "\x00")) > 0 {
			t.Fatalf("of %d bytes: much is written beyond: %q", size, out)
		}
	}
}
