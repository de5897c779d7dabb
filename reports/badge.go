package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// badge says in two words how a run went: the profile, and what came of it.
// Known findings count: a badge is not for the baseline.
func badge(run *result.Run) (label, message, colour string) {
	label = Escape(run.Header.Profile, 20)
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			return label, "not started", "lightgrey"
		}
	}
	asked, passed := 0, 0
	for _, s := range run.Footer.Scores {
		asked += s.Vectors.Asked - s.Vectors.Skipped
		passed += s.Vectors.Passed + s.Vectors.Limited
	}
	switch {
	case run.Footer.Interrupted:
		return label, "interrupted", "lightgrey"
	case len(run.Findings) > 0 || run.Footer.Withheld > 0:
		return label, fmt.Sprintf("%d of %d vectors, %s", passed, asked, counted(len(run.Findings)+run.Footer.Withheld, "finding")), "red"
	}
	return label, fmt.Sprintf("%d of %d vectors", passed, asked), "brightgreen"
}

// BadgeJSON writes the endpoint form of shields.io.
func BadgeJSON(w io.Writer, run *result.Run) error {
	label, message, colour := badge(run)
	return json.NewEncoder(w).Encode(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, label, message, colour})
}

// BadgeSVG writes a picture.
func BadgeSVG(w io.Writer, run *result.Run) error {
	label, message, colour := badge(run)
	fill := map[string]string{"red": "#b3261e", "brightgreen": "#1a7f37", "lightgrey": "#6e7781"}[colour]
	left, right := 12+7*utf8.RuneCountInString(label), 12+7*utf8.RuneCountInString(message)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">
<title>%[2]s: %[3]s</title>
<rect width="%[4]d" height="20" fill="#444"/><rect x="%[4]d" width="%[5]d" height="20" fill="%[6]s"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="%[7]d" y="14">%[2]s</text><text x="%[8]d" y="14">%[3]s</text></g></svg>
`, left+right, escapeXML(label, 60), escapeXML(message, 80), left, right, fill, left/2, left+right/2)
	return err
}
