// Package grammar writes hostile JSON text: not only strange values but every
// spelling of them, and texts that are nearly JSON. It draws each decision from
// a [Source], an interface with one method, so that one grammar feeds a seeded
// generator, the bytes of a fuzzer, rapid and gopter alike, and so that
// shrinking the choices shrinks the document: choice 0 is the simplest.
//
// Two steps make a document. First a tree of values is drawn: code points,
// decimal numbers, members in order. Then the tree is spelled: white space,
// escapes, points and exponents, order of members. Two spellings of one tree
// are a pair that must have one canonical form; a tree spelled, changed at one
// place and spelled again is a pair that must have two. Faults of grammar and
// of UTF-8 are put into a finished text, one at a chosen spot, so that a refusal
// has one cause.
//
// What is drawn how often stands in tables of named, explained weights; what a
// document holds is recorded as a set of features, cheap enough for each one.
//
// Any Source is good enough: whatever it answers, a document ends after a
// bounded number of choices and is shorter than 1 MiB. The mean is near 150
// bytes.
package grammar
