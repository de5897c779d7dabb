package reports

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestCurves: a ladder is drawn as well-formed SVG inside its picture, a slow
// one in another colour, one that was not measured as words.
func TestCurves(t *testing.T) {
	rungs := func(power int) (all []result.Rung) {
		for n := 64; n <= 1<<16; n *= 2 {
			time := int64(n)
			for range power - 1 {
				time *= int64(n)
			}
			all = append(all, result.Rung{Size: n, Nanos: time, Given: result.OK})
		}
		return all
	}
	for name, c := range map[string]struct {
		ladder result.Ladder
		holds  string
	}{
		"linear":      {result.Ladder{Rungs: rungs(1)}, `class="line"`},
		"square":      {result.Ladder{Rungs: rungs(2), Slow: true}, `class="line slow"`},
		"one rung":    {result.Ladder{Rungs: rungs(1)[:1]}, "not measured"},
		"none":        {result.Ladder{}, "not measured"},
		"nothing ran": {result.Ladder{Rungs: []result.Rung{{Size: 1}, {Size: 2}}}, "not measured"},
		"all alike":   {result.Ladder{Rungs: []result.Rung{{Size: 1, Nanos: 5}, {Size: 2, Nanos: 5}}}, "<circle"},
		"extremes":    {result.Ladder{Rungs: []result.Rung{{Size: 1, Nanos: 1}, {Size: 1 << 62, Nanos: 1 << 62}}}, "<circle"},
	} {
		svg := drawLadder(c.ladder)
		if !strings.Contains(svg, c.holds) || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s", name, svg)
		}
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in %s", name, err, svg)
			}
		}
	}
}

// TestRelationDetails: the evidence is two questions and two answers, and what
// was asked between them where order is the point.
func TestRelationDetails(t *testing.T) {
	f := &result.Finding{
		Relation: "repeated", Op: result.OpCanon, Input: result.Hex("[1]"), InputSize: 3, Given: result.OK, Actual: result.Hex("[1]"),
		PartnerOp: result.OpCanon, Partner: result.Hex("[1]"), PartnerGiven: result.Rejected, After: result.Hex("{"), Differ: -1,
	}
	var b strings.Builder
	for _, d := range details(f) {
		b.WriteString(d.label + " " + d.text + "\n")
	}
	want := "asked [1]\n 5b315d\ngives [1]\n 5b315d\nthen {\nasked [1]\n 5b315d\ngives refused\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	held, broken := relationCells(result.Score{Relations: map[string]result.Tally{"b": {Passed: 1000, Failed: 2}, "a": {Passed: 5}, "c": {Failed: 1}}})
	if held != "1,005" || broken != "b 2, c 1" {
		t.Errorf("%s held, broken %s", held, broken)
	}
}
