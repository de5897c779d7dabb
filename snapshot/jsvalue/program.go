package jsvalue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/snapshot"
)

// A Program is JavaScript source whose expression's value is judged.
type Program struct {
	Setup    string // runs first, as a script; it may pollute what it likes
	Expr     string // an expression
	Teardown string // runs last, so that an engine without fresh realms is whole again
	// Needs names what an engine must have for the program: see Features.
	Needs string
}

// Features lists what Program.Needs may name: a function realm(source) that
// evaluates in another realm, weak references, shared memory, async generators,
// and JSON.rawJSON.
func Features() []string {
	return []string{"realm", "weakref", "sharedarraybuffer", "asyncgenerator", "rawjson"}
}

// served are the features that goja has.
var served = []string{"rawjson"}

// ErrNotServed says that a program needs what the engine has not.
var ErrNotServed = errors.New("jsvalue: the program needs a feature that goja has not")

// ParseProgram reads a program from its JSON form: an object of setup, expr,
// teardown and needs, all strings, of which only expr must be there.
func ParseProgram(text []byte) (Program, error) {
	s, err := snapshot.Decode(text)
	if err != nil {
		return Program{}, err
	}
	form, err := snapshot.As[struct {
		Setup    string `json:"setup,omitempty"`
		Expr     string `json:"expr"`
		Teardown string `json:"teardown,omitempty"`
		Needs    string `json:"needs,omitempty"`
	}](s, snapshot.RefuseUnknown, snapshot.RefuseMissing)
	if err != nil {
		return Program{}, err
	}
	if form.Needs != "" && !slices.Contains(Features(), form.Needs) {
		return Program{}, fmt.Errorf("jsvalue: needs is none of %s", strings.Join(Features(), ", "))
	}
	return Program(form), nil
}

// A ProgramError says that a program has no value to judge: it does not parse,
// throws or was stopped. What was thrown is payload and is not kept.
type ProgramError struct {
	Stage   string // "setup", "expr" or "teardown"
	Problem string
}

// Error says which part of the program failed, and how.
func (e *ProgramError) Error() string {
	return fmt.Sprintf("jsvalue: the program's %s %s", e.Stage, e.Problem)
}

// Evaluate runs a program in a fresh runtime and takes the snapshot of its
// expression's value. It gives what Run gives if there is no value, else what
// Of gives.
func Evaluate(ctx context.Context, p Program, o snapshot.Options) (snapshot.Snapshot, error) {
	var s snapshot.Snapshot
	var verdict error
	err := Run(ctx, p, func(vm *goja.Runtime, v goja.Value) {
		s, verdict = Of(vm, v, o)
	})
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return s, verdict
}

// Run runs a program in a fresh runtime and hands its expression's value to
// use before the teardown. It gives ErrNotServed if the engine lacks what the
// program needs, and a *ProgramError if there is no value. When ctx is done the
// script is interrupted, as far as the engine heeds interrupts; see the
// package's documentation for hostile source.
func Run(ctx context.Context, p Program, use func(*goja.Runtime, goja.Value)) error {
	if p.Needs != "" && !slices.Contains(served, p.Needs) {
		return ErrNotServed
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(2048)
	stop := context.AfterFunc(ctx, func() { vm.Interrupt("stopped") })
	defer stop()
	if _, err := run(vm, "setup", p.Setup); err != nil {
		return err
	}
	value, err := run(vm, "expr", "("+p.Expr+"\n)")
	if err != nil {
		return err
	}
	use(vm, value)
	_, err = run(vm, "teardown", p.Teardown)
	return err
}

// run runs a part of a program. Errors of the script are told by their kind only.
func run(vm *goja.Runtime, stage, source string) (goja.Value, error) {
	if source == "" {
		return nil, nil
	}
	program, err := goja.Compile(stage, source, false)
	if err != nil {
		return nil, &ProgramError{stage, "does not parse"}
	}
	v, err := vm.RunProgram(program)
	var interrupted *goja.InterruptedError
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &interrupted):
		return nil, &ProgramError{stage, "was stopped"}
	}
	return nil, &ProgramError{stage, "threw"}
}
