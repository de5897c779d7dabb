package relation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// spellings are the relations of one change of spelling each, so that a breach
// names its cause. What all changes do together is the law called spelling.
var spellings = []Relation{
	{
		Name: "member-order", Clause: "rfc8785/3.2.3/code-units", Effect: result.Split,
		Text: "The order of an object's members changes nothing.", hold: unchanged(reversed),
	},
	{
		Name: "white-space", Clause: "rfc8785/3.2.1/no-white-space", Effect: result.Split,
		Text: "White space between tokens changes nothing.", hold: unchanged(spaced),
	},
	{
		Name: "escapes", Clause: "rfc8785/3.2.2.2/as-is", Effect: result.Split,
		Text: "A character that is spelled as an escape is that character.", hold: unchanged(escaped),
	},
	{
		Name: "number-spelling", Clause: "rfc8785/3.2.2.3/number-to-string", Effect: result.Split,
		Text: "Zeros behind the point and exponents change no number.", hold: unchanged(respelled), exact: true,
	},
}

// unchanged makes a relation of a change of spelling. change gives nil where it
// has nothing to change.
func unchanged(change func(input []byte) []byte) func(*asker, []byte) error {
	return func(a *asker, input []byte) error {
		if !plain(input) {
			return nil
		}
		other := change(input)
		if other == nil {
			return nil
		}
		return same(a, input, other)
	}
}

// same asks two spellings of one value.
func same(a *asker, one, other []byte) error {
	out, err := a.Canonicalize(one)
	if err != nil {
		return nil
	}
	again, err := a.Canonicalize(other)
	if err == nil && !bytes.Equal(out, again) {
		return fmt.Errorf("%q gives %q; spelled %q it gives %q", one, out, other, again)
	}
	return nil
}

// plain reports whether a text is JSON without a fault of UTF-8, and not so
// long that changing it costs more than it shows.
func plain(input []byte) bool {
	return len(input) <= mostChanged && utf8.Valid(input) && json.Valid(input)
}

const mostChanged = 64 << 10

// reversed gives the text with the members of every object in reverse order,
// nil if no object has two. An object with a name twice is left as it is: there
// the order may matter to who takes one of the two.
func reversed(input []byte) []byte {
	parts := grammar.Outline(input)
	changed := false
	var write func(dst []byte, at int) []byte
	write = func(dst []byte, at int) []byte {
		p := parts[at]
		order := p.Items
		if p.Open == '{' && len(order) > 1 && !repeats(input, parts, order) {
			changed = true
			order = make([]int, len(p.Items))
			for i, item := range p.Items {
				order[len(order)-1-i] = item
			}
		}
		// What stands between the items stays where it is.
		from := p.From
		for i, item := range p.Items {
			dst = append(dst, input[from:parts[item].ItemFrom]...)
			moved := parts[order[i]]
			dst = append(dst, input[moved.ItemFrom:moved.From]...)
			dst = write(dst, order[i])
			from = parts[item].ItemTo
		}
		return append(dst, input[from:p.To]...)
	}
	if len(parts) == 0 || deep(parts) {
		return nil
	}
	out := append(write(bytes.Clone(input[:parts[0].From]), 0), input[parts[0].To:]...)
	if !changed {
		return nil
	}
	return out
}

// deep reports whether parts are nested so deep that following them is no good.
func deep(parts []grammar.Part) bool {
	depth := make([]int, len(parts))
	for i, p := range parts {
		if p.Parent >= 0 {
			depth[i] = depth[p.Parent] + 1
		}
		if depth[i] > 500 {
			return true
		}
	}
	return false
}

// repeats reports whether a name stands twice. Names with a lone surrogate are
// one name to encoding/json, which only makes it more careful.
func repeats(input []byte, parts []grammar.Part, items []int) bool {
	seen := make(map[string]bool, len(items))
	for _, i := range items {
		var name string
		if json.Unmarshal(input[parts[i].NameFrom:parts[i].NameTo], &name) != nil || seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// tokenwise writes the text again, each token by write.
func tokenwise(input []byte, write func(dst []byte, t grammar.Token) []byte) []byte {
	out := make([]byte, 0, len(input))
	for _, t := range grammar.Tokens(nil, input) {
		out = write(out, t)
	}
	if bytes.Equal(out, input) {
		return nil
	}
	return out
}

// spaced puts all four kinds of white space around every token, and takes away
// what was there.
func spaced(input []byte) []byte {
	out := tokenwise(input, func(dst []byte, t grammar.Token) []byte {
		if t.Kind == grammar.Blank {
			return dst
		}
		return append(append(dst, "\t\r\n "...), input[t.From:t.To]...)
	})
	return append(out, "\n"...)
}

// escaped spells every character of every string as code units. Lone
// surrogates stay as they are.
func escaped(input []byte) []byte {
	return tokenwise(input, func(dst []byte, t grammar.Token) []byte {
		text := input[t.From:t.To]
		if t.Kind != grammar.Quoted {
			return append(dst, text...)
		}
		var s string
		if json.Unmarshal(text, &s) != nil || bytes.ContainsRune([]byte(s), utf8.RuneError) {
			return append(dst, text...)
		}
		dst = append(dst, '"')
		for i, u := range utf16.Encode([]rune(s)) {
			dst = fmt.Appendf(dst, []string{`\u%04x`, `\u%04X`}[i%2], u)
		}
		return append(dst, '"')
	})
}

// respelled writes every number otherwise: 1 as 10.0e-1, 0.5 as 5.0e-1.
func respelled(input []byte) []byte {
	return tokenwise(input, func(dst []byte, t grammar.Token) []byte {
		text := input[t.From:t.To]
		if !startsNumber(text[0]) {
			return append(dst, text...)
		}
		n, ok := takeApart(text)
		if !ok {
			return append(dst, text...)
		}
		if n.negative {
			dst = append(dst, '-')
		}
		dst = append(append(dst, n.digits...), ".0E"...)
		return strconv.AppendInt(dst, int64(n.exponent), 10)
	})
}

// startsNumber reports whether a token or a value that starts so is a number,
// since no other does.
func startsNumber(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// decimal is a number as it is written: digits without leading zeros, times a
// power of ten.
type decimal struct {
	negative bool
	digits   []byte
	exponent int
}

// takeApart reads a number of JSON's grammar. An exponent of more than six
// digits is not taken.
func takeApart(text []byte) (d decimal, ok bool) {
	mantissa, exponent, _ := bytes.Cut(bytes.ToLower(text), []byte("e"))
	if len(exponent) > 7 {
		return d, false
	}
	if len(exponent) > 0 {
		e, err := strconv.Atoi(string(exponent))
		if err != nil {
			return d, false
		}
		d.exponent = e
	}
	d.negative = mantissa[0] == '-'
	if d.negative {
		mantissa = mantissa[1:]
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	d.digits = append(bytes.Clone(whole), fraction...)
	d.exponent -= len(fraction)
	d.digits = bytes.TrimLeft(d.digits, "0")
	if len(d.digits) == 0 {
		d.digits = []byte("0")
	}
	return d, true
}

// eitherWay reports whether a text has a number of more than 20 significant
// digits, which ECMA-262 section 7.1.4.1 lets round either way.
func eitherWay(input []byte) bool {
	for _, t := range grammar.Tokens(nil, input) {
		text := input[t.From:t.To]
		if len(text) <= 20 || !startsNumber(text[0]) {
			continue
		}
		d, ok := takeApart(text)
		if !ok || len(bytes.TrimRight(d.digits, "0")) > 20 {
			return true
		}
	}
	return false
}
