package toolcall_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/toolcall"
)

// The mean tool call has about a hundred bytes of arguments.
const benchArguments = `{"path": "internal/server/handler.go", "old": "return nil", "new": "return err", "count": 1, "dry_run": false}`

// sink keeps results, so that nothing is optimized away.
var sink any

func benchRuntime(t testing.TB) *toolcall.Runtime {
	r, err := toolcall.New(toolcall.Config{
		Agent: "Support Agent",
		Tools: []toolcall.Tool{{
			Name:   "edit",
			Schema: toolcall.SchemaFunc(func(_ context.Context, v any) (any, error) { return v, nil }),
			Handler: toolcall.HandlerFunc(func(_ context.Context, e toolcall.Execution) (any, error) {
				sink = e.Arguments()
				return nil, nil
			}),
		}},
		Policy: toolcall.PolicyFunc(func(_ context.Context, in toolcall.PolicyInput) (toolcall.Decision, error) {
			return toolcall.Decision{Verdict: toolcall.Allow}, nil
		}),
		Now: func() time.Time { return time.Time{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func benchAttempt(t testing.TB, r *toolcall.Runtime, text []byte) {
	out := r.Run(context.Background(), toolcall.Call{Tool: "edit", Arguments: text, InvocationID: "inv_01", ProviderCallID: "call_01"})
	if out.Status != toolcall.Executed {
		t.Fatal(out.Err)
	}
}

// benchParts is what an allowed attempt is made of, each alone: a decoding, the
// schema's view, a snapshot, the hash, policy's two views, the snapshot of the
// mutation check, the execution's view.
func benchParts(t testing.TB, text []byte) {
	requested, err := snapshot.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := snapshot.Of(requested.View())
	if err != nil {
		t.Fatal(err)
	}
	hash, err := snapshot.ProposalHash("Support Agent", "edit", arguments)
	if err != nil {
		t.Fatal(err)
	}
	sink = requested.View()
	view := arguments.View()
	after, err := snapshot.Of(view)
	if err != nil || after != arguments || hash == "" {
		t.Fatal(err)
	}
	sink = arguments.View()
}

func BenchmarkAttempt(b *testing.B) {
	r, text := benchRuntime(b), []byte(benchArguments)
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			benchAttempt(b, r, text)
		}
	})
	b.Run("parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			benchParts(b, text)
		}
	})
}

// BenchmarkAttemptRatio measures the whole against the sum of its parts, by turns
// in one process, and reports the median of the ratios.
func BenchmarkAttemptRatio(b *testing.B) {
	r, text := benchRuntime(b), []byte(benchArguments)
	const turn = 100
	var ratios []float64
	for b.Loop() {
		begin := time.Now()
		for range turn {
			benchAttempt(b, r, text)
		}
		between := time.Now()
		for range turn {
			benchParts(b, text)
		}
		ratios = append(ratios, float64(between.Sub(begin))/float64(time.Since(between)))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "whole/parts")
}

// TestAttemptAllocations: an attempt that is allowed allocates at most twelve
// times beside its parts.
func TestAttemptAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r, text := benchRuntime(t), []byte(benchArguments)
	whole := testing.AllocsPerRun(200, func() { benchAttempt(t, r, text) })
	parts := testing.AllocsPerRun(200, func() { benchParts(t, text) })
	if whole > parts+12 {
		t.Errorf("%.0f allocations, %.0f of them of the parts", whole, parts)
	}
	t.Logf("%.0f allocations, %.0f of them of the parts", whole, parts)
}
