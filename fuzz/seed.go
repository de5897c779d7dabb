package fuzz

import (
	"errors"

	"github.com/touchstone-oracle/touchstone/corpus"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// Seeds gives what a target starts from: the texts of the vectors and the
// target's corpus, each text once. None of either is an error.
func Seeds(target string) ([][]byte, error) {
	var all [][]byte
	seen := make(map[string]bool)
	add := func(text []byte) {
		if !seen[string(text)] {
			seen[string(text)] = true
			all = append(all, text)
		}
	}
	for _, v := range vectors.All() {
		if v.Op == vectors.OpCanon && len(v.Input) <= mostSeed {
			add(v.Input)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("fuzz: there are no vectors to start from")
	}
	inputs, err := corpus.For(target)
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		add(in.Data)
	}
	return all, nil
}

// mostSeed leaves the longest vectors out: a fuzzer that starts from large
// texts makes few executions.
const mostSeed = 4096
