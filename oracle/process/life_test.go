package process

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

func init() {
	hostile["profile"] = func(string) {
		hello := make([]byte, 100)
		n, _ := os.Stdin.Read(hello)
		say("hello 1 name=profile version=1 ops=canon,verify window=8\n")
		line := make([]byte, 1000)
		os.Stdin.Read(line)
		id, _, _ := strings.Cut(string(line), " ")
		say(string(wire.Reply{ID: []byte(id), Payload: hello[:n]}.Append(nil)))
		os.Stdin.Read(line)
	}
	hostile["nth"] = func(argument string) {
		nth, _ := strconv.Atoi(argument)
		echo(func(n int, _ string, _ []byte) bool {
			if n == nth {
				os.Exit(2)
			}
			return false
		})
	}
	hostile["after-bye"] = func(string) {
		echo(func(_ int, id string, _ []byte) bool {
			if id == wire.Bye {
				say("and another thing\n")
			}
			return false
		})
	}
	hostile["stay"] = func(string) {
		echo(func(_ int, id string, _ []byte) bool {
			if id == wire.Bye {
				forever()
			}
			return false
		})
	}
	hostile["strays"] = func(string) { stray(false); stray(false); stray(true); hostile["crash"]("") }
	hostile["shuffle"] = func(string) { shuffle() }
	hostile["once"] = func(flag string) {
		if !first(flag) {
			os.Exit(9)
		}
		hostile["crash"]("")
	}
	hostile["turncoat"] = func(flag string) {
		if !first(flag) {
			say("hello 1 name=another\n")
			forever()
		}
		hostile["crash"]("")
	}
	hostile["greedy"] = onBad(func(string) {
		debug.SetGCPercent(-1)
		var kept [][]byte
		for {
			kept = append(kept, bytes.Repeat([]byte{1}, 4<<20), make([]byte, 60<<20))
			runtime.KeepAlive(kept)
			time.Sleep(2 * time.Millisecond)
		}
	})
	hostile["limits"] = onBad(func(id string) {
		text, err := os.ReadFile("/proc/self/limits")
		if err != nil {
			os.Exit(3)
		}
		say(string(wire.Reply{ID: []byte(id), Payload: text}.Append(nil)))
	})
}

// first reports whether the file was not there, and makes it.
func first(name string) bool {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// shuffle answers in an order of its own, whatever is at hand at once.
func shuffle() {
	lines := wire.NewReader(os.Stdin, 1<<20)
	lines.ReadLine()
	say("hello 1 name=shuffle window=16\n")
	order := rand.New(rand.NewPCG(1, 2))
	var held []string
	for {
		line, err := lines.ReadLine()
		if err != nil || string(line) == wire.Bye {
			return
		}
		r, err := wire.ParseRequest(line)
		if err != nil {
			os.Exit(3)
		}
		held = append(held, string(wire.Reply{ID: r.ID, Payload: r.Payload}.Append(nil)))
		if !lines.Ready() {
			order.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
			say(strings.Join(held, ""))
			held = nil
		}
	}
}

// noneLeft fails if a process lives that was started by this test, or by what it
// started in turn.
func noneLeft(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows every process with its environment")
	}
	entry := []byte(ofTest(t))
	var found []int
	for range 100 {
		if found = marked(entry); len(found) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes live on: %v", found)
}

// TestNthCrash: a program that dies at its n-th question, whatever it is,
// loses no answer, and its deaths are seen and called flaky.
func TestNthCrash(t *testing.T) {
	t.Parallel()
	const nth = 13
	w := open(t, fmt.Sprint("nth:", nth), 1)
	questions := documents(100)
	deaths := 0
	for i, a := range w.Ask(context.Background(), questions) {
		switch {
		case a.Kind == result.OK && bytes.Equal(a.Bytes, questions[i].Input):
		case a.Kind == result.Crashed && a.Flaky:
			deaths++
		default:
			t.Errorf("question %d: %+v", i, a)
		}
	}
	if deaths == 0 || deaths > len(questions)/nth*2 {
		t.Errorf("%d deaths", deaths)
	}
}

// TestFirstCrash: a program that dies at every first question is blamed for
// each, not called flaky, and not asked for ever.
func TestFirstCrash(t *testing.T) {
	t.Parallel()
	command, o := program(t, "nth:0")
	o.MaxCrashes = 10
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	crashes, skips := 0, 0
	for i, a := range w.Ask(context.Background(), documents(30)) {
		switch {
		case a.Kind == result.Crashed && !a.Flaky:
			crashes++
		case a.Kind == result.Skipped && strings.Contains(a.Message, "failed 10 times"):
			skips++
		default:
			t.Errorf("question %d: %+v", i, a)
		}
	}
	if crashes < 5 || crashes > 10 || crashes+skips != 30 {
		t.Errorf("%d crashes, %d skips", crashes, skips)
	}
	if stats := w.Stats(); stats.Crashes != 10 {
		t.Errorf("%+v", stats)
	}
}

// TestAnyOrder: replies may come in any order, to several lanes.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	w := open(t, "shuffle", 2)
	questions := documents(3000)
	for i, a := range w.Ask(context.Background(), questions) {
		if a.Kind != result.OK || !bytes.Equal(a.Bytes, questions[i].Input) {
			t.Fatalf("question %d: %+v", i, a)
		}
	}
}

// TestManyAsk: a subject is safe for concurrent use.
func TestManyAsk(t *testing.T) {
	t.Parallel()
	w := open(t, "good", 2)
	var running sync.WaitGroup
	for k := range 8 {
		running.Go(func() {
			questions := documents(50 + k)
			for i, a := range w.Ask(context.Background(), questions) {
				if a.Kind != result.OK || !bytes.Equal(a.Bytes, questions[i].Input) {
					t.Errorf("question %d: %+v", i, a)
				}
			}
		})
	}
	running.Wait()
}

