package main

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/vectors"
)

const published = "../../reports/latest"

// TestLatest: the published report can be read, its files are of one run, and
// nothing is in it that is neither public nor reported. It may be older than the
// vectors, and says then of which suite it is.
func TestLatest(t *testing.T) {
	run := wholeRun(filepath.Join(published, "results.jsonl"))
	if run == nil {
		t.Fatal("reports/latest/results.jsonl is not a whole run; make report writes it")
	}
	if len(run.Footer.Scores) < 7 || len(run.Footer.Scores) != len(run.Header.Subjects) || len(run.Findings) == 0 {
		t.Errorf("%d scores, %d implementations, %d findings", len(run.Footer.Scores), len(run.Header.Subjects), len(run.Findings))
	}
	for _, f := range run.Findings {
		if !f.Reported() {
			t.Errorf("%s: %s is neither public nor reported", f.Subject, f.Signature)
		}
	}
	if len(run.Vectors)+len(run.Footer.Stale) > 0 {
		t.Error("single vectors are told")
	}
	machine := []string{os.TempDir() + string(filepath.Separator)} // folders that mean nothing elsewhere
	for _, folder := range []func() (string, error){os.UserHomeDir, os.Getwd} {
		path, err := folder()
		if err != nil {
			t.Fatal(err)
		}
		machine = append(machine, path+string(filepath.Separator))
	}
	for _, name := range []string{"index.html", "report.md", "results.jsonl"} {
		text, err := os.ReadFile(filepath.Join(published, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{run.Header.Suite, run.Header.Started, run.Header.Version} {
			if !strings.Contains(html.UnescapeString(string(text)), want) {
				t.Errorf("%s does not say %s", name, want)
			}
		}
		for _, folder := range machine {
			if bytes.Contains(text, []byte(folder)) {
				t.Errorf("%s tells of %s", name, folder)
			}
		}
		if len(text) > 3_000_000 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
	if picture, err := os.Stat(filepath.Join(published, "page.png")); err != nil || picture.Size() > 200_000 {
		t.Errorf("the picture: %v", err)
	}
	if run.Header.Suite != vectors.Digest() {
		t.Logf("reports/latest is of the suite %s, older than the present one; make report renews it", run.Header.Suite)
	}
}

// TestCurrent: results are asked for again when the vectors, the baseline or the
// manifest changed.
func TestCurrent(t *testing.T) {
	folder := t.TempDir()
	results, need := filepath.Join(folder, "results.jsonl"), filepath.Join(folder, "x.baseline")
	for _, name := range []string{results, need} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	older, younger := time.Unix(1000, 0), time.Unix(2000, 0)
	touch := func(name string, at time.Time) {
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	touch(results, younger)
	touch(need, older)
	run := &result.Run{Header: result.Header{Suite: vectors.Digest(), Complete: true}}
	if !current(run, results, []string{need, filepath.Join(folder, "absent")}) {
		t.Error("what is younger than its baseline is asked again")
	}
	touch(need, time.Unix(3000, 0))
	if current(run, results, []string{need}) {
		t.Error("what is older than its baseline is not asked again")
	}
	run.Header.Suite = strings.Repeat("0", 64)
	if current(run, results, nil) {
		t.Error("what is of another suite is not asked again")
	}
	run.Header.Suite, run.Header.Complete = vectors.Digest(), false
	if current(run, results, nil) {
		t.Error("what is of a few vectors is not asked again")
	}
}

// TestIntroduce: manifests add who somebody is, and where a replay is to be run.
func TestIntroduce(t *testing.T) {
	run := &result.Run{
		Header:   result.Header{Subjects: []result.Subject{{Name: "x", Language: "own word"}, {Name: "y"}}},
		Findings: []result.Finding{{Subject: "x", Replay: "touchstone check -- sh x"}, {Subject: "y", Replay: "touchstone check --peer y"}},
	}
	introduce(run, []anyAdapter{{ID: "x", Language: "go", Layer: "value", Report: "https://example.org/issues", family: &family{dir: "adapters/one"}}})
	x, y := run.Header.Subjects[0], run.Header.Subjects[1]
	if x.Language != "own word" || x.Layer != result.LayerValue || x.Report != "https://example.org/issues" || !x.Unclaimed || y.Unclaimed {
		t.Errorf("%+v, %+v", x, y)
	}
	if run.Findings[0].Replay != "cd adapters/one && touchstone check -- sh x" || run.Findings[1].Replay != "touchstone check --peer y" {
		t.Errorf("%+v", run.Findings)
	}
}
