package zoo

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// behavior is what a machine does at each turn. The functions of right are
// right; a fault replaces some.
type behavior struct {
	// Around a request.
	begin   func(m *machine, src []byte) (out []byte, done bool)
	prepare func(m *machine, src []byte) []byte
	clean   func(m *machine) []byte // the buffer to write into
	finish  func(m *machine, out []byte) []byte

	// The grammar.
	empty      func(m *machine) value
	top        func(m *machine, v value) value
	rest       func(m *machine, rest []byte) bool // may this follow the value?
	blank      func(m *machine, b []byte) int     // bytes of white space at b
	quote      func(c byte) bool
	literal    func(m *machine, word string) byte
	trailing   func(m *machine, closing byte) bool // a comma before a closing bracket
	extraComma func(m *machine, before int) bool
	comma      func(m *machine) bool // may a comma be missing?
	colon      func(m *machine, c byte) bool
	unclosed   func(m *machine) bool
	mismatch   func(m *machine, c byte) bool
	bareName   func(m *machine) []uint16
	limit      int
	nested     func(m *machine)           // a container has been opened
	closed     func(m *machine, v *value) // and closed

	// Strings.
	text8, name8 func(m *machine, at int, b []byte) int // bytes of the sequence at b, 0 if faulty
	decode       func(m *machine, units []uint16, seq []byte) []uint16
	control      func(m *machine, at int, c byte) bool // may it stand unescaped?
	escapeU      func(c byte) bool
	escape       func(m *machine, b []byte) (u []uint16, n int, ok bool)
	hex          func(m *machine, four []byte) (u uint16, n int, ok bool)
	unitOf       func(m *machine, at int, u uint16) uint16
	lone         func(m *machine, units []uint16) (instead []uint16, used int, ok bool)
	textOf       func(m *machine, units []uint16) []uint16
	nameOf       func(m *machine, units []uint16) []uint16
	char         func(m *machine, dst []byte, units []uint16, i int) ([]byte, int)

	// Objects and arrays.
	duplicate func(m *machine, items []item, i, k int) int // what to do with two equal names
	key       func(it item) string                         // equal names have equal keys; nil: the name
	compare   func(m *machine, a, b item) int
	members   func(m *machine, items []item) []item
	elements  func(m *machine, items []item) []item
	separator string
	closer    func(m *machine, c byte) byte

	// Numbers.
	numeral func(m *machine, word string) bool
	double  func(m *machine, word string) (float64, bool)
	number  func(m *machine, v value) string
}

// What duplicate answers.
const (
	refuse = iota
	keepFirst
	keepLast
	keepBoth
)

func no(*machine) bool { return false }

// right gives the behavior of the control.
func right() behavior {
	return behavior{
		begin:      func(*machine, []byte) ([]byte, bool) { return nil, false },
		prepare:    func(_ *machine, src []byte) []byte { return src },
		clean:      func(*machine) []byte { return nil },
		finish:     func(_ *machine, out []byte) []byte { return out },
		empty:      func(m *machine) value { m.fail(reject.Syntax); return value{} },
		top:        func(_ *machine, v value) value { return v },
		rest:       func(*machine, []byte) bool { return false },
		blank:      blank,
		quote:      func(c byte) bool { return c == '"' },
		literal:    literal,
		trailing:   func(*machine, byte) bool { return false },
		extraComma: func(*machine, int) bool { return false },
		comma:      no,
		colon:      func(*machine, byte) bool { return false },
		unclosed:   no,
		mismatch:   func(*machine, byte) bool { return false },
		bareName:   func(m *machine) []uint16 { m.fail(reject.Syntax); return nil },
		limit:      1000,
		nested:     func(*machine) {},
		closed:     closed,
		text8:      sequence,
		name8:      sequence,
		decode: func(_ *machine, units []uint16, seq []byte) []uint16 {
			r, _ := utf8.DecodeRune(seq)
			return utf16.AppendRune(units, r)
		},
		control:   func(*machine, int, byte) bool { return false },
		escapeU:   func(byte) bool { return false },
		escape:    escape,
		hex:       hex,
		unitOf:    func(_ *machine, _ int, u uint16) uint16 { return u },
		lone:      func(*machine, []uint16) ([]uint16, int, bool) { return nil, 0, false },
		textOf:    func(_ *machine, u []uint16) []uint16 { return u },
		nameOf:    func(_ *machine, u []uint16) []uint16 { return u },
		char:      char,
		duplicate: func(*machine, []item, int, int) int { return refuse },
		compare:   func(_ *machine, a, b item) int { return slices.Compare(a.name, b.name) },
		members:   members,
		elements:  func(_ *machine, items []item) []item { return items },
		separator: ",",
		closer:    func(_ *machine, c byte) byte { return c },
		numeral:   func(_ *machine, word string) bool { return isNumeral(word) },
		double:    func(_ *machine, word string) (float64, bool) { return double(word), true },
		number:    func(_ *machine, v value) string { return layOut(v.num) },
	}
}

func blank(_ *machine, b []byte) int {
	if c := b[0]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
		return 1
	}
	return 0
}

func literal(_ *machine, word string) byte {
	switch word {
	case "null", "true", "false":
		return word[0]
	}
	return 0
}

