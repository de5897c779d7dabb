package process

import (
	"bytes"
	"os"
	"strconv"
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
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// sweep kills every process that carries the mark in its environment, until
// none is found, and then the orphans among them that carry none any more. It
// gives how many of the former it killed.
func sweep(mark string) int {
	entry := []byte(markName + "=" + mark)
	killed := 0
	for range 10 {
		found := marked(entry)
		if len(found) == 0 {
			break
		}
		for _, pid := range found {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
		children.endOrphans(childrenOf) // one that was killed may be ours to wait for
		time.Sleep(time.Millisecond)
	}
	children.endOrphans(childrenOf)
	return killed
}

func marked(entry []byte) (pids []int) {
	eachProcess(func(pid int) {
		if pid == os.Getpid() {
			return
		}
		environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err == nil && hasEntry(environ, entry) {
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
