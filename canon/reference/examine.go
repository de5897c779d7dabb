package reference

import (
	"cmp"
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// An Examination is all that the rules say of a text, before any profile
// decides what of it counts.
type Examination struct {
	// Faults has one entry for each reason that applies, with its first
	// place, by offset and then by the order of the closed list, but syntax
	// last, since bytes that are not UTF-8 are no syntax either: every reason
	// up to the first syntax fault, and InvalidUTF8 wherever it stands. Among
	// them are reasons that not every profile refuses for. Package is
	// "reference"; requirements are those of the profile rfc8785.
	Faults []*reject.Error
	// Canonical is the canonical form, a byte order mark left out; nil if the
	// text has none.
	Canonical []byte
	// Variants are the numbers in Canonical that may be written otherwise.
	Variants []Variant
	// Depth is the deepest nesting that was read: 1 for "[]", 0 for a scalar.
	Depth int
	// Beyond is the refusal of the first number that is beyond the range of a
	// double however it is rounded; nil if there is none, and then
	// NumberOverflow among the faults only may be given.
	Beyond *reject.Error
	// Infinite is the refusal of the first number whose nearest double is an
	// infinity; nil if there is none. It stands among the faults too, unless
	// a number before it may overflow by its cut at 20 digits.
	Infinite *reject.Error
	// UnsafeInteger: some integer beyond 2^53-1 is changed by rounding.
	UnsafeInteger bool
	// TopLevelString: the noncharacter stands in a string that is the whole
	// text, of which RFC 7493 section 2.1 does not speak.
	TopLevelString bool
}

// formless are the reasons for which a text has no canonical form.
var formless = []reject.Reason{
	reject.Syntax, reject.InvalidUTF8, reject.LoneSurrogate, reject.DuplicateName,
}

// Examine finds every reason against a text and its canonical form. It keeps
// nothing of src.
func Examine(src []byte) *Examination {
	x := &Examination{}
	p := &parser{src: src, notes: x}
	tree := p.text()
	if at := illFormed(src); at >= 0 {
		p.fault(reject.InvalidUTF8, at)
	}
	slices.SortFunc(x.Faults, func(a, b *reject.Error) int {
		return cmp.Or(a.Offset-b.Offset, rank(a.Reason)-rank(b.Reason))
	})
	if tree != nil && x.Beyond == nil && x.First(formless...) == nil {
		w := writer{}
		w.value(tree)
		x.Canonical, x.Variants = w.out, w.variants
	}
	return x
}

func rank(r reject.Reason) int {
	if r == reject.Syntax {
		return 1 << 8
	}
	return int(r)
}

// First gives the fault with the least offset among those of the given
// reasons, or nil.
func (x *Examination) First(reasons ...reject.Reason) *reject.Error {
	for _, f := range x.Faults {
		if slices.Contains(reasons, f.Reason) {
			return f
		}
	}
	return nil
}

// Canonicalize gives the canonical form of a text, or the fault with the least
// offset as a *reject.Error. It makes the choices of canon's defaults: -0 gives
// 0, a byte order mark and more than 1,000 levels are refused, a number is
// rounded to the nearest double whatever its cut at 20 digits would give, and
// everything else that the standards leave open is accepted; there is no limit
// of size.
func Canonicalize(src []byte) ([]byte, error) {
	x := Examine(src)
	refusal := x.First(append([]reject.Reason{reject.BOM, reject.LimitDepth}, formless...)...)
	if x.Infinite != nil && (refusal == nil || x.Infinite.Offset < refusal.Offset) {
		refusal = x.Infinite
	}
	if refusal != nil {
		return nil, refusal
	}
	return x.Canonical, nil
}
