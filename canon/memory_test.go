package canon

import (
	"fmt"
	"strings"
	"testing"
)

// memoryTexts are texts of different shapes, each about size bytes long.
func memoryTexts(size int) map[string]string {
	repeat := func(n int, each func(k int) string) string {
		var b strings.Builder
		for k := range n {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString(each(k))
		}
		return b.String()
	}
	return map[string]string{
		"records": "[" + repeat(size/64, func(k int) string {
			return fmt.Sprintf(`{"name":"number %08d","id":%d,"flags":[true,false]}`, k, k)
		}) + "]",
		"one wide object": "{" + repeat(size/24, func(k int) string {
			return fmt.Sprintf(`"member %08d":%5d`, k*7919%(size/24), k%90000+10000)
		}) + "}",
		"numbers": "[" + repeat(size/18, func(k int) string { return fmt.Sprintf("0.1234567%09d", k) }) + "]",
		"long numbers": "[" + repeat(size/450, func(k int) string {
			return fmt.Sprintf("9007199254740993.%0400d,2.%de-308,%d.5e%d", k%2, uint64(k)+1e18, k+1, k%300)
		}) + "]",
		"strings": "[" + repeat(size/30, func(k int) string { return fmt.Sprintf(`"\u00e9\u4e2d\/%010d"`, k) }) + "]",
		"wrapped": `{"b":0,"a":[` + repeat(size/2400, func(int) string {
			return strings.Repeat(`{"b":0,"a":`, 200) + "1" + strings.Repeat("}", 200)
		}) + "]}",
		"nested unsorted": "[" + repeat(size/2400, func(int) string {
			return strings.Repeat(`{"b":0,"a":`, 200) + "1" + strings.Repeat("}", 200)
		}) + "]",
		"wide objects with edits": "[" + repeat(size/5000, func(int) string {
			return "{" + repeat(300, func(k int) string { return fmt.Sprintf(`"%d":1.0,"b%d":{"y":"\/","x":2e0}`, 1000-k, k) }) + "}"
		}) + "]",
		"brackets": "[" + repeat(size/3, func(int) string { return "[]" }) + "]",
	}
}

// TestAppendAllocatesNothingWithRoom holds for dst with room for the text, and
// for dst with just the room for the result.
func TestAppendAllocatesNothingWithRoom(t *testing.T) {
	eachKernel(func() { appendAllocatesNothingWithRoom(t) })
}

