package vectors

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon/reject"
)

//go:embed topics/*.json flags.json schema.json MANIFEST.sha256
var embedded embed.FS

// Files gives the embedded files: topics/*.json, flags.json, schema.json and
// MANIFEST.sha256.
func Files() fs.FS { return embedded }

// A topicFile is the form of topics/*.json.
type topicFile struct {
	Topic   string        `json:"topic"`
	About   string        `json:"about"`
	Vectors []vectorEntry `json:"vectors"`
}

type vectorEntry struct {
	ID        string                      `json:"id"`
	Title     string                      `json:"title"`
	Op        string                      `json:"op,omitempty"`
	Input     json.RawMessage             `json:"input"`
	Output    json.RawMessage             `json:"output,omitempty"`
	Also      []json.RawMessage           `json:"also,omitempty"`
	Expect    map[string]expectationEntry `json:"expect"`
	Clauses   []string                    `json:"clauses"`
	Flags     []string                    `json:"flags,omitempty"`
	Relations []Relation                  `json:"relations,omitempty"`
	Digest    string                      `json:"digest,omitempty"`
	Proposal  string                      `json:"proposal,omitempty"`
	Source    string                      `json:"source"`
	Note      string                      `json:"note,omitempty"`
	Since     string                      `json:"since"`
	Status    string                      `json:"status"`
}

type expectationEntry struct {
	Verdict string          `json:"verdict"`
	Reasons []reject.Reason `json:"reasons,omitempty"`
	Offset  *int            `json:"offset,omitempty"`
}

// Load reads topics/*.json and flags.json. It refuses what would make a vector
// mean something else than it says: unknown fields, verdicts, reasons,
// operations, statuses, faulty hex, an id given twice. What can only be told by
// looking at several vectors or by asking an engine is oracle/vectorlint's.
func Load(files fs.FS) ([]Vector, []Flag, error) {
	names, err := fs.Glob(files, "topics/*.json")
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		return nil, nil, errors.New("vectors: no topics/*.json")
	}
	var all []Vector
	seen := map[string]string{}
	for _, name := range names {
		topic, err := loadTopic(files, name)
		if err != nil {
			return nil, nil, fmt.Errorf("vectors: %s: %w", name, err)
		}
		for _, v := range topic {
			if where, twice := seen[v.ID]; twice {
				return nil, nil, fmt.Errorf("vectors: %s: the id %s stands in %s already", name, v.ID, where)
			}
			seen[v.ID] = name
		}
		all = append(all, topic...)
	}
	text, err := fs.ReadFile(files, "flags.json")
	if err != nil {
		return nil, nil, err
	}
	var flags []Flag
	if err := decodeStrictly(text, &flags); err != nil {
		return nil, nil, fmt.Errorf("vectors: flags.json: %w", err)
	}
	return all, flags, nil
}

func loadTopic(files fs.FS, name string) ([]Vector, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var file topicFile
	if err := decodeStrictly(text, &file); err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(path.Base(name), ".json"); file.Topic != want {
		return nil, fmt.Errorf("the topic is called %q, the file %q", file.Topic, want)
	}
	var all []Vector
	for _, entry := range file.Vectors {
		v, err := entry.vector()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.ID, err)
		}
		v.Topic = file.Topic
		all = append(all, v)
	}
	return all, nil
}

