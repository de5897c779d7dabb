package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes hostile text safe for a terminal, a log and every format here:
// controls (line feeds and ANSI escapes among them), bidirectional and other
// format characters, blanks other than space, combining marks and what Unicode
// has not assigned are written as ‹U+202E›, bytes that are not UTF-8 as ‹80›.
// The angle quotation marks themselves are written so too, so that nothing is
// ambiguous; a backslash stays as it is, since JSON is full of them. The result
// is one line of printable characters. At most most bytes of the text are
// shown, then how many follow; a negative most shows all.
func Escape[T string | []byte](text T, most int) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		head := string(text[i:min(len(text), i+utf8.UTFMax)])
		r, width := utf8.DecodeRuneInString(head)
		if most >= 0 && i+width > most {
			fmt.Fprintf(&b, "… (%d bytes more)", len(text)-i)
			break
		}
		b.WriteString(escapeRune(r, head[:width]))
		i += width
	}
	return b.String()
}

// leastRun is how often a character stands in a row to be written once, with how
// often, which counts as runWidth bytes.
const leastRun, runWidth = 16, 8

// squeeze is Escape, but writes many equal printable ASCII characters in a row as
// one, 0‹×800›, so that the end of a long number is seen.
func squeeze(text []byte, most int) string {
	var b strings.Builder
	for i, left := 0, most; i < len(text); {
		r, width := utf8.DecodeRune(text[i:])
		written, cost := escapeRune(r, string(text[i:i+width])), width
		if 0x20 <= r && r < 0x7F {
			if n := run(text[i:]); n >= leastRun {
				written, width, cost = fmt.Sprintf("%s‹×%d›", written, n), n, runWidth
			}
		}
		if left -= cost; left < 0 {
			fmt.Fprintf(&b, "… (%d bytes more)", len(text)-i)
			break
		}
		b.WriteString(written)
		i += width
	}
	return b.String()
}

// run counts how often the first byte stands in a row.
func run(text []byte) int {
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

func escapeRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf("‹%02X›", raw[0])
	case 0x20 <= r && r < 0x7F:
		return raw
	case r != '‹' && r != '›' && unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && !noncharacter(r):
		return raw
	}
	return fmt.Sprintf("‹U+%04X›", r)
}

func noncharacter(r rune) bool { return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF }

// escapeXML makes hostile text safe as XML 1.0 or HTML character data and
// inside quoted attributes, by first making it printable.
func escapeXML[T string | []byte](text T, most int) string {
	return xmlReplacer.Replace(Escape(text, most))
}

var xmlReplacer = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escapeMarkdown makes hostile text safe in a Markdown table cell or sentence.
func escapeMarkdown[T string | []byte](text T, most int) string {
	return markdownReplacer.Replace(Escape(text, most))
}

var markdownReplacer = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "_", "&#95;",
	"[", "&#91;", "]", "&#93;", "#", "&#35;", "~", "&#126;", "@", "&#64;", `\`, "&#92;", "!", "&#33;", "://", "&#58;//",
)

// escapeCommand makes hostile text safe as the data of a GitHub workflow
// command; in a property, commas and colons are escaped too.
func escapeCommand(text string, property bool) string {
	s := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
	if property {
		s = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(s)
	}
	return s
}
