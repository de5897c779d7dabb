package lifecycle

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// A crowd is an agent with everybody at once: many calls and resumes in flight,
// and one adversary that spoils whatever callbacks were handed, as soon as they
// have returned, from its own goroutine.
type crowd struct {
	mu       sync.Mutex
	runtime  *toolcall.Runtime
	executed map[string][]string // by proposal hash: the canonical arguments that ran
	uses     map[toolcall.GrantUse]int
	records  map[string]map[toolcall.Kind]int // by provider call id
	spoilt   chan any
}

// An owner is what one attempt's policy was handed. It is the adversary's when
// the attempt makes its first record, for then policy has returned.
type owner struct{ handed []any }

type ownerKey struct{}

func attemptContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, ownerKey{}, new(owner))
}

type crowdStore struct {
	toolcall.MemoryStore
	crowd *crowd
}

func (s *crowdStore) Commit(ctx context.Context, d toolcall.Dispatch) error {
	err := s.MemoryStore.Commit(ctx, d)
	if err == nil && d.Grant != (toolcall.GrantUse{}) {
		s.crowd.mu.Lock()
		s.crowd.uses[d.Grant]++
		s.crowd.mu.Unlock()
	}
	return err
}

var crowdKey = ed25519.NewKeyFromSeed([]byte("a seed of exactly thirty-two byt"))

