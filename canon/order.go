package canon

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// compareNames orders two member names, given as the text between their
// quotation marks, by their UTF-16 code units after unescaping (RFC 8785
// section 3.2.3). Both must be well-formed.
func compareNames(a, b []byte) int {
	if isPlainName(a) && isPlainName(b) {
		return bytes.Compare(a, b)
	}
	x, y := unitReader{text: a}, unitReader{text: b}
	for {
		u, v := x.next(), y.next()
		if u != v || u < 0 {
			return cmp.Compare(u, v)
		}
	}
}

// isPlainName reports whether a name has no escape and no byte from 0xEE on.
// Between such names the order of bytes is that of UTF-16: only characters
// beyond U+FFFF, whose surrogates sort before U+E000, make a difference.
func isPlainName(name []byte) bool {
	for _, b := range name {
		if b == '\\' || b >= 0xEE {
			return false
		}
	}
	return true
}

// A unitReader reads the UTF-16 code units of a string's text.
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
	if len(u.text) == 0 {
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
	u.low = 0xDC00 + (r-0x10000)&0x3FF
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
// it, -1 if there is none. It reorders names, which are offsets into src.
func firstDuplicate(src []byte, names []int) int {
	if len(names) < 2 {
		return -1
	}
	slices.SortFunc(names, func(a, b int) int {
		if c := compareNames(nameAt(src, a), nameAt(src, b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	least := -1
	for k := 1; k < len(names); k++ {
		if least >= 0 && names[k] > least {
			continue
		}
		if compareNames(nameAt(src, names[k-1]), nameAt(src, names[k])) == 0 {
			least = names[k]
		}
	}
	return least
}
