package process

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// A stat is what the system tells of a process.
type stat struct {
	runs          bool // it has work to do: it runs, or waits for a processor
	parent, group int
	cpu           time.Duration
}

// tick is the unit of processor time in /proc, 100 a second on every Linux that
// Go runs on.
const tick = 10 * time.Millisecond

// statOf reads /proc/PID/stat (proc_pid_stat(5)). The name in brackets may hold
// anything, brackets too.
func statOf(pid int) (s stat, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	end := bytes.LastIndexByte(text, ')')
	if err != nil || end < 0 {
		return s, false
	}
	fields := bytes.Fields(text[end+1:]) // from the third on
	if len(fields) < 13 {
		return s, false
	}
	number := func(field int) int {
		n, err := strconv.Atoi(string(fields[field-3]))
		ok = ok && err == nil
		return n
	}
	ok = true
	s.runs = fields[0][0] == 'R' || fields[0][0] == 'D'
	s.parent, s.group = number(4), number(5)
	s.cpu = time.Duration(number(14)+number(15)) * tick
	return s, ok
}

// eachProcess calls do with the id of every process.
func eachProcess(do func(pid int)) {
	dir, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			do(pid)
		}
	}
}

// work gives the processor time that the group of a process has used, and
// whether any of it has work to do at this moment.
func work(group int) (used time.Duration, busy bool) {
	eachProcess(func(pid int) {
		s, ok := statOf(pid)
		if !ok || s.group != group {
			return
		}
		used += s.cpu
		busy = busy || s.runs || threadRuns(pid)
	})
	return used, busy
}

// threadRuns reports whether any thread of a process has work to do; the state
// of the process is its first thread's.
func threadRuns(pid int) bool {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		text, _ := os.ReadFile(tasks + "/" + name + "/stat")
		if end := bytes.LastIndexByte(text, ')'); end >= 0 && end+2 < len(text) && text[end+2] == 'R' {
			return true
		}
	}
	return false
}
