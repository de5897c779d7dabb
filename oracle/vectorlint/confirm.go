package vectorlint

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// confirm asks the engines about every vector.
//
// Under rfc8785 each foreign engine that is named in witnesses must give the
// right bytes for every vector to accept, and at least one foreign lineage must
// agree on every vector: refuse what is to be refused, give the bytes of the
// rest (of an either as well, for a refusal says nothing of the bytes). Under
// each profile every engine of ours must be right on everything that it
// serves, and at least two engines must be.
func (l *linter) confirm(ctx context.Context, open func(reject.Profile) []Engine) {
	hits := map[string]map[string]bool{}
	served := map[string]bool{}
	for _, p := range reject.Profiles() {
		engines := open(p)
		c := &confirmation{linter: l, profile: p, hits: hits, served: served, voices: map[string][]string{}, foreign: map[string]bool{}}
		for _, e := range engines {
			if info := e.Info(); info.Ours || p == reject.RFC8785 {
				c.ask(ctx, e, info)
			}
			if err := e.Close(); err != nil {
				l.report("confirm", e.Info().Name, "closing it: %v", err)
			}
		}
		if ctx.Err() != nil {
			return
		}
		c.conclude()
	}
	l.unserved(served)
	l.stale(hits)
}

// unserved names operations whose vectors no engine was asked about.
func (l *linter) unserved(served map[string]bool) {
	for _, op := range vectors.Ops() {
		why, excepted := unservedOps[op]
		asked := slices.ContainsFunc(l.all, func(v vectors.Vector) bool { return v.Op == op })
		switch {
		case asked && !served[op] && !excepted:
			l.report("confirm", op, "no engine serves the operation")
		case excepted && (served[op] || !asked):
			l.report("exception", op, "an engine serves it, or no vector asks for it: remove the exception (%s)", why)
		}
	}
}

// stale names exceptions that no longer occur for some vector they cover.
func (l *linter) stale(hits map[string]map[string]bool) {
	for _, x := range exceptions {
		for pattern := range strings.FieldsSeq(x.vectors) {
			covered := slices.DeleteFunc(slices.Clone(l.all), func(v vectors.Vector) bool {
				ok, _ := path.Match(pattern, v.ID)
				return !ok
			})
			for _, v := range covered {
				for engine := range strings.FieldsSeq(x.engines) {
					if !hits[engine][v.ID] {
						l.report("exception", engine+" on "+v.ID, "it no longer occurs: narrow %s (%s)", pattern, x.why)
					}
				}
			}
			if len(covered) == 0 {
				l.report("exception", x.engines+" on "+pattern, "no vector has such an id (%s)", x.why)
			}
		}
	}
}

// A confirmation is one profile's: which lineages agree with which vector.
type confirmation struct {
	*linter
	profile reject.Profile
	hits    map[string]map[string]bool // exceptions that occurred, by engine and vector
	served  map[string]bool            // operations that some engine of ours serves
	voices  map[string][]string        // lineages, by vector
	foreign map[string]bool            // vectors with a foreign voice
}

func (c *confirmation) ask(ctx context.Context, e Engine, info result.Info) {
	var judged []vectors.Vector
	var questions []result.Question
	for _, v := range c.all {
		if _, ok := v.Expect[c.profile]; ok && info.Serves(result.Op(v.Op)) {
			judged = append(judged, v)
			c.served[v.Op] = true
			questions = append(questions, result.Question{Op: result.Op(v.Op), Input: v.Input})
		}
	}
	for i, a := range e.Ask(ctx, questions) {
		v := judged[i]
		expect := v.Expect[c.profile]
		agrees := confirms(expect, a)
		if agrees {
			if !slices.Contains(c.voices[v.ID], info.Lineage) {
				c.voices[v.ID] = append(c.voices[v.ID], info.Lineage)
			}
			if !info.Ours {
				c.foreign[v.ID] = true
			}
		}
		switch {
		case info.Ours:
			if wrong := departs(expect, a); wrong != "" {
				c.report("confirm", v.ID, "%s, %s: %s", c.profile, info.Name, wrong)
			}
		case !agrees && expect.Verdict == vectors.Accept && slices.Contains(witnesses, info.Name) && !c.excepted(info.Name, v.ID):
			c.report("confirm", v.ID, "%s says %s %+.60q %s", info.Name, a.Kind, a.Bytes, a.Message)
		}
	}
}

// confirms reports whether an answer speaks for the vector.
func confirms(e vectors.Expectation, a result.Answer) bool {
	if e.Verdict == vectors.Reject {
		return a.Kind == result.Rejected
	}
	return a.Kind == result.OK && e.Right(a.Bytes)
}

// departs says how an answer of ours is wrong, reasons counted; "" if not.
func departs(e vectors.Expectation, a result.Answer) string {
	switch {
	case a.Kind == result.Skipped || confirms(e, a) && a.Kind == result.OK:
		return ""
	case a.Kind == result.Rejected && e.Verdict != vectors.Accept:
		if r, err := reject.ParseReason(a.Reason); err != nil || !slices.Contains(e.Reasons, r) {
			return "refused for " + a.Reason
		}
		return ""
	}
	return string(a.Kind) + " " + a.Message
}

// conclude asks for two voices, and for a foreign one under rfc8785. An
// either that our engines refuse has none of theirs.
func (c *confirmation) conclude() {
	for _, v := range c.all {
		expect, judged := v.Expect[c.profile]
		if !judged || !c.served[v.Op] {
			continue
		}
		need := 2
		if expect.Verdict == vectors.Either {
			need = 1
		}
		switch {
		case c.profile == reject.RFC8785 && !c.foreign[v.ID]:
			if !c.excepted(anyForeign, v.ID) {
				c.report("confirm", v.ID, "no foreign lineage confirms it")
			}
		case len(c.voices[v.ID]) < need && (c.profile == reject.RFC8785 || expect.Verdict != vectors.Either):
			if !c.excepted(anyTwo, v.ID) {
				c.report("confirm", v.ID, "%s: confirmed by %v alone", c.profile, c.voices[v.ID])
			}
		}
	}
}

// excepted reports whether a named exception covers the engine and vector, and
// notes that it occurred.
func (c *confirmation) excepted(engine, id string) bool {
	for _, x := range exceptions {
		if !slices.Contains(strings.Fields(x.engines), engine) {
			continue
		}
		for pattern := range strings.FieldsSeq(x.vectors) {
			if ok, _ := path.Match(pattern, id); ok {
				if c.hits[engine] == nil {
					c.hits[engine] = map[string]bool{}
				}
				c.hits[engine][id] = true
				return true
			}
		}
	}
	return false
}
