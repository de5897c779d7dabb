package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A fuzzedRequest is the bytes of a request that is nearly right.
func fuzzedRequest(r *rand.Rand) []byte {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	document := pick(`{"a":1}`, `{`, "", "[1e400]", strings.Repeat("[", 2000), `"`+strings.Repeat("x", r.IntN(3000))+`"`, "\x00\xff")
	length := len(document)
	if r.IntN(4) == 0 {
		length = r.IntN(1 << 20)
	}
	target := pick("/", "/v1/canonicalize", "/v1/verify?profile=ijson", "/v1/explain?peers=off", "/v1/snapshot?agent=a&tool=b", "/results", "/metrics", "/%", "*", "//", "/v1/canonicalize?"+strings.Repeat("a=b&", r.IntN(100)), "http://elsewhere/")
	kind := pick("application/json", "application/octet-stream", "multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded", "", "\x01")
	framing := pick(fmt.Sprintf("Content-Length: %d\r\n", length), "Transfer-Encoding: chunked\r\n", "Content-Length: -1\r\n", "", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Expect: 100-continue\r\nContent-Length: 7\r\n")
	body := document
	if strings.Contains(framing, "chunked") {
		body = pick(fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(document), document), "zz\r\n", "ffffffffffffffff\r\n", "5\r\nab")
	}
	request := pick("POST", "POST", "POST", "GET", "PUT", "PRI", "\x16\x03\x01") + " " + target + " HTTP/" + pick("1.1", "1.1", "1.0", "2.0", "9") + "\r\nHost: " +
		pick("127.0.0.1", "127.0.0.1", "localhost:1", "elsewhere", "", "a\r\nHost: b") + "\r\nContent-Type: " + kind + "\r\n" + framing + "\r\n" + body
	b := []byte(request)
	for range r.IntN(3) * r.IntN(2) { // now and then some bytes are others
		b[r.IntN(len(b))] = byte(r.Uint32())
	}
	return b[:len(b)-r.IntN(2)*r.IntN(len(b))]
}

// TestFuzzedClient: 2,000 requests that are nearly right, on real connections.
// The server answers each or closes, panics at none, and serves afterwards.
func TestFuzzedClient(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("there is no loopback network")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := New(Options{Hosts: []string{"127.0.0.1", "localhost"}, BodyLimit: 50 * time.Millisecond, MaxBody: 4096})
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx, listener) }()
	random := rand.New(rand.NewPCG(8785, 16))
	statuses := map[int]int{}
	for range 2000 {
		request := fuzzedRequest(random)
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			c.Write(request)
			c.(*net.TCPConn).CloseWrite()
		}()
		if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
			io.Copy(io.Discard, answer.Body)
			statuses[answer.StatusCode]++
			if answer.StatusCode == http.StatusInternalServerError {
				t.Errorf("%q: status 500", request)
			}
		}
		c.Close()
	}
	for _, want := range []int{200, 400, 404, 405, 415, 421, 422} {
		if statuses[want] == 0 {
			t.Errorf("no answer has status %d: %v", want, statuses)
		}
	}
	if w := post(s, "http://localhost/v1/canonicalize", `{"b":1,"a":2}`); w.Code != http.StatusOK {
		t.Errorf("afterwards: status %d", w.Code)
	}
	stop()
	if err := <-stopped; err != nil {
		t.Errorf("stopped with %v", err)
	}
	if s.door.count() != 0 || len(s.work) != 0 {
		t.Errorf("%d documents are inside, %d places taken", s.door.count(), len(s.work))
	}
}

// FuzzServer: any query and body, of each route that takes a document, come to
// an answer of those that are documented.
func FuzzServer(f *testing.F) {
	paths := []string{"/v1/canonicalize", "/v1/verify", "/v1/explain", "/v1/snapshot", "/results", "/"}
	types := []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}
	f.Add(uint8(0), uint8(0), "profile=ijson", []byte(`{"a":-0}`))
	f.Add(uint8(3), uint8(0), "agent=a&tool=b", []byte(`{"a":1}`))
	f.Add(uint8(5), uint8(1), "", []byte("document=%7b%7d&encoding=text"))
	f.Add(uint8(5), uint8(2), "", []byte("--x\r\nContent-Disposition: form-data; name=\"document\"\r\n\r\n{}\r\n--x--\r\n"))
	s := New(Options{MaxBody: 4096})
	f.Fuzz(func(t *testing.T, path, kind uint8, query string, body []byte) {
		r, err := http.NewRequest("POST", "http://localhost"+paths[int(path)%len(paths)], strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.URL.RawQuery = query
		r.Header.Set("Content-Type", types[int(kind)%len(types)])
		w := record(s, r)
		switch w.Code {
		case 200, 400, 413, 415, 422:
		default:
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}
