// Package canon writes the canonical form of JSON texts by RFC 8785, the JSON
// Canonicalization Scheme: equal values give equal bytes, so that the bytes can
// be hashed and signed.
//
// # Which text decides
//
// RFC 8785 leans on others. In the order in which they decide here:
//
//   - RFC 8785: the form itself, with ECMA-262's Number::toString for numbers
//     and JSON.stringify's escapes for strings (sections 3.2.2 and 3.2.3).
//   - RFC 7493 (I-JSON), which RFC 8785 section 3.1 asks of its input: UTF-8,
//     no lone surrogates, no duplicate names, numbers that a double can hold.
//   - RFC 8259: the grammar, and the freedom to set limits (section 9).
//
// # What is refused, and the choices left open
//
// Refused, because a clause says so: what is not a JSON text, bytes that are
// not UTF-8, lone surrogates, two equal names in one object (compared after
// unescaping, never normalized), and numbers beyond the range of a double.
//
// Where the texts leave a choice, this package makes it so:
//
//   - a byte order mark before the text is refused (RFC 8259 section 8.1);
//   - -0, and what rounds to it, gives 0 (RFC 8785 appendix B), unless
//     [Options.RefuseNegativeZero] is set;
//   - a number that underflows to zero gives 0, unless
//     [Options.RefuseUnderflow] is set;
//   - numbers are rounded exactly, to the nearest double and of two equally
//     near ones to the even one, however many digits they have; see
//     [Options.RefuseInexact];
//   - noncharacters are kept, unless [Options.RefuseNoncharacters] is set;
//   - a text may be nested 1,000 deep and be 16 MiB long; see [Options].
//
// # Errors
//
// An error is a *[reject.Error]: the reason, the byte offset, line, column and
// JSON Pointer of the place, and the requirement that is broken. It holds
// nothing of the text. Of several faults the one with the least offset is
// told:
//
//   - a syntax fault stands at the first byte that cannot go on, or at the
//     length of a text that ends too soon;
//   - faulty UTF-8 at the first byte of the ill-formed sequence;
//   - a surrogate or noncharacter at its first byte, the backslash of its escape;
//   - a duplicate name at the opening quotation mark of the later one;
//   - a number, and what a limit counts, at its first byte;
//   - the limits of the whole text's size at 0; that of the output is looked
//     at last.
//
// # Concurrency and memory
//
// Everything in the package may be used by any number of goroutines at once.
// No function keeps or changes its input, and no result shares memory with it.
//
// [Append] allocates nothing if dst has room for the result, once its buffers
// have grown. Beside dst it uses at most three times the memory of the text and
// 128 KiB, which is kept for the next call unless it is more than 8 MiB. Time is linear in the text, but for sorting, which is n log n
// in the members of an object; neither depth nor any spelling makes it more. A
// text that is refused is read twice.
package canon
