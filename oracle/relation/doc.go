// Package relation holds an implementation against itself: where no oracle is
// at hand, or none is trusted, two answers of one implementation can still
// contradict each other.
//
// The relations are the metamorphic laws of oracle/law, asked of anything that
// takes batches of questions; the invariance of a text under one change of
// spelling at a time; the promises between two operations of one
// implementation, such as the number route against the text route; and probes
// of order and state, where the same texts are asked again shuffled, twice in a
// row and behind faulty ones. No verdict is used anywhere: a breach is two
// answers that cannot both be right, whatever is right.
//
// A law is a function that asks one question after the other. Here each runs as
// a coroutine, so that thousands of them stand at their next question together
// and an implementation in another process gets whole batches.
//
// Nobody is accused for refusing. Two answers contradict each other only where
// both accept, with two exceptions: the same text asked twice, and a canonical
// form that the implementation itself gave and then refuses although it is no
// longer than the text it came from. Texts with a number of more than 20
// significant digits are left out where ECMA-262 lets either neighbour stand.
package relation
