// Approve shows a tool call's arguments as evidence: the hash that a person
// approves binds agent, tool and arguments, and what runs is read from the same
// snapshot.
package main

import (
	"fmt"
	"log"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

func main() {
	// What the model wrote, and what it writes when it is asked again.
	proposed, err := snapshot.Decode([]byte(`{"to": "alice", "amount": 1e2}`))
	if err != nil {
		log.Fatal(err)
	}
	resumed, err := snapshot.Decode([]byte(`{"amount":100,"to":"\u0061lice"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proposed.CanonicalJSON())
	fmt.Println(snapshot.Equal(proposed, resumed))

	approved, err := snapshot.ProposalHash("Support Agent", "transfer", proposed)
	if err != nil {
		log.Fatal(err)
	}
	again, _ := snapshot.ProposalHash("Support Agent", "transfer", resumed)
	other, _ := snapshot.ProposalHash("Support Agent", "refund", resumed)
	fmt.Println(approved == again, approved == other)

	// Each view is decoded afresh: changing one changes nothing else.
	view := resumed.View().(map[string]any)
	view["to"] = "mallory"
	fmt.Println(resumed.View())

	// A Go value that is more than JSON data is no evidence.
	shared := []any{1}
	_, err = snapshot.Of(map[string]any{"a": shared, "b": shared})
	fmt.Println(err)
}
