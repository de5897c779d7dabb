package snapshot

import (
	"strconv"
	"strings"
	"sync"
)

// A viewer decodes canonical text, and only such: it checks nothing, because a
// Snapshot holds nothing else. Its slow twin is encoding/json; TestViewAgrees
// holds them together.
type viewer struct {
	text  string
	at    int
	stack []any // elements of the arrays that are open
}

var viewers = sync.Pool{New: func() any { return new(viewer) }}

func (r *viewer) decode(text string) any {
	r.text, r.at = text, 0
	v := r.value()
	r.text = ""
	if cap(r.stack) > keepable/16 {
		r.stack = nil
	}
	return v
}

func (r *viewer) value() any {
	switch r.text[r.at] {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		return r.string()
	case 'n':
		r.at += len("null")
		return nil
	case 't':
		r.at += len("true")
		return true
	case 'f':
		r.at += len("false")
		return false
	}
	return r.number()
}

func (r *viewer) object() map[string]any {
	object := make(map[string]any)
	r.at++
	if r.text[r.at] == '}' {
		r.at++
		return object
	}
	for {
		name := r.string()
		r.at++ // the colon
		object[name] = r.value()
		r.at++ // a comma or the closing brace
		if r.text[r.at-1] == '}' {
			return object
		}
	}
}

func (r *viewer) array() []any {
	r.at++
	if r.text[r.at] == ']' {
		r.at++
		return []any{}
	}
	base := len(r.stack)
	for {
		v := r.value()
		r.stack = append(r.stack, v)
		r.at++ // a comma or the closing bracket
		if r.text[r.at-1] == ']' {
			break
		}
	}
	array := make([]any, len(r.stack)-base)
	copy(array, r.stack[base:])
	clear(r.stack[base:])
	r.stack = r.stack[:base]
	return array
}

// string gives a piece of the text where it can.
func (r *viewer) string() string {
	from := r.at + 1
	end := from + strings.IndexByte(r.text[from:], '"')
	body := r.text[from:end]
	if strings.IndexByte(body, '\\') < 0 {
		r.at = end + 1
		return body
	}
	for end = from; r.text[end] != '"'; end++ {
		if r.text[end] == '\\' {
			end++
		}
	}
	r.at = end + 1
	return unescape(r.text[from:end])
}

// unescape undoes the escapes that canonical text has: the short ones, and \u00xx.
func unescape(body string) string {
	out := make([]byte, 0, len(body))
	for {
		i := strings.IndexByte(body, '\\')
		if i < 0 {
			return string(append(out, body...))
		}
		out = append(out, body[:i]...)
		switch c := body[i+1]; c {
		case 'u':
			unit, _ := strconv.ParseUint(body[i+2:i+6], 16, 8) // a control character
			out = append(out, byte(unit))
			body = body[i+6:]
			continue
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		default: // a quotation mark or a backslash
			out = append(out, c)
		}
		body = body[i+2:]
	}
}

// number reads a canonical number: short integers by hand, others by strconv,
// which rounds exactly.
func (r *viewer) number() float64 {
	from, n, whole := r.at, int64(0), true
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case '0' <= c && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '-' && r.at == from:
		case c == '.' || c == 'e' || c == '+' || c == '-':
			whole = false
		default:
			return toFloat(r.text[from:r.at], n, whole)
		}
	}
	return toFloat(r.text[from:], n, whole)
}

// exactDigits is how long integer text may be, its sign included, so that no
// sum overflows and every value is a double.
const exactDigits = 15

func toFloat(text string, n int64, whole bool) float64 {
	if !whole || len(text) > exactDigits {
		f, _ := strconv.ParseFloat(text, 64)
		return f
	}
	if text[0] == '-' {
		n = -n
	}
	return float64(n)
}
