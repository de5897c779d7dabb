package zoo

import (
	"bytes"
	"slices"
	"unicode/utf16"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// openBehaviors choose otherwise where the standards leave a choice.
var openBehaviors = append([]Creature{
	{Name: "skips-bom", Text: "ignores one byte order mark before the text (RFC 8259 section 8.1)", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { return bytes.TrimPrefix(src, []byte("\ufeff")) }
	}},
	{Name: "refuses-noncharacters", Text: "refuses noncharacters (RFC 7493 section 2.1)", plant: func(b *behavior) {
		check := func(m *machine, u []uint16) []uint16 {
			for _, r := range utf16.Decode(u) {
				if r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF {
					m.fail(reject.Noncharacter)
				}
			}
			return u
		}
		b.textOf, b.nameOf = check, check
	}},
	{Name: "limits-depth", Text: "refuses more than 256 levels (RFC 8259 section 9)", plant: func(b *behavior) { b.limit = 256 }},
	{Name: "refuses-much-at-once", Text: "refuses for several open choices together: -0 and noncharacters", plant: func(b *behavior) {
		openNumbers[0].plant(b)
		b.textOf = func(m *machine, u []uint16) []uint16 {
			if slices.Contains(u, 0xFFFF) {
				m.fail(reject.Noncharacter)
			}
			return u
		}
	}},
}, openNumbers...)