func sequence(_ *machine, _ int, b []byte) int {
	if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n > 1 {
		return n
	}
	return 0
}

const (
	escapeNames = `"\/bfnrt`
	escapeMeans = "\"\\/\b\f\n\r\t"
)

func escape(_ *machine, b []byte) ([]uint16, int, bool) {
	if k := strings.IndexByte(escapeNames, b[0]); k >= 0 {
		return []uint16{uint16(escapeMeans[k])}, 1, true
	}
	return nil, 0, false
}

func hex(_ *machine, four []byte) (u uint16, n int, ok bool) {
	if len(four) < 4 {
		return 0, 0, false
	}
	for _, c := range four {
		switch {
		case '0' <= c && c <= '9':
			u = u<<4 | uint16(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			u = u<<4 | uint16(c|0x20-'a'+10)
		default:
			return 0, 0, false
		}
	}
	return u, 4, true
}

// char writes a character as RFC 8785 section 3.2.2.2 says.
func char(_ *machine, dst []byte, units []uint16, i int) ([]byte, int) {
	u := units[i]
	switch {
	case u == '"' || u == '\\':
		return append(dst, '\\', byte(u)), 1
	case u < 0x20:
		for k := 3; k < len(escapeMeans); k++ {
			if escapeMeans[k] == byte(u) {
				return append(dst, '\\', escapeNames[k]), 1
			}
		}
		return append(dst, `\u00`+string("01"[u>>4])+string("0123456789abcdef"[u&15])...), 1
	case u < 0x80:
		return append(dst, byte(u)), 1
	}
	return appendChar(dst, units, i)
}

// closed looks for equal names.
func closed(m *machine, v *value) {
	if v.kind != '{' || len(v.items) < 2 {
		return
	}
	find := m.finder(len(v.items))
	for i := 0; i < len(v.items); i++ {
		m.step(1)
		k := find(v.items, i)
		if k < 0 {
			continue
		}
		switch m.duplicate(m, v.items, k, i) {
		case refuse:
			m.fail(reject.DuplicateName)
		case keepFirst:
			v.items = slices.Delete(v.items, i, i+1)
			i--
		case keepLast:
			v.items[k] = v.items[i]
			v.items = slices.Delete(v.items, i, i+1)
			i--
		}
	}
}

// finder gives a function that finds the index of an item before the i-th that
// has its name, or -1. It is asked for one i after the other.
func (m *machine) finder(n int) func(items []item, i int) int {
	key := m.key
	if key == nil {
		key = func(it item) string { return string(bigEndian(it.name)) }
	}
	if n > 16 {
		seen := make(map[string]int, n)
		return func(items []item, i int) int {
			name := key(items[i])
			if k, ok := seen[name]; ok {
				return k
			}
			seen[name] = i
			return -1
		}
	}
	return func(items []item, i int) int {
		for k := range i {
			if m.key == nil && slices.Equal(items[k].name, items[i].name) || m.key != nil && key(items[k]) == key(items[i]) {
				return k
			}
		}
		return -1
	}
}

func members(m *machine, items []item) []item {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b item) int {
		m.step(1)
		return m.compare(m, a, b)
	})
	return sorted
}

func isNumeral(word string) bool {
	s := strings.TrimPrefix(word, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// double reads a number. Long ones get their point behind the first digit,
// since strconv counts no more than 800 digits before a point.
func double(word string) float64 {
	if len(word) > 700 {
		word = scientific(word)
	}
	f, _ := strconv.ParseFloat(word, 64)
	return f
}

// scientific moves the point of a number behind its first digit that counts.
func scientific(word string) string {
	sign := ""
	if word[0] == '-' {
		sign, word = "-", word[1:]
	}
	exp := 0
	if e := strings.IndexAny(word, "eE"); e != -1 {
		exp, _ = strconv.Atoi(word[e+1:])
		word = word[:e]
	}
	whole, fraction, _ := strings.Cut(word, ".")
	all := whole + fraction
	exp += len(whole) - 1
	zeros := len(all) - len(strings.TrimLeft(all, "0"))
	if zeros == len(all) {
		return sign + "0"
	}
	all, exp = all[zeros:], exp-zeros
	return sign + all[:1] + "." + all[1:] + "e" + strconv.Itoa(exp)
}

// layOut writes a double by ECMAScript's Number::toString.
func layOut(f float64) string {
	digits, point := shortest(f)
	return place(math.Signbit(f), digits, point)
}

// shortest gives the digits that tell a double from every other, and the point's
// place behind them.
func shortest(f float64) (digits string, point int) {
	return split(strconv.FormatFloat(math.Abs(f), 'e', -1, 64))
}

func split(text string) (digits string, point int) {
	mantissa, exp, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exp)
	return strings.Replace(mantissa, ".", "", 1), e + 1
}

func place(negative bool, digits string, point int) string {
	sign := ""
	if negative {
		sign = "-"
	}
	k := len(digits)
	switch {
	case digits == "0":
		return "0"
	case point > 21 || point <= -6:
		if k > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		return fmt.Sprintf("%s%se%+d", sign, digits, point-1)
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + digits
	case point < k:
		return sign + digits[:point] + "." + digits[point:]
	}
	return sign + digits + strings.Repeat("0", point-k)
}
