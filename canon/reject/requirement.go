package reject

import "slices"

// A Requirement is one normative clause, in our own words.
type Requirement struct {
	ID      string   // source/section/slug, permanent
	Source  string   // the document, such as "RFC 8785"
	Section string   // its section
	Group   Group    // the column of a report it is counted in
	Text    string   // what is required
	Reasons []Reason // what breaking it on input is called; nil where only output can break it
}

// A Group gathers requirements for a report's columns.
type Group string

// The groups, in the order of a report's columns.
const (
	Encoding Group = "encoding" // bytes and byte order marks
	Grammar  Group = "grammar"  // RFC 8259's grammar, white space
	Strings  Group = "strings"  // escapes and characters
	Names    Group = "names"    // duplicates, names as data
	Order    Group = "order"    // sorting of members
	Numbers  Group = "numbers"  // parsing and printing of numbers
	Limits   Group = "limits"   // depth, size, count
	Domain   Group = "domain"   // RFC-0016's domain of values
)

// Groups lists the groups in the order of a report's columns.
func Groups() []Group {
	return []Group{Encoding, Grammar, Strings, Names, Order, Numbers, Limits, Domain}
}

const (
	r8259 = "RFC 8259"
	r7493 = "RFC 7493"
	r8785 = "RFC 8785"
	e262  = "ECMA-262"
	r0016 = "RFC-0016"
)

var (
	syntax   = []Reason{Syntax}
	catalog  = buildCatalog()
	catalogs = indexCatalog(catalog)
)

