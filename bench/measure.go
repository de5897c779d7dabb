package main

import (
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/touchstone-oracle/touchstone/bench/documents"
)

// A measurement is what the rounds say of one engine on one set.
type measurement struct {
	Set    string `json:"set"`
	Group  string `json:"group"`
	Engine string `json:"engine"`
	// Bytes of one pass over the set, and documents in it.
	Bytes     int `json:"bytes"`
	Documents int `json:"documents"`
	// Ratio is the throughput relative to the baseline in the same round,
	// the median over the rounds; Low and High are its quartiles.
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// NanosecondsPerDocument is CPU time, the median; it says nothing about
	// another machine.
	NanosecondsPerDocument float64 `json:"nanosecondsPerDocument"`
	Error                  string  `json:"error,omitempty"`
}

// cpuTime is what the process has used, its collector among it.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no way to fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// passes runs an engine over a set n times and gives the CPU time. For an
// engine that starts afresh, pools are emptied before each pass, which is not
// counted.
func passes(e engine, s documents.Set, n int) (used time.Duration) {
	if e.fresh {
		for range n {
			runtime.GC()
			runtime.GC() // a pool keeps its content over one collection
			start := cpuTime()
			for _, d := range s.Docs {
				_ = e.run(d)
			}
			used += cpuTime() - start
		}
		return used
	}
	start := cpuTime()
	for range n {
		for _, d := range s.Docs {
			_ = e.run(d) // that it succeeds was seen before
		}
	}
	return cpuTime() - start
}

// measure runs all engines over a set, one after the other in each round, so
// that whatever slows the machine slows them alike.
func measure(all []engine, s documents.Set, rounds int, slice time.Duration) []measurement {
	type state struct {
		engine
		n      int
		times  []float64 // seconds a pass
		ratios []float64
	}
	var results []measurement
	var running []*state
	for _, e := range all {
		if e.missing != "" {
			results = append(results, measurement{Set: s.Name, Group: s.Group, Engine: e.name, Error: e.missing})
			continue
		}
		if err := firstError(e, s); err != nil {
			results = append(results, measurement{Set: s.Name, Group: s.Group, Engine: e.name, Error: err.Error()})
			continue
		}
		running = append(running, &state{engine: e, n: calibrate(e, s, slice)})
	}
	for range rounds {
		base := 0.0
		for _, r := range running {
			runtime.GC()
			t := passes(r.engine, s, r.n).Seconds() / float64(r.n)
			r.times = append(r.times, t)
			if r.name == baseline {
				base = t
			}
		}
		for _, r := range running {
			if base > 0 {
				r.ratios = append(r.ratios, base/r.times[len(r.times)-1])
			}
		}
	}
	for _, r := range running {
		m := measurement{Set: s.Name, Group: s.Group, Engine: r.name, Bytes: s.Size(), Documents: len(s.Docs)}
		m.Low, m.Ratio, m.High = quartiles(r.ratios)
		_, median, _ := quartiles(r.times)
		m.NanosecondsPerDocument = median * 1e9 / float64(len(s.Docs))
		results = append(results, m)
	}
	return results
}

// A pairing is how many times longer an engine takes for a byte of a hostile
// document than for one of a friendly document in the same round.
type pairing struct {
	Hostile  string  `json:"hostile"`
	Friendly string  `json:"friendly"`
	Times    float64 `json:"times"` // the median over the rounds
	Low      float64 `json:"low"`   // the quartiles
	High     float64 `json:"high"`
}

// measurePairs runs an engine over the documents of each pair in turn.
func measurePairs(e engine, pairs []documents.Pair, rounds int, slice time.Duration) (results []pairing) {
	for _, p := range pairs {
		hostile, friendly := calibrate(e, p.Hostile, slice), calibrate(e, p.Friendly, slice)
		var times []float64
		for range rounds {
			runtime.GC()
			h := passes(e, p.Hostile, hostile).Seconds() / float64(hostile*p.Hostile.Size())
			f := passes(e, p.Friendly, friendly).Seconds() / float64(friendly*p.Friendly.Size())
			times = append(times, h/f)
		}
		result := pairing{Hostile: p.Hostile.Name, Friendly: p.Friendly.Name}
		result.Low, result.Times, result.High = quartiles(times)
		results = append(results, result)
	}
	return results
}

func firstError(e engine, s documents.Set) error {
	for _, d := range s.Docs {
		if err := e.run(d); err != nil {
			return err
		}
	}
	return nil
}

// calibrate gives how many passes fill a slice of time.
func calibrate(e engine, s documents.Set, slice time.Duration) int {
	if e.fresh {
		return 3
	}
	for n := 1; ; n *= 2 {
		if t := passes(e, s, n); t >= slice/4 {
			return max(1, int(float64(n)*float64(slice)/float64(t)))
		}
	}
}

func quartiles(x []float64) (low, median, high float64) {
	if len(x) == 0 {
		return 0, 0, 0
	}
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/4], x[len(x)/2], x[len(x)*3/4]
}
