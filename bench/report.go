package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/bench/documents"
)

// A report is what one run writes as JSON.
type report struct {
	Go       string        `json:"go"`
	Platform string        `json:"platform"`
	Baseline string        `json:"baseline"`
	Rounds   int           `json:"rounds"`
	Results  []measurement `json:"results"`
	// Pairs are hostile documents beside friendly ones.
	Pairs []pairing `json:"pairs,omitempty"`
	// Curve is the time of Append on one object, by its number of members.
	Curve    []point   `json:"curve,omitempty"`
	Extremes []extreme `json:"extremes,omitempty"`
}

// An extreme is the time of Append on one document, refused or not.
type extreme struct {
	What               string  `json:"what"`
	Bytes              int     `json:"bytes"`
	NanosecondsPerByte float64 `json:"nanosecondsPerByte"`
}

type point struct {
	Members            int     `json:"members"`
	NanosecondsPerByte float64 `json:"nanosecondsPerByte"`
}

func (r *report) find(set, engine string) (measurement, bool) {
	for _, m := range r.Results {
		if m.Set == set && m.Engine == engine && m.Error == "" {
			return m, true
		}
	}
	return measurement{}, false
}

// mean gives the geometric mean of an engine's ratios over the core sets; ok is
// false if one is missing.
func (r *report) mean(engine string) (mean float64, ok bool) {
	sum := 0.0
	for _, set := range documents.Core {
		m, ok := r.find(set, engine)
		if !ok || m.Ratio <= 0 {
			return 0, false
		}
		sum += math.Log(m.Ratio)
	}
	return math.Exp(sum / float64(len(documents.Core))), true
}

// columns gives the sets of a group, and the engines that ran on them.
func (r *report) columns(group string) (sets, engines []string) {
	for _, m := range r.Results {
		if m.Group != group {
			continue
		}
		if !slices.Contains(sets, m.Set) {
			sets = append(sets, m.Set)
		}
		if !slices.Contains(engines, m.Engine) && m.Error == "" {
			engines = append(engines, m.Engine)
		}
	}
	return sets, engines
}

// markdown gives a table for each group: throughput relative to the baseline,
// with the quartiles.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Throughput relative to %s's (higher is faster): median of %d rounds, quartiles in brackets. %s, %s.\n", r.Baseline, r.Rounds, r.Go, r.Platform)
	for _, group := range []string{"large", "small", "given", "canonical", "hostile"} {
		sets, names := r.columns(group)
		if len(sets) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n| |", group)
		for _, n := range names {
			fmt.Fprintf(&b, " %s |", n)
		}
		b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(names)) + "\n")
		for _, s := range sets {
			fmt.Fprintf(&b, "| %s |", s)
			for _, n := range names {
				if m, ok := r.find(s, n); ok {
					fmt.Fprintf(&b, " %s [%s, %s] |", short(m.Ratio), short(m.Low), short(m.High))
				} else {
					b.WriteString(" – |")
				}
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString(r.pairs())
	if means := r.means(); len(means) > 0 {
		b.WriteString("\n### geometric mean over the core sets\n\n| engine | ratio |\n| --- | --- |\n")
		for _, m := range means {
			fmt.Fprintf(&b, "| %s | %s |\n", m.name, short(m.value))
		}
	}
	if len(r.Curve) > 0 {
		b.WriteString("\n### one unsorted object\n\n| members | ns a byte |\n| --- | --- |\n")
		for _, p := range r.Curve {
			fmt.Fprintf(&b, "| %d | %.2f |\n", p.Members, p.NanosecondsPerByte)
		}
	}
	if len(r.Extremes) > 0 {
		b.WriteString("\n### long and deep\n\n| document | bytes | ns a byte |\n| --- | --- | --- |\n")
		for _, x := range r.Extremes {
			fmt.Fprintf(&b, "| %s | %d | %.2f |\n", x.What, x.Bytes, x.NanosecondsPerByte)
		}
	}
	return b.String()
}

// pairs tells how much longer canon takes for a byte of a hostile document than
// for one in a friendly shape.
func (r *report) pairs() string {
	if len(r.Pairs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n### canon's time a byte, hostile to friendly\n\n| hostile | friendly | times |\n| --- | --- | --- |\n")
	for _, p := range r.Pairs {
		fmt.Fprintf(&b, "| %s | %s | %s [%s, %s] |\n", p.Hostile, p.Friendly, short(p.Times), short(p.Low), short(p.High))
	}
	return b.String()
}

func short(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

type namedMean struct {
	name  string
	value float64
}

// means gives the engines that ran on every core set, the fastest first.
func (r *report) means() (means []namedMean) {
	seen := map[string]bool{}
	for _, m := range r.Results {
		if seen[m.Engine] {
			continue
		}
		seen[m.Engine] = true
		if v, ok := r.mean(m.Engine); ok {
			means = append(means, namedMean{m.Engine, v})
		}
	}
	slices.SortStableFunc(means, func(a, b namedMean) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	return means
}

// svg draws the geometric means as bars on a logarithmic scale. Memory's copy
// is left out: it would dwarf the rest.
func (r *report) svg() string {
	means := slices.DeleteFunc(r.means(), func(m namedMean) bool { return m.name == "memcpy" })
	if len(means) == 0 {
		return ""
	}
	const width, row, left, right = 640, 26, 120, 60
	least, most := means[len(means)-1].value, means[0].value
	low := math.Log(least) - 0.3
	scale := (width - left - right) / max(math.Log(most)-low, 0.1)
	var b strings.Builder
	height := row*len(means) + 44
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" role="img">`+"\n", width, height)
	fmt.Fprintf(&b, "<title>Throughput relative to %s</title>\n", r.Baseline)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="8" y="20">Throughput relative to %s, geometric mean of %d sets, logarithmic</text>`+"\n", r.Baseline, len(documents.Core))
	for i, m := range means {
		y := 34 + row*i
		colour := "#9aa7b4"
		if strings.HasPrefix(m.name, "canon") {
			colour = "#2f6f9f"
		}
		bar := (math.Log(m.value) - low) * scale
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+15, m.name)
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="18" fill="%s"/>`, left, y+2, bar, colour)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", left+bar+6, y+15, short(m.value))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
