package process

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// TestDefaults: a field that is left out stands for what its comment says, and one
// that is set for itself.
func TestDefaults(t *testing.T) {
	want := Options{
		Processes: 3, StartLimit: 30 * time.Second, CaseLimit: 10 * time.Second, Window: 256, MaxOutput: 67108864,
		linger: 20 * time.Millisecond, MaxCrashes: 1000, MaxHangs: 32,
		Limits:   Limits{Data: 4294967296, Resident: 4294967296, Files: 1024},
		Statuses: map[int]result.AnswerKind{0: result.OK, 1: result.Rejected, 69: result.Skipped},
	}
	if got := (Options{}).withDefaults(3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	set := Options{
		Name: "name", Processes: 1, StartLimit: 2, CaseLimit: 3, Window: 4, MaxOutput: 5, linger: 6, MaxCrashes: -7, MaxHangs: -8,
		Limits:   Limits{Data: 9, Resident: -10, CPU: 11, Files: 12},
		Statuses: map[int]result.AnswerKind{},
	}
	if got := set.withDefaults(3); !reflect.DeepEqual(got, set) {
		t.Errorf("got %+v", got)
	}
	if got := (Options{Processes: -1, Window: -1}).withDefaults(3); got.Processes != 1 || got.Window != 1 {
		t.Errorf("got %+v", got)
	}
}

// TestPassed: a size at the limit has not passed it, and none passes a negative one.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		limit, size int64
		want        bool
	}{{5, 4, false}, {5, 5, false}, {5, 6, true}, {-1, 1 << 62, false}} {
		if got := (Limits{Resident: c.limit}).passed(c.size); got != c.want {
			t.Errorf("limit %d, size %d: %v", c.limit, c.size, got)
		}
	}
}

// TestSpent: nothing more is asked from the bound on, which negative numbers are not.
func TestSpent(t *testing.T) {
	for _, c := range []struct {
		crashes, protocol, hangs int64
		answered                 bool
		o                        Options
		want                     string
	}{
		{0, 0, 0, false, Options{MaxCrashes: 5, MaxHangs: 5}, ""},
		{2, 2, 4, true, Options{MaxCrashes: 5, MaxHangs: 5}, ""},
		{3, 2, 0, true, Options{MaxCrashes: 5, MaxHangs: 5}, "the program failed 5 times before"},
		{4, 2, 0, true, Options{MaxCrashes: 5, MaxHangs: 5}, "the program failed 6 times before"},
		{0, 0, 5, true, Options{MaxCrashes: 5, MaxHangs: 5}, "the program did not answer in time 5 times before"},
		{0, 0, 2, false, Options{MaxCrashes: 5, MaxHangs: 5}, ""},
		{0, 0, 3, false, Options{MaxCrashes: 5, MaxHangs: 5}, "the program has never answered, and 3 times not in time"},
		{9, 9, 9, true, Options{MaxCrashes: -1, MaxHangs: -1}, ""},
	} {
		var n counts
		n.crashes.Store(c.crashes)
		n.protocol.Store(c.protocol)
		n.hangs.Store(c.hangs)
		n.answered.Store(c.answered)
		if got := n.spent(c.o); got != c.want {
			t.Errorf("%d crashes, %d protocol errors, %d hangs: %q", c.crashes, c.protocol, c.hangs, got)
		}
	}
}

// TestCounts: each kind of answer is counted as what it is.
func TestCounts(t *testing.T) {
	var n counts
	for _, kind := range []result.AnswerKind{result.Hung, result.Crashed, result.Crashed, result.ProtocolError, result.ProtocolError, result.ProtocolError, result.NoStart} {
		n.count(kind)
	}
	n.sampled(7)
	n.sampled(5)
	if got, want := n.stats(), (Stats{Hangs: 1, Crashes: 2, ProtocolErrors: 3, Resident: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n.answered.Load() {
		t.Error("no answer is taken for one")
	}
	for _, kind := range []result.AnswerKind{result.OK, result.Rejected, result.Skipped} {
		n := counts{}
		if n.count(kind); !n.answered.Load() {
			t.Errorf("%s is not an answer", kind)
		}
	}
}

// TestNames: a subject has the name that is asked for, or that its greeting gives,
// or the command's.
func TestNames(t *testing.T) {
	t.Parallel()
	for name, names := range map[string][2]string{
		"good": {"asked", "echo"}, "plain": {"asked", ""}, "x-good": {"asked", ""},
	} {
		for i, asked := range []string{"asked", ""} {
			command, o := program(t, name)
			o.Name = asked
			want := names[i]
			if want == "" {
				want = filepath.Base(command[0])
			}
			var s interface {
				Info() result.Info
				Close() error
			}
			var err error
			if strings.HasPrefix(name, "x-") {
				s, err = OpenExec(context.Background(), command, o)
			} else {
				s, err = OpenWire(context.Background(), command, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Info().Name; got != want {
				t.Errorf("%s: the name is %q, want %q", name, got, want)
			}
			s.Close()
		}
	}
}
