package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// The table of the test program has rows that misbehave at one input.
var _ = func() bool {
	table = append(table, misbehaving...)
	return true
}()

var misbehaving = []Peer{
	{Name: "test-panic", Lineage: "test-panic", open: onInput(func() { panic("oh no") })},
	{Name: "test-hang", Lineage: "test-hang", open: onInput(func() {
		for {
			time.Sleep(time.Hour)
		}
	})},
	{Name: "test-busy", Lineage: "test-busy", open: onInput(func() {
		for begin := time.Now(); time.Since(begin) < 3*time.Second; {
			runtime.Gosched()
		}
	})},
	{Name: "test-stack", Lineage: "test-stack", open: func(reject.Profile) engine {
		return engine{result.OpCanon: func(input []byte) ([]byte, error) {
			if len(input) > 1<<20 {
				fmt.Println(descend(0))
			}
			return input, nil
		}}
	}},
	{Name: "test-where", Lineage: "test-where", open: func(reject.Profile) engine {
		where := func(input []byte) ([]byte, error) {
			if string(input) == bad {
				onBad()
			}
			if isWorker {
				return []byte("there"), nil
			}
			return []byte("here"), nil
		}
		return engine{result.OpCanon: where, result.OpJS: where}
	}},
	{Name: "test-exit", Lineage: "test-exit", open: onInput(runtime.Goexit)},
}

// isWorker says that this process is a worker.
var _, isWorker = os.LookupEnv(workerName)

// onBad is what test-where does with the bad input: it ends its goroutine, or its
// worker process.
var onBad = runtime.Goexit

// product are the rows that the product has.
func product() []Peer { return table[:len(table)-len(misbehaving)] }

func descend(n int) int {
	var pad [1 << 12]int
	pad[n%len(pad)] = n
	//lint:ignore SA5007 it is there to use up the stack
	return descend(n+1) + pad[(n+1)%len(pad)]
}

const bad = "bad"

func onInput(do func()) func(reject.Profile) engine {
	return func(reject.Profile) engine {
		return engine{result.OpCanon: func(input []byte) ([]byte, error) {
			if string(input) == bad {
				do()
			}
			return bytes.Clone(input), nil
		}}
	}
}

// TestGuard: whatever one question does to a peer, it alone is blamed, and the
// peer goes on answering.
func TestGuard(t *testing.T) {
	for name, want := range map[string]struct {
		kind    result.AnswerKind
		message string
		input   string
	}{
		"test-panic": {result.Crashed, "panic: oh no", bad},
		"test-hang":  {result.Hung, "no answer within", bad},
		"test-busy":  {result.Hung, "no answer within", bad},
		"test-stack": {result.Crashed, "exit status 2", strings.Repeat(" ", 1<<20+1)},
		"test-exit":  {result.Crashed, "", bad},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			questions := make([]result.Question, 50)
			for i := range questions {
				questions[i] = canonQuestion(fmt.Sprint(i))
			}
			questions[20] = canonQuestion(want.input)
			limit := 30 * time.Second
			if want.kind == result.Hung {
				limit = 500 * time.Millisecond
			}
			for i, a := range ask(t, name, Options{CaseLimit: limit}, questions...) {
				if i == 20 {
					if a.Kind != want.kind || !strings.Contains(a.Message, want.message) {
						t.Errorf("the bad question: %.200v", a)
					}
				} else if a.Kind != result.OK || string(a.Bytes) != fmt.Sprint(i) {
					t.Errorf("question %d: %.200v", i, a)
				}
			}
		})
	}
}

// TestInterruptedPeer: the end of the context ends a batch, every question has
// an answer, and the peer can be asked again.
func TestInterruptedPeer(t *testing.T) {
	s, err := Open("test-hang", Options{CaseLimit: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	answers := s.Ask(ctx, []result.Question{canonQuestion("1"), canonQuestion(bad), canonQuestion("2")})
	if answers[0].Kind != result.OK || answers[1].Kind != result.Skipped || answers[2].Kind != result.Skipped {
		t.Errorf("%+v", answers)
	}
	if a := s.Ask(context.Background(), []result.Question{canonQuestion("1")})[0]; a.Kind != result.OK {
		t.Errorf("afterwards: %+v", a)
	}
	s.Close()
	if a := s.Ask(context.Background(), []result.Question{canonQuestion("1")})[0]; a.Kind != result.Skipped {
		t.Errorf("after Close: %+v", a)
	}
}

// TestDeep: texts that are a hundred thousand deep, or megabytes long, end no
// run, whatever each peer makes of them.
func TestDeep(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes take long under the race detector")
	}
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	open := strings.Repeat(`{"a":`, 500_000)
	wide := "[" + strings.Repeat("1,", 1<<20) + "1]"
	for _, p := range product() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			answers := ask(t, p.Name, Options{CaseLimit: 2 * time.Second}, canonQuestion(deep), canonQuestion(open), canonQuestion(wide), canonQuestion("[]"))
			for i, a := range answers {
				t.Log(i, a.Kind, a.Message[:min(len(a.Message), 100)], a.Elapsed)
			}
			if a := answers[3]; a.Kind != result.OK || string(a.Bytes) != "[]" {
				t.Errorf("%+v", a)
			}
			if a := answers[1]; a.Kind == result.OK {
				t.Errorf("an open text is accepted")
			}
		})
	}
}

// TestRisky: what could end a process is told from what could not.
func TestRisky(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, strings.Repeat("[", 1<<14): false, strings.Repeat("{", 1<<14): false, strings.Repeat("[", 1<<14+1): true, strings.Repeat("{[", 1<<13) + "{": true,
		strings.Repeat("1,", 1<<19): false, strings.Repeat(" ", 1<<20+1): true,
		strings.Repeat("[{", 1<<10) + strings.Repeat(" ", 1<<17-1<<11): false, strings.Repeat("[{", 1<<10) + "[" + strings.Repeat(" ", 1<<17-1<<11-1): true,
	} {
		if Risky([]byte(text)) != want {
			t.Errorf("%.20q of %d bytes", text, len(text))
		}
	}
}

// TestAnswer: errors become answers by what they are.
func TestAnswer(t *testing.T) {
	for err, want := range map[error]result.Answer{
		errSkip:                               {Kind: result.Skipped},
		errQuestion:                           {Kind: result.ProtocolError, Message: errQuestion.Error()},
		reject.Cycle:                          {Kind: result.Rejected, Message: "cycle", Reason: "cycle"},
		errors.New(strings.Repeat("x", 2000)): {Kind: result.Rejected, Message: strings.Repeat("x", 1000)},
	} {
		e := engine{result.OpCanon: func([]byte) ([]byte, error) { return nil, err }}
		if a := e.answer(canonQuestion("")); a.Kind != want.Kind || a.Message != want.Message || a.Reason != want.Reason {
			t.Errorf("%v: %+v", err, a)
		}
		if a := e.answer(result.Question{Op: result.OpJS}); a.Kind != result.Skipped {
			t.Errorf("another operation: %+v", a)
		}
	}
}
