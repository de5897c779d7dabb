package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSignalsAreHandledOnTheirStack sends the alarm of libFuzzer to the threads of Go,
// as a busy machine does now and then: handled on the stack of a goroutine it
// overruns that, and the target mostly ends by a fault of memory within 10,000 alarms.
func TestSignalsAreHandledOnTheirStack(t *testing.T) {
	compiler := clang()
	if compiler == "" {
		if os.Getenv("TOUCHSTONE_CI") == "1" {
			t.Fatal("there is no clang")
		}
		t.Skip("there is no clang (clang-19, libclang-rt-19-dev)")
	}
	dir := t.TempDir()
	build := exec.Command("bash", "../../.clusterfuzzlite/build.sh")
	build.Env = append(os.Environ(), "CHECKOUT="+filepath.Join("..", ".."), "OUT="+dir, "TARGETS=FuzzReference", "CXX="+compiler, "CXXFLAGS=", "LIB_FUZZING_ENGINE=-fsanitize=fuzzer")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	program := exec.Command(filepath.Join(dir, "FuzzReference"), "-runs=1000000000", "-max_len=200", "-artifact_prefix="+dir+"/")
	program.Stderr = log
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	defer func() {
		program.Process.Kill()
		<-ended
	}()
	started := func() bool {
		text, err := os.ReadFile(log.Name())
		return err != nil || bytes.Contains(text, []byte("INITED"))
	}
	tasks := filepath.Join("/proc", strconv.Itoa(program.Process.Pid), "task")
	sent := 0
	for ready := false; sent < 40_000; {
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("the target ended by itself after %d signals: %v\n%.2000s", sent, err, text)
		case <-time.After(300 * time.Microsecond):
		}
		if ready = ready || started(); !ready {
			continue
		}
		threads, err := os.ReadDir(tasks)
		if err != nil {
			continue // it has just ended
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err == nil && id != program.Process.Pid && unix.Tgkill(program.Process.Pid, id, unix.SIGALRM) == nil {
				sent++
			}
		}
	}
}

func clang() string {
	for _, name := range []string{os.Getenv("CLANG"), "clang-19", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
