package zoo_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// probesOf gives the texts that a creature is asked, one after the other: for its
// fault, and others of the part, some that show it and some that stand just beside
// it, where it must not show.
func probesOf(c zoo.Creature) []string {
	switch c.Part {
	case zoo.Bytes, zoo.Strings:
		if slices.Contains(longTexts, c.Name) {
			return slices.Concat(commonProbes, characterProbes, longProbes)
		}
		return slices.Concat(commonProbes, characterProbes)
	case zoo.Names, zoo.Order, zoo.Duplicates:
		return slices.Concat(commonProbes, characterProbes, objectProbes)
	case zoo.NumbersIn, zoo.NumbersOut, zoo.Structure:
		return slices.Concat(commonProbes, wordProbes)
	}
	return slices.Concat(requestProbes(), commonProbes, characterProbes, objectProbes, wordProbes, longProbes)
}

var (
	commonProbes    = slices.Concat(blankProbes(), nameProbes(), structureProbes())
	characterProbes = slices.Concat(byteProbes(), stringProbes(), escapeProbes())
	objectProbes    = slices.Concat(orderProbes(), duplicateProbes())
	wordProbes      = numberProbes()
)

// longTexts are the faults of bytes and strings that show in very long texts.
var longTexts = []string{"length-two-bytes", "page-boundary", "utf8-forgiven-between-blocks"}

// longProbes are for faults of length or work.
var longProbes = slices.Concat(cutProbes(), []string{
	array(strings.Repeat("a", 4095)), array(strings.Repeat("ab", 2048)), array(strings.Repeat("abc", 1366)), array(strings.Repeat("é", 5000)),
	`"` + strings.Repeat("a", 65_533) + `"`, `"` + strings.Repeat("a", 65_534) + `"`, `"` + strings.Repeat("b", 65_535) + `"`, `"` + strings.Repeat("c", 65_536) + `"`,
	`"` + strings.Repeat("a", 4093) + `"`, `"` + strings.Repeat("a", 4094) + `"`, `"` + strings.Repeat("ab", 2047) + `c"`,
	strings.Repeat(" ", 65_534) + "[]", strings.Repeat(" ", 65_535) + "[]", strings.Repeat(" ", 65_535) + "1 ",
	nested(499), nested(500), nested(501), nested(999), nested(1000), nested(1001),
	members(3000), elements(3000), "[" + strings.Repeat("7", 3000) + "]", "[1e" + strings.Repeat("0", 50) + "1]", "[1e-99999999]", "[0e9999999999999]",
})

// cutProbes have a sequence, whole or not, at each place about the end of a block.
func cutProbes() (all []string) {
	for _, s := range []string{"\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xed\xa0\x80", "\x80", "é", "€", "😀"} {
		for before := 4096 - len(s) - 3; before <= 4096; before++ {
			all = append(all, strings.Repeat(" ", before-2)+array(s), strings.Repeat(" ", before-2)+`{"`+s+`":0}`)
		}
		all = append(all, strings.Repeat(" ", 8190-len(s))+array(s)+" ", strings.Repeat(" ", 4095-len(s))+`"`+s)
	}
	return all
}

func array(inside string) string { return `["` + inside + `"]` }

func nested(n int) string {
	return strings.Repeat("[", n) + strings.Repeat("]", n)
}

// nestedObjects has a text inside of n objects.
func nestedObjects(n int, inside string) string {
	return strings.Repeat(`{"a":`, n) + inside + strings.Repeat("}", n)
}

