package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// hide leaves a process behind that nothing but its number of seconds tells: a
// session, a group and an environment of its own, its parent's end not waited
// for, and a child in its turn.
func hide(seconds string) {
	cmd := exec.Command("sh", "-c", "sleep "+seconds+" & exec sleep "+seconds)
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(5)
	}
}

func init() {
	hostile["hide-answer"] = func(seconds string) {
		onBad(func(id string) { hide(seconds); say(id + " ok 7b7d\n") })("")
	}
	hostile["hide-crash"] = func(seconds string) { onBad(func(string) { hide(seconds); os.Exit(2) })("") }
	hostile["hide-hang"] = func(seconds string) { onBad(func(string) { hide(seconds); forever() })("") }
	hostile["hide-first"] = func(seconds string) { hide(seconds); forever() }
	hostile["x-hide-answer"] = func(seconds string) { onBadDocument(func() { hide(seconds); say(bad) })("") }
	hostile["x-hide-crash"] = func(seconds string) { onBadDocument(func() { hide(seconds); os.Exit(2) })("") }
	hostile["x-hide-hang"] = func(seconds string) { onBadDocument(func() { hide(seconds); forever() })("") }
	hostile["x-serves"] = func(seconds string) {
		onBadDocument(func() {
			put := exec.Command("sh", "-c", "sleep "+seconds+" & sleep "+seconds+" &") // their parent ends at once
			put.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if err := put.Run(); err != nil {
				os.Exit(5)
			}
			for len(running(seconds)) < 2 {
				time.Sleep(time.Millisecond)
			}
			os.WriteFile("ready", nil, 0o600)
			for { // until others have ended
				if _, err := os.Stat("go"); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			fmt.Print(len(running(seconds)))
		})("")
	}
}

// running lists the processes that sleep for so many seconds.
func running(seconds string) (all []int) {
	eachProcess(func(pid int) {
		line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if bytes.Equal(line, []byte("sleep\x00"+seconds+"\x00")) {
			all = append(all, pid)
		}
	})
	return all
}

// nextSleep numbers the sleeps of this run: no two tests sleep for as long.
var nextSleep atomic.Int64

func hiding(t *testing.T, name string) (command []string, o Options, seconds string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is missing")
	}
	seconds = strconv.FormatInt(1_000_000_000+int64(os.Getpid())*100+nextSleep.Add(1), 10)
	command, o = program(t, name+":"+seconds)
	o.Adopt = true
	if name == "hide-hang" || name == "x-hide-hang" {
		o.CaseLimit = brief
	}
	t.Cleanup(func() {
		for _, pid := range running(seconds) {
			t.Errorf("process %d lives on", pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
		left := unmarked()
		for range 200 { // others start and end theirs meanwhile
			if len(left) == 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
			now := unmarked()
			left = slices.DeleteFunc(left, func(pid int) bool { return !slices.Contains(now, pid) })
		}
		t.Errorf("processes %v were not waited for", left)
	})
	return command, o, seconds
}

// unmarked lists the children of this process without a mark, as orphans are.
func unmarked() (all []int) {
	for _, pid := range childrenOf(os.Getpid()) {
		if markOf(pid) == 0 {
			all = append(all, pid)
		}
	}
	return all
}

// TestAdopt: this process becomes the parent of orphans where it is asked to.
func TestAdopt(t *testing.T) {
	t.Cleanup(func() { // the tests that follow start processes by themselves
		children.adopts = false
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	})
	t.Run("hidden", hidden)
	t.Run("interrupted", hiddenInterrupted)
	t.Run("serves", helperServes)
}

// hidden: what a program leaves behind is ended though it left the session
// and cleared its environment, whichever way the program itself ends.
func hidden(t *testing.T) {
	type subject interface {
		Ask(context.Context, []result.Question) []result.Answer
		Close() error
	}
	for name, want := range map[string]result.AnswerKind{
		"hide-answer": result.OK, "hide-crash": result.Crashed, "hide-hang": result.Hung,
		"x-hide-answer": result.OK, "x-hide-crash": result.Crashed, "x-hide-hang": result.Hung,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, o, _ := hiding(t, name)
			var s subject
			var err error
			if name[0] == 'x' {
				s, err = OpenExec(context.Background(), command, o)
			} else {
				s, err = OpenWire(context.Background(), command, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			questions := documents(5)
			questions[2].Input = []byte(bad)
			for i, a := range s.Ask(context.Background(), questions) {
				if i == 2 && a.Kind != want || i != 2 && a.Kind != result.OK {
					t.Errorf("question %d: %+v", i, a)
				}
			}
		})
	}
}

// hiddenInterrupted: the same on the ways out that are not a program's own.
func hiddenInterrupted(t *testing.T) {
	for _, by := range []string{"context", "close"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			command, o, seconds := hiding(t, "hide-hang")
			o.CaseLimit = time.Hour
			w, err := OpenWire(context.Background(), command, o)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			go func() {
				for len(running(seconds)) == 0 {
					time.Sleep(time.Millisecond)
				}
				if by == "close" {
					w.Close()
				}
				cancel()
			}()
			if a := w.Ask(ctx, []result.Question{{Op: result.OpCanon, Input: []byte(bad)}})[0]; a.Kind != result.Skipped {
				t.Errorf("%+v", a)
			}
			w.Close()
		})
	}
	t.Run("start", func(t *testing.T) {
		t.Parallel()
		command, o, _ := hiding(t, "hide-first")
		o.StartLimit = brief
		if _, err := OpenWire(context.Background(), command, o); err == nil {
			t.Error("it started")
		}
	})
}

