package canon

import "math"

// Options holds limits and refusals. The zero value is what the package's
// functions use. A limit of 0 means the default and a negative one no limit; a
// text that just reaches a limit is accepted.
//
// Limits exist since RFC 8259 section 9 allows them; refusals are stricter
// readings that RFC 8785 and RFC 7493 allow.
type Options struct {
	// MaxDepth bounds how deep arrays and objects are nested; [] is 1 deep.
	// Default 1,000. Beyond: limit_depth, at the bracket that is too deep.
	MaxDepth int
	// MaxInput bounds the bytes of the text. Default 16 MiB. Beyond: limit_size
	// at offset 0, and nothing is read.
	MaxInput int
	// MaxOutput bounds the bytes of the canonical form, which can be longer
	// than the text. Default: no limit. Beyond: limit_size at offset 0, for a
	// text that has no other fault.
	MaxOutput int
	// MaxMembers bounds the members of one object. Default: no limit. Beyond:
	// limit_count, at the name of the first member too many.
	MaxMembers int
	// MaxElements bounds the elements of one array. Default: no limit. Beyond:
	// limit_count, at the first element too many.
	MaxElements int
	// MaxStringBytes bounds the bytes of one string or member name, unescaped
	// and in UTF-8. Default: no limit. Beyond: limit_size, at its opening
	// quotation mark.
	MaxStringBytes int
	// MaxDigits bounds the digits of one number's text, those of its exponent
	// among them. Default: no limit. Beyond: limit_count, at the number.
	MaxDigits int

	// RefuseNegativeZero refuses -0 however spelled, and negative numbers that
	// round to it (RFC 8785 appendix B, verified erratum 7920): negative_zero.
	RefuseNegativeZero bool
	// RefuseUnderflow refuses numbers that are not zero and round to zero
	// (RFC 7493 section 2.2): number_underflow, also for negative ones.
	RefuseUnderflow bool
	// RefuseNoncharacters refuses U+FDD0 to U+FDEF and the last two code points
	// of each plane in names and strings (RFC 7493 section 2.1): noncharacter.
	RefuseNoncharacters bool
	// RefuseInexact refuses numbers whose canonical form denotes another
	// decimal value than their text does (RFC 7493 section 2.2):
	// inexact_number. 0.1 and 1e20 are exact in this sense, 9007199254740993
	// is not.
	RefuseInexact bool
}

const (
	defaultDepth = 1000
	defaultInput = 16 << 20
)

// rules is an Options with its defaults filled in: each limit is what is still
// allowed.
type rules struct {
	depth, input, output, members, elements, stringBytes, digits int

	negativeZero, underflow, noncharacters, inexact bool // refused

	// counted: there is a limit of what is counted on the way. strict: there is
	// one that the fast path does not know.
	counted, strict bool
}

// The fast path knows limits of strings and digits from here on: it counts the
// bytes of a string's text only if they are so many, and those of a number's
// text only if it cannot be taken as it stands.
const (
	leastStringBytes = 32
	leastDigits      = 20
)

var defaultRules = Options{}.rules()

func (o Options) rules() rules {
	return rules{
		depth:       limit(o.MaxDepth, defaultDepth),
		input:       limit(o.MaxInput, defaultInput),
		output:      limit(o.MaxOutput, math.MaxInt),
		members:     limit(o.MaxMembers, math.MaxInt),
		elements:    limit(o.MaxElements, math.MaxInt),
		stringBytes: limit(o.MaxStringBytes, math.MaxInt),
		digits:      limit(o.MaxDigits, math.MaxInt),

		negativeZero:  o.RefuseNegativeZero,
		underflow:     o.RefuseUnderflow,
		noncharacters: o.RefuseNoncharacters,
		inexact:       o.RefuseInexact,

		counted: o.MaxMembers > 0 || o.MaxElements > 0 || o.MaxStringBytes > 0 || o.MaxDigits > 0,
		strict:  o.MaxStringBytes > 0 && o.MaxStringBytes < leastStringBytes || o.MaxDigits > 0 && o.MaxDigits < leastDigits,
	}
}

func limit(given, preset int) int {
	switch {
	case given < 0:
		return math.MaxInt
	case given == 0:
		return preset
	}
	return given
}
