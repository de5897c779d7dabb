// Package reject is the vocabulary that every judge of a JSON document shares:
// the profiles that decide, the closed list of reasons for which a document is
// refused, the catalogue of requirements those reasons come from, and the error
// that names all three together with a place in the text.
//
// It holds words, not verdicts: nothing here decides whether a document is
// refused. That is why both derivations, canon and canon/reference, may import
// it although they share no logic.
//
// Everything in the package is safe for concurrent use; functions that return
// slices return fresh ones.
package reject
