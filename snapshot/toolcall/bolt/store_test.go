package bolt_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall/bolt"
)

func open(t *testing.T, file string) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(file, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// keeper is what both stores can do.
type keeper interface {
	toolcall.Store
	Pending(context.Context) ([]toolcall.Proposal, error)
	Withdraw(context.Context, string) error
}

// A whole proposal, with every field set.
func proposal(t *testing.T, id string) toolcall.Proposal {
	t.Helper()
	snap := func(text string) snapshot.Snapshot {
		s, err := snapshot.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	p := toolcall.Proposal{
		ID: id, Agent: "agent", Tool: "pay", RawArguments: `{"__proto__": 1e2, "s": "\ud83d\ude00"}`,
		Arguments: snap(`{"__proto__":100,"s":"\ud83d\ude00"}`), Permission: snap(`{"summary":"pay"}`),
		Judgement:    toolcall.Judgement{Verdict: toolcall.RequireApproval, Reason: "large", Details: snap(`[1]`)},
		InvocationID: "inv", ProviderCallID: "call", Created: time.Unix(5, 7).UTC(),
		Turn: "t", Visibility: "all", Origin: toolcall.FromCode, ParentCall: "pc", ParentOperation: "po", Intent: "why",
		ProviderOptions: snap(`{"cache":true}`), Step: "", HasStep: true,
	}
	var err error
	if p.ProposalHash, err = snapshot.ProposalHash(p.Agent, p.Tool, p.Arguments); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStores holds both stores to the interface.
func TestStores(t *testing.T) {
	for name, s := range map[string]keeper{
		"memory": new(toolcall.MemoryStore),
		"bolt":   open(t, filepath.Join(t.TempDir(), "s.db")),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			is := func(err, want error) {
				t.Helper()
				if !errors.Is(err, want) || (want == nil) != (err == nil) {
					t.Errorf("%v, want %v", err, want)
				}
			}
			a, b := proposal(t, "a"), proposal(t, "b")
			is(s.Suspend(ctx, b), nil)
			is(s.Suspend(ctx, a), nil)
			is(s.Suspend(ctx, a), nil) // the same again
			pending, err := s.Pending(ctx)
			if err != nil || len(pending) != 2 || pending[0] != a || pending[1] != b {
				t.Errorf("%v, %v", pending, err)
			}
			got, err := s.Load(ctx, "a")
			if err != nil || got != a {
				t.Errorf("%+v, want %+v; %v", got, a, err)
			}
			_, err = s.Load(ctx, "c")
			is(err, toolcall.ErrUnknownProposal)

			// An allowed call uses nothing and can be repeated.
			plain := toolcall.Dispatch{OperationID: "o"}
			is(s.Commit(ctx, plain), nil)
			is(s.Commit(ctx, plain), nil)

			d := toolcall.Dispatch{OperationID: "o", Grant: toolcall.GrantUse{Issuer: "alice", ID: "1"}, ProposalID: "a", Persisted: a.Arguments}
			is(s.Commit(ctx, d), nil)
			is(s.Commit(ctx, d), toolcall.ErrGrantUsed)
			_, err = s.Load(ctx, "a")
			is(err, toolcall.ErrDispatched)
			is(s.Suspend(ctx, a), toolcall.ErrDispatched)
			is(s.Withdraw(ctx, "a"), toolcall.ErrUnknownProposal)

			// All or nothing: the second grant is unused after this.
			d.Grant.ID = "2"
			is(s.Commit(ctx, d), toolcall.ErrDispatched)
			d.ProposalID = "b"
			is(s.Commit(ctx, d), nil)
			// Issuer and id are not run together.
			is(s.Commit(ctx, toolcall.Dispatch{Grant: toolcall.GrantUse{Issuer: "alic", ID: "e1"}}), nil)

			// What runs and what is resumed are both dispatched, and neither
			// is if one of them was before.
			is(s.Suspend(ctx, proposal(t, "d")), nil)
			is(s.Commit(ctx, toolcall.Dispatch{ProposalID: "d", ResumedID: "b"}), toolcall.ErrDispatched)
			is(s.Commit(ctx, toolcall.Dispatch{ProposalID: "b", ResumedID: "d"}), toolcall.ErrDispatched)
			_, err = s.Load(ctx, "d")
			is(err, nil)
			is(s.Suspend(ctx, proposal(t, "e")), nil)
			is(s.Commit(ctx, toolcall.Dispatch{ProposalID: "e", ResumedID: "d"}), nil)
			for _, id := range []string{"d", "e"} {
				_, err = s.Load(ctx, id)
				is(err, toolcall.ErrDispatched)
			}

			is(s.Suspend(ctx, proposal(t, "c")), nil)
			is(s.Withdraw(ctx, "c"), nil)
			if pending, err := s.Pending(ctx); err != nil || len(pending) != 0 {
				t.Errorf("%v, %v", pending, err)
			}
		})
	}
}

func TestFileIsForItsOwner(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	open(t, file)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := bolt.Open(file, time.Millisecond); err == nil || !strings.HasPrefix(err.Error(), "bolt: ") {
		t.Errorf("opened twice: %v", err)
	}
	if _, err := bolt.Open(t.TempDir(), time.Millisecond); err == nil {
		t.Error("a folder is opened")
	}
}

func TestEndedContextWritesNothing(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Suspend(ended, proposal(t, "a")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.Commit(ended, toolcall.Dispatch{OperationID: "o"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if pending, err := s.Pending(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("%v, %v", pending, err)
	}
}

// A proposal that was changed in the file is not resumed.
func TestChangedFile(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"the arguments":  func(s string) string { return strings.ReplaceAll(s, "100", "900") },
		"the hash":       func(s string) string { return strings.ReplaceAll(s, `"proposalHash":"`, `"proposalHash":"0`) },
		"the tool":       func(s string) string { return strings.ReplaceAll(s, `"pay"`, `"refund"`) },
		"the id":         func(s string) string { return strings.ReplaceAll(s, `"id":"a"`, `"id":"b"`) },
		"the time":       func(s string) string { return strings.ReplaceAll(s, `"created":"1970`, `"created":"x`) },
		"an unknown key": func(s string) string { return strings.Replace(s, "{", `{"more":1,`, 1) },
		"a missing key":  func(s string) string { return strings.Replace(s, `"id":"a",`, ``, 1) },
		"the layout":     func(s string) string { return strings.ReplaceAll(s, `{\"cache\":true}`, `{\"cache\": true}`) },
		"cut short":      func(s string) string { return s[:len(s)/2] },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.db")
			s := open(t, file)
			if err := s.Suspend(t.Context(), proposal(t, "a")); err != nil {
				t.Fatal(err)
			}
			s.Close()
			edit(t, file, func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte("proposals"))
				before := string(b.Get([]byte("a")))
				after := change(before)
				if after == before {
					t.Error("nothing was changed in", before)
				}
				return b.Put([]byte("a"), []byte(after))
			})
			s = open(t, file)
			if _, err := s.Load(t.Context(), "a"); !errors.Is(err, toolcall.ErrCorrupt) {
				t.Errorf("loaded: %v", err)
			}
			if _, err := s.Pending(t.Context()); !errors.Is(err, toolcall.ErrCorrupt) {
				t.Errorf("listed: %v", err)
			}
		})
	}
}

