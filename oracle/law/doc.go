// Package law holds what is true of every right canonicalizer, each law once:
// a function of an implementation and an input that returns an error. Tests,
// fuzzers, property testers and campaigns call the one function; a driver adds
// nothing.
//
// The implementation is handed in. Only Canonicalize is asked of all; what else
// an implementation can do (append, validate, keep limits) it shows by its
// methods, and a law that needs one of them does not apply to others.
//
// Two kinds of law stand side by side. Some compare with canon/reference, the
// slow derivation; the others, the metamorphic relations, need no oracle at
// all: they hold two answers of one implementation against each other.
//
// Inputs are any bytes. A law draws what else it needs, such as another
// spelling, from the input itself, so that an input that breaks a law always
// breaks it again. The errors show the input, escaped and cut: they are for who
// tests, not for logs.
//
// A [Law] is safe for concurrent use if the implementation is.
package law
