package explain

import (
	"context"
	"errors"
	"time"
)

// A turn is held by who uses something that serves one at a time.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

var (
	errBusy = errors.New("explain: it was still busy")
	errLate = errors.New("explain: it did not answer in time")
)

// take does something as soon as it is its turn, and waits for it as long as the
// context allows. Whoever asked may leave: what was begun is not broken off, since
// that would end a worker process, but goes on in the background until the limit.
func take[T any](ctx context.Context, free turn, limit time.Duration, do func(context.Context) T) (done T, err error) {
	if ctx.Err() != nil {
		return done, errLate
	}
	select {
	case free <- struct{}{}:
	case <-ctx.Done():
		return done, errBusy
	}
	given := make(chan T, 1)
	go func() {
		defer func() { <-free }()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		defer cancel()
		given <- do(limited)
	}()
	select {
	case done = <-given:
		return done, nil
	case <-ctx.Done():
		return done, errLate
	}
}

// idle does something if nobody has the turn.
func (t turn) idle(do func()) {
	select {
	case t <- struct{}{}:
		do()
		<-t
	default:
	}
}
