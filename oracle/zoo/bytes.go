package zoo

import (
	"bytes"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// alsoBlank makes white space of a text.
func alsoBlank(text string) func(*machine, []byte) int {
	return func(m *machine, b []byte) int {
		if bytes.HasPrefix(b, []byte(text)) {
			return len(text)
		}
		return blank(m, b)
	}
}

// lax takes sequences of a length that begin with a byte of a range and go on
// with continuation bytes, whatever they encode.
func lax(n int, from, to byte) func(*machine, int, []byte) int {
	return func(m *machine, at int, b []byte) int {
		if s := sequence(m, at, b); s > 0 {
			return s
		}
		if len(b) >= n && from <= b[0] && b[0] <= to {
			for _, c := range b[1:n] {
				if c&0xC0 != 0x80 {
					return 0
				}
			}
			return n
		}
		return 0
	}
}

// laxDecode computes the code point of a sequence without looking at it.
func laxDecode(_ *machine, units []uint16, seq []byte) []uint16 {
	r := rune(seq[0])
	switch len(seq) {
	case 2:
		r &= 0x1F
	case 3:
		r &= 0x0F
	case 4:
		r &= 0x07
	}
	for _, c := range seq[1:] {
		r = r<<6 | rune(c&0x3F)
	}
	if r < 0x10000 {
		return append(units, uint16(r))
	}
	return utf16.AppendRune(units, r)
}

// anyByte takes a faulty byte as a sequence of its own.
func anyByte(m *machine, at int, b []byte) int {
	if n := sequence(m, at, b); n > 0 {
		return n
	}
	return 1
}

var byteFaults = []Creature{
	{Name: "bom-between-tokens", Part: Bytes, Text: "takes U+FEFF for white space anywhere", plant: func(b *behavior) { b.blank = alsoBlank("\ufeff") }},
	{Name: "bom-any-number", Part: Bytes, Text: "strips every byte order mark before the text", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte {
			for bytes.HasPrefix(src, []byte("\ufeff")) {
				src = src[3:]
			}
			return src
		}
	}},
	{Name: "bom-written", Part: Bytes, Text: "writes a byte order mark", plant: func(b *behavior) {
		b.finish = func(_ *machine, out []byte) []byte { return append([]byte("\ufeff"), out...) }
	}},
	{Name: "utf8-replace", Part: Bytes, Text: "reads faulty bytes as U+FFFD", plant: func(b *behavior) { b.text8, b.name8 = anyByte, anyByte }},
	{Name: "utf8-drop", Part: Bytes, Text: "drops faulty bytes", plant: func(b *behavior) {
		b.text8, b.name8 = anyByte, anyByte
		b.decode = func(_ *machine, units []uint16, seq []byte) []uint16 {
			if !utf8.Valid(seq) {
				return units
			}
			return utf16.AppendRune(units, first(seq))
		}
	}},
	{Name: "utf8-latin1", Part: Bytes, Text: "reads faulty bytes as Latin-1", plant: func(b *behavior) {
		b.text8, b.name8 = anyByte, anyByte
		b.decode = func(_ *machine, units []uint16, seq []byte) []uint16 {
			if !utf8.Valid(seq) {
				return append(units, uint16(seq[0]))
			}
			return utf16.AppendRune(units, first(seq))
		}
	}},
	{Name: "utf8-surrogates", Part: Bytes, Text: "reads ED A0 80 to ED BF BF as surrogates and joins pairs (CESU-8)", plant: func(b *behavior) {
		b.text8, b.name8, b.decode = lax(3, 0xED, 0xED), lax(3, 0xED, 0xED), laxDecode
	}},
	{Name: "utf8-surrogates-replaced", Part: Bytes, Text: "reads each raw surrogate as U+FFFD", plant: func(b *behavior) { b.text8, b.name8 = lax(3, 0xED, 0xED), lax(3, 0xED, 0xED) }},
	{Name: "utf8-overlong-two", Part: Bytes, Text: "reads C0 80 to C1 BF", plant: func(b *behavior) {
		b.text8, b.name8, b.decode = lax(2, 0xC0, 0xC1), lax(2, 0xC0, 0xC1), laxDecode
	}},
	{Name: "utf8-overlong-three", Part: Bytes, Text: "reads E0 80 80 to E0 9F BF", plant: func(b *behavior) {
		b.text8, b.name8, b.decode = lax(3, 0xE0, 0xE0), lax(3, 0xE0, 0xE0), laxDecode
	}},
	{Name: "utf8-overlong-four", Part: Bytes, Text: "reads F0 80 80 80 to F0 8F BF BF", plant: func(b *behavior) {
		b.text8, b.name8, b.decode = lax(4, 0xF0, 0xF0), lax(4, 0xF0, 0xF0), laxDecode
	}},
	{Name: "utf8-beyond", Part: Bytes, Text: "reads F4 90 80 80 and up as U+FFFD", plant: func(b *behavior) { b.text8, b.name8 = lax(4, 0xF4, 0xF7), lax(4, 0xF4, 0xF7) }},
	{Name: "utf8-lone-continuation", Part: Bytes, Text: "skips continuation bytes that stand alone", plant: func(b *behavior) {
		b.text8, b.name8 = lax(1, 0x80, 0xBF), lax(1, 0x80, 0xBF)
		b.decode = func(_ *machine, units []uint16, seq []byte) []uint16 {
			if len(seq) == 1 {
				return units
			}
			return utf16.AppendRune(units, first(seq))
		}
	}},
	{Name: "utf8-cut", Part: Bytes, Text: "reads a sequence that the closing quote cuts as U+FFFD", plant: func(b *behavior) {
		cut := func(m *machine, at int, b []byte) int {
			if n := sequence(m, at, b); n > 0 {
				return n
			}
			for n := 1; n < min(4, len(b)); n++ {
				if b[n] == '"' && b[0] >= 0xC2 {
					return n
				}
			}
			return 0
		}
		b.text8, b.name8 = cut, cut
	}},
	{Name: "utf8-names-unchecked", Part: Bytes, Text: "checks values and not names", plant: func(b *behavior) { b.name8 = anyByte }},
	{Name: "utf8-values-unchecked", Part: Bytes, Text: "checks names and not values", plant: func(b *behavior) { b.text8 = anyByte }},
	{Name: "utf8-unchecked-behind-8", Part: Bytes, Text: "checks the first eight bytes of a string alone", plant: func(b *behavior) {
		some := func(m *machine, at int, b []byte) int {
			if at >= 8 {
				return anyByte(m, at, b)
			}
			return sequence(m, at, b)
		}
		b.text8, b.name8 = some, some
	}},
	{Name: "utf8-unchecked-short", Part: Bytes, Text: "checks strings by blocks of sixteen and forgets the tail", plant: func(b *behavior) {
		some := func(m *machine, at int, b []byte) int {
			if end := bytes.IndexByte(b, '"'); end != -1 && at/16 == (at+end)/16 {
				return anyByte(m, at, b)
			}
			return sequence(m, at, b)
		}
		b.text8, b.name8 = some, some
	}},
	{Name: "utf8-forgiven-between-blocks", Part: Bytes, Text: "checks blocks of 4,096 bytes one by one and forgives a sequence that the end of one cuts", plant: func(b *behavior) {
		some := func(m *machine, at int, b []byte) int {
			n := sequence(m, at, b)
			if room := 4096 - m.i%4096; n == 0 && room <= len(b) && !utf8.FullRune(b[:room]) {
				return room
			}
			return n
		}
		b.text8, b.name8 = some, some
	}},
	{Name: "nul-ends", Part: Bytes, Text: "stops reading at a NUL, as C strings end", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { src, _, _ = bytes.Cut(src, []byte{0}); return src }
	}},
	{Name: "substitute-ends", Part: Bytes, Text: "stops reading at U+001A, as old systems do", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { src, _, _ = bytes.Cut(src, []byte{0x1A}); return src }
	}},
	{Name: "trims-unicode-space", Part: Bytes, Text: "trims every Unicode blank around the text", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { return bytes.TrimFunc(src, unicode.IsSpace) }
	}},
	{Name: "trims-controls", Part: Bytes, Text: "trims controls around the text", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte {
			return bytes.TrimFunc(src, func(r rune) bool { return r < 0x20 })
		}
	}},
	{Name: "writes-latin1", Part: Bytes, Text: "writes U+0080 to U+00FF as one byte", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if u := units[i]; 0x80 <= u && u <= 0xFF {
				return append(dst, byte(u)), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "writes-cesu8", Part: Bytes, Text: "writes each surrogate of a pair as three bytes", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if u := units[i]; isSurrogate(u) {
				return append(dst, 0xE0|byte(u>>12), 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F)), 1
			}
			return char(m, dst, units, i)
		}
	}},
}

func first(seq []byte) rune {
	r, _ := utf8.DecodeRune(seq)
	return r
}