func buildCatalog() []Requirement {
	return []Requirement{
		{"rfc8259/2/one-value", r8259, "2", Grammar, "A JSON text is exactly one value; an empty or blank text is none.", syntax},
		{"rfc8259/2/trailing-data", r8259, "2", Grammar, "Nothing but white space follows the value.", syntax},
		{"rfc8259/2/white-space", r8259, "2", Grammar, "Between tokens stand only space, tab, line feed and carriage return; no comment and no other blank.", syntax},
		{"rfc8259/3/literals", r8259, "3", Grammar, "The literals are true, false and null, in lower case, and there is no other.", syntax},
		{"rfc8259/4/object", r8259, "4", Grammar, "An object is members of string, colon and value between braces, separated by single commas, none at the end.", syntax},
		{"rfc8259/5/array", r8259, "5", Grammar, "An array is values between brackets, separated by single commas, none at the end.", syntax},
		{"rfc8259/6/number", r8259, "6", Numbers, "A number is an optional minus, an integer without leading zeros, an optional fraction and an optional exponent, each with digits.", syntax},
		{"rfc8259/7/string", r8259, "7", Strings, "A string stands between two quotation marks.", syntax},
		{"rfc8259/7/control-character", r8259, "7", Strings, "U+0000 to U+001F do not stand in a string unescaped.", syntax},
		{"rfc8259/7/escape", r8259, "7", Strings, `An escape is a backslash and one of " \ / b f n r t, or u and four hexadecimal digits.`, syntax},
		{"rfc8259/8.1/utf-8", r8259, "8.1", Encoding, "The text is UTF-8 by RFC 3629: no overlong form, no surrogate, nothing beyond U+10FFFF, no piece of a sequence.", []Reason{InvalidUTF8}},
		{"rfc8259/8.1/byte-order-mark", r8259, "8.1", Encoding, "A text is generated without a byte order mark; a parser may ignore one or refuse it.", []Reason{BOM}},
		{"rfc8259/9/limits", r8259, "9", Limits, "An implementation may limit size, depth and counts; beyond its limit it refuses and does not fail otherwise.", []Reason{LimitDepth, LimitSize, LimitCount}},

		{"rfc7493/2.1/surrogates", r7493, "2.1", Strings, "Names and values hold no code point that is a surrogate, escaped or not.", []Reason{LoneSurrogate}},
		{"rfc7493/2.1/noncharacters", r7493, "2.1", Strings, "Names, and values in arrays and objects, hold no noncharacter.", []Reason{Noncharacter}},
		{"rfc7493/2.2/double-precision", r7493, "2.2", Numbers, "A message should not hold numbers of greater magnitude or precision than a double gives.", []Reason{NumberUnderflow, InexactNumber}},
		{"rfc7493/2.3/unique-names", r7493, "2.3", Names, "No object has two members of one name, compared after unescaping.", []Reason{DuplicateName}},

		{"rfc8785/3.1/unique-names", r8785, "3.1", Names, "Objects have no duplicate member names; code units are compared after unescaping, never normalized.", []Reason{DuplicateName}},
		{"rfc8785/3.1/unicode", r8785, "3.1", Strings, "String data is expressible as Unicode.", []Reason{LoneSurrogate, InvalidUTF8}},
		{"rfc8785/3.1/double", r8785, "3.1", Numbers, "Number data is expressible as an IEEE 754 double.", []Reason{NumberOverflow}},
		{"rfc8785/3.1/as-is", r8785, "3.1", Strings, "String data is never altered: no Unicode normalization, no replacement characters.", nil},
		{"rfc8785/3.2.1/no-white-space", r8785, "3.2.1", Grammar, "No white space is written between tokens.", nil},
		{"rfc8785/3.2.2.1/literals", r8785, "3.2.2.1", Grammar, "null, true and false are written as such.", nil},
		{"rfc8785/3.2.2.2/control-escape", r8785, "3.2.2.2", Strings, `U+0000 to U+001F without a short escape are written as \u and four lower-case hexadecimal digits.`, nil},
		{"rfc8785/3.2.2.2/short-escape", r8785, "3.2.2.2", Strings, `U+0008, U+0009, U+000A, U+000C and U+000D are written as \b \t \n \f and \r.`, nil},
		{"rfc8785/3.2.2.2/quote-and-backslash", r8785, "3.2.2.2", Strings, `Quotation mark and backslash are written as \" and \\.`, nil},
		{"rfc8785/3.2.2.2/as-is", r8785, "3.2.2.2", Strings, "Every other character is written as it is, DEL, solidus, U+2028 and < > & too.", nil},
		{"rfc8785/3.2.2.2/lone-surrogate", r8785, "3.2.2.2", Strings, "A lone surrogate ends the canonicalization with an error.", []Reason{LoneSurrogate}},
		{"rfc8785/3.2.2.3/number-to-string", r8785, "3.2.2.3", Numbers, "Numbers are written as ECMAScript's Number::toString writes doubles.", nil},
		{"rfc8785/3.2.2.3/note-2", r8785, "3.2.2.3", Numbers, "Of several shortest digit strings the one closest to the number is written, of two equally close ones the even one.", nil},
		{"rfc8785/3.2.2.3/non-finite", r8785, "3.2.2.3", Numbers, "NaN and infinities end the canonicalization with an error.", []Reason{NonFiniteNumber, NumberOverflow}},
		{"rfc8785/3.2.3/recursive", r8785, "3.2.3", Order, "Members are sorted in every object, those inside arrays too.", nil},
		{"rfc8785/3.2.3/code-units", r8785, "3.2.3", Order, "Names are sorted as arrays of UTF-16 code units, by value, without locale; a prefix comes first.", nil},
		{"rfc8785/3.2.3/unescaped", r8785, "3.2.3", Order, "Names are compared in their unescaped form.", nil},
		{"rfc8785/3.2.3/array-order", r8785, "3.2.3", Order, "The order of array elements is kept.", nil},
		{"rfc8785/3.2.4/utf-8", r8785, "3.2.4", Encoding, "The result is encoded in UTF-8, without a byte order mark.", nil},
		{"rfc8785/B/negative-zero", r8785, "B", Numbers, "Negative zero is written as 0; a parser should refuse it (erratum 7920).", []Reason{NegativeZero}},

		{"ecma262/6.1.6.1.20/layout", e262, "6.1.6.1.20", Numbers, "Digits are laid out plainly for values from 1e-6 up to below 1e21, with an exponent and its sign elsewhere, no leading zeros in it.", nil},
		{"ecma262/6.1.6.1.20/shortest", e262, "6.1.6.1.20", Numbers, "As few digits are written as tell the number from every other double.", nil},
		{"ecma262/7.1.4.1/rounding", e262, "7.1.4.1", Numbers, "Number text is rounded to the nearest double, ties to even; beyond 20 significant digits either neighbour of the cut may be taken.", []Reason{NumberUnderflow, NumberOverflow}},

		{"rfc0016/decoding/strict", r0016, "Decision", Grammar, "Raw arguments are decoded as strict JSON.", []Reason{Syntax, InvalidUTF8, BOM, DuplicateName}},
		{"rfc0016/domain/surrogates", r0016, "Strict Snapshot Domain", Domain, "Strings and names hold no lone surrogate.", []Reason{LoneSurrogate, InvalidUTF8}},
		{"rfc0016/domain/finite", r0016, "Strict Snapshot Domain", Domain, "Numbers are finite.", []Reason{NumberOverflow, NonFiniteNumber}},
		{"rfc0016/domain/exact", r0016, "Strict Snapshot Domain", Domain, "A number that is given as an integer or a decimal text is the number of the snapshot (asked for by the mapping of Go values and by lossless decoding).", []Reason{InexactNumber}},
		{"rfc0016/domain/negative-zero", r0016, "Strict Snapshot Domain", Domain, "Numbers are not negative zero.", []Reason{NegativeZero}},
		{"rfc0016/domain/dense", r0016, "Strict Snapshot Domain", Domain, "Arrays are dense.", []Reason{SparseArray}},
		{"rfc0016/domain/array-properties", r0016, "Strict Snapshot Domain", Domain, "Arrays have no own properties beside their elements.", []Reason{ArrayExtraProperty}},
		{"rfc0016/domain/plain-array", r0016, "Strict Snapshot Domain", Domain, "Arrays are plain arrays, not instances of a subclass.", []Reason{NonPlainArray}},
		{"rfc0016/domain/plain-record", r0016, "Strict Snapshot Domain", Domain, "Objects are plain records whose prototype is Object.prototype or null.", []Reason{NonPlainObject}},
		{"rfc0016/domain/accessors", r0016, "Strict Snapshot Domain", Domain, "Properties are data properties; no accessor is invoked.", []Reason{AccessorProperty}},
		{"rfc0016/domain/symbol-keys", r0016, "Strict Snapshot Domain", Domain, "Property keys are strings.", []Reason{SymbolKey}},
		{"rfc0016/domain/enumerable", r0016, "Strict Snapshot Domain", Domain, "Properties are enumerable.", []Reason{NonEnumerableProperty}},
		{"rfc0016/domain/cycles", r0016, "Strict Snapshot Domain", Domain, "No container holds itself.", []Reason{Cycle}},
		{"rfc0016/domain/references", r0016, "Strict Snapshot Domain", Domain, "No container is reached twice.", []Reason{RepeatedReference}},
		{"rfc0016/domain/types", r0016, "Strict Snapshot Domain", Domain, "undefined, bigint, symbols, functions and every type without a JSON meaning of its own are refused.", []Reason{UnsupportedType, TypedNil}},
		{"rfc0016/domain/hosts", r0016, "Strict Snapshot Domain", Domain, "Date, RegExp, Map, Set, typed arrays, class instances and other host objects are refused, by what they are and not only by their prototype.", []Reason{HostObject}},
		{"rfc0016/domain/names-are-data", r0016, "Strict Snapshot Domain", Names, "__proto__, constructor, prototype and their like are names as any other, kept and never interpreted.", nil},
		{"rfc0016/domain/unique-names", r0016, "Strict Snapshot Domain", Names, "The snapshot is a tree of JSON data, so no object has two members of one name.", []Reason{DuplicateName}},
		{"rfc0016/domain/canonical", r0016, "Strict Snapshot Domain", Domain, "The canonical arguments are exactly the RFC 8785 serialization of the snapshot's tree.", nil},
		{"rfc0016/approval/proposal-hash", r0016, "Argument Views", Domain, "The proposal hash binds agent, tool and canonical arguments.", nil},
		{"rfc0016/lifecycle/one-parse", r0016, "Decision", Domain, "The tool's schema is parsed exactly once an attempt, and only its output is authorized.", nil},
		{"rfc0016/lifecycle/stages", r0016, "Snapshot Failures", Domain, "Arguments that do not decode, that the schema refuses or that leave the domain end the attempt at that stage: no policy, no decision, no execution, no proposal.", nil},
		{"rfc0016/lifecycle/policy-view", r0016, "Argument Views", Domain, "Policy receives a decoded view whose canonical form is the canonical arguments, beside the raw and the requested arguments.", nil},
		{"rfc0016/lifecycle/execution-view", r0016, "Execution Semantics", Domain, "An allowed tool receives a new decoded view whose canonical form is the canonical arguments.", nil},
		{"rfc0016/lifecycle/isolation", r0016, "Decision", Domain, "What a callback was handed or has returned is no way to change what another receives.", nil},
		{"rfc0016/lifecycle/mutation", r0016, "Policy Mutation Semantics", Domain, "A view that policy has changed when it returns denies the call with policy_mutated_arguments; a policy that failed reports its failure first.", nil},
		{"rfc0016/lifecycle/suspended", r0016, "Proposal Hash And Approval", Domain, "A suspended proposal holds the fingerprint that policy evaluated, never one computed again.", nil},
		{"rfc0016/lifecycle/resume", r0016, "Proposal Hash And Approval", Domain, "A resumed call is a new attempt from the raw text; policy runs first, and evidence matches only an identical proposal hash.", nil},
		{"rfc0016/lifecycle/evidence", r0016, "docs/lifecycle.md", Domain, "Evidence counts once, by its issuer's word, before it expires and for the call it is bound to; its use is durable before dispatch.", nil},
		{"rfc0016/lifecycle/projection", r0016, "docs/lifecycle.md", Domain, "Projections lie in the domain and keep the arguments' names; what they hide appears in no record.", nil},
		{"rfc0016/lifecycle/admission", r0016, "docs/lifecycle.md", Domain, "An exclusive call is alone in its step, and a direct-only tool is called by the provider alone; who is admitted is settled before anything waits.", nil},
		{"rfc0016/lifecycle/records", r0016, "docs/lifecycle.md", Domain, "Each attempt has exactly one start event, one call record and one result record, in this order; an operation id only if it was dispatched.", nil},
	}
}

