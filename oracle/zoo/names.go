package zoo

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func text(u []uint16) string { return string(utf16.Decode(u)) }

// nameMap changes names.
func nameMap(change func([]uint16) []uint16) func(*behavior) {
	return func(b *behavior) { b.nameOf = maps(change) }
}

// refusesNames refuses names.
func refusesNames(which func(string) bool) func(*behavior) {
	return func(b *behavior) {
		b.nameOf = func(m *machine, u []uint16) []uint16 {
			if which(text(u)) {
				m.fail(reject.Syntax)
			}
			return u
		}
	}
}

// dropsMembers leaves members out of objects.
func dropsMembers(which func(it item) bool) func(*behavior) {
	return func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' {
				v.items = slices.DeleteFunc(v.items, which)
			}
		}
	}
}

func named(name string) func(item) bool { return func(it item) bool { return text(it.name) == name } }

var nameFaults = []Creature{
	{Name: "proto-dropped", Part: Names, Text: "loses __proto__, as an assignment to a JavaScript object does", plant: dropsMembers(named("__proto__"))},
	{Name: "proto-dropped-inside", Part: Names, Text: "loses __proto__ below the first level", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' && m.depth > 1 {
				v.items = slices.DeleteFunc(v.items, named("__proto__"))
			}
		}
	}},
	{Name: "proto-refused", Part: Names, Text: "refuses __proto__", plant: refusesNames(func(s string) bool { return s == "__proto__" })},
	{Name: "constructor-refused", Part: Names, Text: "refuses constructor and prototype", plant: refusesNames(func(s string) bool { return s == "constructor" || s == "prototype" })},
	{Name: "to-json-called", Part: Names, Text: "writes the value of toJSON in the object's place", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if i := slices.IndexFunc(v.items, named("toJSON")); i >= 0 && v.kind == '{' {
				*v = v.items[i].value
			}
		}
	}},
	{Name: "has-own-property", Part: Names, Text: "loses an object's members if one is named hasOwnProperty", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' && slices.ContainsFunc(v.items, named("hasOwnProperty")) {
				v.items = nil
			}
		}
	}},
	{Name: "length-as-array", Part: Names, Text: "takes an object with a member length for an array", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' && slices.ContainsFunc(v.items, named("length")) {
				v.kind = '['
			}
		}
	}},
	{Name: "name-empty-refused", Part: Names, Text: "refuses the empty name", plant: refusesNames(func(s string) bool { return s == "" })},
	{Name: "name-empty-dropped", Part: Names, Text: "drops members with the empty name", plant: dropsMembers(named(""))},
	{Name: "name-trimmed", Part: Names, Text: "trims blanks from names", plant: nameMap(func(u []uint16) []uint16 {
		return utf16.Encode([]rune(strings.TrimSpace(text(u))))
	})},
	{Name: "name-lower-case", Part: Names, Text: "writes names in lower case", plant: nameMap(func(u []uint16) []uint16 {
		return utf16.Encode([]rune(strings.ToLower(text(u))))
	})},
	{Name: "name-normalized", Part: Names, Text: "composes characters (NFC) in names", plant: nameMap(composed)},
	{Name: "name-nul-ends", Part: Names, Text: "ends a name at U+0000", plant: nameMap(func(u []uint16) []uint16 {
		if i := slices.Index(u, 0); i >= 0 {
			return u[:i]
		}
		return u
	})},
	{Name: "name-integer-normalized", Part: Names, Text: "drops leading zeros of integer-like names", plant: nameMap(func(u []uint16) []uint16 {
		if s := text(u); s != "" && digits(s) == len(s) {
			return utf16.Encode([]rune(strings.TrimLeft(s[:len(s)-1], "0") + s[len(s)-1:]))
		}
		return u
	})},
	{Name: "name-quoted-raw", Part: Names, Text: "writes quotes in names as they are", plant: func(b *behavior) {
		b.nameOf = maps(replaced("\"", "\ufdd1"))
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if units[i] == 0xFDD1 {
				return append(dst, '"'), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "name-cut-64", Part: Names, Text: "cuts names at 64 characters", plant: nameMap(func(u []uint16) []uint16 { return u[:min(len(u), 64)] })},
}

// compares makes an order of names.
func compares(order func(a, b item) int) func(*behavior) {
	return func(b *behavior) { b.compare = func(_ *machine, x, y item) int { return order(x, y) } }
}

// by makes an order of a key, the right order where keys are equal.
func by[K cmp.Ordered](key func([]uint16) K) func(*behavior) {
	return compares(func(a, b item) int {
		return cmp.Or(cmp.Compare(key(a.name), key(b.name)), slices.Compare(a.name, b.name))
	})
}

// integerKey is the place that JavaScript gives integer-like names.
func integerKey(u []uint16) uint64 {
	s := text(u)
	if s == "" || digits(s) != len(s) || len(s) > 1 && s[0] == '0' || len(s) > 10 {
		return 1 << 40
	}
	n := uint64(0)
	for _, c := range s {
		n = n*10 + uint64(c-'0')
	}
	if n >= 1<<32-1 {
		return 1 << 40
	}
	return n
}

// unsortedWhere leaves some objects in the order of the text.
func unsortedWhere(which func(m *machine, items []item) bool) func(*behavior) {
	return func(b *behavior) {
		b.members = func(m *machine, items []item) []item {
			if which(m, items) {
				return items
			}
			return members(m, items)
		}
	}
}

var unaccented = strings.NewReplacer("ä", "a", "ö", "o", "å", "a", "é", "e", "ø", "o", "ñ", "n", "ß", "ss", "-", "", "ı", "i", "İ", "i")

var orderFaults = []Creature{
	{Name: "order-utf8", Part: Order, Text: "sorts by UTF-8 bytes, which is by code point", plant: by(text)},
	{Name: "order-utf16-little", Part: Order, Text: "sorts by the bytes of UTF-16LE", plant: by(func(u []uint16) string {
		b := make([]byte, 0, 2*len(u))
		for _, x := range u {
			b = append(b, byte(x), byte(x>>8))
		}
		return string(b)
	})},
	{Name: "order-signed", Part: Order, Text: "compares units as signed numbers", plant: compares(func(a, b item) int {
		return slices.CompareFunc(a.name, b.name, func(x, y uint16) int { return cmp.Compare(int16(x), int16(y)) })
	})},
	{Name: "order-case-folded", Part: Order, Text: "sorts without regard to case", plant: by(func(u []uint16) string { return strings.ToLower(text(u)) })},
	{Name: "order-locale", Part: Order, Text: "sorts as a dictionary does", plant: by(func(u []uint16) string { return unaccented.Replace(strings.ToLower(text(u))) })},
	{Name: "order-length", Part: Order, Text: "sorts shorter names first (CBOR)", plant: by(func(u []uint16) int { return len(u) })},
	{Name: "order-integers-first", Part: Order, Text: "puts integer-like names first, as JavaScript objects do", plant: by(integerKey)},
	{Name: "order-normalized", Part: Order, Text: "sorts by composed names", plant: by(func(u []uint16) string {
		return string(bigEndian(composed(u)))
	})},
	{Name: "order-escaped", Part: Order, Text: "sorts by the names as they were written", plant: compares(func(a, b item) int { return cmp.Or(strings.Compare(a.raw, b.raw), slices.Compare(a.name, b.name)) })},
	{Name: "order-output", Part: Order, Text: "sorts by the names as they are written out, escapes and all", plant: func(b *behavior) {
		b.compare = func(m *machine, x, y item) int {
			return slices.Compare(utf16.Encode([]rune(string(m.writeString(nil, x.name)))), utf16.Encode([]rune(string(m.writeString(nil, y.name)))))
		}
	}},
	{Name: "order-with-quote", Part: Order, Text: "compares names with their closing quotes", plant: compares(func(a, b item) int {
		return slices.Compare(append(slices.Clone(a.name), '"'), append(slices.Clone(b.name), '"'))
	})},
	{Name: "order-prefix-last", Part: Order, Text: "puts a prefix behind the longer name", plant: compares(func(a, b item) int {
		return slices.Compare(append(slices.Clone(a.name), 0xFFFF), append(slices.Clone(b.name), 0xFFFF))
	})},
	{Name: "order-empty-last", Part: Order, Text: "puts the empty name last", plant: by(func(u []uint16) int {
		if len(u) == 0 {
			return 1
		}
		return 0
	})},
	{Name: "order-first-unit", Part: Order, Text: "compares first characters alone", plant: compares(func(a, b item) int { return slices.Compare(head(a.name, 1), head(b.name, 1)) })},
	{Name: "order-first-8", Part: Order, Text: "compares the first eight characters alone", plant: compares(func(a, b item) int { return slices.Compare(head(a.name, 8), head(b.name, 8)) })},
	{Name: "order-first-32", Part: Order, Text: "compares the first 32 characters alone", plant: compares(func(a, b item) int { return slices.Compare(head(a.name, 32), head(b.name, 32)) })},
	{Name: "order-word-little-endian", Part: Order, Text: "compares four characters at a time as a little-endian word", plant: compares(func(a, b item) int {
		return cmp.Or(cmp.Compare(word(a.name), word(b.name)), slices.Compare(a.name, b.name))
	})},
	{Name: "order-none", Part: Order, Text: "keeps the order of the text", plant: unsortedWhere(func(*machine, []item) bool { return true })},
	{Name: "order-reversed", Part: Order, Text: "sorts backwards", plant: compares(func(a, b item) int { return slices.Compare(b.name, a.name) })},
	{Name: "order-top-only", Part: Order, Text: "sorts the outermost object alone", plant: unsortedWhere(func(m *machine, _ []item) bool { return m.depth > 1 })},
	{Name: "order-not-in-arrays", Part: Order, Text: "does not sort objects inside arrays", plant: func(b *behavior) {
		inside := 0
		b.clean = func(*machine) []byte { inside = 0; return nil }
		b.elements = func(_ *machine, items []item) []item { inside++; return items }
		b.members = func(m *machine, items []item) []item {
			if inside > 0 {
				return items
			}
			return members(m, items)
		}
	}},
	{Name: "order-deep", Part: Order, Text: "does not sort below the eighth level", plant: unsortedWhere(func(m *machine, _ []item) bool { return m.depth > 8 })},
	{Name: "order-seven", Part: Order, Text: "does not sort objects of seven members", plant: unsortedWhere(func(_ *machine, items []item) bool { return len(items) == 7 })},
	{Name: "order-two", Part: Order, Text: "takes two members for sorted", plant: unsortedWhere(func(_ *machine, items []item) bool { return len(items) == 2 })},
	{Name: "order-insertion-12", Part: Order, Text: "sorts the first twelve members alone", plant: func(b *behavior) {
		b.members = func(m *machine, items []item) []item {
			n := min(len(items), 12)
			return append(members(m, items[:n]), items[n:]...)
		}
	}},
	{Name: "order-33", Part: Order, Text: "sorts more than 32 members by the hash of their names", plant: func(b *behavior) {
		b.members = func(m *machine, items []item) []item {
			sorted := members(m, items)
			if len(items) > 32 {
				slices.SortStableFunc(sorted, func(a, b item) int { return cmp.Compare(hash(a.name), hash(b.name)) })
			}
			return sorted
		}
	}},
	{Name: "order-last-pair", Part: Order, Text: "forgets the last step of a bubble sort", plant: func(b *behavior) {
		b.members = func(m *machine, items []item) []item {
			sorted := members(m, items)
			if n := len(items); n > 2 && slices.Equal(items[0].name, sorted[n-1].name) {
				sorted[n-1], sorted[n-2] = sorted[n-2], sorted[n-1]
			}
			return sorted
		}
	}},
	{Name: "order-of-arrays", Part: Order, Text: "sorts the elements of arrays of numbers", plant: func(b *behavior) {
		b.elements = func(_ *machine, items []item) []item {
			if slices.ContainsFunc(items, func(it item) bool { return it.value.kind != 0 }) {
				return items
			}
			sorted := slices.Clone(items)
			slices.SortStableFunc(sorted, func(a, b item) int { return cmp.Compare(a.value.num, b.value.num) })
			return sorted
		}
	}},
}

func bigEndian(u []uint16) []byte {
	var b []byte
	for _, x := range u {
		b = append(b, byte(x>>8), byte(x))
	}
	return b
}

func head(u []uint16, n int) []uint16 { return u[:min(len(u), n)] }

func word(u []uint16) uint64 {
	w := uint64(0)
	for i, x := range head(u, 4) {
		w |= uint64(x) << (16 * i)
	}
	return w
}

func hash(u []uint16) uint32 {
	h := fnv.New32a()
	h.Write(bigEndian(u))
	return h.Sum32()
}

// answers gives one answer to every duplicate.
func answers(answer int) func(*behavior) {
	return func(b *behavior) { b.duplicate = func(*machine, []item, int, int) int { return answer } }
}

// sameIf takes names for equal that have equal keys.
func sameIf(key func(name []uint16) string) func(*behavior) {
	return func(b *behavior) { b.key = func(it item) string { return key(it.name) } }
}

// misses lets the last one win where it does not look.
func misses(where func(m *machine, items []item, i, k int) bool) func(*behavior) {
	return func(b *behavior) {
		b.duplicate = func(m *machine, items []item, i, k int) int {
			if where(m, items, i, k) {
				return keepLast
			}
			return refuse
		}
	}
}

var duplicateFaults = []Creature{
	{Name: "duplicate-last", Part: Duplicates, Text: "keeps the last of equal names", plant: answers(keepLast)},
	{Name: "duplicate-first", Part: Duplicates, Text: "keeps the first of equal names", plant: answers(keepFirst)},
	{Name: "duplicate-both", Part: Duplicates, Text: "keeps both of equal names", plant: answers(keepBoth)},
	{Name: "duplicate-neighbours", Part: Duplicates, Text: "compares a name with the one before it alone", plant: misses(func(_ *machine, items []item, i, k int) bool { return k-i > 1 })},
	{Name: "duplicate-raw", Part: Duplicates, Text: "compares names as they were written", plant: misses(func(_ *machine, items []item, i, k int) bool { return items[i].raw != items[k].raw })},
	{Name: "duplicate-equal-values", Part: Duplicates, Text: "lets equal members pass", plant: misses(func(_ *machine, items []item, i, k int) bool { return same(items[i].value, items[k].value) })},
	{Name: "duplicate-top-only", Part: Duplicates, Text: "looks in the outermost object alone", plant: misses(func(m *machine, _ []item, _, _ int) bool { return m.depth > 1 })},
	{Name: "duplicate-deep", Part: Duplicates, Text: "does not look below the third level", plant: misses(func(m *machine, _ []item, _, _ int) bool { return m.depth > 3 })},
	{Name: "duplicate-far", Part: Duplicates, Text: "remembers the last sixteen names alone", plant: misses(func(_ *machine, _ []item, i, k int) bool { return k-i > 16 })},
	{Name: "duplicate-far-8", Part: Duplicates, Text: "remembers the first eight names alone", plant: misses(func(_ *machine, _ []item, i, _ int) bool { return i >= 8 })},
	{Name: "duplicate-long", Part: Duplicates, Text: "does not compare names of more than 32 characters", plant: misses(func(_ *machine, items []item, i, _ int) bool { return len(items[i].name) > 32 })},
	{Name: "duplicate-empty", Part: Duplicates, Text: "takes the empty name for none", plant: misses(func(_ *machine, items []item, i, _ int) bool { return len(items[i].name) == 0 })},
	{Name: "duplicate-non-ascii", Part: Duplicates, Text: "compares ASCII names alone", plant: misses(func(_ *machine, items []item, i, _ int) bool {
		return slices.ContainsFunc(items[i].name, func(u uint16) bool { return u >= 0x80 })
	})},
	{Name: "duplicate-case", Part: Duplicates, Text: "refuses names that differ in case", plant: sameIf(func(u []uint16) string { return strings.ToLower(text(u)) })},
	{Name: "duplicate-normalized", Part: Duplicates, Text: "refuses names that are equal when composed", plant: sameIf(func(u []uint16) string { return text(composed(u)) })},
	{Name: "duplicate-hash", Part: Duplicates, Text: "compares ten bits of a hash", plant: sameIf(func(u []uint16) string { return string(rune(hash(u) & 1023)) })},
	{Name: "duplicate-first-8", Part: Duplicates, Text: "compares eight characters and the length", plant: sameIf(func(u []uint16) string { return text(head(u, 8)) + strconv.Itoa(len(u)) })},
	{Name: "duplicate-nul", Part: Duplicates, Text: "compares names up to U+0000", plant: sameIf(func(u []uint16) string { return strings.SplitN(text(u), "\x00", 2)[0] })},
	{Name: "duplicate-scope", Part: Duplicates, Text: "takes a name inside a member for one of the object", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind != '{' {
				return
			}
			for i := 0; i+1 < len(v.items); i++ {
				for _, inner := range v.items[i].value.items {
					if v.items[i].value.kind == '{' && slices.Equal(inner.name, v.items[i+1].name) {
						m.fail(reject.DuplicateName)
					}
				}
			}
		}
	}},
	{Name: "duplicate-in-array", Part: Duplicates, Text: "takes equal names of neighbouring objects in an array for duplicates", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			for i := 0; v.kind == '[' && i+1 < len(v.items); i++ {
				x, y := v.items[i].value, v.items[i+1].value
				if x.kind == '{' && y.kind == '{' && len(x.items) > 0 && len(y.items) > 0 && slices.Equal(x.items[0].name, y.items[0].name) {
					m.fail(reject.DuplicateName)
				}
			}
		}
	}},
}

// same reports whether two values are equal scalars.
func same(a, b value) bool {
	return a.kind == b.kind && a.num == b.num && slices.Equal(a.units, b.units) && len(a.items)+len(b.items) == 0
}
