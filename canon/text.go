package canon

// unicode writes the character of the \u escape at q, or of the pair of
// surrogates there, and gives the places behind it in the text and in the
// output, -1 if it must be refused.
func (w *writer) unicode(q, o int) (int, int) {
	in, out := w.in, w.out
	r := hex4(in, q+2)
	q += 6
	switch {
	case r < 0:
		return -1, 0
	case r < 0x80:
		form := shortForms[r]
		store64(out, o, form)
		return q, o + int(form>>56)
	case r < 0x800:
		putByte(out, o, 0xC0|byte(r>>6))
		putByte(out, o+1, 0x80|byte(r&0x3F))
		return q, o + 2
	case r < 0xD800 || r > 0xDFFF:
		store32(out, o, 0x8080E0|uint32(r)>>12|uint32(r)>>6&0x3F<<8|uint32(r)&0x3F<<16)
		return q, o + 3
	}
	low := int32(-1)
	if byteAt(in, q) == '\\' && byteAt(in, q+1) == 'u' {
		low = hex4(in, q+2)
	}
	if r > 0xDBFF || low < 0xDC00 || low > 0xDFFF {
		return -1, 0
	}
	r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
	store32(out, o, 0x808080F0|uint32(r)>>18|uint32(r)>>12&0x3F<<8|uint32(r)>>6&0x3F<<16|uint32(r)&0x3F<<24)
	return q + 6, o + 4
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

// hexDigits are the values of hexadecimal digits, -1 for other bytes.
var hexDigits = func() (t [256]int32) {
	for b := range t {
		t[b] = int32(hexValue(byte(b)))
	}
	return t
}()

// hex4 gives the value of four hexadecimal digits, a negative number if they
// are none.
func hex4(in text, p int) int32 {
	x := load32(in, p)
	return hexDigits[byte(x)]<<12 | hexDigits[byte(x>>8)]<<8 | hexDigits[byte(x>>16)]<<4 | hexDigits[byte(x>>24)]
}

// isCanonicalControl reports whether the backslash at q begins a \u escape that
// the canonical form has: of a control character that has no shorter one.
func isCanonicalControl(in text, q int) bool {
	if byteAt(in, q+1) != 'u' {
		return false
	}
	r := hex4(in, q+2)
	if r < 0 || r >= ' ' {
		return false
	}
	const six = 1<<48 - 1
	form := shortForms[r]
	return form>>56 == 6 && (load64(in, q)^form)&six == 0
}
