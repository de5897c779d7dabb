//go:build libfuzzer

package main

/*
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// libFuzzer's own mutations.
extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

// libFuzzer installs its handlers behind Go's, without SA_ONSTACK: its alarm, which any
// thread may get, would be handled on the stack of a goroutine, and what the kernel
// stores for it is larger than that.
static void handleOnSignalStack(void) {
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
			action.sa_flags |= SA_ONSTACK;
			sigaction(number, &action, NULL);
		}
	}
}
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"github.com/touchstone-oracle/touchstone/fuzz"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/zoo/engines"
)

// target is the name of the target, set by the linker.
var target = "FuzzReference"

var check func([]byte) error

func init() {
	var err error
	if check, err = checker(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// checker gives the check of the target, or of a creature of the zoo that the
// environment names.
func checker() (func([]byte) error, error) {
	if name := os.Getenv(engines.Variable); name != "" {
		v, err := engines.NewVictim(name)
		if err != nil {
			return nil, err
		}
		return v.Input, nil
	}
	t, err := fuzz.Lookup(target)
	if err != nil {
		return nil, err
	}
	return t.Checker(), nil
}

// handlers is done when libFuzzer calls for the first time, which then has its handlers.
var handlers sync.Once

// LLVMFuzzerTestOneInput checks one input. A breach of a law ends the process,
// which is how libFuzzer learns of it and keeps the input.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	handlers.Do(func() { C.handleOnSignalStack() })
	input := C.GoBytes(unsafe.Pointer(data), C.int(size))
	if err := check(input); err != nil {
		fmt.Fprintf(os.Stderr, "breach: %+q\n", err.Error())
		C.abort()
	}
	return 0
}

var mutator grammar.Generator

// LLVMFuzzerCustomMutator changes an input in place: half of the time on the
// tree of its values, else as libFuzzer would. It is called by one thread.
//
//export LLVMFuzzerCustomMutator
func LLVMFuzzerCustomMutator(data *C.uint8_t, size, most C.size_t, seed C.uint) C.size_t {
	source := grammar.NewSeeded(uint64(seed), 0)
	if source.Choose(2) == 0 {
		return C.LLVMFuzzerMutate(data, size, most)
	}
	room := unsafe.Slice((*byte)(unsafe.Pointer(data)), int(most))
	return C.size_t(copy(room, mutator.Mutate(source, room[:size], int(most))))
}

func main() {}
