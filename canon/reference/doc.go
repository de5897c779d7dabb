// Package reference is RFC 8785 the obvious way: the second derivation that
// canon is checked against and the source of every verdict. It shares no logic
// with canon, only the words of canon/reject.
//
// It follows the standards' own constructions, one to one:
//
//   - UTF-8 by the productions of RFC 3629 section 4;
//   - the grammar of RFC 8259 by recursive descent;
//   - strings as arrays of UTF-16 code units, compared unit by unit
//     (RFC 8785 section 3.2.3);
//   - number text to double by exact integer arithmetic (ECMA-262 section
//     7.1.4.1, RoundMVResult), cut at 800 significant digits with a sticky
//     digit behind, which no double's halfway point reaches;
//   - double to text by exact integer arithmetic from the definition of
//     Number::toString (ECMA-262 section 6.1.6.1.20) with its Note 2, which
//     RFC 8785 section 3.2.2.3 makes a MUST. No strconv float conversion is used.
//
// Examine finds every reason that applies to a document, not only the first,
// so that a judge can tell which refusals are right.
//
// How slow: about 3 to 10 MB/s on documents of strings and short numbers, and
// 4 to 8 microseconds a number of 17 digits to read and write. Time and memory
// are linear in the input, sorting apart; what is allocated is about 100 times
// the input. Nesting beyond MaxDepth levels ends the examination.
//
// All functions are safe for concurrent use and keep nothing of their input.
package reference
