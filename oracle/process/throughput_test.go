package process

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"github.com/touchstone-oracle/touchstone/oracle/result"
	"github.com/touchstone-oracle/touchstone/oracle/wire"
)

// serve is an adapter of the fastest kind: it gives back what it was given.
func serve(string) {
	err := wire.Serve(os.Stdin, os.Stdout, wire.Server{
		Greeting: wire.Greeting{Name: "serve", Window: 256},
		Open: func(string) (func(string, []byte) wire.Reply, error) {
			return func(_ string, payload []byte) wire.Reply { return wire.Reply{Payload: payload} }, nil
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// documents gives n documents of 150 bytes.
func documents(n int) []result.Question {
	questions := make([]result.Question, n)
	for i := range questions {
		questions[i] = result.Question{Op: result.OpCanon, Input: fmt.Appendf(nil, `{"number":%0138d}`, i)}
	}
	return questions
}

// BenchmarkWire is the throughput of the line protocol with one adapter in Go
// and documents of 150 bytes: one operation is one case.
func BenchmarkWire(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	w, err := OpenWire(context.Background(), []string{self}, Options{Env: []string{hostileName + "=serve"}})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	questions := documents(10_000)
	b.SetBytes(int64(len(questions[0].Input)))
	b.ReportAllocs()
	b.ResetTimer()
	for left := b.N; left > 0; left -= len(questions) {
		batch := questions[:min(left, len(questions))]
		for i, a := range w.Ask(context.Background(), batch) {
			if a.Kind != result.OK || len(a.Bytes) != len(batch[i].Input) {
				b.Fatalf("%+v", a)
			}
		}
	}
}

// TestStatePerCase: what the harness holds of a case beside its input and its
// output is at most 256 bytes.
func TestStatePerCase(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w, err := OpenWire(context.Background(), []string{self}, Options{Env: []string{hostileName + "=serve"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const n = 20_000
	questions := documents(n)
	w.Ask(context.Background(), questions[:1000])
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	answers := w.Ask(context.Background(), questions)
	runtime.GC()
	runtime.ReadMemStats(&after)
	const payload = 160 // 150 bytes in the allocator's next class
	state := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n
	t.Logf("%d bytes a case, of which an answer has %d", state-payload, unsafe.Sizeof(answers[0]))
	if state-payload > 256 {
		t.Errorf("%d bytes a case beside its output", state-payload)
	}
	runtime.KeepAlive(answers)
	runtime.KeepAlive(questions)
}
