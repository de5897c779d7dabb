// Package bolt is a store for tool calls in one file, by go.etcd.io/bbolt.
//
// What Suspend and Commit have taken survives the death of the process at any
// moment: each is one transaction, synced before it returns. The tests kill the
// process at every write. That proves process death, not loss of power: there
// the file system and the disk must keep what they promised at fdatasync.
//
// The file holds arguments whole and is made for its owner alone. One process at
// a time has it open. It keeps every dispatch and every use of a grant for ever.
package bolt

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// The buckets of the file.
var (
	proposals  = []byte("proposals")  // id → proposal
	dispatched = []byte("dispatched") // proposal id → operation id
	grants     = []byte("grants")     // JSON list of issuer and grant id → operation id
	dispatches = []byte("dispatches") // number → dispatch
)

// A Store is a toolcall.Store in a file. It is safe for concurrent use.
type Store struct{ db *bbolt.DB }

var _ toolcall.Store = (*Store)(nil)

// Open opens the store in the file, or makes it. If another process has it open,
// Open waits for as long as wait says, 0 being for ever.
func Open(file string, wait time.Duration) (*Store, error) {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: wait})
	if err != nil {
		return nil, fmt.Errorf("bolt: %w", err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{proposals, dispatched, grants, dispatches} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("bolt: %w", err)
	}
	return &Store{db}, nil
}

// Close closes the file, once what goes on has ended.
func (s *Store) Close() error { return s.db.Close() }

// update is one durable transaction, unless the context has ended before it.
func (s *Store) update(ctx context.Context, do func(tx *bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.Update(do)
}

// Suspend keeps a proposal.
func (s *Store) Suspend(ctx context.Context, p toolcall.Proposal) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx *bbolt.Tx) error {
		if tx.Bucket(dispatched).Get([]byte(p.ID)) != nil {
			return toolcall.ErrDispatched
		}
		return tx.Bucket(proposals).Put([]byte(p.ID), text)
	})
}

// Load gives a proposal back.
func (s *Store) Load(_ context.Context, id string) (p toolcall.Proposal, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		if tx.Bucket(dispatched).Get([]byte(id)) != nil {
			return toolcall.ErrDispatched
		}
		text := tx.Bucket(proposals).Get([]byte(id))
		if text == nil {
			return toolcall.ErrUnknownProposal
		}
		p, err = read(id, text)
		return err
	})
	return p, err
}

// read decodes a stored proposal, which must be the one of that id.
func read(id string, text []byte) (p toolcall.Proposal, err error) {
	if err := p.UnmarshalJSON(text); err != nil {
		return toolcall.Proposal{}, err
	}
	if p.ID != id {
		return toolcall.Proposal{}, toolcall.ErrCorrupt
	}
	return p, nil
}

// Commit writes a dispatch, the use of its grant, and that its proposals were
// dispatched, in one transaction.
func (s *Store) Commit(ctx context.Context, d toolcall.Dispatch) error {
	record, err := json.Marshal(storedDispatch{
		d.OperationID, d.Agent, d.Tool, d.InvocationID, d.ProviderCallID, d.ProposalHash,
		d.Persisted.CanonicalJSON(), d.Grant.Issuer, d.Grant.ID, d.ProposalID, d.ResumedID, d.At.UTC(),
	})
	if err != nil {
		return err
	}
	grant, _ := json.Marshal([]string{d.Grant.Issuer, d.Grant.ID}) // texts can be written
	return s.update(ctx, func(tx *bbolt.Tx) error {
		operation := []byte(d.OperationID)
		if d.Grant != (toolcall.GrantUse{}) {
			if err := once(tx.Bucket(grants), grant, operation, toolcall.ErrGrantUsed); err != nil {
				return err
			}
		}
		for _, id := range d.Proposals() {
			if err := once(tx.Bucket(dispatched), []byte(id), operation, toolcall.ErrDispatched); err != nil {
				return err
			}
			if err := tx.Bucket(proposals).Delete([]byte(id)); err != nil {
				return err
			}
		}
		number, err := tx.Bucket(dispatches).NextSequence()
		if err != nil {
			return err
		}
		return tx.Bucket(dispatches).Put(binary.BigEndian.AppendUint64(nil, number), record)
	})
}

// once writes a key, or says that it is there.
func once(b *bbolt.Bucket, key, value []byte, there error) error {
	if b.Get(key) != nil {
		return there
	}
	return b.Put(key, value)
}

// storedDispatch is the form of a dispatch in the file.
type storedDispatch struct {
	Operation  string    `json:"operationId"`
	Agent      string    `json:"agentName"`
	Tool       string    `json:"toolName"`
	Invocation string    `json:"invocationId"`
	Call       string    `json:"providerCallId"`
	Hash       string    `json:"proposalHash"`
	Persisted  string    `json:"args,omitempty"`
	Issuer     string    `json:"issuer,omitempty"`
	Grant      string    `json:"grant,omitempty"`
	Proposal   string    `json:"proposalId,omitempty"`
	Resumed    string    `json:"resumedId,omitempty"`
	At         time.Time `json:"at"`
}

// Pending lists the proposals that wait, by id.
func (s *Store) Pending(context.Context) (all []toolcall.Proposal, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(proposals).ForEach(func(id, text []byte) error {
			p, err := read(string(id), text)
			all = append(all, p)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Withdraw removes a proposal that waits; it is ErrUnknownProposal if none does.
func (s *Store) Withdraw(ctx context.Context, id string) error {
	return s.update(ctx, func(tx *bbolt.Tx) error {
		if tx.Bucket(proposals).Get([]byte(id)) == nil {
			return toolcall.ErrUnknownProposal
		}
		return tx.Bucket(proposals).Delete([]byte(id))
	})
}

// Dispatched gives the JSON of every dispatch, the first first: what a host
// reads after a crash to see what may have run without giving a result.
func (s *Store) Dispatched(context.Context) (all []json.RawMessage, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(dispatches).ForEach(func(_, record []byte) error {
			all = append(all, json.RawMessage(append([]byte(nil), record...)))
			return nil
		})
	})
	return all, err
}
