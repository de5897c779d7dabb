// Package verdict says what each profile decides of a JSON text: accept with
// the canonical form, reject with the reasons that may be given, or either.
//
// Verdicts come from canon/reference alone, never from the fast path. The
// choices that the standards leave open, each with its clause, are the table of
// docs/choices.md; an input that falls under one of them has the verdict
// Either, and no implementation is accused for its choice.
//
// All functions are safe for concurrent use and keep nothing of their input.
package verdict

import (
	"bytes"
	"slices"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// A Kind is one of the three verdicts.
type Kind string

// The verdicts.
const (
	Accept Kind = "accept" // the canonical form is owed
	Reject Kind = "reject" // a refusal is owed
	Either Kind = "either" // a refusal or the canonical form, nothing else
)

// SizeFloor is the size in bytes, of a text or of its canonical form, beyond
// which RFC 8259 section 9 makes every verdict Either. DepthFloor is the same
// for nesting.
const (
	SizeFloor  = 16 << 20
	DepthFloor = 1000
)

// A Verdict is what a profile decides of one text.
type Verdict struct {
	Profile reject.Profile
	Kind    Kind
	// Canonical is the canonical form; nil with Reject, and with Either where
	// nesting beyond reference.MaxDepth kept it from being computed.
	Canonical []byte
	// Reasons are those that a refusal may give, the one with the least
	// offset first; empty with Accept.
	Reasons []reject.Reason
	// Faults are the same with their places, and with the requirements of the
	// profile. They are in the order of Reasons.
	Faults []*reject.Error
	// Owed are those of Faults that alone make the verdict Reject, by offset;
	// empty with the other kinds. A number that overflows only if it is not cut
	// at 20 digits is none: it stands in Faults, and in Owed one behind it.
	Owed []*reject.Error
	// Depth is the nesting of the text: 1 for "[]", 0 for a scalar.
	Depth int

	variants []reference.Variant
}

// weight says how much a reason counts under a profile.
type weight uint8

const (
	nothing  weight = iota // not a reason here
	optional               // refusing is a choice
	binding                // refusing is owed
)

// Of gives one profile's verdict of a text.
func Of(p reject.Profile, src []byte) Verdict {
	return of(p, src, reference.Examine(src))
}

// All gives every profile's verdict of a text, indexed by profile, from one
// examination.
func All(src []byte) [3]Verdict {
	x := reference.Examine(src)
	var all [3]Verdict
	for _, p := range reject.Profiles() {
		all[p] = of(p, src, x)
	}
	return all
}

func of(p reject.Profile, src []byte, x *reference.Examination) Verdict {
	v := Verdict{Profile: p, Kind: Accept, Depth: x.Depth}
	for _, fault := range x.Faults {
		w := weigh(p, fault.Reason, x)
		if w == nothing {
			continue
		}
		if v.Kind == Accept {
			v.Kind = Either
		}
		worded := underProfile(fault, p)
		if w == binding {
			v.Kind = Reject
			owed := worded
			if fault.Reason == reject.NumberOverflow {
				owed = underProfile(x.Beyond, p)
			}
			v.Owed = append(v.Owed, owed)
		}
		v.Reasons = append(v.Reasons, fault.Reason)
		v.Faults = append(v.Faults, worded)
	}
	slices.SortStableFunc(v.Owed, func(a, b *reject.Error) int { return a.Offset - b.Offset })
	if len(src) > SizeFloor || len(x.Canonical) > SizeFloor {
		v.Reasons = append(v.Reasons, reject.LimitSize)
		v.Faults = append(v.Faults, reject.At("reference", nil, 0, reject.LimitSize, reject.LimitSize.Clause(p)))
		if v.Kind == Accept {
			v.Kind = Either
		}
	}
	if v.Kind != Reject {
		v.Canonical, v.variants = x.Canonical, x.Variants
	}
	return v
}

// weigh is the table of choices.
func weigh(p reject.Profile, r reject.Reason, x *reference.Examination) weight {
	text := p == reject.RFC0016 // the strict snapshot domain over text
	switch r {
	case reject.BOM, reject.LimitDepth:
		return optional
	case reject.NumberOverflow:
		if x.Beyond == nil {
			return optional
		}
		return binding
	case reject.Noncharacter:
		switch {
		case text:
			return nothing
		case p == reject.IJSON && !x.TopLevelString:
			return binding
		}
		return optional
	case reject.NegativeZero:
		if text {
			return binding
		}
		return optional
	case reject.NumberUnderflow:
		if text {
			return nothing
		}
		return optional
	case reject.InexactNumber:
		if text || !x.UnsafeInteger {
			return nothing
		}
		return optional
	}
	return binding
}

// underProfile words a fault by the profile's own clause. Syntax faults have
// one clause each, whatever the profile.
func underProfile(fault *reject.Error, p reject.Profile) *reject.Error {
	f := *fault
	if f.Reason != reject.Syntax {
		f.Requirement = f.Reason.Clause(p)
	}
	return &f
}

// Right reports whether out is a right answer for who accepts the text: the
// canonical form, or that form with a number of more than 20 significant
// digits rounded to the other neighbour that ECMA-262 section 7.1.4.1 allows.
func (v Verdict) Right(out []byte) bool {
	if v.Canonical == nil {
		return false
	}
	at := 0 // in Canonical
	for _, variant := range v.variants {
		var ok bool
		if out, ok = bytes.CutPrefix(out, v.Canonical[at:variant.Start]); !ok {
			return false
		}
		number := out[:numberLength(out)]
		if string(number) != string(v.Canonical[variant.Start:variant.End]) && !slices.Contains(variant.Others, string(number)) {
			return false
		}
		out, at = out[len(number):], variant.End
	}
	return string(out) == string(v.Canonical[at:])
}

// May reports whether a refusal may give the reason.
func (v Verdict) May(r reject.Reason) bool { return slices.Contains(v.Reasons, r) }

func numberLength(text []byte) int {
	for i, c := range text {
		if !('0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e') {
			return i
		}
	}
	return len(text)
}
