// Approval is a complete agent tool loop: a model asks for tool calls, policy
// allows, denies or wants approval, what waits goes to disk, a person approves on
// the terminal, and after a restart the approved call runs, once.
//
//	approval run       the agent's loop, to its end or to calls that wait
//	approval approve   show what waits and ask for each
//	approval resume    run what was approved
//
// Everything is kept in the folder of -dir. The model is a list of calls; put
// yours in its place.
package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/bolt"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/schema"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, time.Now); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer, now func() time.Time) error {
	flags := flag.NewFlagSet("approval", flag.ContinueOnError)
	dir := flags.String("dir", ".", "the folder of the store, the approver's key and the grants")
	if err := flags.Parse(args); err != nil {
		return err
	}
	store, err := bolt.Open(filepath.Join(*dir, "calls.db"), time.Second)
	if err != nil {
		return err
	}
	defer store.Close()
	approver, err := openApprover(*dir)
	if err != nil {
		return err
	}
	runtime, err := newRuntime(store, approver.Key.Public().(ed25519.PublicKey), out, now)
	if err != nil {
		return err
	}
	ctx := context.Background()
	switch flags.Arg(0) {
	case "run":
		return loop(ctx, runtime, out)
	case "approve":
		return approve(ctx, store, approver, *dir, in, out, now)
	case "resume":
		return resume(ctx, runtime, store, *dir, out)
	}
	return errors.New("approval: run, approve or resume?")
}

// The arguments of the tool pay, as the handler wants them.
type payment struct {
	To    string `json:"to"`
	Cents int    `json:"cents"`
}

func newRuntime(store toolcall.Store, approver ed25519.PublicKey, out io.Writer, now func() time.Time) (*toolcall.Runtime, error) {
	return toolcall.New(toolcall.Config{
		Agent: "Support Agent",
		Tools: []toolcall.Tool{
			{
				Name: "search",
				Schema: schema.MustCompile(`{"type":"object","properties":{"query":{"type":"string"}},
					"required":["query"],"additionalProperties":false}`),
				Projection: toolcall.ShowAll,
				Handler: toolcall.Handle(func(_ context.Context, a struct {
					Query string `json:"query"`
				}) (any, error) {
					return "3 orders found", nil
				}),
			},
			{
				Name: "pay",
				Schema: schema.MustCompile(`{"type":"object","properties":{"to":{"type":"string"},
					"cents":{"type":"integer","minimum":1}},"required":["to","cents"],"additionalProperties":false}`),
				Projection: toolcall.Hide("to"), // whom we pay is nobody's business
				Handler: toolcall.Handle(func(_ context.Context, p payment) (any, error) {
					return fmt.Sprintf("paid %d cents", p.Cents), nil
				}),
			},
		},
		Policy:    toolcall.PolicyFunc(policy),
		Store:     store,
		Verifier:  toolcall.Keys{"operator": approver},
		Recorders: []toolcall.Recorder{toolcall.RecorderFunc(history(out))},
		Now:       now,
	})
}

// policy lets the agent search, and pay small sums; for larger ones it asks, and
// beyond a limit it says no.
func policy(_ context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
	if in.Tool != "pay" {
		return toolcall.Decision{Verdict: toolcall.Allow}, nil
	}
	arguments, ok := in.ParsedArguments.(map[string]any)
	if !ok {
		return toolcall.Decision{}, errors.New("the arguments of pay are no object")
	}
	switch cents, _ := arguments["cents"].(float64); {
	case cents > 100_000:
		return toolcall.Decision{Verdict: toolcall.Deny, Reason: "more than the agent may pay"}, nil
	case cents > 1_000:
		return toolcall.Decision{Verdict: toolcall.RequireApproval, Reason: "more than 10.00"}, nil
	}
	return toolcall.Decision{Verdict: toolcall.Allow}, nil
}

// history is a recorder: the conversation's history, here on the terminal.
func history(out io.Writer) func(context.Context, toolcall.Record) {
	return func(_ context.Context, r toolcall.Record) {
		switch r.Kind {
		case toolcall.CallRecord:
			fmt.Fprintf(out, "%s %s %s\n", r.ProviderCallID, r.Tool, shown(r.Arguments.CanonicalJSON()))
		case toolcall.ResultRecord:
			fmt.Fprintf(out, "%s %s %s\n", r.ProviderCallID, r.Ending.Status, r.Ending.Reason)
		}
	}
}

