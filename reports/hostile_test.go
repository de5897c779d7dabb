package reports

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// hostile are strings that break out of a format which forgets to escape.
var hostile = []string{
	"\x00\x01\x07\b\x1b[2J\x1b]0;title\x07",
	"]]>", "<!--", "-->", "</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`,
	"\n::error::pwned\r\n::set-output name=x::y", "::add-mask::a%0A%25",
	"not ok 1 - x\n1..0 # SKIP\nBail out!", "  ...\n  ---\n", "# TODO # SKIP",
	"| a | b |\n|---|---|", "![x](https://example.org/x.png) [y](javascript:alert(1)) <https://example.org>", "@someone #1 https://example.org `code` **bold** ~~x~~",
	"\u202Eevil\u202C\u2066\u2069\u200F\u061C", "\uFEFF\u200B\u00AD\u2028\u2029\u0085", "a\u0300\u0301\u0302", "\U000E0001\U0010FFFF\uFFFE\uE000",
	"\xff\xfe\xc0\xaf\xed\xa0\x80", "{{.}} {{template \"x\"}} ${x} $(x) `x` %s%n",
	strings.Repeat("x", 1<<20), strings.Repeat("\x1b[31m", 1<<17), "‹80›", `\x1b \u202e`,
}

// hostileRun puts every hostile string into every place that comes from an
// implementation or a document.
func hostileRun() *result.Run {
	run := &result.Run{Header: result.Header{
		Format: result.Format, Version: "v1", Suite: strings.Repeat("0", 64), Profile: "rfc8785", Seed: 1, Vectors: len(hostile), Cases: 10,
		OS: "linux", Arch: "amd64", Go: "go1.26", Started: "2026-01-01T00:00:00Z", Complete: true,
		Clauses: []result.Clause{{ID: "rfc8259/6/number", Source: "RFC 8259", Section: "6", Group: "numbers", Text: `A "number" <is> & so on.`}},
	}}
	for i, s := range hostile {
		name := s
		if len(name) > 1000 {
			name = name[:1000]
		}
		run.Header.Subjects = append(run.Header.Subjects, result.Subject{
			Name: name, Version: name, Lineage: name, Language: name, Layer: result.Layer(name), Homepage: name, Command: name, Ops: []result.Op{result.OpCanon},
		})
		effect := result.Effects()[i%len(result.Effects())]
		known := (*result.Known)(nil)
		link := ""
		if i%3 == 0 {
			if i%2 == 0 {
				link = "https://example.org/" + "\"><script>"
			}
			known = &result.Known{Reason: name, Link: link}
		}
		run.Findings = append(run.Findings, result.Finding{
			Subject: name, Outcome: result.Outcomes()[1+i%8], Effect: effect, Requirement: "rfc8259/6/number", Group: "numbers", Signature: name,
			Profile: "rfc8785", Op: result.OpCanon, Input: result.Hex(name), InputSize: len(s), Verdict: "either", Expected: result.Hex(name), Reasons: []string{"syntax"},
			Given: result.OK, Actual: result.Hex(name + "x"), Differ: len(name), ReasonGiven: s, Message: s, Stderr: s,
			Fault:   &result.Fault{Reason: "syntax", Requirement: "rfc8259/6/number", Offset: 1, Line: 1, Column: 2, Pointer: name},
			Partner: result.Hex(name), PartnerVerdict: "accept", Relation: pick(i%4 == 1, name), Ladder: pick(i%4 == 2, name), Exponent: 1.9,
			PartnerOp: result.Op(pick(i%8 == 1, name)), PartnerGiven: result.AnswerKind(name), PartnerActual: result.Hex(name), After: result.Hex(name), Count: 3, Vectors: []string{name}, Replay: "touchstone check -- " + name, Known: known,
		})
		run.Vectors = append(run.Vectors,
			result.VectorResult{Subject: name, Vector: name, Outcome: result.Diverged, Requirement: "rfc8259/6/number", Message: name, Known: known != nil},
			result.VectorResult{Subject: name, Vector: "fine", Outcome: result.Pass}, result.VectorResult{Subject: name, Vector: "unserved", Outcome: result.Skip})
		score := result.Score{
			Subject: name, Vectors: result.Tally{Asked: 3, Passed: 1, Failed: 1, Skipped: 1}, Generated: result.Tally{Asked: 10, Passed: 8, Failed: 2},
			Groups: map[string]result.Tally{"numbers": {Asked: 3, Passed: 1, Failed: 1, Skipped: 1}}, Found: map[string]int{"numbers": 1},
			Outcomes: map[result.Outcome]int{result.Pass: 1}, Findings: 1, New: 1,
		}
		score.Relations = map[string]result.Tally{name: {Asked: 2, Passed: 1, Failed: 1}}
		score.Ladders = []result.Ladder{{
			Name: name, Unit: name, Exponent: 2, Slow: true, Ends: result.AnswerKind(name), Last: -1, Message: s,
			Rungs: []result.Rung{{Size: -1, Nanos: -1}, {Size: 1, Nanos: 1, Given: result.OK}, {Size: 1 << 62, Nanos: 1 << 62, Given: result.AnswerKind(name)}},
		}}
		if known != nil {
			score.New = 0
		}
		if i%7 == 0 {
			score.NoStart = s
		}
		run.Footer.Scores = append(run.Footer.Scores, score)
		run.Footer.Stale = append(run.Footer.Stale, result.Stale{Subject: name, Line: i, Entry: name, Why: name})
	}
	return run
}

