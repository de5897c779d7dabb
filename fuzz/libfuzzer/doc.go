// Command libfuzzer runs a target of package fuzz under libFuzzer. It is built
// with the tag libfuzzer alone, as an archive that clang links with
// -fsanitize=fuzzer; see the README and tools/fuzz-libfuzzer.sh.
package main
