// Package vectors holds the language-neutral test vectors, embedded, and their
// loader.
//
// A vector is one input with its verdict under each profile, kept for ever
// under a permanent id. The source of truth is the ASCII JSON under topics, one
// file a topic; vectors.jsonl, vectors.tsv and MANIFEST.sha256 are generated
// from it for readers in other languages (see docs/vectors.md).
//
// The package only reads what is written: expected values come from the
// clauses, not from an engine. Package oracle/vectorlint holds the vectors
// against each other and against engines.
//
// Everything here is safe for concurrent use.
package vectors

//go:generate go run generate.go