func appendAllocatesNothingWithRoom(t *testing.T) {
	for name, text := range memoryTexts(20_000) {
		src := []byte(text)
		form, err := Canonicalize(src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, room := range []int{len(form), len(src) + outputSlack} {
			dst := make([]byte, 0, max(room, len(form)))
			if n := testing.AllocsPerRun(50, func() {
				if _, err := Append(dst, src); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("%s: %v allocations with room for %d bytes", name, n, room)
			}
		}
		if n := testing.AllocsPerRun(50, func() {
			if !Valid(form) {
				t.Errorf("%s: the canonical form is not valid", name)
			}
		}); n != 0 {
			t.Errorf("%s: Valid makes %v allocations", name, n)
		}
	}
}

// TestMemoryBesideDst: at most three times the text beside a constant, whether dst
// has room or none.
func TestMemoryBesideDst(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size /= 4
	}
	texts, r := memoryTexts(size), Options{MaxDepth: -1}.rules()
	for name, text := range worstTexts(size) {
		texts[name] = text
	}
	eachKernel(func() {
		for name, text := range texts {
			src := []byte(text)
			for _, room := range []int{1, 5 * len(src)} {
				w := new(writer)
				w.start(&r, src)
				if _, ok := w.appendTo(make([]byte, 0, room)); !ok && !strings.Contains(name, "refused") {
					t.Fatalf("%s: refused", name)
				}
				t.Logf("%s, room %d: %.2f times the text", name, room, float64(w.held())/float64(len(src)))
				if w.held() > 3*len(src)+128<<10 {
					t.Errorf("%s, room %d: %d bytes for a text of %d", name, room, w.held(), len(src))
				}
			}
		}
	})
}

// worstTexts are texts of nothing but what needs most: very many members of a few
// bytes each, in one object or many in each other, and numbers and strings that
// must be written otherwise.
func worstTexts(size int) map[string]string {
	list := func(s string) string { return "[" + strings.Repeat(s+",", size/(len(s)+1)) + "0]" }
	members := func(count int, format string) string {
		var b strings.Builder
		for k := range count {
			fmt.Fprintf(&b, format, k*7919&0xFFFFF)
		}
		return b.String()
	}
	// The names of one and two bytes, from the last one on.
	few := func(count int, value string) string {
		var b strings.Builder
		for k := count; k > 0; k-- {
			name := string(rune(0x7E - k%90))
			if k >= 90 {
				name = string(rune(0x7E-k/90)) + name
			}
			b.WriteString(`"` + strings.NewReplacer(`"`, "!", `\`, " ").Replace(name) + `":` + value + ",")
		}
		return b.String()
	}
	nested := func(level string, most int) string {
		depth := min(size/(len(level)+7), most)
		return strings.Repeat("{"+level+`"":`, depth) + "1" + strings.Repeat("}", depth)
	}
	half := func(of int, value string) string {
		list := strings.Repeat(value+",", size*of/6/(len(value)+1))
		return `{"~":[` + list + `0],"":0,` + members(size*(6-of)/6/10, `"%x":0,`) + `"!":0}`
	}
	return map[string]string{
		"1e9, then wide": half(2, "1e9"), "1e9, half wide": half(3, "1e9"), "1e9, some wide": half(4, "123e99"), "123e99, half wide": half(3, "123e99"), "15e99, some wide": half(5, "15e99"),
		"15e99": list("15e99"), "members of 15e99": list(`{"b":15e99,"a":15e99}`), "wide, 15e99": "{" + members(size/13, `"%x":15e9,`) + `"":0}`,
		"wide":                  "{" + members(size/10, `"%x":0,`) + `"":0}`,
		"wide, 2.0":             "{" + members(size/12, `"%x":2.0,`) + `"":0}`,
		"wide, 1e20":            "{" + members(size/13, `"%x":1e20,`) + `"":0}`,
		"wide, escapes":         "{" + members(size/18, `"\/%x":"\/",`) + `"":0}`,
		"refused, one name":     "{" + strings.Repeat(`"":0,`, size/5) + `"":0}`,
		"refused, one and 2.0":  "{" + strings.Repeat(`"":2.0,`, size/7) + `"":0}`,
		"1e20":                  list("1e20"),
		"1e20 in a member":      `{"b":` + list("1e20") + `,"a":0}`,
		"1e20 in members":       list(`{"b":1e20,"a":1e20}`),
		"2.0 in members":        list(`{"b":2.0,"a":2.0}`),
		"escapes in members":    list(`{"\/":"\/"}`),
		"objects of 70":         list("{" + few(70, "0") + `"":1}`),
		"objects of 1,000":      list("{" + few(1000, "1e20") + `"":1}`),
		"objects of 6,000":      list("{" + few(6000, "0") + `"":1}`),
		"nested":                nested(`"z":0,`, maxRecursion-1),
		"nested, 2.0":           nested(`"z":2.0,`, maxRecursion-1),
		"nested, 30":            nested(few(30, "0"), maxRecursion-1),
		"nested, 80":            nested(few(80, "0"), maxRecursion-1),
		"nested, 4,000":         nested(few(4000, "0"), maxRecursion-1),
		"nested, 6,000 of 1e20": nested(few(6000, "1e20"), maxRecursion-1),
	}
}

// TestLargeStateIsGivenBack: what a large text needed is not kept.
func TestLargeStateIsGivenBack(t *testing.T) {
	src := []byte(memoryTexts(9 << 20)["strings"])
	if _, err := Append(nil, src); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		w := writers.Get().(*writer)
		if w.held() > maxPooled {
			t.Fatalf("a pooled writer holds %d bytes", w.held())
		}
		if w.src != nil || w.output != nil || w.to != nil {
			t.Fatal("a pooled writer holds on to its last text")
		}
	}
}

// Nesting costs the same for each byte at any depth, without recursion beyond
// maxRecursion, and where a limit is it is refused at once.
func TestDeepTexts(t *testing.T) {
	open := Options{MaxDepth: -1}
	depths := []int{maxRecursion - 1, maxRecursion, maxRecursion + 1}
	if !testing.Short() {
		depths = append(depths, 100_000)
	}
	for _, depth := range depths {
		for _, c := range []struct{ head, tail, wantHead, wantTail string }{
			{"[", "]", "[", "]"},
			{`{"b":0,"a":`, "}", `{"a":`, `,"b":0}`},
			{`[{"":`, `}]`, `[{"":`, `}]`},
		} {
			src := strings.Repeat(c.head, depth) + "7" + strings.Repeat(c.tail, depth)
			want := strings.Repeat(c.wantHead, depth) + "7" + strings.Repeat(c.wantTail, depth)
			got, err := open.Canonicalize([]byte(src))
			if err != nil || string(got) != want {
				t.Errorf("%d times %s: wrong, %v", depth, c.head, err)
			}
			if !open.Valid(got) || open.Valid([]byte(src)) != (src == want) {
				t.Errorf("%d times %s: Valid is wrong", depth, c.head)
			}
			if _, err := Canonicalize([]byte(src)); err == nil {
				t.Errorf("%d times %s: accepted by default", depth, c.head)
			}
		}
	}
}
