package main

import (
	"path/filepath"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// What an interrupted chunk found is like a known finding whatever its effect and
// signature, which are not proved then; another outcome or requirement is not.
func TestHuntStateHasLike(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hunt.jsonl")
	head := huntHeader{Format: 1, Subjects: []string{"a"}}
	s, err := openHuntState(path, head, false)
	if err != nil {
		t.Fatal(err)
	}
	known := result.Finding{Subject: "a", Requirement: "r", Outcome: result.Accepted, Effect: result.Collision, Signature: "minimized"}
	if _, isNew, err := s.noteFinding(&known); err != nil || !isNew {
		t.Fatal(isNew, err)
	}
	s.close()
	if s, err = openHuntState(path, head, false); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, c := range []struct {
		f    result.Finding
		want bool
	}{
		{result.Finding{Subject: "a", Requirement: "r", Outcome: result.Accepted, Effect: result.Split, Signature: "raw"}, true},
		{result.Finding{Subject: "b", Requirement: "r", Outcome: result.Accepted}, false},
		{result.Finding{Subject: "a", Requirement: "q", Outcome: result.Accepted}, false},
		{result.Finding{Subject: "a", Requirement: "r", Outcome: result.Refused}, false},
	} {
		if got := s.hasLike(&c.f); got != c.want {
			t.Errorf("%+v: %v", c.f, got)
		}
	}
}
