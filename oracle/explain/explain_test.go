package explain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// TestVectorsAreExplained: of every text among the vectors the verdicts, the
// canonical form and each fault's clause.
func TestVectorsAreExplained(t *testing.T) {
	asked := 0
	for _, v := range vectors.All() {
		if v.Op != vectors.OpCanon {
			continue
		}
		asked++
		e := explain.Document(v.Input)
		for p, want := range v.Expect {
			got := e.Verdicts[p]
			if got.Profile != p.String() || string(got.Kind) != string(want.Verdict) {
				t.Errorf("%s under %s: %s, want %s", v.ID, p, got.Kind, want.Verdict)
			}
			if (got.Kind == verdict.Accept) != (len(got.Faults) == 0) {
				t.Errorf("%s under %s: %s with %d faults", v.ID, p, got.Kind, len(got.Faults))
			}
			for _, f := range got.Faults {
				if f.Clause == nil || f.Meaning == "" || f.Offset < 0 || f.Offset > len(v.Input) {
					t.Errorf("%s under %s: a fault without clause, meaning or place: %+v", v.ID, p, f)
				}
			}
			if want.Verdict == "accept" && p == reject.RFC8785 && (e.Canonical == nil || e.Canonical.Text != string(want.Output)) {
				t.Errorf("%s: another canonical form", v.ID)
			}
		}
		if _, err := json.Marshal(e); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
	}
	if asked < 1000 {
		t.Errorf("only %d vectors were asked", asked)
	}
}

// TestProposalHash: the hashes of AIOC 0.2.8, and none outside the domain.
func TestProposalHash(t *testing.T) {
	for src, want := range map[string]string{
		`{}`:                 "539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502",
		`{ "q":"x", "n":1 }`: "1a3592016b86e3d083c4d04e0520313beea8085cc2a4bdd7c904b6e9624932dc",
		`{"n":-0}`:           "",
		`{"n":1,"n":1}`:      "",
		"\ufeff{}":           "",
	} {
		e := explain.Document([]byte(src))
		if err := e.Bind("Support Agent", "search_docs"); err != nil {
			t.Fatal(err)
		}
		if e.Proposal == nil && want != "" || e.Proposal != nil && e.Proposal.Hash != want {
			t.Errorf("%s: %+v, want %q", src, e.Proposal, want)
		}
	}
	if err := explain.Document([]byte(`{}`)).Bind("\xff", "tool"); err != explain.ErrNames {
		t.Errorf("a name that is not UTF-8: %v", err)
	}
}

