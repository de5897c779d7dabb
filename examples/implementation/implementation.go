// Package implementation stands for a canonicalizer of your own; its test is
// what to copy.
package implementation

import "github.com/touchstone-oracle/touchstone/canon"

// Canonicalize is what you wrote.
func Canonicalize(document []byte) ([]byte, error) { return canon.Canonicalize(document) }
