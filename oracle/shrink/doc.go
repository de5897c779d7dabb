// Package shrink makes a text as small as it can while something stays true of
// it: usually that an implementation still departs from the right answer in the
// same way. The text need not be JSON, nor UTF-8.
//
// Smaller means shorter, and of two texts of one length the one whose bytes are
// plainer: digits, a, A, the rest of ASCII in order, controls, other bytes. Every
// step makes the text smaller by this measure, so that minimizing ends, and the
// same text and condition always give the same result.
//
// Three kinds of step take turns until none helps: on the tree (a container
// becomes one of its values, items go, objects become arrays, values become the
// simplest ones), on
// tokens (white space goes, strings lose characters, numbers lose digits and
// become less; strings that mean the same are changed together, so that a
// duplicate stays one), on bytes (pieces go, bytes become plainer).
package shrink
