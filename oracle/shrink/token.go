package shrink

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// tokens makes the steps on tokens.
func (m *minimizer) tokens() {
	m.blanks()
	m.chunks(len(m.cut()), func(from, to int) bool {
		t := m.cut()
		return to <= len(t) && m.splice(t[from].From, t[to-1].To, nil)
	})
	m.strings()
	m.numbers()
}

func (m *minimizer) cut() []grammar.Token { return grammar.Tokens(nil, m.best) }

// blanks takes white space out, all of it first.
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

// quoted is a string token and its characters.
type quoted struct {
	token   grammar.Token
	letters []letter
	means   string
}

// quotes gives every string of the best text.
func (m *minimizer) quotes() []quoted {
	var all []quoted
	for _, t := range m.cut() {
		if t.Kind != grammar.Quoted {
			continue
		}
		inner := m.best[t.From+1 : t.To]
		if n := len(inner); n > 0 && inner[n-1] == '"' {
			inner = inner[:n-1]
		}
		q := quoted{token: t, letters: lettersOf(inner)}
		for _, l := range q.letters {
			q.means += l.means
		}
		all = append(all, q)
	}
	return all
}

// strings takes characters out of strings and spells the rest plainly. Strings
// that mean the same lose the same characters together; then each alone.
func (m *minimizer) strings() {
	for i := 0; i < len(m.quotes()) && m.left > 0; i++ {
		for _, together := range []bool{true, false} {
			m.chunks(len(m.quotes()[i].letters), func(from, to int) bool {
				return m.edit(i, together, func(l []letter) []letter {
					if to > len(l) {
						return l
					}
					return append(l[:from:from], l[to:]...)
				})
			})
			m.plain(i, together)
		}
	}
}

// plain spells the characters of a string as 0, 1, a or as themselves.
func (m *minimizer) plain(i int, together bool) {
	for k := 0; m.left > 0; k++ {
		q := m.quotes()
		if i >= len(q) || k >= len(q[i].letters) {
			return
		}
		for _, to := range []letter{{"0", "0"}, {"1", "1"}, {"a", "a"}, {q[i].letters[k].means, ""}, {`\u0030`, "0"}} {
			if m.edit(i, together, func(l []letter) []letter { return respell(l, k, to) }) {
				break
			}
		}
	}
}

// respell gives letters with the k-th changed. A letter that is an escape of
// four digits stays one if what it becomes is given as such.
func respell(l []letter, k int, to letter) []letter {
	if k >= len(l) {
		return l
	}
	changed := append([]letter(nil), l...)
	if len(to.text) == 6 && len(l[k].text) == 1 {
		to.text = to.means
	}
	changed[k] = to
	return changed
}

// edit tries a change of the i-th string, or of all that mean what it means.
func (m *minimizer) edit(i int, together bool, change func([]letter) []letter) bool {
	all := m.quotes()
	if i >= len(all) {
		return false
	}
	m.scratch = m.scratch[:0]
	at := 0
	for k, q := range all {
		if k != i && !(together && q.means == all[i].means) {
			continue
		}
		m.scratch = append(m.scratch, m.best[at:q.token.From+1]...)
		for _, l := range change(q.letters) {
			m.scratch = append(m.scratch, l.text...)
		}
		at = q.token.To
		if at-q.token.From > 1 && m.best[at-1] == '"' {
			at--
		}
	}
	m.scratch = append(m.scratch, m.best[at:]...)
	return m.try(m.scratch)
}

// numbers makes each run of digits a lesser number, by halving what is
// between: for most conditions on numbers that finds the least one. Long ones
// become powers of ten.
func (m *minimizer) numbers() {
	for i := 0; m.left > 0; i++ {
		t := m.cut()
		if i >= len(t) {
			break
		}
		if t[i].Kind == grammar.Word && t[i].To-t[i].From > 4 {
			m.power(t[i].From, t[i].To)
		}
	}
	for at := 0; at < len(m.best) && m.left > 0; {
		end := at
		for end < len(m.best) && '0' <= m.best[end] && m.best[end] <= '9' {
			end++
		}
		if end == at {
			at++
			continue
		}
		at = m.least(at, end)
	}
}

// power makes a long number a power of ten of its size.
func (m *minimizer) power(from, to int) {
	digits := 0
	for digits < to-from && '0' <= m.best[from+digits] && m.best[from+digits] <= '9' {
		digits++
	}
	for exp := max(digits-1, 0); exp <= digits; exp++ {
		if m.splice(from, to, append([]byte("1e"), decimal(uint64(exp))...)) {
			return
		}
	}
}

// least minimizes the digits from at to end as an integer and gives the offset
// behind them.
func (m *minimizer) least(at, end int) int {
	if end-at > 18 {
		return end
	}
	high := uint64(0)
	for _, c := range m.best[at:end] {
		high = high*10 + uint64(c-'0')
	}
	behind := len(m.best) - end
	for low := uint64(0); low < high && m.left > 0; {
		middle := low + (high-low)/2
		if low == 0 && middle > 1 { // the ends first: conditions are often not monotone
			for _, n := range []uint64{0, 1} {
				if m.splice(at, len(m.best)-behind, decimal(n)) {
					return len(m.best) - behind
				}
			}
			low = 2
		}
		if m.splice(at, len(m.best)-behind, decimal(middle)) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return len(m.best) - behind
}

func decimal(n uint64) []byte { return strconv.AppendUint(nil, n, 10) }
