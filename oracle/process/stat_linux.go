package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A stat is what the system tells of a process.
type stat struct {
	parent, group int
	cpu           time.Duration
}

// tick is the unit of processor time in /proc, 100 a second on every Linux that
// Go runs on.
const tick = 10 * time.Millisecond

// statOf reads /proc/PID/stat (proc_pid_stat(5)).
func statOf(pid int) (s stat, ok bool) {
	var skip string
	var user, system time.Duration
	_, err := fmt.Sscan(behindName("/proc/"+strconv.Itoa(pid)+"/stat"), // from the third on
		&skip, &s.parent, &s.group, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system)
	s.cpu = (user + system) * tick
	return s, err == nil
}

// behindName gives the fields of a stat file behind the name, which stands in
// brackets and may hold anything, brackets too.
func behindName(file string) string {
	text, _ := os.ReadFile(file)
	return string(text[bytes.LastIndexByte(text, ')')+1:])
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
		busy = busy || runs(pid)
	})
	return used, busy
}

// runs reports whether any thread of a process has work to do: it runs, or waits
// for a processor or a disk.
func runs(pid int) bool {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		state := behindName(tasks + "/" + name + "/stat")
		if strings.HasPrefix(state, " R") || strings.HasPrefix(state, " D") {
			return true
		}
	}
	return false
}
