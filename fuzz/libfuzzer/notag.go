//go:build !libfuzzer

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "libfuzzer: build with -tags libfuzzer and link with clang: make fuzz-libfuzzer TARGET=FuzzReference")
	os.Exit(64)
}
