package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Merge joins runs of different implementations, or of different seeds or
// shards, under one profile and one suite. What one implementation came to in
// several runs is added up; the first run's provenance stands for all.
func Merge(runs []*result.Run) (*result.Run, error) {
	if len(runs) == 0 {
		return nil, errors.New("reports: nothing to merge")
	}
	first := runs[0].Header
	merged := &result.Run{Header: first}
	merged.Header.Subjects, merged.Header.Cases, merged.Header.Inputs, merged.Header.Vectors = nil, 0, 0, 0
	cases := map[uint64]int{} // by seed: a smaller number of cases is the beginning of a larger one
	for _, r := range runs {
		h := r.Header
		if h.Profile != first.Profile || h.Suite != first.Suite {
			return nil, fmt.Errorf("reports: runs of profile %s and suite %s cannot be merged with profile %s and suite %s",
				Escape(h.Profile, 40), clipDigest(Escape(h.Suite, 64)), Escape(first.Profile, 40), clipDigest(Escape(first.Suite, 64)))
		}
		merged.Header.Vectors = max(merged.Header.Vectors, h.Vectors)
		merged.Header.Complete = merged.Header.Complete || h.Complete
		if more := h.Cases - cases[h.Seed]; more > 0 {
			cases[h.Seed] += more
			merged.Header.Cases += more
		}
		merged.Header.Inputs += h.Inputs
		join(merged, r)
	}
	slices.SortStableFunc(merged.Findings, result.CompareFindings)
	return merged, nil
}

func join(m *result.Run, r *result.Run) {
	for _, s := range r.Header.Subjects {
		if !slices.ContainsFunc(m.Header.Subjects, func(t result.Subject) bool { return t.Name == s.Name }) {
			m.Header.Subjects = append(m.Header.Subjects, s)
		}
	}
	m.Vectors = append(m.Vectors, r.Vectors...)
	m.Footer.Stale = append(m.Footer.Stale, r.Footer.Stale...)
	m.Footer.Interrupted = m.Footer.Interrupted || r.Footer.Interrupted
	m.Footer.Questions += r.Footer.Questions
	m.Footer.Seconds += r.Footer.Seconds
	m.Footer.Withheld += r.Footer.Withheld
	for _, s := range r.Footer.Scores {
		if t := m.Score(s.Subject); t != nil {
			addScore(t, s)
		} else {
			m.Footer.Scores = append(m.Footer.Scores, cloneScore(s))
		}
	}
	for _, f := range r.Findings {
		joinFinding(m, f)
	}
}

// joinFinding adds a finding, or its counts to the same kind's.
func joinFinding(m *result.Run, f result.Finding) {
	for i := range m.Findings {
		g := &m.Findings[i]
		if kindOf(*g) != kindOf(f) || g.Signature != f.Signature {
			continue
		}
		count := g.Count + f.Count
		ids := slices.Compact(slices.Sorted(slices.Values(slices.Concat(g.Vectors, f.Vectors))))
		if f.InputSize < g.InputSize {
			*g = f
		}
		g.Count, g.Vectors = count, ids
		if s := m.Score(f.Subject); s != nil {
			s.Findings--
			s.Found[f.Group]--
			if f.Known == nil {
				s.New--
			}
		}
		return
	}
	m.Findings = append(m.Findings, f)
}

func cloneScore(s result.Score) result.Score {
	clone := result.Score{
		Subject: s.Subject, Limits: s.Limits,
		Groups: map[string]result.Tally{}, Found: map[string]int{}, Outcomes: map[result.Outcome]int{},
	}
	addScore(&clone, s)
	return clone
}

func addScore(t *result.Score, s result.Score) {
	t.Vectors = t.Vectors.Plus(s.Vectors)
	t.Generated = t.Generated.Plus(s.Generated)
	t.Findings += s.Findings
	t.New += s.New
	t.Withheld += s.Withheld
	t.Unasked += s.Unasked
	for g, tally := range s.Groups {
		t.Groups[g] = t.Groups[g].Plus(tally)
	}
	for g, n := range s.Found {
		t.Found[g] += n
	}
	for o, n := range s.Outcomes {
		t.Outcomes[o] += n
	}
	for name, tally := range s.Relations {
		if t.Relations == nil {
			t.Relations = map[string]result.Tally{}
		}
		t.Relations[name] = t.Relations[name].Plus(tally)
	}
	t.Ladders = append(t.Ladders, s.Ladders...)
	t.NoStart, t.Why = cmp.Or(t.NoStart, s.NoStart), cmp.Or(t.Why, s.Why)
}
