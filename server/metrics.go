package server

import (
	"fmt"
	"net/http"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// counters are what the server tells of itself. Nothing in it comes from a
// document: routes and statuses are closed lists.
type counters struct {
	mu        sync.Mutex
	open      int
	requests  map[served]uint64
	bytes     uint64
	durations []uint64 // by bucket; not cumulative
	count     uint64
	seconds   float64
}

// A served is what requests are counted by.
type served struct {
	route  string // "other" for a path that is not served
	status int
}

// buckets are the upper bounds of durations, in seconds.
var buckets = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

func newCounters() *counters {
	return &counters{requests: map[served]uint64{}, durations: make([]uint64, len(buckets)+1)}
}

func (c *counters) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open++
}

func (c *counters) end(route string, status int, written int64, took time.Duration) {
	if route == "" {
		route = "other"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	c.requests[served{route, status}]++
	c.bytes += uint64(written)
	bucket, _ := slices.BinarySearch(buckets, took.Seconds())
	c.durations[bucket]++
	c.count++
	c.seconds += took.Seconds()
}

// showMetrics writes the counters in the text format of Prometheus.
func (s *Server) showMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var b strings.Builder
	s.counters.write(&b)
	gauge(&b, "touchstone_documents", "Documents that are being read or worked on.", float64(s.door.count()))
	gauge(&b, "touchstone_places", "Documents that may be worked on at once.", float64(cap(s.work)))
	gauge(&b, "touchstone_places_taken", "Documents that are worked on.", float64(len(s.work)))
	gauge(&b, "touchstone_memory_bytes", "Memory that the Go runtime holds.", float64(memory()))
	fmt.Fprintf(&b, "# HELP touchstone_build_info The version.\n# TYPE touchstone_build_info gauge\ntouchstone_build_info{version=%s} 1\n", label(s.options.Version))
	w.Write([]byte(b.String()))
}

func (c *counters) write(b *strings.Builder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(b, "# HELP touchstone_requests_total Requests answered, by path and status.\n# TYPE touchstone_requests_total counter\n")
	var all []served
	for one := range c.requests {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b served) int {
		return strings.Compare(a.route+strconv.Itoa(a.status), b.route+strconv.Itoa(b.status))
	})
	for _, one := range all {
		fmt.Fprintf(b, "touchstone_requests_total{path=%s,status=\"%d\"} %d\n", label(one.route), one.status, c.requests[one])
	}
	gauge(b, "touchstone_requests_open", "Requests that are not answered yet.", float64(c.open))
	fmt.Fprintf(b, "# HELP touchstone_sent_bytes_total Bytes of answers.\n# TYPE touchstone_sent_bytes_total counter\ntouchstone_sent_bytes_total %d\n", c.bytes)
	fmt.Fprintf(b, "# HELP touchstone_request_seconds Time from a request's header to the end of its answer.\n# TYPE touchstone_request_seconds histogram\n")
	sum := uint64(0)
	for i, bound := range buckets {
		sum += c.durations[i]
		fmt.Fprintf(b, "touchstone_request_seconds_bucket{le=\"%g\"} %d\n", bound, sum)
	}
	fmt.Fprintf(b, "touchstone_request_seconds_bucket{le=\"+Inf\"} %d\ntouchstone_request_seconds_sum %g\ntouchstone_request_seconds_count %d\n", c.count, c.seconds, c.count)
}

func gauge(b *strings.Builder, name, help string, value float64) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n%s %g\n", name, help, name, name, value)
}

// label writes a label's value.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}

// memory gives the bytes that the runtime has mapped and not given back.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
