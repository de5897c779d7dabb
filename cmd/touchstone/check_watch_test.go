package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestForetold: what takes long is foretold once, by the first questions, and
// the quick run is offered where there is one.
func TestForetold(t *testing.T) {
	for _, c := range []struct {
		complete bool
		each     time.Duration
		want     string
	}{
		{true, time.Second, "about 2000 documents, 1 a second: 33m20s, and then up to 1m0s for minimizing what is found; --smoke asks the 40 that find most, in 40s\n"},
		{false, time.Second, "about 2000 documents, 1 a second: 33m20s, and then up to 1m0s for minimizing what is found\n"},
		{true, time.Millisecond, ""},
	} {
		var out bytes.Buffer
		cfg := check.Config{Complete: c.complete, Entries: []check.Entry{{Patience: time.Minute}}}
		w := newWatch(&out, cfg, newCheckProgress(&out))
		for asked := 8; asked <= 32; asked += 8 {
			now := check.Progress{Phase: "vectors", Done: asked, Total: 1700, Asked: asked, Planned: 2000}
			w.showAt(now, w.began.Add(time.Duration(asked)*c.each))
		}
		if out.String() != c.want {
			t.Errorf("got %q, want %q", out.String(), c.want)
		}
	}
}

// TestToldKinds: a program that is wrong in every way does not fill the screen,
// and what it says is escaped.
func TestToldKinds(t *testing.T) {
	var out bytes.Buffer
	w := newWatch(&out, check.Config{Entries: []check.Entry{{}}}, newCheckProgress(&out))
	for range 3 * mostTold {
		w.found(result.Finding{Outcome: result.Diverged, Signature: "\x1b[2J", Vectors: []string{"v"}})
	}
	if n := strings.Count(out.String(), "\n"); n != mostTold+1 || strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), "(vector v)") {
		t.Errorf("%d lines: %q", n, out.String())
	}
}
