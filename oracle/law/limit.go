package law

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

func canLimit(im Implementation) bool { _, ok := im.(Limiter); return ok }

// measure is what a text needs of each limit.
type measure struct {
	depth, members, elements, stringBytes, digits int
}

// measureOf reads a text that has been accepted.
func measureOf(text, canonical []byte) measure {
	var m measure
	for _, p := range grammar.Outline(canonical) {
		depth := 0
		switch p.Open {
		case '{':
			m.members = max(m.members, len(p.Items))
			depth = 1
		case '[':
			m.elements = max(m.elements, len(p.Items))
			depth = 1
		}
		if depth == 1 {
			m.depth = max(m.depth, depthOf(canonical[:p.To], p.From))
		}
	}
	for _, t := range grammar.Tokens(nil, canonical) {
		if t.Kind == grammar.Quoted {
			var s string
			if json.Unmarshal(canonical[t.From:t.To], &s) == nil {
				m.stringBytes = max(m.stringBytes, len(s))
			}
		}
	}
	for _, t := range grammar.Tokens(nil, text) {
		if t.Kind == grammar.Word {
			n := 0
			for _, c := range text[t.From:t.To] {
				if '0' <= c && c <= '9' {
					n++
				}
			}
			m.digits = max(m.digits, n)
		}
	}
	return m
}

// depthOf is the nesting of the container that opens at an offset.
func depthOf(text []byte, at int) int {
	depth := 1
	for _, t := range grammar.Tokens(nil, text[:at]) {
		if t.Kind == grammar.Mark {
			switch text[t.From] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
		}
	}
	return depth
}

// mostMeasured bounds the texts whose limits are checked: depth is measured
// anew for each container.
const mostMeasured = 8192

func checkLimits(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if err != nil || len(input) > mostMeasured {
		return nil
	}
	m := measureOf(input, out)
	for _, l := range []struct {
		what   string
		need   int
		set    func(*Limits, int)
		reason reject.Reason
	}{
		{"depth", m.depth, func(l *Limits, n int) { l.Depth = n }, reject.LimitDepth},
		{"input", len(input), func(l *Limits, n int) { l.Input = n }, reject.LimitSize},
		{"output", len(out), func(l *Limits, n int) { l.Output = n }, reject.LimitSize},
		{"members", m.members, func(l *Limits, n int) { l.Members = n }, reject.LimitCount},
		{"elements", m.elements, func(l *Limits, n int) { l.Elements = n }, reject.LimitCount},
		{"string bytes", m.stringBytes, func(l *Limits, n int) { l.StringBytes = n }, reject.LimitSize},
		{"digits", m.digits, func(l *Limits, n int) { l.Digits = n }, reject.LimitCount},
	} {
		for n := max(l.need-1, 1); n <= l.need; n++ {
			var limits Limits
			l.set(&limits, n)
			_, err := im.(Limiter).Within(limits).Canonicalize(input)
			e, _ := refusal(err)
			if n == l.need && err != nil {
				return fmt.Errorf("%s needs %d for %s and is refused: %v", show(input), l.need, l.what, err)
			}
			if n < l.need && (e == nil || e.Reason != l.reason) {
				return fmt.Errorf("%s needs %d for %s and with %d gives %v", show(input), l.need, l.what, n, err)
			}
		}
	}
	return nil
}

func canMeter(im Implementation) bool { _, ok := im.(Meter); return ok }

// shapes grow in one direction each.
var shapes = []struct {
	name  string
	write func(n int, unit string) string
}{
	{"string", func(n int, unit string) string { return `"` + strings.Repeat(unit, n) + `"` }},
	{"array", func(n int, unit string) string { return "[" + strings.Repeat(unit+",", n) + "0]" }},
	{"object", func(n int, unit string) string { return members(n, func(i int) int { return i }) }},
	{"object, reversed", func(n int, unit string) string { return members(n, func(i int) int { return n - i }) }},
	{"object, scattered", func(n int, unit string) string { return members(n, func(i int) int { return i * 7919 % (n + 1) }) }},
	{"number", func(n int, unit string) string { return "0." + strings.Repeat("7", n) }},
	{"zeros", func(n int, unit string) string { return "1" + strings.Repeat("0", n) + "e-" + fmt.Sprint(n) }},
	{"depth", func(n int, unit string) string { n /= 20; return strings.Repeat("[", n) + strings.Repeat("]", n) }},
	{"deep names", func(n int, unit string) string {
		n /= 20
		return strings.Repeat(`{"a":`, n) + "0" + strings.Repeat("}", n)
	}},
	{"white space", func(n int, unit string) string { return strings.Repeat(" \n", n) + "0" }},
	{"escapes", func(n int, unit string) string { return `"` + strings.Repeat(`\u0041\n`, n) + `"` }},
	{"long names", func(n int, unit string) string {
		return `{"` + strings.Repeat("a", n) + `1":0,"` + strings.Repeat("a", n) + `0":0}`
	}},
	{"unclosed", func(n int, unit string) string { return "[" + strings.Repeat(`{"a":[`, n/40) }},
	{"numbers", func(n int, unit string) string { return "[" + strings.Repeat("1.7976931348623157e308,", n) + "0]" }},
}

// Shapes lists the names of the directions of growth.
func Shapes() []string {
	var all []string
	for _, s := range shapes {
		all = append(all, s.name)
	}
	return all
}

func members(n int, order func(int) int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`"%06d":0`, order(i))
	}
	return "{" + strings.Join(all, ",") + "}"
}

// checkGrowth takes a shape and a unit from the input and compares the work for
// a text with the work for one sixteen times as large. n log n makes it some 25
// times as much, a square 256 times.
func checkGrowth(im Implementation, input []byte) error {
	s := source(input, 5)
	shape := shapes[s.Choose(len(shapes))]
	unit := []string{"0", "1", "7"}[s.Choose(3)]
	small, large := shape.write(growthFrom, unit), shape.write(16*growthFrom, unit)
	least := leastOf(im, small, 0)
	most := 64 * least * int64(len(large)) / int64(len(small)) / 16
	if work := leastOf(im, large, most); work > most {
		return fmt.Errorf("%s: %d bytes take %d, %d bytes take %d", shape.name, len(small), least, len(large), work)
	}
	return nil
}

const growthFrom = 1024

// leastOf is the least work of several runs. It stops as soon as one takes no
// more than enough.
func leastOf(im Implementation, text string, enough int64) int64 {
	m := im.(Meter)
	best := int64(math.MaxInt64)
	for range 7 {
		before := m.Work()
		im.Canonicalize([]byte(text))
		best = min(best, m.Work()-before)
		if best <= enough {
			break
		}
	}
	return max(best, 1)
}
