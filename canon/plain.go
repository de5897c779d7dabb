package canon

import (
	"bytes"
	"slices"
)

// A plainWriter writes the canonical form of a text that has been checked.
type plainWriter struct {
	src []byte
	i   int
	out []byte
}

// A plainMember is a member that has been written: its name's text in the
// source, and where it stands in the output.
type plainMember struct {
	name       []byte
	start, end int
}

func writePlain(dst, src []byte) []byte {
	w := plainWriter{src: src, out: dst}
	w.value()
	return w.out
}

// peek passes white space and gives the byte behind it.
func (w *plainWriter) peek() byte {
	for bytes.IndexByte([]byte(" \t\n\r"), w.src[w.i]) >= 0 {
		w.i++
	}
	return w.src[w.i]
}

func (w *plainWriter) value() {
	switch w.peek() {
	case '{':
		w.object()
	case '[':
		w.array()
	case '"':
		w.string()
	case 't', 'n':
		w.copy(4)
	case 'f':
		w.copy(5)
	default:
		w.number()
	}
}

func (w *plainWriter) copy(n int) {
	w.out = append(w.out, w.src[w.i:w.i+n]...)
	w.i += n
}

func (w *plainWriter) array() {
	w.copy(1)
	for w.peek() != ']' {
		if w.src[w.i] == ',' {
			w.copy(1)
		}
		w.value()
	}
	w.copy(1)
}

func (w *plainWriter) object() {
	w.copy(1)
	start := len(w.out)
	var members []plainMember
	for w.peek() != '}' {
		if w.src[w.i] == ',' {
			w.i++
			w.peek()
		}
		m := plainMember{name: nameAt(w.src, w.i), start: len(w.out)}
		w.string()
		w.peek()
		w.copy(1)
		w.value()
		m.end = len(w.out)
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b plainMember) int { return compareNames(a.name, b.name) })
	staged := bytes.Clone(w.out[start:])
	w.out = w.out[:start]
	for k, m := range members {
		if k > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, staged[m.start-start:m.end-start]...)
	}
	w.copy(1)
}

// string writes a string's characters one by one, from its code units.
func (w *plainWriter) string() {
	text := nameAt(w.src, w.i)
	w.i += len(text) + 2
	w.out = append(w.out, '"')
	for u := (unitReader{text: text}); ; {
		r := u.next()
		if r < 0 {
			break
		}
		if 0xD800 <= r && r < 0xDC00 {
			r = 0x10000 + (r-0xD800)<<10 + u.next() - 0xDC00
		}
		w.out = appendUnit(w.out, r)
	}
	w.out = append(w.out, '"')
}

func (w *plainWriter) number() {
	end := w.i
	for end < len(w.src) && bytes.IndexByte([]byte("+-.0123456789Ee"), w.src[end]) >= 0 {
		end++
	}
	f, err := parseFloat(w.src[w.i:end])
	if err != nil {
		panic(err) // the text has been checked
	}
	w.i = end
	w.out = appendFloat(w.out, f)
}
