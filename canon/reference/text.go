package reference

import "slices"

// The UTF-8 of RFC 3629 section 4, production by production.

// sequence gives the length of the UTF-8 sequence at the head of a text and
// its code point; not ok and 1 for a byte that is not part of any. The text is
// not empty.
func sequence(text []byte) (length int, point rune, ok bool) {
	at := func(i int, low, high byte) bool { return i < len(text) && low <= text[i] && text[i] <= high }
	tail := func(i int) bool { return at(i, 0x80, 0xBF) }
	low := func(i int) rune { return rune(text[i] & 0x3F) }
	b := text[0]
	switch {
	case b <= 0x7F: // UTF8-1
		return 1, rune(b), true
	case at(0, 0xC2, 0xDF) && tail(1): // UTF8-2
		return 2, rune(b&0x1F)<<6 | low(1), true
	case b == 0xE0 && at(1, 0xA0, 0xBF) && tail(2), // UTF8-3
		at(0, 0xE1, 0xEC) && tail(1) && tail(2),
		b == 0xED && at(1, 0x80, 0x9F) && tail(2),
		at(0, 0xEE, 0xEF) && tail(1) && tail(2):
		return 3, rune(b&0x0F)<<12 | low(1)<<6 | low(2), true
	case b == 0xF0 && at(1, 0x90, 0xBF) && tail(2) && tail(3), // UTF8-4
		at(0, 0xF1, 0xF3) && tail(1) && tail(2) && tail(3),
		b == 0xF4 && at(1, 0x80, 0x8F) && tail(2) && tail(3):
		return 4, rune(b&0x07)<<18 | low(1)<<12 | low(2)<<6 | low(3), true
	}
	return 1, 0, false
}

// illFormed gives the offset of the first byte that is not part of a UTF-8
// sequence, or -1.
func illFormed(text []byte) int {
	for rest := text; len(rest) > 0; {
		length, _, ok := sequence(rest)
		if !ok {
			return len(text) - len(rest)
		}
		rest = rest[length:]
	}
	return -1
}

// appendUnits appends the UTF-16 code units of a code point (RFC 2781 section 2.1).
func appendUnits(units []uint16, point rune) []uint16 {
	if point < 0x10000 {
		return append(units, uint16(point))
	}
	v := point - 0x10000
	return append(units, 0xD800|uint16(v>>10), 0xDC00|uint16(v&0x3FF))
}

func isHigh(unit uint16) bool { return 0xD800 <= unit && unit <= 0xDBFF }
func isLow(unit uint16) bool  { return 0xDC00 <= unit && unit <= 0xDFFF }

// pair gives the code point of a surrogate pair (RFC 2781 section 2.2).
func pair(high, low uint16) rune {
	return 0x10000 + (rune(high)-0xD800)<<10 + rune(low) - 0xDC00
}

// isNoncharacter reports whether a code point is one of Unicode's 66
// noncharacters: U+FDD0 to U+FDEF and the last two of every plane.
func isNoncharacter(point rune) bool {
	return 0xFDD0 <= point && point <= 0xFDEF || point&0xFFFE == 0xFFFE
}

// appendPoint appends the UTF-8 of a code point.
func appendPoint(dst []byte, point rune) []byte {
	tail := func(shift int) byte { return 0x80 | byte(point>>shift)&0x3F }
	switch {
	case point <= 0x7F:
		return append(dst, byte(point))
	case point <= 0x7FF:
		return append(dst, 0xC0|byte(point>>6), tail(0))
	case point <= 0xFFFF:
		return append(dst, 0xE0|byte(point>>12), tail(6), tail(0))
	}
	return append(dst, 0xF0|byte(point>>18), tail(12), tail(6), tail(0))
}

// points reads UTF-16 code units as code points, calling each for every one.
// The units hold no lone surrogate.
func points(units []uint16, each func(rune)) {
	var high uint16
	for _, unit := range units {
		switch {
		case isHigh(unit):
			high = unit
		case isLow(unit):
			each(pair(high, unit))
		default:
			each(rune(unit))
		}
	}
}

// CompareNames orders two member names as RFC 8785 section 3.2.3 does: by the
// first code unit that differs, a prefix first.
func CompareNames(a, b []uint16) int { return slices.Compare(a, b) }
