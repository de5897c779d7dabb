package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	hostile["two-spin"] = func(string) { // its first thread sleeps, and a child works too
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), hostileName+"=thread-spins")
		if err := cmd.Start(); err != nil {
			os.Exit(5)
		}
		hostile["thread-spins"]("")
	}
	hostile["thread-spins"] = func(string) {
		go func() {
			runtime.LockOSThread()
			spin()
		}()
		forever()
	}
}

// started starts a hostile program in a group of its own, outside of what the
// package knows of.
func started(t *testing.T, name string) (pid int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostileName+"="+name)
	cmd.SysProcAttr = attributes()
	var err error
	onSpawner(func() { err = cmd.Start() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { killGroup(cmd.Process); cmd.Wait() })
	return cmd.Process.Pid
}

// TestReadStat: the fields are those of proc_pid_stat(5).
func TestReadStat(t *testing.T) {
	text := " S 3 4 5 0 -1 4194560 100 200 300 400 17 25 900 1000 20 0 1 0 12345 6 7\n"
	if got, want := readStat(text), (stat{parent: 3, group: 4, cpu: 420 * time.Millisecond}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := readStat(""); got != (stat{}) {
		t.Errorf("of nothing: %+v", got)
	}
	file := filepath.Join(t.TempDir(), "stat")
	for text, want := range map[string]string{"12 (a) R (b) S 3\n": " S 3\n", "": ""} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := behindName(file); got != want {
			t.Errorf("behind the name of %q stands %q", text, got)
		}
	}
}

// TestWork: the work of a group is that of all its processes, in whichever thread.
func TestWork(t *testing.T) {
	t.Parallel()
	group := started(t, "two-spin")
	alone := func() (each []time.Duration) {
		eachProcess(func(pid int) {
			if s := statOf(pid); s.group == group {
				each = append(each, s.cpu)
			}
		})
		return each
	}
	for range 2000 {
		if each := alone(); len(each) == 2 && slices.Min(each) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if _, busy := work(group); !busy {
		t.Error("it is not busy")
	}
	syscall.Kill(-group, syscall.SIGSTOP)
	for range 2000 { // a stop takes effect a moment later
		if _, busy := work(group); !busy {
			break
		}
		time.Sleep(time.Millisecond)
	}
	each := alone()
	if len(each) != 2 || slices.Min(each) <= 0 {
		t.Fatalf("the processes used %v", each)
	}
	if used, busy := work(group); used != each[0]+each[1] || busy {
		t.Errorf("used %v, busy %v; each %v", used, busy, each)
	}
}

// TestResidentSize: the size is in bytes, and that of a process.
func TestResidentSize(t *testing.T) {
	t.Parallel()
	pid := started(t, "mute")
	var text []byte
	for range 1000 {
		text, _ = os.ReadFile(proc(pid, "status"))
		_, rest, _ := bytes.Cut(text, []byte("VmRSS:"))
		var kib int64
		fmt.Sscan(string(rest), &kib)
		if kib > 0 && residentSize(pid) == kib<<10 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("got %d; the system says\n%s", residentSize(pid), text)
}

// TestRestrict: a limit that is not negative is set, and zero means none for the
// processor time alone.
func TestRestrict(t *testing.T) {
	t.Parallel()
	limit := func(pid, resource int) uint64 {
		var l unix.Rlimit
		if err := unix.Prlimit(pid, resource, nil, &l); err != nil {
			t.Fatal(err)
		}
		return l.Max
	}
	before := func(pid int) {
		for resource, most := range map[int]uint64{unix.RLIMIT_CORE: 4096, unix.RLIMIT_DATA: 1 << 40, unix.RLIMIT_NOFILE: 500, unix.RLIMIT_CPU: 3000} {
			if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		limits           Limits
		data, files, cpu uint64
	}{
		{Limits{Data: -1, Files: -1, CPU: -1}, 1 << 40, 500, 3000},
		{Limits{Data: 1 << 33, Files: 0, CPU: 0}, 1 << 33, 0, 3000},
		{Limits{Data: 0, Files: 99, CPU: 1}, 0, 99, 1},
		{Limits{Data: -1, Files: -1, CPU: 77*time.Second - 1}, 1 << 40, 500, 77},
		{Limits{Data: -1, Files: -1, CPU: 77 * time.Second}, 1 << 40, 500, 77},
		{Limits{Data: -1, Files: -1, CPU: 77*time.Second + 1}, 1 << 40, 500, 78},
	} {
		pid := started(t, "mute")
		before(pid)
		restrict(pid, c.limits)
		if data, files, cpu := limit(pid, unix.RLIMIT_DATA), limit(pid, unix.RLIMIT_NOFILE), limit(pid, unix.RLIMIT_CPU); data != c.data || files != c.files || cpu != c.cpu {
			t.Errorf("%+v: data %d, files %d, processor time %d", c.limits, data, files, cpu)
		}
		if core := limit(pid, unix.RLIMIT_CORE); core != 0 {
			t.Errorf("a core file may have %d bytes", core)
		}
	}
}

// TestMarkBounds: a mark is below the limit in force, and where there is no room
// for one it is not set.
func TestMarkBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit       uint64
		tries       int
		least, most uint64
	}{{0, 1, 0, 0}, {3, 1, 0, 0}, {4, 12, 1, 2}, {5, 12, 1, 2}} {
		for range c.tries {
			pid := started(t, "mute")
			if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: c.limit, Max: c.limit}, nil); err != nil {
				t.Fatal(err)
			}
			mark := (&brood{}).mark(pid)
			if mark < c.least || mark > c.most || mark != 0 && markOf(pid) != mark || mark == 0 && markOf(pid) != c.limit {
				t.Fatalf("limit %d: mark %d, then the limit is %d", c.limit, mark, markOf(pid))
			}
		}
	}
	if mark := (&brood{}).mark(1 << 30); mark != 0 {
		t.Errorf("nobody has the mark %d", mark)
	}
}
