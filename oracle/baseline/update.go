package baseline

import (
	"path"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// Update gives the file's text made to fit a run of all vectors under one
// profile: entries that no longer match lose the ids that pass, outcomes that
// changed are corrected, and what is new comes at the end: with the reason and
// the link that the finding's other vectors agree on, else with the finding's
// signature for a reason and unreported. Comments, order, reasons, links and
// the entries of other profiles stay as they are.
//
// vectors are the run's results for this implementation, every one of them;
// findings are the same run's.
func (f *File) Update(p reject.Profile, vectors []result.VectorResult, findings []result.Finding) []byte {
	u := updater{profile: p, outcomes: map[string]result.VectorResult{}, known: map[string]bool{}, covers: map[string]*Entry{}}
	for _, v := range vectors {
		u.outcomes[v.Vector] = v
		u.ids = append(u.ids, v.Vector)
	}
	slices.Sort(u.ids)
	var out []string
	last := reject.RFC8785
	for _, l := range f.lines {
		last = l.profile
		if l.entry == nil || l.entry.Profile != p {
			out = append(out, l.text)
			continue
		}
		for _, e := range u.revise(l.entry) {
			out = append(out, e.String())
		}
	}
	fresh := u.fresh(findings)
	if len(fresh) > 0 && last != p {
		out = append(out, "", "profile "+p.String())
	}
	out = append(out, fresh...)
	if len(out) == 0 {
		return nil
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

type updater struct {
	profile  reject.Profile
	outcomes map[string]result.VectorResult
	ids      []string // every vector, sorted
	known    map[string]bool
	covers   map[string]*Entry // by id, the entry that knows it
}

// revise gives what an entry becomes: itself if all it covers still fails as
// it says, else one entry for each id that still fails.
func (u *updater) revise(e *Entry) []*Entry {
	if e.Pattern == "" {
		u.known[generatedKey(e.Requirement, e.Outcome, e.Effect)] = true
		return []*Entry{e}
	}
	var failing []result.VectorResult
	same, covered := true, 0
	for _, id := range u.ids {
		if !e.Matches(id) || u.known[id] {
			continue
		}
		covered++
		v := u.outcomes[id]
		if v.Outcome == result.Pass || v.Outcome == result.Skip || v.Limited {
			same = false
			continue
		}
		u.known[id], u.covers[id] = true, e
		failing = append(failing, v)
		same = same && v.Outcome == e.Outcome && (e.Digest == "" || e.Digest == v.Digest)
	}
	if e.Flaky || same && covered > 0 && covered <= MaxMatches {
		return []*Entry{e}
	}
	var split []*Entry
	for _, v := range failing {
		one := *e
		one.Pattern, one.Outcome = v.Vector, v.Outcome
		if one.Digest != "" {
			one.Digest = v.Digest
		}
		split = append(split, &one)
	}
	return split
}

// fresh gives the lines for what no entry knows.
func (u *updater) fresh(findings []result.Finding) []string {
	var lines []string
	for _, f := range findings {
		reason, link := u.said(f)
		for _, pattern := range u.patterns(f) {
			e := Entry{Pattern: pattern, Outcome: f.Outcome, Reason: reason, Link: link}
			lines = append(lines, e.String())
		}
		key := generatedKey(f.Requirement, f.Outcome, f.Effect)
		if f.Count > len(f.Vectors) && f.Requirement != "" && !u.known[key] {
			u.known[key] = true
			e := Entry{Requirement: f.Requirement, Outcome: f.Outcome, Effect: f.Effect, Reason: reason, Link: link}
			lines = append(lines, e.String())
		}
	}
	return lines
}

// said gives the reason and the link that the known vectors of a finding agree
// on; its signature and no link if they do not, or if there are none.
func (u *updater) said(f result.Finding) (reason, link string) {
	var first *Entry
	for _, id := range f.Vectors {
		e := u.covers[id]
		switch {
		case e == nil:
		case first == nil:
			first = e
		case e.Reason != first.Reason || e.Link != first.Link:
			return u.signature(f), ""
		}
	}
	if first == nil {
		return u.signature(f), ""
	}
	return first.Reason, first.Link
}

func (u *updater) signature(f result.Finding) string {
	return strings.NewReplacer("\n", " ", "|", "/").Replace(f.Signature)
}

// patterns gives ids and globs for a finding's vectors that no entry knows. A
// glob covers only ids of this finding, and at most MaxMatches of them.
func (u *updater) patterns(f result.Finding) []string {
	mine := map[string]bool{}
	for _, id := range f.Vectors {
		if !u.known[id] && u.outcomes[id].Outcome == f.Outcome {
			mine[id] = true
		}
	}
	var all []string
	for _, id := range slices.Sorted(slices.Values(f.Vectors)) {
		if !mine[id] || u.known[id] {
			continue
		}
		pattern := u.widest(id, mine)
		all = append(all, pattern)
		for other := range mine {
			if ok, _ := path.Match(pattern, other); ok {
				u.known[other] = true
			}
		}
	}
	return all
}

// widest gives the shortest prefix of an id, cut at a hyphen, under which only
// ids of mine stand that are still unknown; the id itself if there is none.
func (u *updater) widest(id string, mine map[string]bool) string {
	for i := range len(id) {
		if id[i] != '-' {
			continue
		}
		pattern, count, pure := id[:i+1]+"*", 0, true
		for _, other := range u.ids {
			if ok, _ := path.Match(pattern, other); ok {
				count++
				pure = pure && mine[other] && !u.known[other]
			}
		}
		if pure && count > 1 && count <= MaxMatches {
			return pattern
		}
	}
	return id
}

func generatedKey(requirement string, o result.Outcome, effect result.Effect) string {
	return requirement + " " + string(o) + " " + string(effect)
}
