package bolt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// killsName is the environment variable that says how often TestKilledAtAnyWrite
// kills; without it, a few dozen times.
const killsName = "TOUCHSTONE_KILLS"

// TestKilledAtAnyWrite kills a process that suspends and resumes calls at its
// Nth write, or its Nth sync, for every N, and looks at what it left. Each
// kill goes on with the file of the one before, until the file has grown old.
func TestKilledAtAnyWrite(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal("strace is missing: apt-get install strace")
		}
		t.Skip("strace is missing")
	}
	target := 24
	if text, ok := os.LookupEnv(killsName); ok {
		if target, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills, reached := 0, map[string]int{"pwrite64": 0, "fdatasync": 0}
	folder := t.TempDir()
	for n := 1; kills < target; n++ {
		for _, call := range []string{"pwrite64", "fdatasync"} {
			// Where a small target leaves gaps, it still goes through the whole run.
			when := 1 + (n-1)*max(1, 48/target)%48
			if call == "fdatasync" {
				when = 1 + when/3
			}
			c := exec.Command(strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call,
				"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, when), self)
			c.Env = append(os.Environ(), folderName+"="+folder)
			out, err := c.CombinedOutput()
			var exit *exec.ExitError
			if errors.As(err, &exit) && (exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL || exit.ExitCode() == 128+9) {
				kills++
				reached[call] = max(reached[call], when)
			} else if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			examine(t, folder)
			if t.Failed() {
				t.Fatalf("killed at %s number %d", call, when)
			}
		}
		if n%8 == 0 {
			folder = t.TempDir()
		}
	}
	t.Logf("%d kills, up to write %d and sync %d", kills, reached["pwrite64"], reached["fdatasync"])
	if reached["pwrite64"] < 20 || reached["fdatasync"] < 6 {
		t.Error("the kills did not reach far into the work")
	}
}

// examine opens what a killed process left and holds it to the promises.
func examine(t *testing.T, folder string) {
	h, err := openHost(folder)
	if err != nil {
		t.Fatalf("the store does not open: %v", err)
	}
	defer h.store.Close()
	defer h.journal.Close()
	j, err := readJournal(folder)
	if err != nil {
		t.Fatal(err)
	}
	operations := dispatchedOperations(t, h)
	for n := range j.next + 1 { // the last may have been in flight, and not noted
		operation, err := toolcall.OperationID("inv", fmt.Sprint(n))
		if err != nil {
			t.Fatal(err)
		}
		committed := operations[operation]
		if committed > 1 || j.runs[n] > 1 || j.runs[n] > committed {
			t.Errorf("call %d: %d commits, %d runs", n, committed, j.runs[n])
		}
		// Sent again without evidence, it is still known.
		out := h.runtime.Run(t.Context(), callOf(n))
		if (out.Reason == toolcall.Dispatched) != (committed == 1) || out.ProposalHash == "" {
			t.Errorf("call %d: %d commits, and then %s (%s)", n, committed, out.Status, out.Reason)
		}
		grant, err := grantOf(n, out.ProposalHash)
		if err != nil {
			t.Fatal(err)
		}
		// With its grant, it runs if and only if it was not committed.
		c := callOf(n)
		c.Grant = &grant
		out = h.runtime.Run(t.Context(), c)
		if committed == 1 && out.Reason != toolcall.EvidenceUsed || committed == 0 && out.Status != toolcall.Executed {
			t.Errorf("call %d: %d commits, and with its grant %s (%s): %v", n, committed, out.Status, out.Reason, out.Err)
		}
	}
	after, err := readJournal(folder)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for n := range after.next {
		if after.runs[n] > 1 {
			t.Errorf("call %d ran %d times", n, after.runs[n])
		}
		if after.runs[n] == 0 {
			lost++ // committed, and killed before the handler
		}
	}
	if pending, err := h.store.Pending(t.Context()); err != nil || len(pending) > 0 {
		t.Errorf("%d proposals wait: %v", len(pending), err)
	}
	if lost > 16 {
		t.Errorf("%d calls were committed and never ran, with at most 16 kills", lost)
	}
}

func dispatchedOperations(t *testing.T, h *host) map[string]int {
	records, err := h.store.Dispatched(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, record := range records {
		var d struct {
			Operation string `json:"operationId"`
		}
		if err := json.Unmarshal(record, &d); err != nil {
			t.Fatal(err)
		}
		count[d.Operation]++
	}
	return count
}
