package process

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// The test binary, started again with this variable set, is the hostile
// program of that name.
const hostileName = "TOUCHSTONE_TEST_HOSTILE"

func TestMain(m *testing.M) {
	if name := os.Getenv(hostileName); name != "" {
		behave(name)
		return
	}
	flag.Parse()
	brief = max(brief, measured())
	patient = 40 * brief
	// Most tests wait for a clock or for a child, and not for each other.
	flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	// A fault in what starts and ends processes lets the rest wait for its limits.
	flag.Set("test.failfast", "true")
	flag.Set("test.timeout", (200 * brief).String())
	dead := func(err error) {
		fmt.Fprintln(os.Stderr, "no program can be asked:", err)
		os.Exit(1)
	}
	limit := time.AfterFunc(30*brief, func() { dead(os.ErrDeadlineExceeded) })
	if err := alive(); err != nil {
		dead(err)
	}
	limit.Stop()
	os.Exit(m.Run())
}

// alive asks one program one question.
func alive() error {
	ctx := context.Background()
	w, err := OpenWire(ctx, os.Args[:1], Options{Env: []string{hostileName + "=good"}})
	if err != nil {
		return err
	}
	if a := w.Ask(ctx, documents(1))[0]; a.Kind != result.OK {
		return fmt.Errorf("%+v", a)
	}
	return w.Close()
}

// behave is the body of a hostile program. What comes after the colon of its
// name is its argument.
func behave(name string) {
	name, argument, _ := strings.Cut(name, ":")
	body, ok := hostile[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such behaviour:", name)
		os.Exit(64)
	}
	body(argument)
}

// echo answers every question with its own bytes, unless odd takes it.
// odd is told how many questions came before and may answer by itself.
func echo(odd func(n int, id string, payload []byte) bool) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	in.ReadString('\n')
	say("hello 1 name=echo version=1 ops=canon,verify window=8\n")
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		if string(line) == wire.Bye {
			odd(n, wire.Bye, nil)
			return
		}
		r, err := wire.ParseRequest(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		if !odd(n, string(r.ID), r.Payload) {
			say(string(wire.Reply{ID: r.ID, Payload: r.Payload}.Append(nil)))
		}
	}
}

func say(text string) { os.Stdout.WriteString(text) }

// bad is the payload at which hostile programs misbehave.
const bad = `"bad"`

// onBad misbehaves at the one bad question.
func onBad(do func(id string)) func(string) {
	return func(string) {
		echo(func(_ int, id string, payload []byte) bool {
			if string(payload) != bad {
				return false
			}
			do(id)
			return true
		})
	}
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func flood(f *os.File, text string) {
	chunk := []byte(strings.Repeat(text, 64<<10/len(text)))
	for {
		if _, err := f.Write(chunk); err != nil {
			os.Exit(4)
		}
	}
}

// stray leaves a process behind that holds the streams open, in a session of
// its own if asked for.
func stray(session bool) {
	cmd := exec.Command("sleep", "3600")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(5)
	}
}

// brief is the limit for who never answers: a busy machine is not taken for a
// hang where the system tells who waits for a processor.
var brief = map[bool]time.Duration{true: 300 * time.Millisecond, false: 1500 * time.Millisecond}[runtime.GOOS == "linux"]

// patient is the limit for who answers.
var patient time.Duration

// measured gives a limit that a start keeps to easily on the machine as it is.
func measured() time.Duration {
	begin := time.Now()
	for range 4 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), hostileName+"=x-silent", "GOMAXPROCS=1", "GORACE=atexit_sleep_ms=0")
		cmd.Run()
	}
	return (5 * time.Since(begin)).Round(time.Millisecond)
}

// ofTest is the entry in the environment of what a test starts.
func ofTest(t *testing.T) string { return fmt.Sprint("TOUCHSTONE_TEST=", os.Getpid(), t.Name()) }

// program gives the command and the options of a hostile program.
func program(t *testing.T, name string) ([]string, Options) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	limit := patient
	if silent[name] {
		limit = brief
	}
	return []string{self}, Options{
		Env:        []string{hostileName + "=" + name, ofTest(t), "GOMAXPROCS=1", "GORACE=atexit_sleep_ms=0"},
		StartLimit: patient, CaseLimit: limit, MaxOutput: 1 << 20,
		Name: strings.NewReplacer(":", "-").Replace(name),
	}
}
