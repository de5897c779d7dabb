// Package baseline reads, applies and rewrites the list of findings that are
// known of an implementation. A finding that is not on the list fails a check,
// and so does an entry that no longer matches what happens.
//
// A file is text, one entry a line, fields separated by " | ":
//
//	# a comment; comments and empty lines are kept by an update
//	profile rfc8785
//	vector number-leading-zero* accepted | strconv.ParseFloat reads them | https://example.org/issues/1
//	vector order-astral diverged sha256:1f0c… | sorts by code points | unreported
//	generated rfc8259/6/number accepted collision | the same by other inputs | unreported
//	flaky vector depth-100000 crash | dies only now and then | unreported
//
// profile begins the entries of a profile; before it they are rfc8785's. A
// vector entry names a vector's id, or with * and ? at most MaxMatches of
// them, the exact outcome and perhaps the digest of the bytes given. A
// generated entry speaks of generated documents, where another seed finds the
// same fault by another input. The last two fields are the reason and where it
// stands in public, a report or the documentation that says so, or "unreported".
// A flaky entry may match and need not.
package baseline

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// MaxMatches is how many vectors one entry may stand for.
const MaxMatches = 20

// maxFile and maxLine bound what is read.
const (
	maxFile = 4 << 20
	maxLine = 4096
)

// Unreported stands where a finding is neither public nor reported yet.
const Unreported = "unreported"

// An Entry is one known departure.
type Entry struct {
	Line    int // from 1
	Profile reject.Profile
	Flaky   bool

	Pattern string // of vector ids; empty for a generated entry
	Digest  string // lower-case hex SHA-256 of the bytes given; empty for any

	Requirement string        // of a generated entry
	Effect      result.Effect // of a generated entry

	Outcome result.Outcome
	Reason  string
	Link    string // "" if it is unreported
}

// String gives the entry as it stands in a file.
func (e *Entry) String() string {
	var b strings.Builder
	if e.Flaky {
		b.WriteString("flaky ")
	}
	if e.Pattern != "" {
		fmt.Fprintf(&b, "vector %s %s", e.Pattern, e.Outcome)
		if e.Digest != "" {
			b.WriteString(" sha256:" + e.Digest)
		}
	} else {
		fmt.Fprintf(&b, "generated %s %s %s", e.Requirement, e.Outcome, e.Effect)
	}
	link := e.Link
	if link == "" {
		link = Unreported
	}
	return b.String() + " | " + e.Reason + " | " + link
}

// Known gives what reports say of a finding that these entries know: each
// reason once. It counts as reported if all of them are, by the first link.
func Known(entries []*Entry) *result.Known {
	var reasons []string
	known := &result.Known{}
	reported := true
	for _, e := range entries {
		if !slices.Contains(reasons, e.Reason) {
			reasons = append(reasons, e.Reason)
		}
		known.Link = cmp.Or(known.Link, e.Link)
		reported = reported && e.Link != ""
	}
	known.Reason = strings.Join(reasons, "; ")
	if !reported {
		known.Link = ""
	}
	return known
}

// Matches reports whether the entry's pattern covers a vector's id.
func (e *Entry) Matches(id string) bool {
	ok, err := path.Match(e.Pattern, id)
	return err == nil && ok
}

// A line is one line of a file: an entry, or text that is kept as it stands.
type line struct {
	text    string
	entry   *Entry
	profile reject.Profile
}

// A File is a baseline. It is not changed after Parse and safe for concurrent
// use.
type File struct {
	Name  string
	lines []line
}

// Entries lists the entries in the order of the file.
func (f *File) Entries() []*Entry {
	var all []*Entry
	if f == nil {
		return nil
	}
	for _, l := range f.lines {
		if l.entry != nil {
			all = append(all, l.entry)
		}
	}
	return all
}

// Text gives the file as it stands; nothing for a nil File.
func (f *File) Text() []byte {
	if f == nil {
		return nil
	}
	var b strings.Builder
	for _, l := range f.lines {
		b.WriteString(l.text + "\n")
	}
	return []byte(b.String())
}

