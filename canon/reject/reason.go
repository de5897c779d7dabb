package reject

import "fmt"

// A Reason says why an input is refused. The list is closed: no other reason
// appears in a vector, a report or the line protocol. A Reason is an error, so
// that errors.Is(err, reject.DuplicateName) asks what it seems to ask.
type Reason uint8

// The reasons, in the order of the documentation.
const (
	// None is the zero Reason: no reason was given.
	None Reason = iota
	Syntax
	InvalidUTF8
	BOM
	LoneSurrogate
	Noncharacter
	DuplicateName
	NumberOverflow
	NumberUnderflow
	NegativeZero
	NonFiniteNumber
	InexactNumber
	LimitDepth
	LimitSize
	LimitCount
	TypedNil
	Cycle
	RepeatedReference
	SparseArray
	AccessorProperty
	SymbolKey
	NonEnumerableProperty
	ArrayExtraProperty
	NonPlainObject
	NonPlainArray
	HostObject
	UnsupportedType
	reasonCount
)

type reasonEntry struct{ name, meaning, advice string }

var reasons = [reasonCount]reasonEntry{
	None:                  {"-", "no reason given", ""},
	Syntax:                {"syntax", "not a JSON text", "write the text by the grammar of RFC 8259"},
	InvalidUTF8:           {"invalid_utf8", "the bytes are not UTF-8", "encode the text as UTF-8; a lone surrogate has no UTF-8 form"},
	BOM:                   {"bom", "a byte order mark stands before the text", "remove the first three bytes"},
	LoneSurrogate:         {"lone_surrogate", "a surrogate escape without its other half", "pair the surrogates or replace the character"},
	Noncharacter:          {"noncharacter", "a Unicode noncharacter in a name or value", "remove the noncharacter"},
	DuplicateName:         {"duplicate_name", "the same member name twice in one object, after unescaping", "keep one of the members"},
	NumberOverflow:        {"number_overflow", "the number is beyond the range of a double", "send the number as a string"},
	NumberUnderflow:       {"number_underflow", "a number that is not zero rounds to zero as a double", "send the number as a string, or write 0"},
	NegativeZero:          {"negative_zero", "the number is negative zero", "write 0"},
	NonFiniteNumber:       {"non_finite_number", "the number is NaN or infinite", "use null or a string"},
	InexactNumber:         {"inexact_number", "the canonical form denotes another decimal value than the number given", "send the number as a string, or round it first"},
	LimitDepth:            {"limit_depth", "nested deeper than the limit", "flatten the document or raise the limit"},
	LimitSize:             {"limit_size", "larger than the limit", "shorten the document or raise the limit"},
	LimitCount:            {"limit_count", "more of a thing than the limit", "split the document or raise the limit"},
	TypedNil:              {"typed_nil", "a nil map, slice or pointer that has a type", "use untyped nil for null, or an empty container"},
	Cycle:                 {"cycle", "a container holds itself", "break the cycle"},
	RepeatedReference:     {"repeated_reference", "the same container is reached twice", "copy the container"},
	SparseArray:           {"sparse_array", "an array with a hole", "fill the holes"},
	AccessorProperty:      {"accessor_property", "a property with a getter or setter", "make it a data property"},
	SymbolKey:             {"symbol_key", "a property whose key is a symbol", "use a string key"},
	NonEnumerableProperty: {"non_enumerable_property", "a hidden property", "make it enumerable or remove it"},
	ArrayExtraProperty:    {"array_extra_property", "an array with a property beside its elements", "remove the property"},
	NonPlainObject:        {"non_plain_object", "an object that is not a plain record", "copy its members into a plain record"},
	NonPlainArray:         {"non_plain_array", "an array that is not a plain array", "copy its elements into a plain array"},
	HostObject:            {"host_object", "an object with a meaning of its own, such as a date or a map", "convert it to JSON values first"},
	UnsupportedType:       {"unsupported_type", "a value of a type outside the domain", "convert it to JSON values first"},
}

// Reasons lists every reason of the closed list, None left out.
func Reasons() []Reason {
	var all []Reason
	for r := None + 1; r < reasonCount; r++ {
		all = append(all, r)
	}
	return all
}

func (r Reason) entry() reasonEntry {
	if r < reasonCount {
		return reasons[r]
	}
	return reasonEntry{name: fmt.Sprintf("reason(%d)", uint8(r))}
}

// String gives the reason's name, such as "lone_surrogate"; "-" for None.
func (r Reason) String() string { return r.entry().name }

// Error gives the reason's name, so that a Reason can be the target of errors.Is.
func (r Reason) Error() string { return r.String() }

// Meaning says in a few words what is wrong with an input refused for r.
func (r Reason) Meaning() string { return r.entry().meaning }

// Advice says what the author of such an input can do about it.
func (r Reason) Advice() string { return r.entry().advice }

// IsLimit reports whether r speaks of a limit of size, depth or count rather
// than of the document's meaning (RFC 8259 section 9).
func (r Reason) IsLimit() bool { return r == LimitDepth || r == LimitSize || r == LimitCount }

// ParseReason reads a reason's name; "-" is None.
func ParseReason(name string) (Reason, error) {
	for r := None; r < reasonCount; r++ {
		if reasons[r].name == name {
			return r, nil
		}
	}
	return None, fmt.Errorf("reject: %q is not in the closed list of reasons", name)
}

// MarshalText writes the reason's name.
func (r Reason) MarshalText() ([]byte, error) {
	if r >= reasonCount {
		return nil, fmt.Errorf("reject: %s has no name", r)
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads a reason's name and refuses any other.
func (r *Reason) UnmarshalText(text []byte) (err error) {
	*r, err = ParseReason(string(text))
	return err
}
