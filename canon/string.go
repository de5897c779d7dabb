package canon

import (
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// AppendString appends s as a JSON string in canonical form (RFC 8785 section
// 3.2.2.2): quotation mark, backslash and U+0000 to U+001F are escaped, by two
// characters where JSON has such an escape and else by \u and four lower-case
// hexadecimal digits; everything else stands as it is.
//
// If s is not UTF-8, dst is returned as it was given, with an error for
// invalid_utf8 whose Offset, Line and Column are those of the ill-formed
// sequence in s.
func AppendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		at := 0
		for i, r := range s {
			if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
				at = i
				break
			}
		}
		place := reject.Locate([]byte(s), at)
		return dst, &reject.Error{
			Package: "canon", Reason: reject.InvalidUTF8, Offset: at, Line: place.Line, Column: place.Column,
			Requirement: reject.InvalidUTF8.Clause(reject.RFC8785),
		}
	}
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' {
			dst = append(dst, s[from:i]...)
			dst = appendUnit(dst, rune(b))
			from = i + 1
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"'), nil
}

// appendUnit writes one character of a string, escaped if it must be.
func appendUnit(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	if r < ' ' {
		return append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	}
	return utf8.AppendRune(dst, r)
}
