package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// engines are the library's functions. What they say is sent only if the
// reference's verdict, to which they are strangers, says the same.
type engines struct {
	canonicalize func(reject.Profile, []byte) ([]byte, error)
	decode       func([]byte) (snapshot.Snapshot, error)
	hash         func(agent, tool string, arguments snapshot.Snapshot) (string, error)
}

func builtinEngines() engines {
	return engines{
		canonicalize: func(p reject.Profile, src []byte) ([]byte, error) {
			o := canon.Options{RefuseNegativeZero: p == reject.RFC0016, RefuseNoncharacters: p == reject.IJSON}
			return o.Canonicalize(src)
		},
		decode: snapshot.Decode,
		hash:   snapshot.ProposalHash,
	}
}

// A canonicalized is the answer to /v1/canonicalize.
type canonicalized struct {
	Profile   string   `json:"profile"`
	Verdict   string   `json:"verdict"`
	Reasons   []string `json:"reasons,omitempty"` // for which the profile lets others refuse
	Canonical string   `json:"canonical"`
	Size      int      `json:"size"`
	SHA256    string   `json:"sha256"`
}

func (e engines) canonicalized(p reject.Profile, src []byte) (any, *problem) {
	v := verdict.Of(p, src)
	out, err := e.canonicalize(p, src)
	if problem := confirm(v, out, err); problem != nil {
		return nil, problem
	}
	return newCanonicalized(v, out), nil
}

func newCanonicalized(v verdict.Verdict, out []byte) canonicalized {
	sum := sha256.Sum256(out)
	a := canonicalized{
		Profile: v.Profile.String(), Verdict: string(v.Kind), Canonical: string(out), Size: len(out), SHA256: hex.EncodeToString(sum[:]),
	}
	for _, r := range v.Reasons {
		a.Reasons = append(a.Reasons, r.String())
	}
	return a
}

// confirm holds an answer of the library against the verdict. It gives nil for
// a right form, the refusal for one that may be given, and a disagreement
// otherwise.
func confirm(v verdict.Verdict, out []byte, err error) *problem {
	var given *reject.Error
	switch {
	case err == nil && v.Right(out):
		return nil
	case errors.As(err, &given) && v.Kind != verdict.Accept && (v.May(given.Reason) || given.Reason.IsLimit()):
		return refusal(v, given)
	case errors.As(err, &given) && given.Reason.IsLimit():
		return refusal(v, given) // RFC 8259 section 9
	}
	return newProblem("disagreement", http.StatusInternalServerError,
		"the library and the reference disagree about this document, so that no answer is given: please report it, SECURITY.md says how")
}

// A verified is the answer to /v1/verify.
type verified struct {
	Profile   string `json:"profile"`
	Verdict   string `json:"verdict"`
	Canonical bool   `json:"canonical"`        // the bytes are their own canonical form
	Differ    *int   `json:"differ,omitempty"` // the first byte in which they are not
	Fault     *Fault `json:"fault,omitempty"`  // why they have no canonical form
}

func (e engines) verified(p reject.Profile, src []byte) (any, *problem) {
	v := verdict.Of(p, src)
	out, err := e.canonicalize(p, src)
	a := verified{Profile: p.String(), Verdict: string(v.Kind)}
	if problem := confirm(v, out, err); problem != nil {
		if problem.Fault == nil {
			return nil, problem
		}
		a.Fault = problem.Fault
		return a, nil
	}
	if a.Canonical = bytes.Equal(src, out); !a.Canonical {
		differ := result.FirstDifference(src, out)
		a.Differ = &differ
	}
	return a, nil
}

// A snapshotted is the answer to /v1/snapshot.
type snapshotted struct {
	canonicalized
	Proposal *proposal `json:"proposal,omitempty"`
}

type proposal struct {
	Agent string `json:"agent"`
	Tool  string `json:"tool"`
	Hash  string `json:"hash"`
}

func (e engines) snapshotted(agent, tool string, src []byte) (any, *problem) {
	v := verdict.Of(reject.RFC0016, src)
	s, err := e.decode(src)
	if problem := confirm(v, s.AppendCanonical(nil), err); problem != nil {
		return nil, problem
	}
	a := snapshotted{canonicalized: newCanonicalized(v, s.AppendCanonical(nil))}
	if tool == "" {
		return a, nil
	}
	hash, err := e.hash(agent, tool, s)
	if err != nil || hash != reference.ProposalHash(agent, tool, a.Canonical) {
		return nil, newProblem("disagreement", http.StatusInternalServerError, "the library and the reference disagree about this proposal hash: please report it, SECURITY.md says how")
	}
	a.Proposal = &proposal{agent, tool, hash}
	return a, nil
}
