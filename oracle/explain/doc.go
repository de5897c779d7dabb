// Package explain says all that the oracle knows of one document: the verdict
// of each profile with reasons, places and clauses, the canonical form, digests,
// the doubles that its numbers become, and what implementations make of it. The
// command, the server and the page without a server show the same [Explanation],
// each in its own way.
//
// Verdicts come from the references, by oracle/verdict. An Explanation holds
// parts of the document, and words of implementations: both are hostile and must
// be escaped before they are shown.
package explain

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// An Explanation is what there is to say of one document.
type Explanation struct {
	Source    []byte    `json:"-"` // the document itself, shared with who asked
	Size      int       `json:"size"`
	SHA256    string    `json:"sha256"`
	Verdicts  []Verdict `json:"verdicts"` // in the order of reject.Profiles
	Canonical *Form     `json:"canonical,omitempty"`
	Proposal  *Proposal `json:"proposal,omitempty"`
	Numbers   []Number  `json:"numbers,omitempty"` // the first MaxNumbers of the document
	Judged    string    `json:"judged,omitempty"`  // the profile by which Peers are judged
	Peers     []Said    `json:"peers,omitempty"`
}

// A Verdict is what one profile decides.
type Verdict struct {
	Profile string       `json:"profile"`
	Kind    verdict.Kind `json:"verdict"`
	Faults  []Fault      `json:"faults,omitempty"`
}

// maxPointer is how many bytes of a pointer are kept: a text of a megabyte can
// be half as many levels deep.
const maxPointer = 4096

// A Fault is one reason to refuse the document, and where. Its pointer holds
// member names of the document.
type Fault struct {
	Reason  string         `json:"reason"`
	Meaning string         `json:"meaning"`
	Advice  string         `json:"advice,omitempty"`
	Clause  *result.Clause `json:"clause,omitempty"`
	Offset  int            `json:"offset"`  // bytes, from 0
	Line    int            `json:"line"`    // from 1
	Column  int            `json:"column"`  // bytes, from 1
	Pointer string         `json:"pointer"` // at most 4,096 bytes, then "…"
}

// A Form is a canonical form by RFC 8785.
type Form struct {
	Text   string `json:"text"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// A Proposal binds the document, as the arguments of a tool call, to an agent
// and a tool.
type Proposal struct {
	Agent string `json:"agent"`
	Tool  string `json:"tool"`
	Hash  string `json:"hash"`
}

// Document explains a document without asking any implementation. It keeps src,
// which must not change as long as the result is used.
func Document(src []byte) *Explanation {
	e, _ := document(src)
	return e
}

func document(src []byte) (*Explanation, [3]verdict.Verdict) {
	all := verdict.All(src)
	e := &Explanation{Source: src, Size: len(src), SHA256: digest(src), Numbers: numbers(src)}
	for _, p := range reject.Profiles() {
		e.Verdicts = append(e.Verdicts, explainVerdict(src, all[p]))
	}
	if form := all[reject.RFC8785].Canonical; form != nil {
		e.Canonical = &Form{Text: string(form), Size: len(form), SHA256: digest(form)}
	}
	return e, all
}

// ErrNames says that the agent's or the tool's name is not well-formed.
var ErrNames = errors.New("explain: the names of agent and tool must be UTF-8")

// Bind adds the proposal hash (docs/rfc-0016.md) of the document as arguments of
// a tool call. It adds none where the profile rfc0016 does not accept it.
func (e *Explanation) Bind(agent, tool string) error {
	if !utf8.ValidString(agent) || !utf8.ValidString(tool) {
		return ErrNames
	}
	if e.Canonical != nil && e.Verdicts[reject.RFC0016].Kind == verdict.Accept {
		e.Proposal = &Proposal{agent, tool, reference.ProposalHash(agent, tool, e.Canonical.Text)}
	}
	return nil
}

func explainVerdict(src []byte, v verdict.Verdict) Verdict {
	told := Verdict{Profile: v.Profile.String(), Kind: v.Kind}
	for _, f := range v.Faults {
		told.Faults = append(told.Faults, Fault{
			Reason: f.Reason.String(), Meaning: f.Reason.Meaning(), Advice: f.Reason.Advice(), Clause: clause(f.Requirement),
			Offset: f.Offset, Line: f.Line, Column: f.Column, Pointer: cut(f.PointerIn(src), maxPointer),
		})
	}
	return told
}

func clause(id string) *result.Clause {
	q, ok := reject.LookupRequirement(id)
	if !ok {
		return nil
	}
	return &result.Clause{ID: q.ID, Source: q.Source, Section: q.Section, Group: string(q.Group), Text: q.Text}
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
