// Package toolcall is the life of an AI agent's tool call, from the raw
// arguments to execution, such that what was authorized is what runs. It
// implements RFC-0016 (Authorized Tool Argument Snapshots) for a Go runtime.
//
// A Runtime holds an agent's tools, its policy and a Store. Each attempt at a
// call goes one way:
//
//	raw text → strict decoding → requested arguments → one schema parse
//	→ snapshot, canonical form, proposal hash → projections → step admission
//	→ policy with view 1 → mutation check → allow: durable commit, execution
//	  with view 2; deny; or require approval: a suspended proposal
//
// Begin captures a call and registers it with its step, before anything waits;
// Run takes it through the pipeline. An attempt ends in exactly one Outcome, and
// hands every recorder a start event, a call record and a result record, in
// this order.
//
// # What is shared
//
// Policy, schema, projection, surface and handler each receive values that are
// decoded for them alone and may do with them what they like; nothing that they
// return is kept but as a snapshot. The one exception is looked at: the
// policy's view is canonicalized again when the policy has returned, and a
// change is a denial. A policy must have stopped writing to its view by then:
// goroutines that go on writing to a map while it is read crash a Go program.
// Later changes are harmless. Proposals, records and views are immutable values.
//
// # Approval
//
// A policy that requires approval suspends the call: a Proposal with the
// fingerprint that the policy has seen goes to the Store. Who approves is shown
// ArgsCanonicalJSON and signs a Grant for the proposal hash. Resume is a new
// attempt from the raw text: schema, snapshot and policy run again, and the grant
// counts only if the policy still requires approval and the hash is equal. A grant
// is used once: its use is written with the dispatch, in one durable step, before
// the handler runs. So at most one execution comes of a grant; after a crash
// between commit and result it may be none.
//
// # Payload
//
// Arguments never appear in errors, and in records only as the tool's
// Projection shows them. The Store holds proposals whole. Errors of callbacks may
// quote arguments: their text is not part of this package's errors, and is
// had by asking for the Cause.
//
// Not promised: a sandbox for policy or tool code, isolation of shared
// application state, a digest of the schema, handoffs.
package toolcall
