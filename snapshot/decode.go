package snapshot

import (
	"errors"
	"fmt"
	"sync"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// Decode takes the snapshot of a JSON text under the default Options.
func Decode(text []byte) (Snapshot, error) { return Options{}.Decode(text) }

// Decode takes the snapshot of a JSON text. The text is only read, and nothing
// of it is kept. The one allocation of a success is the canonical form.
func (o Options) Decode(text []byte) (Snapshot, error) {
	scratch := buffers.Get().(*[]byte)
	out, err := o.canon().Append((*scratch)[:0], text)
	if err != nil {
		buffers.Put(scratch)
		return Snapshot{}, o.reword(text, err)
	}
	s := Snapshot{string(out)}
	keep(scratch, out)
	return s, nil
}

// ErrNotCanonical says that stored bytes are in the domain but are not their
// own canonical form, so that they are not what a snapshot has stored.
var ErrNotCanonical = errors.New("snapshot: the stored bytes are not their own canonical form: take the snapshot anew, or find out who changed them")

// Verify takes back a snapshot from its stored canonical form, under the
// default Options.
func Verify(stored []byte) (Snapshot, error) { return Options{}.Verify(stored) }

// Verify takes back a snapshot from its stored canonical form. Bytes that are
// outside the domain give a *reject.Error, bytes that are not canonical an
// error that wraps ErrNotCanonical and tells the offset of the difference.
func (o Options) Verify(stored []byte) (Snapshot, error) {
	s, err := o.Decode(stored)
	if err != nil {
		return Snapshot{}, err
	}
	if s.text == string(stored) {
		return s, nil
	}
	at := 0
	for at < len(stored) && at < len(s.text) && stored[at] == s.text[at] {
		at++
	}
	return Snapshot{}, fmt.Errorf("%w (they differ from offset %d)", ErrNotCanonical, at)
}

// reword makes a refusal by canon one of this package: the clause is the
// domain's, the pointer shows names if asked.
func (o Options) reword(text []byte, err error) error {
	var refusal *reject.Error
	if !errors.As(err, &refusal) {
		return err
	}
	mine := *refusal
	mine.Package = "snapshot"
	if mine.Reason != reject.Syntax {
		mine.Requirement = mine.Reason.Clause(reject.RFC0016)
	}
	if o.ShowNames {
		mine.Pointer = mine.PointerIn(text)
	}
	return &mine
}

// buffers holds scratch space for canonical forms that are being written.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keepable bounds the scratch space that outlives a call.
const keepable = 1 << 20

// keep gives scratch space back for the next call, unless it has grown large.
func keep(scratch *[]byte, used []byte) {
	if cap(used) > keepable {
		used = nil
	}
	*scratch = used
	buffers.Put(scratch)
}
