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
// lists its entries; it gives their number. It is the twin of the kernels.
func indexGeneric(src, in []byte, from, to int, entries []uint32, s *scan) int {
	copy(in[from:to], src[from:to])
	text := in[:to]
	n, i, scalar := 0, from, s.scalar
	if s.quoted != 0 {
		goto quoted
	}

open:
	for i < len(text) {
		switch classes[text[i]] {
		case classMark:
			entries[n] = uint32(i)
			n++
			i++
			scalar = 0
		case classBlank:
			i++
			for i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:]) == ' '*ones {
				i += 8
			}
			scalar = 0
		case classQuote:
			s.quoted = ^uint64(0)
			entries[n] = uint32(i)
			n++
			i++
			scalar = 0
			goto quoted
		default:
			if scalar == 0 {
				entries[n] = uint32(i)
				n++
				scalar = 1
			}
			for i < len(text) && classes[text[i]] == classScalar {
				if text[i] >= 0x80 {
					s.note(uint64(text[i]))
				}
				i++
			}
		}
	}
	s.scalar = scalar
	return n

quoted:
	if s.escaped != 0 && i < len(text) {
		s.escaped = 0
		s.noteQuoted(text[i])
		i++
	}
	for i < len(text) {
		if i+8 <= len(text) {
			x := binary.LittleEndian.Uint64(text[i:])
			if x&tops != 0 {
				s.note(x)
			}
			k := plainRun(x)
			if i += k; k == 8 {
				continue
			}
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
				s.escaped, s.scalar = 1, 0
				return n
			}
			s.noteQuoted(text[i])
		default:
			s.noteQuoted(b)
		}
		i++
	}
	s.scalar = 0
	return n
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// plainRun counts the bytes of x, from the first one on, before one that is a
// quotation mark, a backslash or a control character.
func plainRun(x uint64) int {
	quote, backslash := x^'"'*ones, x^'\\'*ones
	found := (x-' '*ones)&^x | (quote-ones)&^quote | (backslash-ones)&^backslash
	return bits.TrailingZeros64(found&tops) / 8
}

// note keeps what must be known of bytes beyond ASCII. A byte from 0xEE on has
// its three highest bits set, and the next one or the three behind that.
func (s *scan) note(x uint64) {
	s.wide |= x & tops
	s.high |= x & (x << 1) & (x << 2) & (x<<3 | x<<4&(x<<5)&(x<<6)) & tops
}

// noteQuoted is note for one byte of a string.
func (s *scan) noteQuoted(b byte) {
	switch {
	case b < ' ':
		s.control = 1
	case b >= 0x80:
		s.note(uint64(b))
	}
}

func validGeneric(padded []byte) bool { return utf8.Valid(padded) }
