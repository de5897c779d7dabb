package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A Reader reads lines of bounded length. Its memory is bounded by twice the
// limit; it grows only as bytes arrive. It is not safe for concurrent use.
type Reader struct {
	in      io.Reader
	buf     []byte
	from    int // where the unread bytes begin
	scanned int // up to where they hold no line end
	to      int // where they end
	max     int
}

// NewReader reads lines from in of at most limit bytes without the line end.
func NewReader(in io.Reader, limit int) *Reader {
	return &Reader{in: in, buf: make([]byte, min(64<<10, limit+1)), max: limit}
}

// SetLimit changes the limit for the lines that follow.
func (r *Reader) SetLimit(limit int) { r.max = limit }

// ReadLine gives the next line without its line end; it is valid until the
// next call. At the end of the input it gives io.EOF, or an error that is
// io.ErrUnexpectedEOF and quotes the bytes if they lack a line end. An error
// of the input itself is returned as it is, and reading may be tried again
// after it (a deadline, say): nothing is lost.
func (r *Reader) ReadLine() ([]byte, error) {
	for {
		if line, ok := r.take(); ok {
			if len(line) > r.max {
				return nil, r.tooLong(line)
			}
			return line, nil
		}
		if r.to-r.from > r.max {
			return nil, r.tooLong(r.buf[r.from:r.to])
		}
		if err := r.fill(); err != nil {
			if err == io.EOF && r.to > r.from {
				return nil, fmt.Errorf("wire: %s has no line end: %w", Quote(r.buf[r.from:r.to]), io.ErrUnexpectedEOF)
			}
			return nil, err
		}
	}
}

// Ready reports whether ReadLine would give a line without reading on.
func (r *Reader) Ready() bool {
	i := bytes.IndexByte(r.buf[r.scanned:r.to], '\n')
	if i < 0 {
		r.scanned = r.to
		return false
	}
	r.scanned += i
	return true
}

// Buffered gives the bytes that were read and not yet returned. They are valid
// until the next call.
func (r *Reader) Buffered() []byte { return r.buf[r.from:r.to] }

func (r *Reader) take() ([]byte, bool) {
	if !r.Ready() {
		return nil, false
	}
	line := r.buf[r.from:r.scanned]
	r.from = r.scanned + 1
	r.scanned = r.from
	return line, true
}

func (r *Reader) tooLong(begin []byte) error {
	return fmt.Errorf("%w of %d bytes: %s", ErrLineTooLong, r.max, Quote(begin))
}

// fill reads once, after making room.
func (r *Reader) fill() error {
	if r.from == r.to {
		r.from, r.scanned, r.to = 0, 0, 0
	}
	if r.to == len(r.buf) {
		r.room()
	}
	n, err := r.in.Read(r.buf[r.to:])
	if n < 0 || n > len(r.buf)-r.to {
		return errors.New("wire: the input counts its bytes wrongly")
	}
	r.to += n
	if n > 0 {
		return nil // the error, if any, comes again
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// room moves the unread bytes to the front of a buffer that is full to its end,
// and makes it longer if they fill it. They are no more than the limit and hold
// no line end then.
func (r *Reader) room() {
	unread := r.buf[r.from:r.to]
	if r.from == 0 {
		r.buf = make([]byte, min(2*len(r.buf), r.max+1))
	}
	copy(r.buf, unread)
	r.from, r.scanned, r.to = 0, len(unread), len(unread)
}
