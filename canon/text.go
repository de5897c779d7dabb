package canon

// An escape \u: its first two bytes, the first one lowest, and its length.
const (
	unicodeStart = 0x755C
	unicodeSize  = 6
)

// changes writes the characters of a run of escapes \/ and \u that begins at q to out.
// It gives the places behind it in the text and in the output, negative ones if
// it must be refused, and how many escapes it has: none if there is no such
// escape. It begins with no escape beyond stop but the first, and looks no
// farther than 16 bytes from the beginning of one.
func (w *writer) changes(out text, q, o, stop int) (from, to, count int) {
	const solidus, solidi = 0x2F5C, 0x2F5C2F5C2F5C2F5C // \/, first byte lowest
	in, digits := w.in, &spreadDigits
	several := q // where eight escapes are looked for
	for {
		if q >= several {
			if several = q + 8*unicodeSize; hasEight(in, q, stop) {
				before := q
				q, o = w.changeEight(out, q, o, stop)
				if count += (q - before) / unicodeSize; q > stop {
					return q, o, count
				}
			}
		}
		x := load64(in, q)
		switch {
		case uint16(x) == unicodeStart:
			c := spread(digits, in, q+2)
			switch first := c & 0x200F; { // what decides of a character's first byte
			case c < 0:
				return -1, -1, 0
			case first == 0 && c&0x3E00 == 0: // ASCII
				form := shortForms[(c>>2&0x40|c>>16)&0x7F]
				store64(out, o, form)
				o += int(form >> 56)
			case first == 0:
				store32(out, o, uint32(c)>>8|0x80C0)
				o += 2
			case first != 0x200D:
				store32(out, o, uint32(c)|0x8080E0)
				o += 3
			default: // a pair of surrogates
				low := spread(digits, in, q+8)
				if x>>48 != unicodeStart || c&0x1000 != 0 || low < 0 || low&0x300F != 0x300D {
					return -1, -1, 0
				}
				c = c>>2&0x3C0 + c>>16 + 0x40
				store32(out, o, 0x808080F0|uint32(c>>8|c<<6&0x3F00|c<<20&0x300000|low<<8&0xF0000|low<<8&0x3F000000))
				q, o, count = q+6, o+4, count+1
			}
			q, count = q+6, count+1
		case x == solidi:
			store32(out, o, 0x2F2F2F2F)
			q, o = q+8, o+4
			count += 4
		case uint16(x) == solidus:
			putByte(out, o, '/')
			q, o = q+2, o+1
			count++
		default:
			return q, o, count
		}
		if q > stop {
			return q, o, count
		}
	}
}

// What stands behind a backslash.
const (
	escapeNone    = iota // nothing that may
	escapeKept           // the canonical form has the same escape
	escapePlain          // the canonical form has the character itself
	escapeUnicode        // four hexadecimal digits must follow
)

var escapes = [256]uint8{
	'"': escapeKept, '\\': escapeKept, '/': escapePlain,
	'u': escapeUnicode, 'b': escapeKept, 'f': escapeKept, 'n': escapeKept, 'r': escapeKept, 't': escapeKept,
}

// shortForms are the canonical forms of ASCII characters in strings, first byte
// lowest, and their lengths in the highest byte.
var shortForms = func() (t [0x80]uint64) {
	for r := range t {
		form := appendUnit(nil, rune(r))
		t[r] = uint64(len(form)) << 56
		for i, b := range form {
			t[r] |= uint64(b) << (8 * i)
		}
	}
	return t
}()

// spreadDigits are the values of hexadecimal digits by their place in four,
// their bits where spread has them, negative numbers for other bytes.
var spreadDigits = func() (t [4][256]int32) {
	for place := range t {
		for b := range t[place] {
			r := int32(hexValue(byte(b))) << (12 - 4*place)
			t[place][b] = r>>12 | r>>6&0x3F<<8 | r&0x3F<<16 // negative ones stay so
		}
	}
	return t
}()

// spread gives the value of the four hexadecimal digits at p with its bits where
// three bytes of UTF-8 have them: the highest four in the first byte, six each
// in the second and third. It is negative if they are none.
func spread(digits *[4][256]int32, in text, p int) int32 {
	return digits[0][byteAt(in, p)] | digits[1][byteAt(in, p+1)] | digits[2][byteAt(in, p+2)] | digits[3][byteAt(in, p+3)]
}

// isCanonicalControl reports whether the backslash at q begins a \u escape that
// the canonical form has: of a control character that has no shorter one.
func isCanonicalControl(in text, q int) bool {
	x := load64(in, q)
	return x&0xFEFFFFFFFF == 0x303030755C && controlDigits[x>>32&1][byte(x>>40)] // \u000 or \u001, first byte lowest
}

// controlDigits tells of the last two digits of such an escape whether they are
// those that the canonical form has.
var controlDigits = func() (t [2][256]bool) {
	for r := range 32 {
		if form := shortForms[r]; form>>56 == 6 {
			t[r>>4][byte(form>>40)] = true
		}
	}
	return t
}()