// helperServes: what a program has put aside lives as long as the program
// does, even where others end meanwhile.
func helperServes(t *testing.T) {
	t.Parallel()
	command, o, _ := hiding(t, "x-serves")
	o.Dir = t.TempDir()
	e, err := OpenExec(context.Background(), command, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(o.Dir, "ready")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		e.Ask(context.Background(), documents(2))
		os.WriteFile(filepath.Join(o.Dir, "go"), nil, 0o600)
	}()
	if a := e.Ask(context.Background(), []result.Question{{Op: result.OpCanon, Input: []byte(bad)}})[0]; a.Kind != result.OK || string(a.Bytes) != "2" {
		t.Errorf("%+v", a)
	}
}

// TestEndSome: of the processes of a list those are ended that are children of
// this one, are not known, and have the mark of no child that lives.
func TestEndSome(t *testing.T) {
	t.Parallel()
	b := brood{live: map[int]uint64{}}
	withMark := func(mark uint64) int {
		pid := started(t, "mute")
		if mark != 0 {
			if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: mark, Max: mark}, nil); err != nil {
				t.Fatal(err)
			}
		}
		return pid
	}
	known, unknown := withMark(77), withMark(0)
	b.live[known], b.live[unknown] = 77, 0
	stays := []int{known, unknown, withMark(77)}
	ends := []int{withMark(0), withMark(78), withMark(0)}
	leader := started(t, "two-spin")
	var stranger int
	for try := 0; stranger == 0 && try < 1000; try++ {
		time.Sleep(5 * time.Millisecond)
		for _, pid := range marked([]byte(hostileName + "=thread-spins")) {
			if statOf(pid).parent == leader {
				stranger = pid
			}
		}
	}
	if stranger == 0 {
		t.Fatal("there is no stranger")
	}
	stays = append(stays, stranger)
	if all := childrenOf(os.Getpid()); !slices.Contains(all, known) || slices.Contains(all, stranger) {
		t.Errorf("the children of %d are %v; %d is one, %d is not", os.Getpid(), all, known, stranger)
	}
	list := func(int) []int { return slices.Concat(stays, ends) }
	there := func(pid int) bool { return syscall.Kill(pid, 0) == nil }
	if b.endSome(list) || slices.ContainsFunc(ends, func(pid int) bool { return !there(pid) }) {
		t.Error("one who adopts none ends some")
	}
	b.adopts = true
	if !b.endSome(list) {
		t.Error("none is found")
	}
	for range 50 { // a busy machine takes a while to end a process that was killed
		b.endOrphans(func(pid int) []int { return slices.DeleteFunc(list(pid), func(pid int) bool { return !there(pid) }) })
	}
	for _, pid := range ends {
		if there(pid) {
			t.Errorf("one that is to be ended is there")
		}
	}
	for i, pid := range stays {
		if !there(pid) || statOf(pid).parent == 0 {
			t.Errorf("the %d. that is to stay is not there", i)
		}
	}
}

// TestMarks: a mark is nobody else's, is inherited, and is set within a marked
// process too.
func TestMarks(t *testing.T) {
	var b brood
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip("sleep is missing")
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	first := b.mark(cmd.Process.Pid)
	second := b.mark(cmd.Process.Pid)
	if first == 0 || second == 0 || first == second || markOf(cmd.Process.Pid) != second {
		t.Errorf("%d, then %d; it has %d", first, second, markOf(cmd.Process.Pid))
	}
	inner := brood{}
	if mark := inner.mark(cmd.Process.Pid); mark == 0 || mark >= second {
		t.Errorf("within %d the mark is %d", second, mark)
	}
}