// edit changes the file of a store that is closed.
func edit(t *testing.T, file string, change func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(change), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A file in which another program keeps something under a name of ours is
// refused, and let go.
func TestFileOfAnotherProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	edit(t, file, func(tx *bbolt.Tx) error {
		return tx.Cursor().Bucket().Put([]byte("grants"), []byte("are elsewhere"))
	})
	if _, err := bolt.Open(file, time.Second); !errors.Is(err, bbolterrors.ErrIncompatibleValue) || !strings.HasPrefix(err.Error(), "bolt: ") {
		t.Errorf("it is opened: %v", err)
	}
	edit(t, file, func(tx *bbolt.Tx) error { return tx.Cursor().Bucket().Delete([]byte("grants")) })
	open(t, file)
}

// What stands in the place of a proposal and is none stops a dispatch, which
// then leaves nothing behind: the grant is unused.
func TestCommitIsAllOrNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	open(t, file).Close()
	edit(t, file, func(tx *bbolt.Tx) error {
		_, err := tx.Bucket([]byte("proposals")).CreateBucket([]byte("a"))
		return err
	})
	s := open(t, file)
	d := toolcall.Dispatch{OperationID: "o", Grant: toolcall.GrantUse{Issuer: "alice", ID: "1"}, ProposalID: "a"}
	if err := s.Commit(t.Context(), d); !errors.Is(err, bbolterrors.ErrIncompatibleValue) {
		t.Errorf("%v", err)
	}
	if err := s.Suspend(t.Context(), proposal(t, "a")); !errors.Is(err, bbolterrors.ErrIncompatibleValue) {
		t.Errorf("%v", err)
	}
	d.ProposalID = "b"
	if err := s.Commit(t.Context(), d); err != nil {
		t.Errorf("the grant is used up: %v", err)
	}
	all, err := s.Dispatched(t.Context())
	if err != nil || len(all) != 1 || !strings.Contains(string(all[0]), `"proposalId":"b"`) {
		t.Errorf("%s, %v", all, err)
	}
}

// A dispatch that cannot be written as JSON uses nothing up.
func TestUnwritableDispatch(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	d := toolcall.Dispatch{OperationID: "o", Grant: toolcall.GrantUse{Issuer: "a", ID: "1"}, At: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if err := s.Commit(t.Context(), d); err == nil {
		t.Error("it is written")
	}
	d.At = time.Time{}
	if err := s.Commit(t.Context(), d); err != nil {
		t.Error(err)
	}
}

func TestClosedStore(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	s.Close()
	if s.Suspend(t.Context(), proposal(t, "a")) == nil || s.Commit(t.Context(), toolcall.Dispatch{}) == nil {
		t.Error("a closed store writes")
	}
	if _, err := s.Load(t.Context(), "a"); err == nil {
		t.Error("a closed store reads")
	}
}
