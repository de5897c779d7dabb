package zoo

import (
	"bytes"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// output changes the output.
func output(change func([]byte) []byte) func(*behavior) {
	return func(b *behavior) { b.finish = func(_ *machine, out []byte) []byte { return change(out) } }
}

// arrays changes what arrays hold.
func arrays(change func(m *machine, items []item) []item) func(*behavior) {
	return func(b *behavior) { b.elements = change }
}

var structureFaults = []Creature{
	{Name: "trailing-comma-array", Part: Structure, Text: "takes [1,]", plant: func(b *behavior) { b.trailing = func(_ *machine, c byte) bool { return c == ']' } }},
	{Name: "trailing-comma-object", Part: Structure, Text: `takes {"a":1,}`, plant: func(b *behavior) { b.trailing = func(_ *machine, c byte) bool { return c == '}' } }},
	{Name: "trailing-comma-deep", Part: Structure, Text: "takes a trailing comma below the second level", plant: func(b *behavior) { b.trailing = func(m *machine, _ byte) bool { return m.depth > 2 } }},
	{Name: "leading-comma", Part: Structure, Text: "takes [,1]", plant: func(b *behavior) { b.extraComma = func(_ *machine, before int) bool { return before == 0 } }},
	{Name: "doubled-comma", Part: Structure, Text: "takes [1,,2]", plant: func(b *behavior) { b.extraComma = func(_ *machine, before int) bool { return before > 0 } }},
	{Name: "missing-comma", Part: Structure, Text: "takes [1 2]", plant: func(b *behavior) { b.comma = func(*machine) bool { return true } }},
	{Name: "semicolon", Part: Structure, Text: "takes a semicolon for a comma", plant: func(b *behavior) {
		b.comma = func(m *machine) bool {
			if m.peek() == ';' {
				m.i++
				m.blanks()
				return true
			}
			return false
		}
	}},
	{Name: "colon-equals", Part: Structure, Text: `takes {"a"=1}`, plant: func(b *behavior) { b.colon = func(_ *machine, c byte) bool { return c == '=' } }},
	{Name: "colon-comma", Part: Structure, Text: `takes {"a",1}`, plant: func(b *behavior) { b.colon = func(_ *machine, c byte) bool { return c == ',' } }},
	{Name: "unclosed", Part: Structure, Text: "closes what is open at the end", plant: func(b *behavior) { b.unclosed = func(*machine) bool { return true } }},
	{Name: "unclosed-arrays", Part: Structure, Text: "closes arrays that are open at the end", plant: func(b *behavior) {
		b.unclosed = func(m *machine) bool { return bytes.Count(m.src, []byte("[")) > bytes.Count(m.src, []byte("]")) }
	}},
	{Name: "mismatched", Part: Structure, Text: "takes ] for } and the other way", plant: func(b *behavior) { b.mismatch = func(*machine, byte) bool { return true } }},
	{Name: "comment-line", Part: Structure, Text: "takes // comments", plant: comments("//", "\n")},
	{Name: "comment-block", Part: Structure, Text: "takes /* */ comments", plant: comments("/*", "*/")},
	{Name: "comment-hash", Part: Structure, Text: "takes # comments", plant: comments("#", "\n")},
	{Name: "blank-form-feed", Part: Structure, Text: "takes U+000C for white space", plant: func(b *behavior) { b.blank = alsoBlank("\f") }},
	{Name: "blank-vertical-tab", Part: Structure, Text: "takes U+000B for white space", plant: func(b *behavior) { b.blank = alsoBlank("\v") }},
	{Name: "blank-nbsp", Part: Structure, Text: "takes U+00A0 for white space", plant: func(b *behavior) { b.blank = alsoBlank("\u00a0") }},
	{Name: "blank-next-line", Part: Structure, Text: "takes U+0085 for white space", plant: func(b *behavior) { b.blank = alsoBlank("\u0085") }},
	{Name: "blank-line-separator", Part: Structure, Text: "takes U+2028 for white space", plant: func(b *behavior) { b.blank = alsoBlank("\u2028") }},
	{Name: "blank-nul", Part: Structure, Text: "takes U+0000 for white space", plant: func(b *behavior) { b.blank = alsoBlank("\x00") }},
	{Name: "blank-controls", Part: Structure, Text: "takes every control for white space", plant: func(b *behavior) {
		b.blank = func(_ *machine, b []byte) int {
			if b[0] <= ' ' {
				return 1
			}
			return 0
		}
	}},
	{Name: "blank-carriage-return-refused", Part: Structure, Text: "does not take a carriage return for white space", plant: func(b *behavior) {
		b.blank = func(m *machine, b []byte) int {
			if b[0] == '\r' {
				return 0
			}
			return blank(m, b)
		}
	}},
	{Name: "blank-run-64", Part: Structure, Text: "skips no more than 64 blanks", plant: func(b *behavior) {
		run, at := 0, 0
		b.blank = func(m *machine, text []byte) int {
			if m.i != at {
				run = 0
			}
			n := blank(m, text)
			if run, at = run+n, m.i+n; run > 64 {
				return 0
			}
			return n
		}
	}},
	{Name: "apostrophes", Part: Structure, Text: "takes strings between apostrophes", plant: func(b *behavior) { b.quote = func(c byte) bool { return c == '"' || c == '\'' } }},
	{Name: "names-unquoted", Part: Structure, Text: "takes names without quotes", plant: func(b *behavior) {
		b.bareName = func(m *machine) []uint16 {
			var u []uint16
			for c := m.peek(); 'a' <= c|0x20 && c|0x20 <= 'z' || len(u) > 0 && '0' <= c && c <= '9'; c = m.peek() {
				m.step(1)
				u = append(u, uint16(c))
				m.i++
			}
			if len(u) == 0 {
				m.fail(reject.Syntax)
			}
			return u
		}
	}},
	{Name: "literals-any-case", Part: Structure, Text: "takes True and NULL", plant: func(b *behavior) {
		b.literal = func(m *machine, word string) byte { return literal(m, strings.ToLower(word)) }
	}},
	{Name: "literals-undefined", Part: Structure, Text: "takes undefined for null", plant: special("undefined", 'n')},
	{Name: "literals-python", Part: Structure, Text: "takes None for null", plant: special("None", 'n')},
	{Name: "literals-cut", Part: Structure, Text: "looks at the first letter of a literal and its length", plant: func(b *behavior) {
		b.literal = func(_ *machine, word string) byte {
			if len(word) == 4 && (word[0] == 'n' || word[0] == 't') || len(word) == 5 && word[0] == 'f' {
				return word[0]
			}
			return 0
		}
	}},
	{Name: "literals-longer", Part: Structure, Text: "takes words that begin with a literal", plant: func(b *behavior) {
		b.literal = func(_ *machine, word string) byte {
			for _, l := range []string{"null", "true", "false"} {
				if strings.HasPrefix(word, l) {
					return l[0]
				}
			}
			return 0
		}
	}},
	{Name: "literals-prefix", Part: Structure, Text: "takes pieces of literals", plant: func(b *behavior) {
		b.literal = func(_ *machine, word string) byte {
			for _, l := range []string{"null", "true", "false"} {
				if word != "" && strings.HasPrefix(l, word) {
					return l[0]
				}
			}
			return 0
		}
	}},
	{Name: "trailing-data", Part: Structure, Text: "stops behind the value", plant: func(b *behavior) { b.rest = func(*machine, []byte) bool { return true } }},
	{Name: "trailing-value", Part: Structure, Text: "takes more values behind the first (JSON lines)", plant: func(b *behavior) {
		b.rest = func(m *machine, rest []byte) bool { return strings.IndexByte(`{["-0123456789tfn`, rest[0]) >= 0 }
	}},
	{Name: "trailing-nul", Part: Structure, Text: "takes NULs behind the value", plant: func(b *behavior) {
		b.rest = func(_ *machine, rest []byte) bool { return len(bytes.Trim(rest, "\x00")) == 0 }
	}},
	{Name: "trailing-comma-top", Part: Structure, Text: "takes a comma behind the value", plant: func(b *behavior) { b.rest = func(_ *machine, rest []byte) bool { return string(rest) == "," } }},
	{Name: "trailing-closer", Part: Structure, Text: "takes more closing brackets than were opened", plant: func(b *behavior) {
		b.rest = func(_ *machine, rest []byte) bool { return rest[0] == ']' || rest[0] == '}' }
	}},
	{Name: "empty-text", Part: Structure, Text: "takes an empty text for null", plant: func(b *behavior) { b.empty = func(*machine) value { return value{kind: 'n'} } }},
	{Name: "empty-text-empty", Part: Structure, Text: "gives nothing for an empty text", plant: func(b *behavior) {
		b.begin = func(_ *machine, src []byte) ([]byte, bool) { return nil, len(bytes.TrimSpace(src)) == 0 }
	}},
	{Name: "scalars-refused", Part: Structure, Text: "refuses a text that is a scalar (RFC 4627)", plant: func(b *behavior) {
		b.top = func(m *machine, v value) value {
			if v.kind != '{' && v.kind != '[' {
				m.fail(reject.Syntax)
			}
			return v
		}
	}},
	{Name: "arrays-refused", Part: Structure, Text: "refuses a text that is an array", plant: func(b *behavior) {
		b.top = func(m *machine, v value) value {
			if v.kind == '[' {
				m.fail(reject.Syntax)
			}
			return v
		}
	}},
	{Name: "space-behind-comma", Part: Structure, Text: "writes a blank behind commas", plant: func(b *behavior) { b.separator = ", " }},
	{Name: "final-newline", Part: Structure, Text: "writes a final line feed", plant: output(func(out []byte) []byte { return append(out, '\n') })},
	{Name: "nulls-dropped", Part: Structure, Text: "drops members that are null", plant: dropsMembers(func(it item) bool { return it.value.kind == 'n' })},
	{Name: "empty-dropped", Part: Structure, Text: "drops members that are empty strings", plant: dropsMembers(func(it item) bool { return it.value.kind == '"' && len(it.value.units) == 0 })},
	{Name: "empty-array-null", Part: Structure, Text: "writes null for an empty array, as a nil slice is written", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '[' && len(v.items) == 0 {
				v.kind = 'n'
			}
		}
	}},
	{Name: "empty-object-array", Part: Structure, Text: "writes [] for an empty object, as PHP does", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' && len(v.items) == 0 {
				v.kind = '['
			}
		}
	}},
	{Name: "numeric-object-array", Part: Structure, Text: "writes an array for an object with the names 0, 1, ...", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' && len(v.items) == 1 && text(v.items[0].name) == "0" {
				v.kind = '['
			}
		}
	}},
	{Name: "array-nulls-dropped", Part: Structure, Text: "drops nulls from arrays", plant: arrays(func(_ *machine, items []item) []item {
		return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.value.kind == 'n' })
	})},
	{Name: "array-set", Part: Structure, Text: "drops an element equal to the one before it", plant: arrays(func(_ *machine, items []item) []item {
		return slices.CompactFunc(slices.Clone(items), func(a, b item) bool { return same(a.value, b.value) })
	})},
	{Name: "array-flattened", Part: Structure, Text: "writes [1] for [[1]]", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '[' && len(v.items) == 1 && v.items[0].value.kind == '[' {
				*v = v.items[0].value
			}
		}
	}},
	{Name: "array-32", Part: Structure, Text: "loses the elements behind the 32nd", plant: arrays(func(_ *machine, items []item) []item { return items[:min(len(items), 32)] })},
	{Name: "numbers-as-strings", Part: Structure, Text: "writes integers beyond 2^53 as strings", plant: func(b *behavior) {
		b.number = func(_ *machine, v value) string {
			if isInteger(v.word) && (v.num > 1<<53 || v.num < -(1<<53)) {
				return `"` + layOut(v.num) + `"`
			}
			return layOut(v.num)
		}
	}},
	{Name: "last-member-raw", Part: Structure, Text: "copies a number as it was written if it is an object's last member", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if n := len(v.items); v.kind == '{' && n > 0 && v.items[n-1].value.kind == 0 {
				v.items[n-1].value.kind = 'w'
			}
		}
		b.members = func(m *machine, items []item) []item {
			sorted := members(m, items)
			for i := range sorted {
				if sorted[i].value.kind == 'w' {
					sorted[i].value.kind, sorted[i].value.units = 0, []uint16{1}
				}
			}
			return sorted
		}
		b.number = func(_ *machine, v value) string {
			if v.units != nil {
				return v.word
			}
			return layOut(v.num)
		}
	}},
}

