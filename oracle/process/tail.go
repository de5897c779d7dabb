package process

import (
	"io"
	"sync"
)

// maxTail is how much of standard error is kept.
const maxTail = 64 << 10

// A tail keeps the last 64 KiB written to it. It is safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	ring  []byte
	next  int // where the next byte goes, once the ring is full
	bytes int64
}

// Write takes everything.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.bytes += int64(n)
	if n > maxTail {
		p = p[n-maxTail:]
	}
	if room := maxTail - len(t.ring); room > 0 {
		k := min(room, len(p))
		t.ring = append(t.ring, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := copy(t.ring[t.next:], p)
		t.next = (t.next + k) % maxTail
		p = p[k:]
	}
	return n, nil
}

// String gives what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.ring[t.next:]) + string(t.ring[:t.next])
}

// drain copies until the end of in or an error, in small pieces.
func (t *tail) drain(in io.Reader) {
	buf := make([]byte, 8<<10)
	for {
		n, err := in.Read(buf)
		t.Write(buf[:n])
		if err != nil {
			return
		}
	}
}
