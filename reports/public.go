package reports

import (
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Public gives a run as it may be published: findings that are neither public
// nor reported are left out, with everything that tells their inputs, and
// counted in Footer.Withheld and in each Score. How many vectors of a group went
// wrong stays; which of them did does not, unless a finding that is shown names
// them. The run itself is not changed.
func Public(run *result.Run) *result.Run {
	p := *run
	p.Findings = nil
	p.Footer.Scores = slices.Clone(run.Footer.Scores)
	for i := range p.Footer.Scores {
		s := &p.Footer.Scores[i]
		s.Findings, s.New, s.Ladders = 0, 0, nil // whatever is shown is known
	}
	type field struct{ subject, vector string }
	shown := map[field]bool{}
	for _, f := range run.Findings {
		score := p.Score(f.Subject)
		if !f.Reported() {
			p.Footer.Withheld++
			if score != nil {
				score.Withheld++
			}
			continue
		}
		p.Findings = append(p.Findings, f)
		if score != nil {
			score.Findings++
		}
		for _, id := range f.Vectors {
			shown[field{f.Subject, id}] = true
		}
	}
	for i := range p.Footer.Scores {
		s := &p.Footer.Scores[i]
		s.Ladders = publicLadders(run, s.Subject)
		if s.Withheld > 0 {
			s.Relations = nil // their names tell what is wrong
		}
	}
	p.Vectors, p.Footer.Stale = nil, nil
	for _, v := range run.Vectors {
		if v.Outcome == result.Pass || v.Outcome == result.Skip || shown[field{v.Subject, v.Vector}] {
			v.Message, v.Digest = "", ""
			p.Vectors = append(p.Vectors, v)
		}
	}
	return &p
}

// publicLadders gives the climbs of an implementation that show nothing which
// is withheld.
func publicLadders(run *result.Run, subject string) []result.Ladder {
	score := run.Score(subject)
	if score == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(score.Ladders), func(l result.Ladder) bool {
		return slices.ContainsFunc(run.Findings, func(f result.Finding) bool {
			return f.Subject == subject && f.Ladder == l.Name && !f.Reported()
		})
	})
}
