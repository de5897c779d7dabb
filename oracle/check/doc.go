// Package check runs the main job: it puts vectors and generated documents to
// implementations, compares what they answer with the verdict, and turns every
// departure into a finding that its reader can check by the text of a clause.
//
// The comparison is pure: [Judge] turns a verdict and an answer into an
// outcome, [Diagnose] names the clause. Only what needs the implementation
// again asks it: minimizing, proving a collision, measuring a depth limit.
//
// Nobody is accused for a choice that the texts leave open: under the verdict
// either only a crash, a hang or wrong bytes count; a refusal that a measured
// limit of depth, size or count explains is a limit (RFC 8259 section 9); a
// wrong reason counts only for who announces our list of reasons.
package check
