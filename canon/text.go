package canon

import "bytes"

// string writes the string at entry k: runs of characters that need no change
// are copied, escapes that are not canonical are written anew.
func (w *writer) string(k, o int) (int, int) {
	in, out := w.in, w.out
	from := entryAt(w.entries, k) // where the run begins that is not yet copied
	k++
	for {
		if k > w.mark {
			k = w.refill(k)
		}
		q := entryAt(w.entries, k)
		k++
		c := byteAt(in, q)
		if c == '"' {
			size := q + 1 - from
			copyRest(out, o, in, from, size)
			return k, o + size
		}
		if c != '\\' {
			return -1, 0 // the text has ended
		}
		e := byteAt(in, q+1)
		if e != 'u' {
			switch escapes[e] {
			case escapeNone:
				return -1, 0
			case escapePlain: // \/ is written /
				copyRest(out, o, in, from, q-from)
				o += q - from
				from = q + 1
			}
			continue
		}
		r := hex4(in, q+2)
		if r < 0 {
			return -1, 0
		}
		if r < ' ' && isCanonicalControl(in, q, r) {
			continue
		}
		copyRest(out, o, in, from, q-from)
		o += q - from
		from = q + 6
		switch {
		case r < 0x80:
			if r >= ' ' && r != '"' && r != '\\' {
				putByte(out, o, byte(r))
				o++
			} else {
				var form [8]byte
				o += copy(piece(out, o, o+8), appendUnit(form[:0], rune(r)))
			}
		case r < 0x800:
			putByte(out, o, 0xC0|byte(r>>6))
			putByte(out, o+1, 0x80|byte(r&0x3F))
			o += 2
		case r < 0xD800 || r > 0xDFFF:
			store32(out, o, 0x8080E0|uint32(r)>>12|uint32(r)>>6&0x3F<<8|uint32(r)&0x3F<<16)
			o += 3
		default:
			low := int32(-1)
			if byteAt(in, q+6) == '\\' && byteAt(in, q+7) == 'u' {
				low = hex4(in, q+8)
			}
			if r > 0xDBFF || low < 0xDC00 || low > 0xDFFF {
				return -1, 0
			}
			if k > w.mark {
				k = w.refill(k)
			}
			k++
			from = q + 12
			r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
			store32(out, o, 0x808080F0|uint32(r)>>18|uint32(r)>>12&0x3F<<8|uint32(r)>>6&0x3F<<16|uint32(r)&0x3F<<24)
			o += 4
		}
	}
}

// What stands behind a backslash.
const (
	escapeNone  = iota // nothing that may
	escapeKept         // the canonical form has the same escape
	escapePlain        // the canonical form has the character itself
)

var escapes = [256]uint8{
	'"': escapeKept, '\\': escapeKept, '/': escapePlain,
	'b': escapeKept, 'f': escapeKept, 'n': escapeKept, 'r': escapeKept, 't': escapeKept,
}

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

// isCanonicalControl reports whether the escape at q, which stands for a
// control character r, is the one that the canonical form has.
func isCanonicalControl(in text, q int, r int32) bool {
	var form [8]byte
	canonical := appendUnit(form[:0], rune(r))
	return len(canonical) == 6 && bytes.Equal(canonical, piece(in, q, q+6))
}
