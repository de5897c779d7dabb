package toolcall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Store keeps what must outlive the process. What it is handed are immutable
// values. It must be safe for concurrent use.
//
// When Suspend or Commit returns nil, what it was given is durable. When it
// returns an error, it was not written, or it is not known whether it was; the
// call does not run then. Commit is one step: all of it is written, or nothing.
type Store interface {
	// Suspend keeps a proposal. One with the same id is replaced, unless it
	// was dispatched: that is ErrDispatched.
	Suspend(ctx context.Context, p Proposal) error
	// Load gives a proposal back: ErrUnknownProposal if there is none of that
	// id, ErrDispatched if it was dispatched.
	Load(ctx context.Context, id string) (Proposal, error)
	// Commit writes the record before dispatch, and with it that a grant was
	// used and that proposals were dispatched. It is ErrGrantUsed if the grant
	// was used before, else ErrDispatched if one of the proposals was.
	Commit(ctx context.Context, d Dispatch) error
}

// A Dispatch is the durable record that is written before a handler runs.
type Dispatch struct {
	OperationID                  string
	Agent, Tool                  string
	InvocationID, ProviderCallID string
	ProposalHash                 string
	Persisted                    snapshot.Snapshot // zero if nothing is shown
	Grant                        GrantUse          // zero if policy allowed
	ProposalID                   string            // the proposal of what runs; "" if policy allowed a call that was not resumed
	ResumedID                    string            // the proposal that is resumed, if its schema gave other arguments then
	At                           time.Time
}

// Proposals lists the proposals that were dispatched once d is committed.
func (d Dispatch) Proposals() []string {
	var ids []string
	for _, id := range [...]string{d.ProposalID, d.ResumedID} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// What a Store answers.
var (
	ErrUnknownProposal = errors.New("toolcall: the store has no proposal of that id")
	ErrGrantUsed       = errors.New("toolcall: the grant was used before")
	ErrDispatched      = errors.New("toolcall: the proposal was dispatched before")
)

// A MemoryStore is a Store that lasts as long as the process. Its zero value is
// empty and ready for use.
type MemoryStore struct {
	mu         sync.Mutex
	proposals  map[string]Proposal
	dispatched map[string]bool
	used       map[GrantUse]bool
}

// Suspend keeps a proposal.
func (m *MemoryStore) Suspend(_ context.Context, p Proposal) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dispatched[p.ID] {
		return ErrDispatched
	}
	if m.proposals == nil {
		m.proposals = map[string]Proposal{}
	}
	m.proposals[p.ID] = p
	return nil
}

// Load gives a proposal back.
func (m *MemoryStore) Load(_ context.Context, id string) (Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dispatched[id] {
		return Proposal{}, ErrDispatched
	}
	p, ok := m.proposals[id]
	if !ok {
		return Proposal{}, ErrUnknownProposal
	}
	return p, nil
}

// Commit notes the use of the grant and that the proposals were dispatched. The
// dispatch itself is not kept: it would not outlive the process anyway.
func (m *MemoryStore) Commit(_ context.Context, d Dispatch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used[d.Grant] {
		return ErrGrantUsed
	}
	proposals := d.Proposals()
	for _, id := range proposals {
		if m.dispatched[id] {
			return ErrDispatched
		}
	}
	if d.Grant != (GrantUse{}) {
		if m.used == nil {
			m.used = map[GrantUse]bool{}
		}
		m.used[d.Grant] = true
	}
	if m.dispatched == nil {
		m.dispatched = map[string]bool{}
	}
	for _, id := range proposals {
		m.dispatched[id] = true
		delete(m.proposals, id)
	}
	return nil
}

// Pending lists the proposals that wait, by id.
func (m *MemoryStore) Pending(context.Context) ([]Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Proposal, 0, len(m.proposals))
	for _, p := range m.proposals {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Proposal) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// Withdraw removes a proposal that waits; it is ErrUnknownProposal if none does.
func (m *MemoryStore) Withdraw(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.proposals[id]; !ok {
		return ErrUnknownProposal
	}
	delete(m.proposals, id)
	return nil
}
