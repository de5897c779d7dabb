package snapshot_test

import (
	"errors"
	"fmt"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

func ExampleDecode() {
	s, err := snapshot.Decode([]byte(`{"limit": 1e1, "query": "caf\u00e9"}`))
	fmt.Println(s.CanonicalJSON(), err)

	_, err = snapshot.Decode([]byte(`{"amount": -0}`))
	fmt.Println(err)
	// Output:
	// {"limit":10,"query":"café"} <nil>
	// snapshot: the number is negative zero, at offset 11 (line 1, column 12), in /* [negative_zero, rfc0016/domain/negative-zero]: write 0
}

func ExampleOf() {
	filter := map[string]any{"field": "status"}
	_, err := snapshot.Of(map[string]any{"must": filter, "should": []any{filter}})
	fmt.Println(errors.Is(err, reject.RepeatedReference))
	fmt.Println(err)
	// Output:
	// true
	// snapshot: the same container is reached twice (map[string]interface {}), in /*/0 [repeated_reference, rfc0016/domain/references]: copy the container
}

func ExampleSnapshot_View() {
	s, _ := snapshot.Of(map[string]any{"n": 1})
	policy, tool := s.View().(map[string]any), s.View().(map[string]any)
	policy["n"] = "changed by the policy"
	fmt.Println(tool["n"], s.CanonicalJSON())
	// Output: 1 {"n":1}
}

func ExampleAs() {
	type payment struct {
		Amount   int    `json:"amount"`
		Currency string `json:"currency,omitempty"`
	}
	s, _ := snapshot.Decode([]byte(`{"amount": 5}`))
	p, err := snapshot.As[payment](s, snapshot.RefuseUnknown, snapshot.RefuseMissing)
	fmt.Println(p.Amount, err)

	s, _ = snapshot.Decode([]byte(`{"AMOUNT": 5}`))
	_, err = snapshot.As[payment](s, snapshot.RefuseUnknown, snapshot.RefuseMissing)
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// snapshot: the name "amount" is missing (snapshot_test.payment), at the top
}

func ExampleProposalHash() {
	s, _ := snapshot.Decode([]byte(`{"q":"x","n":1}`))
	hash, _ := snapshot.ProposalHash("Support Agent", "search_docs", s)
	fmt.Println(hash)
	// Output: 1a3592016b86e3d083c4d04e0520313beea8085cc2a4bdd7c904b6e9624932dc
}
