package check

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// Diagnose names the clause that a failed answer to a text breaks. It is pure;
// what only a further question can tell (which member of a refused document
// was the cause) is left to minimizing.
func Diagnose(v verdict.Verdict, input []byte, a result.Answer, o result.Outcome) Departure {
	switch o {
	case result.Diverged:
		d := divergence(v.Canonical, a.Bytes)
		if v.Profile == reject.RFC0016 && d.Signature == lostMember {
			d.Requirement = "rfc0016/domain/names-are-data"
		}
		return d
	case result.Accepted:
		if encoding := otherEncoding(input); encoding != "" {
			return Departure{"rfc8259/8.1/utf-8", "a text in " + encoding + " instead of UTF-8"}
		}
		fault := accepted(v, input, a.Bytes)
		return Departure{fault.Requirement, acceptance(fault, input, a.Bytes)}
	case result.WrongReason:
		return Departure{owed(v).Requirement, "refused for a reason that does not apply"}
	case result.Protocol:
		return Departure{"", "no answer by the protocol"}
	case result.Crash, result.Hang:
		return Departure{failureClause(v), failureWords(v, o)}
	}
	return Departure{"rfc8259/2/one-value", "a JSON text is refused"}
}

// owed gives the fault for which a text must be refused: the first one that is
// no choice. Vectors of other operations have none; syntax stands for it.
func owed(v verdict.Verdict) *reject.Error {
	if len(v.Owed) > 0 {
		return v.Owed[0]
	}
	return &reject.Error{Reason: reject.Syntax, Requirement: reject.Syntax.Clause(v.Profile)}
}

// accepted gives the fault that was accepted. Of several it is the one that the
// output still shows, since that alone makes the output no text of the profile;
// where it shows none, all of them were accepted, and the first one stands.
func accepted(v verdict.Verdict, input, out []byte) *reject.Error {
	if len(v.Owed) < 2 || len(out) > maxOutput(len(input)) {
		return owed(v)
	}
	shown := verdict.Of(v.Profile, out)
	if shown.Kind != verdict.Reject {
		return owed(v)
	}
	last := owed(shown)
	for _, fault := range v.Owed {
		switch {
		case fault.Reason == last.Reason && fault.Requirement == last.Requirement:
			return fault
		case fault.Reason == reject.LoneSurrogate && last.Reason == reject.InvalidUTF8:
			return fault
		case fault.Reason == reject.NumberOverflow && last.Reason == reject.Syntax && infinite(out, last.Offset):
			return fault
		}
	}
	return owed(v)
}

// infinite reports whether what stands at an offset of an output is a number
// that is none of JSON: an infinity, or a NaN.
func infinite(out []byte, at int) bool {
	return literalWords(wordAround(out, min(max(at, 0), len(out)))) == "NaN or an infinity"
}

func failureClause(v verdict.Verdict) string {
	if v.Kind == verdict.Reject {
		return owed(v).Requirement
	}
	return "rfc8259/9/limits"
}

func failureWords(v verdict.Verdict, o result.Outcome) string {
	does := "dies on"
	if o == result.Hang {
		does = "gives no answer to"
	}
	switch {
	case v.Kind == verdict.Reject:
		return does + " a text that it should refuse: " + owed(v).Reason.Meaning()
	case v.Depth > 100:
		return does + " a deeply nested text"
	}
	return does + " a JSON text"
}

// acceptance says what an accepted fault looks like.
func acceptance(fault *reject.Error, input, out []byte) string {
	words := fault.Reason.Meaning()
	if fault.Reason == reject.Syntax {
		words = syntaxWords(fault, input)
	}
	if fault.Reason != reject.InvalidUTF8 && fault.Reason != reject.LoneSurrogate {
		return words
	}
	switch {
	case !utf8.Valid(out):
		return words + "; the output is not UTF-8"
	case replacements(out) > 0 && replacements(out) >= replacements(input):
		return words + "; U+FFFD is written instead"
	}
	return words
}

// replacements counts the replacement characters of a text, escaped or not.
func replacements(text []byte) int {
	return bytes.Count(text, []byte("\uFFFD")) + bytes.Count(bytes.ToLower(text), []byte(`\ufffd`))
}

