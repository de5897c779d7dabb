package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/check"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A bench runs a server on pipes, so that its clock can be the test's: within
// synctest time passes only when everybody waits.
type bench struct {
	t       *testing.T
	server  *Server
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
	stop    context.CancelFunc
	stopped chan error
}

type pipeAddress string

func (a pipeAddress) Network() string { return "pipe" }
func (a pipeAddress) String() string  { return string(a) }

// addressed is a pipe's end that has an address.
type addressed struct {
	net.Conn
	remote pipeAddress
}

func (c addressed) RemoteAddr() net.Addr { return c.remote }

func (b *bench) Accept() (net.Conn, error) {
	select {
	case c := <-b.conns:
		return c, nil
	case <-b.closed:
		return nil, net.ErrClosed
	}
}
func (b *bench) Close() error   { b.once.Do(func() { close(b.closed) }); return nil }
func (b *bench) Addr() net.Addr { return pipeAddress("bench:1") }

func newBench(t *testing.T, o Options) *bench {
	ctx, stop := context.WithCancel(t.Context())
	b := &bench{t: t, server: New(o), conns: make(chan net.Conn), closed: make(chan struct{}), stop: stop, stopped: make(chan error, 1)}
	go func() { b.stopped <- b.server.Run(ctx, b) }()
	t.Cleanup(func() {
		stop()
		time.Sleep(2 * time.Hour) // let everybody end
	})
	return b
}

// dial connects from an address.
func (b *bench) dial(from string) net.Conn {
	here, there := net.Pipe()
	b.conns <- addressed{there, pipeAddress(from)}
	b.t.Cleanup(func() { here.Close() })
	return here
}

// ask sends a request and reads the answer.
func (b *bench) ask(from, path, document string) (status int, body string) {
	c := b.dial(from)
	defer c.Close()
	go fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(document), document)
	return b.answer(c)
}

func (b *bench) answer(c net.Conn) (status int, body string) {
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		b.t.Errorf("no answer: %v", err)
		return 0, ""
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Errorf("half an answer: %v", err)
	}
	return r.StatusCode, string(text)
}

// end stops the server and gives what Run gave.
func (b *bench) end() error {
	b.stop()
	return <-b.stopped
}

// slow answers after a while, whatever is asked.
type slow struct{ takes time.Duration }

func (s slow) Info() result.Info { return result.Info{Name: "slow"} }
func (s slow) Close() error      { return nil }
func (s slow) Ask(context.Context, []result.Question) []result.Answer {
	time.Sleep(s.takes)
	return []result.Answer{{Kind: result.OK, Bytes: []byte(`{}`)}}
}

func slowPanel(takes, limit time.Duration) *explain.Panel {
	return explain.NewPanel([]explain.Voice{{Name: "slow", Open: func(reject.Profile) check.Subject { return slow{takes} }}}, limit)
}

// TestSlowClientsAreRefused: a body that does not arrive is answered with 408
// when its time is over, and a header that does not arrive ends the connection.
func TestSlowClientsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{})
		c := b.dial("a:1")
		begin := time.Now()
		go func() {
			fmt.Fprintf(c, "POST /v1/canonicalize HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n")
			for range 99 { // a byte every second
				if _, err := io.WriteString(c, " "); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		if status, body := b.answer(c); status != http.StatusRequestTimeout || !strings.Contains(body, "#too-slow") {
			t.Errorf("a slow body: status %d, %s", status, body)
		}
		if took := time.Since(begin); took < 10*time.Second || took > 11*time.Second {
			t.Errorf("a slow body was answered after %v", took)
		}
		other := b.dial("a:2")
		begin = time.Now()
		io.WriteString(other, "POST /v1/canonicalize HTTP/1.1\r\nHost: ")
		if _, err := io.ReadAll(other); err != nil {
			t.Errorf("a slow header: %v", err)
		}
		if took := time.Since(begin); took > 6*time.Second {
			t.Errorf("a slow header kept its connection for %v", took)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestLargeHeadersAreRefused by net/http itself.
func TestLargeHeadersAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{})
		c := b.dial("a:1")
		go fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: bench\r\nX: %s\r\n\r\n", strings.Repeat("x", 64<<10))
		if status, _ := b.answer(c); status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("status %d", status)
		}
		b.end()
	})
}