// Parse reads a baseline. An error names the line and what is wrong with it:
// unknown words are refused, and so are entries without a reason.
func Parse(name string, text []byte) (*File, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("baseline: %s is larger than %d bytes", name, maxFile)
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("baseline: %s is not UTF-8", name)
	}
	f := &File{Name: name}
	profile := reject.RFC8785
	seen := map[string]int{}
	text = bytes.TrimSuffix(text, []byte{'\n'})
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		return f, nil
	}
	for i, s := range strings.Split(string(text), "\n") {
		s = strings.TrimRight(s, " \t\r")
		entry, next, err := parseLine(s, profile)
		if err != nil {
			return nil, fmt.Errorf("baseline: %s, line %d: %w", name, i+1, err)
		}
		profile = next
		if entry != nil {
			entry.Line = i + 1
			key := fmt.Sprint(profile, entry.Pattern, entry.Requirement, entry.Outcome, entry.Effect)
			if entry.Pattern != "" {
				key = fmt.Sprint(profile, entry.Pattern)
			}
			if before, twice := seen[key]; twice {
				return nil, fmt.Errorf("baseline: %s, line %d: line %d speaks of the same", name, i+1, before)
			}
			seen[key] = i + 1
		}
		f.lines = append(f.lines, line{s, entry, profile})
	}
	return f, nil
}

func parseLine(s string, profile reject.Profile) (*Entry, reject.Profile, error) {
	if len(s) > maxLine {
		return nil, profile, fmt.Errorf("longer than %d bytes", maxLine)
	}
	if s == "" || s[0] == '#' {
		return nil, profile, nil
	}
	if name, ok := strings.CutPrefix(s, "profile "); ok {
		p, err := reject.ParseProfile(name)
		return nil, p, err
	}
	entry, err := parseEntry(s)
	if err == nil {
		entry.Profile = profile
	}
	return entry, profile, err
}

func parseEntry(s string) (*Entry, error) {
	fields := strings.Split(s, " | ")
	if len(fields) != 3 {
		return nil, errors.New(`expected "vector ID OUTCOME | REASON | LINK" or "generated REQUIREMENT OUTCOME EFFECT | REASON | LINK"`)
	}
	e := &Entry{Reason: strings.TrimSpace(fields[1]), Link: strings.TrimSpace(fields[2])}
	if e.Reason == "" {
		return nil, errors.New("the reason is missing")
	}
	switch {
	case e.Link == Unreported:
		e.Link = ""
	case !strings.HasPrefix(e.Link, "https://"):
		return nil, fmt.Errorf("the last field is where it was reported, an https address, or %q", Unreported)
	}
	words := strings.Fields(fields[0])
	if len(words) > 0 && words[0] == "flaky" {
		e.Flaky, words = true, words[1:]
	}
	switch {
	case len(words) >= 3 && words[0] == "vector":
		return e, e.parseVector(words[1:])
	case len(words) == 4 && words[0] == "generated":
		return e, e.parseGenerated(words[1:])
	}
	return nil, errors.New(`an entry begins with "vector ID OUTCOME [sha256:DIGEST]" or "generated REQUIREMENT OUTCOME EFFECT"`)
}

func (e *Entry) parseVector(words []string) (err error) {
	e.Pattern = words[0]
	if _, err := path.Match(e.Pattern, ""); err != nil {
		return fmt.Errorf("%q is no pattern", e.Pattern)
	}
	if e.Outcome, err = parseOutcome(words[1]); err != nil {
		return err
	}
	if len(words) == 2 {
		return nil
	}
	digest, ok := strings.CutPrefix(words[2], "sha256:")
	if !ok || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" || len(words) > 3 {
		return errors.New("behind the outcome stands sha256: and 64 lower-case hexadecimal digits, or nothing")
	}
	e.Digest = digest
	return nil
}

func (e *Entry) parseGenerated(words []string) (err error) {
	e.Requirement = words[0]
	if _, ok := reject.LookupRequirement(e.Requirement); !ok {
		return fmt.Errorf("%q is no requirement", e.Requirement)
	}
	if e.Outcome, err = parseOutcome(words[1]); err != nil {
		return err
	}
	e.Effect, err = result.ParseEffect(words[2])
	return err
}

func parseOutcome(word string) (result.Outcome, error) {
	o, err := result.ParseOutcome(word)
	if err == nil && (o == result.Pass || o == result.Skip) {
		err = fmt.Errorf("%s is no departure", o)
	}
	return o, err
}
