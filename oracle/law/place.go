package law

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// checkErrorPlace holds the offset of a refusal against what an offset means.
func checkErrorPlace(im Implementation, input []byte) error {
	_, err := im.Canonicalize(input)
	e, ok := refusal(err)
	if err == nil || !ok || isLimit(err) {
		return nil
	}
	at := e.Offset
	if at < 0 || at > len(input) || e.Reason != reject.Syntax && at == len(input) {
		return fmt.Errorf("%s: the offset %d is none of it", show(input), at)
	}
	place := reject.Locate(input, at)
	if e.Line != place.Line || e.Column != place.Column {
		return fmt.Errorf("%s: offset %d is line %d, column %d; the error says %d, %d", show(input), at, place.Line, place.Column, e.Line, e.Column)
	}
	if at <= mostCompleted && !completable(input[:at]) {
		return fmt.Errorf("%s: what stands before offset %d cannot be completed: %v", show(input), at, err)
	}
	// What is there up to the end of the faulty piece is no better.
	end := min(at+pieceLength(e.Reason, input[at:]), len(input))
	if _, err := im.Canonicalize(input[:end]); err == nil {
		return fmt.Errorf("%s: refused at %d, but accepted up to %d", show(input), at, end)
	} else if f, ok := refusal(err); ok && f.Offset < at {
		return fmt.Errorf("%s: refused at %d, but at %d without what follows", show(input), at, f.Offset)
	}
	return nil
}

// mostCompleted bounds the prefixes that are completed: each takes tries.
const mostCompleted = 4096

// pieceLength is how far the faulty piece reaches, as far as the law needs it.
func pieceLength(r reject.Reason, rest []byte) int {
	switch r {
	case reject.LoneSurrogate:
		return 6
	case reject.DuplicateName, reject.NumberOverflow:
		if tokens := grammar.Tokens(nil, rest); len(tokens) > 0 {
			return tokens[0].To
		}
	}
	return 1
}

// endings are what may complete a prefix inside a token, before the open
// containers are closed.
var endings = []string{
	"", "0", `"`, `":0`, `:0`, `"":0`, `,"":0`,
	`00\udc00"`, `00\udc00":0`, `0\udc00"`, `0\udc00":0`,
	`n"`, `n":0`, `0000"`, `0000":0`, `000"`, `000":0`, `00"`, `00":0`, `0"`, `0":0`,
	`udc00"`, `udc00":0`, `\udc00"`, `\udc00":0`, `dc00"`, `dc00":0`, `c00"`, `c00":0`, `u0000"`, `u0000":0`,
	"ull", "ll", "l", "rue", "ue", "e", "alse", "lse", "se", "e-999", "-999", "9e-999", "-9", "\x80\"",
}

// completable reports whether some text behind the prefix makes a JSON text of
// it. What the last token of the prefix will mean is not its matter: a number
// whose exponent is too large already is still one, a name may be a duplicate,
// an escape that is not whole may become a lone surrogate's.
func completable(prefix []byte) bool {
	closers, last := openClosers(prefix), 0
	if tokens := grammar.Tokens(nil, prefix); len(tokens) > 0 {
		last = tokens[len(tokens)-1].From
	}
	for _, e := range endings {
		for _, close := range []string{closers, strings.TrimPrefix(closers, "]"), strings.TrimPrefix(closers, "}")} {
			text := append(append(bytes.Clone(prefix), e...), close...)
			_, err := reference.Canonicalize(text)
			if err == nil {
				return true
			}
			f, _ := refusal(err)
			if f.Reason == reject.LoneSurrogate && f.Offset > len(prefix)-len(`\u0000`) {
				return true
			}
			if f.Offset >= last && (f.Reason == reject.NumberOverflow || f.Reason == reject.DuplicateName) {
				return true
			}
		}
	}
	return false
}

// openClosers closes what the prefix leaves open, the innermost first.
func openClosers(prefix []byte) string {
	var open []byte
	for _, t := range grammar.Tokens(nil, prefix) {
		if t.Kind != grammar.Mark {
			continue
		}
		switch c := prefix[t.From]; c {
		case '{', '[':
			open = append(open, c+2)
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
		}
	}
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteByte(open[i])
	}
	return b.String()
}

// marker is a name and a value that stand in no catalogue.
const marker = "hush7f3aQx"

// checkErrorPayload puts the input where a marker stands before it, in names
// and values, and looks for the marker in everything the error says.
func checkErrorPayload(im Implementation, input []byte) error {
	for _, text := range []string{
		`{"` + marker + `":["` + marker + `",` + string(input),
		`{"` + marker + `":` + string(input) + `,"` + marker + `":1}`,
		`["` + marker + string(input),
		`[` + string(input) + marker,
	} {
		_, err := im.Canonicalize([]byte(text))
		if err == nil {
			continue
		}
		if said := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(said, marker[1:]) {
			return fmt.Errorf("the error for %s shows a part of it: %s", show([]byte(text)), said)
		}
		if len(err.Error()) > 1000 {
			return fmt.Errorf("the error for %s is %d bytes long", show([]byte(text)), len(err.Error()))
		}
	}
	return nil
}
