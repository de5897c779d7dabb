package vectorlint

import (
	"bytes"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/verdict"
	"github.com/touchstone-oracle/touchstone/vectors"
)

// texts holds the source files to the rules that they are about.
func (l *linter) texts(files fs.FS) error {
	names, err := fs.Glob(files, "topics/*.json")
	if err != nil {
		return err
	}
	for _, name := range append(names, "flags.json", "schema.json") {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if v := verdict.Of(reject.RFC8785, text); v.Kind != verdict.Accept {
			l.report("text", name, "the file itself is refused: %v", v.Faults[0])
		}
		if i := bytes.IndexFunc(text, func(r rune) bool { return r > '~' }); i >= 0 {
			l.report("text", name, "not ASCII at offset %d", i)
		}
	}
	return nil
}

// generated compares the generated files that are there with what the source
// files give.
func (l *linter) generated(files fs.FS) error {
	want, err := vectors.Export(files)
	if err != nil {
		return err
	}
	for _, file := range want {
		if have, err := fs.ReadFile(files, file.Name); err == nil && !bytes.Equal(have, file.Text) {
			l.report("generated", file.Name, "it is stale: run make vectors")
		}
	}
	return nil
}

var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// words checks what a vector says about itself.
func (l *linter) words(v vectors.Vector) {
	if !slug.MatchString(v.ID) {
		l.report("text", v.ID, "an id is small letters, digits and single hyphens")
	}
	if strings.ContainsFunc(v.Title+v.Note+v.Source, func(r rune) bool { return r > '~' || r < ' ' }) {
		l.report("text", v.ID, "title, note and source are ASCII")
	}
	for _, id := range v.Clauses {
		if _, known := reject.LookupRequirement(id); !known {
			l.report("clause", v.ID, "the catalogue has no requirement %q", id)
		}
	}
	for _, name := range v.Flags {
		if !slices.ContainsFunc(l.flags, func(f vectors.Flag) bool { return f.Name == name }) {
			l.report("flag", v.ID, "flags.json has no flag %q", name)
		}
	}
	for _, list := range [][]string{v.Clauses, v.Flags} {
		for i, word := range list {
			if slices.Contains(list[:i], word) {
				l.report("text", v.ID, "%q stands twice", word)
			}
		}
	}
}

func (l *linter) unusedFlags() {
	used := map[string]bool{}
	for _, v := range l.all {
		for _, f := range v.Flags {
			used[f] = true
		}
	}
	for _, f := range l.flags {
		if !used[f.Name] {
			l.report("flag", f.Name, "no vector carries it")
		}
		if _, err := result.ParseEffect(f.Effect); err != nil {
			l.report("flag", f.Name, "%v", err)
		}
	}
}

// inputs finds inputs that stand twice: with other verdicts they contradict
// each other, with the same ones the second adds nothing.
func (l *linter) inputs() {
	first := map[string]string{}
	for _, v := range l.all {
		key := v.Op + "\x00" + string(v.Input)
		if other, twice := first[key]; twice {
			l.report("input", v.ID, "%s has the same input", other)
		}
		first[key] = v.ID
	}
}

// verdicts compares a vector with oracle/verdict, which judges texts only.
func (l *linter) verdicts(v vectors.Vector) {
	if v.Op != vectors.OpCanon {
		return
	}
	for p, ours := range verdict.All(v.Input) {
		p, e := reject.Profile(p), v.Expect[reject.Profile(p)]
		if string(ours.Kind) != e.Verdict {
			l.report("verdict", v.ID, "%s: %s here, %s by oracle/verdict", p, e.Verdict, ours.Kind)
			continue
		}
		if !slices.Equal(ours.Reasons, e.Reasons) {
			l.report("verdict", v.ID, "%s: reasons %v here, %v by oracle/verdict", p, e.Reasons, ours.Reasons)
		} else if e.Offset >= 0 && ours.Faults[0].Offset != e.Offset {
			l.report("verdict", v.ID, "%s: offset %d here, %d by oracle/verdict", p, e.Offset, ours.Faults[0].Offset)
		}
		if e.Output != nil && !bytes.Equal(ours.Canonical, e.Output) {
			l.report("verdict", v.ID, "%s: output %+.60q here, %+.60q by oracle/verdict", p, e.Output, ours.Canonical)
		}
		for _, also := range e.Also {
			if !ours.Right(also) {
				l.report("verdict", v.ID, "%s: the output %+.60q is not right by oracle/verdict", p, also)
			}
		}
	}
}

