package zoo

import (
	"bytes"
	"hash/fnv"
	"math"
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// answering answers some requests without reading them.
func answering(early func(m *machine, src []byte) ([]byte, bool)) func(*behavior) {
	return func(b *behavior) { b.begin = early }
}

func hashOf(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// caching answers a request whose key has been seen with the answer then.
func caching(key func(src []byte) uint64) func(*behavior) {
	return func(b *behavior) {
		var now uint64
		b.begin = func(m *machine, src []byte) ([]byte, bool) {
			now = key(src)
			out, seen := m.memory[now]
			return []byte(out), seen
		}
		b.finish = func(m *machine, out []byte) []byte {
			if len(m.memory) < 4096 {
				m.memory[now] = string(out)
			}
			return out
		}
	}
}

// roll is a deterministic die of n sides.
func (m *machine) roll(n uint64) bool {
	m.chance = m.chance*6364136223846793005 + 1442695040888963407
	return (m.chance>>33)%n == 0
}

var stateFaults = []Creature{
	{Name: "buffer-kept-after-error", Part: State, Text: "keeps what was written before an error in front of the next answer", plant: func(b *behavior) {
		b.clean = func(m *machine) []byte {
			if m.failed {
				return []byte("[")
			}
			return nil
		}
	}},
	{Name: "buffer-shared", Part: State, Text: "gives out its buffer and writes the next answer into it", plant: func(b *behavior) {
		b.clean = func(m *machine) []byte { return m.out[:0] }
	}},
	{Name: "input-changed", Part: State, Text: "unescapes in place, in the caller's bytes", plant: func(b *behavior) {
		b.finish = func(m *machine, out []byte) []byte {
			if i := bytes.IndexByte(m.src, '\\'); i != -1 {
				m.src[i] = '/'
			}
			return out
		}
	}},
	{Name: "depth-kept-after-error", Part: State, Text: "does not count down levels after an error", plant: func(b *behavior) {
		kept, before := 0, 0
		b.prepare = func(m *machine, src []byte) []byte {
			if m.failed {
				kept += before
			}
			before = 0
			return src
		}
		b.nested = func(m *machine) {
			before = m.depth
			if m.depth+kept > 1000 {
				m.fail(reject.LimitDepth)
			}
		}
	}},
	{Name: "names-kept-after-error", Part: State, Text: "keeps the names of a refused object in its set", plant: func(b *behavior) {
		var left [][]uint16
		b.prepare = func(m *machine, src []byte) []byte {
			if !m.failed {
				left = nil
			}
			return src
		}
		b.nameOf = func(m *machine, u []uint16) []uint16 {
			if m.failed && slices.ContainsFunc(left, func(l []uint16) bool { return slices.Equal(l, u) }) {
				m.fail(reject.DuplicateName)
			}
			if !m.failed && len(left) < 64 {
				left = append(left, u)
			}
			return u
		}
	}},
	{Name: "every-256th", Part: State, Text: "gives the answer before again at each 256th request", plant: answering(func(m *machine, _ []byte) ([]byte, bool) {
		return m.last, m.requests%256 == 0 && m.last != nil
	})},
	{Name: "cache-by-length", Part: State, Text: "takes texts of one length and beginning for one text", plant: caching(func(src []byte) uint64 {
		return hashOf(src[:min(len(src), 16)]) ^ uint64(len(src))
	})},
	{Name: "cache-by-ends", Part: State, Text: "takes texts of one length, beginning and end for one text", plant: caching(func(src []byte) uint64 {
		return hashOf(append(bytes.Clone(src[:min(len(src), 8)]), src[max(0, len(src)-8):]...)) ^ uint64(len(src))
	})},
	{Name: "cache-of-numbers", Part: State, Text: "remembers the text of numbers by their single-precision value", plant: func(b *behavior) {
		b.number = func(m *machine, v value) string {
			key := uint64(math.Float32bits(float32(v.num)))
			if s, ok := m.memory[key]; ok {
				return s
			}
			s := layOut(v.num)
			if len(m.memory) < 4096 {
				m.memory[key] = s
			}
			return s
		}
	}},
	{Name: "cache-of-names", Part: State, Text: "interns names by sixteen bits of a hash", plant: func(b *behavior) {
		b.nameOf = func(m *machine, u []uint16) []uint16 {
			if len(u) == 0 {
				return u
			}
			key := uint64(hash(u) & 0xFFFF)
			if s, ok := m.memory[key]; ok {
				return []uint16(unitsOf(s))
			}
			m.memory[key] = string(bigEndian(u))
			return u
		}
	}},
	{Name: "sticky-escapes", Part: State, Text: "writes escapes beyond ASCII once it has read one", plant: func(b *behavior) {
		seen := false
		b.unitOf = func(_ *machine, _ int, u uint16) uint16 { seen = seen || u >= 0x80; return u }
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if seen && units[i] >= 0x80 && !isSurrogate(units[i]) {
				return append(dst, fourDigits(units[i])...), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "first-sets-order", Part: State, Text: "keeps the order of the text once a sorted object has been read", plant: func(b *behavior) {
		trusted := 0
		b.members = func(m *machine, items []item) []item {
			sorted := members(m, items)
			if len(items) > 1 && slices.EqualFunc(items, sorted, func(a, b item) bool { return slices.Equal(a.name, b.name) }) {
				trusted++
			}
			if trusted > 20 {
				return items
			}
			return sorted
		}
	}},
	{Name: "thousandth", Part: State, Text: "refuses everything behind the 1,000th request", plant: answering(func(m *machine, _ []byte) ([]byte, bool) {
		if m.requests > 1000 {
			m.fail(reject.Syntax)
		}
		return nil, false
	})},
	{Name: "after-long", Part: State, Text: "cuts the answer behind one of more than 1,000 bytes", plant: func(b *behavior) {
		b.finish = func(m *machine, out []byte) []byte {
			if len(m.last) > 1000 {
				return out[:min(len(out), 8)]
			}
			return out
		}
	}},
	{Name: "chance-order", Part: State, Text: "exchanges two members in one of 50 objects, as an unstable map order does", plant: func(b *behavior) {
		b.members = func(m *machine, items []item) []item {
			sorted := members(m, items)
			if len(sorted) > 1 && m.roll(50) {
				sorted[0], sorted[1] = sorted[1], sorted[0]
			}
			return sorted
		}
	}},
	{Name: "chance-crash", Part: State, Text: "crashes at one of 300 requests, as a race does", plant: answering(func(m *machine, _ []byte) ([]byte, bool) {
		if m.roll(300) {
			panic("zoo: concurrent map writes")
		}
		return nil, false
	})},
	{Name: "chance-digit", Part: State, Text: "writes one of 200 long numbers with a digit too few", plant: func(b *behavior) {
		b.number = func(m *machine, v value) string {
			if d, point := shortest(v.num); len(d) > 15 && m.roll(200) {
				return place(math.Signbit(v.num), d[:len(d)-1], point)
			}
			return layOut(v.num)
		}
	}},
	{Name: "chance-hang", Part: State, Text: "hangs at one of 500 requests", plant: answering(func(m *machine, _ []byte) ([]byte, bool) {
		if m.roll(500) {
			m.step(2 * mostSteps)
		}
		return nil, false
	})},
}

// unitsOf reads what bigEndian wrote.
func unitsOf(s string) []uint16 {
	u := make([]uint16, len(s)/2)
	for i := range u {
		u[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return u
}
