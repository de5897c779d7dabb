package check

import (
	_ "embed"
	"strings"

	"github.com/touchstone-oracle/touchstone/vectors"
)

//go:generate go run smoke_generate.go
//go:embed smoke.txt
var smokeList string

// Smoke gives the few vectors that together find the most of the planted faults
// that the vectors find, the one that finds most first. They are for programs of
// which each question takes long.
func Smoke() []vectors.Vector {
	var chosen []vectors.Vector
	for id := range strings.Lines(smokeList) {
		if v, ok := vectors.Lookup(strings.TrimSpace(id)); ok { // else it is the comment
			chosen = append(chosen, v)
		}
	}
	return chosen
}
