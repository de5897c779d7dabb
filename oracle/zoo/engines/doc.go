// Package engines lets the fuzzing engines and property testers look for one
// planted fault each, with a budget of executions: rapid, gopter and Go's fuzzer
// in its tests, libFuzzer by the shim in fuzz/libfuzzer. They start from one
// trivial seed, without the vectors, and are told no more than that an answer is
// wrong. tools/zoo-engines.sh runs them and writes what each needed.
package engines
