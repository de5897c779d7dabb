package verdict

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func TestSizeBeyondTheFloorMayBeRefused(t *testing.T) {
	for _, c := range []struct {
		text, canonical int
		want            Kind
	}{
		{SizeFloor, SizeFloor, Accept},
		{SizeFloor + 1, 1, Either},
		{1, SizeFloor + 1, Either},
		{SizeFloor + 1, SizeFloor + 1, Either},
	} {
		x := &reference.Examination{Canonical: make([]byte, c.canonical)}
		v := of(reject.RFC8785, make([]byte, c.text), x)
		if v.Kind != c.want || v.May(reject.LimitSize) != (c.want == Either) || !v.Right(x.Canonical) {
			t.Errorf("text of %d, canonical form of %d bytes: got %s %v", c.text, c.canonical, v.Kind, v.Reasons)
		}
	}
	refused := &reference.Examination{Faults: []*reject.Error{{Reason: reject.Syntax}}}
	if v := of(reject.RFC8785, make([]byte, SizeFloor+1), refused); v.Kind != Reject || !v.May(reject.LimitSize) {
		t.Errorf("what has to be refused: got %s %v", v.Kind, v.Reasons)
	}
}
