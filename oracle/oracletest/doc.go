// Package oracletest puts the whole oracle into a Go implementer's own test:
//
//	func TestOracle(t *testing.T) { oracletest.Run(t, mypackage.Canonicalize) }
//
// The vectors are asked, then generated documents, then the metamorphic
// relations, all from a fixed seed. Every kind of departure is one test error
// with a minimized input, the right answer, what came instead and the clause
// that is broken. A panic of the function is caught and is a finding; a call
// that does not come back within the limit is one too, and its goroutine is
// left behind. What ends a process, such as a stack that is used up, ends the
// test: the deepest document nests 10,000 levels.
//
// The function is called by one goroutine at a time, with bytes that are its
// own, and its result is copied before the next call.
package oracletest
