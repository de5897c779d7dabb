package explain_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestLongNumbersAreCut behind 120 bytes, and none that has no more.
func TestLongNumbersAreCut(t *testing.T) {
	for n, want := range map[int]string{119: strings.Repeat("9", 119), 120: strings.Repeat("9", 120), 121: strings.Repeat("9", 120) + "…"} {
		if got := explain.Document([]byte(strings.Repeat("9", n))).Numbers[0].Text; got != want {
			t.Errorf("of %d digits %q is kept", n, got)
		}
	}
}

// TestSkippedIsNoFailure: who does not serve the question is told as it said,
// and not opened anew for the next one.
func TestSkippedIsNoFailure(t *testing.T) {
	s := said(t, result.Answer{Kind: result.Skipped, Message: "not served"})
	if s.Outcome != result.Skip || s.Message != "not served" {
		t.Errorf("%s: %s", s.Outcome, s.Message)
	}
}

// TestNoReasonIsTold where the line protocol says that there is none.
func TestNoReasonIsTold(t *testing.T) {
	for given, want := range map[string]string{"-": "", "": "", "syntax": "syntax", "--": "--"} {
		if got := said(t, result.Answer{Kind: result.Rejected, Reason: given}).Reason; got != want {
			t.Errorf("the reason %q is told as %q", given, got)
		}
	}
}

// said is what a voice with one answer says, when it is asked for the second
// time, having been opened once.
func said(t *testing.T, a result.Answer) explain.Said {
	t.Helper()
	var opens, closes atomic.Int64
	panel := explain.NewPanel([]explain.Voice{{Name: "voice", Open: func(reject.Profile) check.Subject {
		opens.Add(1)
		return scripted{answer(a), &closes}
	}}}, time.Minute)
	defer panel.Close()
	panel.Explain(t.Context(), reject.RFC8785, []byte(`{}`))
	s := panel.Explain(t.Context(), reject.RFC8785, []byte(`{}`)).Peers[0]
	if n := opens.Load(); n != 1 {
		t.Errorf("it was opened %d times", n)
	}
	return s
}
