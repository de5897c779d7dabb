package law

import (
	"bytes"
	"fmt"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
)

// checkReference compares with the reference: all of it for an implementation
// that speaks the list of reasons, else the verdict that RFC 8785 leaves.
func checkReference(im Implementation, input []byte) error {
	out, err := im.Canonicalize(input)
	if !speaks(im) {
		return againstVerdict(input, out, err)
	}
	want, wantErr := reference.Canonicalize(input)
	if (wantErr == nil) != (err == nil) || err == nil && !bytes.Equal(out, want) {
		return fmt.Errorf("%s gives %s, %v; the reference %s, %v", show(input), show(out), err, show(want), wantErr)
	}
	if err == nil {
		return nil
	}
	e, ok := refusal(err)
	if !ok {
		return fmt.Errorf("%s: the error is a %T", show(input), err)
	}
	if isLimit(err) && e.Reason != reject.LimitDepth {
		return nil // of size or count: the reference has none
	}
	w, _ := refusal(wantErr)
	if e.Reason != w.Reason || e.Offset != w.Offset || e.Line != w.Line || e.Column != w.Column ||
		e.Pointer != w.Pointer || e.Requirement != w.Requirement {
		return fmt.Errorf("%s is refused with %v; by the reference with %v", show(input), err, wantErr)
	}
	return nil
}

func againstVerdict(input, out []byte, err error) error {
	v := verdict.Of(reject.RFC8785, input)
	switch {
	case err != nil && v.Kind == verdict.Accept:
		return fmt.Errorf("%s is refused: %v; its canonical form is %s", show(input), err, show(v.Canonical))
	case err == nil && v.Kind == verdict.Reject:
		return fmt.Errorf("%s gives %s and must be refused: %v", show(input), show(out), v.Faults[0])
	case err == nil && v.Canonical != nil && !v.Right(out):
		return fmt.Errorf("%s gives %s; its canonical form is %s", show(input), show(out), show(v.Canonical))
	}
	return nil
}

func speaks(im Implementation) bool { _, ok := im.(Speaker); return ok }
