package main

import (
	"testing"
	"time"
)

// Progress says how much, how long still, what was found, and how fast.
func TestMeterLine(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	for _, c := range []struct {
		m     meter
		done  int64
		after time.Duration
		want  string
	}{
		{meter{unit: "cases", total: 400}, 100, 10 * time.Second, "25% 100/400 cases, 30s left, 10/s, 10s so far"},
		{meter{unit: "cases", total: 400, note: "2 kinds of departure"}, 100, 10 * time.Second, "25% 100/400 cases, 30s left, 2 kinds of departure, 10/s, 10s so far"},
		{meter{unit: "cases"}, 5000, time.Minute, "5000 cases, 83/s, 1m00s so far"},
		{meter{unit: "cases", first: 4000}, 5000, 100 * time.Second, "5000 cases, 10/s, 1m40s so far"},
		{meter{unit: "cases", deadline: start.Add(time.Hour)}, 5000, 100 * time.Second, "5000 cases, 58m20s left, 50/s, 1m40s so far"},
		{meter{unit: "cases", total: 10_000, deadline: start.Add(150 * time.Second)}, 5000, 100 * time.Second, "50% 5000/10000 cases, 50s left, 50/s, 1m40s so far"},
		{meter{unit: "cases", deadline: start}, 5, time.Second, "5 cases, 0s left, 5/s, 1s so far"},
		{meter{unit: "cases", total: 400}, 0, 0, "0% 0/400 cases, 0/s, 0s so far"},
	} {
		c.m.start = start
		if got := c.m.line(c.done, start.Add(c.after)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0s", 59 * time.Second: "59s", 3600 * time.Second: "1h00m", 99 * time.Hour: "99h00m", 240 * time.Hour: "10d"} {
		if got := short(d); got != want {
			t.Errorf("short(%v) = %s, want %s", d, got, want)
		}
	}
}