func indexCatalog(all []Requirement) map[string]int {
	index := make(map[string]int, len(all))
	for i, r := range all {
		index[r.ID] = i
	}
	return index
}

// Requirements lists the catalogue in the order of its sources.
func Requirements() []Requirement {
	all := slices.Clone(catalog)
	for i := range all {
		all[i].Reasons = slices.Clone(all[i].Reasons)
	}
	return all
}

// LookupRequirement finds a catalogue entry by its id.
func LookupRequirement(id string) (Requirement, bool) {
	i, ok := catalogs[id]
	if !ok {
		return Requirement{}, false
	}
	r := catalog[i]
	r.Reasons = slices.Clone(r.Reasons)
	return r, true
}

// clauses gives for each reason the requirement that text breaks by it, by
// profile; an empty string falls back to the column before it. Syntax has a
// clause for each kind of fault instead: see Syntax's functions.
var clauses = [reasonCount][3]string{
	Syntax:                {"rfc8259/2/one-value"},
	InvalidUTF8:           {"rfc8259/8.1/utf-8"},
	BOM:                   {"rfc8259/8.1/byte-order-mark"},
	LoneSurrogate:         {"rfc8785/3.2.2.2/lone-surrogate", "rfc7493/2.1/surrogates", "rfc0016/domain/surrogates"},
	Noncharacter:          {"rfc7493/2.1/noncharacters"},
	DuplicateName:         {"rfc8785/3.1/unique-names", "rfc7493/2.3/unique-names", "rfc0016/domain/unique-names"},
	NumberOverflow:        {"rfc8785/3.1/double", "", "rfc0016/domain/finite"},
	NumberUnderflow:       {"rfc7493/2.2/double-precision"},
	NegativeZero:          {"rfc8785/B/negative-zero", "", "rfc0016/domain/negative-zero"},
	NonFiniteNumber:       {"rfc8785/3.2.2.3/non-finite", "", "rfc0016/domain/finite"},
	InexactNumber:         {"rfc7493/2.2/double-precision", "", "rfc0016/domain/exact"},
	LimitDepth:            {"rfc8259/9/limits"},
	LimitSize:             {"rfc8259/9/limits"},
	LimitCount:            {"rfc8259/9/limits"},
	TypedNil:              {"rfc0016/domain/types"},
	Cycle:                 {"rfc0016/domain/cycles"},
	RepeatedReference:     {"rfc0016/domain/references"},
	SparseArray:           {"rfc0016/domain/dense"},
	AccessorProperty:      {"rfc0016/domain/accessors"},
	SymbolKey:             {"rfc0016/domain/symbol-keys"},
	NonEnumerableProperty: {"rfc0016/domain/enumerable"},
	ArrayExtraProperty:    {"rfc0016/domain/array-properties"},
	NonPlainObject:        {"rfc0016/domain/plain-record"},
	NonPlainArray:         {"rfc0016/domain/plain-array"},
	HostObject:            {"rfc0016/domain/hosts"},
	UnsupportedType:       {"rfc0016/domain/types"},
}

// Clause gives the id of the requirement that an input refused for r breaks
// under profile p. For Syntax it is the most general clause; SyntaxClause
// finds the particular one. None has no clause.
func (r Reason) Clause(p Profile) string {
	if r >= reasonCount || int(p) >= len(profileNames) {
		return ""
	}
	for ; clauses[r][p] == "" && p > 0; p-- {
	}
	return clauses[r][p]
}