// syntaxWords says which fault of grammar a text has, so that findings of one
// clause can be told apart. It quotes at most one character of the input.
func syntaxWords(fault *reject.Error, input []byte) string {
	at := min(max(fault.Offset, 0), len(input))
	rest := input[at:]
	switch fault.Requirement {
	case "rfc8259/6/number":
		return numberWords(wordAround(input, at))
	case "rfc8259/3/literals":
		return literalWords(wordAround(input, at))
	case "rfc8259/2/white-space":
		if len(rest) > 0 && (rest[0] == '/' || rest[0] == '#') {
			return "a comment"
		}
		return character(rest) + " taken for white space"
	case "rfc8259/2/trailing-data":
		return "data behind the value: " + character(rest)
	case "rfc8259/7/control-character":
		return "an unescaped control character in a string"
	case "rfc8259/7/escape":
		if len(rest) == 0 {
			return "an escape that is cut short"
		}
		if inHexEscape(input, at) {
			return "a \\u escape without four hexadecimal digits"
		}
		return "an escape that is none of RFC 8259's"
	case "rfc8259/7/string":
		if len(rest) == 0 {
			return "a string that is not closed"
		}
		return "a string in other quotes"
	case "rfc8259/2/one-value":
		if len(bytes.Trim(input, " \t\r\n")) == 0 {
			return "an empty or blank text"
		}
	}
	if len(rest) == 0 {
		return "the text ends too early"
	}
	if before := bytes.TrimRight(input[:at], " \t\r\n"); len(before) > 0 && before[len(before)-1] == ',' {
		switch rest[0] {
		case ']', '}':
			return "a comma behind the last element or member"
		case ',':
			return "two commas"
		}
	}
	if at > 0 && strings.IndexByte("{}[]:,\" \t\r\n", input[at-1]) < 0 {
		return character(rest) + " directly behind a value"
	}
	return character(rest) + " where the grammar has none"
}

// character names the first character of a text.
func character(text []byte) string {
	r, width := utf8.DecodeRune(text)
	switch {
	case width == 0:
		return "the end of the text"
	case r == utf8.RuneError && width == 1:
		return "a faulty byte"
	case '0' <= r && r <= '9':
		return "a digit"
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return "a letter"
	case 0x20 < r && r < 0x7F:
		return string(r)
	}
	return fmt.Sprintf("U+%04X", r)
}

// wordAround gives the number-like or literal-like word in which an offset
// stands, at most 40 bytes to either side.
func wordAround(input []byte, at int) string {
	part := func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("+-._", c) >= 0
	}
	start, end := at, at
	for start > 0 && at-start < 40 && part(input[start-1]) {
		start--
	}
	for end < len(input) && end-at < 40 && part(input[end]) {
		end++
	}
	return string(input[start:end])
}

func numberWords(word string) string {
	digits := strings.TrimLeft(word, "+-")
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(digits), "e")
	switch {
	case strings.HasPrefix(word, "+"):
		return "a number with a plus sign"
	case strings.HasPrefix(word, "--"):
		return "a number with two signs"
	case strings.ContainsAny(digits, "_"):
		return "a number with an underscore"
	case len(digits) > 1 && digits[0] == '0' && strings.IndexByte("xXoObB", digits[1]) >= 0:
		return "a number in another base"
	case strings.HasPrefix(strings.ToLower(digits), "inf"), strings.HasPrefix(strings.ToLower(digits), "nan"):
		return "NaN or an infinity"
	case len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9':
		return "a number with a leading zero"
	case strings.HasPrefix(mantissa, "."):
		return "a number without digits before the point"
	case strings.HasSuffix(mantissa, "."):
		return "a number without digits behind the point"
	case hasExponent && strings.Trim(exponent, "+-") == "":
		return "a number without digits in the exponent"
	case digits == "":
		return "a sign without digits"
	}
	return "a number that RFC 8259 does not know"
}

func literalWords(word string) string {
	lower := strings.ToLower(strings.TrimLeft(word, "+-"))
	switch {
	case lower == "true" || lower == "false" || lower == "null":
		return "a literal in capital letters"
	case lower == "nan" || strings.HasPrefix(lower, "inf"):
		return "NaN or an infinity"
	}
	return "a word that is no literal"
}

func inHexEscape(input []byte, at int) bool {
	for i := at - 1; i >= max(0, at-5); i-- {
		if input[i] == 'u' && i > 0 && input[i-1] == '\\' {
			return true
		}
		if input[i] == '\\' {
			return false
		}
	}
	return false
}
