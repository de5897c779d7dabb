package snapshot

import "github.com/touchstone-oracle/touchstone/canon/reject"

// A Snapshot is an immutable value of the strict snapshot domain. It is one
// string wide, may be copied and compared with ==, and is safe for concurrent
// use. The zero Snapshot is no snapshot: its canonical form is empty, and it
// equals only another zero Snapshot.
type Snapshot struct {
	text string // the canonical form; empty only in the zero Snapshot
}

// CanonicalJSON gives the canonical form by RFC 8785 without copying.
func (s Snapshot) CanonicalJSON() string { return s.text }

// AppendCanonical appends the canonical form to dst.
func (s Snapshot) AppendCanonical(dst []byte) []byte { return append(dst, s.text...) }

// IsZero reports whether s is the zero Snapshot, which holds no value.
func (s Snapshot) IsZero() bool { return s.text == "" }

// Equal reports whether a and b are the same value: whether their canonical
// forms are the same bytes.
func Equal(a, b Snapshot) bool { return a.text == b.text }

// View decodes the snapshot into Go values that nothing else refers to: nil,
// bool, float64, string, []any and map[string]any. Every call decodes afresh,
// so views share no container with each other, and changing one changes
// nothing else. Strings may share the snapshot's memory, which is never
// written; a string that is kept keeps the canonical form alive. The view of
// the zero Snapshot is nil.
//
// A view is equal to the value that a snapshot was made of by Equal, not by Go
// type: an int comes back as a float64.
func (s Snapshot) View() any {
	if s.text == "" {
		return nil
	}
	r := viewers.Get().(*viewer)
	v := r.decode(s.text)
	viewers.Put(r)
	return v
}

// refuse builds the error for a value.
func refuse(reason reject.Reason) *reject.Error {
	return &reject.Error{
		Package: "snapshot", Reason: reason,
		Requirement: reason.Clause(reject.RFC0016), Offset: -1,
	}
}