// pick gives s, or nothing.
func pick(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}

// render writes one format and holds it to what all formats promise: UTF-8, no
// control but the line feed, no format character, bounded.
func render(t *testing.T, name string, run *result.Run) []byte {
	t.Helper()
	format, ok := LookupFormat(name)
	if !ok {
		t.Fatalf("no format %s", name)
	}
	var out bytes.Buffer
	if err := format.Render(&out, run); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestNothingHostileIsShown(t *testing.T) {
	run := hostileRun()
	for _, f := range Formats() {
		if f.Name == "jsonl" {
			continue // holds the strings themselves, as JSON: TestReadWhatIsWritten
		}
		t.Run(f.Name, func(t *testing.T) {
			out := render(t, f.Name, run)
			if !utf8.Valid(out) {
				t.Error("not UTF-8")
			}
			if len(out) > 3<<20 {
				t.Errorf("%d bytes", len(out))
			}
			for _, r := range string(out) {
				if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.M, r)) {
					t.Fatalf("U+%04X stands in the output", r)
				}
			}
		})
	}
}

// TestDeterministic: the same run gives the same bytes.
func TestDeterministic(t *testing.T) {
	for _, f := range Formats() {
		if !bytes.Equal(render(t, f.Name, hostileRun()), render(t, f.Name, hostileRun())) {
			t.Errorf("%s differs", f.Name)
		}
	}
}

// TestEmptyRun: a run in which nothing was found or asked can be rendered.
func TestEmptyRun(t *testing.T) {
	for _, f := range Formats() {
		render(t, f.Name, &result.Run{Header: result.Header{Format: result.Format}})
	}
}

// TestSqueeze: the end of a long number is seen, nothing can be taken for what
// shortens it, and no text is shown at length.
func TestSqueeze(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1" + strings.Repeat("0", 800) + "e-1123", "10‹×800›e-1123"},
		{strings.Repeat("[", 16) + strings.Repeat("]", 15), "[‹×16›" + strings.Repeat("]", 15)},
		{"0‹×800›", "0‹U+2039›×800‹U+203A›"},
		{strings.Repeat("\n", 20), strings.Repeat("‹U+000A›", 20)},
		{strings.Repeat("ab", 30), strings.Repeat("ab", 20) + "… (20 bytes more)"},
		{strings.Repeat("a", 39) + "\u20ac", "a‹×39›€"},
		{"\xff" + strings.Repeat("\u20ac", 20), "‹FF›" + strings.Repeat("€", 13) + "… (21 bytes more)"},
	} {
		if got := squeeze([]byte(c.text), 40); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	if long := squeeze([]byte(strings.Repeat(strings.Repeat("a", 20)+"b", 1<<16)), 160); len(long) > 1000 {
		t.Errorf("%d bytes are shown", len(long))
	}
}