func newCrowd(t interface{ Fatal(...any) }) *crowd {
	c := &crowd{executed: map[string][]string{}, uses: map[toolcall.GrantUse]int{}, records: map[string]map[toolcall.Kind]int{}, spoilt: make(chan any, 1024)}
	var err error
	c.runtime, err = toolcall.New(toolcall.Config{
		Agent: "agent", Store: &crowdStore{crowd: c}, Verifier: toolcall.Keys{"alice": crowdKey.Public().(ed25519.PublicKey)},
		Now: func() time.Time { return time.Unix(1000, 0) },
		Tools: []toolcall.Tool{{
			Name: "pay", Projection: toolcall.ShowAll,
			Schema: toolcall.SchemaFunc(func(_ context.Context, v any) (any, error) {
				return map[string]any{"n": v.(map[string]any)["n"], "list": []any{"a"}}, nil
			}),
			Handler: toolcall.HandlerFunc(func(_ context.Context, e toolcall.Execution) (any, error) {
				view := e.Arguments()
				s, err := snapshot.Of(view)
				if err != nil {
					return nil, err
				}
				c.mu.Lock()
				c.executed[e.ProposalHash] = append(c.executed[e.ProposalHash], s.CanonicalJSON())
				c.mu.Unlock()
				c.spoilt <- view
				return nil, nil
			}),
		}},
		Policy: toolcall.PolicyFunc(func(ctx context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
			o := ctx.Value(ownerKey{}).(*owner)
			o.handed = append(o.handed, in.ParsedArguments, in.RequestedArguments)
			return toolcall.Decision{Verdict: toolcall.RequireApproval}, nil
		}),
		Recorders: []toolcall.Recorder{toolcall.RecorderFunc(func(ctx context.Context, r toolcall.Record) {
			if r.Kind == toolcall.StartEvent {
				for _, v := range ctx.Value(ownerKey{}).(*owner).handed {
					c.spoilt <- v
				}
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.records[r.ProviderCallID] == nil {
				c.records[r.ProviderCallID] = map[toolcall.Kind]int{}
			}
			c.records[r.ProviderCallID][r.Kind]++
			c.spoilt <- r.Fields()
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// adversary spoils what it is given until the channel is closed.
func (c *crowd) adversary() {
	for v := range c.spoilt {
		spoil(v)
	}
}

func spoil(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			spoil(member)
			v[name] = "spoilt"
		}
		v["added"] = v
	case []any:
		for i := range v {
			spoil(v[i])
			v[i] = v
		}
	}
}

// TestConcurrentCrowd: however calls, approvals and resumes fall together, a
// grant is used at most once, a proposal runs at most once, what runs is what was
// approved, and every attempt leaves its three records.
func TestConcurrentCrowd(t *testing.T) {
	taken, target := 0, steps(t)
	for taken < target {
		rapid.Check(t, func(rt *rapid.T) {
			c := newCrowd(rt)
			var adversaries sync.WaitGroup
			adversaries.Go(c.adversary)
			issuer := toolcall.Issuer{Name: "alice", Key: crowdKey}

			calls := rapid.IntRange(1, 6).Draw(rt, "calls")
			proposals := make([]toolcall.Proposal, calls)
			var group sync.WaitGroup
			for i := range calls {
				arguments := fmt.Appendf(nil, `{"n":%d}`, i%3)
				id := fmt.Sprint("c", i)
				group.Go(func() {
					out := c.runtime.Run(attemptContext(context.Background()), toolcall.Call{
						Tool: "pay", Arguments: arguments, InvocationID: "run", ProviderCallID: id})
					clear(arguments)
					if out.Proposal != nil {
						proposals[i] = *out.Proposal
						c.spoilt <- out.Proposal.ParsedArguments()
					}
				})
			}
			group.Wait()

			// Each resume takes some proposal and some grant, which may be another's.
			grants := make([]toolcall.Grant, rapid.IntRange(1, 6).Draw(rt, "grants"))
			for i := range grants {
				p := proposals[rapid.IntRange(0, calls-1).Draw(rt, "of")]
				g := toolcall.Grant{ProposalHash: p.ProposalHash, Expires: time.Unix(2000, 0)}
				if rapid.Bool().Draw(rt, "bound") {
					g.InvocationID, g.ProviderCallID = p.InvocationID, p.ProviderCallID
				}
				var err error
				if grants[i], err = issuer.Sign(g); err != nil {
					rt.Fatal(err)
				}
			}
			resumes := rapid.IntRange(1, 24).Draw(rt, "resumes")
			results := make([]*toolcall.Outcome, resumes)
			for i := range resumes {
				p := proposals[rapid.IntRange(0, calls-1).Draw(rt, "resumed")]
				g := grants[rapid.IntRange(0, len(grants)-1).Draw(rt, "with")]
				group.Go(func() { results[i] = c.runtime.Resume(attemptContext(context.Background()), p.ID, g) })
			}
			group.Wait()
			close(c.spoilt)
			adversaries.Wait()
			taken += calls + resumes
			c.examine(rt, proposals, results)
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d calls and resumes", taken)
}

// examine holds what has happened to the promises.
func (c *crowd) examine(t *rapid.T, proposals []toolcall.Proposal, results []*toolcall.Outcome) {
	approved := map[string]int{} // how many proposals have a hash
	for _, p := range proposals {
		approved[p.ProposalHash]++
		if want := p.ArgsCanonicalJSON(); want != fmt.Sprintf(`{"list":["a"],"n":%d}`, int(p.ParsedArguments().(map[string]any)["n"].(float64))) {
			t.Errorf("proposed %s", want)
		}
		for _, ran := range c.executed[p.ProposalHash] {
			if ran != p.ArgsCanonicalJSON() {
				t.Errorf("approved %s, ran %s", p.ArgsCanonicalJSON(), ran)
			}
		}
	}
	executed := 0
	for hash, ran := range c.executed {
		executed += len(ran)
		if len(ran) > approved[hash] {
			t.Errorf("%d of %d proposals of one hash ran", len(ran), approved[hash])
		}
	}
	for use, n := range c.uses {
		if n > 1 {
			t.Errorf("the grant %v was used %d times", use, n)
		}
	}
	ran := 0
	for _, out := range results {
		switch out.Status {
		case toolcall.Executed:
			ran++
		case toolcall.Refused:
		default:
			t.Errorf("a resume ended %s (%s): %v", out.Status, out.Reason, out.Err)
		}
	}
	if ran != executed || len(c.uses) != executed {
		t.Errorf("%d outcomes say executed, %d ran, %d grants were used", ran, executed, len(c.uses))
	}
	for id, kinds := range c.records {
		if kinds[toolcall.StartEvent] != kinds[toolcall.CallRecord] || kinds[toolcall.CallRecord] != kinds[toolcall.ResultRecord] {
			t.Errorf("the call %s has the records %v", id, kinds)
		}
	}
}
