package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
)

// A family is a folder under adapters/: a manifest, and what its adapters
// share.
type family struct {
	SetUp    string       `json:"setUp"`  // shell command that fetches and builds what is needed; "" for nothing
	Ready    string       `json:"ready"`  // file that is there once that is done
	Debian   []string     `json:"debian"` // packages that the needs come from
	Adapters []anyAdapter `json:"adapters"`

	dir string
}

// An anyAdapter is an implementation by another author and how to ask it.
type anyAdapter struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Language string            `json:"language"`
	Layer    string            `json:"layer"`  // text, or value if a parser of the language comes first
	Claims   bool              `json:"claims"` // it claims to be RFC 8785
	Lineage  string            `json:"lineage"`
	Homepage string            `json:"homepage"`
	Report   string            `json:"report"` // where to report findings
	Note     string            `json:"note"`
	Needs    []string          `json:"needs"` // programs
	Ready    string            `json:"ready"` // one more file that must be there
	Command  []string          `json:"command"`
	Mode     string            `json:"mode"` // wire, if left out, or exec
	Statuses map[string]string `json:"statuses"`
	Cases    int               `json:"cases"` // generated ones, if not as many as usual
	Slow     bool              `json:"slow"`  // its check takes minutes: the smoke set alone, unless it is named

	family *family
}

var adapterID = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)

// readManifests reads every manifest below dir and refuses what is not as it
// should be.
func readManifests(dir string) ([]anyAdapter, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no manifests: name the project's folder of adapters with --dir", dir)
	}
	var all []anyAdapter
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f := family{dir: filepath.Dir(name)}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, a := range f.Adapters {
			a.family = &f
			if err := a.valid(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if slices.ContainsFunc(all, func(b anyAdapter) bool { return a.ID == b.ID }) {
				return nil, fmt.Errorf("%s: the id %s stands twice", name, a.ID)
			}
			all = append(all, a)
		}
	}
	return all, nil
}

func (a anyAdapter) valid() error {
	switch {
	case !adapterID.MatchString(a.ID):
		return fmt.Errorf("%q is no id: use lower-case letters, digits, dots and hyphens", a.ID)
	case a.Title == "", a.Language == "", a.Lineage == "", a.Homepage == "", a.Report == "", len(a.Needs) == 0:
		return fmt.Errorf("%s: title, language, lineage, homepage, report or needs is missing", a.ID)
	case a.Layer != "text" && a.Layer != "value":
		return fmt.Errorf("%s: the layer must be text or value", a.ID)
	case len(a.Command) == 0:
		return fmt.Errorf("%s: the command is missing", a.ID)
	case a.Mode != "" && a.Mode != "exec" && a.Mode != "wire":
		return fmt.Errorf("%s: the mode must be wire or exec", a.ID)
	}
	for status, meaning := range a.Statuses {
		if meaning != "reject" {
			return fmt.Errorf("%s: status %s: only reject can be mapped", a.ID, status)
		}
	}
	return nil
}

// missing says what an adapter lacks on this machine, or "".
func (a anyAdapter) missing() string {
	for _, need := range a.Needs {
		if _, err := exec.LookPath(need); err != nil {
			return need + " is missing"
		}
	}
	for _, ready := range []string{a.family.Ready, a.Ready} {
		if ready == "" {
			continue
		}
		if !filepath.IsAbs(ready) {
			ready = filepath.Join(a.family.dir, ready)
		}
		if _, err := os.Stat(ready); errors.Is(err, os.ErrNotExist) {
			return ready + " is missing"
		}
	}
	return ""
}

// baselinePath is where the adapter's known findings stand.
func (a anyAdapter) baselinePath() string { return filepath.Join(a.family.dir, a.ID+".baseline") }