func TestEscape(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{`{"a":"\u0041"}`, -1, `{"a":"\u0041"}`},
		{"é\u20ac\U0001F600 ok", -1, "é\u20ac\U0001F600 ok"},
		{"\x00\n\x7f", -1, "‹U+0000›‹U+000A›‹U+007F›"},
		{"\x1b[31m", -1, "‹U+001B›[31m"},
		{"\xff\xed\xa0\x80", -1, "‹FF›‹ED›‹A0›‹80›"},
		{"\u202e", -1, "‹U+202E›"},
		{"\u00a0\u2028\ufeff", -1, "‹U+00A0›‹U+2028›‹U+FEFF›"},
		{"a\u0301", -1, "a‹U+0301›"},
		{"\ufffe\U000e0001", -1, "‹U+FFFE›‹U+E0001›"},
		{"‹80›", -1, "‹U+2039›80‹U+203A›"},
		{"abcdef", 3, "abc… (3 bytes more)"},
		{"aé", 2, "a… (2 bytes more)"},
		{"", 0, ""},
	} {
		if got := Escape(c.in, c.most); got != c.want {
			t.Errorf("Escape(%q, %d) = %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

// FuzzEscape: escaped text is one printable line, and different texts stay
// different.
func FuzzEscape(f *testing.F) {
	for _, s := range hostile[:20] {
		f.Add([]byte(s), []byte("x"))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := Escape(a, -1), Escape(b, -1)
		if x == y && !bytes.Equal(a, b) {
			t.Errorf("%q and %q are both %q", a, b, x)
		}
		for _, r := range x {
			if !unicode.IsPrint(r) {
				t.Errorf("%q holds U+%04X", x, r)
			}
		}
	})
}

func TestHexLine(t *testing.T) {
	long := []byte(strings.Repeat("a", 100))
	for _, c := range []struct {
		b    []byte
		mark int
		want string
	}{
		{[]byte("abc"), -1, "616263"},
		{[]byte("abc"), 1, "61[62]63"},
		{[]byte("abc"), 3, "616263[]"},
		{nil, -1, "-"},
		{nil, 0, "[]"},
		{long, 2, "6161[61]" + strings.Repeat("61", 29) + " …68 more"},
		{long, 90, "…68… " + strings.Repeat("61", 22) + "[61]" + strings.Repeat("61", 9)},
	} {
		if got := hexLine(c.b, c.mark); got != c.want {
			t.Errorf("hexLine(%q, %d) = %q, want %q", c.b, c.mark, got, c.want)
		}
	}
}

func TestByteView(t *testing.T) {
	v := byteView("x", []byte("a\U0001F600\xff"), 5)
	want := []Cell{
		{0, "61", "a", "0061", false, "U+0061"},
		{1, "f0 9f 98 80", "\U0001F600", "d83d de00", false, "U+1F600"},
		{5, "ff", "‹FF›", "", true, ""},
	}
	if len(v.Cells) != len(want) {
		t.Fatalf("%+v", v)
	}
	for i := range want {
		if v.Cells[i] != want[i] {
			t.Errorf("cell %d is %+v, want %+v", i, v.Cells[i], want[i])
		}
	}
	far := byteView("x", bytes.Repeat([]byte("é"), 500), 900)
	if far.Before == 0 || far.After == 0 || len(far.Cells) != viewCells {
		t.Errorf("%d before, %d cells, %d after", far.Before, len(far.Cells), far.After)
	}
	if end := byteView("x", []byte("ab"), 2); !end.End {
		t.Error("the end is not marked")
	}
}
