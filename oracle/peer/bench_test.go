package peer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// BenchmarkAsk is what one question of 150 bytes costs, by peer.
func BenchmarkAsk(b *testing.B) {
	questions := make([]result.Question, 1000)
	for i := range questions {
		questions[i] = canonQuestion(fmt.Sprintf(
			`{"id":%d,"name":"J\u00f6rg \"J\" Smith","tags":["a","\u20ac",null,true],"ratio":%de-3,"nested":{"z":1.50,"y":{},"aa":[1,2,3]},"text":"%s"}`,
			i, i*7919, strings.Repeat("x", 20)))
	}
	for _, p := range product() {
		b.Run(p.Name, func(b *testing.B) {
			s := p.Open(Options{})
			defer s.Close()
			b.ReportAllocs()
			for left := b.N; left > 0; left -= len(questions) {
				for _, a := range s.Ask(context.Background(), questions[:min(left, len(questions))]) {
					if a.Kind != result.OK {
						b.Fatalf("%+v", a)
					}
				}
			}
		})
	}
}