// members makes an object of n members, in the order 0, n-1, n-2, ...
func members(n int) string {
	all := []string{`"k0":0`}
	for i := n - 1; i > 0; i-- {
		all = append(all, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	return "{" + strings.Join(all[:n], ",") + "}"
}

func elements(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(i * 7 % 5)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// blankProbes have blanks, and what looks like one, in every place.
func blankProbes() (all []string) {
	blanks := []string{" ", "\n", "\r", "\t", "\ufeff", "\ufeff\ufeff", "\xef\xbb", "\f", "\v", "\u00a0", "\u0085", "\u2028", "\u2029", "\u3000", "\x00", "\x01", "\x1a", "\x1f", "\x7f", "!"}
	for _, b := range blanks {
		all = append(all, b+"[1]", "[1]"+b, "["+b+"1]", "[1"+b+"]", "[1,"+b+"2]", `{"a"`+b+`:1}`, `{`+b+`"b":1}`, b+b, b+"7"+b, `"`+b+`"`)
	}
	for _, n := range []int{1, 32, 63, 64, 65, 66, 128} {
		all = append(all, strings.Repeat(" ", n)+"[1]", "[1,"+strings.Repeat("\n", n)+"2]")
	}
	all = append(all, strings.Repeat(" ", 40)+"["+strings.Repeat(" ", 40)+"3]")
	for _, c := range []string{"//", "// c\n", "/**/", "/* c */", "/* c", "/*/", "//\n//\n", "#", "# c\n", "#\n#", "/", "*/", "/ /", "/* \n */ ", "<!-- -->"} {
		all = append(all, c+"[4]", "[4]"+c, "[4,"+c+"5]")
	}
	return all
}

// byteProbes have bytes that are UTF-8 or nearly so, in values and names.
func byteProbes() (all []string) {
	sequences := []string{
		"\x80", "\xbf", "\x80\xbf", "\xc0", "\xc0\x80", "\xc0\xaf", "\xc1\xbf", "\xc1\x81", "\xc2", "\xc2\x80", "\xc2\xc0", "\xc0\xc0", "\xdf\xbf", "\xe0", "\xe0\x80", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0\x80",
		"\xe1\x80\xc0", "\xe0\x80\x40", "\xe2\x82", "\xed\x9f\xbf", "\xed\xa0\x80", "\xed\xa0\xbd\xed\xb8\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbf\xbf", "\xee\x80\x80", "\xef\xbf\xbd", "\xef\xbf\xbe", "\xef\xbf\xbf",
		"\xf0\x80\x80\x80", "\xf0\x82\x82\xac", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80\x80", "\xf0\x9f\x98", "\xf3\xbf\xbf\xbf", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf7\xbf\xbf\xbf", "\xf8\x88\x80\x80\x80", "\xfe", "\xff",
		"\xe9", "\xe9t\xe9", "\xf0\x80\x80\x40", "\xc3", "\xc4\x80\x80", "\xf0\x9f\x98\x80\x80",
	}
	for _, s := range sequences {
		all = append(all, array("x"+s+"y"), array(s), `{"`+s+`":"`+s+`"}`, `{"`+s+`":1}`, `{"a":"`+s+`"}`, `"`+s)
	}
	for _, at := range []int{0, 6, 7, 8, 9, 14, 15, 16, 17, 30, 31, 32, 33} {
		for _, c := range []string{"\xff", "\x01", "\t", "\n", "\x1f"} {
			for _, behind := range []int{0, 1, 7, 16} {
				all = append(all, array(strings.Repeat("a", at)+c+strings.Repeat("b", behind)))
			}
			all = append(all, `{"`+strings.Repeat("a", at)+c+`":0}`)
		}
	}
	return append(all, "\xff", "[\xff]", "[1]\xff")
}

// stringProbes have every kind of character, alone and in runs, so that each
// stands at every place of a block, and strings of every length of interest.
func stringProbes() (all []string) {
	var controls, latin, others strings.Builder
	for c := range 0x20 {
		fmt.Fprintf(&controls, `\u%04x`, c)
		all = append(all, fmt.Sprintf(`["\u%04x"]`, c))
	}
	for c := rune(0x20); c < 0x250; c++ {
		if c != '"' && c != '\\' {
			latin.WriteRune(c)
		}
	}
	for _, c := range []rune{'"', '\\', '/', '<', '=', '>', '&', '\'', 0x7E, 0x7F, 0x80, 0x81, 0x9F, 0xA0, 0xA1, 0xFF, 0x100, 0x1FF, 0x2027, 0x2028, 0x2029, 0x202A, 0x200A, 0x200B, 0x200C, 0x200D, 0x200E, 0xD7FF, 0xE000, 0xE001, 0xF8FF, 0xF900, 0xFDCF, 0xFDD0, 0xFDD1, 0xFDEF, 0xFDF0, 0xFEFE, 0xFEFF, 0xFF00,
		0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1F600, 0x1F3FE, 0x1FFFD, 0x1FFFE, 0x1FFFF, 0x2FFFE, 0xFFFFE, 0xFFFFF, 0x100000, 0x10FFFE, 0x10FFFF, 0xFFFD, 0x103FE, 0x10FC00, 0xEFFFF, 0xF0000} {
		raw := string(c)
		if c == '"' || c == '\\' {
			raw = `\` + raw
		}
		all = append(all, array(raw), array("x"+raw+"y"), `{"`+raw+`":"`+raw+`"}`, `{"`+raw+`":1}`, array(strings.Repeat(raw, 70)), array("a"+strings.Repeat(raw, 70)))
		others.WriteString(raw)
	}
	all = append(all, array(controls.String()), `{"`+controls.String()+`":1}`, array(latin.String()), array(others.String()),
		array(strings.Repeat(`\u0001`, 70)), array(strings.Repeat(`\b\n`, 40)), array("a"+strings.Repeat(`\n`, 40)))
	for _, n := range []int{1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 100, 254, 255, 256, 257, 511, 512, 513} {
		s := strings.Repeat("s", n)
		all = append(all, array(s), array(`\"`+s), array(s+`\"`), `{"`+s+`":"`+s+`","`+s+`t":2}`, array(s+"😀"), array(s+`\u0000`), array(s+`\u0041\u0141`))
	}
	for _, s := range []string{"", " ", " x ", "\u00a0x\u00a0", "x ", " x", `\tx`, `x\r\ny`, `\r`, `\n\r`, `\r\n\r\n`, "e\u0301", "E\u0301", "A\u030a", "\u212b", "\u1100\u1161", "a\u0301", "x\u0301", "\u0301", `a\u0000b`, `\u0000`, `a\u0000b\u0000c`, "\ufeff", "a\ufeffb", "\U0001F600\U0010FFFF\U00100000\U000FFFFF", "?\ue3fe", "?\ud7fe", "?\uf3ff"} {
		all = append(all, array(s), `{"`+s+`":true}`, `{"v":"`+s+`"}`)
	}
	return all
}

// escapeProbes have escapes that are right, nearly so, and halves of pairs.
func escapeProbes() (all []string) {
	escapes := []string{
		`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\x41`, `\x4`, `\xg1`, `\x1g`, `\x`, `\X41`, `\x411`, `\'`, `\v`, `\0`, `\00`, `\a`, `\@`, "\\`", `\[`, `\{`, `\A`, `\Z`, `\z`, `\e`, `\1`, `\9`, "\\\n", "\\\r", "\\\r\n", `\ `, `\é`, `\-`,
		`\u0041`, `\U0041`, `\U00e9`, `\u+041`, `\u-041`, `\u+0fg`, `\u++41`, `\u 041`, `\u041 `, `\u  41`, `\u 0 1`, `\u    `, `\u41`, `\u`, `\u4`, `\u004`, `\u004g`, `\u004G`, `\u00Gg`, `\uzzzz`, `\u00e9`, `\u00E9`, `\u00Ef`, `\u00aF`, `\u000a`, `\u000A`, `\u00/0`, `\u00:0`, `\u00@0`, "\\u00`0", `\u0x41`, `\u{41}`, `\u00ag`, `\u00fF`,
		`\u007f`, `\u0080`, `\u2028`, `\uffff`, `\uFFFE`, `\ufeff`, `\u0022`, `\u005c`, `\u002f`, `\u001f`, `\ud7ff`, `\ue000`,
		`\ud83d\ude00`, `\uD83D\uDE00`, `\udbff\udfff`, `\udbc0\udc00`, `\udbbf\udfff`, `\ud800\udc00`,
		`\ud800`, `\udbff`, `\udc00`, `\udfff`, `\ud800a`, `\udc00a`, `a\ud800`, `a\udc00`, `\udc00\ud800`, `\udfff\udbff`, `\udc00\udbff`, `\udc00\ud800\udc00`, `\udc00\ud800a`, `\ud800\ud800`, `\ud800\ud800\udc00`, `\ud800\udbff`, `\ud800\udbff\udc00`, `\udbff\ud800\udfff`, `\udc00\udc00`, `\udc00\udfff`, `\ud800\ue000`, `\ud800\ud7ff`, `\ud800\u0041`, `\ud800\u0041b`, `\ud800\n`, `\udc00\u0041`, `\ud800\udc00\ud800`, `\ud800\udc00\udc00`, `\ud83dx\ude00`, `\udbff\ue000`, `\udc00\ue000`, `\ud83d😀`, `\udc00\ud7ff`,
	}
	for _, e := range escapes {
		all = append(all, array(e), array("x"+e+"y"), `{"`+e+`":1}`, `{"`+e+"\"\t: 1}", `"`+e, `{"a":"`+e+`"}`)
	}
	for _, at := range []int{0, 7, 15, 28, 29, 30, 31, 32, 60} {
		all = append(all, array(strings.Repeat("a", at)+`\u0041`), array(strings.Repeat("a", at)+`\u007f`), array(strings.Repeat("a", at)+`\u0080`))
	}
	return append(all, `"\`, `"\u`, `"\u0`, `"\u00`, `"\u004`, `"\u0041`, `["\u`, `"\x4`, `"\x41`)
}