func (e vectorEntry) vector() (Vector, error) {
	v := Vector{
		ID: e.ID, Title: e.Title, Op: e.Op, Clauses: e.Clauses, Flags: e.Flags,
		Relations: e.Relations, Source: e.Source, Note: e.Note, Since: e.Since, Status: e.Status,
	}
	if v.Op == "" {
		v.Op = OpCanon
	}
	if !slices.Contains(Ops(), v.Op) {
		return v, fmt.Errorf("unknown op %q", v.Op)
	}
	if !slices.Contains([]string{Stable, Draft, Retired}, v.Status) {
		return v, fmt.Errorf("unknown status %q", v.Status)
	}
	if e.ID == "" || e.Title == "" || e.Source == "" || e.Since == "" || len(e.Clauses) == 0 {
		return v, errors.New("id, title, source, since and clauses are needed")
	}
	var err error
	if v.Input, err = generate(e.Input); err != nil {
		return v, fmt.Errorf("input: %w", err)
	}
	if v.Expect, err = e.expectations(v.Op); err != nil {
		return v, err
	}
	v.Digest, v.Proposal = e.Digest, e.Proposal
	return v, v.checkDigest()
}

// checkDigest holds the digest to the output that the profile rfc0016 gives.
func (v Vector) checkDigest() error {
	output := v.Expect[reject.RFC0016].Output
	if (v.Digest == "") != (v.Proposal == "") {
		return errors.New("digest and proposal belong together")
	}
	if v.Digest != "" && (output == nil || v.Digest != hexDigest(output)) {
		return errors.New("the digest is not that of the output")
	}
	return nil
}

// expectations spells out the verdict of each profile: "all" stands for those
// that are not named.
func (e vectorEntry) expectations(op string) (map[reject.Profile]Expectation, error) {
	output, also, err := e.outputs()
	if err != nil {
		return nil, err
	}
	expect := map[reject.Profile]Expectation{}
	for name, entry := range e.Expect {
		one, err := entry.expectation(output, also)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if name == "all" {
			for _, p := range reject.Profiles() {
				if _, named := e.Expect[p.String()]; !named {
					expect[p] = one
				}
			}
			continue
		}
		p, err := reject.ParseProfile(name)
		if err != nil {
			return nil, err
		}
		expect[p] = one
	}
	if op == OpCanon && len(expect) != len(reject.Profiles()) {
		return nil, errors.New("a verdict for each profile is needed")
	}
	if _, only := expect[reject.RFC0016]; op != OpCanon && (!only || len(expect) != 1) {
		return nil, fmt.Errorf("%s is judged under rfc0016 alone", op)
	}
	used := false
	for _, one := range expect {
		used = used || one.Output != nil
	}
	if output != nil && !used {
		return nil, errors.New("an output that no verdict uses")
	}
	return expect, nil
}

func (e vectorEntry) outputs() (output []byte, also [][]byte, err error) {
	if e.Output != nil {
		if output, err = generate(e.Output); err != nil {
			return nil, nil, fmt.Errorf("output: %w", err)
		}
		if len(output) == 0 {
			return nil, nil, errors.New("output: empty")
		}
	}
	for _, raw := range e.Also {
		b, err := generate(raw)
		if err != nil {
			return nil, nil, fmt.Errorf("also: %w", err)
		}
		also = append(also, b)
	}
	return output, also, nil
}

func (e expectationEntry) expectation(output []byte, also [][]byte) (Expectation, error) {
	one := Expectation{Verdict: e.Verdict, Output: output, Also: also, Reasons: e.Reasons, Offset: -1}
	if e.Offset != nil {
		if *e.Offset < 0 {
			return one, errors.New("a negative offset")
		}
		one.Offset = *e.Offset
	}
	switch e.Verdict {
	case Accept:
		if len(e.Reasons) > 0 || e.Offset != nil {
			return one, errors.New("accept takes neither reasons nor an offset")
		}
	case Reject:
		one.Output, one.Also = nil, nil
	case Either:
	default:
		return one, fmt.Errorf("unknown verdict %q", e.Verdict)
	}
	if e.Verdict != Accept && len(e.Reasons) == 0 {
		return one, fmt.Errorf("%s needs reasons", e.Verdict)
	}
	if e.Verdict != Reject && output == nil {
		return one, fmt.Errorf("%s needs an output", e.Verdict)
	}
	return one, nil
}

// decodeStrictly reads exactly one JSON value without unknown fields.
func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}
