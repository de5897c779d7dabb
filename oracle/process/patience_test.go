package process

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPatience: the limit is the clock's, unless the child had work to do and
// was not given the processor; and then there is an end too. Looks are those at
// half of the limit, at the limit, and later ones.
func TestPatience(t *testing.T) {
	const limit = 800 * time.Millisecond
	for name, c := range map[string]struct {
		before, rate float64 // of a processor, before half of the limit was over, and from then on
		busy         bool
		want         time.Duration
	}{
		"sleeps":                 {0, 0, false, limit},
		"slept after its work":   {1, 0.1, false, limit},
		"spins":                  {1, 1, true, limit},
		"has its fair part":      {0, 0.8, true, limit},
		"has not quite":          {1, 0.7875, true, 1000 * time.Millisecond}, // 315 of 400 ms, then more than 320
		"spins on two":           {1, 2, true, limit},
		"starves":                {1, 0.1, true, 4 * limit},
		"gets a third":           {0, 1. / 3, true, 1400 * time.Millisecond},
		"is not given any":       {1, 0, true, 4 * limit},
		"is not given any later": {0, 0, true, 4 * limit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				p := (&child{}).patience(begin, limit)
				p.work = func() (time.Duration, bool) {
					gone := time.Since(begin)
					first := min(gone, limit/2)
					return time.Duration(c.before*float64(first) + c.rate*float64(gone-first)), c.busy
				}
				if p.until != begin.Add(limit/2) {
					t.Errorf("the first look is after %v", p.until.Sub(begin))
				}
				for looks := 1; ; looks++ {
					time.Sleep(time.Until(p.until))
					if !p.more() {
						break
					}
					if wait := time.Until(p.until); looks == 1 && wait != limit/2 || looks > 1 && wait != limit/4 {
						t.Fatalf("look %d is after %v more", looks+1, wait)
					}
				}
				if got := time.Since(begin); got != c.want {
					t.Errorf("it was given up after %v, want %v", got, c.want)
				}
			})
		})
	}
}

// TestHeldUp: who looks for the first time when the limit is over has waited.
func TestHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &patience{limit: time.Second, begin: time.Now(), work: func() (time.Duration, bool) { return 0, true }}
		time.Sleep(time.Second)
		if p.more() {
			t.Error("it waits on")
		}
	})
}
