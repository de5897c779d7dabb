package ladder

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Shape is texts that grow in one direction. All are right documents that
// every profile accepts, except for limits.
type Shape struct {
	Name  string // permanent, lower case
	Unit  string // what a size counts
	Text  string // what grows, in a few words
	Write func(n int) []byte
}

// shapes is the table, in the order of reports.
var shapes = []Shape{
	{"depth", "levels", "arrays inside arrays", func(n int) []byte {
		return []byte(strings.Repeat("[", n) + strings.Repeat("]", n))
	}},
	{"object-depth", "levels", "objects inside objects", func(n int) []byte {
		return []byte(strings.Repeat(`{"a":`, n) + "0" + strings.Repeat("}", n))
	}},
	{"string", "bytes", "one long string", func(n int) []byte {
		return []byte(`["` + strings.Repeat("a", n) + `"]`)
	}},
	{"unicode", "characters", "one long string of four-byte characters", func(n int) []byte {
		return []byte(`["` + strings.Repeat("😀", n) + `"]`)
	}},
	{"escapes", "escapes", "one long string of escapes", func(n int) []byte {
		return []byte(`["` + strings.Repeat(`\u0041\n`, (n+1)/2) + `"]`)
	}},
	{"elements", "elements", "one long array of small integers", func(n int) []byte {
		return []byte("[" + strings.Repeat("0,", n-1) + "0]")
	}},
	{"numbers", "numbers", "one long array of doubles with all their digits", func(n int) []byte {
		return []byte("[" + strings.Repeat("1.7976931348623157e308,", n-1) + "0]")
	}},
	{"members", "members", "one object with its names in order", func(n int) []byte {
		return members(n, func(i int) int { return i })
	}},
	{"members-reversed", "members", "one object with its names in reverse order", func(n int) []byte {
		return members(n, func(i int) int { return n - i })
	}},
	{"members-scattered", "members", "one object with its names in no order", func(n int) []byte {
		// An odd number times 1 to n, modulo a power of two: a permutation.
		return members(n, func(i int) int { return i * 40503 & (1<<20 - 1) })
	}},
	{"objects", "objects", "an array of small objects", func(n int) []byte {
		return []byte("[" + strings.Repeat(`{"b":1,"a":2},`, n-1) + "{}]")
	}},
	{"name", "bytes", "two long names that differ at their end", func(n int) []byte {
		long := strings.Repeat("a", n)
		return []byte(`{"` + long + `1":0,"` + long + `0":0}`)
	}},
	{"prefixes", "bytes", "many names that share a long beginning", func(n int) []byte {
		// 64 names of n/64 bytes.
		long := strings.Repeat("a", max(n/64-2, 0))
		var b bytes.Buffer
		for i := range 64 {
			fmt.Fprintf(&b, `%c"%s%02d":0`, ",{"[b2i(i == 0)], long, 63-i)
		}
		b.WriteByte('}')
		return b.Bytes()
	}},
	{"digits", "digits", "one number with many digits behind the point", func(n int) []byte {
		return []byte("[0." + strings.Repeat("7", n) + "]")
	}},
	{"zeros", "digits", "one number with many zeros and the exponent that undoes them", func(n int) []byte {
		return fmt.Appendf(nil, "[1%se-%d]", strings.Repeat("0", n), n)
	}},
	{"white-space", "bytes", "white space before a value", func(n int) []byte {
		return []byte("[" + strings.Repeat(" \n", (n+1)/2) + "0]")
	}},
}

func b2i(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func members(n int, order func(int) int) []byte {
	b := []byte{'{'}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%07d":0`, order(i))
	}
	return append(b, '}')
}

// Shapes lists the shapes.
func Shapes() []Shape { return slices.Clone(shapes) }

// Names lists the shapes' names.
func Names() []string {
	var all []string
	for _, s := range shapes {
		all = append(all, s.Name)
	}
	return all
}

// Lookup finds a shape by its name.
func Lookup(name string) (Shape, bool) {
	i := slices.IndexFunc(shapes, func(s Shape) bool { return s.Name == name })
	if i < 0 {
		return Shape{}, false
	}
	return shapes[i], true
}
