//go:build js && wasm

package main

import (
	"context"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// voices are the built-in implementations, each kept from what could end the
// worker, since there is no process of its own here that it could end instead.
func voices() []explain.Voice {
	all := explain.Builtin(limit, false)
	for i, v := range all {
		all[i].Open = func(p reject.Profile) check.Subject { return careful{v.Open(p)} }
	}
	return all
}

type careful struct{ check.Subject }

func (c careful) Ask(ctx context.Context, questions []result.Question) []result.Answer {
	input := questions[0].Input
	if peer.Risky(input) || !c.Info().Ours && nesting(input) > maxNesting {
		return []result.Answer{{Kind: result.Skipped, Message: "not asked in a page, which so large or deep a document could end: use the command"}}
	}
	return c.Subject.Ask(ctx, questions)
}

// maxNesting is how deep a text may be nested for an implementation that is not
// ours: each level takes some of the small stack that a page has.
const maxNesting = 1100

// nesting gives the most brackets that are open at once, outside of strings.
func nesting(text []byte) int {
	most, open := 0, 0
	for _, t := range grammar.Tokens(nil, text) {
		switch c := text[t.From]; {
		case t.Kind != grammar.Mark:
		case c == '[' || c == '{':
			open++
			most = max(most, open)
		case c == ']' || c == '}':
			open--
		}
	}
	return most
}
