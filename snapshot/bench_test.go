package snapshot_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/snapshot"
)

// toolArguments is what a model sends: a few members, short strings, one
// level of lists.
const toolArguments = `{"query": "refund policy for orders older than 30 days", "limit": 10, "offset": 0, "filters": [
  {"field": "status", "op": "eq", "value": "open"}, {"field": "amount", "op": "gte", "value": 199.95},
  {"field": "tags", "op": "in", "value": ["vip", "eu", "r\u00e9sum\u00e9"]}],
  "options": {"includeArchived": false, "language": "en-GB", "boost": null, "path": "C:\\data\\in\n"}}`

var sink any

func measures(tb testing.TB) map[string]func() {
	text := []byte(toolArguments)
	s, err := snapshot.Decode(text)
	if err != nil {
		tb.Fatal(err)
	}
	canonical := []byte(s.CanonicalJSON())
	value := s.View()
	return map[string]func(){
		"Canonicalize": func() { out, _ := canon.Canonicalize(text); sink = out },
		"Decode":       func() { s, _ := snapshot.Decode(text); _ = s },
		"View":         func() { sink = s.View() },
		"encoding/json into any": func() {
			var v any
			json.Unmarshal(canonical, &v)
			sink = v
		},
		"Of": func() { s, _ := snapshot.Of(value); _ = s },
		"encoding/json and cyberphone": func() {
			text, _ := json.Marshal(value)
			out, _ := jsoncanonicalizer.Transform(text)
			sink = out
		},
	}
}

// BenchmarkRatios alternates the two sides of each promise in one process and
// reports their ratio by the least time of each, so that a busy machine slows
// both: Decode at most 1.15 of Canonicalize, View at least 2 and Of at least 4
// times as fast as what they stand for.
func BenchmarkRatios(b *testing.B) {
	run := measures(b)
	for _, pair := range []struct{ slow, fast, unit string }{
		{"Decode", "Canonicalize", "Decode/Canonicalize"},
		{"encoding/json into any", "View", "json/View"},
		{"encoding/json and cyberphone", "Of", "json+cyberphone/Of"},
	} {
		b.Run(pair.unit, func(b *testing.B) {
			least := [2]time.Duration{1 << 62, 1 << 62}
			for b.Loop() {
				for i, name := range []string{pair.slow, pair.fast} {
					begin := time.Now()
					for range 20 {
						run[name]()
					}
					least[i] = min(least[i], time.Since(begin))
				}
			}
			b.ReportMetric(float64(least[0])/float64(least[1]), pair.unit)
		})
	}
}

// BenchmarkParts measures each part by itself.
func BenchmarkParts(b *testing.B) {
	for name, run := range measures(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}
