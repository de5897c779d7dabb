package canon

import (
	"strconv"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// A fault is what a reject.Error is made of once the text is at hand.
type fault struct {
	offset int
	reason reject.Reason
	clause string
	detail string
}

func (f *fault) error(src []byte) error {
	e := reject.At("canon", src, f.offset, f.reason, f.clause)
	e.Detail = f.detail
	return e
}

// newFault is for every reason but syntax, which has clauses of its own.
func newFault(offset int, reason reject.Reason) *fault {
	profile := reject.RFC8785
	if reason == reject.Noncharacter {
		profile = reject.IJSON
	}
	return &fault{offset: offset, reason: reason, clause: reason.Clause(profile)}
}

// syntaxFault is for a byte, or an end, that the grammar does not allow at a
// spot. A byte that begins no character is faulty UTF-8 before it is anything
// else.
func syntaxFault(src []byte, offset int, spot reject.Spot) *fault {
	rest := src[offset:]
	if r, size := utf8.DecodeRune(rest); r == utf8.RuneError && size == 1 {
		return newFault(offset, reject.InvalidUTF8)
	}
	return &fault{offset: offset, reason: reject.Syntax, clause: reject.SyntaxClause(spot, rest)}
}

// limitFault tells which limit was passed.
func limitFault(offset int, what string, limit int) *fault {
	reason, unit := reject.LimitSize, " bytes"
	switch what {
	case "depth":
		reason, unit = reject.LimitDepth, " levels"
	case "members", "elements", "digits":
		reason, unit = reject.LimitCount, " "+what
	}
	f := newFault(offset, reason)
	f.detail = "the limit of " + what + " is " + strconv.Itoa(limit) + unit
	return f
}
