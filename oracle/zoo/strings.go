package zoo

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// writes makes a char that writes some units in a way of its own.
func writes(which func(u uint16) bool, as func(u uint16) string) func(*behavior) {
	return func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if which(units[i]) {
				return append(dst, as(units[i])...), 1
			}
			return char(m, dst, units, i)
		}
	}
}

func oneOf(set string) func(uint16) bool {
	return func(u uint16) bool { return strings.ContainsRune(set, rune(u)) }
}

func fourDigits(u uint16) string {
	const d = "0123456789abcdef"
	return `\u` + string([]byte{d[u>>12], d[u>>8&15], d[u>>4&15], d[u&15]})
}

// maps makes a change of a string's units.
func maps(change func([]uint16) []uint16) func(*machine, []uint16) []uint16 {
	return func(_ *machine, u []uint16) []uint16 { return change(u) }
}

// replaced replaces runs of units by others.
func replaced(pairs ...string) func([]uint16) []uint16 {
	r := strings.NewReplacer(pairs...)
	return func(u []uint16) []uint16 { return utf16.Encode([]rune(r.Replace(string(utf16.Decode(u))))) }
}

// composed is a piece of Unicode's normalization.
var composed = replaced("e\u0301", "\u00e9", "A\u030A", "\u00c5", "\u212B", "\u00c5", "\u1100\u1161", "\uac00", "a\u0301", "\u00e1", "x\u0301", "x\u0301")

// instead makes lone surrogates something else.
func instead(of func(units []uint16) ([]uint16, int, bool)) func(*behavior) {
	return func(b *behavior) {
		b.lone = func(_ *machine, units []uint16) ([]uint16, int, bool) { return of(units) }
	}
}

func inString(change func([]uint16) []uint16) func(*behavior) {
	return func(b *behavior) { b.textOf, b.nameOf = maps(change), maps(change) }
}