// TestManyRequestsAreRefused: more of one address than its share gets 429, more
// than there is room for 503, and who was there first is answered.
func TestManyRequestsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{Requests: 3, PerAddress: 2, Workers: 3, Panel: slowPanel(time.Second, 2*time.Second)})
		var first sync.WaitGroup
		for _, from := range []string{"a:1", "a:2", "b:1"} {
			first.Go(func() {
				if status, body := b.ask(from, "/v1/explain", "{}"); status != http.StatusOK {
					t.Errorf("%s: status %d, %s", from, status, body)
				}
			})
			time.Sleep(time.Millisecond)
		}
		for from, want := range map[string]int{"a:3": http.StatusTooManyRequests, "b:2": http.StatusServiceUnavailable, "c:1": http.StatusServiceUnavailable} {
			if status, body := b.ask(from, "/v1/canonicalize", "{}"); status != want || !strings.Contains(body, "problem") && !strings.Contains(body, "server.md#") {
				t.Errorf("%s: status %d, %s; want %d", from, status, body, want)
			}
		}
		first.Wait()
		if status, _ := b.ask("a:4", "/v1/canonicalize", "{}"); status != http.StatusOK {
			t.Errorf("afterwards: status %d", status)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestSlowWorkIsGivenUp: an answer that takes too long, and a place that does not
// become free, are told as such; and those who ask for no implementation do not
// wait behind those who do.
func TestSlowWorkIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{Workers: 1, Timeout: 2 * time.Second, Panel: slowPanel(time.Hour, time.Hour)})
		if status, body := b.ask("a:1", "/v1/explain", "{}"); status != 503 || !strings.Contains(body, "#took-long") {
			t.Errorf("status %d, %s", status, body)
		}
		b.server.asking <- struct{}{}
		if status, body := b.ask("a:2", "/v1/explain", "{}"); status != 503 || !strings.Contains(body, "#busy") {
			t.Errorf("status %d, %s", status, body)
		}
		if status, _ := b.ask("a:3", "/v1/canonicalize", "{}"); status != 200 {
			t.Errorf("status %d", status)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestStopAnswersWhatWasAccepted: what is under way is answered, health says 503,
// connections that wait for nothing do not hold the server up, and all is over
// within two seconds.
func TestStopAnswersWhatWasAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{Workers: 2, Panel: slowPanel(time.Second, 2*time.Second)})
		idle := b.dial("idle:1") // a browser connects before it has anything to ask
		kept := b.dial("kept:1")
		reader := bufio.NewReader(kept)
		health := func() *http.Response {
			io.WriteString(kept, "GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n")
			r, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, r.Body)
			return r
		}
		if r := health(); r.StatusCode != 200 || r.Close {
			t.Errorf("before: status %d, close %v", r.StatusCode, r.Close)
		}
		var asked sync.WaitGroup
		asked.Go(func() {
			if status, body := b.ask("a:1", "/v1/explain", "{}"); status != http.StatusOK {
				t.Errorf("status %d: %s", status, body)
			}
		})
		time.Sleep(time.Millisecond)
		begin := time.Now()
		b.stop()
		time.Sleep(time.Millisecond)
		if r := health(); r.StatusCode != 503 || !r.Close {
			t.Errorf("while it stops: status %d, close %v", r.StatusCode, r.Close)
		}
		if status, _ := b.ask("late:1", "/v1/canonicalize", "{}"); status != http.StatusOK {
			t.Errorf("in the lull: status %d", status)
		}
		if err := <-b.stopped; err != nil {
			t.Errorf("stopped with %v", err)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("it stopped after %v", took)
		}
		asked.Wait()
		if _, err := idle.Read(make([]byte, 1)); err == nil {
			t.Error("the idle connection is open")
		}
	})
}

// TestStopCutsWhatTakesTooLong, and says so.
func TestStopCutsWhatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{Panel: slowPanel(time.Minute, time.Minute), Timeout: time.Hour})
		c := b.dial("a:1")
		io.WriteString(c, "POST /v1/explain HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		time.Sleep(time.Millisecond)
		begin := time.Now()
		if err := b.end(); err != ErrCut {
			t.Errorf("stopped with %v", err)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("it stopped after %v", took)
		}
	})
}

// TestNoRequestIsLost: clients hammer the server on real connections while it
// stops. Every request that the server has seen is answered whole.
func TestNoRequestIsLost(t *testing.T) {
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Skip("there is no loopback network")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := New(Options{})
	var seen, answered sync.Map
	inner := s.handler
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.Header.Get("X-Number"), true)
		inner.ServeHTTP(w, r)
	})
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx, listener) }()
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
			defer client.CloseIdleConnections()
			for n := 0; ; n++ {
				if i == 0 && n == 20 {
					stop()
				}
				number := fmt.Sprint(i, ".", n)
				r, _ := http.NewRequest("POST", "http://"+listener.Addr().String()+"/v1/canonicalize", strings.NewReader(`{"b":1,"a":2}`))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("X-Number", number)
				w, err := client.Do(r)
				if err != nil {
					return
				}
				body, err := io.ReadAll(w.Body)
				w.Body.Close()
				if err == nil && w.StatusCode == 200 && strings.Contains(string(body), `{\"a\":2,\"b\":1}`) {
					answered.Store(number, true)
				}
			}
		})
	}
	clients.Wait()
	if err := <-stopped; err != nil {
		t.Errorf("stopped with %v", err)
	}
	count := 0
	seen.Range(func(number, _ any) bool {
		count++
		if _, ok := answered.Load(number); !ok {
			t.Errorf("request %s was seen, and not answered", number)
		}
		return true
	})
	if count < 20 {
		t.Errorf("only %d requests were seen", count)
	}
}

// TestMemoryIsBounded: as many large documents as there may be at once leave
// nothing behind.
func TestMemoryIsBounded(t *testing.T) {
	s := New(Options{Requests: 8, PerAddress: 8, Workers: 2, Timeout: time.Hour})
	document := "[" + strings.Repeat(`"\u20ac",`, 20_000) + "0]"
	var all sync.WaitGroup
	for range 24 {
		all.Go(func() { post(s, "/v1/canonicalize", document) })
	}
	all.Wait()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 64<<20 {
		t.Errorf("%d MiB are kept", m.HeapAlloc>>20)
	}
	if s.door.count() != 0 || len(s.work) != 0 {
		t.Errorf("%d documents are inside, %d places taken", s.door.count(), len(s.work))
	}
}
