package server

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
)

// small is a document such as tools are called with.
const small = `{"query": "refund policy", "limit": 10, "exact": true, "since": "2026-01-01T00:00:00Z", "weights": [0.5, 1e-3, 100]}`

// servedAlone makes this program a server, as `touchstone serve` has it, until its
// standard input ends.
const servedAlone = "TOUCHSTONE_TEST_SERVED"

func init() {
	if os.Getenv(servedAlone) == "" {
		return
	}
	os.Unsetenv(servedAlone)
	panel := explain.IsolatedPanel(2*time.Second, 6*time.Second)
	listener, err := Listen(context.Background(), "127.0.0.1:0")
	if err == nil {
		ctx, stop := context.WithCancel(context.Background())
		go func() { io.Copy(io.Discard, os.Stdin); stop() }()
		fmt.Println(listener.Addr())
		err = New(Options{Panel: panel}).Run(ctx, listener)
	}
	panel.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// aServer starts one in a process of its own, on one processor. end ends it and
// gives the processor time that it and its workers have used.
func aServer(b *testing.B) (address string, end func() time.Duration) {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), servedAlone+"=1", "GOMAXPROCS=1")
	c.Stderr = os.Stderr
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err := cmp.Or(err1, err2, c.Start()); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, &address); err != nil {
		b.Fatal(err)
	}
	return address, func() time.Duration {
		in.Close()
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime() // of the workers too, which it has waited for
	}
}

// ask sends a document n times, by eight clients at once.
func ask(b *testing.B, address string, n int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	var sent atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for sent.Add(1) <= int64(n) {
				r, err := client.Post(address, "application/json", strings.NewReader(small))
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
				if r.StatusCode != http.StatusOK {
					b.Error(r.Status)
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkServed measures what a server and its workers use of a processor for
// one request, and so how many a second one core holds, whatever the machine does
// beside it. Ask for thousands, since what a start costs is in it:
//
//	go test ./server -run '^$' -bench Served -benchtime 20000x
func BenchmarkServed(b *testing.B) {
	for _, path := range []string{"/v1/canonicalize", "/v1/verify", "/v1/snapshot?agent=a&tool=b", "/v1/explain?peers=off", "/v1/explain", "/results?peers=off", "/results"} {
		b.Run(strings.TrimPrefix(path, "/"), func(b *testing.B) {
			address, end := aServer(b)
			ask(b, "http://"+address+path, b.N)
			used := end()
			b.ReportMetric(0, "ns/op") // the clients' time is in it
			b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/request")
			b.ReportMetric(float64(b.N)/used.Seconds(), "requests/s/core")
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
