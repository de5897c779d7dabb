// Package zoo holds canonicalizers with one planted fault each: what a harness
// is worth is what it catches. Beside them stand a control without a fault and
// canonicalizers that only make another choice where the standards leave one;
// neither may ever be accused.
//
// All are one small machine (reader, tree, writer) of behaviors, each of which
// is a function that a fault replaces or wraps. The machine shares nothing with
// canon or its reference. The faults are those that public reports name, in
// every part of a canonicalizer, and the subtle ones that depend on position,
// length, count, nesting, state, the order of requests or chance, as a fast or
// caching implementation would have them.
//
// Package kill measures which of them are found, by what, and how soon.
package zoo