var stringFaults = []Creature{
	{Name: "escapes-html", Part: Strings, Text: "writes < > and & as escapes, as encoding/json does", plant: writes(oneOf("<>&"), fourDigits)},
	{Name: "escapes-solidus", Part: Strings, Text: `writes \/`, plant: writes(oneOf("/"), func(uint16) string { return `\/` })},
	{Name: "escapes-del", Part: Strings, Text: `writes \u007f`, plant: writes(oneOf("\x7f"), fourDigits)},
	{Name: "escapes-line-separators", Part: Strings, Text: `writes \u2028 and \u2029`, plant: writes(oneOf("\u2028\u2029"), fourDigits)},
	{Name: "escapes-upper-case", Part: Strings, Text: `writes \u001F`, plant: writes(func(u uint16) bool { return u < 0x20 && u&15 > 9 && !strings.ContainsRune("\f\n\r", rune(u)) },
		func(u uint16) string { return `\u` + strings.ToUpper(fourDigits(u)[2:]) })},
	{Name: "escapes-b-as-unit", Part: Strings, Text: `writes \u0008`, plant: writes(oneOf("\b"), fourDigits)},
	{Name: "escapes-f-as-unit", Part: Strings, Text: `writes \u000c`, plant: writes(oneOf("\f"), fourDigits)},
	{Name: "escapes-v", Part: Strings, Text: `writes \v`, plant: writes(oneOf("\v"), func(uint16) string { return `\v` })},
	{Name: "escapes-nothing-low", Part: Strings, Text: "writes U+001F as it is", plant: writes(oneOf("\x1f"), func(u uint16) string { return string(rune(u)) })},
	{Name: "escapes-latin1-controls", Part: Strings, Text: "writes U+0080 to U+009F as escapes", plant: writes(func(u uint16) bool { return 0x80 <= u && u < 0xA0 }, fourDigits)},
	{Name: "escapes-non-ascii", Part: Strings, Text: "writes everything beyond ASCII as escapes", plant: writes(func(u uint16) bool { return u >= 0x80 }, fourDigits)},
	{Name: "escapes-astral", Part: Strings, Text: "writes astral characters as two escapes", plant: writes(isSurrogate, fourDigits)},
	{Name: "escapes-noncharacters", Part: Strings, Text: "writes U+FFFE and U+FFFF as escapes", plant: writes(func(u uint16) bool { return u >= 0xFFFE }, fourDigits)},
	{Name: "escapes-private-use", Part: Strings, Text: "writes U+E000 to U+F8FF as escapes", plant: writes(func(u uint16) bool { return 0xE000 <= u && u < 0xF900 }, fourDigits)},
	{Name: "escapes-zero-width", Part: Strings, Text: "writes joiners and U+FEFF as escapes, as some engines' stringify did", plant: writes(oneOf("\u200b\u200c\u200d\ufeff"), fourDigits)},
	{Name: "escape-at-block-end", Part: Strings, Text: "copies a quote that is the last of sixteen characters as it is", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if i%16 == 15 && (units[i] == '"' || units[i] == '\\') {
				return append(dst, byte(units[i])), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "control-at-word-end", Part: Strings, Text: "copies a control that is the last of eight characters as it is", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if i%8 == 7 && units[i] < 0x20 {
				return append(dst, byte(units[i])), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "astral-at-block-end", Part: Strings, Text: "splits a pair whose first half is the last of 32 units", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if i%32 == 31 && isSurrogate(units[i]) {
				return append(dst, "\ufffd\ufffd"...), 2
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "nul-dropped", Part: Strings, Text: "drops U+0000 from strings", plant: inString(replaced("\x00", ""))},
	{Name: "nul-ends-string", Part: Strings, Text: "ends a string at U+0000", plant: inString(func(u []uint16) []uint16 {
		if i := slices.Index(u, 0); i >= 0 {
			return u[:i]
		}
		return u
	})},
	{Name: "bom-dropped-inside", Part: Strings, Text: "drops U+FEFF from strings", plant: inString(replaced("\ufeff", ""))},
	{Name: "normalizes", Part: Strings, Text: "composes characters (NFC) in values", plant: func(b *behavior) { b.textOf = maps(composed) }},
	{Name: "trims-values", Part: Strings, Text: "trims blanks from string values", plant: func(b *behavior) {
		b.textOf = maps(func(u []uint16) []uint16 {
			return utf16.Encode([]rune(strings.Trim(string(utf16.Decode(u)), " ")))
		})
	}},
	{Name: "line-ends-normalized", Part: Strings, Text: "makes CR LF a line feed in values", plant: func(b *behavior) { b.textOf = maps(replaced("\r\n", "\n")) }},
	{Name: "replacement-refused", Part: Strings, Text: "takes U+FFFD for a decoding error", plant: func(b *behavior) {
		b.text8 = func(m *machine, at int, b []byte) int {
			if strings.HasPrefix(string(b[:min(3, len(b))]), "\ufffd") {
				return 0
			}
			return sequence(m, at, b)
		}
	}},
	{Name: "del-refused", Part: Strings, Text: "takes U+007F for a control that must be escaped", plant: func(b *behavior) {
		old := b.textOf
		b.textOf = func(m *machine, u []uint16) []uint16 {
			if slices.Contains(u, 0x7F) {
				m.fail(reject.Syntax)
			}
			return old(m, u)
		}
	}},
	{Name: "plane-16-off", Part: Strings, Text: "computes pairs of the last plane wrongly", plant: inString(func(u []uint16) []uint16 {
		u = slices.Clone(u)
		for i := range u {
			if u[i] >= 0xDBC0 && u[i] <= 0xDBFF {
				u[i] -= 0x40
			}
		}
		return u
	})},
	{Name: "lone-replaced", Part: Strings, Text: "writes a lone surrogate as U+FFFD", plant: instead(func([]uint16) ([]uint16, int, bool) { return []uint16{0xFFFD}, 1, true })},
	{Name: "lone-escaped", Part: Strings, Text: `writes a lone surrogate as \ud800`, plant: func(b *behavior) {
		b.lone = func(_ *machine, u []uint16) ([]uint16, int, bool) { return u[:1], 1, true }
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if out, n := appendChar(nil, units, i); isSurrogate(units[i]) && n == 1 && out != nil {
				return append(dst, fourDigits(units[i])...), 1
			}
			return char(m, dst, units, i)
		}
	}},
	{Name: "lone-dropped", Part: Strings, Text: "drops lone surrogates", plant: instead(func([]uint16) ([]uint16, int, bool) { return nil, 1, true })},
	{Name: "lone-low-kept", Part: Strings, Text: "looks for lone high surrogates alone", plant: instead(func(u []uint16) ([]uint16, int, bool) { return []uint16{0xFFFD}, 1, u[0] >= 0xDC00 })},
	{Name: "lone-high-kept", Part: Strings, Text: "looks for lone low surrogates alone", plant: instead(func(u []uint16) ([]uint16, int, bool) { return []uint16{0xFFFD}, 1, u[0] < 0xDC00 })},
	{Name: "lone-at-end-kept", Part: Strings, Text: "misses a high surrogate that ends the string", plant: instead(func(u []uint16) ([]uint16, int, bool) { return []uint16{0xFFFD}, 1, len(u) == 1 && u[0] < 0xDC00 })},
	{Name: "lone-reversed-joined", Part: Strings, Text: "joins a low and a high surrogate in the wrong order", plant: instead(func(u []uint16) ([]uint16, int, bool) {
		if len(u) > 1 && u[0] >= 0xDC00 && u[1] >= 0xD800 && u[1] < 0xDC00 {
			return []uint16{u[1], u[0]}, 2, true
		}
		return nil, 0, false
	})},
	{Name: "lone-doubled-high", Part: Strings, Text: "forgets the first of two high surrogates", plant: instead(func(u []uint16) ([]uint16, int, bool) {
		return nil, 1, len(u) > 1 && u[0] < 0xDC00 && u[1]&0xFC00 == 0xD800
	})},
	{Name: "lone-takes-next", Part: Strings, Text: "joins a high surrogate with whatever character follows", plant: instead(func(u []uint16) ([]uint16, int, bool) {
		if len(u) > 1 && u[0] < 0xDC00 {
			return []uint16{0xFFFD}, 2, true
		}
		return nil, 0, false
	})},
	{Name: "lone-in-names-kept", Part: Strings, Text: "checks values and not names", plant: func(b *behavior) {
		b.lone = func(m *machine, u []uint16) ([]uint16, int, bool) {
			rest := strings.TrimLeft(string(m.src[min(m.i, len(m.src)):]), " \t\r\n")
			return []uint16{0xFFFD}, 1, strings.HasPrefix(rest, ":")
		}
	}},
	{Name: "length-byte", Part: Strings, Text: "keeps a string's length in one byte: 256 characters are none", plant: inString(func(u []uint16) []uint16 {
		if len(u) == 256 {
			return nil
		}
		return u
	})},
	{Name: "length-two-bytes", Part: Strings, Text: "cuts strings at 65,535 characters", plant: inString(func(u []uint16) []uint16 { return u[:min(len(u), 0xFFFF)] })},
	{Name: "page-boundary", Part: Strings, Text: "reads the last character of a full page of 4,096 twice", plant: inString(func(u []uint16) []uint16 {
		if len(u) > 4096 {
			return slices.Insert(slices.Clone(u), 4096, u[4095])
		}
		return u
	})},
	{Name: "long-string-raw", Part: Strings, Text: "takes another path for more than 64 characters, which escapes no quotes", plant: func(b *behavior) {
		b.char = func(m *machine, dst []byte, units []uint16, i int) ([]byte, int) {
			if len(units) > 64 && units[i] == '"' {
				return append(dst, '"'), 1
			}
			return char(m, dst, units, i)
		}
	}},
}

// escaped makes more escapes right; means is what they stand for.
func escaped(names, means string) func(*behavior) {
	return func(b *behavior) {
		b.escape = func(m *machine, text []byte) ([]uint16, int, bool) {
			if k := strings.IndexByte(names, text[0]); k >= 0 {
				return []uint16{uint16(means[k])}, 1, true
			}
			return escape(m, text)
		}
	}
}

var escapeFaults = []Creature{
	{Name: "control-accepted", Part: Strings, Text: "takes raw controls", plant: func(b *behavior) { b.control = func(*machine, int, byte) bool { return true } }},
	{Name: "tab-accepted", Part: Strings, Text: "takes raw tabs", plant: func(b *behavior) { b.control = func(_ *machine, _ int, c byte) bool { return c == '\t' } }},
	{Name: "newline-accepted", Part: Strings, Text: "takes raw line feeds", plant: func(b *behavior) { b.control = func(_ *machine, _ int, c byte) bool { return c == '\n' } }},
	{Name: "unit-separator-accepted", Part: Strings, Text: "compares with 0x1F instead of 0x20", plant: func(b *behavior) { b.control = func(_ *machine, _ int, c byte) bool { return c == 0x1F } }},
	{Name: "control-missed-at-word-end", Part: Strings, Text: "misses a control that is the last of eight bytes", plant: func(b *behavior) { b.control = func(_ *machine, at int, _ byte) bool { return at%8 == 7 } }},
	{Name: "control-missed-behind-block", Part: Strings, Text: "looks for controls in the first 32 bytes alone", plant: func(b *behavior) { b.control = func(_ *machine, at int, _ byte) bool { return at >= 32 } }},
	{Name: "escape-hex", Part: Strings, Text: `takes \x41`, plant: func(b *behavior) {
		b.escape = func(m *machine, text []byte) ([]uint16, int, bool) {
			if text[0] == 'x' {
				if u, err := strconv.ParseUint(string(text[1:min(3, len(text))]), 16, 8); err == nil {
					return []uint16{uint16(u)}, 3, true
				}
			}
			return escape(m, text)
		}
	}},
	{Name: "escape-apostrophe", Part: Strings, Text: `takes \'`, plant: escaped("'", "'")},
	{Name: "escape-v", Part: Strings, Text: `takes \v`, plant: escaped("v", "\v")},
	{Name: "escape-zero", Part: Strings, Text: `takes \0`, plant: escaped("0", "\x00")},
	{Name: "escape-a", Part: Strings, Text: `takes \a`, plant: escaped("a", "\a")},
	{Name: "escape-unknown", Part: Strings, Text: "takes any letter behind a backslash as itself", plant: func(b *behavior) {
		b.escape = func(m *machine, text []byte) ([]uint16, int, bool) {
			if u, n, ok := escape(m, text); ok {
				return u, n, ok
			}
			return []uint16{uint16(text[0])}, 1, 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z'
		}
	}},
	{Name: "escape-line-continued", Part: Strings, Text: "takes a backslash before a line feed for nothing", plant: func(b *behavior) {
		b.escape = func(m *machine, text []byte) ([]uint16, int, bool) {
			if text[0] == '\n' {
				return nil, 1, true
			}
			return escape(m, text)
		}
	}},
	{Name: "escape-solidus-refused", Part: Strings, Text: `refuses \/`, plant: func(b *behavior) {
		b.escape = func(m *machine, text []byte) ([]uint16, int, bool) {
			if text[0] == '/' {
				return nil, 0, false
			}
			return escape(m, text)
		}
	}},
	{Name: "escape-solidus-kept", Part: Strings, Text: `keeps \/ in values as it was written`, plant: escaped("/", "\\")},
	{Name: "escape-upper-u", Part: Strings, Text: `takes \U0041`, plant: func(b *behavior) { b.escapeU = func(c byte) bool { return c == 'U' } }},
	{Name: "hex-upper-refused", Part: Strings, Text: "refuses hexadecimal digits in upper case", plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (uint16, int, bool) {
			u, n, ok := hex(m, four)
			return u, n, ok && string(four) == strings.ToLower(string(four))
		}
	}},
	{Name: "hex-signed", Part: Strings, Text: `takes \u+041, as a library's number parser does`, plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (uint16, int, bool) {
			if len(four) == 4 && four[0] == '+' {
				u, err := strconv.ParseUint(string(four[1:]), 16, 16)
				return uint16(u), 4, err == nil
			}
			return hex(m, four)
		}
	}},
	{Name: "hex-blank", Part: Strings, Text: `takes \u 041`, plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (uint16, int, bool) {
			u, err := strconv.ParseUint(strings.TrimSpace(string(four)), 16, 16)
			return uint16(u), len(four), err == nil && len(four) == 4
		}
	}},
	{Name: "hex-short", Part: Strings, Text: "takes fewer than four digits", plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (u uint16, n int, ok bool) {
			for n < len(four) && strings.IndexByte("0123456789abcdefABCDEF", four[n]) >= 0 {
				n++
			}
			x, _ := strconv.ParseUint("0"+string(four[:n]), 16, 16)
			return uint16(x), n, true
		}
	}},
	{Name: "hex-any", Part: Strings, Text: "reads any four bytes as digits", plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (u uint16, n int, ok bool) {
			for _, c := range four {
				u = u<<4 | uint16(strings.IndexByte("0123456789abcdef", c|0x20)&15)
			}
			return u, len(four), len(four) == 4
		}
	}},
	{Name: "hex-g", Part: Strings, Text: "takes G for a hexadecimal digit", plant: func(b *behavior) {
		b.hex = func(m *machine, four []byte) (uint16, int, bool) {
			return hex(m, []byte(strings.ReplaceAll(string(four), "G", "F")))
		}
	}},
	{Name: "hex-boundary", Part: Strings, Text: "reads an escape wrongly that begins at the 31st byte of a string", plant: func(b *behavior) {
		b.unitOf = func(_ *machine, at int, u uint16) uint16 {
			if at == 30 && u < 0x80 {
				return u ^ 1
			}
			return u
		}
	}},
}
