package main

import (
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"touchstone": main})
}

// TestScript runs testdata/script/*.txtar against the real command.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": expectStatus,
		},
	})
}

// expectStatus is the scripts' command "status N PROGRAM ARG...": the program
// must end with exit status N.
func expectStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	switch {
	case err == nil && want != 0:
		ts.Fatalf("exit status 0, want %d", want)
	case err == nil:
	case !errors.As(err, &ended):
		ts.Fatalf("%v", err)
	case ended.ExitCode() != want:
		ts.Fatalf("exit status %d, want %d", ended.ExitCode(), want)
	}
}
