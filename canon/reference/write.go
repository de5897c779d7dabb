package reference

import "slices"

// A Variant is a number in a canonical form for which ECMA-262 section 7.1.4.1
// allows another text, since its source has more than 20 significant digits.
type Variant struct {
	Start, End int      // where the number stands in the canonical form
	Others     []string // what may stand there instead
}

// writer serializes a tree by RFC 8785 section 3.2.
type writer struct {
	out      []byte
	variants []Variant
	depth    int // values that are being written
}

func (w *writer) value(v *value) {
	w.depth++
	giveWay(w.depth)
	switch v.kind {
	case literalValue:
		w.out = append(w.out, v.literal...)
	case numberValue:
		w.number(v.number)
	case stringValue:
		w.string(v.units)
	case arrayValue:
		w.out = append(w.out, '[')
		for i, item := range v.items {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(item)
		}
		w.out = append(w.out, ']')
	case objectValue:
		w.object(v.members)
	}
	w.depth--
}

func (w *writer) object(members []member) {
	slices.SortFunc(members, func(a, b member) int { return CompareNames(a.name, b.name) })
	w.out = append(w.out, '{')
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.string(m.name)
		w.out = append(w.out, ':')
		w.value(m.value)
	}
	w.out = append(w.out, '}')
}

func (w *writer) number(n Number) {
	start := len(w.out)
	w.out = append(w.out, n.Text...)
	variant := Variant{Start: start, End: len(w.out)}
	for _, b := range n.Neighbours {
		if text, finite := NumberToString(b); finite {
			variant.Others = append(variant.Others, text)
		}
	}
	if len(variant.Others) > 0 {
		w.variants = append(w.variants, variant)
	}
}

// shortEscapes are the escapes of two characters, in RFC 8785 section 3.2.2.2.
var shortEscapes = map[rune]string{
	'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`,
}

func (w *writer) string(units []uint16) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	points(units, func(point rune) {
		if point >= 0x20 && point != '"' && point != '\\' {
			w.out = appendPoint(w.out, point)
			return
		}
		if escape, short := shortEscapes[point]; short {
			w.out = append(w.out, escape...)
			return
		}
		w.out = append(w.out, '\\', 'u', '0', '0', hex[point>>4], hex[point&15])
	})
	w.out = append(w.out, '"')
}
