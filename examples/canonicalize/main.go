// Canonicalize shows the canonical form of a document, and what an error tells
// when there is none.
package main

import (
	"errors"
	"fmt"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

func main() {
	out, err := canon.Canonicalize([]byte(`{"peach": 1e21, "péché": [1.50, -0], "\u0061": "\u20ac"}`))
	fmt.Println(string(out), err)

	// The same member twice: two readers may see two different documents.
	_, err = canon.Canonicalize([]byte(`{"pay": {"to": "alice", "\u0074o": "bob"}}`))
	fmt.Println(errors.Is(err, reject.DuplicateName))
	var refusal *reject.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Offset, refusal.Pointer, refusal.Requirement)
	}

	// -0 is written as 0 unless it is refused, which erratum 7920 advises.
	_, err = canon.Options{RefuseNegativeZero: true}.Canonicalize([]byte(`[-0]`))
	fmt.Println(err)
}
