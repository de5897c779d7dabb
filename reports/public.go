package reports

import (
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Public gives a run as it may be published: findings that nobody has reported
// yet are left out, with everything that describes their inputs, and counted in
// Footer.Withheld. The run itself is not changed.
func Public(run *result.Run) *result.Run {
	p := *run
	p.Findings, p.Vectors = nil, slices.Clone(run.Vectors)
	for _, f := range run.Findings {
		if f.Reported() {
			p.Findings = append(p.Findings, f)
			continue
		}
		p.Footer.Withheld++
	}
	p.Footer.Scores = slices.Clone(run.Footer.Scores)
	for i := range p.Footer.Scores {
		s := &p.Footer.Scores[i]
		s.Findings, s.New = 0, 0 // whatever is shown is known
		for _, f := range p.Findings {
			if f.Subject == s.Subject {
				s.Findings++
			}
		}
	}
	for i := range p.Vectors {
		p.Vectors[i].Message, p.Vectors[i].Digest = "", ""
	}
	return &p
}