// TestSkipped: what the program does not serve, or could not read, is not sent.
func TestSkipped(t *testing.T) {
	t.Parallel()
	w := open(t, "good", 1)
	a := w.Ask(context.Background(), []result.Question{
		{Op: result.OpNum, Input: make([]byte, 8)},
		{Op: result.OpVerify, Input: []byte("x")},
		{Op: result.OpCanon, Input: make([]byte, wire.DefaultMaxLine/2)},
		{Op: result.OpCanon},
	})
	if a[0].Kind != result.Skipped || a[1].Kind != result.OK || a[2].Kind != result.Skipped || a[3].Kind != result.OK {
		t.Errorf("%.200v", a)
	}
	if len(w.Ask(context.Background(), nil)) != 0 {
		t.Error("an answer to nothing")
	}
}

// TestBye: what a program does after bye is told by Close, and it is ended.
func TestBye(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"good": "", "after-bye": `after bye it wrote "and another thing"`, "stay": "did not end within",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			w, err := OpenWire(context.Background(), command, o)
			if err != nil {
				t.Fatal(err)
			}
			err = w.Close()
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("got %v, want %q", err, want)
			}
			if err := w.Close(); err != nil {
				t.Errorf("closing twice: %v", err)
			}
			if a := w.Ask(context.Background(), documents(1))[0]; a.Kind != result.NoStart {
				t.Errorf("asked after Close: %+v", a)
			}
		})
	}
}

// TestStrays: what a program started is killed with it, even what left its
// group, and holds up nothing meanwhile.
func TestStrays(t *testing.T) {
	t.Parallel()
	command, o := program(t, "strays")
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	questions := documents(10)
	questions[5].Input = []byte(bad)
	for i, a := range w.Ask(context.Background(), questions) {
		if want := map[bool]result.AnswerKind{true: result.Crashed, false: result.OK}[i == 5]; a.Kind != want {
			t.Errorf("question %d: %+v", i, a)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	noneLeft(t)
}

// TestInterrupted: the end of the context, or Close, ends what runs, and every
// question still has an answer.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"context", "close"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, "hang")
			o.CaseLimit, o.Processes = time.Hour, 2
			w, err := OpenWire(context.Background(), command, o)
			if err != nil {
				t.Fatal(err)
			}
			questions := documents(50)
			questions[30].Input = []byte(bad)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			time.AfterFunc(200*time.Millisecond, func() {
				if by == "close" {
					w.Close()
				} else {
					cancel()
				}
			})
			for i, a := range w.Ask(ctx, questions) {
				if a.Kind != result.OK && (a.Kind != result.Skipped || a.Flaky) {
					t.Errorf("question %d: %+v", i, a)
				}
			}
			if by == "context" {
				// The subject lives on.
				if a := w.Ask(context.Background(), documents(1))[0]; a.Kind != result.OK {
					t.Errorf("afterwards: %+v", a)
				}
			}
			w.Close()
			noneLeft(t)
		})
	}
}

// TestResidentLimit: a program that takes all memory is ended and blamed.
func TestResidentLimit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the resident size is sampled on Linux only")
	}
	for _, limits := range []Limits{{Resident: 128 << 20, Data: -1}, {Resident: -1, Data: 1 << 30}} {
		command, o := program(t, "greedy")
		o.Limits = limits
		w, err := OpenWire(context.Background(), command, o)
		if err != nil {
			t.Fatal(err)
		}
		questions := documents(3)
		questions[1].Input = []byte(bad)
		a := w.Ask(context.Background(), questions)
		if a[0].Kind != result.OK || a[1].Kind != result.Crashed || a[2].Kind != result.OK {
			t.Errorf("%+v: %.300v", limits, a)
		}
		if limits.Data < 0 && (!strings.Contains(a[1].Message, "resident size") || w.Stats().Resident < 128<<20) {
			t.Errorf("%q, %+v", a[1].Message, w.Stats())
		}
		w.Close()
	}
}

// TestLimits: the system's limits are those asked for.
func TestLimits(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("limits of another process are set on Linux only")
	}
	command, o := program(t, "limits")
	o.Limits = Limits{Data: 3 << 30, CPU: 77*time.Second - 1, Files: 99}
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	a := w.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}})[0]
	for _, want := range []string{"Max data size 3221225472", "Max cpu time 77", "Max open files 99", "Max core file size 0"} {
		if !strings.Contains(strings.Join(strings.Fields(string(a.Bytes)), " "), want) {
			t.Errorf("%s is not among the limits:\n%s", want, a.Bytes)
		}
	}
}

// TestNoLeak: goroutines and files are given back.
func TestNoLeak(t *testing.T) {
	count := func() (int, int) {
		files, _ := filepath.Glob("/proc/self/fd/*")
		return runtime.NumGoroutine(), len(files)
	}
	use := func() {
		command, o := program(t, "crash")
		w, err := OpenWire(context.Background(), command, o)
		if err != nil {
			t.Fatal(err)
		}
		questions := documents(5)
		questions[2].Input = []byte(bad)
		w.Ask(context.Background(), questions)
		w.Close()
		command, o = program(t, "x-hang")
		e, err := OpenExec(context.Background(), command, o)
		if err != nil {
			t.Fatal(err)
		}
		e.Ask(context.Background(), documents(3))
		e.Close()
	}
	use()
	goroutines, files := count()
	for range 5 {
		use()
	}
	for range 200 {
		if g, f := count(); g <= goroutines+1 && f <= files {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	g, f := count()
	t.Errorf("goroutines %d, then %d; files %d, then %d", goroutines, g, files, f)
}
