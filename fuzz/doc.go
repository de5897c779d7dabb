// Package fuzz holds what is fuzzed, and the drivers: the laws of oracle/law on
// canon, on its reference and on snapshot. A target is one law or a small
// family of them. The Go fuzzer and libFuzzer run the same table.
//
// An input is a raw text, so that corpus files are plain JSON. It is checked as
// it stands; every second one is also taken as choices for oracle/grammar, and
// the document that comes of it is checked too.
package fuzz
