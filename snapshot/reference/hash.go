package reference

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf16"
)

// ProposalHash gives the proposal hash of AIOC 0.2.8 for an agent, a tool and
// canonical arguments, by writing the preimage out and canonicalizing it by
// canon/reference. The strings must be valid UTF-8.
func ProposalHash(agent, tool, argsCanonicalJSON string) string {
	text := `{"kind":` + quote("tool") + `,"agentName":` + quote(agent) +
		`,"toolName":` + quote(tool) + `,"argsCanonicalJson":` + quote(argsCanonicalJSON) + `}`
	return fmt.Sprintf("%x", sha256.Sum256(canonical(text)))
}

// quote writes a string with every unit escaped.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	b.WriteByte('"')
	return b.String()
}
