package grammar

import "slices"

// A Feature is a thing that a document may hold. The list is closed.
type Feature uint8

// The features, in the order of a histogram.
const (
	TopScalar Feature = iota
	EmptyText
	EmptyArray
	EmptyObject
	Literal
	WideContainer // 16 members and more
	DeepNesting   // 32 levels and more
	NearDepth     // 990 levels and more
	ObjectInArray
	AgentDocument
	NumbersOnly
	TextNear4096  // by blanks before or behind
	TextNear65536 // the same

	SpaceNone
	SpacePretty
	SpaceEverywhere
	SpaceLongRun // 8 bytes and more
	SpaceCRLF
	SpaceOutside // before or behind the value

	EscapeNone
	EscapeAll
	EscapeMixed
	EscapeUpperHex
	EscapeSolidus
	EscapeShortAsUnit // a short escape spelled \u
	EscapePair        // an astral character spelled as two units

	StringEmpty
	StringNearBlock // 7 to 9, 15 to 17, 31 to 33, 63 to 65 bytes
	StringNear255
	StringNear4096
	StringNear65536
	CharQuote
	CharShortControl
	CharOtherControl
	CharNUL
	CharDEL
	CharHTML
	CharTwoByte
	CharThreeByte
	CharHighBMP // U+E000 to U+FFFF: behind astral by code unit, before it by code point
	CharAstral
	CharCombining
	CharSeparator // U+2028, U+2029 and other blanks inside a string
	CharBOM
	CharReplacement
	CharNoncharacter

	NameEmpty
	NamePrototype // __proto__ and its kin
	NameInteger
	NameCase
	NameUTF16Order
	NamePrefix
	NameLocale
	NameNormalization
	NameLong
	NameSharedStart // equal for 7 units and more

	NumberZero
	NumberNegativeZero
	NumberSmallInteger
	NumberDecimal
	NumberLayoutBoundary // near 1e21 and 1e-6
	NumberSafeInteger    // near 2^53
	NumberWordInteger    // near 2^31, 2^32, 2^63, 2^64
	NumberPowerOfTwo
	NumberRandomBits
	NumberShortDigits
	NumberSeventeenDigits
	NumberTie  // halfway between two doubles
	NumberHalf // a decimal at the half between two doubles, all digits or close to it
	NumberHalfExact
	NumberHalfBelow
	NumberHalfAbove
	NumberHalfLeast     // between 0 and the least double
	NumberHalfOverflow  // 2^1024 - 2^970, from which numbers are beyond the range
	NumberHalfCut       // more than 20 digits, the half between their cut and the cut counted up
	NumberOverflowByCut // below 2^1024 - 2^970, and the cut counted up is beyond it
	NumberManyDigits    // more than 20
	NumberVeryManyDigits
	NumberDenormal
	NumberNearOverflow
	NumberOverflow
	NumberUnderflow
	NumberExponentHuge
	NumberExponentSpelled // an exponent where none is needed
	NumberTrailingZeros
	NumberShiftedPoint

	BadLoneHigh
	BadLoneLow
	BadReversedPair
	BadSurrogateThenByte
	BadDuplicate
	BadDuplicateSpelled // the second one with other escapes
	BadDuplicateFar
	BadUTF8
	BadGrammar
	BadControl
	BadEscape
	BadNumber
	BadLiteral
	BadTrailing
	BadStart
	BadTruncated
	BadSpliced
	BadByte

	PairSame
	PairDifferent

	featureCount
)

var featureNames = [featureCount]string{
	"top-scalar", "empty-text", "empty-array", "empty-object", "literal", "wide-container", "deep-nesting", "near-depth",
	"object-in-array", "agent-document", "numbers-only", "text-near-4096", "text-near-65536",
	"space-none", "space-pretty", "space-everywhere", "space-long-run", "space-crlf", "space-outside",
	"escape-none", "escape-all", "escape-mixed", "escape-upper-hex", "escape-solidus", "escape-short-as-unit", "escape-pair",
	"string-empty", "string-near-block", "string-near-255", "string-near-4096", "string-near-65536",
	"char-quote", "char-short-control", "char-other-control", "char-nul", "char-del", "char-html", "char-two-byte", "char-three-byte",
	"char-high-bmp", "char-astral", "char-combining", "char-separator", "char-bom", "char-replacement", "char-noncharacter",
	"name-empty", "name-prototype", "name-integer", "name-case", "name-utf16-order", "name-prefix", "name-locale",
	"name-normalization", "name-long", "name-shared-start",
	"number-zero", "number-negative-zero", "number-small-integer", "number-decimal", "number-layout-boundary", "number-safe-integer",
	"number-word-integer", "number-power-of-two", "number-random-bits", "number-short-digits", "number-seventeen-digits",
	"number-tie", "number-half", "number-half-exact", "number-half-below", "number-half-above", "number-half-least",
	"number-half-overflow", "number-half-cut", "number-overflow-by-cut", "number-many-digits", "number-very-many-digits", "number-denormal", "number-near-overflow",
	"number-overflow", "number-underflow", "number-exponent-huge", "number-exponent-spelled", "number-trailing-zeros", "number-shifted-point",
	"bad-lone-high", "bad-lone-low", "bad-reversed-pair", "bad-surrogate-then-byte", "bad-duplicate", "bad-duplicate-spelled",
	"bad-duplicate-far", "bad-utf8", "bad-grammar", "bad-control", "bad-escape", "bad-number", "bad-literal", "bad-trailing",
	"bad-start", "bad-truncated", "bad-spliced", "bad-byte",
	"pair-same", "pair-different",
}

// String gives the feature's name.
func (f Feature) String() string { return featureNames[f] }

// Features lists every feature.
func Features() []Feature {
	all := make([]Feature, featureCount)
	for i := range all {
		all[i] = Feature(i)
	}
	return all
}

// A Set is a set of features. The zero Set is empty.
type Set [2]uint64

func (s *Set) add(f Feature) { s[f/64] |= 1 << (f % 64) }

// Has reports whether f is in the set.
func (s Set) Has(f Feature) bool { return s[f/64]>>(f%64)&1 == 1 }

// List gives the features of the set in order.
func (s Set) List() []Feature {
	return slices.DeleteFunc(Features(), func(f Feature) bool { return !s.Has(f) })
}

// A Histogram counts documents by feature. The zero Histogram is empty. Not
// safe for concurrent use; Merge joins those of several workers.
type Histogram struct {
	Documents int64
	Bytes     int64
	counts    [featureCount]int64
}

// Add counts one document.
func (h *Histogram) Add(size int, s Set) {
	h.Documents++
	h.Bytes += int64(size)
	for f := range featureCount {
		if s.Has(f) {
			h.counts[f]++
		}
	}
}

// Count tells how many documents held f.
func (h *Histogram) Count(f Feature) int64 { return h.counts[f] }

// Merge adds the counts of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	h.Documents += other.Documents
	h.Bytes += other.Bytes
	for i, n := range other.counts {
		h.counts[i] += n
	}
}

// Counts gives the counts by name, features never drawn included.
func (h *Histogram) Counts() map[string]int64 {
	all := make(map[string]int64, featureCount)
	for i, n := range h.counts {
		all[featureNames[i]] = n
	}
	return all
}

// Restore sets the counts from what Counts gave; names not known are left out.
func (h *Histogram) Restore(counts map[string]int64) {
	for i, name := range featureNames {
		h.counts[i] = counts[name]
	}
}
