// Package numbers holds the published ES6 number sequence, by which every
// writer of doubles can be checked: up to 100 million bit patterns made by a
// fixed rule, each with the text that ECMAScript's Number::toString gives it,
// and the SHA-256 of the first 10^3, 10^4, ... 10^8 lines.
//
// The rule and the digests were published with RFC 8785 in
// github.com/cyberphone/json-canonicalization, testdata/README.md; they are
// facts about the format and are the same for every implementation. A line is
//
//	hex-of-bits,text\n
//
// with the bits in lower-case hexadecimal, without leading zeros.
//
// The package knows no implementation: the function that writes a number is
// handed in, so that each stands before the same check.
package numbers
