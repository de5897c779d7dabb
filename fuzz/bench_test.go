package fuzz_test

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
)

// BenchmarkCase is what a hunt in our own code costs a case: drawing a document
// and comparing canon with the reference.
func BenchmarkCase(b *testing.B) {
	l, _ := law.Lookup("reference")
	var g grammar.Generator
	s := grammar.NewSeeded(0, 0)
	size := 0
	for i := 0; b.Loop(); i++ {
		s.Reset(1, uint64(i))
		text := g.Document(s)
		size += len(text)
		if err := l.Check(fuzz.Canon{}, text); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size / b.N))
}
