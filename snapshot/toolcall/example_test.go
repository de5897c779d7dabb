package toolcall_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// A call that needs approval: it is suspended, a person signs a grant for what is
// shown, and the resumed call runs once.
func Example() {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		log.Fatal(err)
	}
	operator := toolcall.Issuer{Name: "operator", Key: private}

	type payment struct {
		To     string `json:"to"`
		Amount int    `json:"amount"`
	}
	runtime, err := toolcall.New(toolcall.Config{
		Agent: "Support Agent",
		Tools: []toolcall.Tool{{
			Name:       "pay",
			Schema:     toolcall.AnyArguments,
			Projection: toolcall.Hide("to"),
			Handler: toolcall.Handle(func(_ context.Context, p payment) (any, error) {
				return fmt.Sprintf("paid %d to %s", p.Amount, p.To), nil
			}),
		}},
		Policy: toolcall.PolicyFunc(func(_ context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
			return toolcall.Decision{Verdict: toolcall.RequireApproval}, nil
		}),
		Verifier: toolcall.Keys{"operator": private.Public().(ed25519.PublicKey)},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	waits := runtime.Run(ctx, toolcall.Call{
		Tool: "pay", Arguments: []byte(`{"to": "alice", "amount": 1e2}`), InvocationID: "run-1", ProviderCallID: "call-1",
	})
	fmt.Println(waits.Status, waits.Proposal.ArgsCanonicalJSON(), waits.Views.ModelFacing().CanonicalJSON())

	grant, err := operator.Approve(*waits.Proposal, time.Now().Add(time.Hour))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(runtime.Resume(ctx, waits.Proposal.ID, grant).Result)
	fmt.Println(runtime.Resume(ctx, waits.Proposal.ID, grant).Err)
	// Output:
	// suspended {"amount":100,"to":"alice"} {"amount":100,"to":"[hidden]"}
	// paid 100 to alice
	// toolcall: the proposal was dispatched before
}
