package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func init() {
	for name, greeting := range map[string]string{
		"lie-version":  "hello 2\n",
		"lie-profile":  "hello 1 profile=rfc8785\n",
		"lie-window":   "hello 1 window=0\n",
		"lie-huge":     "hello 1 window=99999999999999999999\n",
		"lie-ops":      "hello 1 ops=canon,everything\n",
		"lie-twice":    "hello 1 name=a name=b\n",
		"lie-long":     "hello 1 name=" + strings.Repeat("x", 10_000) + "\n",
		"lie-bytes":    "hello 1 name=\xff\x00\x1b[2J\n",
		"lie-crlf":     "hello 1\r\n",
		"eager":        "hello 1\n1 ok 7b7d\n",
		"greet-half":   "hello 1",
		"greet-banner": "Welcome to the canonicalizer!\nhello 1\n",
	} {
		hostile[name] = func(string) { say(greeting); forever() }
	}
	hostile["die"] = func(string) { fmt.Fprintln(os.Stderr, "cannot find module"); os.Exit(1) }
	hostile["mute"] = func(string) { forever() }
	hostile["flood-first"] = func(string) { flood(os.Stdout, "y\n") }
	hostile["flood-line"] = func(string) { flood(os.Stdout, "y") }
	hostile["refuse-profile"] = func(string) { os.Exit(0) }
}

// TestStart: a program that does not begin as it must is told apart by what
// it did, with its last words, and nothing of it is left.
func TestStart(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"lie-version":  "expected 1 at byte 6",
		"lie-profile":  `the key "profile" is not known`,
		"lie-window":   "window must be a decimal number from 1 to 65536",
		"lie-huge":     "window must be",
		"lie-ops":      `"everything" is no operation`,
		"lie-twice":    "the key name stands twice",
		"lie-long":     "longer than the limit of 4096 bytes",
		"lie-bytes":    `not printable ASCII at byte 13 of "hello 1 name=\xff\x00\x1b[2J"`,
		"lie-crlf":     "lines end with LF alone",
		"eager":        `it spoke before it was asked: "1 ok 7b7d\n"`,
		"greet-half":   "no answer within " + brief.String() + `, only "hello 1"`,
		"greet-banner": `"Welcome to the canonicalizer!"`,
		"die":          "exit status 1",
		"mute":         "no answer within " + brief.String(),
		"flood-first":  `not a greeting: expected hello at byte 0 of "y"`,
		"flood-line":   "longer than the limit",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o := program(t, name)
			o.StartLimit = patient
			if name == "mute" || name == "greet-half" {
				o.StartLimit = brief
			}
			w, err := OpenWire(context.Background(), command, o)
			if err == nil {
				w.Close()
				t.Fatal("it was taken")
			}
			var start *StartError
			if !errors.As(err, &start) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			if name == "die" && start.Stderr != "cannot find module\n" {
				t.Errorf("standard error: %q", start.Stderr)
			}
			noneLeft(t)
		})
	}
}

// TestNotThere: what cannot be executed at all says why.
func TestNotThere(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"/no/such/program", "no-such-program", text} {
		var start *StartError
		if _, err := OpenWire(context.Background(), []string{command}, Options{}); !errors.As(err, &start) {
			t.Errorf("%s by the line protocol: %v", command, err)
		}
		if _, err := OpenExec(context.Background(), []string{command}, Options{}); !errors.As(err, &start) {
			t.Errorf("%s in exec mode: %v", command, err)
		}
	}
	if _, err := OpenWire(context.Background(), nil, Options{}); err == nil {
		t.Error("no command is taken")
	}
	if _, err := OpenExec(context.Background(), nil, Options{}); err == nil {
		t.Error("no command is taken")
	}
}

// TestStartInterrupted: the context ends a start that takes long.
func TestStartInterrupted(t *testing.T) {
	t.Parallel()
	command, o := program(t, "mute")
	o.StartLimit = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := OpenWire(ctx, command, o); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
	noneLeft(t)
}

// TestProfileAskedFor: the greeting names the profile.
func TestProfileAskedFor(t *testing.T) {
	t.Parallel()
	command, o := program(t, "profile")
	o.Profile = reject.RFC0016
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	a := w.Ask(context.Background(), documents(1))[0]
	if a.Kind != result.OK || string(a.Bytes) != "hello 1 profile=rfc0016\n" {
		t.Errorf("%+v", a)
	}
	if info := w.Info(); info.Version != "1" || info.Window != 8 || info.Serves(result.OpNum) || !info.Serves(result.OpVerify) {
		t.Errorf("%+v", info)
	}
}

// TestRestartFails: a program that starts once and never again costs the rest
// of the questions their answers, and says so.
func TestRestartFails(t *testing.T) {
	t.Parallel()
	once := filepath.Join(t.TempDir(), "once")
	command, o := program(t, "once:"+once)
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	questions := documents(20)
	questions[10].Input = []byte(bad)
	for i, a := range w.Ask(context.Background(), questions) {
		if i < 10 && a.Kind != result.OK || i > 10 && (a.Kind != result.NoStart || !strings.Contains(a.Message, "exit status 9")) {
			t.Errorf("question %d: %+v", i, a)
		}
	}
}

// TestGreetingChanges: a program that is another one after a restart is not
// asked again.
func TestGreetingChanges(t *testing.T) {
	t.Parallel()
	once := filepath.Join(t.TempDir(), "once")
	command, o := program(t, "turncoat:"+once)
	w, err := OpenWire(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}})
	a := w.Ask(context.Background(), documents(1))[0]
	if a.Kind != result.NoStart || !strings.Contains(a.Message, "another one") {
		t.Errorf("%+v", a)
	}
}
