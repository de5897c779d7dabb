package check

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"unicode"
	"unicode/utf16"
)

// otherEncoding names the encoding in which bytes are a JSON text that are none
// in UTF-8; "" if there is none. A byte order mark may come first.
func otherEncoding(input []byte) string {
	for _, e := range []struct {
		name  string
		width int
		order binary.ByteOrder
	}{
		{"UTF-32LE", 4, binary.LittleEndian}, {"UTF-32BE", 4, binary.BigEndian},
		{"UTF-16LE", 2, binary.LittleEndian}, {"UTF-16BE", 2, binary.BigEndian},
	} {
		if text, ok := decodeUnits(input, e.width, e.order); ok && json.Valid(text) {
			return e.name
		}
	}
	return ""
}

// decodeUnits reads code units of so many bytes and gives the text in UTF-8
// without a byte order mark. A text of one byte a character has a zero byte in
// every unit, so that what has none is not looked at.
func decodeUnits(input []byte, width int, order binary.ByteOrder) ([]byte, bool) {
	if len(input)%width != 0 || bytes.IndexByte(input, 0) < 0 {
		return nil, false
	}
	var runes []rune
	var units []uint16
	for unit := range slices.Chunk(input, width) {
		if width == 2 {
			units = append(units, order.Uint16(unit))
			continue
		}
		u := order.Uint32(unit)
		if u > unicode.MaxRune {
			return nil, false
		}
		runes = append(runes, rune(u))
	}
	if width == 2 {
		runes = utf16.Decode(units)
	}
	return bytes.TrimPrefix([]byte(string(runes)), []byte("\uFEFF")), true
}
