package main

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/bench/documents"
	"github.com/touchstone-oracle/touchstone/canon"
)

// Every engine that canonicalizes must do so on every set that is made here.
func TestEnginesReadTheSets(t *testing.T) {
	sets := documents.Small(1)
	for i := range sets {
		sets[i].Docs = sets[i].Docs[:20]
	}
	for _, s := range append(sets, documents.Hostile()...) {
		for _, d := range s.Docs {
			if _, err := canon.Canonicalize(d); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
	for _, e := range engines() {
		if e.name == "canon/valid" || e.missing != "" {
			continue
		}
		for _, s := range sets {
			if err := firstError(e, s); err != nil {
				t.Errorf("%s on %s: %v", e.name, s.Name, err)
			}
		}
	}
}

// The ratio is that of the baseline's time to the engine's.
func TestMeasureTellsRatios(t *testing.T) {
	work := 0
	spin := func(n int) func([]byte) error {
		return func([]byte) error {
			for i := range n {
				work += i
			}
			return nil
		}
	}
	all := []engine{
		{name: baseline, run: spin(400_000)},
		{name: "quick", run: spin(40_000)},
		{name: "broken", run: func([]byte) error { return errors.New("no") }},
		{name: "absent", missing: "nothing"},
	}
	s := documents.Set{Name: "one", Group: "small", Docs: [][]byte{[]byte("1")}}
	for _, m := range measure(all, s, 5, time.Millisecond) {
		switch m.Engine {
		case baseline:
			if m.Ratio != 1 {
				t.Errorf("the baseline's ratio is %v", m.Ratio)
			}
		case "quick":
			if m.Ratio <= 0 || m.Low > m.Ratio || m.High < m.Ratio {
				t.Errorf("quick: %+v", m)
			}
		default:
			if m.Error == "" {
				t.Errorf("%s: no error", m.Engine)
			}
		}
	}
}

func TestReportIsComplete(t *testing.T) {
	r := &report{Go: "go", Platform: "p", Baseline: baseline, Rounds: 3, Curve: []point{{10, 2.5}}, Extremes: []extreme{{"long", 9, 1.5}}, Pairs: []pairing{{"deep", "flat", 2, 1.5, 2.5}}}
	for _, set := range documents.Core {
		r.Results = append(r.Results,
			measurement{Set: set, Group: "small", Engine: baseline, Ratio: 1, Low: 1, High: 1},
			measurement{Set: set, Group: "small", Engine: "canon", Ratio: 8, Low: 7, High: 9},
			measurement{Set: set, Group: "small", Engine: "absent", Error: "why"})
	}
	if mean, ok := r.mean("canon"); !ok || mean < 7.99 || mean > 8.01 {
		t.Errorf("mean %v, %v", mean, ok)
	}
	text := r.markdown()
	for _, want := range []string{"| tool arguments | 1.00 [1.00, 1.00] | 8.00 [7.00, 9.00] |", "| canon | 8.00 |", "| 10 | 2.50 |", "| long | 9 | 1.50 |", "| deep | flat | 2.00 [1.50, 2.50] |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(r.svg())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the drawing is no XML: %v", err)
		}
	}
	dir := t.TempDir()
	if err := r.write(dir); err != nil {
		t.Error(err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for name, s := range map[string]settings{
		"no rounds": {groups: "small", rounds: 0, slice: 1},
		"no set":    {groups: "nothing", rounds: 1, slice: 1},
		"no folder": {groups: "given", docs: "/nonexistent", rounds: 1, slice: 1},
	} {
		if err := run(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkCore runs the canonicalizers over the core sets, for benchstat.
func BenchmarkCore(b *testing.B) {
	large, err := documents.Large(func(string) bool { return true })
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range append(large, documents.Small(1)...) {
		if !slices.Contains(documents.Core, s.Name) {
			continue
		}
		for _, e := range engines() {
			if !slices.Contains([]string{baseline, "canon", "cyberphone", "gowebpki"}, e.name) {
				continue
			}
			b.Run("set="+strings.ReplaceAll(s.Name, " ", "_")+"/engine="+e.name, func(b *testing.B) {
				b.SetBytes(int64(s.Size()))
				b.ReportAllocs()
				for b.Loop() {
					passes(e, s, 1)
				}
			})
		}
	}
}
