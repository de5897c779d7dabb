package canon

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf16"
)

// A plainWriter writes the canonical form of a text that check has passed, in
// two passes and without recursion: the first puts each object's members in
// order, the second writes. It is the slow twin of writer, and serves where
// that does not go: beyond maxFastInput and maxRecursion. Time is n log n,
// memory 8 bytes a member and 32 an object that is not empty.
type plainWriter struct {
	src     []byte
	objects []plainObject // by offset
	members []int         // where names begin; those of one object together, in order
	out     []byte
}

// A plainObject is an object that has members.
type plainObject struct {
	start, end   int // of its text, braces included
	first, count int // its part of plainWriter.members
}

func writePlain(dst, src []byte) []byte {
	w := plainWriter{src: src, out: dst}
	w.order()
	w.write()
	return w.out
}

// blank passes white space.
func (w *plainWriter) blank(i int) int {
	for i < len(w.src) && bytes.IndexByte([]byte(" \t\n\r"), w.src[i]) >= 0 {
		i++
	}
	return i
}

// stringBehind gives the place behind the string at i.
func (w *plainWriter) stringBehind(i int) int { return i + len(nameAt(w.src, i)) + 2 }

// order finds every object and puts its members in order.
func (w *plainWriter) order() {
	type frame struct{ object, names int } // object is -1 for an array
	var open []frame
	var names []int // of all open objects
	name := false   // a member name comes next
	for i := w.blank(0); i < len(w.src); i = w.blank(i) {
		switch w.src[i] {
		case '{':
			w.objects = append(w.objects, plainObject{start: i})
			open = append(open, frame{len(w.objects) - 1, len(names)})
			name = true
		case '[':
			open = append(open, frame{object: -1})
			name = false
		case '}':
			top := open[len(open)-1]
			mine := names[top.names:]
			slices.SortFunc(mine, func(a, b int) int { return compareNamesAt(w.src, a, b) })
			o := &w.objects[top.object]
			o.end, o.first, o.count = i+1, len(w.members), len(mine)
			w.members = append(w.members, mine...)
			names, open = names[:top.names], open[:len(open)-1]
		case ']':
			open = open[:len(open)-1]
		case ',':
			name = open[len(open)-1].object >= 0
		case '"':
			if name {
				names = append(names, i)
				name = false
			}
			i = w.stringBehind(i)
			continue
		}
		i++
	}
}

// write writes the text, going from member to member in their order.
func (w *plainWriter) write() {
	type frame struct{ object, next int } // object is -1 for an array
	var open []frame
	i := 0
	for value := true; value || len(open) > 0; {
		i = w.blank(i)
		if value {
			value = false
			switch w.src[i] {
			case '{':
				w.out = append(w.out, '{')
				k := sort.Search(len(w.objects), func(k int) bool { return w.objects[k].start >= i })
				open = append(open, frame{k, 0})
			case '[':
				w.out = append(w.out, '[')
				open = append(open, frame{object: -1})
				if i = w.blank(i + 1); w.src[i] != ']' {
					value = true
				}
			default:
				i = w.scalar(i)
			}
			continue
		}
		// Behind a value in the innermost container, or at its beginning.
		top := &open[len(open)-1]
		switch {
		case top.object < 0 && w.src[i] == ',':
			w.out = append(w.out, ',')
			i++
			value = true
		case top.object < 0:
			w.out = append(w.out, ']')
			i++
			open = open[:len(open)-1]
		case top.next == w.objects[top.object].count:
			w.out = append(w.out, '}')
			i = w.objects[top.object].end
			open = open[:len(open)-1]
		default:
			if top.next > 0 {
				w.out = append(w.out, ',')
			}
			name := w.members[w.objects[top.object].first+top.next]
			top.next++
			w.string(nameAt(w.src, name))
			w.out = append(w.out, ':')
			i = w.blank(w.stringBehind(name)) + 1
			value = true
		}
	}
}

// scalar writes the scalar at i and gives the place behind it.
func (w *plainWriter) scalar(i int) int {
	if w.src[i] == '"' {
		text := nameAt(w.src, i)
		w.string(text)
		return i + len(text) + 2
	}
	end := i
	for end < len(w.src) && bytes.IndexByte([]byte(" \t\n\r,]}"), w.src[end]) < 0 {
		end++
	}
	switch text := w.src[i:end]; text[0] {
	case 't', 'f', 'n':
		w.out = append(w.out, text...)
	default:
		f, err := parseFloat(text)
		if err != nil {
			panic(err) // the text has been checked
		}
		w.out = appendFloat(w.out, f)
	}
	return end
}

// string writes a string's characters one by one, from its code units.
func (w *plainWriter) string(text []byte) {
	w.out = append(w.out, '"')
	for u := (unitReader{text: text}); ; {
		r := u.next()
		if r < 0 {
			break
		}
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, u.next())
		}
		w.out = appendUnit(w.out, r)
	}
	w.out = append(w.out, '"')
}
