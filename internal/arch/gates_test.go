package arch

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryGateRunsInAJob: the gates of .ci/run are spread over the jobs of
// ci.yml by patterns; none may fall between them, and no pattern may name a
// gate that is not there.
func TestEveryGateRunsInAJob(t *testing.T) {
	script := readFile(t, "../../.ci/run")
	workflow := readFile(t, "../../.github/workflows/ci.yml")
	var gates []string
	for _, m := range regexp.MustCompile(`(?m)^gate ([\w-]+) `).FindAllStringSubmatch(script, -1) {
		gates = append(gates, m[1])
	}
	var patterns []*regexp.Regexp
	for _, m := range regexp.MustCompile(`gates: "(.+)" }`).FindAllStringSubmatch(workflow, -1) {
		patterns = append(patterns, regexp.MustCompile(m[1]))
	}
	if len(gates) < 10 || len(patterns) < 3 {
		t.Fatalf("%d gates and %d patterns are read", len(gates), len(patterns))
	}
	for _, gate := range gates {
		if !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(gate) }) {
			t.Errorf("gate %s of .ci/run is in no job of ci.yml", gate)
		}
	}
	for _, p := range patterns {
		for _, name := range regexp.MustCompile(`[a-z0-9][a-z0-9-]*`).FindAllString(p.String(), -1) {
			if !slices.ContainsFunc(gates, func(gate string) bool { return strings.HasPrefix(gate, name) }) {
				t.Errorf("ci.yml names %s, which is no gate of .ci/run", name)
			}
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
