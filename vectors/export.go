package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// The generated files.
const (
	fileJSONL    = "vectors.jsonl"
	fileTSV      = "vectors.tsv"
	fileManifest = "MANIFEST.sha256"
)

// Digest is the lower-case hex SHA-256 of MANIFEST.sha256. It names the suite
// in reports: two runs with one digest were judged by the same vectors.
func Digest() string {
	manifest, err := embedded.ReadFile(fileManifest)
	if err != nil {
		panic(err) // it is embedded
	}
	return hexDigest(manifest)
}

// A Generated file is named relative to the folder of the vectors.
type Generated struct {
	Name string
	Text []byte
}

// Export generates vectors.jsonl, vectors.tsv and MANIFEST.sha256 from the
// source files. The result depends on nothing else.
func Export(files fs.FS) ([]Generated, error) {
	all, _, err := Load(files)
	if err != nil {
		return nil, err
	}
	lines, err := jsonLines(all)
	if err != nil {
		return nil, err
	}
	generated := []Generated{{fileJSONL, lines}, {fileTSV, tabbed(all)}}
	manifest, err := manifestOf(files, generated)
	if err != nil {
		return nil, err
	}
	return append(generated, Generated{fileManifest, manifest}), nil
}

// manifestOf lists every file with its digest, in the format of sha256sum.
func manifestOf(files fs.FS, generated []Generated) ([]byte, error) {
	names, err := fs.Glob(files, "topics/*.json")
	if err != nil {
		return nil, err
	}
	listed := slices.Clone(generated)
	for _, name := range append(names, "flags.json", "schema.json") {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		listed = append(listed, Generated{name, text})
	}
	slices.SortFunc(listed, func(a, b Generated) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	for _, f := range listed {
		fmt.Fprintf(&out, "%s  %s\n", hexDigest(f.Text), f.Name)
	}
	return out.Bytes(), nil
}

func hexDigest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// A line is a vector as vectors.jsonl spells it: generators carried out, every
// profile named.
type line struct {
	ID        string                      `json:"id"`
	Title     string                      `json:"title"`
	Topic     string                      `json:"topic"`
	Op        string                      `json:"op"`
	Input     string                      `json:"input"`
	Outputs   []string                    `json:"outputs"`
	Expect    map[string]expectationEntry `json:"expect"`
	Clauses   []string                    `json:"clauses"`
	Flags     []string                    `json:"flags"`
	Relations []Relation                  `json:"relations"`
	Digest    string                      `json:"digest,omitempty"`
	Proposal  string                      `json:"proposal,omitempty"`
	Source    string                      `json:"source"`
	Note      string                      `json:"note"`
	Since     string                      `json:"since"`
	Status    string                      `json:"status"`
}

func jsonLines(all []Vector) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, v := range all {
		l := line{
			ID: v.ID, Title: v.Title, Topic: v.Topic, Op: v.Op, Input: hex.EncodeToString(v.Input),
			Outputs: hexOutputs(v), Expect: map[string]expectationEntry{},
			Clauses: v.Clauses, Flags: orEmpty(v.Flags), Relations: orEmpty(v.Relations),
			Digest: v.Digest, Proposal: v.Proposal, Source: v.Source, Note: v.Note, Since: v.Since, Status: v.Status,
		}
		for p, e := range v.Expect {
			entry := expectationEntry{Verdict: e.Verdict, Reasons: e.Reasons}
			if e.Offset >= 0 {
				entry.Offset = &e.Offset
			}
			l.Expect[p.String()] = entry
		}
		if err := encoder.Encode(l); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// tabbed writes one line a vector: id, op, the verdict of each profile as
// verdict:reason,reason (- where the profile does not judge), the input and
// the right outputs, by commas, in hex; - for none, and for an empty input.
func tabbed(all []Vector) []byte {
	var out bytes.Buffer
	out.WriteString("id\top")
	for _, p := range reject.Profiles() {
		out.WriteString("\t" + p.String())
	}
	out.WriteString("\tinput\toutputs\n")
	for _, v := range all {
		if v.Status == Retired {
			continue
		}
		columns := []string{v.ID, v.Op}
		for _, p := range reject.Profiles() {
			columns = append(columns, verdictColumn(v, p))
		}
		columns = append(columns, orDash(hex.EncodeToString(v.Input)), orDash(strings.Join(hexOutputs(v), ",")))
		out.WriteString(strings.Join(columns, "\t") + "\n")
	}
	return out.Bytes()
}

func verdictColumn(v Vector, p reject.Profile) string {
	e, judged := v.Expect[p]
	if !judged {
		return "-"
	}
	if len(e.Reasons) == 0 {
		return e.Verdict
	}
	names := make([]string, len(e.Reasons))
	for i, r := range e.Reasons {
		names[i] = r.String()
	}
	return e.Verdict + ":" + strings.Join(names, ",")
}

func hexOutputs(v Vector) []string {
	outputs := []string{}
	for _, out := range v.Outputs() {
		outputs = append(outputs, hex.EncodeToString(out))
	}
	return outputs
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