// outputs checks that a canonical form is accepted as it is. Beyond the depth
// that is to be served it may be refused, like its input.
func (l *linter) outputs(v vectors.Vector) {
	for _, p := range reject.Profiles() {
		e := v.Expect[p]
		for _, out := range append([][]byte{e.Output}, e.Also...) {
			if out == nil || v.Op == vectors.OpHash || v.Op == vectors.OpLifecycle {
				continue
			}
			again := verdict.Of(p, out)
			if again.Kind == verdict.Either && again.Canonical == nil { // too deep to tell
				continue
			}
			if !bytes.Equal(again.Canonical, out) {
				l.report("output", v.ID, "%s: %+.60q does not give itself", p, out)
			} else if again.Kind != verdict.Accept && e.Verdict == vectors.Accept {
				l.report("output", v.ID, "%s: %+.60q is not accepted", p, out)
			}
		}
	}
}

func (l *linter) relations(v vectors.Vector) {
	for i, r := range v.Relations {
		other, found := l.index[r.With]
		switch {
		case !found:
			l.report("relation", v.ID, "there is no vector %q", r.With)
		case other.Status == vectors.Retired || other.Op != v.Op || other.ID == v.ID:
			l.report("relation", v.ID, "%s is retired, of another op, or the vector itself", r.With)
		case slices.Contains(v.Relations[:i], r) || slices.ContainsFunc(other.Relations, func(back vectors.Relation) bool {
			return back.Kind == r.Kind && back.With == v.ID && v.ID > other.ID
		}):
			l.report("relation", v.ID, "the relation to %s stands twice; one end is enough", r.With)
		case !holds(r.Kind, v, other):
			l.report("relation", v.ID, "%s with %s does not hold", r.Kind, r.With)
		}
	}
}

// holds judges a relation under the profile with the fewest refusals that
// judges the vectors.
func holds(kind string, v, w vectors.Vector) bool {
	p := reject.RFC8785
	if v.Op != vectors.OpCanon {
		p = reject.RFC0016
	}
	a, b := v.Expect[p], w.Expect[p]
	accepts := a.Verdict != vectors.Reject && b.Verdict != vectors.Reject
	switch kind {
	case vectors.SameOutput:
		return accepts && bytes.Equal(a.Output, b.Output)
	case vectors.DifferentOutput:
		return accepts && !bytes.Equal(a.Output, b.Output) || (a.Verdict == vectors.Reject) != (b.Verdict == vectors.Reject)
	}
	return false
}

// coverage asks for an accepting vector for every requirement, and for a
// rejecting one where input can break it.
func (l *linter) coverage() {
	accepting, rejecting := map[string]bool{}, map[string]bool{}
	for _, v := range l.all {
		for _, e := range v.Expect {
			for _, id := range v.Clauses {
				accepting[id] = accepting[id] || e.Verdict != vectors.Reject
				rejecting[id] = rejecting[id] || e.Verdict != vectors.Accept
			}
		}
	}
	for _, r := range reject.Requirements() {
		missing := ""
		switch {
		case !accepting[r.ID]:
			missing = "accepting"
		case len(r.Reasons) > 0 && !rejecting[r.ID]:
			missing = "rejecting"
		}
		why, excepted := uncovered[r.ID]
		switch {
		case missing != "" && !excepted:
			l.report("coverage", r.ID, "no %s vector names it", missing)
		case missing == "" && excepted:
			l.report("exception", r.ID, "it is covered now: remove the exception (%s)", why)
		}
	}
}
