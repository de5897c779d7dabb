package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/peer"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/reports"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// valueQuestion makes the question of the flags --js and --graph.
func valueQuestion(script, graph string) (result.Question, error) {
	if script != "" {
		input, err := json.Marshal(map[string]string{"expr": script})
		return result.Question{Op: result.OpJS, Input: input}, err
	}
	file, err := os.Open(graph)
	if err != nil {
		return result.Question{}, usageError(err)
	}
	defer file.Close()
	input, err := io.ReadAll(io.LimitReader(file, reference.MaxText+1))
	if err != nil {
		return result.Question{}, usageError(err)
	}
	if _, err := reference.Parse(input); err != nil {
		return result.Question{}, usageError(err)
	}
	return result.Question{Op: result.OpGraph, Input: input}, nil
}

// explainValue says what the strict snapshot domain makes of a script's value
// or of a value graph: what the slow judge says, and what the library does.
// Scripts run in a process of their own.
func (e *explainer) explainValue(ctx context.Context, q result.Question) error {
	var said []result.Answer
	for _, name := range []string{"reference", "snapshot"} {
		p, err := peer.Lookup(name)
		if err != nil {
			return err
		}
		s := p.Open(peer.Options{Profile: reject.RFC0016, CaseLimit: 10 * time.Second})
		said = append(said, s.Ask(ctx, []result.Question{q})...)
		if err := s.Close(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	judge, library := said[0], said[1]
	if failed := slices.IndexFunc(said, func(a result.Answer) bool { return a.Kind != result.OK && a.Kind != result.Rejected }); failed >= 0 {
		a := said[failed]
		return usageError(fmt.Errorf("there is no value to judge: %s: %s", a.Kind, reports.Escape(a.Message, 300)))
	}
	switch {
	case judge.Kind == result.Rejected:
		e.printf("%-10s reject\n", reject.RFC0016)
	case library.Kind == result.Rejected:
		e.printf("%-10s either: refuse, or give the canonical form\n", reject.RFC0016)
	default:
		e.printf("%-10s accept\n", reject.RFC0016)
	}
	if q.Op == result.OpGraph {
		e.graphFaults(q.Input)
	} else {
		e.refusals(said)
	}
	if judge.Kind == result.OK {
		e.printf("\ncanonical  %d bytes, SHA-256\n           %x\n           %s\n", len(judge.Bytes), sha256.Sum256(judge.Bytes), reports.Escape(judge.Bytes, e.most))
	}
	e.printf("\nimplementations, judged under %s\n", reject.RFC0016)
	for i, name := range []string{"reference", "snapshot"} {
		e.printf("%-10s %s\n", name, answered(said[i], e.most))
	}
	return nil
}

// graphFaults lists all that the judge finds.
func (e *explainer) graphFaults(input []byte) {
	g, err := reference.Parse(input)
	if err != nil {
		return // asked before
	}
	for _, f := range reference.Judge(g).Faults {
		e.fault(f.Reason, f.Clause, f.Pointer)
	}
}

// refusals lists the reasons that were given, each once.
func (e *explainer) refusals(said []result.Answer) {
	var seen []string
	for _, a := range said {
		reason, err := reject.ParseReason(a.Reason)
		if a.Kind != result.Rejected || err != nil || slices.Contains(seen, a.Reason) {
			continue
		}
		seen = append(seen, a.Reason)
		e.fault(reason, reason.Clause(reject.RFC0016), "")
	}
}

func (e *explainer) fault(reason reject.Reason, clause, pointer string) {
	e.say(11, "%s: %s", reason, reason.Meaning())
	if pointer != "" {
		e.printf("             in %s\n", reports.Escape(pointer, 200))
	}
	if q, ok := reject.LookupRequirement(clause); ok {
		e.say(13, "%s (%s, %s)", q.ID, q.Source, q.Section)
		e.say(15, "%s", q.Text)
	}
	if advice := reason.Advice(); advice != "" {
		e.say(13, "to mend it: %s", advice)
	}
}

func answered(a result.Answer, most int) string {
	if a.Kind == result.OK {
		return "gives " + reports.Escape(a.Bytes, most)
	}
	return "refuses: " + reports.Escape(a.Message, 300)
}
