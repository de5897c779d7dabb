package server

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// How a stop goes: for lull new requests are still taken, each the last of its
// connection, so that clients with an open connection are not cut off; then what
// was accepted is answered; what takes longer than patience, in all, is cut.
const (
	lull     = 200 * time.Millisecond
	patience = 1900 * time.Millisecond
)

// ErrCut is what Run gives when it stopped with requests that it could not answer
// in time.
var ErrCut = errors.New("server: some requests were cut, since their answers took too long")

// Run serves on a listener, which it closes, until ctx ends; then it stops within
// two seconds. It gives nil if every request that was accepted was answered.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	entrance := newPort(listener, s.options.Connections)
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
	go func() { served <- h.Serve(entrance) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	until := time.Now().Add(patience)
	s.end()
	time.Sleep(lull)
	entrance.shut()
	<-served // nobody is let in any more
	defer h.Close()
	if busy.settles(until) {
		return nil
	}
	return ErrCut
}

// An activity knows the connections on which a request is under way, or may be:
// http.Server.Shutdown gives up those that have connected and whose request it has
// not read yet.
type activity struct {
	mu    sync.Mutex
	conns map[net.Conn]time.Time // since when; zero with a request under way
}

// silence is how long a client may have been connected without a word to be taken
// for one that asks nothing, as browsers connect in advance.
const silence = 500 * time.Millisecond

func (a *activity) note(c net.Conn, state http.ConnState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conns == nil {
		a.conns = map[net.Conn]time.Time{}
	}
	switch state {
	case http.StateNew:
		a.conns[c] = time.Now()
	case http.StateActive:
		a.conns[c] = time.Time{}
	default:
		delete(a.conns, c)
	}
}

// settles waits until nothing is under way. It gives up on clients that are
// silent, and in the end on the others, which it reports.
func (a *activity) settles(until time.Time) bool {
	for {
		asking, silent := a.count()
		if asking == 0 && silent == 0 {
			return true
		}
		if time.Now().After(until) {
			return asking == 0
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// count gives how many requests are under way, and how many clients may be about
// to ask.
func (a *activity) count() (asking, silent int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, since := range a.conns {
		switch {
		case since.IsZero():
			asking++
		case time.Since(since) < silence:
			silent++
		}
	}
	return asking, silent
}
