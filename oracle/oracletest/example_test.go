package oracletest_test

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/oracletest"
)

// A test of a canonicalizer of your own.
func Example() {
	_ = func(t *testing.T) { oracletest.Run(t, canon.Canonicalize) }
	// Output:
}

// With another seed, more documents, and findings that are known and stay so
// until they are mended.
func ExampleOptions() {
	_ = func(t *testing.T) {
		oracletest.Options{
			Profile: reject.RFC8785, Seed: 7, Cases: 50_000,
			Baseline: []byte("generated rfc8259/6/number accepted collision | a plus sign is read | unreported\n"),
		}.Run(t, canon.Canonicalize)
	}
	// Output:
}