// shown escapes what a model wrote before it reaches a terminal: canonical JSON
// may hold characters that turn text around or hide it.
func shown(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return quoted[1 : len(quoted)-1]
}

// loop stands for the model: it asks for calls, and is told what came of them.
func loop(ctx context.Context, runtime *toolcall.Runtime, out io.Writer) error {
	asked := []struct{ id, tool, arguments string }{
		{"call-1", "search", `{"query": "orders of alice"}`},
		{"call-2", "pay", `{"to": "alice", "cents": 500}`},
		{"call-3", "pay", `{"to": "alice", "cents": 2.5e4}`},
		{"call-4", "pay", `{"to": "mallory", "cents": 99999999}`},
		{"call-5", "pay", `{"to": "alice", "CENTS": 1}`},
	}
	step := toolcall.NewStep("step-1")
	var attempts []*toolcall.Attempt
	for _, c := range asked { // register all, before anything waits
		a, err := runtime.Begin(toolcall.Call{
			Tool: c.tool, Arguments: []byte(c.arguments), InvocationID: "run-1", ProviderCallID: c.id, Step: step,
		})
		if err != nil {
			return err
		}
		attempts = append(attempts, a)
	}
	for _, a := range attempts {
		switch o := a.Run(ctx); o.Status {
		case toolcall.Executed:
			fmt.Fprintf(out, "  to the model: %v\n", o.Result)
		case toolcall.Suspended:
			fmt.Fprintln(out, "  to the model: this waits for approval")
		default:
			fmt.Fprintf(out, "  to the model: %v\n", o.Err)
		}
	}
	return nil
}

// approve shows what waits, and asks. What is shown is what will run.
func approve(ctx context.Context, store *bolt.Store, approver toolcall.Issuer, dir string, in io.Reader, out io.Writer, now func() time.Time) error {
	pending, err := store.Pending(ctx)
	if err != nil {
		return err
	}
	answers := bufio.NewScanner(in)
	for _, p := range pending {
		fmt.Fprintf(out, "%s wants to %s %s (%s)\nhash %s\napprove? [y/N] ",
			shown(p.Agent), shown(p.Tool), shown(p.ArgsCanonicalJSON()), shown(p.Judgement.Reason), p.ProposalHash)
		if !answers.Scan() || answers.Text() != "y" {
			fmt.Fprintln(out, "no")
			continue
		}
		grant, err := approver.Approve(p, now().Add(time.Hour))
		if err != nil {
			return err
		}
		text, err := json.Marshal(grant)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, p.ID+".grant"), text, 0o600); err != nil {
			return err
		}
		fmt.Fprintln(out, "yes, for an hour")
	}
	return answers.Err()
}

// resume runs what was approved.
func resume(ctx context.Context, runtime *toolcall.Runtime, store *bolt.Store, dir string, out io.Writer) error {
	grants, err := filepath.Glob(filepath.Join(dir, "toolprop_*.grant"))
	if err != nil {
		return err
	}
	for _, name := range grants {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var grant toolcall.Grant
		if err := json.Unmarshal(text, &grant); err != nil {
			return err
		}
		id := filepath.Base(name)
		o := runtime.Resume(ctx, id[:len(id)-len(".grant")], grant)
		if o.Status == toolcall.Executed {
			fmt.Fprintf(out, "  to the model: %v\n", o.Result)
		} else {
			fmt.Fprintf(out, "  to the model: %v\n", o.Err)
		}
	}
	return nil
}

// openApprover reads the approver's key, or makes one. Elsewhere it is on another
// machine, and the runtime has the public key alone.
func openApprover(dir string) (toolcall.Issuer, error) {
	name := filepath.Join(dir, "approver.key")
	seed, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			return toolcall.Issuer{}, err
		}
		seed = key.Seed()
		if err := os.WriteFile(name, seed, 0o600); err != nil {
			return toolcall.Issuer{}, err
		}
	} else if err != nil {
		return toolcall.Issuer{}, err
	}
	if len(seed) != ed25519.SeedSize {
		return toolcall.Issuer{}, fmt.Errorf("approval: %s is no key", name)
	}
	return toolcall.Issuer{Name: "operator", Key: ed25519.NewKeyFromSeed(seed)}, nil
}
