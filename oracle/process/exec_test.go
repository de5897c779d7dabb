package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// onBadDocument makes an exec program that copies, and misbehaves at the one
// bad document.
func onBadDocument(do func()) func(string) {
	return func(string) {
		input, err := io.ReadAll(os.Stdin)
		if err != nil {
			os.Exit(3)
		}
		if string(input) == bad {
			do()
			return
		}
		os.Stdout.Write(input)
	}
}

func init() {
	for name, do := range map[string]func(){
		"x-good":       func() { say(bad) },
		"x-refuse":     func() { fmt.Fprintln(os.Stderr, "refused"); os.Exit(1) },
		"x-skip":       func() { os.Exit(69) },
		"x-status":     func() { os.Exit(3) },
		"x-panic":      func() { panic("bad") },
		"x-signal":     func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); forever() },
		"x-hang":       forever,
		"x-spin":       spin,
		"x-flood":      func() { flood(os.Stdout, "yes ") },
		"x-loud":       func() { loud(); os.Exit(1) },
		"x-error-text": func() { say("error: bad\n") },
		"x-silent":     func() {},
		"x-close":      func() { os.Stdout.Close(); os.Stdin.Close(); os.Exit(0) },
		"x-linger":     func() { os.Stdout.Close(); forever() },
		"x-stray":      func() { stray(false); say(bad) },
		"x-session":    func() { stray(true); say(bad) },
	} {
		hostile[name] = onBadDocument(do)
	}
	hostile["silence"] = func(string) { echo(func(int, string, []byte) bool { return true }) }
	hostile["x-silence"] = func(string) {
		if input, _ := io.ReadAll(os.Stdin); string(input) == "{}" {
			say("{}")
			return
		}
		forever()
	}
	hostile["x-unread"] = func(string) { say("{}") }
	hostile["x-lazy"] = func(string) { os.Stdin.Close(); time.Sleep(2 * grace); say("{}") }
	hostile["x-blank"] = func(string) { say(" {}") }
	hostile["x-other"] = func(string) { say("[]") }
	hostile["x-refuses"] = func(string) { os.Exit(1) }
	hostile["x-newline"] = func(string) { io.Copy(os.Stdout, os.Stdin); say("\n") }
	hostile["x-deaf"] = func(string) { forever() }
	hostile["x-drip"] = func(string) { drip("{") }
	hostile["x-yes"] = func(string) { flood(os.Stdout, "{}") }
	hostile["x-die"] = func(string) { fmt.Fprintln(os.Stderr, "no module"); os.Exit(1) }
}

// TestExecBlame: in exec mode what a program does at one document is that
// document's answer, and no other's.
func TestExecBlame(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]result.Answer{
		"x-good":       {Kind: result.OK, Bytes: []byte(bad)},
		"x-refuse":     {Kind: result.Rejected, Message: "exit status 1", Stderr: "refused\n"},
		"x-skip":       {Kind: result.Skipped, Message: "exit status 69"},
		"x-status":     {Kind: result.Crashed, Message: "exit status 3; if it refuses so, say --refuse-status 3"},
		"x-panic":      {Kind: result.Crashed, Message: "exit status 2", Stderr: "panic: bad"},
		"x-signal":     {Kind: result.Crashed, Message: "signal: killed"},
		"x-hang":       {Kind: result.Hung, Message: "did not end within " + brief.String()},
		"x-spin":       {Kind: result.Hung, Message: "did not end within " + brief.String()},
		"x-flood":      {Kind: result.ProtocolError, Message: "more than 1048576 bytes"},
		"x-loud":       {Kind: result.Rejected, Stderr: "the last words\n"},
		"x-error-text": {Kind: result.OK, Bytes: []byte("error: bad\n")},
		"x-silent":     {Kind: result.OK},
		"x-close":      {Kind: result.OK},
		"x-linger":     {Kind: result.Hung},
		"x-stray":      {Kind: result.OK, Bytes: []byte(bad)},
		"x-session":    {Kind: result.OK, Bytes: []byte(bad)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			e, err := OpenExec(context.Background(), command, o)
			if err != nil {
				t.Fatal(err)
			}
			questions := documents(8)
			questions[3].Input = []byte(bad)
			for i, a := range e.Ask(context.Background(), questions) {
				if i != 3 {
					if a.Kind != result.OK || string(a.Bytes) != string(questions[i].Input) {
						t.Errorf("document %d: %+v", i, a)
					}
					continue
				}
				if a.Kind != want.Kind || string(a.Bytes) != string(want.Bytes) ||
					!strings.Contains(a.Message, want.Message) || !strings.Contains(a.Stderr, want.Stderr) || len(a.Stderr) > maxTail {
					t.Errorf("got %s, %q, %q, standard error %.80q", a.Kind, a.Bytes, a.Message, a.Stderr)
				}
				if name == "x-signal" && strings.Contains(a.Message, "--refuse-status") {
					t.Errorf("a signal is taken for a refusal: %q", a.Message)
				}
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			noneLeft(t)
		})
	}
}

// TestGroup: what a program leaves in its group ends with it, and not only when the
// subject is closed.
func TestGroup(t *testing.T) {
	t.Parallel()
	command, o := program(t, "x-stray")
	e, err := OpenExec(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if a := e.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}}); told(a) != "o" {
		t.Errorf("%+v", a)
	}
	noneLeft(t)
}

