package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// ErrNoSnapshot says that a zero Snapshot was given where a value is needed.
var ErrNoSnapshot = errors.New("snapshot: the zero Snapshot holds no value: take a snapshot of the arguments first")

// ProposalHash gives the proposal hash that binds the agent, the tool and the
// snapshot as the tool's arguments: 64 lower-case hexadecimal digits, the SHA-256
// of the canonical form of
//
//	{"kind":"tool","agentName":…,"toolName":…,"argsCanonicalJson":…}
//
// in which the arguments' canonical form stands as a string. RFC-0016 leaves the
// preimage to the implementation; this is the one of AIOC 0.2.8. Names that are
// not UTF-8 are refused with a *reject.Error, the zero Snapshot with
// ErrNoSnapshot.
func ProposalHash(agent, tool string, arguments Snapshot) (string, error) {
	if arguments.IsZero() {
		return "", ErrNoSnapshot
	}
	preimage, err := Of(map[string]any{
		"kind": "tool", "agentName": agent, "toolName": tool,
		"argsCanonicalJson": arguments.text,
	})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(preimage.text))
	return hex.EncodeToString(sum[:]), nil
}
