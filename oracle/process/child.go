package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// A child is one process under test, in a group of its own.
type child struct {
	cmd    *exec.Cmd
	in     *outbox
	out    *os.File
	stderr *tail
	quiet  chan struct{} // closed when standard error has ended
	done   chan struct{} // closed when it has ended and its group was killed
	limits Limits

	exited atomic.Bool // the process has ended, and is about to be reaped

	mu     sync.Mutex
	reaped bool
	waited error  // what waiting gave
	why    string // why the harness killed it; "" if it did not

	clock sync.Mutex
	soon  time.Time // no read of its output waits longer than this

	resident atomic.Int64 // the greatest sampled
}

// spawn starts a command. deaf is called once the child reads no more of its
// input, if it does not read it to the end.
func spawn(command []string, o Options, mark string, deaf func(*child)) (*child, error) {
	c := &child{
		stderr: &tail{}, limits: o.Limits,
		quiet: make(chan struct{}), done: make(chan struct{}),
		soon: time.Now().Add(math.MaxInt64),
	}
	c.cmd = exec.Command(command[0], command[1:]...)
	c.cmd.Dir = o.Dir
	c.cmd.Env = append(append(os.Environ(), o.Env...), markName+"="+mark)
	c.cmd.SysProcAttr = attributes()
	var files []*os.File
	for range 3 {
		from, to, err := os.Pipe()
		if err != nil {
			closeAll(files)
			return nil, fmt.Errorf("process: no pipe: %w", err)
		}
		files = append(files, from, to)
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = files[0], files[3], files[5]
	err := children.start(c, o.Adopt)
	closeAll([]*os.File{files[0], files[3], files[5]})
	if err != nil {
		closeAll([]*os.File{files[1], files[2], files[4]})
		return nil, withAdvice(err)
	}
	c.out = files[2]
	c.in = newOutbox(files[1], func() { deaf(c) })
	go func() {
		io.Copy(c.stderr, files[4])
		close(c.quiet)
	}()
	go c.wait(files[4])
	go c.watch()
	return c, nil
}

// withAdvice adds to an error of starting what can be done about it.
func withAdvice(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: make it executable (chmod +x)", err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%w: name its interpreter before it, or behind #! in its first line", err)
	}
	return err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// grace is how long a process may take over what should be immediate: to end
// after it closed a stream, or the other way round.
const grace = 250 * time.Millisecond

// readBy sets the time until which a read of the output waits.
func (c *child) readBy(t time.Time) {
	c.clock.Lock()
	defer c.clock.Unlock()
	if c.soon.Before(t) {
		t = c.soon
	}
	c.out.SetReadDeadline(t)
}

// readLine waits for a line, as long as the limit allows.
func (c *child) readLine(lines *wire.Reader, limit time.Duration) ([]byte, error) {
	p := c.patience(time.Now(), limit)
	c.readBy(p.until)
	line, err := lines.ReadLine()
	for errors.Is(err, os.ErrDeadlineExceeded) {
		switch {
		case !c.waits(), !p.more():
			c.lastLook()
			return lines.ReadLine()
		}
		c.readBy(p.until)
		line, err = lines.ReadLine()
	}
	return line, err
}

// lastLook lets the next read take what has come by now: past its deadline a read
// gives nothing, even what came in time to a harness that was held up.
func (c *child) lastLook() { c.out.SetReadDeadline(time.Now().Add(10 * time.Millisecond)) }

// waits reports whether the child can still answer, so that a deadline is one of
// patience and not of a hurry.
func (c *child) waits() bool { return !c.gone() && !c.in.broken() }

// hurry bounds the wait for output of a child that has ended or reads no
// more: a process that left the group could hold the stream open for ever.
func (c *child) hurry() {
	c.clock.Lock()
	defer c.clock.Unlock()
	if soon := time.Now().Add(grace); soon.Before(c.soon) {
		c.soon = soon
	}
	c.out.SetReadDeadline(c.soon)
}

// wait reaps the child, kills what is left of its group, and bounds how long
// its streams can be held open by processes that left the group.
func (c *child) wait(stderr *os.File) {
	c.reap()
	c.hurry()
	select {
	case <-c.quiet:
	case <-time.After(grace):
	}
	stderr.Close()
	c.in.abandon()
	close(c.done)
}

// kill ends the group at once; why is for the report. It does not wait.
func (c *child) kill(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped {
		return
	}
	if c.why == "" {
		c.why = why
	}
	killGroup(c.cmd.Process)
}

// end kills the group, waits until it is gone and frees the streams.
func (c *child) end(why string) {
	c.kill(why)
	<-c.done
	c.out.Close()
}

// ended reports whether the process has ended by itself.
func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// gone reports whether the process itself has ended; done is closed soon after.
func (c *child) gone() bool { return c.exited.Load() }

// settled gives the process a moment to end and reports whether it did.
func (c *child) settled() bool {
	select {
	case <-c.done:
	case <-time.After(2 * grace):
		if !c.gone() {
			return false
		}
		<-c.done
	}
	return true
}

// fate says how the process ended, after done.
func (c *child) fate() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	state := c.cmd.ProcessState
	switch {
	case c.why != "":
		return c.why
	case state == nil:
		return fmt.Sprint("it ended, and waiting gave ", c.waited)
	default:
		return "it ended with " + state.String()
	}
}

// watch samples the resident size and kills beyond the limit.
func (c *child) watch() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
			size := residentSize(c.cmd.Process.Pid)
			c.resident.Store(max(size, c.resident.Load()))
			if c.limits.passed(size) {
				c.kill(fmt.Sprintf("its resident size of %d bytes passed the limit of %d, and it was killed", size, c.limits.Resident))
			}
		}
	}
}

// endsBy waits for the process to end, as long as patience goes.
func (c *child) endsBy(p *patience) bool {
	for {
		timer := time.NewTimer(time.Until(p.until))
		select {
		case <-c.done:
			timer.Stop()
			return true
		case <-timer.C:
		}
		if c.gone() {
			return true
		}
		if !p.more() {
			return false
		}
	}
}

// status gives the exit status, after done; -1 for a signal.
func (c *child) status() int { return c.cmd.ProcessState.ExitCode() }
