package toolcall

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Grant is the evidence that somebody approved the action of one proposal
// hash. It is used once.
type Grant struct {
	ID           string `json:"id"` // chosen by the issuer, once
	Issuer       string `json:"issuer"`
	ProposalHash string `json:"proposalHash"`
	// Expires is the first moment at which the grant does not count any more.
	// A grant without one does not count.
	Expires time.Time `json:"expires"`
	// InvocationID and ProviderCallID bind the grant to one call. If both are
	// empty it serves any call of the same agent, tool and arguments; with one
	// of them alone it serves none.
	InvocationID   string `json:"invocationId,omitempty"`
	ProviderCallID string `json:"providerCallId,omitempty"`
	Signature      []byte `json:"signature"`
}

// A GrantUse names a grant that was used.
type GrantUse struct{ Issuer, ID string }

func (g Grant) clone() Grant {
	g.Signature = slices.Clone(g.Signature)
	return g
}

// Message gives the bytes that an issuer signs: the canonical JSON of all
// fields but the signature, times in UTC to the nanosecond.
func (g Grant) Message() ([]byte, error) {
	s, err := snapshot.Of(map[string]any{
		"kind": "grant", "id": g.ID, "issuer": g.Issuer, "proposalHash": g.ProposalHash,
		"expires": g.Expires.UTC().Format(time.RFC3339Nano), "invocationId": g.InvocationID, "providerCallId": g.ProviderCallID,
	})
	return s.AppendCanonical(nil), err
}

// A Verifier tells whether a grant is its issuer's word. Verify returns nil if
// it is; it looks at nothing else, neither expiry nor use. It must be safe for
// concurrent use.
type Verifier interface {
	Verify(ctx context.Context, g Grant) error
}

// Keys are the issuers whose grants count, with their public keys. It must not
// be changed while it is used.
type Keys map[string]ed25519.PublicKey

// ErrForged says that a grant is not the word of an issuer that counts.
var ErrForged = errors.New("toolcall: the grant is not signed by an issuer that counts")

// Verify checks the signature of a grant.
func (k Keys) Verify(_ context.Context, g Grant) error {
	key := k[g.Issuer]
	message, err := g.Message()
	if err != nil || len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, message, g.Signature) {
		return ErrForged
	}
	return nil
}

// An Issuer signs grants.
type Issuer struct {
	Name string
	Key  ed25519.PrivateKey
}

// Sign completes a grant: it sets the issuer and the signature, and an id of its
// own if there is none.
func (i Issuer) Sign(g Grant) (Grant, error) {
	g.Issuer = i.Name
	if g.ID == "" {
		var id [16]byte
		rand.Read(id[:]) // it never fails
		g.ID = hex.EncodeToString(id[:])
	}
	message, err := g.Message()
	if err != nil {
		return Grant{}, err
	}
	g.Signature = ed25519.Sign(i.Key, message)
	return g, nil
}

// Approve signs a grant for a proposal, bound to its call.
func (i Issuer) Approve(p Proposal, expires time.Time) (Grant, error) {
	return i.Sign(Grant{
		ProposalHash: p.ProposalHash, Expires: expires,
		InvocationID: p.InvocationID, ProviderCallID: p.ProviderCallID,
	})
}

// examine says why a grant does not count for a call, or "". Whether it is
// unused is told by the store, when its use is written.
func (g *Grant) examine(ctx context.Context, v Verifier, hash string, call *captured, now time.Time) Reason {
	_, err := guard(func() (struct{}, error) {
		if _, err := g.Message(); err != nil || v == nil || g.ID == "" || g.Issuer == "" {
			return struct{}{}, ErrForged // its use could not be told from another's
		}
		return struct{}{}, v.Verify(ctx, g.clone())
	})
	switch {
	case err != nil:
		return EvidenceForged
	case g.ProposalHash != hash:
		return EvidenceMismatch
	case (g.InvocationID != "" || g.ProviderCallID != "") && (g.InvocationID != call.invocation || g.ProviderCallID != call.id):
		return EvidenceOtherCall
	case !now.Before(g.Expires):
		return EvidenceExpired
	}
	return ""
}
