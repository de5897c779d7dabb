package server

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

// How a stop goes: for lull new requests are still taken, each the last of its
// connection, so that clients with an open connection are not cut off; then what
// was accepted is answered; what takes longer than patience is cut.
const (
	lull     = 200 * time.Millisecond
	patience = 1500 * time.Millisecond
)

// ErrCut is what Run gives when it stopped with requests that it could not answer
// in time.
var ErrCut = errors.New("server: some requests were cut, since their answers took too long")

// Run serves on a listener, which it closes, until ctx ends; then it stops within
// two seconds. It gives nil if every request that was accepted was answered.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	bounded := &drained{Listener: listener, limit: netutil.LimitListener(listener, s.options.Connections)}
	o := s.options
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      o.BodyLimit + 2*o.Timeout + 10*time.Second, // from the header on
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // what clients do wrong is not told: it is theirs to say
	}
	var busy activity
	h.ConnState = busy.note
	served := make(chan error, 1)
	go func() { served <- h.Serve(bounded) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.end()
	time.Sleep(lull)
	bounded.drain()
	hurry, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := h.Shutdown(hurry)
	if err != nil {
		if err = nil; busy.any() {
			err = ErrCut // others have connected, and asked nothing
		}
		h.Close()
	}
	<-served
	return err
}

// An activity knows the connections on which a request is under way.
type activity struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
}

func (a *activity) note(c net.Conn, state http.ConnState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if state != http.StateActive {
		delete(a.conns, c)
		return
	}
	if a.conns == nil {
		a.conns = map[net.Conn]bool{}
	}
	a.conns[c] = true
}

func (a *activity) any() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.conns) > 0
}

// drained is a listener that accepts who has connected already before it is
// closed.
type drained struct {
	net.Listener
	limit net.Listener // the same, with a bound on the connections
}

// Accept closes the listener as soon as a draining is over, so that nobody can
// connect in between to be cut off.
func (d *drained) Accept() (net.Conn, error) {
	conn, err := d.limit.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		d.Listener.Close()
		return nil, http.ErrServerClosed
	}
	return conn, err
}

// drain gives those who wait a moment to be accepted.
func (d *drained) drain() {
	if l, ok := d.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		l.SetDeadline(time.Now().Add(20 * time.Millisecond))
		time.Sleep(25 * time.Millisecond)
	}
}
