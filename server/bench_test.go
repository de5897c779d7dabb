package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
)

// small is a document such as tools are called with.
const small = `{"query": "refund policy", "limit": 10, "exact": true, "since": "2026-01-01T00:00:00Z", "weights": [0.5, 1e-3, 100]}`

// cpu gives the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRequest measures whole requests on a real connection; the processor
// time is that of client and server together.
func BenchmarkRequest(b *testing.B) {
	panel := explain.NewPanel(explain.Builtin(time.Second, false), time.Minute)
	defer panel.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- New(Options{Panel: panel}).Run(ctx, listener) }()
	defer func() { stop(); <-stopped }()
	for _, path := range []string{"/v1/canonicalize", "/v1/verify", "/v1/snapshot?agent=a&tool=b", "/v1/explain?peers=off", "/v1/explain", "/results?peers=off"} {
		b.Run(strings.TrimPrefix(path, "/"), func(b *testing.B) {
			client := &http.Client{}
			begin := cpu()
			for b.Loop() {
				r, err := client.Post("http://"+listener.Addr().String()+path, "application/json", strings.NewReader(small))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
				if r.StatusCode != http.StatusOK {
					b.Fatal(r.Status)
				}
			}
			b.ReportMetric(float64((cpu()-begin).Microseconds())/float64(b.N), "cpu-µs/request")
		})
	}
}

// BenchmarkHandler measures what the server itself does.
func BenchmarkHandler(b *testing.B) {
	s := New(Options{})
	for b.Loop() {
		if w := post(s, "/v1/canonicalize", small); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
