// Package snapshot is the strict snapshot domain of RFC-0016: the values that
// may stand as evidence of what an authorized tool call was allowed to do, and
// their canonical form by RFC 8785.
//
// A Snapshot is made from JSON text (Decode), from a Go value (Of) or from
// canonical bytes that were stored (Verify). It holds its canonical form and
// nothing else. It is immutable and safe for concurrent use: what it hands out
// is a string, a copy, or a View decoded afresh, so that changing one view
// changes neither the snapshot nor another view.
//
// # The domain
//
// Text must be strict JSON: UTF-8 without faults, no byte order mark, the
// grammar of RFC 8259, no duplicate names, no lone surrogates, numbers that are
// finite doubles and not negative zero. A number is rounded to the nearest
// double as a parser does; Options.Lossless refuses one whose value that changes.
//
// Of Go values a closed set of exact dynamic types is taken:
//
//	untyped nil, bool, string of valid UTF-8
//	float64 that is finite and not negative zero
//	int, int8 to int64, uint, uint8 to uint64, up to 2^53-1 in magnitude
//	json.Number whose text is a JSON number with an exact double
//	map[string]any and []any that are not nil, in a tree: none is reached twice
//
// Everything else is refused: other types by their name, nil maps, slices and
// pointers, the same map twice (an empty one too), slices whose elements share
// memory, containers that hold themselves. Empty slices are never aliases, and
// windows of one array that share no element are not either.
//
// No code of the value's types is called: no MarshalJSON, MarshalText, String,
// Error or Format. A value must not be changed while Of reads it.
//
// # Errors
//
// A refusal is a *reject.Error whose Package is "snapshot": reason, clause,
// place in a text, JSON Pointer and Go type. Names in the pointer are "*"
// unless Options.ShowNames is set; values never appear.
package snapshot
