package toolcall

import "github.com/touchstone-oracle/touchstone/snapshot"

// A Status says how an attempt ended.
type Status string

// The statuses, a closed list.
const (
	Executed  Status = "executed"  // the handler ran and gave a result
	Failed    Status = "failed"    // the handler ran and failed
	Denied    Status = "denied"    // policy denied, failed, or changed its view
	Suspended Status = "suspended" // policy requires approval: a proposal waits
	Refused   Status = "refused"   // anything else; the handler did not run
)

// A Reason says why an attempt ended as it did.
type Reason string

// The reasons, a closed list; "" with Executed and Suspended.
const (
	HandlerFailed Reason = "handler_failed" // Failed

	PolicyDenied  Reason = "policy_denied"            // Denied
	PolicyFailed  Reason = "policy_failed"            // Denied
	PolicyMutated Reason = "policy_mutated_arguments" // Denied

	BadArguments      Reason = "arguments"         // Refused, as all below; Stage says where
	DirectOnly        Reason = "direct_only"       // called from code the model wrote
	StepAdmission     Reason = "step_admission"    // an exclusive call is alone in its step
	ProjectionFailed  Reason = "projection_failed" // or left the domain, or changed names
	EvidenceForged    Reason = "evidence_forged"   // not the word of an issuer that counts
	EvidenceMismatch  Reason = "evidence_mismatch" // for another proposal hash
	EvidenceOtherCall Reason = "evidence_other_call"
	EvidenceExpired   Reason = "evidence_expired"
	EvidenceUsed      Reason = "evidence_used"
	Dispatched        Reason = "dispatched" // the proposal was dispatched before
	StoreFailed       Reason = "store_failed"
	Canceled          Reason = "canceled" // the context ended before dispatch

	// Of these three nothing is recorded: no attempt was made.
	BadCall         Reason = "call"
	UnknownProposal Reason = "unknown_proposal"
	Spent           Reason = "spent" // the attempt was run before
)

// An Outcome is how an attempt ended. What it refers to is immutable, but for
// Result, which is the handler's.
type Outcome struct {
	Status Status
	Reason Reason
	Stage  Stage // with BadArguments
	// Err says more; nil with Executed and Suspended. It holds no payload, its
	// Cause may.
	Err error
	// Policy is the policy's own result, whatever became of it; its Verdict is
	// "" if policy did not run or failed.
	Policy Judgement
	// Mutated: policy had changed its view when it returned.
	Mutated bool
	// Arguments are the authorized snapshot; zero if there is none.
	Arguments    snapshot.Snapshot
	ProposalHash string // "" if there are no Arguments
	Views        Views
	OperationID  string    // "" if nothing was dispatched
	Proposal     *Proposal // with Suspended
	Result       any       // with Executed, as the handler gave it
}
