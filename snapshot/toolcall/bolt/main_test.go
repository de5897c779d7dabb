package bolt_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/bolt"
)

// folderName is the environment variable that makes the test binary the process
// that is killed: it works in that folder.
const folderName = "TOUCHSTONE_CRASH_FOLDER"

// The main goroutine stays on the main thread, so that all writes of the store
// are of one thread and can be counted.
func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	if folder, ok := os.LookupEnv(folderName); ok {
		if err := work(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var key = ed25519.NewKeyFromSeed([]byte("a seed of exactly thirty-two byt"))

// calls is how many calls one process works on.
const calls = 5

// A host is an agent whose every call needs approval. It keeps a journal beside
// the store: what was suspended, what runs, and what has run.
type host struct {
	store   *bolt.Store
	runtime *toolcall.Runtime
	journal *os.File
}

func openHost(folder string) (*host, error) {
	store, err := bolt.Open(filepath.Join(folder, "calls.db"), time.Second)
	if err != nil {
		return nil, err
	}
	h := &host{store: store}
	if h.journal, err = os.OpenFile(filepath.Join(folder, "journal"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	h.runtime, err = toolcall.New(toolcall.Config{
		Agent: "agent",
		Tools: []toolcall.Tool{{Name: "pay", Schema: toolcall.AnyArguments, Projection: toolcall.ShowAll,
			Handler: toolcall.Handle(func(_ context.Context, a struct{ N int }) (any, error) {
				return nil, h.note("runs", a.N)
			})}},
		Policy: toolcall.PolicyFunc(func(context.Context, toolcall.PolicyInput) (toolcall.Decision, error) {
			return toolcall.Decision{Verdict: toolcall.RequireApproval}, nil
		}),
		Store: store, Verifier: toolcall.Keys{"alice": key.Public().(ed25519.PublicKey)},
		Now: func() time.Time { return time.Unix(1000, 0) },
	})
	return h, err
}

// note writes a line of the journal in one write.
func (h *host) note(what string, n int) error {
	_, err := fmt.Fprintf(h.journal, "%s %d\n", what, n)
	return err
}

func callOf(n int) toolcall.Call {
	return toolcall.Call{Tool: "pay", Arguments: fmt.Appendf(nil, `{"N": %d}`, n), InvocationID: "inv", ProviderCallID: fmt.Sprint(n)}
}

// grantOf is the one grant for a call, whoever asks.
func grantOf(n int, hash string) (toolcall.Grant, error) {
	return toolcall.Issuer{Name: "alice", Key: key}.Sign(toolcall.Grant{ID: fmt.Sprint("g", n), ProposalHash: hash, Expires: time.Unix(2000, 0)})
}

// work suspends calls and resumes each, as long as it is let live. It goes on
// where the journal ends.
func work(folder string) error {
	h, err := openHost(folder)
	if err != nil {
		return err
	}
	j, err := readJournal(folder)
	if err != nil {
		return err
	}
	for n := j.next; n < j.next+calls; n++ {
		out := h.runtime.Run(context.Background(), callOf(n))
		if out.Status != toolcall.Suspended {
			if out.Reason == toolcall.Dispatched {
				continue // by a process that was killed before it could note it
			}
			return out.Err
		}
		if err := h.note("suspended", n); err != nil {
			return err
		}
		grant, err := grantOf(n, out.ProposalHash)
		if err != nil {
			return err
		}
		if out = h.runtime.Resume(context.Background(), out.Proposal.ID, grant); out.Status != toolcall.Executed {
			return out.Err
		}
		if err := h.note("ran", n); err != nil {
			return err
		}
	}
	return h.store.Close()
}

// A journal is what was noted, by call.
type journal struct {
	suspended, runs, ran map[int]int
	next                 int
}

func readJournal(folder string) (journal, error) {
	j := journal{map[int]int{}, map[int]int{}, map[int]int{}, 0}
	file, err := os.Open(filepath.Join(folder, "journal"))
	if err != nil {
		return j, err
	}
	defer file.Close()
	for {
		var what string
		var n int
		if _, err := fmt.Fscanf(file, "%s %d\n", &what, &n); err != nil {
			return j, nil
		}
		map[string]map[int]int{"suspended": j.suspended, "runs": j.runs, "ran": j.ran}[what][n]++
		j.next = max(j.next, n+1)
	}
}
