package result

import (
	"bytes"
	"cmp"
	"slices"
)

// A Finding is a minimized input on which an implementation departs from the
// verdict, together with everything a reader needs to agree: what was right,
// what was given, the clause, and how to see it again. What came from the
// implementation (Actual, ReasonGiven, Message, Stderr) is hostile and must be
// escaped before it is shown.
type Finding struct {
	Subject     string  `json:"subject"`
	Outcome     Outcome `json:"outcome"`
	Effect      Effect  `json:"effect"`
	Requirement string  `json:"requirement"` // id of the clause that is broken; empty for a protocol error
	Group       string  `json:"group"`       // the requirement's group; "protocol" for a protocol error
	Signature   string  `json:"signature"`   // what it looks like, in words of ours: findings of one kind share it
	Profile     string  `json:"profile"`
	Op          Op      `json:"op"`

	Input       Hex        `json:"input"`              // the shortest found; cut if Truncated says so
	InputSize   int        `json:"input_size"`         // bytes of the whole input
	Verdict     string     `json:"verdict"`            // accept, reject or either
	Expected    Hex        `json:"expected,omitempty"` // the canonical form, if there is one
	Reasons     []string   `json:"reasons,omitempty"`  // that a refusal may give
	Given       AnswerKind `json:"given"`
	Actual      Hex        `json:"actual,omitempty"`
	Differ      int        `json:"differ"` // offset of the first byte in which Actual departs from Expected; -1 without both
	ReasonGiven string     `json:"reason_given,omitempty"`
	Message     string     `json:"message,omitempty"`
	Stderr      string     `json:"stderr,omitempty"`
	Fault       *Fault     `json:"fault,omitempty"` // where the input breaks the clause, if it does

	Partner        Hex    `json:"partner,omitempty"`         // with a collision: the other input, accepted with equal bytes
	PartnerVerdict string `json:"partner_verdict,omitempty"` // what the profile says of it

	// Of a metamorphic relation, which needs no verdict: Verdict and Expected
	// are empty, Input and Partner are the two questions.
	Relation      string     `json:"relation,omitempty"`       // its name
	PartnerOp     Op         `json:"partner_op,omitempty"`     // the second question's operation; "" if Input alone is wrong
	PartnerGiven  AnswerKind `json:"partner_given,omitempty"`  // the second answer
	PartnerActual Hex        `json:"partner_actual,omitempty"` // its bytes
	After         Hex        `json:"after,omitempty"`          // asked directly before Partner, where order is the point

	Ladder   string  `json:"ladder,omitempty"`   // the name of the ladder of sizes on which it was found
	Exponent float64 `json:"exponent,omitempty"` // with the outcome slow: the power of the size with which the time grows

	Count   int      `json:"count"`             // inputs of this run that showed it
	Vectors []string `json:"vectors,omitempty"` // those of them that are vectors, sorted
	Cases   []uint64 `json:"cases,omitempty"`   // the first few generated cases that showed it
	Replay  string   `json:"replay"`            // the command that shows it again
	Unknown []string `json:"unknown,omitempty"` // vectors that the baseline does not know
	Known   *Known   `json:"known,omitempty"`   // the baseline's entry for it; nil if it is new
}

// A Fault is where an input breaks a rule.
type Fault struct {
	Reason      string `json:"reason"`
	Requirement string `json:"requirement"`
	Offset      int    `json:"offset"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Pointer     string `json:"pointer"`
}

// Known is what a baseline says of a finding.
type Known struct {
	Reason string `json:"reason"`
	Link   string `json:"link,omitempty"` // empty: not reported yet
}

// Reported says whether a finding is known to the public.
func (f *Finding) Reported() bool { return f.Known != nil && f.Known.Link != "" }

// FirstDifference gives the offset of the first byte in which a and b differ,
// which is the shorter one's length if it is a prefix; -1 if they are equal.
func FirstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return n
}

// CompareFindings orders findings for a reader: by implementation, the gravest
// effect first, then by clause, outcome and the shortest input.
func CompareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Subject, b.Subject),
		cmp.Compare(slices.Index(Effects(), a.Effect), slices.Index(Effects(), b.Effect)),
		cmp.Compare(a.Requirement, b.Requirement),
		cmp.Compare(slices.Index(Outcomes(), a.Outcome), slices.Index(Outcomes(), b.Outcome)),
		cmp.Compare(a.InputSize, b.InputSize),
		bytes.Compare(a.Input, b.Input),
		cmp.Compare(a.Signature, b.Signature),
	)
}