// TestExecProbe: what does not give {} for {} is not judged.
func TestExecProbe(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"x-newline": `asked for {}, it gave "{}\n": it must write no line end behind the canonical form, since nothing is trimmed`,
		"x-blank":   `asked for {}, it gave " {}"; nothing is trimmed: it must write the canonical form and nothing else`,
		"x-other":   `would not start: asked for {}, it gave "[]"`,
		"x-refuses": "would not start: asked for {}, the answer was reject: it ended with exit status 1",
		"x-deaf":    "did not end",
		"x-drip":    "did not end",
		"x-yes":     "more than",
		"x-die":     "exit status 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			if o.StartLimit = patient; silent[name] || name == "x-deaf" {
				o.StartLimit = brief
			}
			_, err := OpenExec(context.Background(), command, o)
			var start *StartError
			if !errors.As(err, &start) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			noneLeft(t)
		})
	}
}

// TestExecUnread: a program that reads nothing may still answer, at once or after
// a while, whatever the size of the document.
func TestExecUnread(t *testing.T) {
	for _, name := range []string{"x-unread", "x-lazy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			e, err := OpenExec(context.Background(), command, o)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			large := result.Question{Op: result.OpCanon, Input: make([]byte, 8<<20)}
			for _, a := range e.Ask(context.Background(), []result.Question{large, large}) {
				if a.Kind != result.OK || string(a.Bytes) != "{}" {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// TestMaxOutput: an answer may have as many bytes as are allowed, in either mode.
func TestMaxOutput(t *testing.T) {
	t.Parallel()
	questions := []result.Question{
		{Op: result.OpCanon, Input: make([]byte, 2000)}, {Op: result.OpCanon, Input: make([]byte, 2001)}, {Op: result.OpCanon, Input: make([]byte, 9000)},
	}
	command, o := program(t, "x-good")
	o.MaxOutput = 2000
	e, err := OpenExec(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	a := e.Ask(context.Background(), questions)
	if told(a) != "oPP" || len(a[0].Bytes) != 2000 || !strings.HasPrefix(a[1].Message, "it wrote more than 2000 bytes: ") {
		t.Errorf("%s: %.300v", told(a), a)
	}
	command, o = program(t, "good")
	o.MaxOutput = 2000
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	a = w.Ask(context.Background(), append(questions[:1:1], questions[2]))
	if told(a) != "oP" || len(a[0].Bytes) != 2000 || !strings.Contains(a[1].Message, "longer than the limit of 4128 bytes") {
		t.Errorf("%s: %.300v", told(a), a)
	}
}

// TestLateLook: what a program wrote in time is taken by a harness that was held
// up past the limit, and by one that learns of the program's end first.
func TestLateLook(t *testing.T) {
	for _, exited := range []bool{false, true} {
		from, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close() // as one who holds the stream open
		to.WriteString("an answer\n")
		input, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		c := &child{out: from, in: newOutbox(in, func() {}), soon: time.Now(), cmd: &exec.Cmd{Process: &os.Process{Pid: 1 << 30}}}
		c.exited.Store(exited)
		if exited {
			out, err := c.readAll(c.patience(time.Now(), -time.Second), 100)
			if string(out) != "an answer\n" || err != nil {
				t.Errorf("all is %q, %v", out, err)
			}
		} else {
			line, err := c.readLine(wire.NewReader(from, 100), -time.Second)
			if string(line) != "an answer" || err != nil {
				t.Errorf("the line is %q, %v", line, err)
			}
		}
		c.in.abandon()
		from.Close()
	}
}

// TestExecLimits: without another limit a process has twice the time of a case,
// and a second.
func TestExecLimits(t *testing.T) {
	t.Parallel()
	command, o := program(t, "x-good")
	o.CaseLimit = 7 * time.Second
	e, err := OpenExec(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got := e.options.Limits.CPU; got != 15*time.Second {
		t.Errorf("the limit of processor time is %v", got)
	}
	if info := e.Info(); info.Window != 2 || len(info.Ops) != 1 || !info.Serves(result.OpCanon) {
		t.Errorf("%+v", info)
	}
}

// TestStatusMap: a manifest may say what statuses mean, but not everything.
func TestStatusMap(t *testing.T) {
	t.Parallel()
	command, o := program(t, "x-status")
	o.Statuses = map[int]result.AnswerKind{0: result.OK, 3: result.Rejected}
	e, err := OpenExec(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	a := e.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}, {Op: result.OpNum}})
	if a[0].Kind != result.Rejected || a[1].Kind != result.Skipped {
		t.Errorf("%+v", a)
	}
	o.Statuses = map[int]result.AnswerKind{0: result.OK, 3: result.Skipped}
	if e, err = OpenExec(context.Background(), command, o); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if a := e.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}}); a[0].Kind != result.Skipped {
		t.Errorf("%+v", a)
	}
	o.Statuses[4] = result.Crashed
	if _, err := OpenExec(context.Background(), command, o); err == nil {
		t.Error("a status that means a crash is taken")
	}
}

// TestExecInterrupted: the end of the context, or Close, ends what runs.
func TestExecInterrupted(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"context", "close"} {
		command, o := program(t, "x-hang")
		o.CaseLimit = time.Hour
		e, err := OpenExec(context.Background(), command, o)
		if err != nil {
			t.Fatal(err)
		}
		questions := documents(50)
		for i := range questions {
			questions[i].Input = []byte(bad)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, func() {
			if by == "close" {
				e.Close()
			}
			cancel()
		})
		for i, a := range e.Ask(ctx, questions) {
			if a.Kind != result.Skipped {
				t.Errorf("by %s, question %d: %+v", by, i, a)
			}
		}
		e.Close()
		noneLeft(t)
	}
}
