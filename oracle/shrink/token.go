package shrink

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// tokens makes the steps on tokens.
func (m *minimizer) tokens() {
	m.blanks()
	chunks(len(m.cut()), func(from, to int) bool {
		return m.splice(m.startOf(from), m.startOf(to), nil)
	})
	m.strings()
	m.numbers()
}

func (m *minimizer) cut() []grammar.Token { return grammar.Tokens(nil, m.best) }

// startOf is the offset of the k-th token, or of the end: tokens become one
// when what stood between them goes.
func (m *minimizer) startOf(k int) int {
	if t := m.cut(); k < len(t) {
		return t[k].From
	}
	return len(m.best)
}

// blanks takes white space out, all of it at once.
func (m *minimizer) blanks() {
	var bare []byte
	for _, t := range m.cut() {
		if t.Kind != grammar.Blank {
			bare = append(bare, m.best[t.From:t.To]...)
		}
	}
	m.try(bare)
}

// letter is a character of a string as it is spelled, and what it means.
type letter struct{ text, means string }

// lettersOf cuts what stands between the quotes into characters; a pair of
// surrogate escapes is one.
func lettersOf(text []byte) []letter {
	var all []letter
	for len(text) > 0 {
		n, means := 1, ""
		if text[0] != '\\' {
			_, n = utf8.DecodeRune(text)
			means = string(text[:n])
		} else {
			n, means = escapeOf(text)
		}
		all = append(all, letter{string(text[:n]), means})
		text = text[n:]
	}
	return all
}

func escapeOf(text []byte) (int, string) {
	if len(text) < 2 {
		return len(text), string(text)
	}
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), text[1]); i >= 0 {
		return 2, "\"\\/\b\f\n\r\t"[i : i+1]
	}
	u, ok := unitOf(text)
	if !ok {
		return 2, string(text[:2])
	}
	if v, ok := unitOf(text[6:]); ok {
		if r := utf16.DecodeRune(u, v); r != unicode.ReplacementChar {
			return 12, string(r)
		}
	}
	if utf16.IsSurrogate(u) {
		return 6, string(bytes.ToLower(text[:6]))
	}
	return 6, string(u)
}

func unitOf(text []byte) (rune, bool) {
	digits, ok := bytes.CutPrefix(text, []byte(`\u`))
	if !ok || len(digits) < 4 {
		return 0, false
	}
	u, err := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(u), err == nil
}

// quoted is a string: where what stands between its quotes is, and what that is.
type quoted struct {
	from, to int
	letters  []letter
	means    string
}

// quotes gives every string of the best text.
func (m *minimizer) quotes() []quoted {
	var all []quoted
	for _, t := range m.cut() {
		if t.Kind != grammar.Quoted {
			continue
		}
		inner := bytes.TrimSuffix(m.best[t.From+1:t.To], []byte{'"'})
		q := quoted{from: t.From + 1, to: t.From + 1 + len(inner), letters: lettersOf(inner)}
		for _, l := range q.letters {
			q.means += l.means
		}
		all = append(all, q)
	}
	return all
}

// lettersIn gives the characters of the i-th string, none where a change of
// others left fewer strings.
func (m *minimizer) lettersIn(i int) []letter {
	if all := m.quotes(); i < len(all) {
		return all[i].letters
	}
	return nil
}

// strings takes characters out of strings and spells the rest plainly. Strings
// that mean the same lose the same characters together; then each alone.
func (m *minimizer) strings() {
	for i := range m.quotes() {
		for _, together := range []bool{true, false} {
			chunks(len(m.lettersIn(i)), func(from, to int) bool {
				return m.edit(i, together, func(l []letter) []letter {
					return slices.Delete(l, min(from, len(l)), min(to, len(l)))
				})
			})
			m.plain(i, together)
		}
	}
}

// plain spells the characters of a string as 0, 1, a or as themselves.
func (m *minimizer) plain(i int, together bool) {
	for k, l := 0, m.lettersIn(i); k < len(l); k, l = k+1, m.lettersIn(i) {
		oneOf([]letter{{"0", "0"}, {"1", "1"}, {"a", "a"}, {l[k].means, ""}, {`\u0030`, "0"}}, func(to letter) bool {
			return m.edit(i, together, func(l []letter) []letter { return respell(l, k, to) })
		})
	}
}

// respell gives letters with the k-th changed. One that is no escape becomes
// none.
func respell(l []letter, k int, to letter) []letter {
	if k < len(l) {
		if len(to.text) == 6 && len(l[k].text) == 1 {
			to.text = to.means
		}
		l[k] = to
	}
	return l
}

// edit tries a change of the i-th string, or of all that mean what it means.
func (m *minimizer) edit(i int, together bool, change func([]letter) []letter) bool {
	all := m.quotes()
	m.scratch = m.scratch[:0]
	at := 0
	for k, q := range all {
		if k != i && !(together && q.means == all[i].means) {
			continue
		}
		m.scratch = append(m.scratch, m.best[at:q.from]...)
		for _, l := range change(q.letters) {
			m.scratch = append(m.scratch, l.text...)
		}
		at = q.to
	}
	m.scratch = append(m.scratch, m.best[at:]...)
	return m.try(m.scratch)
}

// numbers makes each run of digits a lesser number, by halving what is
// between: for most conditions on numbers that finds the least one. Long ones
// become powers of ten.
func (m *minimizer) numbers() {
	for i, t := 0, m.cut(); i < len(t); i, t = i+1, m.cut() {
		if t[i].Kind == grammar.Word && t[i].To-t[i].From > 4 {
			m.power(t[i].From, t[i].To)
		}
	}
	for at := 0; at < len(m.best); at++ {
		at = m.least(at)
	}
}

// digitsOf counts the digits that a text begins with.
func digitsOf(text []byte) int { return len(text) - len(bytes.TrimLeft(text, "0123456789")) }

// power makes a long number a power of ten of its size.
func (m *minimizer) power(from, to int) {
	digits := digitsOf(m.best[from:to])
	for exp := max(digits-1, 0); exp <= digits; exp++ {
		if m.splice(from, to, append([]byte("1e"), strconv.Itoa(exp)...)) {
			return
		}
	}
}

// least minimizes the digits at an offset as an integer, unless it is too great
// for one, and gives the offset behind them.
func (m *minimizer) least(at int) int {
	end := at + digitsOf(m.best[at:])
	high, err := strconv.Atoi(string(m.best[at:end]))
	if err != nil {
		return end
	}
	behind := len(m.best) - end
	is := func(n int) bool { return m.splice(at, len(m.best)-behind, []byte(strconv.Itoa(n))) }
	// The ends first: conditions are often not monotone.
	if !is(0) && !is(1) {
		sort.Search(high-2, func(n int) bool { return is(n + 2) })
	}
	return len(m.best) - behind
}
