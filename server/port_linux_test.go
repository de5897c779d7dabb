package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestNobodyIsCutOff: clients make new connections as fast as they can while the
// server stops. Who cannot connect is refused, who has connected is answered, also
// where more wait than may be open at once.
func TestNobodyIsCutOff(t *testing.T) {
	for name, connections := range map[string]int{"with room": 256, "without": 2} {
		t.Run(name, func(t *testing.T) {
			listener, err := Listen(t.Context(), "127.0.0.1:0")
			if err != nil {
				t.Skip("there is no loopback network")
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			stopped := make(chan error, 1)
			go func() { stopped <- New(Options{Connections: connections}).Run(ctx, listener) }()
			var answered, refused atomic.Int64
			var clients sync.WaitGroup
			for range 16 {
				clients.Go(func() {
					for refused.Load() == 0 {
						conn, err := net.DialTimeout("tcp", listener.Addr().String(), 100*time.Millisecond)
						if err != nil {
							refused.Add(1) // at once, or by silence
							return
						}
						if err := askedOn(conn); err != nil {
							t.Errorf("after %d answers: %v", answered.Load(), err)
							return
						}
						if answered.Add(1) == 300 {
							stop()
						}
					}
				})
			}
			if err := <-stopped; err != nil {
				t.Errorf("stopped with %v", err)
			}
			clients.Wait()
			if answered.Load() < 300 || refused.Load() == 0 {
				t.Errorf("%d were answered, %d refused", answered.Load(), refused.Load())
			}
		})
	}
}

// askedOn sends a request on a new connection and gives why it has no answer.
func askedOn(conn net.Conn) error {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	const document = `{"b":1,"a":2}`
	if _, err := io.WriteString(conn, "POST /v1/canonicalize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n"+document); err != nil {
		return err
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if _, err := io.ReadAll(r.Body); err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK {
		return errors.New(r.Status)
	}
	return nil
}

// TestAShutPort lets in who has connected before, whatever room there is, and
// nobody who comes later.
func TestAShutPort(t *testing.T) {
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Skip("there is no loopback network")
	}
	p := newPort(listener, 1)
	for range 3 {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	p.shut()
	if conn, err := net.DialTimeout("tcp", listener.Addr().String(), 100*time.Millisecond); err == nil {
		conn.Close()
		t.Error("a newcomer has connected, and would be cut off")
	}
	p.last = time.Now().Add(time.Hour) // however slow this machine is
	p.until = time.Unix(0, 1)          // who waits is let in all the same
	for i := range 3 {
		conn, err := p.Accept()
		if err != nil {
			t.Fatalf("%d were let in: %v", i, err)
		}
		defer conn.Close()
	}
	if _, err := p.Accept(); err != http.ErrServerClosed {
		t.Errorf("then %v", err)
	}
	if _, err := net.DialTimeout("tcp", listener.Addr().String(), 100*time.Millisecond); err == nil {
		t.Error("the port is open")
	}
}

// TestAPortHasRoom for so many at once, and again when one of them has gone.
func TestAPortHasRoom(t *testing.T) {
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Skip("there is no loopback network")
	}
	p := newPort(listener, 2)
	defer listener.Close()
	var inside []net.Conn
	for range 3 {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	for range 2 {
		conn, err := p.Accept()
		if err != nil {
			t.Fatal(err)
		}
		inside = append(inside, conn)
	}
	third := make(chan error, 1)
	go func() { _, err := p.Accept(); third <- err }()
	select {
	case <-third:
		t.Error("a third was let in")
	case <-time.After(20 * time.Millisecond):
	}
	inside[0].Close()
	inside[0].Close() // makes no more room
	if err := <-third; err != nil {
		t.Error(err)
	}
	if len(p.room) != 2 {
		t.Errorf("%d are inside", len(p.room))
	}
}