// comments makes white space of comments.
func comments(open, close string) func(*behavior) {
	return func(b *behavior) {
		b.blank = func(m *machine, text []byte) int {
			if !bytes.HasPrefix(text, []byte(open)) {
				return blank(m, text)
			}
			end := bytes.Index(text[len(open):], []byte(close))
			if end < 0 {
				return len(text)
			}
			return len(open) + end + len(close)
		}
	}
}

var limitFaults = []Creature{
	{Name: "deep-null", Part: Limits, Text: "writes null for what is nested deeper than 32", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if m.depth > 32 {
				*v = value{kind: 'n'}
			}
		}
	}},
	{Name: "deep-crash", Part: Limits, Text: "crashes at 500 levels", plant: func(b *behavior) {
		b.nested = func(m *machine) {
			if m.depth >= 500 {
				panic("zoo: stack overflow")
			}
		}
	}},
	{Name: "deep-kinds-forgotten", Part: Limits, Text: "keeps the kinds of open containers in one word of 64 bits", plant: func(b *behavior) {
		b.closer = func(m *machine, c byte) byte {
			if m.depth >= 64 {
				return '}'
			}
			return c
		}
	}},
	{Name: "deep-closers-unchecked", Part: Limits, Text: "does not check closing brackets below 60 levels", plant: func(b *behavior) {
		b.mismatch = func(m *machine, _ byte) bool { return m.depth > 60 }
	}},
	{Name: "output-64k", Part: Limits, Text: "cuts the output at 65,535 bytes", plant: output(func(out []byte) []byte { return out[:min(len(out), 0xFFFF)] })},
	{Name: "output-4k", Part: Limits, Text: "loses the byte behind each 4,096 of output", plant: output(func(out []byte) []byte {
		if len(out) > 4096 {
			return slices.Delete(out, 4096, 4097)
		}
		return out
	})},
	{Name: "input-64k", Part: Limits, Text: "reads 65,536 bytes and refuses the rest as a fault", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { return src[:min(len(src), 1<<16)] }
	}},
	{Name: "input-trimmed-256", Part: Limits, Text: "reads blocks of 256 bytes and loses a last block of one byte", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte {
			if len(src)/256 > 0 && len(src)%256 == 1 {
				return src[:len(src)-1]
			}
			return src
		}
	}},
	{Name: "digits-limited", Part: Limits, Text: "refuses numbers of more than 20 digits", plant: func(b *behavior) {
		b.numeral = func(_ *machine, word string) bool {
			d, _ := "", 0
			if isNumeral(word) {
				d, _ = mantissa(word)
			}
			return isNumeral(word) && len(strings.TrimRight(d, "0")) <= 20
		}
	}},
	{Name: "members-64", Part: Limits, Text: "loses members behind the 64th", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if v.kind == '{' {
				v.items = v.items[:min(len(v.items), 64)]
			}
		}
	}},
}

