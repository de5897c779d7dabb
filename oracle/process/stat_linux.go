package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A stat is what the system tells of a process; nothing of one that has been
// waited for.
type stat struct {
	parent, group int
	cpu           time.Duration
}

// tick is the unit of processor time in /proc, 100 a second on every Linux that
// Go runs on.
const tick = 10 * time.Millisecond

func statOf(pid int) stat { return readStat(behindName(proc(pid, "stat"))) }

// proc names a file that tells of a process.
func proc(pid int, file string) string { return "/proc/" + strconv.Itoa(pid) + "/" + file }

// readStat reads /proc/PID/stat from the third field on (proc_pid_stat(5)).
func readStat(fields string) (s stat) {
	var skip string
	var user, system time.Duration
	fmt.Sscan(fields, &skip, &s.parent, &s.group, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system)
	s.cpu = (user + system) * tick
	return s
}

// behindName gives the fields of a stat file behind the name, which stands in
// brackets and may hold anything, brackets too.
func behindName(file string) string {
	text, _ := os.ReadFile(file)
	return string(text[bytes.LastIndexByte(text, ')')+1:])
}

// eachProcess calls do with the id of every process.
func eachProcess(do func(pid int)) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			do(pid)
		}
	}
}

// work gives the processor time that the group of a process has used, and
// whether any of it has work to do at this moment.
func work(group int) (used time.Duration, busy bool) {
	eachProcess(func(pid int) {
		if s := statOf(pid); s.group == group {
			used += s.cpu
			busy = busy || runs(pid)
		}
	})
	return used, busy
}

// runs reports whether any thread of a process has work to do: it runs, or waits
// for a processor or a disk.
func runs(pid int) bool {
	tasks := proc(pid, "task/")
	entries, _ := os.ReadDir(tasks)
	for _, entry := range entries {
		state := behindName(tasks + entry.Name() + "/stat")
		if strings.HasPrefix(state, " R") || strings.HasPrefix(state, " D") {
			return true
		}
	}
	return false
}
