package canon

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// compareNamesAt orders the member names whose opening quotation marks stand at
// two places of a text, by their UTF-16 code units after unescaping (RFC 8785
// section 3.2.3). Both must be strings by the grammar; where they are not UTF-8,
// which is seen later, any order will do. It reads no further than the first
// difference, so that sorting costs no more than what the names have in common:
// one long name among many short ones is not read again and again.
// compareUnits is its slow twin.
func compareNamesAt(text []byte, a, b int) int {
	x, y := text[a+1:], text[b+1:]
	i := commonLength(x, y)
	u, v := x[i], y[i]
	switch {
	case u == '"' && v == '"':
		return 0
	case u == '"':
		return -1
	case v == '"':
		return 1
	case min(u, v) < utf8.RuneSelf && u != '\\' && v != '\\':
		return cmp.Compare(u, v)
	}
	for i > 0 && (isTail(x[i]) || isTail(y[i])) && x[i-1] >= utf8.RuneSelf {
		i-- // to the first byte of the character
	}
	return compareUnits(x[i:], y[i:])
}

func isTail(b byte) bool { return b&0xC0 == 0x80 }

// commonLength gives the length of what two names have in common from their
// beginnings, whole escapes only: where they first differ, or where both end.
func commonLength(x, y []byte) int {
	i := 0
	for {
		for i+8 <= len(x) && i+8 <= len(y) {
			u, v := binary.LittleEndian.Uint64(x[i:]), binary.LittleEndian.Uint64(y[i:])
			if u != v || hasByte(u, '"') || hasByte(u, '\\') {
				break
			}
			i += 8
		}
		for end := i + 8; i < end; i++ {
			if x[i] != y[i] || x[i] == '"' {
				return i
			}
			if x[i] != '\\' {
				continue
			}
			width := 2
			if x[i+1] == 'u' {
				width = 6
			}
			if i+width > len(y) || !bytes.Equal(x[i:i+width], y[i:i+width]) {
				return i
			}
			i += width - 1
		}
	}
}

// hasByte reports whether one of the eight bytes of word is b.
func hasByte(word uint64, b byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	zeroed := word ^ ones*uint64(b)
	return (zeroed-ones)&^zeroed&highs != 0
}

// compareUnits orders two names, given by the text behind their opening
// quotation marks, unit by unit.
func compareUnits(a, b []byte) int {
	x, y := unitReader{text: a}, unitReader{text: b}
	for {
		u, v := x.next(), y.next()
		if u != v || u < 0 {
			return cmp.Compare(u, v)
		}
	}
}

// A unitReader reads the UTF-16 code units of a string's text up to its closing
// quotation mark or the end.
type unitReader struct {
	text []byte
	low  rune // the second half of a pair whose first half was given, 0 if none
}

// next gives the next code unit, -1 at the end.
func (u *unitReader) next() rune {
	if low := u.low; low != 0 {
		u.low = 0
		return low
	}
	if len(u.text) == 0 || u.text[0] == '"' {
		return -1
	}
	if u.text[0] == '\\' {
		return u.escape()
	}
	r, size := utf8.DecodeRune(u.text)
	u.text = u.text[size:]
	if r < 0x10000 {
		return r
	}
	u.low = 0xDC00 + r&0x3FF
	return 0xD800 + (r-0x10000)>>10
}

func (u *unitReader) escape() rune {
	b := u.text[1]
	if b != 'u' {
		u.text = u.text[2:]
		return rune("\"\\/\b\f\n\r\t"[bytes.IndexByte([]byte(`"\/bfnrt`), b)])
	}
	r := rune(0)
	for _, h := range u.text[2:6] {
		r = r<<4 | rune(hexValue(h))
	}
	u.text = u.text[6:]
	return r
}

// nameAt gives the text of the name whose opening quotation mark is at start.
func nameAt(src []byte, start int) []byte {
	for i := start + 1; ; i++ {
		switch src[i] {
		case '"':
			return src[start+1 : i]
		case '\\':
			i++
		}
	}
}

// firstDuplicate gives the least offset of a name that is equal to one before
// it, len(src) if there is none. It reorders names, which are offsets into src.
func firstDuplicate(src []byte, names []int) int {
	slices.SortFunc(names, func(a, b int) int {
		return cmp.Or(compareNamesAt(src, a, b), cmp.Compare(a, b))
	})
	least := len(src)
	for k, name := range names[min(1, len(names)):] {
		if compareNamesAt(src, names[k], name) == 0 {
			least = min(least, name)
		}
	}
	return least
}