// TestNumbersShowTheirDoubles: bits, canonical form and exactness, of numbers by
// the grammar only.
func TestNumbersShowTheirDoubles(t *testing.T) {
	got := explain.Document([]byte(`[1, -0, 1e400, 9007199254740993, 01, "2", nan, 5e-324]`)).Numbers
	want := []explain.Number{
		{Offset: 1, Text: "1", Bits: "3ff0000000000000", Form: "1", Exact: true},
		{Offset: 4, Text: "-0", Bits: "8000000000000000", Form: "0", Exact: true},
		{Offset: 8, Text: "1e400", Bits: "7ff0000000000000"},
		{Offset: 15, Text: "9007199254740993", Bits: "4340000000000000", Form: "9007199254740992"},
		{Offset: 47, Text: "5e-324", Bits: "0000000000000001", Form: "5e-324", Exact: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	many := explain.Document([]byte("[" + strings.Repeat("1,", 1000) + strings.Repeat("9", 1000) + "]"))
	if len(many.Numbers) != explain.MaxNumbers {
		t.Errorf("%d numbers are shown", len(many.Numbers))
	}
	if long := explain.Document([]byte(strings.Repeat("9", 1000))).Numbers[0].Text; len(long) > 130 {
		t.Errorf("%d bytes of one number are kept", len(long))
	}
}

// TestPointersAreBounded: depth cannot make an explanation many times as large
// as the document.
func TestPointersAreBounded(t *testing.T) {
	e := explain.Document([]byte(strings.Repeat("[", 5000) + "-0"))
	for _, v := range e.Verdicts {
		for _, f := range v.Faults {
			if len(f.Pointer) > 4200 {
				t.Errorf("a pointer of %d bytes", len(f.Pointer))
			}
		}
	}
}

// TestEveryPeerIsAsked by a panel of the built-in ones, in worker processes as
// the server has them.
func TestEveryPeerIsAsked(t *testing.T) {
	panel := explain.NewPanel(explain.Builtin(10*time.Second, true), time.Minute)
	defer panel.Close()
	for range 2 {
		e := panel.Explain(t.Context(), reject.RFC8785, []byte(`{"b":1,"a":1}`))
		if len(e.Peers) != len(peer.All()) {
			t.Fatalf("%d answers", len(e.Peers))
		}
		for _, s := range e.Peers {
			if s.Outcome != result.Pass || !s.Right || s.Given != nil {
				t.Errorf("%s: %+v", s.Name, s)
			}
		}
	}
}

// A scripted subject does what a test wants of it.
type scripted struct {
	ask    func(ctx context.Context) []result.Answer
	closed *atomic.Int64
}

func (s scripted) Info() result.Info { return result.Info{Name: "scripted"} }
func (s scripted) Close() error      { s.closed.Add(1); return nil }
func (s scripted) Ask(ctx context.Context, _ []result.Question) []result.Answer {
	return s.ask(ctx)
}

func answer(a result.Answer) func(context.Context) []result.Answer {
	return func(context.Context) []result.Answer { return []result.Answer{a} }
}

// TestHostileVoicesAreBounded: who panics, hangs, babbles or gives too much is
// told so, keeps nobody else waiting, and is opened anew.
func TestHostileVoicesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened, closed atomic.Int64
		release := make(chan struct{})
		voice := func(name string, ask func(context.Context) []result.Answer) explain.Voice {
			return explain.Voice{Name: name, Open: func(reject.Profile) check.Subject {
				opened.Add(1)
				return scripted{ask, &closed}
			}}
		}
		panel := explain.NewPanel([]explain.Voice{
			voice("panics", func(context.Context) []result.Answer { panic("no") }),
			voice("waits", func(ctx context.Context) []result.Answer {
				<-ctx.Done()
				return []result.Answer{{Kind: result.Skipped}}
			}),
			voice("stays", func(context.Context) []result.Answer { <-release; return []result.Answer{{Kind: result.OK}} }),
			voice("babbles", func(context.Context) []result.Answer { return make([]result.Answer, 3) }),
			voice("shouts", answer(result.Answer{Kind: result.OK, Bytes: make([]byte, 1<<20), Message: strings.Repeat("x", 1<<20)})),
			voice("missing", answer(result.Answer{Kind: result.NoStart, Message: "not here"})),
			voice("right", answer(result.Answer{Kind: result.OK, Bytes: []byte(`{}`)})),
		}, 3*time.Second)
		want := []string{"crash", "skip", "skip", "protocol-error", "diverged", "skip", "pass"}
		for round := range 2 {
			begin := time.Now()
			e := panel.Explain(t.Context(), reject.RFC8785, []byte(`{}`))
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("round %d took %v", round, took)
			}
			if told := e.Peers[2].Message; strings.Contains(told, "busy") != (round == 1) {
				t.Errorf("round %d: who has not come back is told so: %s", round, told)
			}
			for i, s := range e.Peers {
				if string(s.Outcome) != want[i] {
					t.Errorf("round %d: %s: %s (%s), want %s", round, s.Name, s.Outcome, s.Message, want[i])
				}
				if len(s.Given) > 4096 || len(s.Message) > 400 {
					t.Errorf("%s: %d bytes and a message of %d are kept", s.Name, len(s.Given), len(s.Message))
				}
			}
		}
		if n := opened.Load(); n != 11 {
			t.Errorf("%d were opened: two of each that failed, one of each other", n)
		}
		close(release)
		synctest.Wait()
		panel.Close()
		if n := closed.Load(); n != 9 {
			t.Errorf("%d were closed: all but those that panicked", n)
		}
	})
}

// TestWhoAsksMayLeave: the panel returns when the context ends, and the question
// goes on, so that the next one finds the voice in order.
func TestWhoAsksMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int64
		panel := explain.NewPanel([]explain.Voice{{Name: "slow", Open: func(reject.Profile) check.Subject {
			return scripted{func(ctx context.Context) []result.Answer {
				time.Sleep(time.Second)
				return []result.Answer{{Kind: result.OK, Bytes: []byte(fmt.Sprint(ctx.Err()))}}
			}, &closed}
		}}}, 5*time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		panel.Explain(ctx, reject.RFC8785, []byte(`1`))
		e := panel.Explain(t.Context(), reject.RFC8785, []byte(`1`))
		if s := e.Peers[0]; string(s.Given) != "<nil>" || closed.Load() != 0 {
			t.Errorf("%+v, %d closed", s, closed.Load())
		}
	})
}
