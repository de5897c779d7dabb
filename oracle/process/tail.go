package process

import "sync"

// maxTail is how much of standard error is kept.
const maxTail = 64 << 10

// A tail keeps the last 64 KiB written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write takes everything.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-maxTail):]
	return len(p), nil
}

// String gives what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
