package documents_test

import (
	"github.com/leanovate/gopter"
	"pgregory.net/rapid"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// rapidSource lets rapid make the grammar's choices, and so shrink them: choice
// 0 is always the simplest.
type rapidSource struct{ t *rapid.T }

func (s rapidSource) Choose(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "choice") }

// gopterSource lets gopter's random numbers make the choices.
type gopterSource struct{ p *gopter.GenParameters }

func (s gopterSource) Choose(n int) int { return s.p.Rng.Intn(n) }

var (
	_ grammar.Source = rapidSource{}
	_ grammar.Source = gopterSource{}
)
