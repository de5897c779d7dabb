package documents_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/law"
)

// Every law that is not heavy, on canon and on the snapshot decoder, with the
// grammar's choices made and shrunk by rapid.
func TestLaws(t *testing.T) {
	for _, l := range law.All() {
		if l.Heavy {
			continue
		}
		t.Run(l.Name, rapid.MakeCheck(func(t *rapid.T) {
			document := grammar.Document(rapidSource{t})
			for _, im := range []law.Implementation{fuzz.Canon{}, fuzz.Snapshot{}} {
				if l.Applies == nil || l.Applies(im) {
					if l.Name == "reference" && !isCanon(im) {
						continue // the snapshot decoder keeps the law "domain" instead
					}
					if err := l.Check(im, document); err != nil {
						t.Fatalf("%T: %v", im, err)
					}
				}
			}
		}))
	}
}

func isCanon(im law.Implementation) bool { _, ok := im.(fuzz.Canon); return ok }

// Two spellings of one value, and two different values.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g grammar.Generator
		a, b, relation := g.Pair(rapidSource{t})
		if err := law.CheckPair(fuzz.Canon{}, a, b, relation); err != nil {
			t.Fatal(err)
		}
	})
}

// Smaller choices give a document too, whichever one is made smaller: that is
// what lets rapid shrink.
func TestSmallerChoices(t *testing.T) {
	for seed := range uint64(50) {
		r := &grammar.Record{From: grammar.NewSeeded(51, seed)}
		grammar.Document(r)
		for i := range min(len(r.Choices), 200) {
			less := append([]int(nil), r.Choices...)
			less[i] /= 2
			if document := grammar.Document(&grammar.Replay{Choices: less}); len(document) > 1<<20 {
				t.Fatalf("choice %d halved: %d bytes", i, len(document))
			}
		}
	}
}

// stream is a state machine: documents are appended to one buffer, faulty ones
// too, behind one another, with limits that come and go. The model is the list
// of canonical forms that each document has alone.
type stream struct {
	buffer []byte
	model  [][]byte
	limits canon.Options
}

// AppendDocument appends a drawn document.
func (s *stream) AppendDocument(t *rapid.T) {
	document := grammar.Document(rapidSource{t})
	alone, wantErr := s.limits.Canonicalize(document)
	kept := bytes.Clone(s.buffer)
	got, err := s.limits.Append(s.buffer, document)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: Append gives %v, Canonicalize %v", document, err, wantErr)
	}
	if err != nil {
		if len(got) != len(kept) || !bytes.Equal(got, kept) {
			t.Fatalf("%q is refused, and the buffer is not as before", document)
		}
		var e *reject.Error
		if !errors.As(err, &e) {
			t.Fatalf("%q: the error is a %T", document, err)
		}
		return
	}
	s.buffer = got
	s.model = append(s.model, alone)
}

// AppendAgain appends the buffer's own last form: it gives itself.
func (s *stream) AppendAgain(t *rapid.T) {
	if len(s.model) == 0 {
		t.Skip("nothing appended yet")
	}
	last := s.model[len(s.model)-1]
	got, err := canon.Append(s.buffer, last)
	if err != nil {
		t.Fatalf("%q: %v", last, err)
	}
	s.buffer = got
	s.model = append(s.model, last)
}

// Limit sets limits for the documents to come.
func (s *stream) Limit(t *rapid.T) {
	s.limits = canon.Options{
		MaxDepth:  rapid.IntRange(0, 5).Draw(t, "depth"),
		MaxOutput: rapid.IntRange(0, 100).Draw(t, "output"),
	}
}

// Forget empties the buffer and keeps its memory.
func (s *stream) Forget(*rapid.T) { s.buffer, s.model = s.buffer[:0], nil }

// Check compares the buffer with the model after each action.
func (s *stream) Check(t *rapid.T) {
	if want := bytes.Join(s.model, nil); !bytes.Equal(s.buffer, want) {
		t.Fatal(cmp.Diff(string(want), string(s.buffer)))
	}
}

func TestStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := new(stream)
		t.Repeat(rapid.StateMachineActions(s))
	})
}
