package reports

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// discoveries draws for each implementation how many kinds of finding its
// generated cases had shown by which case. A curve that still rises at its end
// says that more cases would show more.
func discoveries(run *result.Run) []figure {
	var all []figure
	for _, s := range run.Footer.Scores {
		asked := s.Generated.Asked
		first := firstCases(run, s.Subject, asked)
		if len(first) == 0 {
			continue
		}
		caption := fmt.Sprintf("%s: %s by %s; the last at case %s", Escape(s.Subject, 40),
			counted(len(first), "kind"), counted(asked, "case"), thousands(first[len(first)-1]))
		all = append(all, figure{template.HTML(drawDiscovery(first, asked)), caption})
	}
	return all
}

// firstCases gives for each kind of finding the case, from 1, that showed it
// first, in order.
func firstCases(run *result.Run, subject string, asked int) []int {
	var first []int
	for _, f := range run.Findings {
		if f.Subject == subject && len(f.Cases) > 0 && f.Cases[0] < uint64(asked) {
			first = append(first, int(f.Cases[0])+1)
		}
	}
	slices.Sort(first)
	return first
}

// drawDiscovery draws the stairs as SVG; the axis of cases is logarithmic.
func drawDiscovery(first []int, asked int) string {
	x := scale{0, math.Log(float64(max(asked, 2))), plotLeft, plotRight}
	y := func(n int) float64 { return plotBottom - float64(n)/float64(len(first))*(plotBottom-plotTop) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" role="img" viewBox="0 0 %.0f %.0f"><title>kinds of finding against cases, %d in all</title>`, pictureWidth, pictureHeight, len(first))
	fmt.Fprintf(&b, `<path class="line" d="M%.1f %.1f`, plotLeft, plotBottom)
	for i, at := range first {
		fmt.Fprintf(&b, "H%.1fV%.1f", x.at(float64(at)), y(i+1))
	}
	fmt.Fprintf(&b, `H%.1f"/>`, plotRight)
	axisMarks(&b, "1", thousands(asked), "0", thousands(len(first)))
	b.WriteString(`</svg>`)
	return b.String()
}

// axisMarks writes what the ends of a picture's axes stand for.
func axisMarks(b *strings.Builder, left, right, bottom, top string) {
	for _, mark := range []struct {
		x, y         float64
		anchor, text string
	}{
		{plotLeft, plotBottom + 14, "start", left}, {plotRight, plotBottom + 14, "end", right},
		{plotLeft - 4, plotBottom, "end", bottom}, {plotLeft - 4, plotTop + 6, "end", top},
	} {
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`, mark.x, mark.y, mark.anchor, mark.text)
	}
}