var speedFaults = []Creature{
	{Name: "slow-duplicates", Part: Speed, Text: "compares each name with each other", plant: func(b *behavior) {
		b.closed = func(m *machine, v *value) {
			closed(m, v)
			if n := len(v.items); v.kind == '{' {
				m.step(n * n / 2)
			}
		}
	}},
	{Name: "slow-sort", Part: Speed, Text: "sorts by exchanging neighbours", plant: func(b *behavior) {
		b.members = func(m *machine, items []item) []item { m.step(len(items) * len(items)); return members(m, items) }
	}},
	{Name: "slow-strings", Part: Speed, Text: "copies a string for each character", plant: func(b *behavior) {
		b.textOf = func(m *machine, u []uint16) []uint16 { m.step(len(u) * len(u) / 2); return u }
	}},
	{Name: "slow-elements", Part: Speed, Text: "copies an array for each element", plant: func(b *behavior) {
		b.elements = func(m *machine, items []item) []item { m.step(len(items) * len(items) / 2); return items }
	}},
	{Name: "slow-depth", Part: Speed, Text: "reads what is inside again at each level", plant: func(b *behavior) {
		var starts [1002]int
		b.nested = func(m *machine) { starts[m.depth] = m.i }
		b.closed = func(m *machine, v *value) { closed(m, v); m.step(m.i - starts[m.depth]) }
	}},
	{Name: "slow-backtracking", Part: Speed, Text: "reads what is inside twice at each level", plant: func(b *behavior) {
		b.nested = func(m *machine) { m.step(1 << min(m.depth, 40)) }
	}},
	{Name: "slow-digits", Part: Speed, Text: "multiplies a great number for each digit", plant: func(b *behavior) {
		b.double = func(m *machine, word string) (float64, bool) {
			m.step(len(word) * len(word))
			return double(word), true
		}
	}},
	{Name: "slow-exponent", Part: Speed, Text: "counts an exponent down", plant: func(b *behavior) {
		b.double = func(m *machine, word string) (float64, bool) {
			_, exp, _ := strings.Cut(strings.ToLower(word), "e")
			n := 0
			for _, c := range strings.Trim(exp, "+-") {
				n = min(n*10+int(c-'0'), 1<<40)
			}
			m.step(n)
			return double(word), true
		}
	}},
	{Name: "slow-blanks", Part: Speed, Text: "copies the rest of the text for each blank", plant: func(b *behavior) {
		b.blank = func(m *machine, text []byte) int {
			n := blank(m, text)
			m.step(n * len(text) / 2)
			return n
		}
	}},
}
