package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]any    `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	FullDescription  sarifText `json:"fullDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID        string             `json:"ruleId"`
	RuleIndex     int                `json:"ruleIndex"`
	Level         string             `json:"level"`
	BaselineState string             `json:"baselineState"`
	Message       sarifText          `json:"message"`
	Locations     []sarifLocation    `json:"locations"`
	Fingerprints  map[string]string  `json:"partialFingerprints"`
	Suppressions  []sarifSuppression `json:"suppressions,omitempty"`
	Properties    map[string]any     `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifLogical struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// SARIF writes SARIF 2.1.0: a rule for each clause that is broken, a result for
// each finding. What a baseline knows is suppressed with its reason. A finding
// has no place in a source file; its location names the implementation.
func SARIF(w io.Writer, run *result.Run) error {
	driver := sarifDriver{
		Name: "touchstone", Version: Escape(run.Header.Version, 100),
		InformationURI: "https://github.com/touchstone-oracle/touchstone", Rules: []sarifRule{},
	}
	index := map[string]int{}
	rule := func(id string) int {
		if i, ok := index[id]; ok {
			return i
		}
		index[id] = len(driver.Rules)
		driver.Rules = append(driver.Rules, newSARIFRule(run, id))
		return index[id]
	}
	results := []sarifResult{}
	for i := range run.Findings {
		f := &run.Findings[i]
		results = append(results, newSARIFResult(run, f, rule(f.Requirement)))
	}
	invocation := sarifInvocation{ExecutionSuccessful: !run.Footer.Interrupted}
	for _, s := range run.Footer.Scores {
		if s.NoStart != "" {
			invocation.ExecutionSuccessful = false
			invocation.Notifications = append(invocation.Notifications, sarifNotification{
				"error", sarifText{Escape(s.Subject, 100) + " would not start: " + Escape(s.NoStart, 2000)},
			})
		}
	}
	log := sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool: sarifTool{driver}, Invocations: []sarifInvocation{invocation}, Results: results,
		Properties: map[string]any{"suite": run.Header.Suite, "profile": run.Header.Profile, "seed": run.Header.Seed},
	}}}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(log)
}

// ruleID names findings without a clause too.
func ruleID(requirement string) string {
	if requirement == "" {
		return "line-protocol"
	}
	return Escape(requirement, 100)
}

func newSARIFRule(run *result.Run, id string) sarifRule {
	c, ok := run.Clause(id)
	if !ok {
		text := sarifText{"The implementation answers by the line protocol."}
		return sarifRule{ruleID(id), text, text}
	}
	source := fmt.Sprintf("%s section %s", Escape(c.Source, 60), Escape(c.Section, 60))
	return sarifRule{ruleID(id), sarifText{source}, sarifText{Escape(c.Text, 600)}}
}

func newSARIFResult(run *result.Run, f *result.Finding, rule int) sarifResult {
	c := failedCase(run, f)
	r := sarifResult{
		RuleID: ruleID(f.Requirement), RuleIndex: rule, Level: "error", BaselineState: "new",
		Message: sarifText{Escape(f.Subject, 100) + ": " + c.title + "\n" + c.text()},
		Locations: []sarifLocation{{
			sarifPhysical{sarifArtifact{"implementations/" + url.PathEscape(Escape(f.Subject, 100))}},
			[]sarifLogical{{Escape(f.Subject, 100), "module"}},
		}},
		Fingerprints: map[string]string{"touchstone/v1": fingerprint(f)},
		Properties: map[string]any{
			"effect": f.Effect, "outcome": f.Outcome, "input": shortHex(f.Input), "count": f.Count, "vectors": len(f.Vectors),
		},
	}
	if f.Effect == result.Refusal {
		r.Level = "warning"
	}
	if f.Known != nil {
		r.Level, r.BaselineState = "note", "unchanged"
		r.Suppressions = []sarifSuppression{{"external", Escape(f.Known.Reason, 600) + " (" + linkOr(f.Known) + ")"}}
	}
	return r
}

// fingerprint stays the same for a kind of finding, whatever its input.
func fingerprint(f *result.Finding) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Subject, f.Requirement, string(f.Outcome), string(f.Effect), f.Signature}, "\x00")))
	return hex.EncodeToString(sum[:16])
}
