package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// script is an input of reads that are written down.
type script []func(p []byte) (int, error)

func (s *script) Read(p []byte) (int, error) {
	next := (*s)[0]
	*s = (*s)[1:]
	return next(p)
}

func gives(text string) func([]byte) (int, error) {
	return func(p []byte) (int, error) { return copy(p, text), nil }
}

// TestReaderOfBadInputs: an input that ends has ended, and one that counts more
// bytes than there is room for, or fewer than none, is an error.
func TestReaderOfBadInputs(t *testing.T) {
	ends := func([]byte) (int, error) { return 0, io.EOF }
	if line, err := NewReader(&script{ends, gives("more\n")}, 10).ReadLine(); err != io.EOF {
		t.Errorf("behind the end: %q, %v", line, err)
	}
	for _, in := range []script{
		{func(p []byte) (int, error) { return -1, nil }},
		{func(p []byte) (int, error) { return len(p) + 1, nil }},
		{gives("x"), func(p []byte) (int, error) { return len(p) + 1, nil }},
	} {
		if line, err := NewReader(&in, 10).ReadLine(); err == nil || !strings.Contains(err.Error(), "counts its bytes wrongly") {
			t.Errorf("%q, %v", line, err)
		}
	}
}

// TestReaderAtItsLimit: a line of the limit's length is read, whatever part of
// the memory it needs, and whether or not the limit changes on the way.
func TestReaderAtItsLimit(t *testing.T) {
	for _, size := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20} {
		long := strings.Repeat("x", size)
		r := NewReader(strings.NewReader(long+"\n"+long+"\n"+long+"\n"), size)
		for i := range 3 {
			if line, err := r.ReadLine(); err != nil || string(line) != long {
				t.Errorf("line %d of %d bytes: %d bytes, %v", i, size, len(line), err)
			}
		}
	}
	r := NewReader(strings.NewReader("short\n"+strings.Repeat("x", 1000)+"\nxxx\nxxxx\n"), 5)
	for _, limit := range []int{5, 1000, 3} {
		r.SetLimit(limit)
		if line, err := r.ReadLine(); err != nil || len(line) != limit {
			t.Errorf("a limit of %d: %q, %v", limit, line, err)
		}
	}
	if _, err := r.ReadLine(); !errors.Is(err, ErrLineTooLong) {
		t.Errorf("beyond a lower limit: %v", err)
	}
}

// TestReader: lines come out whole however the bytes come in, and a line that
// is too long, or has no end, is an error that quotes it.
func TestReader(t *testing.T) {
	text := "one\n\n" + strings.Repeat("x", 100) + "\nhalf"
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "one byte": iotest.OneByteReader,
		"half": iotest.HalfReader, "error with data": iotest.DataErrReader,
	} {
		r := NewReader(wrap(strings.NewReader(text)), 100)
		for _, want := range []string{"one", "", strings.Repeat("x", 100)} {
			if line, err := r.ReadLine(); err != nil || string(line) != want {
				t.Errorf("%s: %q, %v", name, line, err)
			}
		}
		if _, err := r.ReadLine(); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), `"half"`) {
			t.Errorf("%s: %v", name, err)
		}
		r = NewReader(wrap(strings.NewReader(strings.Repeat("y", 101)+"\n")), 100)
		if _, err := r.ReadLine(); !errors.Is(err, ErrLineTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewReader(strings.NewReader(""), 10).ReadLine(); err != io.EOF {
		t.Error(err)
	}
	r := NewReader(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab\n"))), 10)
	if _, err := r.ReadLine(); !errors.Is(err, iotest.ErrTimeout) {
		t.Error(err)
	}
	if line, err := r.ReadLine(); string(line) != "ab" || err != nil {
		t.Errorf("after an error of the input: %q, %v", line, err)
	}
}

// endless gives the same byte for ever and counts.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	e.n += len(p)
	return copy(p, bytes.Repeat([]byte("y"), len(p))), nil
}

// TestReaderBounded: a line without end is given up soon after the limit.
func TestReaderBounded(t *testing.T) {
	in := &endless{}
	r := NewReader(in, 1<<20)
	if _, err := r.ReadLine(); !errors.Is(err, ErrLineTooLong) {
		t.Error(err)
	}
	if in.n > 2<<20 || len(r.buf) > 1<<20+1 {
		t.Errorf("%d bytes read into %d", in.n, len(r.buf))
	}
}
