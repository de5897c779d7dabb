package reports

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// laddered reports whether ladders of sizes were climbed by anybody.
func laddered(run *result.Run) bool {
	return slices.ContainsFunc(run.Footer.Scores, func(s result.Score) bool { return len(s.Ladders) > 0 })
}

// ladderCells says of an implementation on which ladders it is slow, and where
// it ends otherwise than at the top.
func ladderCells(s result.Score) (slow, ends string) {
	var slows, stops []string
	for _, l := range s.Ladders {
		if l.Slow {
			slows = append(slows, fmt.Sprintf("%s ^%.1f", Escape(l.Name, 40), l.Exponent))
		}
		if l.Ends != "" {
			stops = append(stops, fmt.Sprintf("%s %s over %s", Escape(l.Name, 40), Escape(string(l.Ends), 20), thousands(l.Last)))
		}
	}
	none := func(list []string) string {
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, ", ")
	}
	return none(slows), none(stops)
}

// ladderDetails shows on which text a climb ended, or how the time grows.
func ladderDetails(f *result.Finding) []detail {
	all := []detail{{"input", plain(f.Input, f.InputSize)}, {"ladder", Escape(f.Ladder, 40)}}
	if f.Outcome == result.Slow {
		return append(all, detail{"grows", fmt.Sprintf("as the size to the power of %.2f, measured twice", f.Exponent)})
	}
	all = append(all, detail{"given", givenAnswer(f)})
	if f.Message != "" {
		all = append(all, detail{"message", Escape(f.Message, 300)})
	}
	return all
}

// ladderRow is an implementation's curves.
type ladderRow struct {
	Name, Slow, Ends string
	Curves           []figure
}

func ladderRows(run *result.Run) []ladderRow {
	var rows []ladderRow
	for _, s := range run.Footer.Scores {
		if len(s.Ladders) == 0 {
			continue
		}
		slow, ends := ladderCells(s)
		row := ladderRow{Name: Escape(s.Subject, 40), Slow: slow, Ends: ends}
		for _, l := range s.Ladders {
			row.Curves = append(row.Curves, figure{template.HTML(drawLadder(l)), ladderCaption(l)})
		}
		rows = append(rows, row)
	}
	return rows
}

func ladderCaption(l result.Ladder) string {
	text := Escape(l.Name, 40)
	if l.Exponent != 0 {
		text += fmt.Sprintf(": time grows as %s to the %.2f", Escape(l.Unit, 20), l.Exponent)
	}
	if l.Ends != "" {
		text += fmt.Sprintf("; %s over %s", Escape(string(l.Ends), 20), thousands(l.Last))
	}
	return text
}

// The picture's measures.
const (
	pictureWidth, pictureHeight              = 240.0, 150.0
	plotLeft, plotRight, plotTop, plotBottom = 44.0, 232.0, 10.0, 128.0
)

// scale maps logarithms to the picture.
type scale struct{ low, high, from, to float64 }

func (s scale) at(x float64) float64 {
	if s.high <= s.low {
		return (s.from + s.to) / 2
	}
	return s.from + (math.Log(x)-s.low)/(s.high-s.low)*(s.to-s.from)
}

// drawLadder draws the curve of time against size as SVG, both axes
// logarithmic, with a dashed line of linear growth from the last rung down. A
// ladder with fewer than two rungs measured has no curve.
func drawLadder(l result.Ladder) string {
	var rungs []result.Rung
	for _, r := range l.Rungs {
		if r.Nanos > 0 && r.Size > 0 && len(rungs) < 100 {
			rungs = append(rungs, r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" role="img" viewBox="0 0 %.0f %.0f"><title>time against size, %d rungs</title>`, pictureWidth, pictureHeight, len(rungs))
	if len(rungs) < 2 {
		b.WriteString(`<text x="70" y="75">not measured</text></svg>`)
		return b.String()
	}
	first, last := rungs[0], rungs[len(rungs)-1]
	quickest, slowest := first.Nanos, first.Nanos
	for _, r := range rungs {
		quickest, slowest = min(quickest, r.Nanos), max(slowest, r.Nanos)
	}
	x := scale{math.Log(float64(first.Size)), math.Log(float64(last.Size)), plotLeft, plotRight}
	y := scale{math.Log(float64(quickest)), math.Log(float64(slowest)), plotBottom, plotTop}
	dashed(&b, x, y, last)
	class := "line"
	if l.Slow {
		class = "line slow"
	}
	fmt.Fprintf(&b, `<polyline class="%s" points="`, class)
	for _, r := range rungs {
		fmt.Fprintf(&b, "%.1f,%.1f ", x.at(float64(r.Size)), y.at(float64(r.Nanos)))
	}
	b.WriteString(`"/>`)
	for _, r := range rungs {
		dot := "dot"
		if r.Given != result.OK {
			dot = "cut"
		}
		fmt.Fprintf(&b, `<circle class="%s" cx="%.1f" cy="%.1f" r="2"/>`, dot, x.at(float64(r.Size)), y.at(float64(r.Nanos)))
	}
	axisMarks(&b, thousands(first.Size), thousands(last.Size), shortTime(quickest), shortTime(slowest))
	b.WriteString(`</svg>`)
	return b.String()
}

// dashed draws linear growth through the last rung, within the picture.
func dashed(b *strings.Builder, x, y scale, last result.Rung) {
	low := math.Max(x.low, math.Log(float64(last.Size))+y.low-math.Log(float64(last.Nanos)))
	from := math.Exp(low)
	time := float64(last.Nanos) * from / float64(last.Size)
	fmt.Fprintf(b, `<polyline class="linear" points="%.1f,%.1f %.1f,%.1f"/>`,
		x.at(from), y.at(time), x.at(float64(last.Size)), y.at(float64(last.Nanos)))
}

func shortTime(nanos int64) string {
	d := time.Duration(nanos)
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", nanos)
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(nanos)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(nanos)/1e6)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}
