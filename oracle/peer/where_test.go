package peer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// TestWhereQuestionsAreAsked: here what is harmless, in the worker process what
// is not, and everything after a call that did not come back; but what the
// caller gave up on is nobody's fault.
func TestWhereQuestionsAreAsked(t *testing.T) {
	harmless, risky := canonQuestion("1"), canonQuestion(strings.Repeat(" ", 1<<20+1))
	deadly, script := canonQuestion(bad), valueQuestion(result.OpJS, "1")
	asked := func(s *Subject, ctx context.Context, questions ...result.Question) (answers string) {
		for _, a := range s.Ask(ctx, questions) {
			answers += " " + cmp.Or(string(a.Bytes), string(a.Kind))
		}
		return answers
	}
	open := func(o Options) *Subject {
		s, err := Open("test-where", o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}

	s := open(Options{CaseLimit: 30 * time.Second})
	if got := asked(s, t.Context(), harmless, harmless); got != " here here" || s.child != nil {
		t.Errorf("what is harmless: %s, %v", got, s.child)
	}
	if got := asked(s, t.Context(), risky, harmless, script, harmless); got != " there here there here" {
		t.Errorf("what is risky: %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer func(was func()) { onBad = was }(onBad)
	onBad = func() {
		cancel()
		<-t.Context().Done()
	}
	if got := asked(s, ctx, harmless, deadly, harmless, risky); got != " here skip skip skip" {
		t.Errorf("given up: %s", got)
	}
	if got := asked(s, ctx, harmless, risky); got != " skip skip" {
		t.Errorf("asked too late: %s", got)
	}
	if got := asked(s, t.Context(), harmless); got != " here" {
		t.Errorf("after that: %s", got)
	}
	s.Close()
	if got := asked(s, t.Context(), harmless, risky); got != " skip skip" {
		t.Errorf("closed: %s", got)
	}

	onBad = runtime.Goexit
	s = open(Options{CaseLimit: 30 * time.Second})
	if got := asked(s, t.Context(), harmless, deadly, harmless); got != " here crash there" {
		t.Errorf("what did not come back: %s", got)
	}
	if got := asked(s, t.Context(), harmless); got != " there" {
		t.Errorf("after that: %s", got)
	}
	s = open(Options{CaseLimit: 30 * time.Second, Isolate: true})
	if got := asked(s, t.Context(), harmless); got != " there" {
		t.Errorf("isolated: %s", got)
	}
}

// TestVersionsOfModules: a replaced module has its replacement's version.
func TestVersionsOfModules(t *testing.T) {
	got := versionsOf(&debug.BuildInfo{Main: debug.Module{Path: "main", Version: "v1"}, Deps: []*debug.Module{
		{Path: "a", Version: "v2"}, {Path: "b", Version: "v3", Replace: &debug.Module{Path: "c", Version: "v4"}},
	}})
	if len(got) != 3 || got["main"] != "v1" || got["a"] != "v2" || got["b"] != "v4" {
		t.Errorf("%v", got)
	}
}

// TestTwoWaysMustAgree on the form, or on refusing.
func TestTwoWaysMustAgree(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range []struct {
		a, b       string
		errA, errB error
		agree      bool
	}{
		{"1", "1", nil, nil, true}, {"", "", refused, refused, true}, {"1", "2", nil, nil, false}, {"", "", refused, nil, false}, {"", "", nil, refused, false},
	} {
		func() {
			defer func() {
				if agree := recover() == nil; agree != c.agree {
					t.Errorf("%+v: they agree: %v", c, agree)
				}
			}()
			mustAgree([]byte(c.a), []byte(c.b), c.errA, c.errB)
		}()
	}
}

// TestJudged: what must be refused has no offset, what may be is given.
func TestJudged(t *testing.T) {
	for graph, want := range map[string]string{
		`{"root":0,"nodes":[{"array":[],"length":1}]}`:                "sparse_array",
		`{"root":0,"nodes":[{"array":[],"length":0,"proto":"null"}]}`: "",
	} {
		g, err := reference.Parse([]byte(graph))
		if err != nil {
			t.Fatal(err)
		}
		out, err := judged(g)
		var refusal *reject.Error
		switch {
		case errors.As(err, &refusal):
			if refusal.Reason.String() != want || refusal.Offset != -1 || out != nil {
				t.Errorf("%s: %+v, %q", graph, refusal, out)
			}
		case want != "" || !bytes.Equal(out, []byte("[]")):
			t.Errorf("%s: %q, %v", graph, out, err)
		}
	}
	if !slices.Equal(Names()[:3], []string{"reference", "canon", "snapshot"}) {
		t.Errorf("ours do not stand first: %v", Names())
	}
}

// TestWorkersEnd with the conversation, with what has gone wrong, or with the
// peer's panic, all told.
func TestWorkersEnd(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		worker, asks string
		status       int
		says, told   string
	}{
		{"canon", "hello 1 profile=rfc8785\n1 canon 5b205d\nbye\n", 0, "\n1 ok 5b5d\n", ""},
		{"together:canon,reference", "hello 1 profile=rfc8785\n1 canon 015b205d\nbye\n", 0, "\n1 ok 5b5d\n", ""},
		{"nobody", "hello 1 profile=rfc8785\n", 1, "", `there is no built-in implementation "nobody"`},
		{"together:canon,nobody", "hello 1 profile=rfc8785\n", 1, "", `there is no built-in implementation "nobody"`},
		{"canon", "hello 1 profile=none\n", 1, "", "profile"},
		{"together:canon", "hello 1 profile=none\n", 1, "", "profile"},
		{"test-panic", "hello 1 profile=rfc8785\n1 canon 626164\n", 2, "", "panic: oh no"},
		{"test-exit", "hello 1 profile=rfc8785\n1 canon 626164\n", 2, "", ""},
	} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), workerName+"="+c.worker)
		cmd.Stdin = strings.NewReader(c.asks)
		var says, told strings.Builder
		cmd.Stdout, cmd.Stderr = &says, &told
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(says.String(), c.says) || !strings.Contains(told.String(), c.told) || c.told == "" && told.Len() > 0 {
			t.Errorf("the worker %s ends with %d, says %q and tells %q", c.worker, got, says.String(), told.String())
		}
	}
}

// TestServeWithoutScripts needs no worker.
func TestServeWithoutScripts(t *testing.T) {
	p, err := Lookup("canon")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := p.Serve(strings.NewReader("hello 1 profile=rfc8785\n1 js 31\nbye\n"), &out); err != nil || !strings.HasSuffix(out.String(), "\n1 skip\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := p.Serve(strings.NewReader("hello 1 profile=rfc8785\nbye\n"), &out); err != nil || !strings.HasPrefix(out.String(), "hello 1 name=canon ") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestWaitingEndsWithProgress: a tick finds something answered, and the next one
// nothing more.
func TestWaitingEndsWithProgress(t *testing.T) {
	j := &job{indexes: []int{0, 1}, answers: make([]result.Answer, 2), finished: make(chan struct{})}
	j.done.Store(1)
	tick := make(chan time.Time)
	ended := make(chan int)
	go func() {
		answers, ok := j.wait(t.Context(), tick)
		if ok {
			t.Error("not all was answered")
		}
		ended <- len(answers)
	}()
	for range 2 {
		select {
		case tick <- time.Time{}:
		case <-ended:
			t.Fatal("it did not wait for a second tick")
		}
	}
	if n := <-ended; n != 1 {
		t.Errorf("%d answers", n)
	}
}
