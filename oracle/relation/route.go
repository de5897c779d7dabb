package relation

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// routes are the promises between canon and another operation that an
// implementation announces: what a signer canonicalizes from a value equals
// what a verifier canonicalizes from the wire.
var routes = []Relation{
	{
		Name: "verify-route", Clause: "rfc8785/3.2.4/utf-8", Effect: result.Split, Needs: result.OpVerify,
		Text: "A text is said to be canonical if, and only if, it gives itself.", hold: holdVerify,
	},
	{
		Name: "number-route", Clause: "rfc8785/3.2.2.3/number-to-string", Effect: result.Split, Needs: result.OpNum, exact: true,
		Text: "A double is written alike whether it came as a value or as text.", hold: holdNumber,
	},
	{
		Name: "graph-route", Clause: "rfc0016/domain/canonical", Effect: result.Split, Needs: result.OpGraph, exact: true,
		Text: "A value that is built has the canonical form of its text.", hold: holdGraph,
	},
	{
		Name: "script-route", Clause: "rfc0016/domain/canonical", Effect: result.Split, Needs: result.OpJS, exact: true,
		Text: "A value that a script parses has the canonical form of its text.", hold: holdScript,
	},
}

func holdVerify(a *asker, input []byte) error {
	out, err := a.Canonicalize(input)
	if err != nil {
		return nil
	}
	for _, text := range [][]byte{out, input} {
		said, err := a.ask(result.OpVerify, text)
		if err != nil {
			return nil
		}
		if want := bytes.Equal(text, out); bytes.Equal(said, []byte{1}) != want {
			return fmt.Errorf("%q gives %q; of %q verify says %x", input, out, text, said)
		}
	}
	return nil
}

// mostNumbers bounds the numbers of one text that are asked alone.
const mostNumbers = 3

// holdNumber asks the text's numbers alone, inside an array, and as doubles.
// The evidence is the last of them.
func holdNumber(a *asker, input []byte) error {
	asked := 0
	for _, t := range grammar.Tokens(nil, input) {
		text := input[t.From:t.To]
		f, err := strconv.ParseFloat(string(text), 64)
		if err != nil || !json.Valid(text) || asked == mostNumbers {
			continue
		}
		asked++
		a.t.log = a.t.log[:0]
		out, err := a.Canonicalize([]byte("[" + string(text) + "]"))
		if err != nil {
			continue
		}
		written, err := a.ask(result.OpNum, binary.BigEndian.AppendUint64(nil, math.Float64bits(f)))
		if err == nil && string(out) != "["+string(written)+"]" {
			return fmt.Errorf("%q gives %q; as a double %q", text, out, written)
		}
	}
	return nil
}

func holdGraph(a *asker, input []byte) error {
	if !plain(input) {
		return nil
	}
	graph, ok := graphOf(input)
	if !ok {
		return nil
	}
	return sameByRoute(a, input, result.OpGraph, graph)
}

func holdScript(a *asker, input []byte) error {
	if !plain(input) {
		return nil
	}
	question, err := json.Marshal(map[string]string{"expr": "JSON.parse(" + scriptString(input) + ")"})
	if err != nil {
		return nil
	}
	return sameByRoute(a, input, result.OpJS, question)
}

func sameByRoute(a *asker, input []byte, op result.Op, question []byte) error {
	out, err := a.Canonicalize(input)
	if err != nil {
		return nil
	}
	built, err := a.ask(op, question)
	if err == nil && !bytes.Equal(out, built) {
		return fmt.Errorf("%q gives %q; by %s it gives %q", input, out, op, built)
	}
	return nil
}

// graphOf writes a JSON text as a value graph. Numbers are the doubles nearest
// to their texts; a number beyond their range has no graph.
func graphOf(input []byte) ([]byte, bool) {
	parts := grammar.Outline(input)
	if len(parts) == 0 || len(parts) > 5000 {
		return nil, false
	}
	out := []byte(`{"root":0,"nodes":[`)
	for i, p := range parts {
		if i > 0 {
			out = append(out, ',')
		}
		text := input[p.From:p.To]
		var ok bool
		switch {
		case p.Open == '{':
			out, ok = appendRecord(out, input, parts, p)
		case p.Open == '[':
			out, ok = appendList(out, p), true
		case text[0] == '"':
			var units string
			units, ok = unitsOf(text)
			out = fmt.Appendf(out, `{"string":%q}`, units)
		case startsNumber(text[0]):
			f, err := strconv.ParseFloat(string(text), 64)
			ok = err == nil
			out = fmt.Appendf(out, `{"number":"%016x"}`, math.Float64bits(f))
		default:
			out, ok = fmt.Appendf(out, `{"literal":%q}`, text), true
		}
		if !ok {
			return nil, false
		}
	}
	return append(out, `]}`...), true
}

func appendRecord(out, input []byte, parts []grammar.Part, p grammar.Part) ([]byte, bool) {
	out = append(out, `{"object":[`...)
	for k, item := range p.Items {
		if k > 0 {
			out = append(out, ',')
		}
		name, ok := unitsOf(input[parts[item].NameFrom:parts[item].NameTo])
		if !ok {
			return nil, false
		}
		out = fmt.Appendf(out, `[%q,%d]`, name, item)
	}
	return append(out, `]}`...), true
}

func appendList(out []byte, p grammar.Part) []byte {
	out = append(out, `{"array":[`...)
	for k, item := range p.Items {
		if k > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `[%d,%d]`, k, item)
	}
	return fmt.Appendf(out, `],"length":%d}`, len(p.Items))
}

// unitsOf gives a string's code units as hex; a string with a lone surrogate has
// none here.
func unitsOf(quoted []byte) (string, bool) {
	var s string
	if json.Unmarshal(quoted, &s) != nil || bytes.ContainsRune([]byte(s), utf8.RuneError) {
		return "", false
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = fmt.Appendf(out, "%04x", u)
	}
	return string(out), true
}

// scriptString writes a text as a string of ECMAScript in ASCII.
func scriptString(text []byte) string {
	out := []byte{'"'}
	for _, u := range utf16.Encode([]rune(string(text))) {
		if ' ' <= u && u < 0x7F && u != '"' && u != '\\' {
			out = append(out, byte(u))
			continue
		}
		out = fmt.Appendf(out, `\u%04x`, u)
	}
	return string(append(out, '"'))
}
