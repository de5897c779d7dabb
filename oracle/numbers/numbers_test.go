package numbers_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/numbers"
)

// byStrconv is a third derivation of Number::toString, from the standard
// library's shortest digits, so that the sequence itself can be checked without
// the implementations that it is there to check.
func byStrconv(dst []byte, bits uint64) ([]byte, error) {
	f := math.Float64frombits(bits)
	if f == 0 {
		return append(dst, '0'), nil
	}
	if abs := math.Abs(f); 1e-6 <= abs && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, power, _ := strings.Cut(text, "e")
	return append(dst, mantissa+"e"+power[:1]+strings.TrimLeft(power[1:], "0")...), nil
}

// blind prints every number like its neighbour whose last bit is zero.
func blind(dst []byte, bits uint64) ([]byte, error) { return byStrconv(dst, bits&^1) }

func run(t *testing.T, job numbers.Job) numbers.Report {
	t.Helper()
	r, err := job.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLinesOfABlockInPart(t *testing.T) {
	for _, c := range []struct {
		lines  int64
		checks int
	}{{1, 0}, {999, 0}, {1000, 1}, {1001, 1}} {
		if r := run(t, numbers.Job{Format: byStrconv, Lines: c.lines}); r.Lines != c.lines || len(r.Checks) != c.checks || !r.Right() {
			t.Fatalf("%d lines: %d, of which %d are checked, the last as %+v", c.lines, r.Lines, len(r.Checks), r.Checks[max(0, len(r.Checks)-1):])
		}
	}
}

func TestPublishedDigests(t *testing.T) {
	const lines = 100_000
	for _, workers := range []int{1, 3} {
		r := run(t, numbers.Job{Format: byStrconv, Lines: lines, Workers: workers})
		if !r.Right() || r.Lines != lines || len(r.Checks) != 3 {
			t.Errorf("%d workers: %+v", workers, r)
		}
	}
}

func TestWrongDigestIsSeen(t *testing.T) {
	r := run(t, numbers.Job{Format: blind, Lines: 1000})
	if r.Right() || len(r.Checks) != 1 || r.Difference != nil {
		t.Errorf("an implementation that drops a bit passed: %+v", r)
	}
}

func TestAgainstNamesTheFirstLine(t *testing.T) {
	r := run(t, numbers.Job{Format: blind, Against: byStrconv, Lines: 5000})
	d := r.Difference
	if r.Right() || d == nil {
		t.Fatalf("no difference: %+v", r)
	}
	// The third of the fixed patterns is the least double, 5e-324.
	if d.Line != 3 || d.Bits != 1 || d.Got != "0" || d.Want != "5e-324" || d.Err != nil || r.Lines != 2 {
		t.Errorf("%+v after %d lines", d, r.Lines)
	}
}

func TestFormatThatFailsIsADifference(t *testing.T) {
	refusal := errors.New("no")
	r := run(t, numbers.Job{Lines: 3000, Format: func(dst []byte, bits uint64) ([]byte, error) {
		if bits == 0x0010000000000000+1500 {
			return nil, refusal
		}
		return byStrconv(dst, bits)
	}})
	if d := r.Difference; r.Right() || d == nil || d.Line != 168+1501 || !errors.Is(d.Err, refusal) {
		t.Errorf("%+v", r.Difference)
	}
}

func TestLinesAreWritten(t *testing.T) {
	var out bytes.Buffer
	r := run(t, numbers.Job{Format: byStrconv, Lines: 1234, Out: &out})
	text := out.String()
	if strings.Count(text, "\n") != 1234 || int64(len(text)) != r.Bytes {
		t.Errorf("%d lines, %d bytes of %d", strings.Count(text, "\n"), len(text), r.Bytes)
	}
	if !strings.HasPrefix(text, "0,0\n8000000000000000,0\n1,5e-324\n8000000000000001,-5e-324\nc46696695dbd1cc3,-3.3333333333333335e+21\n") {
		t.Errorf("begins with %q", text[:100])
	}
}

func TestSequence(t *testing.T) {
	var seq numbers.Sequence
	for i := 1; i <= 20_000; i++ {
		bits := seq.Next()
		switch f := math.Float64frombits(bits); {
		case math.IsNaN(f) || math.IsInf(f, 0):
			t.Fatalf("pattern %d, %#x, is not finite", i, bits)
		case i > 2 && f == 0:
			t.Fatalf("pattern %d is zero", i)
		case i == 168+1 && bits != 0x0010000000000000, i == 168+2000 && bits != 0x0010000000000000+1999:
			t.Fatalf("pattern %d is %#x", i, bits)
		}
	}
}

func TestCancelledRunGivesTheReportSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	blocks := 0
	job := numbers.Job{Format: byStrconv, Lines: math.MaxInt64, Workers: 2, Progress: func(int64, int64) {
		if blocks++; blocks == 10 {
			cancel()
		}
	}}
	r, err := job.Run(ctx)
	if !errors.Is(err, context.Canceled) || r.Lines < 10_000 || len(r.Checks) != 2 || !r.Right() {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestRunThatIsCompleteWhenItIsCancelledIsComplete(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	job := numbers.Job{Format: byStrconv, Lines: 1000, Progress: func(int64, int64) { cancel() }}
	if r, err := job.Run(ctx); err != nil || r.Lines != 1000 || !r.Right() {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestCheckIsRightBySizeAndDigest(t *testing.T) {
	want := numbers.Checkpoint{Lines: 1000, Bytes: 1, SHA256: "a"}
	for _, c := range []struct {
		bytes  int64
		digest string
		right  bool
	}{{1, "a", true}, {2, "a", false}, {1, "b", false}, {2, "b", false}} {
		check := numbers.Check{Published: want, Bytes: c.bytes, SHA256: c.digest}
		if r := (numbers.Report{Checks: []numbers.Check{check}}); check.Right() != c.right || r.Right() != c.right {
			t.Errorf("%+v: right is %v", check, !c.right)
		}
	}
}

func TestWorkersAreHowManyFormatAtOnce(t *testing.T) {
	for asked, most := range map[int]int32{1: 1, 2: 2, 0: int32(runtime.GOMAXPROCS(0)), -1: int32(runtime.GOMAXPROCS(0))} {
		var now, seen atomic.Int32
		r := run(t, numbers.Job{Lines: 10_000, Workers: asked, Format: func(dst []byte, bits uint64) ([]byte, error) {
			if n := now.Add(1); n > seen.Load() {
				seen.Store(n)
			}
			defer now.Add(-1)
			runtime.Gosched()
			return byStrconv(dst, bits)
		}})
		if n := seen.Load(); !r.Right() || n > most {
			t.Errorf("%d workers: %d format at once", asked, n)
		}
	}
}

func TestJobWithoutAQuestionIsAnError(t *testing.T) {
	for _, job := range []numbers.Job{{}, {Format: byStrconv}, {Lines: 1}, {Format: byStrconv, Lines: -1}} {
		if _, err := job.Run(context.Background()); err == nil {
			t.Errorf("%+v ran", job)
		}
	}
}

func TestPublishedIsACopy(t *testing.T) {
	numbers.Published()[0].SHA256 = ""
	if numbers.Published()[0].SHA256 == "" {
		t.Error("a caller changed the published digests")
	}
}

func BenchmarkRun(b *testing.B) {
	job := numbers.Job{Format: byStrconv, Lines: int64(b.N)}
	if _, err := job.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}
