package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each run opens the store anew: a restart.
func TestSuspendApproveResume(t *testing.T) {
	dir := t.TempDir()
	clock := time.Unix(1_000_000, 0)
	now := func() time.Time { return clock }
	does := func(what, typed, want string) {
		t.Helper()
		var out strings.Builder
		if err := run([]string{"-dir", dir, what}, strings.NewReader(typed), &out, now); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s prints\n%s\nwant\n%s", what, out.String(), want)
		}
	}
	does("run", "", `call-1 search {\"query\":\"orders of alice\"}
call-1 executed 
  to the model: 3 orders found
call-2 pay {\"cents\":500,\"to\":\"[hidden]\"}
call-2 executed 
  to the model: paid 500 cents
call-3 pay {\"cents\":25000,\"to\":\"[hidden]\"}
call-3 suspended 
  to the model: this waits for approval
call-4 pay {\"cents\":99999999,\"to\":\"[hidden]\"}
call-4 denied policy_denied
  to the model: toolcall: policy denies the call
call-5 pay 
call-5 refused arguments
  to the model: toolcall: the arguments of "pay" are refused at the stage schema: schema: the arguments do not meet the schema at #/required
`)
	const asks = `Support Agent wants to pay {\"cents\":25000,\"to\":\"alice\"} (more than 10.00)
hash 3976639f5941def949250ebf3a4c7503b9c12be10c85892bd89a013e916fe89a
approve? [y/N] `
	does("approve", "n\n", asks+"no\n")
	does("resume", "", "")
	does("approve", "y\n", asks+"yes, for an hour\n")
	clock = clock.Add(time.Minute)
	does("resume", "", `call-3 pay {\"cents\":25000,\"to\":\"[hidden]\"}
call-3 executed 
  to the model: paid 25000 cents
`)
	// The grant was used, and nothing waits any more.
	does("resume", "", "  to the model: toolcall: the proposal was dispatched before\n")
	does("approve", "y\n", "")
}

func TestGrantOfYesterday(t *testing.T) {
	dir := t.TempDir()
	clock := time.Unix(1_000_000, 0)
	now := func() time.Time { return clock }
	var out strings.Builder
	for _, what := range []string{"run", "approve", "resume"} {
		if what == "resume" {
			clock = clock.Add(time.Hour)
		}
		out.Reset()
		if err := run([]string{"-dir", dir, what}, strings.NewReader("y\n"), &out, now); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(out.String(), "call-3 refused evidence_expired") {
		t.Errorf("%s", out.String())
	}
}

func TestRefusesWhatItDoesNotKnow(t *testing.T) {
	if err := run([]string{"-dir", t.TempDir(), "dance"}, nil, nil, time.Now); err == nil {
		t.Error("it dances")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "approver.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-dir", dir, "run"}, nil, nil, time.Now); err == nil {
		t.Error("a key that is none is taken")
	}
}
