package process

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// hostile are the bodies of the hostile programs.
var hostile = map[string]func(argument string){
	"serve":        serve,
	"good":         func(string) { echo(func(int, string, []byte) bool { return false }) },
	"crash":        onBad(func(string) { fmt.Fprintln(os.Stderr, "panic: bad"); os.Exit(2) }),
	"end":          onBad(func(string) { os.Exit(0) }),
	"hang":         onBad(func(string) { forever() }),
	"spin":         onBad(func(string) { spin() }),
	"garbage":      onBad(func(string) { say("\x1b[31mwhat?\x00\n") }),
	"half-line":    onBad(func(id string) { say(id + " ok 7b"); os.Exit(0) }),
	"wrong-id":     onBad(func(string) { say("999999 ok 7b7d\n") }),
	"text-id":      onBad(func(string) { say("x ok 7b7d\n") }),
	"twice":        onBad(func(id string) { say(id + " ok -\n" + id + " ok -\n") }),
	"chatter":      onBad(func(id string) { say(id + " ok -\nby the way\n") }),
	"late-chatter": onBad(func(id string) { say(id + " ok -\n"); time.Sleep(time.Millisecond); say("by the way\n") }),
	"late-crash":   onBad(func(id string) { say(id + " ok -\n"); os.Exit(7) }),
	"flood":        onBad(func(id string) { say(id + " ok "); flood(os.Stdout, "7b") }),
	"drip":         onBad(func(id string) { drip(id + " ok ") }),
	"no-input":     onBad(func(string) { os.Stdin.Close(); forever() }),
	"no-output":    onBad(func(string) { os.Stdout.Close(); forever() }),
	"huge-error":   onBad(func(string) { loud(); os.Exit(2) }),
	"upper-hex":    onBad(func(id string) { say(id + " ok 7B\n") }),
	"error":        onBad(func(id string) { say(id + " error 6f6f7073\n") }),
	"skip":         onBad(func(id string) { say(id + " skip\n") }),
	"refuse":       onBad(func(id string) { say(id + " reject negative_zero 6e6f\n") }),
}

// silent are the hostile programs that never answer.
var silent = map[string]bool{
	"hang": true, "spin": true, "drip": true, "no-input": true, "silence": true,
	"x-hang": true, "x-spin": true, "x-silence": true, "x-linger": true, "x-deaf": true, "x-drip": true,
}

// turns is what spin is busy with.
var turns uint

func spin() {
	for {
		turns++
	}
}

func drip(text string) {
	say(text)
	for {
		time.Sleep(50 * time.Millisecond)
		say("7b")
	}
}

func loud() {
	line := strings.Repeat("noise ", 100) + "\n"
	for range 50_000 {
		os.Stderr.WriteString(line)
	}
	os.Stderr.WriteString("the last words\n")
}

// TestBlame: whatever a program does at one question, that question alone is
// blamed for it, and every other one gets its answer.
func TestBlame(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		kind    result.AnswerKind
		message string
	}{
		"good":         {result.OK, ""},
		"crash":        {result.Crashed, "exit status 2"},
		"end":          {result.Crashed, "exit status 0"},
		"hang":         {result.Hung, "no answer within " + brief.String()},
		"spin":         {result.Hung, "no answer within " + brief.String()},
		"garbage":      {result.ProtocolError, `\x1b[31mwhat?\x00`},
		"half-line":    {result.ProtocolError, "no line end"},
		"wrong-id":     {result.ProtocolError, `"999999 ok 7b7d"`},
		"text-id":      {result.ProtocolError, `"x ok 7b7d"`},
		"twice":        {result.ProtocolError, "replied twice"},
		"chatter":      {result.ProtocolError, "by the way"},
		"late-chatter": {result.ProtocolError, "by the way"},
		"late-crash":   {result.Crashed, "after its reply it ended with exit status 7"},
		"flood":        {result.ProtocolError, "longer than the limit"},
		"drip":         {result.Hung, "only"},
		"no-input":     {result.Hung, "no answer"},
		"no-output":    {result.Crashed, "closed its standard output"},
		"huge-error":   {result.Crashed, "exit status 2"},
		"upper-hex":    {result.ProtocolError, "upper-case"},
		"error":        {result.ProtocolError, "oops"},
		"skip":         {result.Skipped, ""},
		"refuse":       {result.Rejected, "no"},
	} {
		for _, processes := range []int{1, 2} {
			t.Run(fmt.Sprint(name, processes), func(t *testing.T) {
				t.Parallel()
				w := open(t, name, processes)
				questions := make([]result.Question, 40)
				for i := range questions {
					questions[i] = result.Question{Op: result.OpCanon, Input: fmt.Append(nil, i)}
				}
				questions[20].Input = []byte(bad)
				for i, a := range w.Ask(context.Background(), questions) {
					switch {
					case i != 20 || name == "good":
						if a.Kind != result.OK || string(a.Bytes) != string(questions[i].Input) {
							t.Errorf("question %d: %+v", i, a)
						}
					case a.Kind != want.kind || !strings.Contains(a.Message, want.message) || a.Flaky:
						t.Errorf("the bad question: got %s, %q, flaky %v; want %s, %q", a.Kind, a.Message, a.Flaky, want.kind, want.message)
					case name == "huge-error" && (len(a.Stderr) > maxTail || !strings.HasSuffix(a.Stderr, "the last words\n")):
						t.Errorf("standard error: %d bytes", len(a.Stderr))
					}
				}
			})
		}
	}
}

// open starts a hostile program and sees to it that nothing of it is left.
func open(t *testing.T, name string, processes int) *Wire {
	t.Helper()
	command, o := program(t, name)
	o.Processes = processes
	if strings.HasPrefix(name, "late-") {
		o.linger = brief
	}
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if left := marked([]byte(markName + "=" + w.mark)); len(left) > 0 {
			t.Errorf("processes live on: %v", left)
		}
	})
	return w
}

// TestSilence: a program that never answers is not waited for again and again,
// and what it was not asked is said to be so.
func TestSilence(t *testing.T) {
	t.Parallel()
	hung := func(t *testing.T, answers []result.Answer) {
		t.Helper()
		hangs := 0
		for i, a := range answers {
			switch {
			case a.Kind == result.Hung:
				hangs++
			case a.Kind != result.Skipped || !a.Unasked || !strings.Contains(a.Message, "never answered"):
				t.Errorf("question %d: %+v", i, a)
			}
		}
		if hangs == 0 || hangs > maxMute {
			t.Errorf("%d hangs", hangs)
		}
	}
	t.Run("wire", func(t *testing.T) {
		t.Parallel()
		hung(t, open(t, "silence", 1).Ask(context.Background(), documents(100)))
	})
	t.Run("exec", func(t *testing.T) {
		t.Parallel()
		command, o := program(t, "x-silence")
		o.Processes = 1
		e, err := OpenExec(context.Background(), command, o)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		hung(t, e.Ask(context.Background(), documents(100)))
	})
}
