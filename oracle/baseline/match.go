package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Matcher holds one run against one profile's entries. It is not safe for
// concurrent use.
type Matcher struct {
	entries []*Entry
	covered map[*Entry][]string // ids of vectors that failed as the entry says
	changed map[*Entry][]string // ids that it covers and that did something else, with what
}

// Matcher begins a run. A nil File has no entries.
func (f *File) Matcher(p reject.Profile) *Matcher {
	m := &Matcher{covered: map[*Entry][]string{}, changed: map[*Entry][]string{}}
	if f == nil {
		return m
	}
	for _, e := range f.Entries() {
		if e.Profile == p {
			m.entries = append(m.entries, e)
		}
	}
	return m
}

// Vector notes what a vector came to, passes too, and gives the entry that
// knows it; nil if none does, or if it passed. digest is the hex SHA-256 of the
// bytes given, if there were any.
func (m *Matcher) Vector(id string, o result.Outcome, digest string) *Entry {
	for _, e := range m.entries {
		if e.Pattern == "" || !e.Matches(id) {
			continue
		}
		switch {
		case o == e.Outcome && (e.Digest == "" || e.Digest == digest):
			m.covered[e] = append(m.covered[e], id)
			return e
		case o == e.Outcome:
			m.changed[e] = append(m.changed[e], id+" gives other bytes")
		case o == result.Pass:
			m.changed[e] = append(m.changed[e], id+" passes")
		default:
			m.changed[e] = append(m.changed[e], id+" is "+string(o))
		}
		return nil
	}
	return nil
}

// Generated gives the entry that knows a finding on generated documents; nil
// if none does.
func (m *Matcher) Generated(requirement string, o result.Outcome, effect result.Effect) *Entry {
	for _, e := range m.entries {
		if e.Pattern == "" && e.Requirement == requirement && e.Outcome == o && e.Effect == effect {
			m.covered[e] = append(m.covered[e], requirement)
			return e
		}
	}
	return nil
}

// Stale lists the vector entries that no longer match what happens. complete
// says that every vector of the suite was asked; if not, an entry none of whose
// vectors was asked is passed over. Generated entries are never stale: another
// seed may find them again.
func (m *Matcher) Stale(complete bool) []result.Stale {
	var stale []result.Stale
	for _, e := range m.entries {
		if !complete && len(m.covered[e])+len(m.changed[e]) == 0 {
			continue
		}
		if why := m.why(e); why != "" {
			stale = append(stale, result.Stale{Line: e.Line, Entry: e.String(), Why: why})
		}
	}
	return stale
}

func (m *Matcher) why(e *Entry) string {
	if e.Pattern == "" {
		return ""
	}
	covered, changed := len(m.covered[e]), len(m.changed[e])
	switch {
	case covered+changed > MaxMatches:
		return fmt.Sprintf("it stands for %d vectors, more than %d", covered+changed, MaxMatches)
	case e.Flaky:
		return ""
	case covered+changed == 0:
		return "no vector has this id"
	}
	return list(m.changed[e])
}

func list(ids []string) string {
	ids = slices.Sorted(slices.Values(ids))
	if len(ids) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:3], ", "), len(ids)-3)
	}
	return strings.Join(ids, ", ")
}
