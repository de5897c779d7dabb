package server

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"time"
)

// admitted runs serve for a request with a body, if there is room for it.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request, serve func() *problem) {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	switch s.door.enter(address) {
	case "too-many":
		newProblem("too-many", http.StatusTooManyRequests, fmt.Sprintf("one address may have %d documents here at once", s.options.PerAddress)).write(w)
		return
	case "busy":
		newProblem("busy", http.StatusServiceUnavailable, fmt.Sprintf("%d documents are here already", s.options.Requests)).write(w)
		return
	}
	defer s.door.leave(address)
	if p := serve(); p != nil {
		p.write(w)
	}
}

// documentTypes are the media types of a document that is sent as it is.
var documentTypes = []string{"application/json", "application/octet-stream"}

// readDocument reads a request's body, which is the document.
func (s *Server) readDocument(w http.ResponseWriter, r *http.Request) ([]byte, *problem) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != documentTypes[0] && kind != documentTypes[1] {
		return nil, newProblem("media-type", http.StatusUnsupportedMediaType, "send the document itself, as application/json or application/octet-stream")
	}
	if r.Header.Get("Content-Encoding") != "" {
		return nil, newProblem("media-type", http.StatusUnsupportedMediaType, "send the document without a content encoding")
	}
	var document []byte
	p := s.arriving(w, r, s.options.MaxBody, func() (err error) {
		document, err = readAll(r.Body, r.ContentLength)
		return err
	})
	return document, p
}

// readAll reads a body of a size that is told, or -1.
func readAll(body io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		return io.ReadAll(body)
	}
	b := make([]byte, size)
	_, err := io.ReadFull(body, b)
	return b, err
}

// arriving bounds the size of a body and the time in which read gets it.
func (s *Server) arriving(w http.ResponseWriter, r *http.Request, most int64, read func() error) *problem {
	tooLarge := newProblem("too-large", http.StatusRequestEntityTooLarge, fmt.Sprintf("a document may have %d bytes", s.options.MaxBody))
	if r.ContentLength > most {
		return tooLarge
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(s.options.BodyLimit)) // without effect where there is no connection
	r.Body = http.MaxBytesReader(w, r.Body, most)
	err := read()
	var large *http.MaxBytesError
	switch {
	case err == nil:
		control.SetReadDeadline(time.Time{})
		return nil
	case errors.As(err, &large):
		return tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem("too-slow", http.StatusRequestTimeout, fmt.Sprintf("a document must arrive within %v", s.options.BodyLimit))
	}
	p := newProblem("cut-short", http.StatusBadRequest, "the body ended early or is not in the form that its headers tell")
	p.last = true
	return p
}

// worked does one document's work in one of the places, and gives up on it when
// the time is over; the work itself goes on then, and keeps its place.
func (s *Server) worked(r *http.Request, places chan struct{}, work func()) *problem {
	timer := time.NewTimer(s.options.Timeout)
	defer timer.Stop()
	select {
	case places <- struct{}{}:
	case <-timer.C:
		return newProblem("busy", http.StatusServiceUnavailable, fmt.Sprintf("no place became free within %v", s.options.Timeout))
	case <-r.Context().Done():
		return newProblem("cut-short", http.StatusBadRequest, "the client has gone")
	}
	done := make(chan any, 1)
	go func() {
		defer func() {
			<-places
			done <- recover()
		}()
		work()
	}()
	select {
	case panicked := <-done:
		if panicked != nil {
			panic(panicked)
		}
		return nil
	case <-timer.C:
		return newProblem("took-long", http.StatusServiceUnavailable, fmt.Sprintf("no answer within %v", s.options.Timeout))
	}
}
