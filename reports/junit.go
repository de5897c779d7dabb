package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitMessage `xml:"skipped"`
	Error   *junitMessage `xml:"error"`
	Failure *junitMessage `xml:"failure"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes a suite for each implementation: a test for each vector, and one
// for each kind of finding that generated cases showed. What a baseline knows
// is skipped; an implementation that would not start is an error.
func JUnit(w io.Writer, run *result.Run) error {
	all := junitSuites{Name: "touchstone"}
	for _, s := range run.Footer.Scores {
		suite := junitSuite{Name: Escape(s.Subject, 200), Time: "0"}
		if s.NoStart != "" {
			suite.add(junitCase{Name: "start", Error: &junitMessage{Message: "would not start", Text: Escape(s.NoStart, 4000)}})
		}
		for _, c := range cases(run, s.Subject) {
			suite.add(c.junit())
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	c.Class, c.Time = "touchstone."+s.Name, "0"
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (c testCase) junit() junitCase {
	j := junitCase{Name: c.name}
	switch {
	case c.failed && c.known:
		j.Skipped = &junitMessage{Message: "known: " + c.title}
	case c.failed:
		j.Failure = &junitMessage{Message: c.title, Type: c.outcome, Text: c.text()}
	case c.skipped:
		j.Skipped = &junitMessage{Message: "not served"}
	}
	return j
}

// A testCase is what reports made of tests say: one vector, or one kind of
// finding on generated cases. Its strings are printable.
type testCase struct {
	name, title, outcome   string
	failed, known, skipped bool
	lines                  []detail // of a failure; no label stands twice
}

// cases lists an implementation's tests.
func cases(run *result.Run, subject string) []testCase {
	byVector := map[string]*result.Finding{}
	var all, generated []testCase
	for i := range run.Findings {
		f := &run.Findings[i]
		if f.Subject != subject {
			continue
		}
		for _, id := range f.Vectors {
			byVector[id] = f
		}
		if f.Count > len(f.Vectors) {
			c := failedCase(run, f)
			c.name = fmt.Sprintf("generated: %s %s %s: %s", Escape(f.Requirement, 100), f.Outcome, f.Effect, Escape(f.Signature, 200))
			c.known = f.Known != nil
			generated = append(generated, c)
		}
	}
	for _, v := range run.Vectors {
		if v.Subject != subject {
			continue
		}
		c := testCase{}
		if f := byVector[v.Vector]; f != nil && !v.Limited {
			c = failedCase(run, f)
		}
		c.name, c.known = Escape(v.Vector, 200), v.Known
		c.skipped = v.Outcome == result.Skip
		c.failed = v.Outcome != result.Pass && !c.skipped && !v.Limited
		all = append(all, c)
	}
	return append(all, generated...)
}

func failedCase(run *result.Run, f *result.Finding) testCase {
	c := testCase{
		title: fmt.Sprintf("%s, %s: %s", f.Effect, f.Outcome, Escape(f.Signature, 300)), outcome: string(f.Outcome), failed: true,
	}
	if clause, ok := run.Clause(f.Requirement); ok {
		c.lines = append(c.lines, detail{"clause", Escape(fmt.Sprintf("%s (%s section %s): %s", clause.ID, clause.Source, clause.Section, clause.Text), 1000)})
	}
	label := ""
	for _, d := range details(f) {
		if d.label == "" {
			d.label = label + "_hex"
		}
		d.label = strings.ReplaceAll(d.label, " ", "_")
		label = d.label
		c.lines = append(c.lines, d)
	}
	c.lines = append(c.lines, detail{"replay", Escape(f.Replay, -1)})
	return c
}

// text gives the details one a line.
func (c testCase) text() string {
	lines := make([]string, len(c.lines))
	for i, d := range c.lines {
		lines[i] = d.label + ": " + d.text
	}
	return strings.Join(lines, "\n")
}
