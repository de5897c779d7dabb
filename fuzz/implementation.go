package fuzz

import (
	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/oracle/law"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// Canon is package canon as the laws ask for it, within the given options.
type Canon struct{ Options canon.Options }

// SpeaksReasons says that errors carry the closed list's reasons.
func (Canon) SpeaksReasons() {}

// Canonicalize is canon's.
func (c Canon) Canonicalize(src []byte) ([]byte, error) { return c.Options.Canonicalize(src) }

// Append is canon's.
func (c Canon) Append(dst, src []byte) ([]byte, error) { return c.Options.Append(dst, src) }

// Valid is canon's.
func (c Canon) Valid(src []byte) bool { return c.Options.Valid(src) }

// AppendNumber is canon's.
func (Canon) AppendNumber(dst []byte, f float64) ([]byte, error) { return canon.AppendNumber(dst, f) }

// AppendString is canon's.
func (Canon) AppendString(dst []byte, s string) ([]byte, error) { return canon.AppendString(dst, s) }

// Strict is snapshot's decoder: the strict domain over text.
func (Canon) Strict() law.Implementation { return Snapshot{} }

// Within is canon with limits.
func (c Canon) Within(l law.Limits) law.Implementation {
	o := c.Options
	o.MaxDepth, o.MaxInput, o.MaxOutput, o.MaxMembers = l.Depth, l.Input, l.Output, l.Members
	o.MaxElements, o.MaxStringBytes, o.MaxDigits = l.Elements, l.StringBytes, l.Digits
	return Canon{o}
}

// Reference is package canon/reference as the laws ask for it.
type Reference struct{}

// Canonicalize is the reference's.
func (Reference) Canonicalize(src []byte) ([]byte, error) { return reference.Canonicalize(src) }

// SpeaksReasons says that errors carry the closed list's reasons.
func (Reference) SpeaksReasons() {}

// Snapshot is package snapshot's decoder as the laws ask for it.
type Snapshot struct{}

// Canonicalize decodes a text and gives the snapshot's canonical form.
func (Snapshot) Canonicalize(src []byte) ([]byte, error) {
	s, err := snapshot.Decode(src)
	if err != nil {
		return nil, err
	}
	return s.AppendCanonical(nil), nil
}

// Decode gives the snapshot itself.
func (Snapshot) Decode(src []byte) (law.Snapshot, error) { return snapshotOf(snapshot.Decode(src)) }

// Of gives the snapshot of a Go value.
func (Snapshot) Of(value any) (law.Snapshot, error) { return snapshotOf(snapshot.Of(value)) }

func snapshotOf(s snapshot.Snapshot, err error) (law.Snapshot, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
