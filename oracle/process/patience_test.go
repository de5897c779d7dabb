package process

import (
	"testing"
	"time"
)

// TestPatience: the limit is the clock's, unless the child had work to do and
// was not given the processor; and then there is an end too.
func TestPatience(t *testing.T) {
	t.Parallel()
	const limit = time.Hour
	for name, c := range map[string]struct {
		used time.Duration // in the second half
		busy bool
		ago  time.Duration // when it began
		want bool
	}{
		"sleeps":           {0, false, limit, false},
		"starves":          {limit / 10, true, limit, true},
		"spins":            {limit / 2, true, limit, false},
		"spins on two":     {limit, true, limit, false},
		"starves for ever": {0, true, 4 * limit, false},
	} {
		used := time.Minute
		p := &patience{limit: limit, begin: time.Now().Add(-c.ago), work: func() (time.Duration, bool) { return used, c.busy }}
		p.more()
		used += c.used
		if got := p.more(); got != c.want {
			t.Errorf("%s: waits on: %v", name, got)
		}
		if c.want && !p.until.After(time.Now()) {
			t.Errorf("%s: the next look is not later", name)
		}
	}
}

// TestHalf: before the limit nobody is given up.
func TestHalf(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	p := (&child{}).patience(begin, time.Hour)
	p.work = func() (time.Duration, bool) { return 0, false }
	if first := p.until; !first.Equal(begin.Add(30*time.Minute)) || !p.more() || !p.until.Equal(begin.Add(time.Hour)) {
		t.Errorf("looks at %v and %v after the start", first.Sub(begin), p.until.Sub(begin))
	}
}
