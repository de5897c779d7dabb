// Package process runs programs under test: it starts them, asks them, limits
// them, and ends them on every way out. [OpenWire] speaks the line protocol
// with a program that answers many questions, [OpenExec] starts one process a
// question.
//
// Programs are taken to be hostile. Each runs in a process group of its own,
// which is killed as a whole; what it writes is bounded; what it does not
// answer in time is a hang; and a failure costs no other question its answer:
// what was in flight when a program failed is asked again, one question at a
// time, of a fresh process, so that blame is exact.
//
// On Linux children also have limits for data, CPU time, open files and core
// files, their resident size is sampled, they end when the harness is killed,
// and processes that left the group are found by a mark in their environment, or,
// with [Options.Adopt], whatever they did to hide. A child that had work to do
// and was not given the processor by a busy machine is waited for longer than
// its limit, up to four times. Elsewhere a descendant that leaves the group of its
// process outlives the harness, and the limits of time are the clock's.
package process

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// Options says how to run a program. The zero value of a field stands for its
// default.
type Options struct {
	Name       string         // what Info calls it; the greeting's name, or the command's, if empty
	Profile    reject.Profile // asked for in the greeting; exec mode knows none
	Processes  int            // in parallel; 1 by the line protocol, 2 in exec mode
	StartLimit time.Duration  // from the start to the greeting; 30 s
	CaseLimit  time.Duration  // for one question; 10 s; on Linux up to four times that for who waits for a processor
	Window     int            // the most requests in flight whatever the greeting says; 256
	MaxOutput  int            // bytes of one answer; 64 MiB
	MaxCrashes int            // deaths and protocol errors before nothing more is asked; 1,000; negative: no bound
	MaxHangs   int            // hangs before nothing more is asked; 32, and 3 of a program that has never answered; negative: no bound but these 3
	Dir        string         // working folder
	Env        []string       // added to the environment, as in "KEY=value"
	Limits     Limits

	linger time.Duration // a program suspected of what it does after replies is watched so long after one; 20 ms

	// Adopt makes the calling process the parent of every process whose parent
	// has ended (PR_SET_CHILD_SUBREAPER of Linux) from the first start on, and
	// ends those that a program under test has left behind, though they left its
	// session and cleared their environment. Only a program that starts its
	// children by this package alone may ask for it: others would be taken for
	// such orphans.
	Adopt bool

	// Statuses maps exit statuses to answers in exec mode: OK, Rejected or
	// Skipped. A status that is not there is a crash. Nil: 0 is OK, 1
	// Rejected, 69 Skipped.
	Statuses map[int]result.AnswerKind
}

// Limits bounds what a child may use, where the system offers it. The zero
// value of a field stands for its default, a negative one for no limit.
type Limits struct {
	Data     int64         // bytes of data segment and private memory; 4 GiB
	Resident int64         // bytes of resident size, sampled ten times a second; 4 GiB
	CPU      time.Duration // of one process; none by the line protocol, twice CaseLimit and a second in exec mode
	Files    int64         // open files; 1,024
}

// passed reports whether a resident size is beyond the limit.
func (l Limits) passed(resident int64) bool {
	return uint64(resident) > uint64(l.Resident) // a negative limit is beyond every size
}

const gib = 1 << 30

func (o Options) withDefaults(processes int) Options {
	o.Processes = max(1, cmp.Or(o.Processes, processes))
	o.StartLimit = cmp.Or(o.StartLimit, 30*time.Second)
	o.CaseLimit = cmp.Or(o.CaseLimit, 10*time.Second)
	o.Window = max(1, cmp.Or(o.Window, 256))
	o.MaxOutput = cmp.Or(o.MaxOutput, 64<<20)
	o.linger = cmp.Or(o.linger, 20*time.Millisecond)
	o.MaxCrashes = cmp.Or(o.MaxCrashes, 1000)
	o.MaxHangs = cmp.Or(o.MaxHangs, 32)
	o.Limits.Data = cmp.Or(o.Limits.Data, 4*gib)
	o.Limits.Resident = cmp.Or(o.Limits.Resident, 4*gib)
	o.Limits.Files = cmp.Or(o.Limits.Files, 1024)
	if o.Statuses == nil {
		o.Statuses = map[int]result.AnswerKind{0: result.OK, 1: result.Rejected, 69: result.Skipped}
	}
	return o
}

// Stats counts what happened to a program so far.
type Stats struct {
	Starts         int   // processes started
	Crashes        int   // deaths with a question in flight
	Hangs          int   // questions, or starts, without an answer in time
	ProtocolErrors int   // answers that were none
	Resident       int64 // the greatest resident size sampled, in bytes; 0 where it is not sampled
}

// A StartError says that a program could not be started, or did not begin as
// it must. Its text is printable.
type StartError struct {
	Command string // shortened
	Cause   error
	Stderr  string // the tail of standard error, raw: escape it before it is shown
}

// Error gives the text.
func (e *StartError) Error() string {
	return fmt.Sprintf("process: %s would not start: %v", e.Command, e.Cause)
}

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Cause }

// errClosed is what asking gives after Close.
var errClosed = errors.New("process: the program was closed")

// display writes a command for people: printable, at most 200 bytes.
func display(command []string) string {
	return wire.Printable([]byte(strings.Join(command, " ")), 200)
}

// newMark gives the value of the environment variable by which processes of
// one subject are found again.
func newMark() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// markName is the environment variable that marks the processes of a run.
const markName = "TOUCHSTONE_RUN"
