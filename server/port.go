package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// A port is a listener with a bound on the connections that are open at once. It
// closes without cutting off anybody who has connected: the system is told to let
// no newcomers connect, where it can be told, and then whoever waits is let in,
// bound or no bound.
type port struct {
	net.Listener
	room    chan struct{}
	closing chan struct{}
	until   time.Time // when a closing port waits for nobody any more; set before closing
	last    time.Time // when it lets nobody in any more
}

// A closing port is quiet when nobody has come for a while. It waits for that no
// longer than quietMost, since where newcomers cannot be kept off they go on coming,
// and lets in who is seen to wait no longer than waitMost, however slow the machine.
const (
	quiet     = 25 * time.Millisecond
	quietMost = 250 * time.Millisecond
	waitMost  = time.Second
)

func newPort(l net.Listener, connections int) *port {
	return &port{Listener: l, room: make(chan struct{}, connections), closing: make(chan struct{})}
}

// Listen listens on a TCP address, for Run. Multipath TCP, which net.Listen has
// where it can, is left out: its ports cannot be closed without cutting somebody
// off.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", address)
}

// Accept lets the next one in. A closing port closes as soon as it is quiet.
func (p *port) Accept() (net.Conn, error) {
	conn := &visitor{leave: func() { <-p.room }}
	select {
	case p.room <- struct{}{}:
	case <-p.closing:
		conn.leave = func() {}
	}
	for {
		closing := p.isClosing()
		if closing {
			p.wait(minTime(time.Now().Add(quiet), p.until))
		}
		var err error
		if conn.Conn, err = p.Listener.Accept(); err == nil {
			return conn, nil
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			<-p.closing // which woke it
			if !closing {
				continue
			}
			if now := time.Now(); waiting(p.Listener) && now.Before(p.last) {
				p.until = now.Add(quietMost)
				continue
			}
			p.Listener.Close()
			err = http.ErrServerClosed
		}
		conn.leave()
		return nil, err
	}
}

// shut lets Accept take who has connected already, and close the port.
func (p *port) shut() {
	refuseNewcomers(p.Listener)
	p.until, p.last = time.Now().Add(quietMost), time.Now().Add(waitMost)
	if !p.wait(time.Unix(0, 1)) {
		p.Listener.Close()
	}
	close(p.closing)
}

func (p *port) isClosing() bool {
	select {
	case <-p.closing:
		return true
	default:
		return false
	}
}

// wait bounds how long Accept waits, if the listener knows time.
func (p *port) wait(until time.Time) bool {
	l, ok := p.Listener.(interface{ SetDeadline(time.Time) error })
	return ok && l.SetDeadline(until) == nil
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// A visitor is a connection that takes room until it is closed.
type visitor struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (v *visitor) Close() error {
	defer v.once.Do(v.leave)
	return v.Conn.Close()
}
