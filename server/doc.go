// Package server is the oracle as a local page and an HTTP API. It keeps no
// state: a document is read, explained and forgotten, and never logged.
//
// Everyone who sends is taken to be hostile. The size of a document, the time in
// which it must arrive and be explained, the number of connections, of requests
// at once and of those from one address are bounded, and so is what
// implementations may do to an answer. Requests that a web page of another origin
// sends, or that name another host, are refused.
//
// docs/server.md tells the interface, openapi.json tells it to programs.
package server

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/touchstone-oracle/touchstone/oracle/explain"
)

// Options bound a server. The zero value of a field stands for its default.
type Options struct {
	Hosts       []string      // names and addresses that requests may name as their host, without port; any if empty
	MaxBody     int64         // bytes of a document; 1 MiB
	BodyLimit   time.Duration // until a document has arrived; 10 s
	Timeout     time.Duration // until a document that has arrived is answered; 10 s
	Connections int           // at once; 256
	Requests    int           // with a document, at once; 64
	PerAddress  int           // of those, from one address; half of Requests
	Workers     int           // documents worked on at once; GOMAXPROCS
	Panel       *explain.Panel
	Version     string
}

// MaxBodyMost is the largest MaxBody: what a profile must accept (RFC 8259
// section 9 leaves larger texts open).
const MaxBodyMost = 16 << 20

func (o Options) withDefaults() Options {
	o.MaxBody = min(cmp.Or(o.MaxBody, 1<<20), MaxBodyMost)
	o.BodyLimit = cmp.Or(o.BodyLimit, 10*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.Connections = cmp.Or(o.Connections, 256)
	o.Requests = cmp.Or(o.Requests, 64)
	o.PerAddress = cmp.Or(o.PerAddress, max(1, o.Requests/2))
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o
}

// A Server answers requests. Its ServeHTTP is safe for concurrent use.
type Server struct {
	options  Options
	engines  engines
	door     *door
	work     chan struct{} // a place for each document worked on
	asking   chan struct{} // and for each that implementations are asked about, which may wait for them
	counters *counters
	origins  *http.CrossOriginProtection
	handler  http.Handler
	ending   context.Context // ends when the server is to stop
	end      context.CancelFunc
}

// New makes a server.
func New(o Options) *Server {
	o = o.withDefaults()
	s := &Server{
		options: o, engines: builtinEngines(), door: newDoor(o.Requests, o.PerAddress), work: make(chan struct{}, o.Workers), asking: make(chan struct{}, o.Workers),
		counters: newCounters(), origins: http.NewCrossOriginProtection(),
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.handler = s.guarded(s.routes())
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// stopping reports whether the server is about to stop.
func (s *Server) stopping() bool { return s.ending.Err() != nil }
