// Package reference is the strict snapshot domain of RFC-0016 the obvious way:
// a slow judge of value graphs, written from the RFC's text alone. It shares no
// logic with snapshot or snapshot/jsvalue; it is what they are checked against.
//
// A Graph is a value as a list of nodes that refer to each other by index, so
// that an alias is an index used twice and a cycle is a path back to a node
// that is still open. Parse reads the cross-language form, in JSON, which
// graph.schema.json describes; FromGo maps a Go value to a graph, and ToGo
// builds one. A graph that is malformed is an error and never a verdict.
//
// Judge names every fault of the value, not only the first, so that whoever
// refuses it for any of them is right. Faults for which RFC-0016's text leaves
// a choice are marked open: a value that has no other faults may be refused, or
// taken with the bytes of its canonical form.
//
// Time and memory are quadratic in the number of slices that come from Go, and
// linear in the rest. All functions are safe for concurrent use and keep nothing
// of their input.
package reference
