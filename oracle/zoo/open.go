package zoo

import (
	"bytes"
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// openBehaviors choose otherwise where the standards leave a choice.
var openBehaviors = append([]Creature{
	{Name: "skips-bom", Text: "ignores one byte order mark before the text (RFC 8259 section 8.1)", plant: func(b *behavior) {
		b.prepare = func(_ *machine, src []byte) []byte { return bytes.TrimPrefix(src, []byte("\ufeff")) }
	}},
	{Name: "refuses-noncharacters", Text: "refuses noncharacters (RFC 7493 section 2.1)", plant: func(b *behavior) {
		check := func(m *machine, u []uint16) []uint16 {
			for i := range u {
				last := u[i]&0xFFFE == 0xFFFE && !isSurrogate(u[i])
				astral := isSurrogate(u[i]) && u[i] >= 0xDC00 && u[i]&0x3FE == 0x3FE && i > 0 && u[i-1]&0x3F == 0x3F
				if last || astral || 0xFDD0 <= u[i] && u[i] <= 0xFDEF {
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
