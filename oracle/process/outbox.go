package process

import (
	"os"
	"sync"
)

// An outbox writes to a child's standard input without ever blocking who
// sends: a child that does not read must not stop the harness from reading
// what it writes. How much is in flight is bounded by who sends.
type outbox struct {
	file    *os.File
	onError func() // called once, if a write fails

	mu      sync.Mutex
	wake    sync.Cond
	pending []byte
	closing bool // close the file when everything is written
	failed  bool
}

func newOutbox(file *os.File, onError func()) *outbox {
	o := &outbox{file: file, onError: onError}
	o.wake.L = &o.mu
	go o.loop()
	return o
}

// send takes a copy of p.
func (o *outbox) send(p []byte) {
	o.mu.Lock()
	o.pending = append(o.pending, p...)
	o.mu.Unlock()
	o.wake.Signal()
}

// finish closes the file once everything is written.
func (o *outbox) finish() {
	o.mu.Lock()
	o.closing = true
	o.mu.Unlock()
	o.wake.Signal()
}

// abandon closes the file now and ends the loop.
func (o *outbox) abandon() {
	o.file.Close()
	o.mu.Lock()
	o.closing, o.pending = true, nil
	o.mu.Unlock()
	o.wake.Signal()
}

// broken reports whether a write failed: the child reads no more.
func (o *outbox) broken() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

const keepBuffer = 1 << 20

func (o *outbox) loop() {
	defer o.file.Close()
	var writing []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.closing {
			o.wake.Wait()
		}
		if len(o.pending) == 0 {
			o.mu.Unlock()
			return
		}
		if cap(writing) > keepBuffer {
			writing = nil
		}
		writing, o.pending = o.pending, writing[:0]
		o.mu.Unlock()
		if _, err := o.file.Write(writing); err != nil {
			o.mu.Lock()
			o.failed = true
			o.mu.Unlock()
			o.onError()
			return
		}
	}
}
