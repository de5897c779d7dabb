// Package vectorlint holds the test vectors against each other, against the
// catalogue of requirements, and against engines.
//
// A vector's verdict is written by hand from a clause; the linter confirms it.
// Under rfc8785 at least one foreign lineage must agree beside our own engines,
// under the other profiles our two derivations must; see Lint for the rules.
// Where an engine is wrong or cannot express an input, a named exception says
// so; one that no longer occurs is a problem itself.
//
// Package vectors' loader already refuses unknown fields, verdicts, reasons and
// duplicate ids.
package vectorlint
