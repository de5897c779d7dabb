package canon

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A text is read in blocks. Reading copies it, so that the reader may look
// beyond its end, and lists its entries: the positions of structural
// characters and beginnings of numbers and literals outside strings, of
// quotation marks, and of backslashes that begin an escape. Whatever else
// stands between two entries is white space, the rest of a scalar or plain
// characters of a string.

const (
	blockSize = 64
	// windowSize is how many bytes are read at a time.
	windowSize = 64 * blockSize
	// entrySlack is how far a kernel may write beyond its last entry.
	entrySlack = 32
)

// A scan is what one block leaves to the next.
type scan struct {
	escaped uint64 // 1 if the next byte is escaped
	quoted  uint64 // all ones inside a string
	scalar  uint64 // 1 if the last byte belongs to a scalar outside strings
	control uint64 // not zero once a control character stood in a string
	wide    uint64 // not zero once a byte from 0x80 on was read
	high    uint64 // not zero once a byte from 0xEE on was read
}

// Classes of bytes outside strings.
const (
	classScalar = iota
	classBlank
	classMark
	classQuote
)

var classes = [256]uint8{
	' ': classBlank, '\t': classBlank, '\n': classBlank, '\r': classBlank,
	'{': classMark, '}': classMark, '[': classMark, ']': classMark, ':': classMark, ',': classMark,
	'"': classQuote,
}

// indexGeneric reads src[from:to], copies it to the same place in in, and
// lists its entries; it gives their number. It is the twin of indexAVX2.
func indexGeneric(src, in []byte, from, to int, entries []uint32, s *scan) int {
	copy(in[from:to], src[from:to])
	text := in[:to]
	n, i := 0, from
	if s.quoted != 0 {
		goto quoted
	}

open:
	for i < len(text) {
		switch b := text[i]; classes[b] {
		case classBlank:
			s.scalar = 0
		case classMark:
			s.scalar = 0
			entries[n] = uint32(i)
			n++
		case classQuote:
			s.scalar, s.quoted = 0, ^uint64(0)
			entries[n] = uint32(i)
			n++
			i++
			goto quoted
		default:
			if s.scalar == 0 {
				entries[n] = uint32(i)
				n++
			}
			s.scalar = 1
			if b >= 0x80 {
				s.note(b)
			}
		}
		i++
	}
	return n

quoted:
	if s.escaped != 0 && i < len(text) {
		s.escaped = 0
		s.note(text[i])
		i++
	}
	for i < len(text) {
		for i+8 <= len(text) {
			k := plainRun(binary.LittleEndian.Uint64(text[i:]))
			if i += k; k < 8 {
				break
			}
		}
		if i >= len(text) {
			break
		}
		switch b := text[i]; {
		case b == '"':
			s.quoted = 0
			entries[n] = uint32(i)
			n++
			i++
			goto open
		case b == '\\':
			entries[n] = uint32(i)
			n++
			if i++; i == len(text) {
				s.escaped = 1
				return n
			}
			s.note(text[i])
		default:
			s.note(b)
		}
		i++
	}
	return n
}

// plainRun counts the bytes of x, from the first one on, before one that is a
// quotation mark, a backslash, a control character or beyond ASCII.
func plainRun(x uint64) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := x^'"'*ones, x^'\\'*ones
	found := (x - ' '*ones) | (quote - ones) | (backslash - ones) | x
	return bits.TrailingZeros64(found&tops) / 8
}

// note keeps what must be known of a byte of a scalar or a string.
func (s *scan) note(b byte) {
	if b >= 0x80 {
		s.wide = 1
	}
	if b >= 0xEE {
		s.high = 1
	}
	if b < ' ' && s.quoted != 0 {
		s.control = 1
	}
}

func validGeneric(padded []byte) bool { return utf8.Valid(padded) }
