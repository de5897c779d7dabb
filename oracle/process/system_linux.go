package process

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// restrict sets the limits of a process that has just started. A limit that
// cannot be set, because a lower one is in force, is left as it is.
func restrict(pid int, l Limits) {
	set := func(resource int, limit int64) {
		if limit >= 0 {
			unix.Prlimit(pid, resource, &unix.Rlimit{Cur: uint64(limit), Max: uint64(limit)}, nil)
		}
	}
	set(unix.RLIMIT_CORE, 0)
	set(unix.RLIMIT_DATA, l.Data)
	set(unix.RLIMIT_NOFILE, l.Files)
	if l.CPU > 0 {
		set(unix.RLIMIT_CPU, int64((l.CPU+time.Second-1)/time.Second))
	}
}

// residentSize gives the resident size in bytes, 0 if it cannot be told.
func residentSize(pid int) int64 {
	text, _ := os.ReadFile(proc(pid, "statm"))
	var size, resident int64
	fmt.Sscan(string(text), &size, &resident) // in pages
	return resident * int64(os.Getpagesize())
}

// sweep kills every process that carries the mark in its environment, and the
// orphans that carry none any more, until none of the former is found.
func sweep(mark string) {
	entry := []byte(markName + "=" + mark)
	for range 10 {
		found := marked(entry)
		for _, pid := range found {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		children.endOrphans(childrenOf) // one that was killed may be ours to wait for too
		if len(found) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func marked(entry []byte) (pids []int) {
	eachProcess(func(pid int) {
		environ, _ := os.ReadFile(proc(pid, "environ"))
		if hasEntry(environ, entry) {
			pids = append(pids, pid)
		}
	})
	return pids
}

func hasEntry(environ, entry []byte) bool {
	for one := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(one, entry) {
			return true
		}
	}
	return false
}
