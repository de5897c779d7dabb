package process

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A brood is what this process has started and what was handed to it since: as
// a subreaper it becomes the parent of every process whose own parent has
// ended, whatever session, group or environment that process gave itself.
//
// Whose descendant such an orphan is shows in a mark that is inherited and that
// clearing the environment does not clear: the limit of file locks, which Linux
// keeps and does not use, has a value of each child's own.
type brood struct {
	mu     sync.Mutex     // held while a child starts, is reaped, and orphans are looked at
	adopts bool           // orphans come here, and are ours to end
	live   map[int]uint64 // children by process id, with their marks
	next   uint64
}

var children = brood{live: map[int]uint64{}}

// start starts a child and makes it known. Between the start and the mark a
// child could leave a descendant without one; such an orphan is nobody's, and is
// ended whenever it is seen.
func (b *brood) start(c *child, adopt bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if adopt {
		b.adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
	}
	var err error
	onSpawner(func() { err = c.cmd.Start() })
	if err != nil {
		return err
	}
	pid := c.cmd.Process.Pid
	restrict(pid, c.limits)
	b.live[pid] = b.mark(pid)
	return nil
}

// mark gives a process a mark, 0 if it takes none. Within a marked process, as
// when one harness runs another, only a smaller limit can be set.
func (b *brood) mark(pid int) uint64 {
	var now unix.Rlimit
	unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &now) // nothing if it has ended
	if now.Max < 4 {
		return 0
	}
	if b.next == 0 {
		b.next = rand.Uint64N(min(now.Max, 1<<62)/2) + 1
	}
	mark := b.next
	b.next--
	if unix.Prlimit(pid, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: mark, Max: mark}, nil) != nil {
		return 0
	}
	return mark
}

// reap waits for the end of the process and kills what is left of its group.
// The system's own wait comes last: until then the process's id, and so its
// group's, stays taken, and no stranger can be hit.
func (c *child) reap() {
	for unix.Waitid(unix.P_PID, c.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	c.exited.Store(true)
	c.mu.Lock()
	killGroup(c.cmd.Process)
	children.mu.Lock()
	c.waited = c.cmd.Wait()
	delete(children.live, c.cmd.Process.Pid)
	children.mu.Unlock()
	c.reaped = true
	c.mu.Unlock()
	children.endOrphans(listedChildren)
}

// endOrphans ends and reaps every orphan but those of children that live: what
// those have put aside may still serve them. list gives the children of this
// process.
func (b *brood) endOrphans(list func(pid int) []int) {
	for range 200 { // an orphan's own children come only when it has ended
		if !b.endSome(list) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *brood) endSome(list func(pid int) []int) (found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.adopts {
		return false
	}
	living := map[uint64]bool{}
	for _, mark := range b.live {
		living[mark] = mark != 0
	}
	for _, pid := range list(os.Getpid()) {
		if _, own := b.live[pid]; own || !isChild(pid) {
			continue
		}
		if mark := markOf(pid); !living[mark] {
			syscall.Kill(-pid, syscall.SIGKILL) // the group that it leads, or led
			syscall.Kill(pid, syscall.SIGKILL)
			found = true
		}
		var status unix.WaitStatus
		unix.Wait4(pid, &status, unix.WNOHANG, nil) // an orphan that has ended waits for somebody to see it
	}
	return found
}

// isChild reports whether a process is a child of this one, and so no stranger
// whatever the lists say: who is not asked this is not killed.
func isChild(pid int) bool { return statOf(pid).parent == os.Getpid() }

func markOf(pid int) uint64 {
	var limit unix.Rlimit
	unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) // 0 if it has ended
	return limit.Max
}

// listedChildren gives the direct children of a process, those that have ended
// and were not waited for too, as the kernel lists them. That is quick, and may
// miss one where another ends meanwhile: what is missed is seen the next time.
func listedChildren(pid int) (all []int) {
	lists, _ := filepath.Glob(proc(pid, "task/*/children"))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range bytes.Fields(text) {
			child, _ := strconv.Atoi(string(field)) // nothing but numbers stands there
			all = append(all, child)
		}
	}
	return all
}

// childrenOf gives them by asking every process for its parent, which misses
// none.
func childrenOf(pid int) (all []int) {
	eachProcess(func(p int) {
		if statOf(p).parent == pid {
			all = append(all, p)
		}
	})
	return all
}

// spawner is the one thread that starts children. Linux ties the signal that
// a child gets at its parent's death to the thread that started it, and Go
// may end other threads.
var spawner = sync.OnceValue(func() chan<- func() {
	jobs := make(chan func())
	go func() {
		runtime.LockOSThread()
		for job := range jobs {
			job()
		}
	}()
	return jobs
})

func onSpawner(job func()) {
	done := make(chan struct{})
	spawner() <- func() { job(); close(done) }
	<-done
}
